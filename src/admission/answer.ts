import type { Answer, Decision, Diagnostic, Intent, Verdict } from "../model/index.ts";
import type { AdmissionContext, DecisionSummary, Outcome } from "./context.ts";
import { auditAnnotations } from "./messages.ts";
import { allowed, errored, parseReview } from "./review.ts";
import { rungsText } from "./rungs.ts";
import type { AdmissionRequest } from "./types.ts";

/** What a webhook's own part comes to; the rest of the outcome follows from the request. */
export interface Result extends Omit<Outcome, "summary" | "findings"> {
  readonly findings?: readonly Diagnostic[];
  readonly skipped?: string;
  readonly intents?: ReadonlyMap<string, Intent>;
  readonly decision?: Decision;
}

/**
 * Runs one webhook: reads the review, catches whatever the webhook throws and still answers with the request's uid,
 * and sums it up for the log.
 */
export function answered(
  webhook: "mutate" | "validate",
  json: unknown,
  context: AdmissionContext,
  judge: (request: AdmissionRequest, context: AdmissionContext) => Result,
  onFault: (request: AdmissionRequest, context: AdmissionContext) => Result,
): Outcome {
  const parsed = parseReview(json);
  if (!parsed.ok) {
    const review = errored(parsed.uid, 400, `Plimsoll: ${parsed.message}`);
    return { review, summary: summaryOf(webhook, undefined, { review }, undefined), findings: [] };
  }
  const { request } = parsed;
  let fault: string | undefined;
  let result: Result;
  try {
    result = judge(request, context);
  } catch (caught) {
    fault = caught instanceof Error ? (caught.stack ?? caught.message) : String(caught);
    result = onFault(request, context);
  }
  const { skipped: _skipped, intents: _intents, decision: _decision, findings = [], ...rest } = result;
  return { ...rest, findings, summary: summaryOf(webhook, request, result, fault) };
}

export function skipped(request: AdmissionRequest, why: string): Result {
  return { review: allowed(request.uid), skipped: why };
}

/** Audit annotations of a judged workload: only the validating webhook sends them, since the other may run twice. */
export function auditOf(
  context: AdmissionContext,
  intents: ReadonlyMap<string, Intent>,
  decision: Decision,
  answer: Answer | undefined,
  findings: readonly Diagnostic[],
): Readonly<Record<string, string>> {
  return auditAnnotations({
    class: classesOf(intents).join(","),
    decision: rungsOf(decision),
    "catalogue-revision": context.catalogue.revision,
    verdict: answer?.verdict ?? verdictOf(decision),
    findings: [...new Set(findings.map(({ code }) => code))].sort().join(","),
  });
}

function summaryOf(
  webhook: "mutate" | "validate",
  request: AdmissionRequest | undefined,
  result: Result,
  fault: string | undefined,
): DecisionSummary {
  const { response } = result.review;
  const metadata = request?.object?.["metadata"];
  const named =
    typeof metadata === "object" && metadata !== null && !Array.isArray(metadata)
      ? (metadata as { readonly name?: unknown }).name
      : undefined;
  const verdict = result.answer?.verdict ?? verdictOf(result.decision ?? {});
  const rung = rungsOf(result.decision ?? {});
  return {
    webhook,
    uid: response?.uid ?? "",
    kind: request?.kind.kind ?? "",
    namespace: request?.namespace ?? "",
    name: request?.name || (typeof named === "string" ? named : ""),
    operation: request?.operation ?? "",
    dryRun: request?.dryRun === true,
    allowed: response?.allowed === true,
    patched: response?.patch !== undefined,
    ...(result.skipped === undefined ? {} : { skipped: result.skipped }),
    classes: classesOf(result.intents ?? new Map()),
    ...(verdict === undefined ? {} : { verdict }),
    ...(rung === undefined ? {} : { rung }),
    findings: result.findings?.length ?? 0,
    steps: result.answer?.steps ?? 0,
    ...(fault === undefined ? {} : { fault }),
  };
}

function classesOf(intents: ReadonlyMap<string, Intent>): readonly string[] {
  return [...new Set([...intents.values()].map(({ className }) => className))].sort();
}

function rungsOf(decision: Decision): string | undefined {
  const entries = Object.entries(decision);
  return entries.length === 0 ? undefined : rungsText(new Map(entries.map(([name, entry]) => [name, entry.rung])));
}

/** Recorded when the sets were decided: one value where they agree. */
function verdictOf(decision: Decision): Verdict | undefined {
  const verdicts = new Set(Object.values(decision).map(({ verdict }) => verdict));
  return verdicts.size === 1 ? [...verdicts][0] : undefined;
}
