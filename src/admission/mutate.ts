import { digestText, type SetDecision } from "../model/index.ts";
import { type Expansion, patchBetween } from "../translate/index.ts";
import { answered, type Result, skipped } from "./answer.ts";
import { entryOf, untouched } from "./compare.ts";
import type { AdmissionContext, Outcome } from "./context.ts";
import { decideNew, decideUpdate, demandOf, entriesWithoutRung, type Plan } from "./decide.ts";
import { expansionOf } from "./expansion.ts";
import { warningText } from "./messages.ts";
import { allowed, patched } from "./review.ts";
import { subjectOf } from "./roots.ts";
import { oldSubjectFrom, type Subject, subjectFrom } from "./subject.ts";
import type { AdmissionRequest } from "./types.ts";

/**
 * The mutating webhook: decides what the workload gets and writes it into its templates. It never refuses: what is
 * wrong is said by `validate`, which sees the final object. `review` is any JSON.
 */
export function mutate(review: unknown, context: AdmissionContext): Outcome {
  return answered("mutate", review, context, decide, fallBack);
}

function decide(request: AdmissionRequest, context: AdmissionContext): Result {
  const found = subjectOf(request, context);
  if (!found.judged) return skipped(request, found.why);
  const { object } = found;
  const namespace = found.workload.key.namespace;
  if (found.old === undefined) {
    const subject = subjectFrom(object, namespace, context, undefined);
    if (subject === undefined) return skipped(request, "kind not in the table");
    if (subject.intents.size === 0) return unclassed(request, subject, context);
    return expanded(
      request,
      context,
      subject,
      decideNew(subject, context, drawnId(request, subject), false),
      undefined,
    );
  }
  if (untouched(object, found.old)) return skipped(request, "nothing that is judged has changed");
  const old = oldSubjectFrom(found.old, namespace, context);
  const subject = old === undefined ? undefined : subjectFrom(object, namespace, context, old);
  if (old === undefined || subject === undefined) return skipped(request, "kind not in the table");
  if (subject.intents.size === 0 && !old.stamped) return unclassed(request, subject, context);
  return expanded(request, context, subject, decideUpdate(subject, old, context, drawnId(request, subject)), old);
}

/** A stamp that came along with an object that has no class serves to undo, and goes. */
function unclassed(request: AdmissionRequest, subject: Subject, context: AdmissionContext): Result {
  const result = subject.stamped ? subject.base.object : subject.object;
  return {
    review: patched(request.uid, patchBetween(subject.object, result), context),
    skipped: "no class",
    findings: subject.invalid,
  };
}

function expanded(
  request: AdmissionRequest,
  context: AdmissionContext,
  subject: Subject,
  plan: Plan,
  old: Subject | undefined,
): Result {
  let kept = plan;
  let expansion = expansionOf(subject, plan, context, old);
  if (old !== undefined) {
    const fixed = immutableSets(expansion, plan, old);
    if (fixed.length > 0) {
      kept = standingAsBefore(plan, old, fixed);
      expansion = expansionOf(subject, kept, context, old);
    }
  }
  const patch = expansion.tooLarge ? [] : patchBetween(subject.object, expansion.object);
  return {
    review: patched(request.uid, patch, context),
    intents: subject.intents,
    decision: kept.decision,
    expansion,
    findings: [...subject.invalid, ...expansion.diagnostics],
    ...(plan.answer === undefined ? {} : { answer: plan.answer }),
  };
}

/** Sets whose new edits would need a field that cannot change any more: they keep what the old object says, and `validate` answers. */
function immutableSets(expansion: Expansion, plan: Plan, old: Subject): readonly string[] {
  return expansion.diagnostics.flatMap(({ code, podSet }) =>
    code === "ImmutableTemplate" &&
    podSet !== undefined &&
    !plan.standing.has(podSet) &&
    entryOf(old.decision, podSet) !== undefined
      ? [podSet]
      : [],
  );
}

function standingAsBefore(plan: Plan, old: Subject, names: readonly string[]): Plan {
  const before = Object.fromEntries(Object.entries(old.decision).filter(([name]) => names.includes(name)));
  return { ...plan, decision: { ...plan.decision, ...before }, standing: new Set([...plan.standing, ...names]) };
}

/** A fault of ours must not stop a workload here: it is stamped as undecided with no rung, and `validate` answers by mode. */
function fallBack(request: AdmissionRequest, context: AdmissionContext): Result {
  const warnings = [
    warningText({
      code: "InternalFault",
      severity: "warning",
      message: "Plimsoll failed to expand this workload; its log has the details",
    }),
  ];
  try {
    const found = subjectOf(request, context);
    const subject =
      found.judged && found.old === undefined
        ? subjectFrom(found.object, found.workload.key.namespace, context, undefined)
        : undefined;
    if (subject === undefined || subject.intents.size === 0) return { review: allowed(request.uid, { warnings }) };
    const decision: Readonly<Record<string, SetDecision>> = entriesWithoutRung(subject, demandOf(subject, context));
    const { object } = expansionOf(subject, { decision, standing: new Set() }, context, undefined);
    return {
      review: patched(request.uid, patchBetween(subject.object, object), context, { warnings }),
      intents: subject.intents,
      decision,
    };
  } catch {
    return { review: allowed(request.uid, { warnings }) };
  }
}

/**
 * Companions of a workload whose name is not drawn yet need a name of their own. It comes from the review's uid, so that
 * three creates of one manifest get three, and the same review gets the same.
 */
function drawnId(request: AdmissionRequest, subject: Subject): string | undefined {
  return subject.base.key.name === "" ? digestText(request.uid, 10) : undefined;
}
