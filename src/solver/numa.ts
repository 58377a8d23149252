import type { CapacityPool } from "../model/index.ts";
import type { Shape } from "./shape.ts";
import type { TopologyIndex } from "./topology-index.ts";

/** How the kubelet's Topology Manager hands out devices on a node. */
export type NumaRule = NonNullable<CapacityPool["node"]["numa"]>;

/** The rule of each existing node by the pool that it belongs to; undefined where no pool declares one. */
export function numaOf(
  index: TopologyIndex,
  pools: readonly CapacityPool[],
): ReadonlyMap<number, NumaRule> | undefined {
  const rules = new Map<number, NumaRule>();
  for (const { node, members } of pools) {
    if (node.numa === undefined || members.size === 0) continue;
    for (const row of index.matching(members)) if (!rules.has(row)) rules.set(row, node.numa);
  }
  return rules.size === 0 ? undefined : rules;
}

/** Resources that device plugins count, by which pods are held to NUMA nodes. */
export const numaNeeds = (shape: Shape): Shape["needs"] =>
  shape.needs.filter(({ resource, amount }) => resource.includes("/") && Number.isInteger(amount));

/**
 * Pods of `each` devices that a node with `total` devices, `free` of them free, admits. Which NUMA nodes the devices in use belong to is not known:
 * `least` is what every distribution leaves room for, `most` what some does. A pod's devices come from as few NUMA nodes as hold so many.
 */
export function numaPods(
  rule: NumaRule,
  total: number,
  free: number,
  each: number,
): { readonly least: number; readonly most: number } {
  const sizes = Array.from(
    { length: rule.nodes },
    (_, node) => Math.floor(total / rule.nodes) + (node < total % rule.nodes ? 1 : 0),
  );
  if (each <= (sizes[0] ?? 0)) return extremes(sizes, Math.max(0, Math.min(free, total)), each);
  if (rule.policy === "single-numa-node") return { least: 0, most: 0 };
  // Wider than one NUMA node: where it takes all of them, any devices do; else it is known of an empty node only.
  const pods = Math.floor(free / each);
  const wide = Math.ceil(each / Math.max(1, sizes[0] ?? 1));
  if (wide >= rule.nodes) return { least: pods, most: pods };
  return { least: free >= total ? Math.min(pods, Math.floor(rule.nodes / wide)) : 0, most: pods };
}

/** The fewest and the most pods over all ways in which `free` devices can lie on NUMA nodes of these sizes. */
function extremes(sizes: readonly number[], free: number, each: number): { least: number; most: number } {
  let least = new Map([[0, 0]]);
  let most = new Map([[0, 0]]);
  for (const size of sizes) {
    const [fewer, more] = [new Map<number, number>(), new Map<number, number>()];
    for (const [sum, pods] of least) {
      const best = most.get(sum) ?? 0;
      for (let here = 0; here <= size && sum + here <= free; here += 1) {
        const own = Math.floor(here / each);
        fewer.set(sum + here, Math.min(fewer.get(sum + here) ?? Number.POSITIVE_INFINITY, pods + own));
        more.set(sum + here, Math.max(more.get(sum + here) ?? 0, best + own));
      }
    }
    least = fewer;
    most = more;
  }
  return { least: least.get(free) ?? 0, most: most.get(free) ?? 0 };
}
