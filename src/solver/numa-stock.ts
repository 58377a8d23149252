import { podSetFingerprint, type Resources } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { MOST_ZONES, type NumaRule } from "./numa.ts";
import type { TopologyIndex } from "./topology-index.ts";
import type { Usage } from "./usage.ts";

/** What of one resource lies on which NUMA nodes of a node. A doubt is a sentence in which `%` stands for the nodes. */
export type Stock =
  /** Its amounts have no NUMA node, or nobody hands them out by one. */
  { readonly kind: "loose" } | Laid | { readonly kind: "unclear"; readonly doubt: string };

/** Free amounts sum to `total`, and on each NUMA node are between `least` and `most`. */
export interface Laid {
  readonly kind: "laid";
  /** All that there is, in use or not. */
  readonly sizes: readonly number[];
  readonly least: readonly number[];
  readonly most: readonly number[];
  readonly total: number;
  readonly doubt: string;
}

export interface StockGiven {
  readonly rule: NumaRule;
  readonly row: number;
  readonly resource: string;
  /** What the node has of it, and what of that is free. */
  readonly offered: number;
  readonly left: number;
}

const LOOSE: Stock = { kind: "loose" };
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);
const laid = (sizes: readonly number[], free: readonly number[], doubt = ""): Laid => ({
  kind: "laid",
  sizes,
  least: free,
  most: free,
  total: sum(free),
  doubt,
});

/** `usage`: whose amounts are free in the field; nothing is in use where it is nominal. */
export function stockOf(index: TopologyIndex, usage: Pick<Usage, "moved">, nominal: boolean, given: StockGiven): Stock {
  return given.rule.told === undefined ? declared(given) : told(index, usage, nominal, given);
}

/** In equal parts; of what is in use only how much it is. */
function declared({ rule, resource, offered, left }: StockGiven): Stock {
  if (!resource.includes("/")) return LOOSE;
  const { parts } = rule;
  const sizes = Array.from({ length: parts }, (_, at) => Math.floor(offered / parts) + (at < offered % parts ? 1 : 0));
  const free = Math.max(0, Math.min(left, offered));
  if (free === offered) return laid(sizes, sizes);
  return {
    kind: "laid",
    sizes,
    least: sizes.map(() => 0),
    most: sizes,
    total: free,
    doubt: "which NUMA node the devices in use on % belong to is not known, and a pod's devices must come from one",
  };
}

function told(index: TopologyIndex, usage: Pick<Usage, "moved">, nominal: boolean, given: StockGiven): Stock {
  const { rule, row, resource, offered } = given;
  const listed = (rule.told?.zones ?? []).filter((zone) => Object.hasOwn(zone.resources, resource));
  const [fault] = rule.told?.faults ?? [];
  if (fault !== undefined) return { kind: "unclear", doubt: `the NodeResourceTopology of % ${fault}` };
  const amounts = listed.flatMap((zone) => zone.resources[resource] ?? []);
  const [capacity, allocatable, available] = (["capacity", "allocatable", "available"] as const).map((field) =>
    amounts.map((one) => one[field]),
  ) as [number[], number[], number[]];
  if (sum(capacity) === 0) return LOOSE;
  const device = resource.includes("/");
  // Without a static manager the kubelet has none to hand out, and its podresources API lists none.
  if (!device && sum(allocatable) === 0) return LOOSE;
  if (amounts.length > MOST_ZONES)
    return {
      kind: "unclear",
      doubt: `the NodeResourceTopology of % has ${resource} on ${amounts.length} NUMA nodes, more than are judged (${MOST_ZONES})`,
    };
  const spread = (list: readonly number[]): number[] => {
    let next = 0;
    return (rule.told?.zones ?? []).map((zone) => (Object.hasOwn(zone.resources, resource) ? (list[next++] ?? 0) : 0));
  };
  const sizes = spread(capacity);
  if (nominal) {
    if (!device) return laid(sizes, spread(allocatable));
    if (sum(capacity) === offered) return laid(sizes, sizes);
    if (sum(allocatable) === offered) return laid(sizes, spread(allocatable));
    return uneven(resource, sum(capacity), offered);
  }
  // How few NUMA nodes could hold it is told by all devices, also those that are out of order.
  const there = capacityOf(index, row, resource);
  if (device && there > sum(capacity) && rule.settings.some(({ policy }) => policy === "restricted"))
    return uneven(resource, sum(capacity), there);
  if (device && sum(allocatable) !== offered) return uneven(resource, sum(allocatable), offered);
  const held = device ? heldOf(index, row, resource) : pinnedOn(index, row, resource);
  const moved = usage.moved.get(row);
  const doubt = `the NodeResourceTopology of % counts more or less ${resource} in use than the pods there hold, so on which NUMA nodes the rest is free is not known until it is written again`;
  const counted = held === sum(allocatable) - sum(available);
  // Where nothing is in use it does not matter by whom.
  if (counted && (held === 0 || isForPodsOf(index, given))) {
    if (moved === undefined) return laid(sizes, spread(available));
    if (device) return shifted(given, spread(available), spread(allocatable), sizes, moved, doubt);
  }
  const why = counted ? doubtOfPods(resource) : doubt;
  if (!device) return { kind: "unclear", doubt: why };
  const most = spread(allocatable);
  return { kind: "laid", sizes, least: most.map(() => 0), most, total: clamp(given.left, sum(most)), doubt: why };
}

/** What was told, with pods that count as gone and others that are promised: they may have held, or may take, any of it. */
function shifted(
  { resource, left }: StockGiven,
  available: readonly number[],
  allocatable: readonly number[],
  sizes: readonly number[],
  { gone, promised }: { readonly gone: Resources; readonly promised: Resources },
  doubt: string,
): Laid {
  const [more, less] = [gone[resource] ?? 0, promised[resource] ?? 0];
  return {
    kind: "laid",
    sizes,
    least: available.map((one) => Math.max(0, one - less)),
    most: available.map((one, zone) => Math.min(allocatable[zone] ?? 0, one + more)),
    total: clamp(left, sum(allocatable)),
    doubt: less > 0 ? doubtOfHolds(resource) : doubt,
  };
}

/** Was it written for the pods that are bound to the node now, as far as it says for which. */
function isForPodsOf({ topology }: TopologyIndex, { rule, row }: StockGiven): boolean {
  const { fingerprint } = rule;
  if (fingerprint === undefined) return true;
  return podSetFingerprint((topology.podsOn[row] ?? []).filter(({ nominated }) => !nominated)) === fingerprint;
}

const doubtOfPods = (resource: string): string =>
  `the NodeResourceTopology of % was written for other pods than those that are there now (nodeTopologyPodsFingerprint), so on which NUMA nodes ${resource} is free is not known until it is written again`;

const doubtOfHolds = (resource: string): string =>
  `on which NUMA nodes of % workloads that are promised ${resource} will take it is not known`;

const clamp = (value: number, most: number): number => Math.max(0, Math.min(value, most));

function uneven(resource: string, listed: number, offered: number): Stock {
  return {
    kind: "unclear",
    doubt: `the NodeResourceTopology of % counts ${listed} ${resource} on its NUMA nodes, and the node offers ${offered}`,
  };
}

const heldOf = ({ topology }: TopologyIndex, row: number, resource: string): number =>
  amountIn(topology, topology.ledger.used, row, resource);

const capacityOf = ({ topology }: TopologyIndex, row: number, resource: string): number =>
  amountIn(topology, topology.capacity, row, resource);

function amountIn({ resources, resourceIndex }: Topology, table: Float64Array, row: number, resource: string): number {
  const column = resourceIndex.get(resource);
  return column === undefined ? 0 : (table[row * resources.length + column] ?? 0);
}

/** What static managers have set aside for the pods of the node, if there are such managers. */
function pinnedOn({ topology }: TopologyIndex, row: number, resource: string): number {
  return (topology.podsOn[row] ?? []).reduce((total, pod) => total + (pod.pinned?.[resource] ?? 0), 0);
}
