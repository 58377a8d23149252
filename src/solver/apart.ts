import {
  type ApartTerm,
  allows,
  type Demand,
  mayBeAdded,
  type PodSetDemand,
  type Reason,
  type Requirement,
} from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import { isSameWorkload, namespaceOf } from "./context.ts";
import { plural } from "./text.ts";
import type { TopologyIndex } from "./topology-index.ts";
import { yielding } from "./usage.ts";

/** Node label -> value -> what is said of nodes with it. */
type Places = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Where pods that run keep pods of a set off, by their required anti-affinity (InterPodAffinity's existingAntiAffinityCounts). */
export interface Apart {
  readonly barred: Places;
  /** Where it is not known whether they do, and whose pods these are. */
  readonly unsure: Places;
  /** Equal where the same nodes are barred. */
  readonly key: string;
}

export const NOT_APART: Apart = { barred: new Map(), unsure: new Map(), key: "" };

type Match = "yes" | "no" | "maybe";
type Labels = Readonly<Record<string, string>>;
const NAMESPACE_NAME = "kubernetes.io/metadata.name";

/** Pods of the workload itself are not asked, nor those that only wait for a node and give way. */
export function apartFor(index: TopologyIndex, demand: Demand, set: PodSetDemand): Apart {
  const { topology } = index;
  // The scheduler never sees a pod that names its node.
  if (set.pod.nodeName !== undefined) return NOT_APART;
  const gone = yielding(demand);
  const matches = new Map<ApartTerm, Match>();
  const ours = namespaceOf(demand.workload);
  const labels = set.pod.labels ?? {};
  const namespace = topology.facts.namespace(ours)?.labels;
  const barred = new Map<string, Map<string, string>>();
  const unsure = new Map<string, Map<string, string>>();
  for (const pod of index.apart()) {
    const row = topology.nodeIndex.get(pod.node ?? "");
    const node = row === undefined ? undefined : topology.nodes[row];
    if (node === undefined || isSameWorkload(pod.root, demand.workload) || gone(pod)) continue;
    for (const term of pod.apart ?? []) {
      const match = matches.get(term) ?? selects(term, ours, namespace, labels);
      matches.set(term, match);
      const value = Object.hasOwn(node.labels, term.key) ? node.labels[term.key] : undefined;
      if (match === "no" || value === undefined) continue;
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
function note(places: Map<string, Map<string, string>>, key: string, value: string, tenant: string): void {
  const values = places.get(key) ?? new Map<string, string>();
  places.set(key, values);
  const known = values.get(value);
  if (known === undefined || tenant < known) values.set(value, tenant);
}

function selects(term: ApartTerm, ours: string, namespace: Labels | undefined, labels: Labels): Match {
  const inNamespace = term.namespaces.includes(ours) ? "yes" : inNamespaceOf(term, ours, namespace);
  return inNamespace === "no" ? "no" : every([inNamespace, ...term.labels.map((one) => meets(one, labels))]);
}

/** Every namespace has its name as a label; what others it has is known where it was read. */
function inNamespaceOf({ namespaceLabels }: ApartTerm, ours: string, namespace: Labels | undefined): Match {
  if (namespaceLabels === undefined) return "no";
  const labels: Labels = { ...namespace, [NAMESPACE_NAME]: ours };
  return every(
    namespaceLabels.map((one) => {
      if (namespace === undefined && one.key !== NAMESPACE_NAME) return "maybe";
      return allows(one, Object.hasOwn(labels, one.key) ? labels[one.key] : undefined) ? "yes" : "no";
    }),
  );
}

/** A label that a controller may add is of a value of its own: only whether it is there at all is open. */
function meets(one: Requirement, labels: Labels): Match {
  const value = Object.hasOwn(labels, one.key) ? labels[one.key] : undefined;
  if (value !== undefined || !mayBeAdded(one.key)) return allows(one, value) ? "yes" : "no";
  if (one.absent) return one.complement ? "yes" : "maybe";
  return one.complement ? "maybe" : "no";
}

const every = (all: readonly Match[]): Match => (all.includes("no") ? "no" : all.includes("maybe") ? "maybe" : "yes");

/** Pods that may keep these off nodes that are used. */
export function unsureApart({ board, result }: Attempt): readonly Reason[] {
  if (result.kind !== "found") return [];
  return board.shapes.flatMap(({ apart, name, of }, number) => {
    const rows = (result.counts[number] ?? []).map(({ row }) => row);
    return [...apart.unsure]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([key, values]): Reason[] => {
        const { of: domainOf, names } = board.field.key(key);
        const tenants = rows.flatMap((row) => values.get(names[domainOf[row] ?? -1] ?? "") ?? []);
        if (tenants.length === 0) return [];
        const whose = [...new Set(tenants)].sort()[0] ?? "";
        return [
          {
            code: "NotJudged",
            message: `pods of ${whose} may keep the pods${of} off ${plural(tenants.length, "node")} counted here (required anti-affinity over ${key}), which is not judged: see what its selector says of them`,
            data: { podSet: name },
          },
        ];
      });
  });
}
