import {
  type Answer,
  capital,
  type Demand,
  type Diagnostic,
  type Intent,
  intersect,
  isEmpty,
  type Mode,
  plural,
  type Reaction,
  type Reason,
  type ReasonCode,
  type Rung,
  type RungAnswer,
  requirementText,
  rungText,
  sentence,
  suggestionText,
  type Verdict,
} from "../model/index.ts";
import type { AdmissionCode } from "./codes.ts";
import { STRICTEST, strictest } from "./modes.ts";

export const CAPACITY_CODES: Readonly<Record<Exclude<Verdict, "fits">, AdmissionCode>> = {
  scaleUp: "CapacityScaleUp",
  busy: "CapacityBusy",
  never: "CapacityNever",
  unknown: "CapacityUnknown",
  undecided: "CapacityUndecided",
};

const REASONS_SHOWN = 4;
const HINTS_SHOWN = 3;

/** Where the class says nothing: only what can never run is refused. */
function reactionTo(verdict: Verdict, intent: Intent): Reaction {
  const { admission } = intent.contract;
  switch (verdict) {
    case "fits":
      return "admit";
    case "scaleUp":
      return admission.whenScaleUp;
    case "busy":
      return admission.whenBusy;
    case "never":
      return admission.whenNever;
    case "unknown":
      return admission.whenUnknown;
    case "undecided":
      return admission.whenUndecided;
  }
}

/** The verdict as findings, as severe as the strictest pod set that it is about makes it. */
export function capacityFindings(
  answer: Answer,
  intents: ReadonlyMap<string, Intent>,
  demand?: Demand,
): readonly Diagnostic[] {
  const shown = subjectOf(answer);
  const beside = [...checkFaults(answer), ...choices(answer), ...(shown === undefined ? [] : cautions(shown))];
  if (answer.verdict === "fits") return beside;
  const loud = loudest(answer.verdict, intents);
  const severity = loud === undefined ? "info" : loud.reaction === "deny" ? "error" : "warning";
  // It is about the whole workload; a set is named where only that one's mode is to weigh it.
  const ofOneSet = loud !== undefined && loud.mode !== strictest(intents.values());
  const hint = [...(demand === undefined ? [] : contradictions(demand)), ...hintsOf(answer)]
    .slice(0, HINTS_SHOWN)
    .join("; ");
  return [
    {
      code: CAPACITY_CODES[answer.verdict],
      severity,
      message: messageOf(answer, shown),
      ...shortOf(shown),
      ...(hint === "" ? {} : { hint }),
      ...(ofOneSet ? { podSet: loud.podSet } : {}),
    },
    ...beside,
  ];
}

/** Of the sets that do not admit it: one that denies under enforce, else the first that denies, else one that warns by the strictest mode. */
function loudest(
  verdict: Verdict,
  intents: ReadonlyMap<string, Intent>,
): { readonly podSet: string; readonly mode: Mode; readonly reaction: Reaction } | undefined {
  const weighed = [...intents.values()].map((intent) => ({
    podSet: intent.podSet,
    mode: intent.contract.admission.mode,
    reaction: reactionTo(verdict, intent),
  }));
  const [denying, warning] = [
    weighed.filter(({ reaction }) => reaction === "deny"),
    weighed.filter(({ reaction }) => reaction === "warn"),
  ];
  const first = (some: typeof weighed): (typeof weighed)[number] | undefined =>
    STRICTEST.flatMap((mode) => some.filter((one) => one.mode === mode))[0];
  const refusing = first(denying);
  return refusing?.mode === "enforce" ? refusing : (refusing ?? first(warning));
}

/** What the choice of the rung gives up: whoever waits though something fits now should know; a fallback is what the class asks for. */
function choices({ choice }: Answer): readonly Diagnostic[] {
  return choice.flatMap(({ code, message, data }): readonly Diagnostic[] =>
    code === "FallbackFits" || code === "PreferredTooSlow"
      ? [
          {
            code,
            severity: code === "FallbackFits" && data?.["shared"] === undefined ? "warning" : "info",
            message,
            ...(data?.["short"] === undefined ? {} : { short: String(data["short"]) }),
          },
        ]
      : [],
  );
}

/** No topology: nothing was asked, so nothing is known. */
export function noCluster(): Answer {
  return { verdict: "unknown", rungs: {}, chosen: undefined, ladder: [], suggestions: [], choice: [], steps: 0 };
}

export function noClusterFinding(intents: ReadonlyMap<string, Intent>): Diagnostic {
  const code: AdmissionCode = "DataMissing";
  const [first] = capacityFindings(noCluster(), intents);
  return {
    code,
    severity: first?.severity ?? "warning",
    message: "no cluster was given, so where this can run is not known",
    hint: "give --cluster FILE",
  };
}

export function staleFinding(why: string, intents: ReadonlyMap<string, Intent>): Diagnostic {
  return {
    ...noClusterFinding(intents),
    message: `${why}, so where this can run is not known`,
    hint: "see /readyz of the webhook for which watch is behind",
  };
}

/**
 * The rung answer that explains the verdict: the chosen one. Where nothing can ever fit no choice means anything, so it is
 * the rung that comes nearest, else the one of whose kind there are most nodes.
 */
function subjectOf(answer: Answer): RungAnswer | undefined {
  const alike = answer.ladder.filter((one) => one.verdict === answer.verdict);
  const nearest = alike.find((one) => one.reasons.some(({ code }) => code === "NearestMiss"));
  if (answer.verdict === "never" && nearest !== undefined) return nearest;
  const told = alike.filter(({ exclusions }) => exclusions.length > 0);
  if (answer.verdict === "never" && told.length > 0)
    return told.reduce((a, b) =>
      (ofAnotherKind(b) - ofAnotherKind(a) || Number(namesPool(a)) - Number(namesPool(b))) < 0 ? b : a,
    );
  return answer.chosen ?? alike[0] ?? answer.ladder[0];
}

/** Nodes that are no nodes of this rung. */
const ofAnotherKind = ({ exclusions }: RungAnswer): number =>
  exclusions.reduce((sum, { constraint, nodes }) => sum + (constraint.startsWith("label ") ? nodes : 0), 0);

/** Does it say why a pool that offers the rung adds no node. */
const namesPool = ({ reasons }: RungAnswer): boolean => reasons.some(({ data }) => data?.["pool"] !== undefined);

/** What stands for itself first, the counted nodes after it. */
function reasonsOf({ reasons }: RungAnswer): readonly Reason[] {
  const own = reasons.filter(({ code }) => !isCaution(code));
  return [...own.filter(({ code }) => code !== "Excluded"), ...own.filter(({ code }) => code === "Excluded")];
}

function messageOf(answer: Answer, shown: RungAnswer | undefined): string {
  const words: Readonly<Record<Verdict, string>> = {
    fits: "fits",
    scaleUp: "needs new nodes",
    busy: "does not fit now",
    never: "cannot run here",
    unknown: "cannot be judged",
    undecided: "was not decided in time",
  };
  if (shown === undefined) return `the workload ${words[answer.verdict]}`;
  const all = Object.values(shown.rungs);
  const added = answer.verdict === "scaleUp" ? all.filter(({ source }) => source === "new") : all;
  const rungs = rungsText(Object.entries(shown.rungs).filter(([, rung]) => added.includes(rung)));
  const reasons = reasonsOf(shown)
    .slice(0, REASONS_SHOWN)
    .map(({ message }, index) => sentence(index === 0 ? message : capital(message, Object.keys(shown.rungs))));
  const others = answer.ladder.filter((one) => one !== shown);
  const tail =
    others.length > 0 && (answer.chosen === undefined || answer.verdict === "never") ? ` ${norOn(others, shown)}` : "";
  return `${words[answer.verdict]}${rungs === "" ? "" : ` on ${rungs}`}: ${reasons.join(" ")}${tail}`
    .replace(/: $/, "")
    .replace(/\.$/, "");
}

/** The one other rung by name, with what it adds to what was said; of several their number. */
function norOn(others: readonly RungAnswer[], shown: RungAnswer): string {
  const [only] = others;
  if (only === undefined || others.length > 1) return `Nor on ${plural(others.length, "other rung")}.`;
  const why = reasonsOf(only).find((one) => !shown.reasons.some(({ message }) => message === one.message));
  return `Nor on ${rungsText(Object.entries(only.rungs))}${why === undefined ? "" : `: ${why.message}`}.`;
}

/** One rung where all sets share it, else one for each set. */
function rungsText(entries: readonly (readonly [string, Rung])[]): string {
  const texts = [...new Set(entries.map(([, rung]) => rungText(rung)))];
  return texts.length < 2 ? texts.join("") : entries.map(([set, rung]) => `${set}=${rungText(rung)}`).join(", ");
}

/** The reason that comes first: the code says the verdict already. */
function shortOf(shown: RungAnswer | undefined): Pick<Diagnostic, "short"> {
  const [first] = shown === undefined ? [] : reasonsOf(shown);
  return first === undefined ? {} : { short: first.message };
}

/** Where the user's own node selection leaves nothing of what a rung selects: both sides, once a label. */
function contradictions(demand: Demand): readonly string[] {
  const texts = new Map<string, string>();
  for (const { pod, ladder } of demand.podSets) {
    for (const step of ladder.steps) {
      for (const wanted of step.selection) {
        const own = pod.selection.map((term) => term.get(wanted.key));
        const [first] = own;
        if (first === undefined || texts.has(wanted.key)) continue;
        if (!own.every((one) => one !== undefined && isEmpty(intersect(one, wanted)))) continue;
        texts.set(
          wanted.key,
          `the manifest selects ${requirementText(first)}, and the class would select ${requirementText(wanted)}`,
        );
      }
    }
  }
  return [...texts.values()];
}

function hintsOf(answer: Answer): readonly string[] {
  return answer.suggestions.map(suggestionText);
}

/** Warnings beside the verdict: what the installed scheduler may do to an assignment that exists. */
const isCaution = (code: ReasonCode): code is "NotGuaranteed" | "KnownBug" | "NotJudged" =>
  code === "NotGuaranteed" || code === "KnownBug" || code === "NotJudged";

/** An assignment that did not pass its check is a fault of ours, on whatever rung: the verdict does not rest on it, and it is reported. */
function checkFaults(answer: Answer): readonly Diagnostic[] {
  const code: AdmissionCode = "InternalFault";
  const messages = answer.ladder.flatMap(({ reasons }) =>
    reasons.flatMap((reason) => (reason.code === "CheckFailed" ? [reason.message] : [])),
  );
  return [...new Set(messages)].map((message) => ({ code, severity: "warning", message }));
}

function cautions(shown: RungAnswer): readonly Diagnostic[] {
  return shown.reasons.flatMap(({ code, message, data }): readonly Diagnostic[] =>
    !isCaution(code)
      ? []
      : [
          {
            code,
            severity: data?.["likely"] === "no" ? "info" : "warning",
            message,
            ...(data?.["short"] === undefined
              ? {}
              : {
                  hint: "use a queue (Kueue) or PodGroup, or topology.pin: domain for work that rather waits than moves",
                }),
          },
        ],
  );
}

/** Pod sets whose first pod can strand the others, as the answer says in numbers. */
function stranded(answer: Answer): ReadonlySet<unknown> {
  const reasons = subjectOf(answer)?.reasons ?? [];
  return new Set(
    reasons.flatMap(({ code, data }) =>
      code === "NotGuaranteed" && data?.["short"] !== undefined ? [data["podSet"]] : [],
    ),
  );
}

/** What the expansion warns of in general is not said beside the same thing with its numbers. */
export function notSaidBy(answer: Answer, diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  const named = stranded(answer);
  return named.size === 0
    ? diagnostics
    : diagnostics.filter(({ code, podSet }) => code !== "NotGuaranteed" || !named.has(podSet));
}
