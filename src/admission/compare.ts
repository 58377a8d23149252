import {
  APPLIED_ANNOTATION,
  CLASS_ANNOTATION,
  DECISION_ANNOTATION,
  type Decision,
  INTENT_ANNOTATION,
  type Intent,
  type Json,
  type JsonObject,
  jsonEqual,
  KUEUE_QUEUE_LABEL,
  RENEW_ANNOTATION,
  rungText,
  type SetDecision,
  valueAt,
} from "../model/index.ts";
import { deadlineMs } from "../policy/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";

/** What an update changed about one pod set, base against base. Counts are no change. */
export interface SetChange {
  /** What the user wrote for the pods, and how long they may run. */
  readonly base: boolean;
  readonly className: boolean;
  readonly intent: boolean;
  readonly count: number;
  readonly countBefore: number;
}

/** The set's entry in a decision; names are the user's, so own properties only. */
export function entryOf(decision: Decision | undefined, name: string): SetDecision | undefined {
  return decision !== undefined && Object.hasOwn(decision, name) ? decision[name] : undefined;
}

/** Do both entries say the same, whatever the order of their keys. */
export function sameEntry(a: SetDecision | undefined, b: SetDecision | undefined): boolean {
  return a !== undefined && b !== undefined && jsonEqual(plain(a), plain(b));
}

/** undefined: the old object has no such pod set. */
export function changeOf(
  set: PodSet,
  intent: Intent | undefined,
  base: Workload,
  old: Workload,
  entry: { readonly className: string | undefined } | undefined,
): SetChange | undefined {
  const before = old.podSets.find((one) => one.name === set.name);
  if (before === undefined) return undefined;
  return {
    base: !samePods(set, before) || deadlineMs(base, set) !== deadlineMs(old, before),
    className: entry?.className !== intent?.className,
    intent: base.annotations[INTENT_ANNOTATION] !== old.annotations[INTENT_ANNOTATION],
    count: set.count,
    countBefore: before.count,
  };
}

export function isSame(change: SetChange | undefined): boolean {
  return change !== undefined && !change.base && !change.className && !change.intent;
}

/** A new decision is asked for by a new value; taking the annotation away asks for nothing. */
export function renewed(object: Workload, old: Workload): boolean {
  const value = object.annotations[RENEW_ANNOTATION];
  return value !== undefined && value !== old.annotations[RENEW_ANNOTATION];
}

const OURS = [CLASS_ANNOTATION, INTENT_ANNOTATION, RENEW_ANNOTATION, DECISION_ANNOTATION, APPLIED_ANNOTATION];

/** Does the update leave all that we judge as it was: everything but metadata and status, our annotations, and the queue. */
export function untouched(object: JsonObject, old: JsonObject): boolean {
  const at = (json: JsonObject, parent: string, key: string): Json | undefined =>
    valueAt(json, ["metadata", parent, key]);
  if (OURS.some((key) => at(object, "annotations", key) !== at(old, "annotations", key))) return false;
  if (at(object, "labels", KUEUE_QUEUE_LABEL) !== at(old, "labels", KUEUE_QUEUE_LABEL)) return false;
  const keys = new Set([...Object.keys(object), ...Object.keys(old)]);
  for (const key of keys) {
    if (key === "metadata" || key === "status") continue;
    if (!jsonEqual(object[key], old[key])) return false;
  }
  return true;
}

function samePods(a: PodSet, b: PodSet): boolean {
  return (
    jsonEqual(a.pod.spec, b.pod.spec) &&
    jsonEqual(a.pod.labels, b.pod.labels) &&
    jsonEqual(a.pod.annotations, b.pod.annotations)
  );
}

const plain = ({ rung, steer, outer, ...rest }: SetDecision): JsonObject => ({
  ...rest,
  rung: rung === "none" ? rung : rungText(rung),
  steer: steer === undefined ? null : { ...steer },
  outer: outer === undefined ? null : { ...outer },
});
