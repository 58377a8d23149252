import type { CapacityPool, Demand, Requirements } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { isSameWorkload, type SolveContext } from "./context.ts";
import { labelsLeftOpen, labelsMade, zonesMade } from "./maker.ts";
import { isStarting } from "./starting.ts";
import type { TopologyIndex } from "./topology-index.ts";
import { leadMs } from "./window.ts";

export const ZONE_LABEL = "topology.kubernetes.io/zone";

/** What a pool may still add. */
export interface PoolRoom {
  readonly pool: CapacityPool;
  readonly members: readonly number[];
  readonly most: number;
  /** Nodes beside those that exist or start: as if none were promised, and without what is promised to others. */
  readonly unpromised: number;
  readonly fresh: number;
  /** Members that are on their way: they count with the new nodes, and not as nodes that are there. */
  readonly starting: readonly number[];
  /** By zone: what is on its way, and how much of it is promised to nobody. */
  readonly zones: readonly PoolZone[];
  /** More is promised than can be: of what is on its way to nobody so many have to do for it, in whatever zone. */
  readonly owed: number;
  /** Labels of new nodes whose value is open: what it may be. */
  readonly open: Requirements;
  /** Nodes that others are promised beyond what is on its way, with the labels that they will get. */
  readonly promised: readonly { readonly count: number; readonly labels: Readonly<Record<string, string>> }[];
  /** From now until a new node is ready. */
  readonly leadMs: number;
}

export interface PoolZone {
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly starting: number;
  readonly unclaimed: number;
}

/** A node on its way is in its zone, and serves whoever is promised one there; any other may come to be in each zone. */
export function roomOf(index: TopologyIndex, demand: Demand, context: SolveContext): readonly PoolRoom[] {
  const { topology } = index;
  const promises = context.holds
    .filter((hold) => !isSameWorkload(hold.workload, demand.workload))
    .flatMap((hold) => hold.newNodes);
  const zoneKey = topology.levels.find(({ level }) => level.name === "zone")?.level.key ?? ZONE_LABEL;
  return context.pools.map((pool) => {
    const members = pool.members.size === 0 ? [] : index.matching(pool.members);
    const most = Math.min(pool.maxNodes, pool.reservation?.nodes ?? Number.POSITIVE_INFINITY);
    const starting = members.filter((node) => {
      const facts = topology.nodes[node];
      return facts !== undefined && isStarting(facts);
    });
    const names = pool.zones.length === 0 ? [""] : [...zonesMade(topology, pool)].sort();
    const made = labelsMade(topology, pool);
    const promised = new Map<string, number>();
    for (const one of promises) {
      if (one.pool !== pool.name) continue;
      // A zone that the pool has no longer is as good as any.
      const zone = names.includes(one.zone) ? one.zone : (names[0] ?? "");
      promised.set(zone, (promised.get(zone) ?? 0) + one.count);
    }
    const unpromised = Math.max(0, most - members.length);
    let fresh = unpromised;
    const zones = names.map((zone) => {
      const here = starting.filter((node) => zone === "" || zoneIn(topology, node, zoneKey) === zone).length;
      const held = promised.get(zone) ?? 0;
      fresh -= Math.max(0, held - here);
      const labels = labelsIn(made, zone, zoneKey);
      return { zone, labels, starting: here, unclaimed: Math.max(0, here - held) };
    });
    return {
      pool,
      members,
      most,
      unpromised,
      fresh: Math.max(0, fresh),
      starting,
      owed: Math.max(0, -fresh),
      zones,
      open: labelsLeftOpen(topology, pool),
      promised: zones.map(({ zone, labels, starting: here }) => {
        return { labels, count: Math.max(0, (promised.get(zone) ?? 0) - here) };
      }),
      leadMs: leadMs(pool, context.nowMs),
    };
  });
}

function labelsIn(
  made: Readonly<Record<string, string>>,
  zone: string,
  zoneKey: string,
): Readonly<Record<string, string>> {
  const labels: Record<string, string> = { "kubernetes.io/os": "linux", ...made };
  if (zone !== "") {
    labels[ZONE_LABEL] = zone;
    labels[zoneKey] = zone;
  }
  return labels;
}

function zoneIn({ nodes }: Topology, node: number, key: string): string | undefined {
  const labels = nodes[node]?.labels ?? {};
  return labels[key] ?? labels[ZONE_LABEL];
}
