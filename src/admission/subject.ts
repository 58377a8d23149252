import {
  APPLIED_ANNOTATION,
  DECISION_ANNOTATION,
  type Decision,
  type Diagnostic,
  type Intent,
  type JsonObject,
  valueAt,
} from "../model/index.ts";
import { type Undone, undo } from "../translate/index.ts";
import { readWorkload, type Workload } from "../workloads/index.ts";
import { classify } from "./classify.ts";
import type { AdmissionContext } from "./context.ts";

/** One version of a workload as its user wrote it: recorded edits undone, classes resolved. */
export interface Subject {
  /** As it was sent, edits and stamps included. */
  readonly object: JsonObject;
  readonly base: Workload;
  /** What its stamp says; nothing is taken from it on trust. */
  readonly decision: Decision;
  readonly stamped: boolean;
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
  isOld = false,
): Subject | undefined {
  const { kinds } = context.catalogue;
  const undone = undo(object, kinds);
  const base = readWorkload(undone.base, kinds, { namespace });
  if (base === undefined) return undefined;
  const decision = undone.decision ?? {};
  const before = isOld
    ? { workload: base, decision }
    : old === undefined
      ? undefined
      : { workload: old.base, decision: old.decision };
  const { intents, diagnostics } = classify(base, context, before);
  return {
    object,
    base,
    decision,
    stamped: [DECISION_ANNOTATION, APPLIED_ANNOTATION].some(
      (key) => valueAt(object, ["metadata", "annotations", key]) !== undefined,
    ),
    undone,
    intents,
    invalid: diagnostics,
  };
}
