import {
  APPLIED_ANNOTATION,
  DECISION_ANNOTATION,
  type Decision,
  type Diagnostic,
  type Intent,
  type JsonObject,
  objectAt,
  valueAt,
} from "../model/index.ts";
import { type Undone, undo } from "../translate/index.ts";
import {
  editable,
  type KindTable,
  type PodField,
  type PodSet,
  readWorkload,
  type Workload,
} from "../workloads/index.ts";
import { classify } from "./classify.ts";
import type { AdmissionContext } from "./context.ts";

/** One version of a workload as its user wrote it: recorded edits undone, classes resolved. */
export interface Subject {
  /** As it was sent, edits and stamps included. */
  readonly object: JsonObject;
  readonly base: Workload;
  /** What its stamp says; nothing is taken from it on trust. */
  readonly decision: Decision;
  /** Carries either stamp, readable or not. */
  readonly stamped: boolean;
  /** Of no pod set can an update change what a rung decides. */
  readonly frozen: boolean;
  readonly undone: Undone;
  readonly intents: ReadonlyMap<string, Intent>;
  /** What is wrong with class and intent annotations. */
  readonly invalid: readonly Diagnostic[];
}

/** undefined: the kind is not in the table. `old` makes it an update: classes that stand are taken from there. */
export function subjectFrom(
  object: JsonObject,
  namespace: string,
  context: AdmissionContext,
  old: Subject | undefined,
): Subject | undefined {
  const { kinds } = context.catalogue;
  const stamped = [DECISION_ANNOTATION, APPLIED_ANNOTATION].some(
    (key) => valueAt(object, [...ANNOTATIONS, key]) !== undefined,
  );
  const undone = !stamped && old !== undefined && old.frozen ? undoneBy(object, old, kinds) : undo(object, kinds);
  const base = readWorkload(undone.base, kinds, { namespace });
  if (base === undefined) return undefined;
  const decision = undone.decision ?? {};
  const before = old === undefined ? undefined : { workload: old.base, decision: old.decision };
  const { intents, diagnostics } = classify(base, context, before);
  return { object, base, decision, stamped, frozen: isAllFrozen(base), undone, intents, invalid: diagnostics };
}

/** The object before an update, by itself: its classes are those that it names, and those that its decision records. */
export function oldSubjectFrom(object: JsonObject, namespace: string, context: AdmissionContext): Subject | undefined {
  const first = subjectFrom(object, namespace, context, undefined);
  if (first === undefined) return undefined;
  const { intents, diagnostics } = classify(first.base, context, { workload: first.base, decision: first.decision });
  return { ...first, intents, invalid: diagnostics };
}

/**
 * Where templates cannot change, the old object's edits are still in an object that lost its stamps (the class was taken
 * away, and we are invoked again): they are ours by the old object's record.
 */
function undoneBy(object: JsonObject, old: Subject, kinds: KindTable): Undone {
  const metadata = objectAt(object, ["metadata"]);
  const annotations = metadata["annotations"];
  const applied = valueAt(old.object, [...ANNOTATIONS, APPLIED_ANNOTATION]);
  if (applied === undefined) return undo(object, kinds);
  const recorded = { ...objectAt(metadata, ["annotations"]), [APPLIED_ANNOTATION]: applied };
  const undone = undo({ ...object, metadata: { ...metadata, annotations: recorded } }, kinds);
  const { annotations: _recorded, ...rest } = objectAt(undone.base, ["metadata"]);
  const restored = annotations === undefined ? rest : { ...rest, annotations };
  return { ...undone, base: { ...undone.base, metadata: restored } };
}

function isAllFrozen(workload: Workload): boolean {
  return workload.podSets.length > 0 && workload.podSets.every((set) => isFrozen(set, workload));
}

/** Can no field that a rung decides change any more (a running Job's template, a pod). */
export function isFrozen(set: PodSet, old: Workload): boolean {
  const fields: readonly PodField[] = ["nodeSelector", "tolerations", "affinity"];
  const before = old.podSets.find((one) => one.name === set.name);
  return before !== undefined && fields.every((field) => !editable(before, old, field));
}

const ANNOTATIONS = ["metadata", "annotations"] as const;
