import {
  type Demand,
  type PodSetDemand,
  parseRung,
  RENEW_ANNOTATION,
  type Rung,
  rungText,
  type Step,
} from "../model/index.ts";

export function sameRung(a: Rung | "none" | undefined, b: Rung | "none" | undefined): boolean {
  return textOf(a) === textOf(b);
}

/** The step of the ladder for a rung that the class allows and this workload can take. */
export function allowedStep(set: PodSetDemand | undefined, rung: Rung | "none"): Step | undefined {
  if (rung === "none") return undefined;
  return set?.ladder.steps.find((step) => step.skipped === undefined && sameRung(step.rung, rung));
}

/** Rungs of several pod sets in few words: one where all agree. */
export function rungsText(rungs: ReadonlyMap<string, Rung | "none">): string {
  const texts = [...rungs.values()].map(textOf);
  if (new Set(texts).size <= 1) return texts[0] ?? "none";
  return [...rungs].map(([name, rung]) => `${name}=${textOf(rung)}`).join(", ");
}

const textOf = (rung: Rung | "none" | undefined): string =>
  rung === undefined || rung === "none" ? "none" : rungText(rung);

const RENEW_CHARACTERS = 1000;

/** Rungs that the value of `plimsoll.dev/renew` names: it is free text, and every `accelerator/capacity/source` in it is to be skipped. */
export function rungsToSkip(renew: string | undefined): ReadonlySet<string> {
  const words = (renew ?? "").slice(0, RENEW_CHARACTERS).split(/[\s,;=]+/);
  return new Set(words.filter((word) => parseRung(word) !== undefined));
}

/**
 * The demand with those rungs out of every ladder, with the reason. A rung on existing nodes takes the one that adds nodes beside them along: templates
 * pin no node, so it would be the same rung by another name.
 */
export function withoutRungs(demand: Demand, skip: ReadonlySet<string>): Demand {
  if (skip.size === 0) return demand;
  const isAsked = (rung: Rung): boolean =>
    skip.has(rungText(rung)) || skip.has(rungText({ ...rung, source: "existing" }));
  const step = (one: Step): Step =>
    one.skipped !== undefined || !isAsked(one.rung)
      ? one
      : {
          ...one,
          skipped: {
            code: "RungSkipped",
            severity: "info",
            message: `the annotation ${RENEW_ANNOTATION} gives this rung up.`,
          },
        };
  const podSets = demand.podSets.map((set) => ({
    ...set,
    ladder: { ...set.ladder, steps: set.ladder.steps.map(step) },
  }));
  return { ...demand, podSets };
}
