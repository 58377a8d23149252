import type { Requirements } from "./requirement.ts";
import type { Resources, Taint, Toleration } from "./scheduling.ts";

/** Kueue's objects, as far as they say whether and on which flavor a workload is let in. Amounts are in the scheduler's units. */
export interface QueueFacts {
  localQueue(namespace: string, name: string): LocalQueueFacts | undefined;
  clusterQueue(name: string): ClusterQueueFacts | undefined;
  clusterQueues(): Iterable<ClusterQueueFacts>;
  flavor(name: string): FlavorFacts | undefined;
  cohort(name: string): CohortFacts | undefined;
  cohorts(): Iterable<CohortFacts>;
}

/** None, Hold or HoldAndDrain. */
export type StopPolicy = string;

export interface LocalQueueFacts {
  readonly clusterQueue: string;
  readonly stop: StopPolicy;
}

export interface ClusterQueueFacts {
  readonly name: string;
  readonly cohort: string | undefined;
  /** Labels of namespaces whose workloads it takes; undefined: of none. */
  readonly namespaces: Requirements | undefined;
  readonly stop: StopPolicy;
  /** whenCanBorrow TryNextFlavor: a later flavor without borrowing comes before an earlier one with it. */
  readonly sparesCohort: boolean;
  readonly groups: readonly FlavorGroup[];
  /** By flavor: what workloads that have got in have reserved. */
  readonly used: Readonly<Record<string, Resources>>;
}

/** Resources of a queue or cohort that come from one list of flavors. */
export interface FlavorGroup {
  readonly covered: readonly string[];
  readonly flavors: readonly { readonly name: string; readonly quotas: Readonly<Record<string, FlavorQuota>> }[];
}

export interface FlavorQuota {
  readonly nominal: number;
  /** Most that is taken from the cohort beyond it, and most that is lent to it; absent: no bound. */
  readonly borrowing?: number;
  readonly lending?: number;
}

export interface CohortFacts {
  readonly name: string;
  readonly parent: string | undefined;
  readonly groups: readonly FlavorGroup[];
}

export interface FlavorFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly tolerations: readonly Toleration[];
}
