import type { Demand, HostPort, Resources } from "../model/index.ts";
import type { PodFacts } from "../topology/index.ts";
import { consumed } from "./consume.ts";
import { isSameWorkload, type SolveContext } from "./context.ts";
import type { TopologyIndex } from "./topology-index.ts";

/**
 * What others use, from this workload's point of view: the ledger without its own pods and claims and without pods that are only nominated and give
 * way to it, with the holds of others.
 */
export interface Usage {
  /** nodes x topology.resources; the ledger itself where nothing differs. */
  readonly used: Float64Array;
  /** Nodes of which it is not the ledger's. */
  readonly touched: ReadonlySet<number>;
  /** Of those: what pods hold there that count as gone, and what is promised to others. */
  readonly moved: ReadonlyMap<number, { readonly gone: Resources; readonly promised: Resources }>;
  /** Looked up once they are asked for. */
  devices(): DeviceUsage;
  /** Host ports taken on a node. */
  ports(node: number): ReadonlySet<HostPort>;
}

/** What others use of devices. */
export interface DeviceUsage {
  /** By device number; not to be written to. */
  readonly used: Uint8Array;
  /** Nodes with devices of which that is not as the ledger has it. */
  readonly touched: ReadonlySet<number>;
  /** Devices that several claims may share, by number: what claims of others use of each capacity. */
  readonly shares: ReadonlyMap<number, Readonly<Record<string, bigint>>>;
}

/** `preempted`: pods of others that count as gone. */
export function usageFor(
  index: TopologyIndex,
  demand: Demand,
  context: SolveContext,
  preempted?: (pod: PodFacts) => boolean,
): Usage {
  const { topology } = index;
  const own = demand.workload;
  const width = topology.resources.length;
  let used = topology.ledger.used;
  const moved = new Map<number, { readonly gone: Record<string, number>; readonly promised: Record<string, number> }>();
  const charge = (node: number, requests: Resources, pods: number): void => {
    if (used === topology.ledger.used) used = used.slice();
    const here = moved.get(node) ?? { gone: Object.create(null), promised: Object.create(null) };
    moved.set(node, here);
    const sums = pods < 0 ? here.gone : here.promised;
    for (const [name, amount] of Object.entries(requests)) {
      sums[name] = (sums[name] ?? 0) + amount * Math.abs(pods);
      const column = topology.resourceIndex.get(name);
      if (column !== undefined) used[node * width + column] = (used[node * width + column] ?? 0) + amount * pods;
    }
  };
  const given = yielding(demand);
  const gone = (pod: PodFacts): boolean => isSameWorkload(pod.root, own) || given(pod) || preempted?.(pod) === true;
  // Without preemption only these can be gone, and they are at hand.
  const near = preempted === undefined ? new Set([...index.podsOfRoot(own), ...index.nominated()]) : topology.pods;
  for (const pod of near) {
    const node = pod.node === undefined || !gone(pod) ? undefined : topology.nodeIndex.get(pod.node);
    if (node !== undefined) charge(node, pod.requests, -1);
  }
  const holds = context.holds.filter((hold) => !isSameWorkload(hold.workload, own));
  const promised = new Map<number, readonly HostPort[]>();
  for (const placed of holds.flatMap((hold) => hold.placed)) {
    const node = topology.nodeIndex.get(placed.node);
    if (node === undefined) continue;
    charge(node, placed.requests, placed.pods);
    if (placed.hostPorts !== undefined) promised.set(node, [...(promised.get(node) ?? []), ...placed.hostPorts]);
  }
  let devices: DeviceUsage | undefined;
  return {
    used,
    touched: new Set(moved.keys()),
    moved,
    devices() {
      devices ??= deviceUsage(index, demand, holds);
      return devices;
    },
    ports(node) {
      const ports = new Set<HostPort>();
      for (const pod of topology.podsOn[node] ?? []) if (!gone(pod)) for (const port of pod.hostPorts) ports.add(port);
      for (const port of promised.get(node) ?? []) ports.add(port);
      return ports;
    },
  };
}

/**
 * Pods that preempted others to be let onto a node, and wait there: kube-scheduler keeps their room from pods of a lower priority, and from no
 * others (addGENominatedPods). Of pods of several priorities the lowest counts.
 */
export function yielding({ podSets }: Demand): (pod: PodFacts) => boolean {
  const lowest = Math.min(...podSets.map(({ pod }) => pod.priority));
  return ({ nominated, priority }) => nominated && priority < lowest;
}

function deviceUsage(index: TopologyIndex, demand: Demand, holds: SolveContext["holds"]): DeviceUsage {
  const { topology } = index;
  if (topology.devicePools.length === 0) return { used: new Uint8Array(0), touched: new Set(), shares: new Map() };
  const table = index.devices;
  let used = index.deviceIndex.used();
  const ledger = used;
  const touched = new Set<number>();
  const mark = (key: string, value: number): void => {
    const id = table.numberOf(key);
    if (id === undefined || used[id] === value) return;
    if (used === ledger) used = used.slice();
    used[id] = value;
    touched.add(table.rowOf(id));
  };
  for (const claim of index.claimsOfRoot(demand.workload))
    if (!claim.adminAccess) for (const key of claim.devices) mark(key, 0);
  for (const hold of holds) for (const placed of hold.placed) for (const key of placed.devices) mark(key, 1);
  return { used, touched, shares: table.shared ? sharesOf(index, demand, holds) : new Map() };
}

function sharesOf(index: TopologyIndex, demand: Demand, holds: SolveContext["holds"]): DeviceUsage["shares"] {
  const { numberOf, devices } = index.devices;
  const result = new Map<number, Record<string, bigint>>();
  const sharedId = (key: string): number | undefined => {
    const id = numberOf(key);
    return id !== undefined && devices[id]?.allowMultipleAllocations === true ? id : undefined;
  };
  const sumsOf = (id: number): Record<string, bigint> => {
    const known = result.get(id);
    if (known !== undefined) return known;
    const sums: Record<string, bigint> = Object.create(null);
    result.set(id, sums);
    return sums;
  };
  for (const claim of index.topology.claims) {
    if (claim.adminAccess || (claim.root !== undefined && isSameWorkload(claim.root, demand.workload))) continue;
    // A claim may have several shares of one device.
    for (const key of new Set(claim.devices)) {
      const id = sharedId(key);
      if (id === undefined) continue;
      const sums = sumsOf(id);
      for (const share of claim.shares ?? [])
        if (share.device === key) for (const [name, amount] of Object.entries(share.consumed)) add(sums, name, amount);
    }
  }
  for (const placed of holds.flatMap((hold) => hold.placed))
    for (const [at, key] of placed.devices.entries()) {
      const id = sharedId(key);
      if (id === undefined) continue;
      const sums = sumsOf(id);
      const capacities = devices[id]?.capacities ?? [];
      const use = consumed(capacities, placed.capacities?.[at]);
      // Of a device that is no longer what it was when it was promised nothing is left.
      for (const [index, { name, nano }] of capacities.entries())
        add(sums, name, use.kind === "uses" ? (use.amounts[index] ?? 0n) : nano);
    }
  return result;
}

function add(sums: Record<string, bigint>, name: string, amount: bigint): void {
  sums[name] = (sums[name] ?? 0n) + amount;
}
