import { podRequests, unitsText } from "../../src/model/index.ts";
import type { PodSet } from "../../src/workloads/index.ts";

/** A pod set in words: `workers (worker): 4 pods, minimum 2, peak 8, in groups of 2, each 8 GPUs, 64Gi`. */
export function sentence(set: PodSet): string {
  const requests = podRequests(set.pod.spec);
  const parts = [
    set.perNode ? "one pod per node" : `${set.count} ${set.count === 1 ? "pod" : "pods"}`,
    set.minimum === undefined ? "" : `minimum ${set.minimum}`,
    set.peak === set.count ? "" : `peak ${set.peak}`,
    set.groupSize === undefined ? "" : `in groups of ${set.groupSize}`,
    requests["nvidia.com/gpu"] === undefined ? "no GPU" : `each ${requests["nvidia.com/gpu"]} GPU`,
    requests["cpu"] === undefined ? "" : `cpu ${unitsText("cpu", requests["cpu"])}`,
    requests["memory"] === undefined ? "" : `memory ${unitsText("memory", requests["memory"])}`,
  ];
  return `${set.name} (${set.role}): ${parts.filter(Boolean).join(", ")}`;
}
