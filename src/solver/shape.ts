import {
  addTo,
  type ContainerNeeds,
  type Demand,
  type DeviceRequest,
  type HostPort,
  type NodeSelection,
  type PodSetDemand,
  type Reason,
  type Requirements,
  type Step,
  type Taint,
  type Toleration,
  type TopologyUnit,
  tolerates,
} from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { type Apart, NOT_APART } from "./apart.ts";
import { type Company, NO_COMPANY } from "./company.ts";
import { joined } from "./text.ts";
import type { Outlasted } from "./window.ts";

export interface Need {
  readonly resource: string;
  readonly amount: number;
}

/** Pods of the set per value of a node label differ by at most `maxSkew`. */
export interface SpreadRule {
  readonly key: string;
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly ignoreTaints: boolean;
  readonly ignoreSelection: boolean;
  readonly soft: boolean;
}

/** One pod set as one rung would have it scheduled: the pod's own wishes and what the class adds, merged. */
export interface Shape {
  readonly name: string;
  /** ` of NAME` for messages; empty where the workload has this pod set alone. */
  readonly of: string;
  readonly set: PodSetDemand;
  readonly step: Step;
  /** Positive amounts, in the order in which the scheduler looks at them. */
  readonly needs: readonly Need[];
  /** In the order in which a kubelet admits them; what the class adds stands with the first that is neither init container nor sidecar. */
  readonly containers: readonly ContainerNeeds[];
  readonly ports: readonly HostPort[];
  readonly selection: NodeSelection;
  readonly tolerations: readonly Toleration[];
  readonly devices: readonly DeviceRequest[];
  /** Extended resources that claims serve on nodes that do not count them, and the request that the scheduler then makes. */
  readonly extended: readonly { readonly resource: string; readonly request: DeviceRequest }[];
  readonly spreads: readonly SpreadRule[];
  readonly unit: TopologyUnit;
  readonly groupSize: number;
  /** Index into topology.levels of the level that a unit shares; undefined: none, or each pod by itself. */
  readonly level: number | undefined;
  /** Index of a wider level of which all units of the workload share one domain. */
  readonly within: number | undefined;
  /** No other pods of the workload stand in the domain of a unit. */
  readonly separate: boolean;
  /** Shapes of one name make up groups together. */
  readonly joint: string | undefined;
  readonly soft: boolean;
  readonly required: number;
  readonly count: number;
  /** The most pods there may ever be; at least `count`. */
  readonly peak: number;
  /** Another scheduler than kube-scheduler, which places its pods by rules of its own. */
  readonly scheduler: string | undefined;
  /** Reservations that end before its run does. */
  readonly outlasts: readonly Outlasted[];
  /** Nodes that pods of others keep it off. */
  readonly apart: Apart;
  /** Where its own pod affinity and anti-affinity let it stand. */
  readonly company: Company;
  /** Shapes with equal keys fit on the same existing nodes. */
  key(): string;
  /** Shapes with equal screens pass the same filters on existing nodes. */
  screen(): string;
  /** Why the rung cannot be judged, or can never hold, whatever the supply. */
  readonly faults: readonly { readonly verdict: "never" | "unknown"; readonly reason: Reason }[];
}

/** resource/v1 AllocationResultsMaxSize. */
export const MAX_DEVICES = 32;
/** Two claims full of requests of one device each: more are not searched. */
const MAX_REQUESTS = 64;
/** resource/v1 ResourceClaimReservedForMaxSize. */
const MAX_USERS = 256;
const ORDER = ["pods", "cpu", "memory", "ephemeral-storage"];
const rank = (resource: string): number => {
  const index = ORDER.indexOf(resource);
  return index === -1 ? ORDER.length : index;
};

/** The DaemonSet controller adds these to its pods. */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  { key: "node.kubernetes.io/not-ready", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/unreachable", operator: "Exists", effect: "NoExecute" },
  { key: "node.kubernetes.io/disk-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/memory-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/pid-pressure", operator: "Exists", effect: "NoSchedule" },
  { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" },
];

/** And these to pods on the network of their node. */
const HOST_NETWORK_TOLERATIONS: readonly Toleration[] = [
  { key: "node.kubernetes.io/network-unavailable", operator: "Exists", effect: "NoSchedule" },
];

const daemonTolerations = ({ hostNetwork }: PodSetDemand["pod"]): readonly Toleration[] =>
  hostNetwork === true ? [...DAEMON_TOLERATIONS, ...HOST_NETWORK_TOLERATIONS] : DAEMON_TOLERATIONS;

export function shapeOf(
  topology: Topology,
  set: PodSetDemand,
  step: Step,
  alone = false,
  servedByClaims = false,
  outlasts: readonly Outlasted[] = [],
  apart: Apart = NOT_APART,
  company: Company = NO_COMPANY,
  scheduler?: string,
): Shape {
  const amounts = new Map<string, number>(Object.entries(set.pod.requests));
  for (const [name, amount] of Object.entries(step.addedRequests)) amounts.set(name, (amounts.get(name) ?? 0) + amount);
  const needs = [...amounts]
    .filter(([, amount]) => amount > 0)
    .map(([resource, amount]) => ({ resource, amount }))
    .sort((a, b) => rank(a.resource) - rank(b.resource) || (a.resource < b.resource ? -1 : 1));
  const faults: Shape["faults"][number][] = [];
  const { placement } = set;
  // A pod stands on one node, so by itself it shares every level; only larger units ask anything of a level.
  const asked = placement.unit === "pod" || set.perNode ? undefined : placement.level;
  const level = asked === undefined ? undefined : levelIndex(topology, asked, faults);
  const outer = level === undefined || placement.within === undefined ? undefined : placement.within;
  const spreads = spreadRules(topology, set, faults);
  const devices = deviceRequests(set, step, faults);
  const extended = servedByClaims ? extendedRequests(topology, needs) : [];
  const shape = {
    name: set.name,
    of: alone ? "" : ` of ${set.name}`,
    needs,
    ...(set.pod.containers === undefined ? {} : { containers: set.pod.containers }),
    ports: [...new Set(set.pod.hostPorts)],
    selection: set.pod.selection.map((term) => step.selection.reduce<Requirements>(addTo, term)),
    tolerations: [...set.pod.tolerations, ...step.tolerations, ...(set.perNode ? daemonTolerations(set.pod) : [])],
    devices,
    extended,
    spreads,
    unit: placement.unit,
    groupSize: Math.max(1, placement.groupSize),
    level,
    within: outer === undefined ? undefined : levelIndex(topology, outer, faults),
    separate: level !== undefined && placement.separate === true,
    joint: placement.joint,
    soft: placement.mode === "preferred",
    scheduler,
    required: set.required,
    count: Math.max(set.count, set.required),
    peak: Math.max(set.peak, set.count, set.required),
  };
  const unknowns = set.pod.unknowns.map((text) => doubt(`${set.name}: ${text}`));
  const ended = outlasts.filter(({ rows }) => rows.length > 0).map((one) => [one.key, one.text]);
  let key: string | undefined;
  let screen: string | undefined;
  return {
    name: shape.name,
    of: shape.of,
    set,
    step,
    needs,
    containers: containersOf(set, step, needs),
    ports: shape.ports,
    selection: shape.selection,
    tolerations: shape.tolerations,
    devices,
    extended,
    spreads,
    unit: shape.unit,
    groupSize: shape.groupSize,
    level,
    within: shape.within,
    separate: shape.separate,
    joint: shape.joint,
    soft: shape.soft,
    scheduler,
    required: shape.required,
    count: shape.count,
    peak: shape.peak,
    outlasts,
    apart,
    company,
    key: () => {
      key ??= JSON.stringify(
        [shape, set.pod.nodeName, set.perNode, ended, apart.key, company.key],
        (_key, value: unknown) => (value instanceof Map ? [...value.values()] : value),
      );
      return key;
    },
    screen: () => {
      const keys = spreads.filter(({ soft }) => !soft).map((rule) => rule.key);
      const terms = shape.selection.map((term) => [...term.values()]);
      screen ??= JSON.stringify([terms, shape.tolerations, set.pod.nodeName, keys, ended, apart.key, company.key]);
      return screen;
    },
    faults: unknowns.length === 0 ? faults : [...faults, ...unknowns],
  };
}

/** Without a word on containers there is one. */
function containersOf({ name, pod }: PodSetDemand, step: Step, needs: readonly Need[]): readonly ContainerNeeds[] {
  const devices = needs.filter(({ resource, amount }) => resource.includes("/") && Number.isInteger(amount));
  if (pod.containers === undefined)
    return [{ name, kind: "main", requests: Object.fromEntries(devices.map((one) => [one.resource, one.amount])) }];
  const first = pod.containers.findIndex(({ kind }) => kind === "main");
  return pod.containers.map((one, index) =>
    index === first ? { ...one, requests: { ...one.requests, ...step.addedRequests } } : one,
  );
}

function levelIndex(topology: Topology, name: string, faults: Shape["faults"][number][]): number | undefined {
  const index = topology.levels.findIndex(({ level }) => level.name === name);
  if (index !== -1) return index;
  faults.push(doubt(`the layout ${topology.layout.name} has no level ${name}, so what shares it cannot be told`));
  return undefined;
}

function spreadRules(topology: Topology, set: PodSetDemand, faults: Shape["faults"][number][]): readonly SpreadRule[] {
  const rules: SpreadRule[] = set.pod.spread.map((one) => ({
    key: one.key,
    maxSkew: one.maxSkew,
    minDomains: one.minDomains ?? 1,
    ignoreTaints: one.ignoreTaints,
    ignoreSelection: one.ignoreSelection === true,
    soft: false,
  }));
  const spread = set.placement.spread;
  if (spread !== undefined) {
    const index = levelIndex(topology, spread.level, faults);
    const key = index === undefined ? undefined : topology.levels[index]?.level.key;
    if (key !== undefined)
      rules.push({
        key,
        maxSkew: spread.maxSkew,
        minDomains: spread.minDomains ?? 1,
        ignoreTaints: true,
        ignoreSelection: false,
        soft: spread.mode === "preferred",
      });
  }
  return set.perNode ? [] : tightest(rules);
}

/** Of rules that differ in their skew alone the least one: whoever keeps that one keeps the others. Each rule left is a layer to count. */
function tightest(rules: readonly SpreadRule[]): readonly SpreadRule[] {
  const left = new Map<string, SpreadRule>();
  for (const { maxSkew, ...alike } of rules) {
    const key = JSON.stringify(alike);
    left.set(key, { ...alike, maxSkew: Math.min(maxSkew, left.get(key)?.maxSkew ?? maxSkew) });
  }
  return [...left.values()];
}

function deviceRequests(set: PodSetDemand, step: Step, faults: Shape["faults"][number][]): readonly DeviceRequest[] {
  const requests = [...set.pod.devices, ...step.addedDevices].filter(
    ({ count, firstAvailable }) => count !== 0 || firstAvailable !== undefined,
  );
  const perClaim = new Map<string, number>();
  for (const { claim, firstAvailable, ...one } of requests) {
    const least = Math.min(...(firstAvailable ?? [one]).map(({ count }) => (count === "all" ? 1 : count)));
    perClaim.set(claim, (perClaim.get(claim) ?? 0) + least);
  }
  for (const [claim, count] of perClaim)
    if (count > MAX_DEVICES)
      faults.push({
        verdict: "never",
        reason: {
          code: "LimitExceeded",
          message: `claim ${claim} of ${set.name} asks for ${count} devices, and Kubernetes allocates at most ${MAX_DEVICES} to one claim`,
          data: { claim, devices: count, limit: MAX_DEVICES },
        },
      });
  const joint = requests.find(({ sharedClaim }) => sharedClaim !== undefined)?.sharedClaim;
  if (joint !== undefined && set.required > MAX_USERS)
    faults.push({
      verdict: "never",
      reason: {
        code: "LimitExceeded",
        message: `claim ${joint} is for all ${set.required} pods of ${set.name}, and Kubernetes lets at most ${MAX_USERS} use one claim`,
        data: { claim: joint, pods: set.required, limit: MAX_USERS },
      },
    });
  if (requests.some((one) => one.adminAccess === true) && requests.some((one) => one.adminAccess !== true))
    faults.push(doubt(`${set.name} asks for devices both with and without adminAccess, which is not judged yet`));
  if (requests.length > MAX_REQUESTS)
    faults.push(doubt(`${set.name} makes ${requests.length} device requests, more than are judged (${MAX_REQUESTS})`));
  return requests.slice(0, MAX_REQUESTS);
}

/** The claim, so to speak, in which the extended resources of a pod stand. */
export const EXTENDED = "the extended resources";

/** Node labels by which its rules tell apart where pods stand. */
export function ruleKeys({ spreads, company }: Shape): readonly string[] {
  const followed = company.near?.follows === undefined ? [] : company.near.keys;
  return [...spreads.map(({ key }) => key), ...company.alone, ...company.keepsOff.map(({ key }) => key), ...followed];
}

/** The claims of one set that pods share, by name. */
export function sharedClaims({ devices }: Shape): ReadonlySet<string> {
  return new Set(devices.flatMap(({ sharedClaim }) => sharedClaim ?? []));
}

/** The requests that the scheduler makes of a pod's extended resources on nodes that do not count them. */
function extendedRequests(topology: Topology, needs: readonly Need[]): Shape["extended"] {
  return needs.flatMap(({ resource, amount }) => {
    const served = resource.includes("/") ? topology.facts.deviceClassOf?.(resource) : undefined;
    if (served === undefined) return [];
    const request: DeviceRequest = {
      name: resource,
      deviceClassName: served.name,
      selectors: served.selectors,
      count: amount,
      tolerations: [],
      matchAttributes: [],
      claim: EXTENDED,
    };
    return [{ resource, request }];
  });
}

function doubt(message: string): Shape["faults"][number] {
  return { verdict: "unknown", reason: { code: "DataMissing", message } };
}

/** `this`, or `head alone` where one set of several is looked at by itself: who needs so much of a limit. */
export function needing({ podSets }: Demand, shapes: readonly Shape[]): string {
  return shapes.length < podSets.length ? `${joined(shapes.map(({ name }) => name))} alone` : "this";
}

/** Has the workload no other pod set: one that is looked at by itself may still come after others. */
export const isAlone = (shapes: readonly Shape[]): boolean => shapes.length === 1 && shapes[0]?.of === "";

/** `scheduler volcano`, of shapes that name another than kube-scheduler. */
export function schedulersText(shapes: readonly Shape[]): string {
  const names = [...new Set(shapes.flatMap(({ scheduler }) => scheduler ?? []))];
  return `scheduler ${joined(names)}`;
}

/** Taints that say what state a node is in, not what it is for: they come and go by themselves. */
export function isPassing(taint: Taint): boolean {
  return (
    taint.key.startsWith("node.kubernetes.io/") ||
    taint.key === "node.cloudprovider.kubernetes.io/uninitialized" ||
    taint.key === "node.cloudprovider.kubernetes.io/shutdown" ||
    taint.key === "ToBeDeletedByClusterAutoscaler" ||
    taint.key === "karpenter.sh/disrupted" ||
    taint.key === "karpenter.sh/unregistered"
  );
}

export function isTolerated(tolerations: readonly Toleration[], taint: Taint): boolean {
  return taint.effect === "PreferNoSchedule" || tolerations.some((one) => tolerates(one, taint));
}
