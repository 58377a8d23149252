import type { Answer, Demand } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { tradeOffs } from "./choice.ts";
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
  const silent = context.skipSuggestions === true || chosen === undefined;
  const help = silent || holdsNow(verdict) ? undefined : suggest(world, { ladder });
  const stands = context.chosenNow !== true && Object.keys(context.fixed ?? {}).length > 0;
  const choice = silent || stands ? undefined : tradeOffs(world, chosen);
  return {
    verdict,
    rungs: chosen?.rungs ?? {},
    chosen,
    ladder,
    suggestions: help?.suggestions ?? [],
    choice: choice?.reasons ?? [],
    steps: steps + (help?.steps ?? 0) + (choice?.steps ?? 0),
  };
}
