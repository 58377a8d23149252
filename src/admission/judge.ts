import type { Answer, Decision, Demand, Diagnostic, Intent, JsonObject } from "../model/index.ts";
import type { Expansion } from "../translate/index.ts";
import { readWorkload, type Workload } from "../workloads/index.ts";
import { notSaidBy } from "./capacity.ts";
import { enrolment } from "./classify.ts";
import type { AdmissionContext } from "./context.ts";
import { decideNew } from "./decide.ts";
import { expansionOf } from "./expansion.ts";
import { answerFindings, ruleFindings } from "./findings.ts";
import { weigh } from "./modes.ts";
import { notRoot } from "./roots.ts";
import { subjectFrom } from "./subject.ts";

export interface JudgeOptions {
  /** Of objects that name none. */
  readonly namespace?: string;
  /** Search for changes under which it would fit; default true. */
  readonly suggestions?: boolean;
}

/** What creating the object would come to, for people and pipelines: the same pipeline as both webhooks, without a review. */
export type Judgement =
  | { readonly judged: false; readonly why: string; readonly findings: readonly Diagnostic[]; readonly refused: false }
  | {
      readonly judged: true;
      /** Recorded edits undone. */
      readonly workload: Workload;
      readonly intents: ReadonlyMap<string, Intent>;
      /** As the classes weigh them; in the order in which they were found. */
      readonly findings: readonly Diagnostic[];
      /** Those of the findings that would refuse it, and those that would warn, by the modes of the classes. */
      readonly denials: readonly Diagnostic[];
      readonly warnings: readonly Diagnostic[];
      /** Would the API server's client see an error. */
      readonly refused: boolean;
      /** The rest is there where a pod set has a class. */
      readonly demand?: Demand;
      readonly answer?: Answer;
      readonly decision?: Decision;
      readonly expansion?: Expansion;
    };

/** Judges one object as if it were created now. Objects that no webhook would judge come back with the reason. */
export function judge(object: JsonObject, context: AdmissionContext, options: JudgeOptions = {}): Judgement {
  const namespace = options.namespace ?? "default";
  const skip = (why: string): Judgement => ({ judged: false, why, findings: [], refused: false });
  const sent = readWorkload(object, context.catalogue.kinds, { namespace });
  if (sent === undefined) return skip("kind not in the table");
  const reason = notRoot(sent);
  if (reason !== undefined) return skip(reason);
  const subject = subjectFrom(object, sent.key.namespace, context, undefined);
  if (subject === undefined) return skip("kind not in the table");
  const { base: workload, intents } = subject;
  const written = [...subject.invalid, ...enrolment(workload, intents, context, undefined)];
  if (intents.size === 0) {
    if (written.length === 0) return skip("no class");
    const { denials, warnings } = weigh(written, intents);
    return { judged: true, workload, intents, findings: written, denials, warnings, refused: denials.length > 0 };
  }
  const plan = decideNew(
    subject,
    context,
    workload.key.name === "" ? "preview" : undefined,
    options.suggestions ?? true,
  );
  const expansion = expansionOf(subject, plan, context, undefined);
  const findings = [
    ...written,
    ...notSaidBy(plan.answer, expansion.diagnostics),
    ...ruleFindings(subject, context),
    ...answerFindings(subject, plan.answer, plan.demand, context),
  ];
  const { denials, warnings } = weigh(findings, intents);
  return {
    judged: true,
    workload,
    intents,
    findings,
    denials,
    warnings,
    refused: denials.length > 0,
    demand: plan.demand,
    decision: plan.decision,
    answer: plan.answer,
    expansion,
  };
}
