import { ownTerms, type PodShape, podSpread, unjudgedRules, valueAt } from "../model/index.ts";
import { groupOf, type PodSet, type Workload } from "../workloads/index.ts";

/** What the pods of a set require of where other pods stand, and of volumes and networks. */
export function rulesOf(
  workload: Workload,
  set: PodSet,
): Pick<PodShape, "labels" | "spread" | "terms" | "unjudged" | "hostNetwork"> {
  const { spec } = set.pod;
  const labels = { ...namedLabels(workload), ...set.pod.labels };
  const owner = { spec, labels, namespace: workload.key.namespace || "default", sharedLabel: sharedLabel(set) };
  const terms = ownTerms(owner);
  const unjudged = unjudgedRules(owner);
  return {
    spread: podSpread(owner),
    ...(Object.keys(labels).length === 0 ? {} : { labels }),
    ...(terms.length === 0 ? {} : { terms }),
    ...(unjudged.length === 0 ? {} : { unjudged }),
    ...(valueAt(spec, ["hostNetwork"]) === true ? { hostNetwork: true } : {}),
  };
}

/** By kind: labels with the name of the workload that its controller gives all of its pods. */
const NAMED: ReadonlyMap<string, readonly string[]> = new Map([
  ["batch/Job", ["batch.kubernetes.io/job-name", "job-name"]],
  ["jobset.x-k8s.io/JobSet", ["jobset.sigs.k8s.io/jobset-name"]],
  ["leaderworkerset.x-k8s.io/LeaderWorkerSet", ["leaderworkerset.sigs.k8s.io/name"]],
  ["ray.io/RayCluster", ["ray.io/cluster"]],
]);

function namedLabels({ kind, key }: Workload): Readonly<Record<string, string>> {
  const keys = key.name === "" ? [] : (NAMED.get(`${groupOf(kind.apiVersion)}/${kind.kind}`) ?? []);
  return Object.fromEntries(keys.map((one) => [one, key.name]));
}

/** Labels of one incarnation that tell its groups apart. */
const OF_GROUPS: readonly string[] = ["leaderworkerset.sigs.k8s.io/group-key", "grove.io/podgang"];

const sharedLabel = ({ gangLabel }: PodSet): string | undefined =>
  gangLabel !== undefined && OF_GROUPS.includes(gangLabel) ? undefined : gangLabel;
