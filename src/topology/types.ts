import type {
  ApartTerm,
  ChangeLog,
  ClusterFacts,
  HostPort,
  ObjectKey,
  QuantityFormat,
  Requirements,
  Resources,
  Taint,
  TopologyLayout,
  TopologyLevel,
} from "../model/index.ts";

/** What is known of a cluster, read from plain Kubernetes objects. */
export interface Inventory {
  readonly nodes: readonly NodeFacts[];
  readonly pods: readonly PodFacts[];
  readonly devicePools: readonly DevicePool[];
  /** Allocated devices by claim. */
  readonly claims: readonly ClaimFacts[];
  readonly nodePools: readonly NodePoolFacts[];
  readonly capacityQuotas: readonly CapacityQuotaFacts[];
  readonly facts: ClusterFacts;
  /** Kinds of which at least one object, or an empty List that names it, was read. */
  readonly known: ReadonlySet<string>;
}

export interface NodeFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  /** spec.unschedulable */
  readonly cordoned: boolean;
  readonly ready: boolean;
  readonly capacity: Resources;
  readonly allocatable: Resources;
}

export interface PodFacts {
  readonly key: ObjectKey;
  /** The workload that the pod belongs to in the end (Deployment, Job, RayCluster ...), the pod itself where it has no owner. */
  readonly root: ObjectKey;
  readonly labels: Readonly<Record<string, string>>;
  /** Bound, or nominated by the scheduler. */
  readonly node: string | undefined;
  readonly nominated: boolean;
  /** Some scheduling gate holds it back: the scheduler does not look at it; absent: none does. */
  readonly gated?: true;
  readonly terminating: boolean;
  readonly requests: Resources;
  /** What static CPU and memory managers, where the kubelet has such, set aside for it; absent: nothing. */
  readonly pinned?: Resources;
  readonly hostPorts: readonly HostPort[];
  readonly priority: number;
  readonly tenant: string;
  /** Its required anti-affinity; absent: none. */
  readonly apart?: readonly ApartTerm[];
  /** status.startTime */
  readonly started?: string;
}

export type AttributeValue =
  | string
  | number
  | boolean
  | { readonly version: string }
  | readonly (string | number | boolean | { readonly version: string })[];

/** All devices that one driver publishes under one pool name, at the highest generation seen. */
export interface DevicePool {
  readonly driver: string;
  readonly name: string;
  readonly generation: number;
  /** Are all `resourceSliceCount` slices of that generation here. */
  readonly complete: boolean;
  /** Duplicate device names and the like; upstream then ignores the pool. */
  readonly invalid: string | undefined;
  readonly devices: readonly DeviceFacts[];
  /** Shared counters of the pool: amounts in nano-units by set, then counter. Absent reads as none. */
  readonly counterSets?: Readonly<Record<string, Readonly<Record<string, bigint>>>>;
}

export interface DeviceFacts {
  readonly driver: string;
  readonly pool: string;
  readonly name: string;
  /** Which nodes reach it: one by name, all, or those that meet the requirements. */
  readonly reach: { readonly node: string } | { readonly all: true } | { readonly selection: Requirements };
  /** By domain, then name, as CEL sees them (`device.attributes["gpu.nvidia.com"].type`). */
  readonly attributes: Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>;
  readonly capacity: Readonly<
    Record<string, Readonly<Record<string, { readonly nano: bigint; readonly format: QuantityFormat }>>>
  >;
  /** That keep claims off it: of effect NoSchedule or NoExecute. */
  readonly taints: readonly Taint[];
  readonly allowMultipleAllocations: boolean;
  /** Where it allows several allocations, or some capacity limits what may be asked of it: as named in the slice, in nano-units. */
  readonly capacities?: readonly {
    readonly name: string;
    readonly nano: bigint;
    readonly policy?: {
      readonly default?: bigint;
      readonly range?: { readonly min?: bigint; readonly max?: bigint; readonly step?: bigint };
      /** Ascending. */
      readonly values?: readonly bigint[];
    };
  }[];
  /** The device uses shared counters (partitions of one card), in nano-units. */
  readonly consumesCounters: readonly {
    readonly counterSet: string;
    readonly counters: Readonly<Record<string, bigint>>;
  }[];
}

export interface ClaimFacts {
  readonly namespace: string;
  readonly name: string;
  /** `driver/pool/device` */
  readonly devices: readonly string[];
  /** The pod or other owner for which it was made, and its root. */
  readonly root: ObjectKey | undefined;
  readonly tenant: string;
  readonly adminAccess: boolean;
  /** Made by the scheduler for extended resources, which its pod's requests say already. */
  readonly extended?: true;
  /** What it uses of devices that several claims share, in nano-units by the names in their slices. */
  readonly shares?: readonly { readonly device: string; readonly consumed: Readonly<Record<string, bigint>> }[];
}

/** karpenter.sh NodePool, as far as it bounds and marks the nodes that are made of it. Amounts are in the scheduler's units. */
export interface NodePoolFacts {
  readonly name: string;
  /** spec.limits: the most that all its nodes together may have; `nodes` counts them. */
  readonly limits: Resources;
  /** status.resources: what its nodes have, those included that have not registered yet. */
  readonly used: Resources;
  /** spec.replicas is set: so many nodes stand, whatever pods wait. */
  readonly replicas: number | undefined;
  /** Its Ready condition is not False: no node is made of one that is not ready. */
  readonly ready: boolean;
  /** What every one of its nodes gets: labels of its template, and those of which its requirements leave one value. */
  readonly labels: Readonly<Record<string, string>>;
  /** Of its template: what its nodes' labels are chosen from. */
  readonly requirements: Requirements;
  /** What its nodes keep, and what they lose once they have started. */
  readonly taints: readonly Taint[];
  readonly startupTaints: readonly Taint[];
}

/** autoscaling.x-k8s.io CapacityQuota: the most that nodes of these labels may have together, to Cluster Autoscaler. */
export interface CapacityQuotaFacts {
  readonly name: string;
  /** Labels of the nodes that it counts; empty: all. */
  readonly selector: Requirements;
  /** In the scheduler's units; `nodes` counts nodes, and a value of the cloud's GPU label counts the devices of nodes that carry it. */
  readonly limits: Resources;
  /** The autoscaler has not found it invalid. */
  readonly enforced: boolean;
}

/** A place at one level: its identity is the path, outermost value first. */
export interface Domain {
  readonly level: number;
  readonly index: number;
  readonly path: readonly string[];
  /** Index of the enclosing domain one level up; -1 at the outermost level. */
  readonly parent: number;
  /** Node indices, ascending. */
  readonly nodes: readonly number[];
}

export interface Level {
  readonly level: TopologyLevel;
  readonly domains: readonly Domain[];
  /** Node index -> domain index; -1 where the node lacks this level's label or an outer one's. */
  readonly domainOf: Int32Array;
  /** Nodes without the label. */
  readonly unlabelled: readonly number[];
}

/**
 * Nodes, levels, columns, amounts and devices never change in one Topology. What uses them does, in one that follows a live cluster: pods, claims,
 * the ledger, node pools, quotas and facts change in place, between solves, and `version` tells.
 */
export interface Topology {
  readonly generation: string;
  /** Grows with every change in place; absent where nothing changes. */
  readonly version?: number;
  readonly layout: TopologyLayout;
  /** Sorted by name; the index is the node's id. */
  readonly nodes: readonly NodeFacts[];
  readonly nodeIndex: ReadonlyMap<string, number>;
  /** Widest first. */
  readonly levels: readonly Level[];
  /** Columns of `allocatable` and of the ledger. */
  readonly resources: readonly string[];
  readonly resourceIndex: ReadonlyMap<string, number>;
  /** nodes x resources, row by row. */
  readonly allocatable: Float64Array;
  readonly capacity: Float64Array;
  /** Pods that use something, by node index. */
  readonly podsOn: readonly (readonly PodFacts[])[];
  readonly pods: readonly PodFacts[];
  /** Sorted by (driver, name), devices in slice order, as the allocator sees them. */
  readonly devicePools: readonly DevicePool[];
  readonly claims: readonly ClaimFacts[];
  readonly nodePools: readonly NodePoolFacts[];
  readonly capacityQuotas: readonly CapacityQuotaFacts[];
  readonly facts: ClusterFacts;
  readonly known: ReadonlySet<string>;
  readonly ledger: Ledger;
  /** In a topology that follows a live cluster. */
  readonly lookups?: Lookups;
}

/** What a live topology keeps at hand, so that no solve walks all pods or claims. */
export interface Lookups {
  /** Bound and unbound ones. */
  podsOfRoot(root: ObjectKey): readonly PodFacts[];
  claimsOfRoot(root: ObjectKey): readonly ClaimFacts[];
  /** Pods that are nominated to a node and not bound yet, in the order of `pods`. */
  nominated(): readonly PodFacts[];
  /** Pods with a node, there or not, that have a required anti-affinity, in no order. */
  apart(): ReadonlySet<PodFacts>;
  /** Pods that `contends` holds of, in no order. */
  contending(): ReadonlySet<PodFacts>;
  /** What all pods on nodes and all claims of each tenant hold. */
  accelerators(): ReadonlyMap<string, number>;
}

/** What bound and nominated pods and allocated claims use. The solver works on copies. */
export interface Ledger {
  /** nodes x resources, row by row. */
  readonly used: Float64Array;
  /** `driver/pool/device` -> claim `namespace/name`. */
  readonly devices: ReadonlyMap<string, string>;
  /** Devices that were taken or released, in a topology that follows a live cluster. */
  readonly log?: ChangeLog<string>;
  /** Nodes whose row of `used` was summed anew, in a topology that follows a live cluster. */
  readonly rowLog?: ChangeLog<number>;
}
