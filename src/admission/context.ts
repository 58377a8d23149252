import type { Answer, ClusterFacts, Diagnostic, Hold, JsonObject, Verdict } from "../model/index.ts";
import type { Catalogue } from "../policy/index.ts";
import type { TopologyIndex } from "../solver/index.ts";
import { emptyFacts, type Topology } from "../topology/index.ts";
import type { Expansion } from "../translate/index.ts";
import type { AdmissionReview } from "./types.ts";

/** All that an answer depends on besides the review: a snapshot, never changed while an answer is made. */
export interface AdmissionContext {
  readonly catalogue: Catalogue;
  /** undefined: no cluster was given, so every verdict is unknown. */
  readonly topology: Topology | undefined;
  /** `indexTopology(topology)`, where it is kept beside the topology: many reviews share its lookups. */
  readonly index?: TopologyIndex;
  /** Why the topology cannot be trusted at this moment (`the cluster was last heard of 95 s ago`): every verdict is unknown. */
  readonly stale?: string;
  readonly holds: readonly Hold[];
  /** Steps that one solve may take. */
  readonly maxSteps: number;
  readonly nowMs: number;
  /** Base64 of the text's UTF-8, where the environment has a faster way than ours. */
  readonly base64?: (text: string) => string;
  /** Namespaces that are never judged; default: the system's and `plimsoll-system`, so that we cannot lock ourselves out. */
  readonly exemptNamespaces?: readonly string[];
}

export const EXEMPT_NAMESPACES: readonly string[] = [
  "kube-system",
  "kube-public",
  "kube-node-lease",
  "plimsoll-system",
];

/** What one review came to. */
export interface Outcome {
  readonly review: AdmissionReview;
  readonly summary: DecisionSummary;
  /** To take if the review was allowed; absent on dry runs and wherever nothing is to be held. */
  readonly hold?: Hold;
  /**
   * Claim templates that pods of the admitted object will ask for at once, best made before the answer: named by their content, without an
   * owner. Absent on dry runs, denials, and where there are none.
   */
  readonly templates?: readonly JsonObject[];
  readonly findings: readonly Diagnostic[];
  readonly answer?: Answer;
  readonly expansion?: Expansion;
}

/** One log line: no object bodies. */
export interface DecisionSummary {
  readonly webhook: "mutate" | "validate";
  readonly uid: string;
  readonly kind: string;
  readonly namespace: string;
  /** Empty for a generateName that is not drawn yet. */
  readonly name: string;
  readonly operation: string;
  readonly dryRun: boolean;
  readonly allowed: boolean;
  readonly patched: boolean;
  /** Why nothing was decided; absent where something was. */
  readonly skipped?: string;
  /** Class names, each once, sorted. */
  readonly classes: readonly string[];
  readonly verdict?: Verdict;
  /** One rung where all pod sets agree, else `set=rung` pairs. */
  readonly rung?: string;
  readonly findings: number;
  readonly steps: number;
  /** A fault of ours that was caught: message and stack, for the log and never for the user. */
  readonly fault?: string;
}

export function factsOf(context: AdmissionContext): ClusterFacts {
  return context.topology?.facts ?? emptyFacts();
}
