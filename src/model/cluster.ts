import type { JsonObject } from "./json.ts";
import type { ChangeLog } from "./log.ts";
import type { NodeNuma } from "./numa.ts";
import type { QueueFacts } from "./queue.ts";
import type { NodeSelection, Requirements } from "./requirement.ts";
import type { Resources, Toleration } from "./scheduling.ts";

/**
 * The objects beside nodes that finish a pod as the API server would. `undefined` says that the object was not read; `known` tells whether any
 * object of its kind was, so that it can be taken not to exist.
 */
export interface ClusterFacts {
  namespace(name: string): NamespaceFacts | undefined;
  runtimeClass(name: string): RuntimeClassFacts | undefined;
  priorityClass(name: string): PriorityClassFacts | undefined;
  /** The class with globalDefault. */
  defaultPriorityClass(): PriorityClassFacts | undefined;
  /** spec.devices of a ResourceClaimTemplate or ResourceClaim. */
  claimTemplate(namespace: string, name: string): JsonObject | undefined;
  claim(namespace: string, name: string): JsonObject | undefined;
  deviceClass(name: string): DeviceClassFacts | undefined;
  /** The class that serves an extended resource by claims; undefined where none does. */
  deviceClassOf?(resource: string): DeviceClassFacts | undefined;
  /** What a ResourceClaim has been given; undefined where the claim was not read. */
  claimState?(namespace: string, name: string): ClaimState | undefined;
  /** PodDisruptionBudgets of a namespace, in the order of their names. */
  disruptionBudgets?(namespace: string): readonly DisruptionBudgetFacts[];
  /** Kueue's queues. */
  readonly queues?: QueueFacts;
  /** NodeResourceTopologies by the name of the node. */
  readonly numa?: ReadonlyMap<string, NodeNuma>;
  /** Names of those that came, changed or went; absent: nothing is said of that. */
  readonly numaLog?: ChangeLog<string>;
  /** Which kinds were part of the input: `RuntimeClass`, `Namespace` ... */
  readonly known: ReadonlySet<string>;
  /** Kinds of which an object could not be read, so that it is left out. */
  readonly unread?: ReadonlySet<string>;
}

export interface NamespaceFacts {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly containerLimits: readonly ContainerLimits[];
  readonly quotas: readonly QuotaFacts[];
}

/** One LimitRange item of type Container. */
export interface ContainerLimits {
  readonly defaults: Readonly<Record<string, string>>;
  readonly defaultRequests: Readonly<Record<string, string>>;
}

export interface QuotaFacts {
  readonly name: string;
  /** Raw keys such as `requests.nvidia.com/gpu`. */
  readonly hard: Resources;
  readonly used: Resources;
  /** It counts only pods for which all of these hold. */
  readonly scopes: readonly QuotaScope[];
}

/** Of a ResourceQuota's `scopes` or `scopeSelector`. */
export interface QuotaScope {
  /** Terminating, NotTerminating, BestEffort, NotBestEffort, PriorityClass, CrossNamespacePodAffinity. */
  readonly scope: string;
  readonly operator: "In" | "NotIn" | "Exists" | "DoesNotExist";
  readonly values: readonly string[];
}

export interface RuntimeClassFacts {
  readonly name: string;
  readonly overhead: Resources;
  readonly nodeSelector: Readonly<Record<string, string>>;
  readonly tolerations: readonly Toleration[];
}

export interface PriorityClassFacts {
  readonly name: string;
  readonly value: number;
  readonly preemptionPolicy: "Never" | "PreemptLowerPriority";
}

export interface ClaimState {
  readonly allocated: boolean;
  /** Where its users must run; absent: anywhere. */
  readonly nodes?: NodeSelection;
  /** Pods that it is reserved for. */
  readonly users: number;
}

export interface DeviceClassFacts {
  readonly name: string;
  readonly selectors: readonly string[];
  readonly extendedResourceName?: string;
  /** metadata.creationTimestamp: of two classes for one extended resource the later one counts. */
  readonly created?: string;
}

/** A PodDisruptionBudget, as far as preemption looks at it. */
export interface DisruptionBudgetFacts {
  readonly name: string;
  /** Undefined: selects no pod, as a selector that is absent, empty or invalid does there. */
  readonly selector: Requirements | undefined;
  /** status.disruptionsAllowed */
  readonly allowed: number;
  /** Names of pods whose eviction is under way; they are counted already. */
  readonly disrupted: readonly string[];
}
