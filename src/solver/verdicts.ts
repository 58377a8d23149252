import type { RungAnswer, Verdict } from "../model/index.ts";

export const holdsNow = (verdict: Verdict): boolean => verdict === "fits" || verdict === "scaleUp";

/** From the best verdict to the worst, for sets that each have one. */
const BEST_FIRST: readonly Verdict[] = ["fits", "scaleUp", "busy", "undecided", "unknown", "never"];

export const isBetter = (a: Verdict, b: Verdict): boolean => BEST_FIRST.indexOf(a) < BEST_FIRST.indexOf(b);

/** The worst of what sets get; `fits` where each of them holds. */
export function worstOf(verdicts: readonly Verdict[]): Verdict {
  let worst: Verdict = "fits";
  for (const verdict of verdicts) if (!holdsNow(verdict) && isBetter(worst, verdict)) worst = verdict;
  return worst;
}

/** What is chosen where nothing fits: the hope that is nearest. */
const FALLBACK: readonly Verdict[] = ["busy", "undecided", "unknown", "never"];

/** The first rung that holds, else the first of the best verdict there is; a rung that was skipped only if all were. */
export function firstOf(ladder: readonly RungAnswer[]): RungAnswer | undefined {
  const skipped = (one: RungAnswer): boolean => one.reasons.some(({ code }) => code === "RungSkipped");
  for (const wanted of [["fits", "scaleUp"], ...FALLBACK.map((verdict) => [verdict])]) {
    const found = ladder.filter(({ verdict }) => wanted.includes(verdict));
    const first = found.find((one) => !skipped(one)) ?? found[0];
    if (first !== undefined) return first;
  }
  return undefined;
}
