import { type PodSetDemand, type Rung, rungText, type Step } from "../model/index.ts";

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
