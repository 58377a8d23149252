import { type Contract, type PodShape, podSpread, unjudgedRules, valueAt } from "../model/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";
import type { Catalogue } from "./types.ts";

/** What the pods of a set require of where other pods stand, and of volumes and networks. */
export function rulesOf(
  { key: { namespace } }: Workload,
  { pod }: PodSet,
  { topology }: Contract,
  { layout }: Catalogue,
): Pick<PodShape, "labels" | "spread" | "unjudged" | "hostNetwork"> {
  const owner = { spec: pod.spec, labels: pod.labels, namespace: namespace || "default" };
  const shared = topology === undefined || topology.mode === "preferred" ? [] : [topology.level, topology.within];
  const keys = layout.levels.filter(({ name }) => shared.includes(name)).map(({ key }) => key);
  const unjudged = unjudgedRules(owner, keys);
  return {
    spread: podSpread(owner),
    ...(Object.keys(pod.labels).length === 0 ? {} : { labels: pod.labels }),
    ...(unjudged.length === 0 ? {} : { unjudged }),
    ...(valueAt(pod.spec, ["hostNetwork"]) === true ? { hostNetwork: true } : {}),
  };
}
