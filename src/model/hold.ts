import type { ObjectKey, Resources } from "./scheduling.ts";

/** Capacity promised to a workload that the watch has not shown yet. */
export interface Hold {
  readonly workload: ObjectKey;
  readonly tenant: string;
  readonly takenAtMs: number;
  readonly placed: readonly {
    readonly podSet: string;
    readonly node: string;
    readonly pods: number;
    readonly requests: Resources;
    readonly devices: readonly string[];
  }[];
  readonly newNodes: readonly { readonly pool: string; readonly zone: string; readonly count: number }[];
}
