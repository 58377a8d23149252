import type { ApartTerm, Demand, PodSetDemand, Reason } from "../model/index.ts";
import type { PodFacts } from "../topology/index.ts";
import type { Attempt } from "./attempt.ts";
import { isSameWorkload, namespaceOf } from "./context.ts";
import type { Counts } from "./distribute.ts";
import { type Match, selectsTemplate } from "./matches.ts";
import type { Shape } from "./shape.ts";
import { plural } from "./text.ts";
import type { TopologyIndex } from "./topology-index.ts";
import { yielding } from "./usage.ts";

/** Node label -> value -> what is said of nodes with it. */
export type Places = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Where pods that run keep pods of a set off, by their required anti-affinity (InterPodAffinity's existingAntiAffinityCounts). */
export interface Apart {
  readonly barred: Places;
  /** Where it is not known whether they do, and whose pods these are. */
  readonly unsure: Places;
  /** Equal where the same nodes are barred. */
  readonly key: string;
}

export const NOT_APART: Apart = { barred: new Map(), unsure: new Map(), key: "" };

/** Pods of others that count as gone, for rules about them over this label. */
export type Spared = (pod: PodFacts, key: string) => boolean;

/** Pods of the workload itself are not asked, nor those that only wait for a node and give way. */
export function apartFor(index: TopologyIndex, demand: Demand, set: PodSetDemand, spared?: Spared): Apart {
  const { topology } = index;
  // The scheduler never sees a pod that names its node.
  if (set.pod.nodeName !== undefined) return NOT_APART;
  const gone = yielding(demand);
  const matches = new Map<ApartTerm, Match>();
  const ours = namespaceOf(demand.workload);
  const labels = set.pod.labels ?? {};
  const barred = new Map<string, Map<string, string>>();
  const unsure = new Map<string, Map<string, string>>();
  for (const pod of index.apart()) {
    const row = topology.nodeIndex.get(pod.node ?? "");
    const node = row === undefined ? undefined : topology.nodes[row];
    if (node === undefined || isSameWorkload(pod.root, demand.workload) || gone(pod)) continue;
    for (const term of pod.apart ?? []) {
      const match = matches.get(term) ?? selectsTemplate(term, topology.facts, ours, labels);
      matches.set(term, match);
      const value = Object.hasOwn(node.labels, term.key) ? node.labels[term.key] : undefined;
      if (match === "no" || value === undefined || spared?.(pod, term.key) === true) continue;
      // A controller makes pods of a DaemonSet for these nodes too, and they wait there.
      const places = match === "yes" && !set.perNode ? barred : unsure;
      note(places, term.key, value, pod.tenant);
    }
  }
  if (barred.size === 0 && unsure.size === 0) return NOT_APART;
  const told = (tenant: string, key: string): string =>
    `pods of ${tenant} keep these pods off (required anti-affinity over ${key})`;
  const texts = [...barred].map(([key, values]): [string, Map<string, string>] => [
    key,
    new Map([...values].map(([value, tenant]) => [value, told(tenant, key)])),
  ]);
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1));
  const key = sorted.map(([label, values]) => [label, [...values].sort(([a], [b]) => (a < b ? -1 : 1))]);
  return { barred: new Map(sorted), unsure, key: key.length === 0 ? "" : JSON.stringify(key) };
}

/** Of several tenants the first by name is told, whatever order pods come in. */
export function note(places: Map<string, Map<string, string>>, key: string, value: string, tenant: string): void {
  const values = places.get(key) ?? new Map<string, string>();
  places.set(key, values);
  const known = values.get(value);
  if (known === undefined || tenant < known) values.set(value, tenant);
}

/** Pods that may keep these off nodes that are used. */
export function unsureApart({ board, result }: Attempt): readonly Reason[] {
  if (result.kind !== "found") return [];
  return board.shapes.flatMap((shape, number) => [
    ...unsureOn(board, shape, shape.apart.unsure, result.counts[number] ?? [], "may keep"),
    ...unsureOn(board, shape, shape.company.unsure, result.counts[number] ?? [], "may be such as keep"),
  ]);
}

function unsureOn(
  { field }: Attempt["board"],
  { name, of }: Shape,
  unsure: Places,
  counts: Counts,
  how: string,
): readonly Reason[] {
  const rows = counts.map(({ row }) => row);
  return [...unsure]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([key, values]): Reason[] => {
      const { of: domainOf, names } = field.key(key);
      const tenants = rows.flatMap((row) => values.get(names[domainOf[row] ?? -1] ?? "") ?? []);
      if (tenants.length === 0) return [];
      const whose = [...new Set(tenants)].sort()[0] ?? "";
      return [
        {
          code: "NotJudged",
          message: `pods of ${whose} ${how} the pods${of} off ${plural(tenants.length, "node")} counted here (required anti-affinity over ${key}), which is not judged: see what its selector says of them`,
          data: { podSet: name },
        },
      ];
    });
}
