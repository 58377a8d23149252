import {
  CLASS_ANNOTATION,
  type Contract,
  DEFAULT_CLASS_LABEL,
  type Diagnostic,
  digest,
  INTENT_ANNOTATION,
  type Intent,
  isArray,
  type Json,
  type JsonObject,
  once,
  type Path,
  type WorkloadClass,
} from "../model/index.ts";
import { fieldPath, type PodSet, type Workload } from "../workloads/index.ts";
import { levelFault } from "./classes.ts";
import { finding, type PolicyCode } from "./codes.ts";
import { leavesOf } from "./contractFields.ts";
import { contradictionsIn } from "./contradictions.ts";
import { asksForDevice, knownResources } from "./devices.ts";
import { fieldValue, outsideBound, withField } from "./overrides.ts";
import { plainJson } from "./plain.ts";
import { checkSchema } from "./schemaCheck.ts";
import { readObject } from "./source.ts";
import { orList, suggestion } from "./suggest.ts";
import type { Catalogue, ResolvedIntents } from "./types.ts";

const MAX_INTENT = 8 * 1024;

export interface IntentContext {
  readonly namespaceLabels?: Readonly<Record<string, string>>;
  /** Class by pod set, as the workload's decision records it. */
  readonly standing?: Readonly<Record<string, string>>;
  readonly creating: boolean;
}

/** Where a class or an intent was written. */
interface Written {
  readonly text: string;
  readonly path: Path;
  /** On the pod set's own template, not on the whole object. */
  readonly own: boolean;
}

/**
 * The contract of each pod set: the class that an annotation (the template's before the object's), else the standing decision, else at creation
 * the namespace's default names; the part for the set's role, else for its name; and what the intent annotation may set otherwise.
 */
export function resolveIntents(workload: Workload, catalogue: Catalogue, context: IntentContext): ResolvedIntents {
  const intents = new Map<string, Intent>();
  const diagnostics: Diagnostic[] = [];
  for (const set of workload.podSets) {
    const faults: Diagnostic[] = [];
    const written = classOf(workload, set, catalogue, context);
    const workloadClass = written === undefined ? undefined : catalogue.classes.get(written.text);
    if (written !== undefined && workloadClass === undefined) faults.push(unknownClass(written, catalogue));
    if (workloadClass !== undefined) {
      const start = contractFor(workloadClass, set);
      const contract = overridden(start, workload, set, workloadClass, catalogue, faults);
      intents.set(set.name, {
        podSet: set.name,
        role: set.role,
        className: workloadClass.name,
        classDigest: workloadClass.digest,
        intentDigest: intentDigest(contract),
        contract,
      });
      faults.push(...notesOn(contract, workload, set, workloadClass.name));
    }
    // What one annotation says wrongly for every set is said once.
    for (const fault of faults)
      if (!diagnostics.some((one) => one.code === fault.code && one.message === fault.message)) diagnostics.push(fault);
  }
  return { intents, diagnostics };
}

/** Contracts that no intent changed are the class's own, and shared by its workloads. */
const intentDigest = once((contract: Contract) => digest(plainJson(contract)));

/** Is the set the one that may run on spot capacity under `spot: overflow`: it, or its role, is called `overflow` or `...-overflow`. */
export function isOverflowSet(workload: Workload, set: PodSet): boolean {
  return workload.podSets.length > 1 && [set.name, set.role].some((name) => /(^|-)overflow$/i.test(name));
}

/** Why a set is not that one. */
export const notOverflow = ({ podSets, kind }: Workload, { name }: PodSet): string =>
  podSets.length > 1 ? `neither ${name} nor its role is called overflow` : `a ${kind.kind} has only one pod set`;

function classOf(workload: Workload, set: PodSet, catalogue: Catalogue, context: IntentContext): Written | undefined {
  const annotated = annotation(workload, set, CLASS_ANNOTATION);
  if (annotated !== undefined) return annotated;
  const standing = own(context.standing, set.name);
  if (standing !== undefined) return { text: standing, path: [], own: false };
  const byDefault = own(context.namespaceLabels, DEFAULT_CLASS_LABEL);
  if (!context.creating || byDefault === undefined) return undefined;
  return asksForDevice(set, knownResources(catalogue)).form === "none"
    ? undefined
    : { text: byDefault, path: [], own: false };
}

function annotation(workload: Workload, set: PodSet, key: string): Written | undefined {
  const onTemplate = own(set.pod.annotations, key);
  if (onTemplate !== undefined) {
    return { text: onTemplate.trim(), path: [...(fieldPath(set, "annotations") ?? set.path), key], own: true };
  }
  const onObject = own(workload.annotations, key);
  return onObject === undefined
    ? undefined
    : { text: onObject.trim(), path: ["metadata", "annotations", key], own: false };
}

function unknownClass({ text, path }: Written, catalogue: Catalogue): Diagnostic {
  const names = [...catalogue.classes.keys()];
  const where = path.length > 0 ? "" : " (from the namespace's default, or the standing decision)";
  const message =
    text === ""
      ? "The workload-class annotation is empty."
      : `There is no workload class ${text.slice(0, 100)}${where}.`;
  return finding("UnknownClass", message, {
    hint: suggestion(text, names, "Classes are"),
    ...(path.length === 0 ? {} : { path }),
  });
}

function contractFor({ roles, contract }: WorkloadClass, set: PodSet): Contract {
  return own(roles, set.role) ?? own(roles, set.name) ?? contract;
}

function overridden(
  start: Contract,
  workload: Workload,
  set: PodSet,
  workloadClass: WorkloadClass,
  catalogue: Catalogue,
  faults: Diagnostic[],
): Contract {
  const written = annotation(workload, set, INTENT_ANNOTATION);
  if (written === undefined || written.text === "") return start;
  const say = (code: PolicyCode, message: string, hint?: string) =>
    faults.push(finding(code, message, { hint, path: written.path, ...(written.own ? { podSet: set.name } : {}) }));
  const intent = readIntent(written.text, say);
  if (intent === undefined) return start;

  let contract = start;
  const { name, overrides } = workloadClass;
  const allowed = Object.keys(overrides).sort();
  // A part that a contract lacks begins with its level.
  const leaves = [...leavesOf(intent)].sort(
    (a, b) => Number(b.path.at(-1) === "level") - Number(a.path.at(-1) === "level"),
  );
  for (const { path, value } of leaves) {
    const field = path.join(".");
    const bound = own(overrides, field);
    if (bound === undefined) {
      const may = allowed.length === 0 ? "nothing" : orList(allowed);
      say(
        "OverrideNotAllowed",
        `The intent sets ${field}, but class ${name} lets workloads set ${may}.`,
        "Take it out, or ask the platform team for a class that allows it.",
      );
      continue;
    }
    const outside = outsideBound(
      field,
      value,
      bound,
      fieldValue(start, path) ?? fieldValue(workloadClass.contract, path),
    );
    if (outside !== undefined) {
      const text = isArray(value) ? value.join(", ") : String(value);
      say(
        "OverrideOutOfBound",
        `The intent sets ${field} to ${text}, but under class ${name} ${outside}.`,
        "Choose a value within that bound.",
      );
      continue;
    }
    const next = withField(contract, path, value);
    if (next !== undefined) contract = next;
    else if (written.own)
      say(
        "OverrideOutOfBound",
        `The intent sets ${field}, which class ${name} does not have for ${set.name}.`,
        "Take it out.",
      );
    else
      say(
        "OverrideWithoutEffect",
        `The intent's ${field} has no meaning for ${set.name}, whose role has no such field in class ${name}.`,
      );
  }
  for (const { code, message, hint } of contract === start ? [] : resultFaults(contract, catalogue))
    say(code, `With the intent's changes, class ${name} cannot hold: ${message}`, hint);
  return contract;
}

/** May a workload set this field of its class so for the pod set, by its intent: within the bound, and without a contradiction. */
export function mayOverride(intent: Intent, field: string, value: Json, catalogue: Catalogue): boolean {
  const workloadClass = catalogue.classes.get(intent.className);
  const bound = workloadClass === undefined ? undefined : own(workloadClass.overrides, field);
  if (workloadClass === undefined || bound === undefined || value === null) return false;
  const path = field.split(".");
  const start = own(workloadClass.roles, intent.role) ?? own(workloadClass.roles, intent.podSet);
  const written =
    (start === undefined ? undefined : fieldValue(start, path)) ?? fieldValue(workloadClass.contract, path);
  if (outsideBound(field, value, bound, written) !== undefined) return false;
  const next = withField(intent.contract, path, value);
  return next === undefined || resultFaults(next, catalogue).length === 0;
}

function readIntent(
  text: string,
  say: (code: PolicyCode, message: string, hint?: string) => void,
): JsonObject | undefined {
  if (text.length > MAX_INTENT) {
    say(
      "IntentTooLarge",
      `The intent has ${text.length} characters; at most ${MAX_INTENT} are read.`,
      "Keep what belongs to the platform in a class.",
    );
    return undefined;
  }
  const read = readObject(text);
  if ("fault" in read) {
    say(
      "IntentSyntax",
      `The intent cannot be read: ${read.fault}.`,
      "Write fields of a class, such as topology: {level: rack}.",
    );
    return undefined;
  }
  const faults = checkSchema("Intent", read.value);
  for (const { diagnostic } of faults)
    say(diagnostic.code as PolicyCode, `The intent is not well formed: ${diagnostic.message}`, diagnostic.hint);
  return faults.length === 0 ? read.value : undefined;
}

/** What the overrides together made impossible, though each was within its bound. */
export function resultFaults(
  contract: Contract,
  catalogue: Catalogue,
): readonly { readonly code: PolicyCode; readonly message: string; readonly hint?: string | undefined }[] {
  const levels = catalogue.layout.levels.map(({ name }) => name);
  const scope = { levels, layout: catalogue.layout };
  const { topology, accelerator } = contract;
  const unknown =
    accelerator.kind === "classes" ? accelerator.classes.filter((name) => !catalogue.accelerators.has(name)) : [];
  return [
    ...contradictionsIn(contract, {}, catalogue.layout).filter(({ code }) => code === "Contradiction"),
    ...(topology?.level === undefined ? [] : levelFault(topology.level, [], scope)),
    ...(topology?.within === undefined ? [] : levelFault(topology.within, [], scope)),
    ...(topology?.spread === undefined ? [] : levelFault(topology.spread.level, [], scope)),
    ...unknown.map((name) => ({
      code: "UnknownAccelerator" as const,
      message: `${name} is not a declared AcceleratorClass.`,
      hint: suggestion(name, [...catalogue.accelerators.keys()], "AcceleratorClasses are"),
    })),
  ];
}

/** What the contract means for this set where that is not what its words suggest. */
function notesOn(contract: Contract, workload: Workload, set: PodSet, className: string): Diagnostic[] {
  const notes: Diagnostic[] = [];
  if (contract.interruption.spot === "overflow" && !isOverflowSet(workload, set)) {
    const message = `Class ${className} allows spot capacity for overflow only; ${set.name} gets none, since ${notOverflow(workload, set)}.`;
    notes.push(finding("SpotOverflow", message, { podSet: set.name, path: set.path }));
  }
  const { topology } = contract;
  if (topology?.unit === "group" && topology.groupSize === undefined && set.groupSize === undefined) {
    const message = `Class ${className} keeps groups of ${set.name} together, but neither the class nor the kind says how large a group is; each pod counts as one.`;
    notes.push(
      finding("GroupSizeUnknown", message, {
        podSet: set.name,
        path: set.path,
        hint: "Set topology.groupSize in the class.",
      }),
    );
  }
  return notes;
}

function own<T>(record: Readonly<Record<string, T>> | undefined, key: string): T | undefined {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined;
}
