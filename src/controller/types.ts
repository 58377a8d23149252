import type { JsonObject, ObjectKey } from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import type { Topology } from "../topology/index.ts";

/** Time and timers of this process. `nowMs` never goes back; `wallMs` is what people read, and nothing is ever compared with it. */
export interface Clock {
  nowMs(): number;
  wallMs(): number;
  /** Runs once, `ms` from now, unless the answer is called first. */
  after(ms: number, run: () => void): () => void;
}

/** Workloads as the watch shows them, at the moment of each call. It may be late, and is complete before the lease is asked for. */
export interface Roots {
  /** Every object that carries a decision, whole, with uid; children that inherited the annotation (ReplicaSets) do no harm. */
  all(): Iterable<JsonObject>;
  get(key: ObjectKey): JsonObject | undefined;
}

/** The companions that carry our label, as the leader's own watch shows them. */
export interface Companied {
  get(kind: string, namespace: string, name: string): JsonObject | undefined;
  in(namespace: string): Iterable<JsonObject>;
  namespaces(): Iterable<string>;
}

/** What a plan is made from: the server's state of the moment. */
export interface Known {
  readonly catalogue: Catalogue;
  readonly topology: Topology | undefined;
}

/** The object that an event is about. */
export interface Regarding extends ObjectKey {
  readonly uid: string;
  readonly resourceVersion?: string;
}

/** Reasons of capacity stand in the design, section 6; the others are the reconciler's own. */
export type Reason =
  | "CapacityUnavailable"
  | "QuotaExceeded"
  | "ReservationMismatch"
  | "FallbackSelected"
  | "ProvisioningInProgress"
  | "PartiallyFulfilled"
  | "Expired"
  | "Interrupted"
  | "DrainRequired"
  | "ConsolidationBlocked"
  | "CompanionTaken"
  | "CompanionFailed"
  | "CompanionMissing";

export interface Note {
  readonly regarding: Regarding;
  readonly type: "Normal" | "Warning";
  readonly reason: Reason;
  /** What was done or tried, one word: `Judge`, `Create`. */
  readonly action: string;
  /** One line for people. */
  readonly note: string;
}

/** Where the controller says things: an event on the root, and one line for the log of whoever runs Plimsoll. */
export interface Tell {
  event(note: Note): void;
  log(level: "info" | "warn" | "error", line: string): void;
}
