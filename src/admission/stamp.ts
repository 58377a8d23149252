import {
  APPLIED_ANNOTATION,
  allows,
  CLASS_ANNOTATION,
  DECISION_ANNOTATION,
  type Decision,
  type Demand,
  type Diagnostic,
  INTENT_ANNOTATION,
  intersect,
  type JsonObject,
  jsonEqual,
  type Path,
  type PodSetDemand,
  podSelection,
  type Requirement,
  type Requirements,
  rungText,
  type SetDecision,
  type Step,
  toPointer,
  toText,
} from "../model/index.ts";
import { type Expansion, patchBetween } from "../translate/index.ts";
import { readWorkload } from "../workloads/index.ts";
import type { AdmissionCode } from "./codes.ts";
import { changeOf, entryOf, isSame, sameEntry } from "./compare.ts";
import type { AdmissionContext } from "./context.ts";
import { isPartlyFrozen } from "./decide.ts";
import { expansionOf } from "./expansion.ts";
import { allowedStep } from "./rungs.ts";
import { isFrozen, type Subject } from "./subject.ts";

/** What the stamp of a final object is worth: findings where it is missing, forged, or its edits are not in place. */
export interface StampCheck {
  readonly findings: readonly Diagnostic[];
  readonly expansion: Expansion;
}

/**
 * A stamp is a claim that is checked, never a proof: the class must allow the recorded rung, and expanding the base by
 * it once more must change nothing. On an update, what stands as the old object had it is accepted as it is.
 */
export function checkStamp(
  subject: Subject,
  old: Subject | undefined,
  demand: Demand,
  context: AdmissionContext,
): StampCheck {
  const findings: Diagnostic[] = [];
  const standing = new Set<string>();
  const skewed: { readonly name: string; readonly entry: SetDecision }[] = [];
  const decision: Record<string, SetDecision> = Object.create(null);
  for (const set of subject.base.podSets) {
    const intent = subject.intents.get(set.name);
    if (intent === undefined) continue;
    const entry = entryOf(subject.decision, set.name);
    const before = entryOf(old?.decision, set.name);
    const about = { podSet: set.name, path: ["metadata", "annotations", DECISION_ANNOTATION] };
    if (entry !== undefined) decision[set.name] = entry;
    const isAsBefore = sameEntry(entry, before);
    const frozen = old !== undefined && (isFrozen(set, old.base) || old.base.queue !== undefined);
    const otherClass = entry?.className !== intent.className;
    const otherIntent =
      entry !== undefined && entry.intentDigest !== intent.intentDigest && intentText(subject) !== intentText(old);
    if (old !== undefined && (otherClass || otherIntent) && (frozen || (isAsBefore && isPartlyFrozen(set, old.base)))) {
      findings.push({ ...immutable(subject, old, intent.className, before?.className), podSet: set.name });
      if (entry !== undefined) standing.add(set.name);
      continue;
    }
    if (entry === undefined || otherClass) {
      findings.push({ ...notExpanded(`class ${intent.className} has not been expanded here`), ...about });
      continue;
    }
    const unchanged = old !== undefined && isSame(changeOf(set, intent, subject.base, old.base, before));
    if (isAsBefore && (frozen || unchanged || intent.contract.admission.mode === "audit")) {
      standing.add(set.name);
      continue;
    }
    if (entry.audit === true && intent.contract.admission.mode !== "audit") {
      findings.push({
        ...notExpanded(`the decision says audit, and class ${intent.className} says ${intent.contract.admission.mode}`),
        ...about,
      });
    }
    const setDemand = demand.podSets.find((one) => one.name === set.name);
    const step = allowedStep(setDemand, entry.rung);
    if (entry.rung !== "none" && step === undefined) {
      const code: AdmissionCode = "RungNotAllowed";
      const rungs = (setDemand?.ladder.steps ?? [])
        .filter((one) => one.skipped === undefined)
        .map((one) => rungText(one.rung));
      findings.push({
        code,
        severity: "error",
        message: `the recorded decision takes ${rungText(entry.rung)}, which class ${intent.className} does not allow`,
        hint: `allowed are ${rungs.slice(0, 8).join(", ") || "none"}; remove the annotation ${DECISION_ANNOTATION} and apply again`,
        ...about,
      });
    } else if (entry.classDigest !== intent.classDigest || entry.intentDigest !== intent.intentDigest)
      skewed.push({ name: set.name, entry });
  }
  const expansion = expansionOf(subject, { decision, standing }, context, old);
  if (expansion.tooLarge) return { findings: [], expansion };
  const missing = [...subject.intents.keys()].filter((name) => entryOf(subject.decision, name) === undefined);
  if (missing.length > 1 && missing.length === subject.intents.size) {
    // One fault and not one for each pod set: nothing was expanded at all.
    const others = findings.filter(({ podSet }) => podSet === undefined || !missing.includes(podSet));
    const classes = [...new Set([...subject.intents.values()].map(({ className }) => className))].join(", ");
    const path = ["metadata", "annotations", DECISION_ANNOTATION];
    return {
      findings: [...others, { ...notExpanded(`class ${classes} has not been expanded here`), path }],
      expansion,
    };
  }
  const skewedNames = new Set(skewed.map(({ name }) => name));
  findings.push(...missingEdits(subject, expansion, decision, skewedNames));
  for (const { name, entry } of skewed) findings.push(...skewFindings(subject, demand, name, entry, context));
  return { findings, expansion };
}

/** Edits that expanding again would still make. */
function missingEdits(
  subject: Subject,
  expansion: Expansion,
  decision: Decision,
  skewed: ReadonlySet<string>,
): readonly Diagnostic[] {
  const stamps = [DECISION_ANNOTATION, APPLIED_ANNOTATION].map((key) => toPointer(["metadata", "annotations", key]));
  const places = patchBetween(subject.object, expansion.object)
    .map(({ path }) => path)
    .filter((path) => !stamps.includes(path) && path !== "/metadata/annotations");
  const bySet = new Map<string | undefined, string[]>();
  for (const place of places) {
    const set = subject.base.podSets
      .filter((one) => place.startsWith(`${toPointer(one.path)}/`))
      .sort((a, b) => b.path.length - a.path.length)[0];
    if (set !== undefined && (skewed.has(set.name) || !Object.hasOwn(decision, set.name))) continue;
    const list = bySet.get(set?.name) ?? [];
    list.push(place);
    bySet.set(set?.name, list);
  }
  return [...bySet].map(([podSet, list]) => ({
    ...notExpanded(
      `${list.slice(0, 3).map(placeText).join(", ")}${list.length > 3 ? ` and ${list.length - 3} more places` : ""} ${list.length === 1 ? "is" : "are"} not as the recorded decision has ${list.length === 1 ? "it" : "them"}`,
    ),
    path: pathFrom(list[0] ?? ""),
    ...(podSet === undefined ? {} : { podSet }),
  }));
}

/**
 * Another replica decided by another revision of the class, so edits may differ in detail. What the rung means must
 * hold all the same: the pods select no node that this replica's class would not select.
 */
function skewFindings(
  subject: Subject,
  demand: Demand,
  name: string,
  entry: SetDecision,
  context: AdmissionContext,
): readonly Diagnostic[] {
  const final = readWorkload(subject.object, context.catalogue.kinds, {
    namespace: subject.base.key.namespace,
  })?.podSets.find((one) => one.name === name);
  const set = demand.podSets.find((one) => one.name === name);
  const step = allowedStep(set, entry.rung);
  const code: AdmissionCode = "CatalogueSkew";
  const skew: Diagnostic = {
    code,
    severity: "info",
    message: `class ${entry.className} was read in another revision when this was decided`,
    podSet: name,
  };
  const isMaker = subject.base.kind.life === "templateOnly";
  if (
    isMaker ||
    final === undefined ||
    step === undefined ||
    selects(final.pod.spec, step, set, subject.base.kind.life === "runOnce")
  )
    return [skew];
  return [
    skew,
    {
      ...notExpanded(`the pods do not select the capacity of ${rungText(step.rung)}`),
      podSet: name,
      path: final.specPath,
    },
  ];
}

/**
 * Does every alternative of the pod's node selection stay within what the class selects: on the rung's own capacity type
 * for work that ends, on any that the class allows with that accelerator for what outlives nodes.
 */
function selects(spec: JsonObject, step: Step, set: PodSetDemand | undefined, runOnce: boolean): boolean {
  const { selection } = podSelection(spec);
  const peers = runOnce
    ? [step]
    : (set?.ladder.steps ?? []).filter(
        ({ skipped, rung }) => skipped === undefined && rung.accelerator === step.rung.accelerator,
      );
  return selection.every((term: Requirements) =>
    step.selection.every(({ key }) => {
      const present = term.get(key);
      const wanted = peers.map((peer) => peer.selection.find((one) => one.key === key));
      if (wanted.includes(undefined)) return true;
      return (
        present !== undefined &&
        isWithin(
          present,
          wanted.filter((one) => one !== undefined),
        )
      );
    }),
  );
}

/** Is every value that the requirement allows a value that one of the others allows. */
function isWithin(present: Requirement, others: readonly Requirement[]): boolean {
  if (others.some((one) => jsonEqual(shape(intersect(present, one)), shape(present)))) return true;
  return (
    !present.complement && !present.absent && present.values.every((value) => others.some((one) => allows(one, value)))
  );
}

const shape = ({ absent, complement, values, above, below }: Requirement): JsonObject => ({
  absent,
  complement,
  values,
  above,
  below,
});

function notExpanded(message: string): Diagnostic {
  const code: AdmissionCode = "NotExpanded";
  return {
    code,
    severity: "error",
    message,
    hint: "apply the manifest again once the mutating webhook answers; leave what it writes in place",
  };
}

function immutable(subject: Subject, old: Subject, className: string, before: string | undefined): Diagnostic {
  const code: AdmissionCode = "ClassImmutable";
  const { kind } = subject.base.kind;
  const why =
    old.base.queue === undefined
      ? `the pods of this ${kind} cannot change any more`
      : `its queue ${old.base.queue} has taken it`;
  return {
    code,
    severity: "error",
    message:
      before === undefined
        ? `class ${className} cannot be given to it, since ${why}`
        : before === className
          ? `its intent cannot change, since ${why}`
          : `the class cannot change from ${before} to ${className}, since ${why}`,
    hint: `delete and create the ${kind} again`,
    path: ["metadata", "annotations", CLASS_ANNOTATION],
  };
}

const intentText = (subject: Subject | undefined): string | undefined => subject?.base.annotations[INTENT_ANNOTATION];

/** The text form of a JSON pointer. */
function placeText(pointer: string): string {
  return toText(pathFrom(pointer));
}

function pathFrom(pointer: string): Path {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
    .map((step) => (/^(0|[1-9]\d{0,8})$/.test(step) ? Number(step) : step));
}
