import { type AutoscalerKind, allowsLabels, type CapacityPool, type Resources } from "../model/index.ts";
import type { CapacityQuotaFacts, NodePoolFacts, Topology } from "../topology/index.ts";
import type { SolveContext } from "./context.ts";
import { missingMaker, nodePoolOf } from "./maker.ts";
import type { PoolRoom } from "./rooms.ts";
import { isStarting } from "./starting.ts";
import type { TopologyIndex } from "./topology-index.ts";

/** The most that nodes, of whatever kind, may have together of one resource; `nodes` counts them. */
export interface Ceiling {
  /** `NodePool gpu`, `CapacityQuota team-a`, `pool p5`. */
  readonly what: string;
  readonly resource: string;
  readonly most: number;
  /** What nodes have that exist or start. */
  readonly used: number;
  /** What new nodes that are promised to others will have. */
  readonly promised: number;
  /** For new nodes. */
  readonly left: number;
  /** On a nominal supply: what existing nodes take of it once they are used, by row; those that are not could go. */
  readonly rows: ReadonlyMap<number, number>;
}

/** What a new node of some kind takes of a ceiling; where it stands for one that is on its way, `starting`. */
export interface Charge {
  readonly ceiling: Ceiling;
  readonly amount: number;
  readonly starting: number;
  /** Nothing is added at all, whatever the node has: `amount` says no more than that. */
  readonly closed?: true;
}

/** The charges of a pool's new nodes with these labels: `now`, or nominal, where nodes that exist could go. */
export type Charges = (pool: CapacityPool, labels: Readonly<Record<string, string>>) => readonly Charge[];

export const NODES = "nodes";
const NODE_POOL_LABEL = "karpenter.sh/nodepool";
/** These run Cluster Autoscaler, the one that knows CapacityQuota. */
export const QUOTA_KINDS: ReadonlySet<AutoscalerKind> = new Set(["cluster-autoscaler", "gke", "aks"]);
/** Labels whose value Cluster Autoscaler counts devices under, one for each cloud, and the resources that it takes for devices. */
export const GPU_LABELS = [
  "k8s.amazonaws.com/accelerator",
  "cloud.google.com/gke-accelerator",
  "kubernetes.azure.com/accelerator",
  "accelerator",
  "cluster-api/accelerator",
];
const GPU_RESOURCES = ["nvidia.com/gpu", "amd.com/gpu", "microsoft.com/directx"];

/**
 * Limits of NodePools (karpenter pkg/controllers/provisioning/scheduling, filterByRemainingResources) and CapacityQuotas (cluster-autoscaler
 * resourcequotas/tracker.go). Both count what nodes have in all, not what pods may use of them.
 */
export function chargesOf(
  index: TopologyIndex,
  rooms: readonly PoolRoom[],
  { platform }: SolveContext,
  nominal: boolean,
): Charges {
  const { topology } = index;
  const quotas = QUOTA_KINDS.has(platform.autoscaler.kind)
    ? topology.capacityQuotas.filter(({ enforced }) => enforced)
    : [];
  if (topology.nodePools.length === 0 && quotas.length === 0) return () => [];
  const sizes = new Map(rooms.map((room) => [room.pool.name, sizeOf(topology, room)]));
  const starting = new Map(rooms.flatMap(({ pool, starting }) => starting.map((node) => [node, pool] as const)));
  const has = (node: number): Resources => {
    const own = topology.nodes[node]?.capacity ?? {};
    const pool = starting.get(node);
    const whole = pool === undefined ? undefined : sizes.get(pool.name);
    if (whole === undefined) return own;
    // Devices are counted as they come up; what the node is to have counts from the first.
    const sums: Record<string, number> = { ...own };
    for (const [name, amount] of Object.entries(whole)) sums[name] = Math.max(sums[name] ?? 0, amount);
    return sums;
  };
  const given = { index, rooms, sizes, has, nominal };
  const ofNodePool = new Map<NodePoolFacts, readonly Bound[]>();
  const ofQuota = quotas.map((quota) => ({ quota, bounds: quotaBounds(given, quota) }));
  return (pool, labels) => {
    const size = sizes.get(pool.name) ?? {};
    const nodePool = nodePoolOf(topology, pool);
    if (nodePool !== undefined && !ofNodePool.has(nodePool)) ofNodePool.set(nodePool, nodePoolBounds(given, nodePool));
    const missing = nominal ? undefined : missingMaker(topology, pool);
    const bounds = [
      ...(missing === undefined ? [] : [closed(`NodePool ${missing}`, 0, 0)]),
      ...(nodePool === undefined ? [] : (ofNodePool.get(nodePool) ?? [])),
      ...ofQuota.flatMap((one) => (allowsLabels(one.quota.selector, labels) ? one.bounds : [])),
    ];
    return bounds.flatMap(({ ceiling, of, closed }): readonly Charge[] => {
      const amount = of(size, labels);
      if (closed === true) return [{ ceiling, amount, starting: 0, closed }];
      return amount > 0 ? [{ ceiling, amount, starting: nominal ? amount : 0 }] : [];
    });
  };
}

type AmountOf = (has: Resources, labels: Readonly<Record<string, string>>) => number;

interface Bound {
  readonly ceiling: Ceiling;
  readonly of: AmountOf;
  /** Nothing is added but what is on its way. */
  readonly closed?: true;
}

/** Nothing is added, whatever a node has. */
const closed = (what: string, used: number, most: number): Bound => ({
  ceiling: { what, resource: NODES, most, used, promised: 0, left: 0, rows: new Map() },
  of: () => 1,
  closed: true,
});

interface Given {
  readonly index: TopologyIndex;
  readonly rooms: readonly PoolRoom[];
  readonly sizes: ReadonlyMap<string, Resources>;
  readonly has: (node: number) => Resources;
  readonly nominal: boolean;
}

/** What one new node of the pool has in all: as declared, else as its nodes have it, else what pods may use of it, in whole cpus. */
function sizeOf({ nodes }: Topology, { pool, members }: PoolRoom): Resources {
  const { allocatable, capacity } = pool.node;
  const sizes: Record<string, number> = { ...allocatable };
  sizes["cpu"] = Math.ceil((sizes["cpu"] ?? 0) / 1000) * 1000;
  for (const member of members) {
    const node = nodes[member];
    if (node === undefined || isStarting(node)) continue;
    for (const [name, amount] of Object.entries(node.capacity)) sizes[name] = Math.max(sizes[name] ?? 0, amount);
  }
  return { ...sizes, ...capacity };
}

function nodePoolBounds(given: Given, nodePool: NodePoolFacts): readonly Bound[] {
  const { index, rooms, nominal } = given;
  const what = `NodePool ${nodePool.name}`;
  const { values, of } = index.column(NODE_POOL_LABEL);
  const value = values.indexOf(nodePool.name);
  const rows = value === -1 ? [] : [...of.keys()].filter((row) => of[row] === value);
  if (nodePool.replicas !== undefined) return [closed(what, rows.length, nodePool.replicas)];
  if (!nominal && !nodePool.ready) return [closed(what, rows.length, Number.POSITIVE_INFINITY)];
  const own = rooms.filter(({ pool }) => nodePoolOf(index.topology, pool) === nodePool);
  const bounds = Object.keys(nodePool.limits).map((resource): Bound => {
    const amount: AmountOf = (has) => (resource === NODES ? 1 : (has[resource] ?? 0));
    return {
      ...boundOf(
        given,
        { what, resource, most: nodePool.limits[resource] ?? 0 },
        amount,
        rows,
        own,
        nodePool.used[resource],
      ),
      of: amount,
    };
  });
  // Once it has more of anything than it may, no node is made of it, whatever that node has.
  const over = bounds.find(({ ceiling: { used, promised, most } }) => used + promised > most);
  return over === undefined || nominal
    ? bounds
    : [{ ceiling: { ...over.ceiling, left: 0 }, of: () => 1, closed: true }];
}

function quotaBounds(given: Given, quota: CapacityQuotaFacts): readonly Bound[] {
  const rows = given.index.matching(quota.selector);
  const what = `CapacityQuota ${quota.name}`;
  return Object.keys(quota.limits).map((resource): Bound => {
    const amount: AmountOf = (has, labels) => {
      if (resource === NODES) return 1;
      if (resource === "cpu") return Math.ceil((has["cpu"] ?? 0) / 1000) * 1000;
      if (resource === "memory") return has["memory"] ?? 0;
      const counted = GPU_LABELS.some((key) => Object.hasOwn(labels, key) && labels[key] === resource);
      return counted ? (GPU_RESOURCES.map((name) => has[name] ?? 0).find((devices) => devices > 0) ?? 0) : 0;
    };
    return boundOf(
      given,
      { what, resource, most: quota.limits[resource] ?? 0 },
      amount,
      rows,
      given.rooms,
      undefined,
      quota,
    );
  });
}

/** `known`: what is in use as its own status tells it; whichever is more counts. */
function boundOf(
  { index, sizes, has, nominal }: Given,
  bound: Pick<Ceiling, "what" | "resource" | "most">,
  of: AmountOf,
  rows: readonly number[],
  rooms: readonly PoolRoom[],
  known = 0,
  quota?: CapacityQuotaFacts,
): Bound {
  const amounts = new Map(rows.map((row) => [row, of(has(row), index.topology.nodes[row]?.labels ?? {})]));
  const used = Math.max(
    known,
    [...amounts.values()].reduce((sum, amount) => sum + amount, 0),
  );
  const promised = rooms
    .flatMap((room) => room.promised.map((one) => ({ ...one, size: sizes.get(room.pool.name) ?? {} })))
    .filter(({ labels }) => quota === undefined || allowsLabels(quota.selector, labels))
    .reduce((sum, { count, size, labels }) => sum + count * of(size, labels), 0);
  const left = nominal ? bound.most : Math.max(0, bound.most - used - promised);
  return { ceiling: { ...bound, used, promised, left, rows: nominal ? amounts : new Map() }, of };
}
