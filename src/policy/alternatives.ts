import { atLeast, DEFAULT_SCHEDULER, isKubeScheduler, type Platform, type Rung, stringAt } from "../model/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";

/** Who has to read a claim. */
export interface ClaimReaders {
  readonly platform: Platform;
  readonly source: Rung["source"];
  readonly workload: Workload;
  readonly set: PodSet;
}

/**
 * Why requests with alternatives (`firstAvailable`, KEP-4816) would not be understood everywhere; undefined where they are. Without them a claim has
 * constraints, but no preferences.
 */
export function whyNoAlternatives({ platform, source, workload, set }: ClaimReaders): string | undefined {
  const { kubernetes, autoscaler } = platform;
  const { major, minor } = kubernetes.version;
  if (!atLeast(kubernetes.version, 1, 34)) return `Kubernetes ${major}.${minor} reads none`;
  if (kubernetes.featureGates["DRAPrioritizedList"] === false) return "DRAPrioritizedList is off here";
  if (workload.queue !== undefined) return "Kueue admits no workload that has one";
  const scheduler = stringAt(set.pod.spec, ["schedulerName"]) ?? DEFAULT_SCHEDULER;
  if (!isKubeScheduler(platform, scheduler)) return `scheduler ${scheduler} is not known to read it`;
  const old = autoscaler.version === undefined || !atLeast(autoscaler.version, 1, 15);
  if (source === "new" && autoscaler.kind === "karpenter" && old)
    return "Karpenter before 1.15 makes no node for a pod that has one";
  return undefined;
}
