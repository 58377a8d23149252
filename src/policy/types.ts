import type {
  AcceleratorClass,
  CapacityPool,
  Diagnostic,
  Intent,
  Platform,
  TopologyLayout,
  WorkloadClass,
} from "../model/index.ts";
import type { KindTable } from "../workloads/index.ts";

/** One file of a policy folder, as text. `path` is relative to the folder and used in messages. */
export interface PolicyFile {
  readonly path: string;
  readonly text: string;
}

/** Everything that the platform team wrote, checked and normalised. Immutable. */
export interface Catalogue {
  /** Digest of all files: the revision. */
  readonly revision: string;
  readonly classes: ReadonlyMap<string, WorkloadClass>;
  readonly accelerators: ReadonlyMap<string, AcceleratorClass>;
  /** Sorted by name. */
  readonly pools: readonly CapacityPool[];
  readonly layouts: ReadonlyMap<string, TopologyLayout>;
  readonly kinds: KindTable;
  readonly platform: Platform;
  /** The platform's layout. */
  readonly layout: TopologyLayout;
  /** Where each named thing stands, as `kind/name` -> file:line:column. */
  readonly positions: ReadonlyMap<string, { readonly file: string; readonly line: number; readonly column: number }>;
}

/** Class and overrides of each pod set of a workload, and what is wrong with them. */
export interface ResolvedIntents {
  /** By pod set name. A set without class is absent. */
  readonly intents: ReadonlyMap<string, Intent>;
  readonly diagnostics: readonly Diagnostic[];
}
