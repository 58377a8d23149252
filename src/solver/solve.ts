import type { Answer, Demand } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { SolveContext } from "./context.ts";
import { walk } from "./ladder.ts";
import { suggest } from "./suggest.ts";
import { firstOf, holdsNow } from "./verdicts.ts";
import { worldFor } from "./world.ts";

/**
 * Where a workload can run, on which rung, and why not where it cannot. Pure and deterministic: the same topology, demand and context
 * give the same answer. Nothing given is changed.
 */
export function solve(topology: Topology, demand: Demand, context: SolveContext): Answer {
  const world = worldFor(topology, demand, context);
  const { ladder, steps } = walk(world);
  const chosen = firstOf(ladder);
  // A workload without pod sets asks for nothing.
  const verdict = chosen?.verdict ?? "fits";
  const silent = context.skipSuggestions === true || chosen === undefined || holdsNow(verdict);
  const help = silent ? undefined : suggest(world, { ladder });
  return {
    verdict,
    rungs: chosen?.rungs ?? {},
    chosen,
    ladder,
    suggestions: help?.suggestions ?? [],
    steps: steps + (help?.steps ?? 0),
  };
}
