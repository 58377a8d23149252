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

/** What the watch shows, at the moment of each call. It may be late; it may not be empty before the first sync. */
export interface View {
  /** Every object of a kind in the table that carries a decision, whole, with uid. */
  roots(): Iterable<JsonObject>;
  root(key: ObjectKey): JsonObject | undefined;
  /** Objects of the companion kinds with our label (`COMPANION_KINDS`, `MANAGED_SELECTOR`), whole. */
  companions(namespace: string): Iterable<JsonObject>;
  /** Namespaces that have any. */
  companionNamespaces(): Iterable<string>;
  companion(kind: string, namespace: string, name: string): JsonObject | undefined;
  /** Does a pod, ReplicaSet or ControllerRevision that the watch shows name it. A false no costs one look at the API server. */
  isNamed(kind: string, namespace: string, name: string): boolean;
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
