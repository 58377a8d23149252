import {
  type AcceleratorClass,
  type ClusterFacts,
  type Diagnostic,
  digest,
  type Intent,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  type Path,
  type Platform,
  type SetDecision,
  type Step,
  type TopologyLayout,
  type TopologyNeed,
  toText,
  valueAt,
} from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import { fieldPath, type PodField, type PodSet, type Workload } from "../workloads/index.ts";
import type { Edit } from "./edit.ts";
import { INSTANCE_LABEL, SET_LABEL } from "./keys.ts";
import { type SlotName, slotOf } from "./slots.ts";

/** All that decides what is written for one pod set. */
export interface SetContext {
  readonly workload: Workload;
  readonly set: PodSet;
  readonly intent: Intent;
  readonly entry: SetDecision;
  /** The rung; undefined where none could be chosen. */
  readonly step: Step | undefined;
  /** Why today's class does not have the decided rung for this set; undefined where it has. */
  readonly withoutRung: string | undefined;
  /** Rungs of the same accelerator and source that the class allows, the chosen one among them. */
  readonly peers: readonly Step[];
  readonly accelerator: AcceleratorClass | undefined;
  readonly catalogue: Catalogue;
  readonly platform: Platform;
  readonly layout: TopologyLayout;
  readonly facts: ClusterFacts;
  readonly tenant: string;
}

/** What one concern wants for a pod set. */
export interface Part {
  readonly edits: readonly Edit[];
  readonly companions: readonly JsonObject[];
  readonly diagnostics: readonly Diagnostic[];
}

export const NOTHING: Part = { edits: [], companions: [], diagnostics: [] };

export function join(...parts: readonly Part[]): Part {
  const said = parts.filter((part) => part !== NOTHING);
  const [only] = said;
  if (only === undefined || said.length === 1) return only ?? NOTHING;
  const all: { edits: Edit[]; companions: JsonObject[]; diagnostics: Diagnostic[] } = {
    edits: [],
    companions: [],
    diagnostics: [],
  };
  for (const part of said) {
    if (part.edits.length > 0) all.edits.push(...part.edits);
    if (part.companions.length > 0) all.companions.push(...part.companions);
    if (part.diagnostics.length > 0) all.diagnostics.push(...part.diagnostics);
  }
  return all;
}

export const edits = (...list: readonly Edit[]): Part => ({ ...NOTHING, edits: list });
export const says = (...list: readonly Diagnostic[]): Part => ({ ...NOTHING, diagnostics: list });

/** Ends by itself: its templates pin the rung. All others outlive nodes and rungs. */
export const isRunOnce = (context: SetContext): boolean => context.workload.kind.life === "runOnce";

export function canCarry(context: SetContext, field: PodField): boolean {
  return fieldPath(context.set, field) !== undefined;
}

/** Keys of wider levels that tell domains of the needed level apart where its own label does not. */
export function outerKeys({ layout, entry }: SetContext, need: Pick<TopologyNeed, "level">): readonly string[] {
  const key = layout.levels.find((one) => one.name === need.level)?.key;
  const { outer } = entry;
  return key !== undefined && outer !== undefined && Object.hasOwn(outer, key) ? (outer[key] ?? []) : [];
}

/** Where the pods' affinity goes; undefined also where an edit there would hide what the pods inherit from elsewhere. */
export function affinityPath({ set, workload }: SetContext): Path | undefined {
  const path = fieldPath(set, "affinity");
  if (path === undefined || set.entry.inherits?.affinity === undefined) return path;
  const hides =
    !isObject(valueAt(workload.object, path)) && Object.keys(objectAt(set.pod.spec, ["affinity"])).length > 0;
  return hides ? undefined : path;
}

/** Neither kind nor platform has a way to say it: an error where the class requires it. */
export function cannotExpress(
  context: SetContext,
  what: string,
  why: string,
  hint: string,
  required = true,
): Diagnostic {
  return {
    code: "BackendCannotExpress",
    severity: required ? "error" : "warning",
    podSet: context.set.name,
    path: context.set.path,
    message: `${what} cannot be expressed: ${why}`,
    short: `${what}: ${why}`,
    hint,
  };
}

/** The user's own value stands, whatever the class says. */
export function valueKept(
  context: SetContext,
  path: Path,
  theirs: Json | undefined,
  ours: Json,
  severity: "warning" | "info" = "warning",
): Diagnostic {
  const text = (value: Json | undefined): string => (typeof value === "string" ? value : JSON.stringify(value ?? null));
  return {
    code: "UserValueKept",
    severity,
    podSet: context.set.name,
    path,
    message: `${toText(path)} is ${text(theirs)}, where class ${context.intent.className} would write ${text(ours)}; yours is kept`,
    hint: "Remove the field to get the class's value, or choose a class that agrees with it.",
  };
}

/** A key in a map of the pods, unless it is there: an equal value needs no edit, another one is kept and reported. */
export function wantKey(
  context: SetContext,
  slot: SlotName,
  key: string,
  value: string,
  present: string | undefined,
  what: string,
): Part {
  const { field } = slotOf(slot);
  if (present === value) return NOTHING;
  const path = fieldPath(context.set, field);
  if (path === undefined)
    return says(
      cannotExpress(
        context,
        `${what} ${key}`,
        `a ${context.workload.kind.kind} has no place for ${field} of its pods`,
        "Use a kind that has one.",
        false,
      ),
    );
  if (present !== undefined) return says(valueKept(context, [...path, key], present, value));
  return edits({ slot, key, value, text: `${what} ${key}=${value}` });
}

export const wantLabel = (context: SetContext, key: string, value: string): Part =>
  wantKey(context, "label", key, value, own(context.set.pod.labels, key), "label");

export const wantAnnotation = (context: SetContext, key: string, value: string): Part =>
  wantKey(context, "annotation", key, value, own(context.set.pod.annotations, key), "annotation");

const own = (map: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

/** `WORKLOAD`, or for a name that is not drawn yet its prefix with the id that stands in the decision. */
export function instanceName(workload: Workload, id: string | undefined): string {
  if (workload.key.name !== "") return workload.key.name;
  return `${(workload.generateName ?? "").replace(/-+$/, "")}${id === undefined ? "" : `-${id}`}`;
}

/** A name of at most `limit` characters that starts readably and is told apart by its hash. */
export function hashedName(readable: string, content: Json, limit = 63): string {
  const hash = digest(content, 10);
  const head = readable.slice(0, limit - hash.length - 1).replace(/[^A-Za-z0-9]+$/, "");
  return head === "" ? hash : `${head}-${hash}`;
}

/** The labels by which pods of this workload (and set) are known where no label of the kind's does it. */
export function instanceLabels(context: SetContext, bySet: boolean): Readonly<Record<string, string>> {
  const { workload, entry } = context;
  const name = instanceName(workload, entry.id);
  const { apiVersion, kind } = workload.key;
  return {
    [INSTANCE_LABEL]: hashedName(name, [apiVersion, kind, name, entry.id ?? ""]),
    ...(bySet ? setLabels(context) : {}),
  };
}

/** Tells the pod sets of a workload apart; empty where there is one only. */
export function setLabels({ workload, set }: SetContext): Readonly<Record<string, string>> {
  if (workload.podSets.length < 2) return {};
  const plain = /^[A-Za-z0-9]([A-Za-z0-9._-]{0,61}[A-Za-z0-9])?$/.test(set.name);
  return {
    [SET_LABEL]: plain ? set.name : hashedName(set.name.replace(/[^A-Za-z0-9]+/g, "-").replace(/^-+/, ""), set.name),
  };
}

export function wantLabels(context: SetContext, labels: Readonly<Record<string, string>>): Part {
  return join(...Object.entries(labels).map(([key, value]) => wantLabel(context, key, value)));
}
