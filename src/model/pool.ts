import type { CapacityType } from "./class.ts";
import type { NumaScope } from "./numa.ts";
import type { Requirements } from "./requirement.ts";
import type { Resources, Taint } from "./scheduling.ts";

/** Where nodes come from, present or not yet. */
export interface CapacityPool {
  readonly name: string;
  readonly digest: string;
  readonly accelerator: string | undefined;
  readonly acceleratorsPerNode: number;
  readonly capacityType: CapacityType;
  /** What one new node offers, labels and taints as the autoscaler would stamp them (without zone and host). */
  readonly node: {
    readonly allocatable: Resources;
    /** What it has in all, where that is declared: limits of NodePools and CapacityQuotas count it. */
    readonly capacity?: Resources;
    readonly labels: Readonly<Record<string, string>>;
    readonly taints: readonly Taint[];
    /** Are the devices published by a DRA driver (claims) or counted by a device plugin (extended resource). */
    readonly mechanism: "device-plugin" | "dra" | "none";
    /** The kubelet's Topology Manager, where it turns pods away; devices lie on the NUMA nodes in equal parts. */
    readonly numa?: {
      readonly nodes: number;
      readonly policy: "single-numa-node" | "restricted";
      readonly scope: NumaScope;
    };
    /** What DRA drivers publish on it, for claims on nodes that do not exist yet: its accelerators, and its network devices. */
    readonly device?: PublishedDevices;
    readonly network?: PublishedDevices & { readonly count: number };
  };
  readonly zones: readonly string[];
  /** Nodes that exist and belong to the pool. */
  readonly members: Requirements;
  /** Most nodes the pool may have, members included. */
  readonly maxNodes: number;
  readonly startupMs: number;
  /** Nobody declared how long it takes. */
  readonly startupAssumed?: true;
  readonly pricePerHour?: number;
  readonly reservation?: {
    readonly name: string;
    readonly label?: { readonly key: string; readonly value: string };
    readonly nodes?: number;
    /** RFC 3339: when its nodes can first be had, and when it is over. */
    readonly start?: string;
    readonly end?: string;
    /** How long before its end its nodes are drained and taken back. */
    readonly reclaimMs?: number;
  };
  /** Levels of the layout that all nodes of the pool share one domain of. */
  readonly together: readonly string[];
}

/** Devices of one driver on a new node. */
export interface PublishedDevices {
  readonly driver: string;
  /** Of each of them. */
  readonly attributes: Readonly<Record<string, string | number | boolean>>;
  readonly capacity: Readonly<Record<string, string>>;
  /** In their order, those that have attributes beside; absent: all are alike. */
  readonly groups?: readonly {
    readonly count: number;
    readonly attributes: Readonly<Record<string, string | number | boolean>>;
  }[];
}
