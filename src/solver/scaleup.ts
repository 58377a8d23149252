import { allowsLabels, type CapacityPool, type Demand, type Reason } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { isSameWorkload, type SolveContext } from "./context.ts";
import type { Shape } from "./shape.ts";
import { isStarting } from "./starting.ts";
import type { TopologyIndex } from "./topology-index.ts";
import { leadMs } from "./window.ts";

export const ZONE_LABEL = "topology.kubernetes.io/zone";
/** Every node gets these from the cloud or the kubelet; a pool that does not declare them may still meet a selection on them. */
const UNDECLARED = new Set([
  "kubernetes.io/arch",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "beta.kubernetes.io/arch",
]);

/** What a pool may still add. */
export interface PoolRoom {
  readonly pool: CapacityPool;
  readonly members: readonly number[];
  readonly most: number;
  /** New nodes; members and nodes promised to others are off. */
  readonly room: number;
  /** As if none were promised. */
  readonly unpromised: number;
  /** Members that are on their way: they count with the new nodes, and not as nodes that are there. */
  readonly starting: readonly number[];
  /** From now until a new node is ready. */
  readonly leadMs: number;
}

/** Nodes that a pool could add in one zone, all alike. */
export interface Kind {
  readonly pool: CapacityPool;
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly members: readonly number[];
  /** Existing nodes that its rows stand for, since they are on their way. */
  readonly starting: readonly number[];
  readonly rows: number;
  /** What the pool may add in all its zones. */
  readonly room: number;
  /** Is the pool too slow for some pod set that wants it. */
  readonly slow: boolean;
}

export function roomOf(index: TopologyIndex, demand: Demand, context: SolveContext): readonly PoolRoom[] {
  const holds = context.holds.filter((hold) => !isSameWorkload(hold.workload, demand.workload));
  return context.pools.map((pool) => {
    const members = pool.members.size === 0 ? [] : index.matching(pool.members);
    const most = Math.min(pool.maxNodes, pool.reservation?.nodes ?? Number.POSITIVE_INFINITY);
    const held = holds
      .flatMap((hold) => hold.newNodes)
      .reduce((total, one) => total + (one.pool === pool.name ? one.count : 0), 0);
    const { nodes } = index.topology;
    const starting = members.filter((node) => {
      const facts = nodes[node];
      return facts !== undefined && isStarting(facts);
    });
    // What starts may already be more than the pool may have.
    const unpromised = Math.max(starting.length, most - members.length + starting.length);
    const room = Math.max(0, unpromised - held);
    return { pool, members, most, room, unpromised, starting, leadMs: leadMs(pool, context.nowMs) };
  });
}

/** Does the pool offer what the rung names. */
export function offers(pool: CapacityPool, shape: Shape): boolean {
  const { accelerator, capacityType, source } = shape.step.rung;
  if (source !== "new" || pool.capacityType !== capacityType) return false;
  return accelerator === "none" || accelerator === "any" || pool.accelerator === accelerator;
}

export function isSlow({ leadMs: lead }: Pick<PoolRoom, "leadMs">, shape: Shape): boolean {
  return lead > shape.set.ladder.maxProvisioningMs;
}

/** Does a reservation end before the shape's run on a new node would. */
function isOutlasted({ name }: CapacityPool, shape: Shape): boolean {
  return shape.outlasts.some(({ pool }) => pool === name);
}

/**
 * The kinds of new nodes for these shapes: pools without accelerators before others, then cheaper ones, then by name. `late`: pools that
 * take too long as well; `unpromised`: as if nodes promised to others were not.
 */
export function kindsFor(
  topology: Topology,
  rooms: readonly PoolRoom[],
  shapes: readonly Shape[],
  how: { readonly late: boolean; readonly unpromised: boolean },
): readonly Kind[] {
  const kinds: Kind[] = [];
  const zoneKey = topology.levels.find(({ level }) => level.name === "zone")?.level.key ?? ZONE_LABEL;
  const sorted = [...rooms].sort((a, b) => comparePools(a.pool, b.pool));
  for (const one of sorted) {
    const { pool, members, starting } = one;
    const room = how.unpromised ? one.unpromised : one.room;
    const wanting = shapes.filter((shape) => offers(pool, shape) && !isOutlasted(pool, shape));
    const timely = wanting.filter((shape) => !isSlow(one, shape));
    const users = how.late ? wanting : timely;
    const rows = Math.min(
      room,
      users.reduce((total, shape) => total + nodesWanted(pool, shape), 0),
    );
    if (rows === 0) continue;
    for (const zone of pool.zones.length === 0 ? [""] : [...pool.zones].sort()) {
      const labels: Record<string, string> = { "kubernetes.io/os": "linux", ...pool.node.labels };
      if (zone !== "") {
        labels[ZONE_LABEL] = zone;
        labels[zoneKey] = zone;
      }
      // A node on its way is in its zone; any other may come to be in each.
      const here = zone === "" ? starting : starting.filter((node) => zoneIn(topology, node, zoneKey) === zone);
      const most = Math.min(rows, room - starting.length + here.length);
      if (most > 0)
        kinds.push({ pool, zone, labels, members, starting, rows: most, room, slow: timely.length < wanting.length });
    }
  }
  return kinds;
}

function zoneIn({ nodes }: Topology, node: number, key: string): string | undefined {
  const labels = nodes[node]?.labels ?? {};
  return labels[key] ?? labels[ZONE_LABEL];
}

/** More nodes than this help no pod of the set: one a pod, or fewer where several share a node and nothing spreads them. */
function nodesWanted(pool: CapacityPool, shape: Shape): number {
  if (shape.set.perNode) return 1;
  if (shape.spreads.length > 0 || shape.ports.length > 0) return shape.peak;
  let each = shape.peak;
  for (const { resource, amount } of shape.needs)
    each = Math.min(each, Math.floor((pool.node.allocatable[resource] ?? 0) / amount));
  return each <= 0 ? 1 : Math.ceil(shape.peak / (shape.devices.length > 0 ? 1 : each));
}

function comparePools(a: CapacityPool, b: CapacityPool): number {
  return (
    Number(a.accelerator !== undefined) - Number(b.accelerator !== undefined) ||
    (a.pricePerHour ?? Number.POSITIVE_INFINITY) - (b.pricePerHour ?? Number.POSITIVE_INFINITY) ||
    (a.name < b.name ? -1 : 1)
  );
}

/** Does a selection ask for labels that new nodes get, but the pool does not declare. */
export function undeclaredLabels(kind: Kind, shape: Shape): readonly string[] {
  const missing = new Set<string>();
  for (const term of shape.selection)
    for (const one of term.values())
      if (UNDECLARED.has(one.key) && !Object.hasOwn(kind.labels, one.key) && !one.absent) missing.add(one.key);
  return [...missing].sort();
}

/** `known`: the labels are taken as they are; otherwise undeclared ones count as fitting. */
export function selectsKind(kind: Kind, shape: Shape, known: boolean): boolean {
  return shape.selection.some((term) => {
    const asked = known
      ? term
      : new Map([...term].filter(([key]) => !UNDECLARED.has(key) || Object.hasOwn(kind.labels, key)));
    return allowsLabels(asked, kind.labels);
  });
}

/** Why no pool helps on this rung: none offers it, its reservation ends too soon, or it has as many nodes as it may. */
export function poolReasons(rooms: readonly PoolRoom[], shape: Shape): readonly Reason[] {
  const { accelerator, capacityType, source } = shape.step.rung;
  if (source !== "new") return [];
  const offering = rooms.filter(({ pool }) => offers(pool, shape));
  if (offering.length === 0) {
    const what = accelerator === "none" || accelerator === "any" ? "" : `${accelerator} `;
    return [
      { code: "NoPool", message: `no pool offers ${what}${capacityType} nodes`, data: { accelerator, capacityType } },
    ];
  }
  return offering.flatMap(({ pool, room, most, members, starting, unpromised }): readonly Reason[] => {
    const { reservation } = pool;
    const ends = shape.outlasts.find((one) => one.pool === pool.name);
    if (ends !== undefined)
      return [
        {
          code: "ReservationEnds",
          message: `pool ${pool.name}: ${ends.text}`,
          data: { pool: pool.name, reservation: reservation?.name ?? "", end: reservation?.end ?? "" },
        },
      ];
    if (room > 0) return [];
    const covered = reservation?.nodes !== undefined && reservation.nodes === most;
    const of = covered ? `${most} that reservation ${reservation.name} covers` : `${most}`;
    const promised = unpromised === 0 ? "" : `, and the other ${unpromised} are promised`;
    const there = members.length - starting.length;
    return [
      {
        code: "PoolExhausted",
        message: `pool ${pool.name} may add no node: it has ${there} of its ${of}${promised}`,
        data: { pool: pool.name, members: members.length, maximum: most },
      },
    ];
  });
}
