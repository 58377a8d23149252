import type { Rung } from "./ladder.ts";

export type Verdict = "fits" | "scaleUp" | "busy" | "never" | "unknown" | "undecided";

/** Why a verdict is what it is. `message` is a whole sentence with numbers; `data` carries the numbers for machines. */
export interface Reason {
  readonly code: ReasonCode;
  readonly message: string;
  readonly data?: Readonly<Record<string, string | number>>;
}

export type ReasonCode =
  | "Fits"
  | "ScaleUp"
  | "Excluded"
  | "NearestMiss"
  | "Holder"
  | "TooSlow"
  | "PoolExhausted"
  | "ReservationEnds"
  | "NoPool"
  /** What the catalogue says of a pool, and what makes its nodes says otherwise. */
  | "PoolDiffers"
  | "QuotaExceeded"
  | "QueueClosed"
  | "LimitExceeded"
  | "LabelMissing"
  | "DataMissing"
  | "SupplyIncomplete"
  | "BudgetExhausted"
  /** The search found an assignment that its checker does not accept: a fault of ours, and never a `fits`. */
  | "CheckFailed"
  | "RungSkipped"
  | "SelectorFault"
  | "AttemptAborted"
  | "NotGuaranteed"
  | "KnownBug"
  /** Something that the pods require and that is not followed, so that there may be less room than is said. */
  | "NotJudged"
  /** Another scheduler than kube-scheduler places the pods. */
  | "OtherScheduler"
  | "Preemption"
  | "Count"
  /** The rung waits for new nodes, and a later one fits now. */
  | "FallbackFits"
  /** A rung before the chosen one would hold, had the class waited longer. */
  | "PreferredTooSlow";

/** Nodes that one constraint alone rules out, of those that earlier ones left. */
export interface Exclusion {
  /** Words for a list: "taint nvidia.com/gpu:NoSchedule not tolerated". */
  readonly constraint: string;
  readonly nodes: number;
  /** A few names, sorted. */
  readonly examples: readonly string[];
  /** Whose pods: nodes are counted for each pod set by itself. */
  readonly podSet?: string;
}

/** Pods of one pod set on nodes: of nodes that exist, or `pool/INDEX` for a new one. */
export interface Placed {
  readonly podSet: string;
  readonly node: string;
  readonly pods: number;
  /** Device names per pod, `driver/pool/device`, where the demand has claims. */
  readonly devices?: readonly (readonly string[])[];
  /** Beside each device what it serves: `claim/request`, or `claim/request/alternative`; a claim that pods share stands with the first. */
  readonly serves?: readonly (readonly string[])[];
}

export interface Assignment {
  readonly placed: readonly Placed[];
  /** New nodes by pool. */
  readonly newNodes: readonly { readonly pool: string; readonly zone: string; readonly count: number }[];
}

/** A change under which the workload fits, solved again before it is offered. */
export interface Suggestion {
  /** `topology.level: block` */
  readonly change: string;
  readonly verdict: Verdict;
  /** May the workload do it itself (its class lists the override), or is it the platform team's. */
  readonly who: "workload" | "platform";
  readonly message: string;
}

/** As a person reads it: what would do, and whose it is to change. */
export const suggestionText = ({ message, who }: Suggestion): string =>
  who === "workload" ? message : `${message}, the platform team's to change`;

/** The answer for one rung (or for one combination of rungs, one per pod set). */
export interface RungAnswer {
  readonly rungs: Readonly<Record<string, Rung>>;
  readonly verdict: Verdict;
  readonly reasons: readonly Reason[];
  readonly exclusions: readonly Exclusion[];
  readonly assignment?: Assignment;
  /** How many of the full count hold now on this rung, by pod set. */
  readonly holds: Readonly<Record<string, number>>;
  readonly steps: number;
}

/** The whole ladder and the choice. */
export interface Answer {
  readonly verdict: Verdict;
  /** By pod set; absent where nothing can be chosen. */
  readonly rungs: Readonly<Record<string, Rung>>;
  readonly chosen: RungAnswer | undefined;
  readonly ladder: readonly RungAnswer[];
  readonly suggestions: readonly Suggestion[];
  /** What the choice of the rung gives up: waiting against taking a fallback now. */
  readonly choice: readonly Reason[];
  readonly steps: number;
}
