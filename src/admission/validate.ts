import {
  type Answer,
  CLASS_ANNOTATION,
  DECISION_ANNOTATION,
  type Demand,
  type Diagnostic,
  INTENT_ANNOTATION,
  type Mode,
  RENEW_ANNOTATION,
  type Rung,
  rungText,
  stringAt,
} from "../model/index.ts";
import { demandDigest } from "../policy/index.ts";
import { answered, auditOf, type Result, skipped } from "./answer.ts";
import { ask } from "./ask.ts";
import { CAPACITY_CODES, noCluster, notSaidBy } from "./capacity.ts";
import { enrolment } from "./classify.ts";
import type { AdmissionCode } from "./codes.ts";
import { changeOf, entryOf, isSame, untouched } from "./compare.ts";
import type { AdmissionContext, Outcome } from "./context.ts";
import { decideNew, decideUpdate, demandIf, demandOf, seenInPart } from "./decide.ts";
import { expansionOf } from "./expansion.ts";
import { answerFindings, renewHint, ruleFindings } from "./findings.ts";
import { holdFor } from "./hold.ts";
import { denialLine, warningText } from "./messages.ts";
import { softened, strictest, weigh } from "./modes.ts";
import { templatesOf } from "./needs.ts";
import { allowed, denied, errored } from "./review.ts";
import { subjectOf, unknownOwner } from "./roots.ts";
import { sameRung } from "./rungs.ts";
import { checkStamp, type StampCheck } from "./stamp.ts";
import { oldSubjectFrom, type Subject, subjectFrom } from "./subject.ts";
import type { AdmissionRequest } from "./types.ts";

/** The validating webhook: sees the final object with uid and name, and is the only one that refuses. `review` is any JSON. */
export function validate(review: unknown, context: AdmissionContext): Outcome {
  return answered("validate", review, context, check, onFault);
}

function check(request: AdmissionRequest, context: AdmissionContext): Result {
  const found = subjectOf(request, context);
  if (!found.judged) return skipped(request, found.why);
  if (found.old !== undefined && untouched(found.object, found.old))
    return skipped(request, "nothing that is judged has changed");
  const namespace = found.workload.key.namespace;
  const old = found.old === undefined ? undefined : oldSubjectFrom(found.old, namespace, context);
  const subject = subjectFrom(found.object, namespace, context, old);
  if (subject === undefined) return skipped(request, "kind not in the table");
  const unclassed = enrolment(
    subject.base,
    subject.intents,
    context,
    old === undefined ? undefined : { workload: old.base, intents: old.intents },
  );
  if (subject.intents.size === 0)
    return respond(request, context, subject, old, { findings: [...subject.invalid, ...unclassed] });

  const demand = demandOf(subject, context);
  const isMaker = subject.base.kind.life === "templateOnly";
  const stamp = subject.stamped ? checkStamp(subject, old, demand, context) : unstamped(subject, old, demand, context);
  const answer = verdictNow(subject, old, demand, context);
  const asksMore = old === undefined || asksForMore(subject, old, demand, context);
  const capacity = answerFindings(subject, answer, demand, context).map((one) => (asksMore ? one : softened(one)));
  const findings = [
    ...subject.invalid,
    ...unclassed,
    ...stamp.findings,
    ...notSaidBy(answer, stamp.expansion.diagnostics).filter(
      (one) => !stamp.findings.some(({ code, podSet }) => code === one.code && podSet === one.podSet),
    ),
    ...ruleFindings(subject, context),
    ...capacity.map((one) => withOtherRung(one, subject, demand, answer, context)),
    ...(isMaker ? [] : chosenFindings(subject, old, answer)),
  ];
  const hold =
    asksMore && !seenInPart(subject, context)
      ? holdFor({
          workload: subject.base,
          key: subject.base.key,
          demand,
          intents: subject.intents,
          answer,
          nowMs: context.nowMs,
          owner: unknownOwner(subject.base, context.catalogue.kinds),
        })
      : undefined;
  return respond(request, context, subject, old, {
    findings,
    answer,
    expansion: stamp.expansion,
    ...(hold === undefined ? {} : { hold }),
  });
}

/** Why there is no stamp: it would not fit into the annotations, or nobody made one. */
function unstamped(subject: Subject, old: Subject | undefined, demand: Demand, context: AdmissionContext): StampCheck {
  const check = checkStamp(subject, old, demand, context);
  if (!check.findings.some(({ code }) => code === "NotExpanded")) return check;
  const plan =
    old === undefined ? decideNew(subject, context, undefined, false) : decideUpdate(subject, old, context, undefined);
  const expansion = expansionOf(subject, plan, context, old);
  return expansion.tooLarge ? { findings: [], expansion } : check;
}

const HOW_TO_RENEW: AdmissionCode = "NothingChosen";

/** kubectl puts the text behind a long line of its own, where the first of several reasons would be overlooked. */
function refusal(lines: readonly string[]): string {
  return lines.length === 1 ? lines.join("") : [`${lines.length} reasons:`, ...lines].join("\n");
}

type Judged = Pick<Result, "answer" | "expansion" | "hold"> & { readonly findings: readonly Diagnostic[] };

function respond(
  request: AdmissionRequest,
  context: AdmissionContext,
  subject: Subject,
  old: Subject | undefined,
  judged: Judged,
): Result {
  const { intents, decision } = subject;
  const findings = old === undefined ? judged.findings : ratchet(judged.findings, subject, old, context);
  const { denials, warnings } = weigh(findings, intents);
  const audit = {
    auditAnnotations:
      intents.size === 0 && findings.length === 0 ? {} : auditOf(context, intents, decision, judged.answer, findings),
  };
  // What is not made cannot be asked to be decided again.
  const said = denials.length > 0 ? warnings.filter((one) => one.code !== HOW_TO_RENEW) : warnings;
  const texts = said.map((one) => warningText(named(one, subject)));
  const { hold, ...shown } = judged;
  const result = { ...shown, findings, intents, decision };
  if (denials.length > 0) {
    const code = denials.every((one) => subject.invalid.includes(one)) ? 422 : 403;
    return {
      ...result,
      review: denied(request.uid, code, refusal(denials.map((one) => denialLine(named(one, subject)))), {
        warnings: texts,
        ...audit,
      }),
    };
  }
  const review = allowed(request.uid, { warnings: texts, ...audit });
  if (request.dryRun === true) return { ...result, review };
  const templates = judged.expansion === undefined ? [] : templatesOf(subject, judged.expansion, context.catalogue);
  return {
    ...result,
    review,
    ...(hold === undefined ? {} : { hold }),
    ...(templates.length === 0 ? {} : { templates }),
  };
}

/** An update is refused only for what it made worse: findings that the old object has already, and any where it only shrinks or a queue starts or stops it, warn. */
function ratchet(
  findings: readonly Diagnostic[],
  subject: Subject,
  old: Subject,
  context: AdmissionContext,
): readonly Diagnostic[] {
  if (findings.every(({ severity }) => severity !== "error")) return findings;
  const queued = (subject.base.queue ?? old.base.queue) !== undefined;
  if (queued && subject.base.suspended !== old.base.suspended) return findings.map(softened);
  const shrinks = onlyShrinks(subject, old);
  const before =
    old.intents.size === 0
      ? []
      : [...checkStamp(old, old, demandOf(old, context), context).findings, ...ruleFindings(old, context)];
  const known = new Set([...old.invalid, ...before].map(identity));
  return findings.map((one) =>
    known.has(identity(one)) || (shrinks && !STAMP_CODES.has(one.code)) ? softened(one) : one,
  );
}

/** A pod set is named only where there are several. */
function named(finding: Diagnostic, subject: Subject): Diagnostic {
  if (subject.base.podSets.length > 1) return finding;
  const { podSet: _podSet, ...rest } = finding;
  return rest;
}

/** Fewer pods are no reason to let edits be stripped. */
const STAMP_CODES: ReadonlySet<string> = new Set<AdmissionCode>(["NotExpanded", "RungNotAllowed"]);

const identity = ({ code, podSet, path }: Diagnostic): string => JSON.stringify([code, podSet, path]);

/** Does the request ask the cluster for more than the old object did, or for something else. Other pods with the same demand (an image) do not. */
function asksForMore(subject: Subject, old: Subject, demand: Demand, context: AdmissionContext): boolean {
  if (old.base.suspended && !subject.base.suspended) return true;
  const before = demandOf(old, context);
  const intentChanged = subject.base.annotations[INTENT_ANNOTATION] !== old.base.annotations[INTENT_ANNOTATION];
  return demand.podSets.some((set) => {
    const was = before.podSets.find((one) => one.name === set.name);
    if (was === undefined || set.count > was.count || intentChanged) return true;
    return (
      demandDigest(set) !== demandDigest(was) ||
      subject.intents.get(set.name)?.className !== old.intents.get(set.name)?.className
    );
  });
}

/** Fewer pods and nothing else. */
function onlyShrinks(subject: Subject, old: Subject): boolean {
  let shrinks = false;
  for (const set of subject.base.podSets) {
    const entry = entryOf(old.decision, set.name) ?? { className: old.intents.get(set.name)?.className };
    const change = changeOf(set, subject.intents.get(set.name), subject.base, old.base, entry);
    if (change === undefined || !isSame(change) || change.count > change.countBefore) return false;
    shrinks ||= change.count < change.countBefore;
  }
  return shrinks;
}

/** The verdict at this moment on the rungs that the stamp records, so that a race between two creates is settled here. */
function verdictNow(subject: Subject, old: Subject | undefined, demand: Demand, context: AdmissionContext): Answer {
  if (demand.podSets.length === 0 || seenInPart(subject, context)) return noCluster();
  const fixed: Record<string, Rung> = Object.create(null);
  let chosenNow = old === undefined;
  for (const set of demand.podSets) {
    const rung = entryOf(subject.decision, set.name)?.rung;
    if (rung !== undefined && rung !== "none") fixed[set.name] = rung;
    if (old !== undefined && !sameRung(rung, entryOf(old.decision, set.name)?.rung)) chosenNow = true;
  }
  return ask(demand, context, {
    suggestions: true,
    intents: subject.intents,
    demandIf: demandIf(subject, context),
    fixed,
    chosenNow,
  });
}

/** A recorded rung that does not hold: is there another one that would. */
function withOtherRung(
  finding: Diagnostic,
  subject: Subject,
  demand: Demand,
  answer: Answer,
  context: AdmissionContext,
): Diagnostic {
  if (answer.verdict !== "busy" && answer.verdict !== "never") return finding;
  if (subject.base.kind.life === "templateOnly" || finding.code !== CAPACITY_CODES[answer.verdict]) return finding;
  const free = ask(demand, context, { suggestions: false });
  if (free.verdict !== "fits" && free.verdict !== "scaleUp") return finding;
  const other = [...new Set(Object.values(free.rungs).map(rungText))].join(", ");
  return { ...finding, hint: `${other} would hold it: give ${RENEW_ANNOTATION} another value to decide again` };
}

/** A stamp that chose nothing although something holds the workload now, and what to do where nothing does. */
function chosenFindings(subject: Subject, old: Subject | undefined, answer: Answer): readonly Diagnostic[] {
  const open = [...subject.intents.keys()].filter((name) => entryOf(subject.decision, name)?.rung === "none");
  if (open.length === 0) return [];
  if (answer.verdict !== "fits" && answer.verdict !== "scaleUp") return [renewHint(subject)];
  const code: AdmissionCode = "NotExpanded";
  return open.map((podSet) => ({
    code,
    severity: old === undefined ? "error" : "warning",
    message: `nothing was chosen when it was decided, and ${rungsOf(answer)} holds it now`,
    hint: old === undefined ? "create it again" : `give ${RENEW_ANNOTATION} another value to decide again`,
    podSet,
    path: ["metadata", "annotations", DECISION_ANNOTATION],
  }));
}

const rungsOf = (answer: Answer): string => [...new Set(Object.values(answer.rungs).map(rungText))].join(", ");

/** Under enforce what could not be judged is not let in; elsewhere it is, and says so. */
function onFault(request: AdmissionRequest, context: AdmissionContext): Result {
  const message = "Plimsoll failed to judge this request; its log has the details";
  if (modeOnFault(request, context) === "enforce") return { review: errored(request.uid, 500, message) };
  const code: AdmissionCode = "InternalFault";
  return { review: allowed(request.uid, { warnings: [warningText({ code, severity: "warning", message })] }) };
}

/** The strictest mode that could apply; where even the classes cannot be read, the annotation's class alone. */
function modeOnFault(request: AdmissionRequest, context: AdmissionContext): Mode | undefined {
  try {
    const found = subjectOf(request, context);
    if (!found.judged) return undefined;
    const subject = subjectFrom(found.object, found.workload.key.namespace, context, undefined);
    if (subject !== undefined && subject.invalid.length === 0) return strictest(subject.intents.values());
  } catch {
    // Read less.
  }
  const name = stringAt(request.object ?? undefined, ["metadata", "annotations", CLASS_ANNOTATION]);
  if (name === undefined) return undefined;
  return context.catalogue.classes.get(name)?.contract.admission.mode ?? "enforce";
}
