import type { HostPort } from "./hostport.ts";
import type { Rung } from "./ladder.ts";
import type { ObjectKey, Resources } from "./scheduling.ts";

/** Capacity promised to a workload that the watch has not shown yet. */
export interface Hold {
  readonly workload: ObjectKey;
  readonly tenant: string;
  readonly takenAtMs: number;
  /** The rung of each pod set, for those that must follow it. */
  readonly rungs?: Readonly<Record<string, Rung>>;
  /** The uid of a controller of unknown kind that made this pod: its other pods follow the same rung. */
  readonly owner?: string;
  readonly placed: readonly {
    readonly podSet: string;
    readonly node: string;
    readonly pods: number;
    readonly requests: Resources;
    readonly hostPorts?: readonly HostPort[];
    /** `driver/pool/device`, without those that administrators' requests see. */
    readonly devices: readonly string[];
    /** Beside each device what its request asks of capacities, which tells how much a shared one has left; absent where none asks. */
    readonly capacities?: readonly Readonly<Record<string, string>>[];
    /** Of one pod: accelerators, and devices by the class of the claims that are made for it, as quotas count them. */
    readonly accelerators: number;
    readonly charged: Readonly<Record<string, number>>;
  }[];
  readonly newNodes: readonly { readonly pool: string; readonly zone: string; readonly count: number }[];
}
