import type { CapacityType } from "./class.ts";
import type { Requirement } from "./requirement.ts";
import type { Toleration } from "./scheduling.ts";

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export type AutoscalerKind = "none" | "cluster-autoscaler" | "karpenter" | "gke" | "eks-auto" | "aks";

/** What this cluster is. */
export interface Platform {
  readonly name: string;
  readonly digest: string;
  readonly kubernetes: { readonly version: Version; readonly featureGates: Readonly<Record<string, boolean>> };
  readonly autoscaler: {
    readonly kind: AutoscalerKind;
    readonly version: Version | undefined;
    /** Does it serve ProvisioningRequest (a flag of Cluster Autoscaler). */
    readonly provisioningRequests: boolean;
    /** Does it provision for pods with resource claims. */
    readonly claims: boolean;
    /** Longest grace period that it respects when it removes a node. */
    readonly maxGracePeriodMs: number | undefined;
  };
  /** How kube-scheduler scores nodes by what is requested of them; undefined: not said, so what Kubernetes comes with (LeastAllocated). */
  readonly scoring?: "LeastAllocated" | "MostAllocated";
  /** The schedulerName values that kube-scheduler serves; undefined: the one that Kubernetes comes with. */
  readonly schedulerNames?: readonly string[];
  /** How DRA publishes the network devices by which accelerators reach other nodes; absent where no driver does. */
  readonly network?: NetworkDevices;
  /** Schedulers (spec.schedulerName) with NodeResourceTopologyMatch of scheduler-plugins; absent: none. */
  readonly numaAware?: readonly string[];
  readonly kueue: { readonly version: Version } | undefined;
  readonly dialect: Dialect;
  readonly layout: string;
  /** Companions that someone here creates; a reference to another one is written only where the object exists. */
  readonly companions: {
    readonly resourceClaimTemplates: boolean;
    readonly podDisruptionBudgets: boolean;
    readonly podTemplates: boolean;
    readonly provisioningRequests: boolean;
    readonly podGroups: boolean;
  };
  /** Is the declared supply all there is; `never` needs it. */
  readonly supply: { readonly nodes: "complete" | "partial"; readonly pools: "complete" | "partial" };
  /** Grace periods that the cloud grants on reclaim, by capacity type. */
  readonly reclaimNoticeMs: Readonly<Partial<Record<CapacityType, number>>>;
}

export interface NetworkDevices {
  readonly driver: string;
  readonly deviceClassName: string;
  /** CEL, ANDed. */
  readonly selectors: readonly string[];
  /** Attributes by which the driver tells where a device is. */
  readonly alignment: { readonly numa?: string; readonly pcie?: string };
}

/** Which labels say what here. */
export interface Dialect {
  readonly name: string;
  /** Label keys by which to select accelerators, in order of preference. */
  readonly acceleratorKeys: readonly string[];
  /** What selects each capacity type, and what a pod must tolerate to run there; absent: not expressible here. */
  readonly capacityTypes: Readonly<
    Partial<
      Record<
        CapacityType,
        { readonly requirement: Requirement | undefined; readonly tolerations: readonly Toleration[] }
      >
    >
  >;
  /** Tolerations that accelerator nodes need here, by extended resource or `*`. */
  readonly acceleratorTolerations: readonly Toleration[];
}

/** Are pods that name this scheduler placed by kube-scheduler. */
export function isKubeScheduler({ schedulerNames = [DEFAULT_SCHEDULER] }: Platform, name: string): boolean {
  return schedulerNames.includes(name);
}

/** The name that a pod carries where its manifest gives none. */
export const DEFAULT_SCHEDULER = "default-scheduler";
