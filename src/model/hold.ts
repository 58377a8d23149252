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
    readonly devices: readonly string[];
  }[];
  readonly newNodes: readonly { readonly pool: string; readonly zone: string; readonly count: number }[];
}
