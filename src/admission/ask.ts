import type { Answer, Demand, Hold, Rung } from "../model/index.ts";
import { solve } from "../solver/index.ts";
import { noCluster } from "./capacity.ts";
import type { AdmissionContext } from "./context.ts";
import { allowedStep } from "./rungs.ts";

export interface AskOptions {
  /** Rungs that are given, by pod set; the others are searched around them. */
  readonly fixed?: Readonly<Record<string, Rung>>;
  /** Suggestions cost further solves: only where somebody reads them. */
  readonly suggestions: boolean;
}

/** The one way in which admission asks the solver. */
export function ask(demand: Demand, context: AdmissionContext, options: AskOptions): Answer {
  if (context.topology === undefined || demand.podSets.length === 0) return noCluster();
  const { catalogue } = context;
  // A rung that the class of today has no step for cannot be asked about; that set is searched like the others.
  const fixed = Object.fromEntries(
    Object.entries(options.fixed ?? {}).filter(
      ([name, rung]) =>
        allowedStep(
          demand.podSets.find((set) => set.name === name),
          rung,
        ) !== undefined,
    ),
  );
  return solve(context.topology, demand, {
    platform: catalogue.platform,
    pools: catalogue.pools,
    accelerators: catalogue.accelerators,
    holds: context.holds,
    maxSteps: context.maxSteps,
    nowMs: context.nowMs,
    skipSuggestions: !options.suggestions,
    fixed,
  });
}

/** The rungs that the first pod of an unknown controller took, which bind its other pods. */
export function sharedRungs(
  owner: string | undefined,
  holds: readonly Hold[],
): Readonly<Record<string, Rung>> | undefined {
  if (owner === undefined) return undefined;
  let first: Hold | undefined;
  for (const hold of holds)
    if (hold.owner === owner && (first === undefined || hold.takenAtMs < first.takenAtMs)) first = hold;
  return first?.rungs;
}
