import { allowsLabels, type CapacityPool } from "../model/index.ts";
import type { Host, Laid } from "./checker.ts";

/**
 * Devices of a plugin on a node whose kubelet takes those of a pod from one NUMA node: do the pods of each set go there however the devices that are left lie.
 * Ways to lie are listed; nodes on which devices do not divide evenly are left to the search.
 */
export function checkNuma(
  pools: readonly CapacityPool[],
  host: Host,
  resource: string,
  { offered, left }: { readonly offered: number; readonly left: number },
  laid: readonly Laid[],
  faults: string[],
): void {
  const own = host.pool ?? pools.find(({ node, members }) => node.numa !== undefined && belongs(members, host));
  const numa = own?.node.numa;
  if (numa === undefined || !resource.includes("/") || offered % numa.nodes !== 0) return;
  const size = offered / numa.nodes;
  for (const { set, step, placed } of laid) {
    const each = (set.pod.requests[resource] ?? 0) + (step.addedRequests[resource] ?? 0);
    const pods = placed.reduce((sum, one) => sum + (one.host === host ? one.pods : 0), 0);
    if (pods === 0 || each === 0 || (each > size && numa.policy === "restricted")) continue;
    const lies = ways(numa.nodes, size, Math.min(left, offered));
    const worst = Math.min(...lies.map((free) => free.reduce((sum, one) => sum + Math.floor(one / each), 0)));
    if (pods > worst) faults.push(`${host.name} may have no NUMA node with ${each} ${resource} free for ${set.name}`);
  }
}

const belongs = (members: CapacityPool["members"], host: Host): boolean =>
  host.node !== undefined && members.size > 0 && allowsLabels(members, host.labels);

/** Every multiset of `parts` numbers up to `size` with this sum. */
function ways(parts: number, size: number, sum: number): readonly (readonly number[])[] {
  if (parts === 0) return sum === 0 ? [[]] : [];
  const found: (readonly number[])[] = [];
  for (let first = Math.min(size, sum); first * parts >= sum; first -= 1) {
    for (const rest of ways(parts - 1, first, sum - first)) found.push([first, ...rest]);
    if (first === 0) break;
  }
  return found;
}
