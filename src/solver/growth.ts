import type { CapacityPool, Demand, Taint } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { chargesOf } from "./ceilings.ts";
import type { SolveContext } from "./context.ts";
import { nodePoolOf } from "./maker.ts";
import { roomOf } from "./rooms.ts";
import type { Growth } from "./scaleup.ts";
import type { TopologyIndex } from "./topology-index.ts";

export function growthOf(index: TopologyIndex, demand: Demand, context: SolveContext): Growth {
  const rooms = roomOf(index, demand, context);
  return {
    rooms,
    charges: { now: chargesOf(index, rooms, context, false), nominal: chargesOf(index, rooms, context, true) },
    taintsOf: (pool) => taintsOf(index.topology, pool),
  };
}

/** What the pool declares and what its NodePool stamps, without what nodes lose once they have started: Karpenter lets pods wait for that. */
function taintsOf(topology: Topology, pool: CapacityPool): readonly Taint[] {
  const nodePool = nodePoolOf(topology, pool);
  if (nodePool === undefined) return pool.node.taints;
  const same = (a: Taint) => (b: Taint) => a.key === b.key && a.effect === b.effect;
  const declared = pool.node.taints.filter((one) => !nodePool.startupTaints.some(same(one)));
  return [...declared, ...nodePool.taints.filter((one) => !declared.some(same(one)))];
}
