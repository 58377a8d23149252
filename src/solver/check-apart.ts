import { type ApartTerm, allows, type Demand, mayBeAdded } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { isOwn, type Laid } from "./checker.ts";

/** InterPodAffinity: no pod comes to where the required anti-affinity of one that runs selects it. What is not known of either is no fault. */
export function checkApart(topology: Topology, demand: Demand, { set, placed }: Laid, faults: string[]): void {
  if (set.perNode || set.pod.nodeName !== undefined || placed.length === 0) return;
  const lowest = Math.min(...demand.podSets.map(({ pod }) => pod.priority));
  const bound = demand.workload.namespace || "default";
  for (const other of topology.lookups?.apart() ?? topology.pods) {
    const node = other.apart === undefined ? undefined : topology.nodes[topology.nodeIndex.get(other.node ?? "") ?? -1];
    if (node === undefined || isOwn(other.root, demand) || (other.nominated && other.priority < lowest)) continue;
    for (const term of other.apart ?? []) {
      const value = Object.hasOwn(node.labels, term.key) ? node.labels[term.key] : undefined;
      const near = placed.filter(({ host }) => value !== undefined && value === ownLabel(host.labels, term.key));
      if (near.length === 0 || !reaches(term, topology, bound) || !selects(term, set.pod.labels ?? {})) continue;
      for (const { host } of near) faults.push(`${set.name} on ${host.name}: ${other.key.name} keeps it off`);
    }
  }
}

const ownLabel = (labels: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

function reaches({ namespaces, namespaceLabels }: ApartTerm, { facts }: Topology, namespace: string): boolean {
  if (namespaces.includes(namespace)) return true;
  const labels = facts.namespace(namespace)?.labels;
  return (
    namespaceLabels?.every((one) =>
      one.key === "kubernetes.io/metadata.name"
        ? allows(one, namespace)
        : labels !== undefined && allows(one, ownLabel(labels, one.key)),
    ) === true
  );
}

function selects({ labels: selector }: ApartTerm, labels: Readonly<Record<string, string>>): boolean {
  return selector.every((one) => {
    const value = ownLabel(labels, one.key);
    const open = value === undefined && !one.complement && mayBeAdded(one.key);
    return !open && allows(one, value);
  });
}
