import type { ContainerNeeds } from "./aligned.ts";
import type { PodCharges } from "./charges.ts";
import type { Strictness, TopologyUnit } from "./class.ts";
import type { OwnTerm } from "./company.ts";
import type { HostPort } from "./hostport.ts";
import type { Ladder } from "./ladder.ts";
import type { Unjudged } from "./podrules.ts";
import type { NodeSelection } from "./requirement.ts";
import type { ObjectKey, Resources, Toleration } from "./scheduling.ts";

/** What the solver is asked: one workload. */
export interface Demand {
  readonly workload: ObjectKey;
  /** The tenant that limits count for: namespace label `plimsoll.dev/tenant`, else the namespace. */
  readonly tenant: string;
  /** In the workload's own order. */
  readonly podSets: readonly PodSetDemand[];
  /** The LocalQueue that lets it in: all its pods at once, or (`whole: false`) one after the other. */
  readonly queue?: { readonly name: string; readonly whole: boolean };
  /** Most accelerators the tenant may hold (class limit), and how many it holds now is for the solver to count. */
  readonly acceleratorLimit?: number;
}

export interface PodSetDemand {
  readonly name: string;
  readonly role: string;
  /** Pods at full size, those that must hold together for the verdict, and the most there may ever be. */
  readonly count: number;
  readonly required: number;
  readonly peak: number;
  /** The fewest that the class lets it have, in its replicas and in their pods; absent: as few as its author likes. */
  readonly floor?: { readonly replicas: number; readonly pods: number };
  /** The fewest pods that the class lets it have beside its other sets, where its minimum is not what must hold together. */
  readonly classMinimum?: { readonly pods: number; readonly replicas: number };
  /** One pod per eligible node (DaemonSet): the count is then whatever nodes match. */
  readonly perNode: boolean;
  /** How long its pods run at most; absent: until something ends them. */
  readonly runMs?: number;
  /** The same, as far as the manifest says so, and not the class. */
  readonly deadlineMs?: number;
  /** With fewer pods than its count, but not fewer than these, its queue may let it in; absent: with all or none. */
  readonly queueMinimum?: number;
  readonly pod: PodShape;
  readonly placement: Placement;
  readonly ladder: Ladder;
}

/** One pod as the API server will finish it. */
export interface PodShape {
  /** Requests incl. init containers, sidecars, pod-level resources and overhead; `pods` is 1. */
  readonly requests: Resources;
  /** The user's own nodeSelector and required node affinity (RuntimeClass's nodeSelector merged). */
  readonly selection: NodeSelection;
  readonly tolerations: readonly Toleration[];
  readonly nodeName?: string;
  readonly hostPorts: readonly HostPort[];
  readonly schedulerName: string;
  readonly priority: number;
  readonly preempts: boolean;
  /** The pod's own hard spread constraints over node labels. */
  readonly spread: readonly SpreadConstraint[];
  readonly devices: readonly DeviceRequest[];
  /** Where some node hands out its devices by NUMA node; absent: one container asks for all. */
  readonly containers?: readonly ContainerNeeds[];
  /** Where its namespace has quotas. */
  readonly charges?: PodCharges;
  /** What the pod asks for that cannot be judged here (a named claim not in the input, ...): makes the answer unknown. */
  readonly unknowns: readonly string[];
  /** Of its template, and those that its controller is known to add; absent: none. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Its own required pod affinity and anti-affinity; absent: none. */
  readonly terms?: readonly OwnTerm[];
  /** What it requires and is not judged: kube-scheduler may find less room for it, and never more. */
  readonly unjudged?: readonly Unjudged[];
  /** On its node's network: a DaemonSet's pods then tolerate one that is not set up. */
  readonly hostNetwork?: boolean;
}

export interface SpreadConstraint {
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains?: number;
  /** false: an eligible node's taints are honoured when domains are counted. */
  readonly ignoreTaints: boolean;
  /** true: nodes that the pod does not select count as domains too. */
  readonly ignoreSelection?: boolean;
}

/** One DRA request: `count` devices that pass every selector, or one of `firstAvailable`. */
export interface DeviceRequest {
  readonly name: string;
  readonly deviceClassName: string;
  /** CEL of class and request, ANDed, class first. */
  readonly selectors: readonly string[];
  readonly count: number | "all";
  readonly tolerations: readonly Toleration[];
  /** Names of requests in this claim that must agree, with the attribute (fully qualified). */
  readonly matchAttributes: readonly DeviceConstraint[];
  /** The same for attributes in which all those devices must differ. */
  readonly distinctAttributes?: readonly DeviceConstraint[];
  readonly claim: string;
  /** Alternatives in order of preference, of which one is taken; everything but name, claim and constraints stands with them. */
  readonly firstAvailable?: readonly DeviceRequest[];
  /** Devices in use serve as well, and are taken from nobody. */
  readonly adminAccess?: boolean;
  /** Quantities by the name of a capacity: what must be left of a device that several claims may use, and the least size of others. */
  readonly capacity?: Readonly<Record<string, string>>;
  /** The claim is an object of this name (`namespace/name`) that all pods use together, so that it is allocated once. */
  readonly sharedClaim?: string;
}

/** `requests` names requests of the claim, or `request/alternative`; empty: all. */
export interface DeviceConstraint {
  readonly attribute: string;
  readonly requests: readonly string[];
}

export interface Placement {
  readonly unit: TopologyUnit;
  readonly groupSize: number;
  /** Layout level that a unit shares; undefined: none asked. */
  readonly level: string | undefined;
  /** A wider level of which all units of the workload share one domain. */
  readonly within?: string;
  /** No other pods of the workload stand in the domain of a unit. */
  readonly separate?: boolean;
  /** Sets of one name make up groups together: a leader and its workers are one group. For unit `group`. */
  readonly joint?: string;
  readonly mode: Strictness;
  /**
   * What keeps a unit in one domain. Absent: pod affinity, so the first pod goes anywhere and the others follow it; `pin`: only domains with
   * room for all are selected; `podGroup`, `queue`: the domain is chosen for all of them at once.
   */
  readonly keptBy?: "pin" | "podGroup" | "queue";
  readonly spread:
    | { readonly level: string; readonly maxSkew: number; readonly minDomains?: number; readonly mode: Strictness }
    | undefined;
}

const DRIVER = /\bdevice\.driver\s*==\s*["']([^"'\\]+)["']/;

/** The driver that the selectors of a request name, as those of every driver's own DeviceClass do; undefined where they name none. */
export function driverAsked({ selectors }: Pick<DeviceRequest, "selectors">): string | undefined {
  return selectors.flatMap((text) => DRIVER.exec(text)?.[1] ?? [])[0];
}
