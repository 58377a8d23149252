import { type Answer, type Demand, type PodSetDemand, type RungAnswer, rungText } from "../../model/index.ts";
import type { Topology } from "../../topology/index.ts";
import { rungName } from "./explain.ts";

/** What a workload would take of each node that exists, by node number, and of nodes to come. */
export interface Taken {
  /** One line: the verdict, and the rung that it is about. */
  readonly summary: string;
  readonly nodes: ReadonlyMap<number, Share>;
  /** `2 new nodes from pool p5 in us-east-1a` */
  readonly coming: readonly string[];
}

export interface Share {
  readonly pods: number;
  /** Units of the resource that is drawn. */
  readonly units: number;
}

/** The assignment of the chosen rung; nothing is taken where there is none. */
export function takenBy(answer: Answer, demand: Demand, topology: Topology, resource: string): Taken {
  const { chosen, verdict } = answer;
  const nodes = new Map<number, Share>();
  for (const { node, podSet, pods, devices } of chosen?.assignment?.placed ?? []) {
    const index = topology.nodeIndex.get(node);
    const set = demand.podSets.find(({ name }) => name === podSet);
    if (index === undefined || set === undefined) continue;
    const before = nodes.get(index) ?? { pods: 0, units: 0 };
    const given = devices?.flat().filter((key) => isOf(key, resource)).length ?? 0;
    // Devices that a claim gives are not counted a second time under the name that the pod asks by.
    const units = given > 0 ? given : pods * asked(set, chosen, resource);
    nodes.set(index, { pods: before.pods + pods, units: before.units + units });
  }
  const coming = (chosen?.assignment?.newNodes ?? []).map(
    ({ pool, zone, count }) =>
      `${count} new ${count === 1 ? "node" : "nodes"} from pool ${pool}${zone === "" ? "" : ` in ${zone}`}`,
  );
  return { summary: summaryOf(verdict, chosen), nodes, coming };
}

function summaryOf(verdict: string, chosen: RungAnswer | undefined): string {
  if (chosen?.assignment !== undefined) return `${verdict} on ${rungName(chosen.rungs)}`;
  const [why] = chosen?.reasons ?? [];
  return `${verdict}, so it takes nothing${why === undefined ? "" : `: ${why.message}`}`;
}

function asked(set: PodSetDemand, chosen: RungAnswer | undefined, resource: string): number {
  const rung = chosen?.rungs[set.name];
  const step = set.ladder.steps.find((one) => rung !== undefined && rungText(one.rung) === rungText(rung));
  return (set.pod.requests[resource] ?? 0) + (step?.addedRequests[resource] ?? 0);
}

/** `gpu.nvidia.com/node/gpu-0` is a device of the driver, and one of nvidia.com/gpu. */
function isOf(key: string, resource: string): boolean {
  const [driver = ""] = key.split("/");
  const [domain = "", name = ""] = resource.split("/");
  return driver === resource || driver === `${name}.${domain}`;
}
