import type { NodeLabels } from "./labels.ts";

export type CapacityType = "reserved" | "on-demand" | "spot";
export const CAPACITY_TYPES: readonly CapacityType[] = ["reserved", "on-demand", "spot"];

export type DemandShape = "gang" | "online" | "session" | "batch" | "stream";
export type Mode = "enforce" | "warn" | "audit";
export type Reaction = "deny" | "warn" | "admit";
export type TopologyUnit = "pod" | "podSet" | "group" | "workload";
export type Strictness = "required" | "preferred";

/**
 * The normalised WorkloadClass: `extends` merged, durations in milliseconds, defaults filled in. One value per pod
 * set and role is an `Intent` (see intent.ts); this is what the catalogue holds.
 */
export interface WorkloadClass {
  readonly name: string;
  readonly description: string;
  /** Of the whole normalised spec. */
  readonly digest: string;
  readonly contract: Contract;
  /** By role: the contract for that role (already merged over `contract`). */
  readonly roles: Readonly<Record<string, Contract>>;
  readonly overrides: Readonly<Record<string, OverrideBound>>;
}

/** What a workload may override: any value, a subset of the class's list, one of a list, or a number up to a bound. */
export type OverrideBound =
  | { readonly kind: "any" }
  | { readonly kind: "subset" }
  | { readonly kind: "oneOf"; readonly values: readonly string[] }
  | { readonly kind: "range"; readonly min?: number; readonly max?: number };

export interface Contract {
  readonly latency: LatencyObjective | "none";
  readonly demand: {
    readonly shape: DemandShape;
    readonly signals: { readonly allowed?: readonly string[]; readonly forbidden: readonly string[] };
    readonly replicas: { readonly min: number; readonly max?: number };
    readonly scaleToZero: boolean;
    /** How long a run lasts at most. */
    readonly runTimeMs?: number;
    /** Does a suspended or gated workload hold capacity. */
    readonly holdWhileSuspended: boolean;
  };
  readonly state: {
    readonly location: "none" | "local" | "volume" | "external";
    readonly checkpointIntervalMs?: number;
  };
  readonly interruption: {
    readonly spot: "never" | "allowed" | "overflow";
    readonly minLifetimeMs?: number;
    readonly consolidation: boolean;
    readonly scaleDown: "any" | "application-drain-only";
    readonly drainTimeoutMs?: number;
    readonly budget?: { readonly maxUnavailable?: number | string; readonly minAvailable?: number | string };
  };
  readonly accelerator: AcceleratorNeed;
  readonly tenancy: {
    readonly namespaces?: NodeLabels;
    readonly isolation: "shared" | "dedicated";
    readonly networkPolicy: "default-deny" | "none";
    readonly serviceAccount: "required" | "any";
    readonly priorityClassName?: string;
    readonly limits: { readonly accelerators?: number };
  };
  readonly startup: {
    readonly costMs: number;
    readonly readinessProbe: "required" | "optional";
    readonly startupProbe: "required" | "optional";
    readonly warmCapacity: { readonly replicas: number };
  };
  readonly topology: TopologyNeed | undefined;
  readonly capacity: { readonly types: readonly CapacityType[]; readonly maxProvisioningMs: number };
  readonly admission: {
    readonly mode: Mode;
    readonly whenNever: Reaction;
    readonly whenBusy: Reaction;
    readonly whenUnknown: Reaction;
    readonly whenUndecided: Reaction;
    readonly whenScaleUp: Reaction;
    /** Severity by rule id. */
    readonly rules: Readonly<Record<string, "error" | "warning" | "info" | "off">>;
  };
}

export interface LatencyObjective {
  readonly metric: string;
  readonly percentile: number;
  readonly targetMs: number;
}

/** none: the pod set uses no device. any: whatever the manifest asks for is solved as it stands. */
export type AcceleratorNeed =
  | { readonly kind: "none" }
  | { readonly kind: "any" }
  | {
      readonly kind: "classes";
      /** In order of preference. */
      readonly classes: readonly string[];
      readonly perPod: { readonly min: number; readonly max: number; readonly default: number };
      readonly align?: {
        readonly gpus?: { readonly level: string; readonly mode: Strictness };
        readonly nics?: NicNeed;
      };
    };

/** Network devices beside the accelerators of a pod: `count` for each of them, or for all of them together. */
export interface NicNeed {
  readonly level: string;
  readonly mode: Strictness;
  readonly count: number;
  readonly per: "gpu" | "pod";
}

export interface TopologyNeed {
  readonly unit: TopologyUnit;
  /** For unit `group`: pods in each group. */
  readonly groupSize?: number;
  readonly level?: string;
  /** A wider level of which all units of the workload share one domain. */
  readonly within?: string;
  /** separate: each unit has a domain of the level without other pods of the workload. Absent: shared. */
  readonly domains?: "shared" | "separate";
  readonly mode: Strictness;
  readonly pin: "none" | "domain";
  readonly spread?: {
    readonly level: string;
    readonly maxSkew: number;
    readonly minDomains?: number;
    readonly mode: Strictness;
  };
}
