import {
  addTo,
  atLeast,
  type ClusterFacts,
  type Contract,
  containerNeeds,
  DEFAULT_SCHEDULER,
  type Demand,
  digest,
  type Intent,
  integerAt,
  isKubeScheduler,
  KUEUE_MINIMUM_ANNOTATION,
  type NodeSelection,
  once,
  type Placement,
  type PodSetDemand,
  type PodShape,
  podCharges,
  podHostPorts,
  podRequests,
  podSelection,
  podTolerations,
  requirement,
  stringAt,
  TENANT_LABEL,
  type TopologyNeed,
  toPointer,
} from "../model/index.ts";
import { fieldPath, groupOf, groupPartners, type PodSet, type Workload } from "../workloads/index.ts";
import { devicesOf } from "./claims.ts";
import { given } from "./contract.ts";
import { buildLadder } from "./ladder.ts";
import { plainJson } from "./plain.ts";
import { rulesOf } from "./podrules.ts";
import type { Catalogue } from "./types.ts";

/** What the solver is asked about the pod sets that have an intent, in the workload's order. */
export function buildDemand(
  workload: Workload,
  intents: ReadonlyMap<string, Intent>,
  catalogue: Catalogue,
  facts: ClusterFacts,
): Demand {
  const podSets: PodSetDemand[] = [];
  const byNuma = (facts.numa?.size ?? 0) > 0 || catalogue.pools.some(({ node }) => node.numa !== undefined);
  let limit: number | undefined;
  for (const set of workload.podSets) {
    const intent = intents.get(set.name);
    if (intent === undefined) continue;
    const { contract } = intent;
    const own = contract.tenancy.limits.accelerators;
    const deadline = deadlineMs(workload, set);
    if (own !== undefined) limit = Math.min(limit ?? own, own);
    podSets.push({
      name: set.name,
      role: set.role,
      count: set.count,
      required: requiredOf(set, contract),
      peak: Math.max(set.peak, set.count),
      ...given("floor", floorOf(set, contract)),
      ...given("classMinimum", classMinimum(workload, set, intent, intents)),
      perNode: set.perNode,
      ...given("runMs", deadline ?? contract.demand.runTimeMs),
      ...given("deadlineMs", deadline),
      ...given("queueMinimum", queueMinimum(workload, set, catalogue)),
      pod: { ...shapeOf(workload, set, contract, facts, byNuma), ...rulesOf(workload, set) },
      placement: placementOf(workload, set, contract, catalogue),
      ladder: buildLadder(workload, set, intent, catalogue, facts),
    });
  }
  const tenant = tenantOf(workload.key.namespace, facts);
  return {
    workload: workload.key,
    tenant,
    podSets,
    ...given("acceleratorLimit", limit),
    ...(catalogue.platform.kueue === undefined ? {} : given("queue", queueOf(workload))),
  };
}

/** Kueue lets the pods of these in one by one, of other kinds all together. */
const POD_BY_POD: ReadonlySet<string> = new Set(["Pod", "Deployment", "ReplicaSet"]);

function queueOf({ queue, kind }: Workload): Demand["queue"] {
  return queue === undefined ? undefined : { name: queue, whole: !POD_BY_POD.has(kind.kind) };
}

/** Kueue may start a Job with fewer pods than its parallelism where this says so, and that is less (partial admission). */
function queueMinimum(
  { queue, kind, annotations }: Workload,
  set: PodSet,
  { platform }: Catalogue,
): number | undefined {
  if (
    queue === undefined ||
    platform.kueue === undefined ||
    groupOf(kind.apiVersion) !== "batch" ||
    kind.kind !== "Job"
  )
    return undefined;
  const text = annotations[KUEUE_MINIMUM_ANNOTATION] ?? "";
  const minimum = /^[0-9]{1,9}$/.test(text) ? Number(text) : 0;
  return minimum > 0 && minimum < set.count ? minimum : undefined;
}

/** The namespace's tenant label, else the namespace. */
export function tenantOf(namespace: string, facts: ClusterFacts): string {
  const name = namespace || "default";
  const labels = facts.namespace(name)?.labels ?? {};
  return (Object.hasOwn(labels, TENANT_LABEL) ? labels[TENANT_LABEL] : undefined) || name;
}

/**
 * Of what the manifest (and the objects that finish its pods) ask for, and how long it runs by its own deadline. Counts, the class, and what only
 * ranks the pod (its priority) stay out: a set with an equal digest may keep its rung.
 */
export function demandDigest(set: PodSetDemand): string {
  // Sets without a deadline keep the digest that they always had.
  return set.deadlineMs === undefined ? shapeDigest(set.pod) : digest(`${shapeDigest(set.pod)} ${set.deadlineMs}`);
}

/** A review asks several times; the shape lives no longer than the review. */
const shapeDigest = once((pod: PodShape): string => {
  const { requests, selection, tolerations, nodeName, hostPorts, schedulerName, spread, devices, terms } = pod;
  // Pods without such terms keep the digest that they always had.
  const near = terms === undefined || terms.length === 0 ? {} : { terms };
  return digest(
    plainJson({ requests, selection, tolerations, nodeName, hostPorts, schedulerName, spread, devices, ...near }),
  );
});

/** The shortest `activeDeadlineSeconds` of the pod, of what makes it, and of the whole; Kubeflow's jobs keep it under runPolicy. */
export function deadlineMs({ object }: Workload, set: PodSet): number | undefined {
  const seconds = [
    integerAt(set.pod.spec, ["activeDeadlineSeconds"]),
    ...[set.path.slice(0, -1), ["spec"], ["spec", "runPolicy"]].map((path) =>
      integerAt(object, [...path, "activeDeadlineSeconds"]),
    ),
  ].filter((one) => one !== undefined && one > 0);
  return seconds.length === 0 ? undefined : Math.min(...seconds.map(Number)) * 1000;
}

/** The minimum of the class, which only shapes that serve somebody have. */
function floorOf(set: PodSet, { demand }: Contract): PodSetDemand["floor"] {
  if (set.perNode || (demand.shape !== "online" && demand.shape !== "session")) return undefined;
  const replicas = Math.max(demand.replicas.min, 1);
  return { replicas, pods: replicas * (set.groupSize ?? 1) };
}

/** Work that has to finish has such a minimum over all its sets: what the others have counts towards it. */
function classMinimum(
  { podSets }: Workload,
  set: PodSet,
  { className, contract: { demand } }: Intent,
  intents: ReadonlyMap<string, Intent>,
): PodSetDemand["classMinimum"] {
  if (set.perNode || demand.replicas.min === 0 || demand.shape === "online" || demand.shape === "session")
    return undefined;
  const others = podSets.filter((one) => one !== set && intents.get(one.name)?.className === className);
  const pods = demand.replicas.min - others.reduce((sum, { count }) => sum + count, 0);
  return pods > 0 ? { pods, replicas: demand.replicas.min } : undefined;
}

/** Pods that must hold together for the verdict. Never more than there are; a set that is scaled to nothing needs nothing. */
function requiredOf(set: PodSet, contract: Contract): number {
  const { demand } = contract;
  if (set.perNode) return 1;
  const group = set.groupSize ?? 1;
  switch (demand.shape) {
    case "gang":
      return set.count;
    case "online":
    case "session":
      return Math.min(set.count, floorOf(set, contract)?.pods ?? group);
    case "batch":
    case "stream":
      return Math.min(set.count, set.minimum ?? group);
  }
}

/** Sets of one item that the kind makes in groups (a leader with its workers) make up one group together, of which each has its own part. */
function placementOf(workload: Workload, set: PodSet, { topology, demand }: Contract, catalogue: Catalogue): Placement {
  const asked = topology?.unit ?? (demand.shape === "gang" ? "podSet" : "pod");
  // One pod stands on one node and so shares every level with itself; nothing is written for it.
  const unit = asked === "podSet" && set.count <= 1 ? "pod" : asked;
  const partners = groupPartners(workload, set);
  const pods = partners.reduce((sum, one) => sum + (one.groupSize ?? 0), 0);
  const joint = unit === "group" && partners.length > 1 && (topology?.groupSize ?? pods) === pods;
  return {
    ...keptBy(workload, set, topology, catalogue),
    unit,
    groupSize: (joint ? set.groupSize : (topology?.groupSize ?? set.groupSize)) ?? 1,
    level: topology?.level,
    ...(topology?.within === undefined ? {} : { within: topology.within }),
    ...(topology?.domains === "separate" ? { separate: true } : {}),
    ...(joint ? { joint: toPointer(set.itemPath) } : {}),
    mode: topology?.mode ?? "required",
    spread: topology?.spread,
  };
}

/** The means that the expansion takes for a level, in its order; pod affinity where it is none of these. */
function keptBy(
  workload: Workload,
  set: PodSet,
  need: TopologyNeed | undefined,
  { platform }: Catalogue,
): Pick<Placement, "keptBy"> {
  if (need?.level === undefined) return {};
  if (workload.queue !== undefined && platform.kueue !== undefined) return { keptBy: "queue" };
  const { unit, mode, pin, within, domains } = need;
  // A PodGroup takes one level, and a pin to the wider domain leaves the units to pod affinity.
  const plain = within === undefined && domains !== "separate";
  const { version, featureGates } = platform.kubernetes;
  const members = unit === "workload" ? workload.podSets : [set];
  const grouped =
    platform.companions.podGroups &&
    atLeast(version, 1, 37) &&
    featureGates["GenericWorkload"] === true &&
    featureGates["TopologyAwareWorkloadScheduling"] === true &&
    members.every((one) => isKubeScheduler(platform, schedulerOf(one)));
  const runsOnce = workload.kind.life === "runOnce";
  const carried = members.every((one) => fieldPath(one, "schedulingGroup") !== undefined);
  if (
    plain &&
    grouped &&
    runsOnce &&
    carried &&
    mode === "required" &&
    unit !== "group" &&
    workload.queue === undefined
  )
    return { keptBy: "podGroup" };
  return pin === "domain" && runsOnce && within === undefined ? { keptBy: "pin" } : {};
}

/** The scheduler that the pods of a set name. */
const schedulerOf = ({ pod }: PodSet): string => stringAt(pod.spec, ["schedulerName"]) || DEFAULT_SCHEDULER;

function shapeOf(
  workload: Workload,
  set: PodSet,
  contract: Contract,
  facts: ClusterFacts,
  byNuma: boolean,
): Omit<PodShape, "spread"> {
  const { spec } = set.pod;
  const unknowns: string[] = [];
  const runtimeName = stringAt(spec, ["runtimeClassName"]);
  const runtime = runtimeName === undefined ? undefined : facts.runtimeClass(runtimeName);
  if (runtimeName !== undefined && runtime === undefined) {
    unknowns.push(`RuntimeClass ${runtimeName} is not in the input, so its overhead and node selector are not known`);
  }
  const claimed = devicesOf(workload, set, facts);
  unknowns.push(...claimed.unknowns);
  let { selection }: { selection: NodeSelection } = podSelection(spec);
  for (const [key, value] of Object.entries(runtime?.nodeSelector ?? {})) {
    selection = selection.map((term) => addTo(term, requirement(key, "In", [value])));
  }
  for (const nodes of claimed.nodes) selection = bothOf(selection, nodes);
  const nodeName = stringAt(spec, ["nodeName"]);
  const namespace = facts.namespace(workload.key.namespace || "default");
  const defaults = namespace?.containerLimits ?? [];
  const overhead = given("overhead", runtime?.overhead);
  const className = stringAt(spec, ["priorityClassName"]) || contract.tenancy.priorityClassName;
  const priorityClass = className ?? facts.defaultPriorityClass()?.name;
  return {
    requests: podRequests(spec, { defaults, ...overhead }),
    // Only kubelets that hand out devices by NUMA node look at them.
    ...(byNuma ? { containers: containerNeeds(spec, defaults) } : {}),
    // Only a quota looks at them.
    ...((namespace?.quotas ?? []).length === 0
      ? {}
      : { charges: podCharges(spec, { defaults, ...overhead, priorityClass }) }),
    selection,
    tolerations: [...podTolerations(spec), ...(runtime?.tolerations ?? [])],
    ...(nodeName === undefined || nodeName === "" ? {} : { nodeName }),
    hostPorts: podHostPorts(spec),
    schedulerName: schedulerOf(set),
    ...priorityOf(className, facts),
    devices: claimed.devices,
    unknowns,
  };
}

/** Terms that hold where some term of each holds. */
function bothOf(a: NodeSelection, b: NodeSelection): NodeSelection {
  return a.flatMap((term) => b.map((other) => [...other.values()].reduce(addTo, term)));
}

/** Classes that every API server makes by itself. */
const SYSTEM_PRIORITY: Readonly<Record<string, number>> = {
  "system-cluster-critical": 2_000_000_000,
  "system-node-critical": 2_000_001_000,
};

/** The named PriorityClass, else the one that is the default. One that is not in the input ranks as zero and preempts. */
function priorityOf(
  name: string | undefined,
  facts: ClusterFacts,
): { readonly priority: number; readonly preempts: boolean } {
  const found = name === undefined ? facts.defaultPriorityClass() : facts.priorityClass(name);
  if (found !== undefined) return { priority: found.value, preempts: found.preemptionPolicy !== "Never" };
  const builtin = name !== undefined && Object.hasOwn(SYSTEM_PRIORITY, name) ? SYSTEM_PRIORITY[name] : undefined;
  return { priority: builtin ?? 0, preempts: true };
}
