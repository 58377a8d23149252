/** Policies and scopes of the kubelet's Topology Manager. */
export const NUMA_POLICIES = ["none", "best-effort", "restricted", "single-numa-node"] as const;
export const NUMA_SCOPES = ["container", "pod"] as const;
export type NumaPolicy = (typeof NUMA_POLICIES)[number];
export type NumaScope = (typeof NUMA_SCOPES)[number];

/** What a NodeResourceTopology (topology.node.k8s.io) tells of the node of its name. */
export interface NodeNuma {
  /** Undefined: not told. */
  readonly policy: NumaPolicy | undefined;
  readonly scope: NumaScope | undefined;
  /** Zones of type Node, by NUMA id ascending. */
  readonly zones: readonly NumaZone[];
  /** For which pods it was written, where that can be compared with those that are there now. */
  readonly pods?: {
    readonly fingerprint: string;
    /** Pods that have ended may be among them, unless the kubelet lists none (from 1.34 on). */
    readonly ended: boolean;
  };
  /** What it says that cannot be right or cannot be read, as the end of "its NodeResourceTopology ...". */
  readonly faults: readonly string[];
}

export interface NumaZone {
  readonly id: number;
  /** Amounts in the scheduler's units. Devices without a NUMA node, and what no manager of the kubelet hands out, are not listed. */
  readonly resources: Readonly<Record<string, NumaAmounts>>;
}

export interface NumaAmounts {
  readonly capacity: number;
  readonly allocatable: number;
  /** Of `allocatable` what no pod held when the object was written. */
  readonly available: number;
}
