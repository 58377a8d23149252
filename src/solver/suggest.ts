import type { Demand, PodSetDemand, RungAnswer, Suggestion } from "../model/index.ts";
import type { World } from "./world.ts";

export function suggest(_world: World, _chosen: RungAnswer): { suggestions: readonly Suggestion[]; steps: number } {
  return { suggestions: [], steps: 0 };
}
export type { Demand, PodSetDemand };
