import type { ClusterFacts, Intent, Path, Severity } from "../../model/index.ts";
import type { PodSet, Workload } from "../../workloads/index.ts";
import type { Catalogue } from "../types.ts";

/** The seven things that every class declares. */
export type Declaration = "latency" | "demand" | "state" | "interruption" | "accelerator" | "tenancy" | "startup";

/** What a rule may look at: one workload document, and what is known without reading another workload. */
export interface RuleContext {
  readonly workload: Workload;
  /** The pod set that is judged; for a rule of scope `workload`, the first one of the class. */
  readonly set: PodSet;
  readonly intent: Intent;
  /** Every pod set that has a class. */
  readonly intents: ReadonlyMap<string, Intent>;
  readonly catalogue: Catalogue;
  readonly facts: ClusterFacts;
}

export interface Violation {
  /** One sentence with what was seen and what was expected. */
  readonly message: string;
  /** What to do here, where it can be said better than the rule's remedy. */
  readonly hint?: string;
  /** In the workload's document; it may name a field that is absent. */
  readonly path: Path;
}

/**
 * One clause of the contract, as data. A rule is silent about what the expansion supplies when the manifest leaves it out, and speaks
 * where the manifest says the contrary. `error` denies under enforce; a class may change the severity by id.
 */
export interface Rule {
  /** Stable; a class names it in `admission.rules`. */
  readonly id: string;
  readonly declaration: Declaration;
  readonly severity: Severity;
  /** podSet: asked for each set that has a class. workload: asked once for each class of the workload. */
  readonly scope: "podSet" | "workload";
  /** What is wrong when it fires, as a short clause. */
  readonly title: string;
  readonly remedy: string;
  /** A public thread or page that shows why. */
  readonly link: string;
  /** Why this rule cannot be decided here (an object that it needs was not read). Such a rule is reported as skipped. */
  undecidable?(context: RuleContext): string | undefined;
  check(context: RuleContext): Iterable<Violation>;
}
