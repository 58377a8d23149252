import type { Decision, Diagnostic, Intent, JsonObject } from "../model/index.ts";
import { type AppliedRecords, undo } from "../translate/index.ts";
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
  readonly records: AppliedRecords;
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
    stamped: undone.decision !== undefined,
    records: undone.records,
    intents,
    invalid: diagnostics,
  };
}
