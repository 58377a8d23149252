import type { Answer, Demand, RungAnswer, Verdict } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { SolveContext } from "./context.ts";
import { holdsNow, walk } from "./ladder.ts";
import { suggest } from "./suggest.ts";
import { worldFor } from "./world.ts";

/** What is chosen where nothing fits: the hope that is nearest. */
const FALLBACK: readonly Verdict[] = ["busy", "undecided", "unknown", "never"];

/**
 * Where a workload can run, on which rung, and why not where it cannot. Pure and deterministic: the same topology, demand and context
 * give the same answer. Nothing given is changed.
 */
export function solve(topology: Topology, demand: Demand, context: SolveContext): Answer {
  const world = worldFor(topology, demand, context);
  const { ladder, steps } = walk(world);
  const chosen = choose(ladder);
  const verdict = chosen?.verdict ?? (demand.podSets.length === 0 ? "fits" : "unknown");
  const help =
    context.skipSuggestions === true || chosen === undefined || holdsNow(verdict) ? undefined : suggest(world, chosen);
  return {
    verdict,
    rungs: chosen?.rungs ?? {},
    chosen,
    ladder,
    suggestions: help?.suggestions ?? [],
    steps: steps + (help?.steps ?? 0),
  };
}

/** The first rung that holds, else the first of the best verdict there is; a rung that was skipped only if all were. */
function choose(ladder: readonly RungAnswer[]): RungAnswer | undefined {
  const skipped = (one: RungAnswer): boolean => one.reasons.some(({ code }) => code === "RungSkipped");
  for (const wanted of [["fits", "scaleUp"], ...FALLBACK.map((verdict) => [verdict])]) {
    const found = ladder.filter(({ verdict }) => wanted.includes(verdict));
    const first = found.find((one) => !skipped(one)) ?? found[0];
    if (first !== undefined) return first;
  }
  return undefined;
}
