import type { Answer, Demand, Hold, Intent, Rung } from "../model/index.ts";
import { type Catalogue, mayOverride } from "../policy/index.ts";
import { type SolveContext, solve } from "../solver/index.ts";
import { noCluster } from "./capacity.ts";
import type { AdmissionContext } from "./context.ts";
import { allowedStep } from "./rungs.ts";

export interface AskOptions {
  /** Rungs that are given, by pod set; the others are searched around them. */
  readonly fixed?: Readonly<Record<string, Rung>>;
  /** Suggestions cost further solves: only where somebody reads them. */
  readonly suggestions: boolean;
  /** The given rungs were chosen just now, so what the choice gives up is told. */
  readonly chosenNow?: boolean;
  /** What each pod set asks for: tells which suggestion its author may follow without the platform team. */
  readonly intents?: ReadonlyMap<string, Intent>;
  readonly demandIf?: NonNullable<SolveContext["demandIf"]>;
}

/** The one way in which admission asks the solver. */
export function ask(demand: Demand, context: AdmissionContext, options: AskOptions): Answer {
  if (context.topology === undefined || context.stale !== undefined || demand.podSets.length === 0) return noCluster();
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
    stopAtFirst: !options.suggestions,
    ...(options.intents === undefined || !options.suggestions
      ? {}
      : { mayOverride: allOverride([...options.intents.values()], catalogue) }),
    ...(options.demandIf === undefined ? {} : { demandIf: options.demandIf }),
    ...(options.chosenNow === true ? { chosenNow: true } : {}),
    ...(context.index === undefined ? {} : { index: context.index }),
    fixed,
  });
}

/** What every class of the workload lets it set by itself. */
function allOverride(intents: readonly Intent[], catalogue: Catalogue): NonNullable<SolveContext["mayOverride"]> {
  return (field, value) => intents.every((intent) => mayOverride(intent, field, value, catalogue));
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
