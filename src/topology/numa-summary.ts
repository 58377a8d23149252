import { type NumaPolicy, podSetFingerprint } from "../model/index.ts";
import type { Topology } from "./types.ts";

/** Nodes whose Topology Manager hands out a resource in one way, by their NodeResourceTopologies, for people to look at. */
export interface NumaSummary {
  readonly policy: NumaPolicy | undefined;
  readonly scope: string | undefined;
  readonly nodes: number;
  /** The most that is free on one NUMA node, and on how many nodes it is so much; most first. */
  readonly free: readonly { readonly amount: number; readonly nodes: number }[];
  /** Nodes whose object counts more or less in use than their pods hold, was written for other pods, or cannot be read. */
  readonly stale: readonly string[];
}

/** By policy and scope, for an extended resource or any other column. */
export function numaSummary(
  { facts, ledger, nodes, nodeIndex, podsOn, resources, resourceIndex }: Topology,
  resource: string,
): readonly NumaSummary[] {
  const groups = new Map<string, { head: Pick<NumaSummary, "policy" | "scope">; free: number[]; stale: string[] }>();
  for (const node of nodes) {
    const told = facts.numa?.get(node.name);
    const amounts =
      told?.zones.flatMap((zone) =>
        Object.hasOwn(zone.resources, resource) ? (zone.resources[resource] ?? []) : [],
      ) ?? [];
    if (told === undefined || amounts.length === 0) continue;
    const { policy, scope } = told;
    const key = `${policy}/${scope}`;
    const group = groups.get(key) ?? { head: { policy, scope }, free: [], stale: [] };
    groups.set(key, group);
    const row = nodeIndex.get(node.name) ?? -1;
    const held = ledger.used[row * resources.length + (resourceIndex.get(resource) ?? Number.NaN)] ?? 0;
    const counted = amounts.reduce((sum, one) => sum + one.allocatable - one.available, 0);
    const bound = (podsOn[row] ?? []).filter(({ nominated }) => !nominated);
    // Where pods that have ended may count, nothing follows from another fingerprint.
    const outdated = told.pods?.ended === false && told.pods.fingerprint !== podSetFingerprint(bound);
    if (told.faults.length > 0 || held !== counted || outdated) group.stale.push(node.name);
    else group.free.push(Math.max(...amounts.map(({ available }) => available)));
  }
  return [...groups.values()].map(({ head, free, stale }) => ({
    ...head,
    nodes: free.length + stale.length,
    free: [...new Set(free)]
      .sort((a, b) => b - a)
      .map((amount) => ({ amount, nodes: free.filter((one) => one === amount).length })),
    stale,
  }));
}
