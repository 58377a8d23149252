import {
  type Assignment,
  allows,
  allowsLabels,
  type Requirement,
  type Requirements,
  type Taint,
} from "../model/index.ts";
import type { NodePoolFacts, Topology } from "../topology/index.ts";
import type { SolveContext } from "./context.ts";

type Pool = SolveContext["pools"][number];
type Holds = SolveContext["holds"];
type Node = Topology["nodes"][number];

/** Nodes of a pool in one zone beyond those on their way there, for others and in all. */
interface Made {
  readonly pool: Pool;
  readonly labels: Readonly<Record<string, string>>;
  readonly before: number;
  readonly after: number;
}

/** May the pools add what the assignment takes of them: their own maxima, the limits of NodePools, CapacityQuotas. `holds`: those of others. */
export function checkSupply(
  topology: Topology,
  assignment: Assignment,
  context: SolveContext,
  holds: Holds,
  faults: string[],
): void {
  const made = context.pools.flatMap((pool) => checkMaximum(topology, pool, assignment, holds, faults));
  for (const nodePool of topology.nodePools) checkNodePool(topology, context, nodePool, made, faults);
  const { kind } = context.platform.autoscaler;
  if (kind === "cluster-autoscaler" || kind === "gke" || kind === "aks") checkQuotas(topology, context, made, faults);
}

function checkMaximum(
  topology: Topology,
  pool: Pool,
  assignment: Assignment,
  holds: Holds,
  faults: string[],
): readonly Made[] {
  const added = assignment.newNodes.filter((one) => one.pool === pool.name);
  const held = holds.flatMap((hold) => hold.newNodes).filter((one) => one.pool === pool.name);
  const count = (list: typeof held): number => list.reduce((sum, one) => sum + one.count, 0);
  const present = membersOf(topology, pool);
  const coming = present.filter(isComing);
  const most = Math.max(Math.min(pool.maxNodes, pool.reservation?.nodes ?? Number.POSITIVE_INFINITY), present.length);
  const zones = pool.zones.length === 0 ? [""] : pool.zones.filter((zone) => isMadeIn(topology, pool, zone)).sort();
  const zoneKey = topology.layout.levels.find(({ name }) => name === "zone")?.key ?? "topology.kubernetes.io/zone";
  const made = zones.map((zone): Made => {
    const here = coming.filter(({ labels }) => {
      return zone === "" || (labels[zoneKey] ?? labels["topology.kubernetes.io/zone"]) === zone;
    }).length;
    const owed = count(held.filter((one) => one.zone === zone || (zone === zones[0] && !zones.includes(one.zone))));
    const own = count(added.filter((one) => one.zone === zone));
    const zoned = zone === "" ? {} : { [zoneKey]: zone, "topology.kubernetes.io/zone": zone };
    const labels = { "kubernetes.io/os": "linux", ...labelsOfNew(topology, pool), ...zoned };
    return { pool, labels, before: Math.max(0, owed - here), after: Math.max(0, owed + own - here) };
  });
  const maker = makerOf(pool);
  const grows = made.some(({ before, after }) => after > before);
  if (grows && maker !== undefined && topology.nodePools.length > 0 && !topology.facts.unread?.has("NodePool"))
    if (!topology.nodePools.some(({ name }) => name === maker))
      faults.push(`NodePool ${maker}, which makes the nodes of pool ${pool.name}, is not there`);
  if (count(added) > 0) {
    const total = present.length - coming.length + count(held) + count(added);
    const [before, after] = [
      made.reduce((sum, one) => sum + one.before, 0),
      made.reduce((sum, one) => sum + one.after, 0),
    ];
    if (total > most || present.length + after > Math.max(most, present.length + before))
      faults.push(
        `pool ${pool.name} would have ${Math.max(total, present.length + after)} nodes, and may have ${most}`,
      );
  }
  return made;
}

function membersOf({ nodes }: Topology, { members }: Pool): readonly Node[] {
  return members.size === 0 ? [] : nodes.filter(({ labels }) => allowsLabels(members, labels));
}

/** Whoever made the node says that it has not started yet. */
export function isComing({ labels, taints }: Pick<Node, "labels" | "taints">): boolean {
  const marks = ["karpenter.sh/unregistered", "node.cloudprovider.kubernetes.io/uninitialized"];
  const prefixed = /^(?:startup|ignore)-taint\.cluster-autoscaler\.kubernetes\.io\//;
  const begun = labels["karpenter.sh/registered"] !== undefined && labels["karpenter.sh/initialized"] !== "true";
  return begun || taints.some(({ key }) => marks.includes(key) || prefixed.test(key));
}

/** The name of the NodePool that makes the pool's nodes. */
function makerOf({ node, members }: Pool): string | undefined {
  const label = node.labels["karpenter.sh/nodepool"];
  const member = members.get("karpenter.sh/nodepool");
  return label ?? (member?.complement === false && member.values.length === 1 ? member.values[0] : undefined);
}

/** Taints of a new node that stay: those that its NodePool takes away again are none. */
export function lastingTaints({ nodePools }: Topology, pool: Pool): readonly Taint[] {
  const maker = nodePools.find(({ name }) => name === makerOf(pool));
  const text = ({ key, effect }: Taint): string => `${key}:${effect}`;
  const passing = new Set((maker?.startupTaints ?? []).map(text));
  const own = pool.node.taints.filter((one) => !passing.has(text(one)));
  return [...(maker?.taints ?? []).filter((one) => !own.some((other) => text(other) === text(one))), ...own];
}

/** Labels of a new node, without its zone: where its NodePool says otherwise than the pool, the NodePool is right. */
export function labelsOfNew({ nodePools }: Topology, pool: Pool): Readonly<Record<string, string>> {
  const maker = nodePools.find(({ name }) => name === makerOf(pool));
  const kept = Object.entries(pool.node.labels).filter(([key, value]) => {
    const asked = maker?.requirements.get(key);
    return asked === undefined || allows(asked, value);
  });
  const name = maker === undefined ? {} : { "karpenter.sh/nodepool": maker.name };
  return { ...Object.fromEntries(kept), ...maker?.labels, ...name };
}

/** Labels that the NodePool puts on every node that it makes of the pool, with a value of its choice. */
export function stampedOn({ nodePools }: Topology, pool: Pool): readonly Requirement[] {
  const maker = nodePools.find(({ name }) => name === makerOf(pool));
  return [...(maker?.requirements.values() ?? [])].filter(({ absent }) => !absent);
}

/** Has such a label no value that these requirements allow. */
export function forbids(term: Requirements, stamped: Requirement): boolean {
  const asked = term.get(stamped.key);
  if (asked === undefined) return false;
  if (!stamped.complement) return !stamped.values.some((value) => allows(asked, value));
  // Any value but some: none is left only where the pod lists those alone, or none at all.
  return !asked.complement && !asked.values.some((value) => allows(stamped, value));
}

/** May a new node have a label that its NodePool asks of it with more than one value. */
export function leavesOpen({ nodePools }: Topology, pool: Pool, label: string): boolean {
  return nodePools.find(({ name }) => name === makerOf(pool))?.requirements.has(label) === true;
}

/** Does its NodePool make nodes in the zone. */
export function isMadeIn({ nodePools }: Topology, pool: Pool, zone: string): boolean {
  const asked = nodePools.find(({ name }) => name === makerOf(pool))?.requirements.get("topology.kubernetes.io/zone");
  return asked === undefined || allows(asked, zone);
}

/** What a node of the pool has in all. */
function wholeOf(topology: Topology, pool: Pool, resource: string): number {
  const declared = pool.node.capacity?.[resource];
  if (declared !== undefined) return declared;
  const usable = pool.node.allocatable[resource] ?? 0;
  const least = resource === "cpu" ? Math.ceil(usable / 1000) * 1000 : usable;
  const seen = membersOf(topology, pool).filter((node) => !isComing(node));
  return Math.max(least, ...seen.map(({ capacity }) => capacity[resource] ?? 0));
}

/** What a node that is there has in all, or will have once it has started. */
function wholeOfNode(topology: Topology, { pools }: SolveContext, node: Node, resource: string): number {
  const own = node.capacity[resource] ?? 0;
  const pool = isComing(node)
    ? pools.findLast(({ members }) => members.size > 0 && allowsLabels(members, node.labels))
    : undefined;
  return pool === undefined ? own : Math.max(own, wholeOf(topology, pool, resource));
}

function checkNodePool(
  topology: Topology,
  context: SolveContext,
  { name, limits, used, replicas, ready }: NodePoolFacts,
  made: readonly Made[],
  faults: string[],
): void {
  const own = made.filter(({ pool }) => makerOf(pool) === name);
  if (own.every(({ before, after }) => after <= before)) return;
  if (replicas !== undefined) faults.push(`NodePool ${name} keeps to its replicas`);
  if (!ready) faults.push(`NodePool ${name} is not ready`);
  const nodes = topology.nodes.filter(({ labels }) => labels["karpenter.sh/nodepool"] === name);
  for (const [resource, most] of Object.entries(limits)) {
    const counted = resource === "nodes";
    const standing = nodes.reduce(
      (sum, node) => sum + (counted ? 1 : wholeOfNode(topology, context, node, resource)),
      0,
    );
    const more = own.reduce(
      (sum, { pool, after }) => sum + after * (counted ? 1 : wholeOf(topology, pool, resource)),
      0,
    );
    const total = Math.max(standing, used[resource] ?? 0) + more;
    if (total > most) faults.push(`NodePool ${name} would have ${total} ${resource}, and may have ${most}`);
  }
}

function checkQuotas(topology: Topology, context: SolveContext, made: readonly Made[], faults: string[]): void {
  for (const { name, selector, limits, enforced } of topology.capacityQuotas) {
    const own = made.filter(({ labels }) => allowsLabels(selector, labels));
    for (const [resource, most] of enforced ? Object.entries(limits) : []) {
      const size = (labels: Readonly<Record<string, string>>, whole: (resource: string) => number): number => {
        if (resource === "nodes") return 1;
        if (resource === "cpu") return Math.ceil(whole("cpu") / 1000) * 1000;
        if (resource === "memory") return whole("memory");
        const types = [
          labels["k8s.amazonaws.com/accelerator"],
          labels["cloud.google.com/gke-accelerator"],
          labels["kubernetes.azure.com/accelerator"],
          labels["accelerator"],
          labels["cluster-api/accelerator"],
        ];
        if (!types.includes(resource)) return 0;
        return whole("nvidia.com/gpu") || whole("amd.com/gpu") || whole("microsoft.com/directx");
      };
      let total = 0;
      let grows = false;
      for (const node of topology.nodes)
        if (allowsLabels(selector, node.labels))
          total += size(node.labels, (one) => wholeOfNode(topology, context, node, one));
      for (const { pool, labels, before, after } of own) {
        const each = size(labels, (one) => wholeOf(topology, pool, one));
        total += after * each;
        grows ||= each > 0 && after > before;
      }
      if (grows && total > most)
        faults.push(`CapacityQuota ${name} would have ${total} ${resource}, and may have ${most}`);
    }
  }
}
