import { allowsLabels, type CapacityPool } from "../model/index.ts";
import type { Host, Laid } from "./checker.ts";

/**
 * Devices of a plugin on a node whose kubelet takes those of a pod from one NUMA node: does some order of the sets let the pods of each go there however the
 * devices that are left by then lie. Ways to lie are listed; nodes on which devices do not divide evenly are left to the search.
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
  const crowds = laid.flatMap(({ set, step, placed }) => {
    const each = (set.pod.requests[resource] ?? 0) + (step.addedRequests[resource] ?? 0);
    const pods = placed.reduce((sum, one) => sum + (one.host === host ? one.pods : 0), 0);
    return pods === 0 || each === 0 ? [] : [{ name: set.name, each, pods }];
  });
  const admits = ({ each, pods }: (typeof crowds)[number], free: number): boolean =>
    (each > size && numa.policy === "restricted") ||
    ways(numa.nodes, size, Math.max(0, Math.min(free, offered))).every(
      (lies) => lies.reduce((sum, one) => sum + Math.floor(one / each), 0) >= pods,
    );
  const inTurn = (waiting: typeof crowds, free: number): boolean =>
    waiting.length === 0 ||
    waiting.some(
      (one) =>
        admits(one, free) &&
        inTurn(
          waiting.filter((other) => other !== one),
          free - one.each * one.pods,
        ),
    );
  if (inTurn(crowds, left)) return;
  const named = crowds.find((one) => !admits(one, left)) ?? crowds.at(-1);
  faults.push(`${host.name} may have no NUMA node with ${named?.each} ${resource} free for ${named?.name}`);
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
