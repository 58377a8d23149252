import type { Rung } from "./ladder.ts";
import type { Verdict } from "./verdict.ts";

export type Aligned = "gpus" | "nics";

/** What was decided for one pod set, as recorded on the workload. */
export interface SetDecision {
  readonly className: string;
  readonly classDigest: string;
  readonly intentDigest: string;
  readonly demandDigest: string;
  /** `none`: nothing could be chosen, only edits that no rung decides were made. */
  readonly rung: Rung | "none";
  readonly verdict: Verdict;
  /** Drawn with the decision, for companions of generateName workloads. */
  readonly id?: string;
  /** Domains in which a whole unit fitted when decided: the expansion prefers them (never requires them). */
  readonly steer?: {
    readonly key: string;
    readonly values: readonly string[];
    /** Beside each value those of the keys in `outer`. */
    readonly outer?: readonly (readonly string[])[];
  };
  /** By label key of a level whose values are not unique: keys of wider levels, from near to far, which tell its domains apart. */
  readonly outer?: Readonly<Record<string, readonly string[]>>;
  /**
   * What the class aligns where all devices of each node carry one value of the attribute, so that no constraint is written: accelerators among
   * each other, or network devices with them.
   */
  readonly alignedAnyhow?: readonly Aligned[];
  /** Mode audit: reported, nothing edited. */
  readonly audit?: boolean;
}

/** By pod set name. */
export type Decision = Readonly<Record<string, SetDecision>>;
