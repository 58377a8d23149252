import {
  type Assignment,
  allowsLabels,
  type Demand,
  type HostPort,
  NODE_NAME_FIELD,
  type PodSetDemand,
  type Requirement,
  type Requirements,
  type Rung,
  type Step,
  type Taint,
  type Toleration,
  tolerates,
} from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { checkApart } from "./check-apart.ts";
import { checkCompany } from "./check-company.ts";
import { checkDevices, extendedOn, servedByClaims } from "./check-devices.ts";
import { checkNuma } from "./check-numa.ts";
import { checkPlacement } from "./check-placement.ts";
import { checkSupply, forbids, isComing, isMadeIn, labelsOfNew, lastingTaints, stampedOn } from "./check-supply.ts";
import { checkUnits } from "./check-units.ts";
import type { SolveContext } from "./context.ts";

/** A node of the assignment, existing or new, as the checker sees it. */
export interface Host {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly node: Topology["nodes"][number] | undefined;
  readonly pool: SolveContext["pools"][number] | undefined;
  readonly zone: string;
  /** Labels that a new node gets besides, with a value that its NodePool chooses. */
  readonly stamped: readonly Requirement[];
}

/** One pod set with the step of its rung and where its pods stand. */
export interface Laid {
  readonly set: PodSetDemand;
  readonly step: Step;
  readonly tolerations: readonly Toleration[];
  readonly placed: readonly {
    readonly host: Host;
    readonly pods: number;
    readonly devices: readonly (readonly string[])[] | undefined;
    readonly serves: readonly (readonly string[])[] | undefined;
  }[];
}

/**
 * Checks an assignment from first principles: its own arithmetic, its own reading of domains and devices, nothing of the search. Each
 * violation is one sentence; none means that every constraint holds.
 */
export function checkAssignment(
  topology: Topology,
  demand: Demand,
  rungs: Readonly<Record<string, Rung>>,
  assignment: Assignment,
  context: SolveContext,
): readonly string[] {
  const faults: string[] = [];
  const hosts = hostsOf(topology, assignment, context, faults);
  const laid: Laid[] = [];
  for (const set of demand.podSets) {
    const rung = Object.hasOwn(rungs, set.name) ? rungs[set.name] : undefined;
    const step = set.ladder.steps.find((one) => rung !== undefined && sameRung(one.rung, rung));
    if (step === undefined) {
      if (rung !== undefined) faults.push(`${set.name} has no such rung`);
      continue;
    }
    const placed = assignment.placed
      .filter((one) => one.podSet === set.name)
      .flatMap(({ node, pods, devices, serves }) => {
        const host = hosts.get(node);
        if (host === undefined) faults.push(`node ${node} does not exist`);
        return host === undefined ? [] : [{ host, pods, devices, serves }];
      });
    laid.push({ set, step, tolerations: [...set.pod.tolerations, ...step.tolerations], placed });
  }
  for (const one of laid) {
    checkCount(topology, one, faults);
    const keys = [
      ...one.set.pod.selection.flatMap((term) => [...term.keys()]),
      ...one.step.selection.map(({ key }) => key),
    ];
    const byName = keys.includes(NODE_NAME_FIELD);
    for (const { host } of one.placed) checkHost(one, host, byName, context, faults);
    if (one.set.perNode) checkEveryNode(topology, one, byName, context, faults);
    checkPlacement(topology, one, faults);
    checkApart(topology, demand, one, faults);
  }
  for (const { podSet } of assignment.placed)
    if (!demand.podSets.some(({ name }) => name === podSet)) faults.push(`the workload has no pod set ${podSet}`);
  checkCompany(topology, demand, laid, faults);
  checkUnits(topology, laid, faults);
  checkResources(topology, demand, laid, context, faults);
  checkPools(topology, demand, assignment, laid, context, faults);
  checkDevices(topology, demand, laid, context, faults);
  return faults;
}

const sameRung = (a: Rung, b: Rung): boolean =>
  a.accelerator === b.accelerator && a.capacityType === b.capacityType && a.source === b.source;

/** New nodes are named `POOL/INDEX`, and the indices of a pool run through its zones in the order of `newNodes`. */
function hostsOf(
  topology: Topology,
  assignment: Assignment,
  context: SolveContext,
  faults: string[],
): ReadonlyMap<string, Host> {
  const hosts = new Map<string, Host>();
  for (const { node: name } of assignment.placed) {
    const node = topology.nodes[topology.nodeIndex.get(name) ?? -1];
    if (node !== undefined)
      hosts.set(name, { name, labels: node.labels, taints: node.taints, node, pool: undefined, zone: "", stamped: [] });
  }
  const next = new Map<string, number>();
  const zoneKey = topology.layout.levels.find(({ name }) => name === "zone")?.key ?? "topology.kubernetes.io/zone";
  for (const { pool: poolName, zone, count } of assignment.newNodes) {
    const pool = context.pools.find(({ name }) => name === poolName);
    if (pool === undefined) {
      faults.push(`pool ${poolName} does not exist`);
      continue;
    }
    if (zone === "" ? pool.zones.length > 0 : !pool.zones.includes(zone))
      faults.push(
        zone === "" ? `nodes of pool ${poolName} must be in one of its zones` : `pool ${poolName} has no zone ${zone}`,
      );
    if (zone !== "" && !isMadeIn(topology, pool, zone))
      faults.push(`the NodePool of pool ${poolName} makes no node in zone ${zone}`);
    const zoned = zone === "" ? {} : { [zoneKey]: zone, "topology.kubernetes.io/zone": zone };
    for (let number = 0; number < count; number += 1) {
      const index = next.get(poolName) ?? 0;
      next.set(poolName, index + 1);
      const name = `${poolName}/${index}`;
      const labels = { "kubernetes.io/os": "linux", ...labelsOfNew(topology, pool), ...zoned };
      const [taints, stamped] = [lastingTaints(topology, pool), stampedOn(topology, pool)];
      hosts.set(name, { name, labels, taints, node: undefined, pool, zone, stamped });
    }
  }
  return hosts;
}

function checkCount(topology: Topology, { set, placed }: Laid, faults: string[]): void {
  const pods = placed.reduce((sum, one) => sum + one.pods, 0);
  if (new Set(placed.map(({ host }) => host.name)).size !== placed.length)
    faults.push(`${set.name} names a node twice`);
  if (placed.some((one) => one.pods < 1 || !Number.isInteger(one.pods)))
    faults.push(`${set.name} places a part of a pod`);
  if (!set.perNode) {
    if (pods !== set.required) faults.push(`${set.name} places ${pods} pods and needs ${set.required}`);
  } else if (placed.some((one) => one.pods > 1) || pods > topology.nodes.length + 1)
    faults.push(`${set.name} places two pods on one node`);
}

/** A set of one pod per node leaves out none that would take it. */
function checkEveryNode(topology: Topology, one: Laid, byName: boolean, context: SolveContext, faults: string[]): void {
  const covered = new Set(one.placed.map(({ host }) => host.name));
  for (const node of topology.nodes) {
    if (covered.has(node.name) || isComing(node)) continue;
    const against: string[] = [];
    checkHost(one, { ...node, node, pool: undefined, zone: "", stamped: [] }, byName, context, against);
    if (against.length === 0) faults.push(`${one.set.name} leaves out ${node.name}`);
  }
}

/** What the DaemonSet controller lets its pods tolerate, by taint. */
const DAEMON: Readonly<Record<string, Taint["effect"]>> = {
  "node.kubernetes.io/not-ready": "NoExecute",
  "node.kubernetes.io/unreachable": "NoExecute",
  "node.kubernetes.io/disk-pressure": "NoSchedule",
  "node.kubernetes.io/memory-pressure": "NoSchedule",
  "node.kubernetes.io/pid-pressure": "NoSchedule",
  "node.kubernetes.io/unschedulable": "NoSchedule",
};

/** And besides, on the network of their node. */
const NO_NETWORK = "node.kubernetes.io/network-unavailable";

const CORDON: Taint = { key: "node.kubernetes.io/unschedulable", value: "", effect: "NoSchedule" };

/** `byName`: some requirement is on the node's name, which is a field and no label. */
function checkHost(
  { set, step, tolerations }: Laid,
  host: Host,
  byName: boolean,
  context: SolveContext,
  faults: string[],
): void {
  const say = (what: string): void => void faults.push(`${set.name} on ${host.name}: ${what}`);
  const { pod } = set;
  const bound = pod.nodeName !== undefined;
  const accepts = (taint: Taint): boolean => tolerations.some((one) => tolerates(one, taint));
  if (bound && pod.nodeName !== host.name) say(`the pod names ${pod.nodeName}`);
  if (host.node?.ready === false) say("it is not ready");
  if (host.node?.cordoned === true && !bound && !set.perNode && !accepts(CORDON)) say("it is cordoned");
  for (const taint of host.taints) {
    if (taint.effect === "PreferNoSchedule" || accepts(taint)) continue;
    if (bound && taint.effect === "NoSchedule") continue;
    if (set.perNode && DAEMON[taint.key] === taint.effect) continue;
    if (set.perNode && pod.hostNetwork === true && taint.key === NO_NETWORK && taint.effect === "NoSchedule") continue;
    say(`its taint ${taint.key} is not tolerated`);
  }
  const labels: Readonly<Record<string, string>> =
    byName && host.node !== undefined ? { ...host.labels, [NODE_NAME_FIELD]: host.name } : host.labels;
  const takes = (term: Requirements): boolean =>
    allowsLabels(term, labels) && !host.stamped.some((one) => !Object.hasOwn(labels, one.key) && forbids(term, one));
  if (!pod.selection.some(takes)) say("the pod's node selection does not hold");
  for (const one of step.selection) if (!takes(new Map([[one.key, one]]))) say(`the class selects ${one.key}`);
  if (host.pool !== undefined) {
    const { accelerator, capacityType, source } = step.rung;
    if (source !== "new") say("the rung takes existing nodes only");
    if (host.pool.capacityType !== capacityType) say(`the rung is ${capacityType}`);
    if (accelerator !== "none" && accelerator !== "any" && accelerator !== host.pool.accelerator)
      say(`the rung is ${accelerator}`);
  }
  checkTime(set, host, context, say);
}

/** Is the node there in time, and for as long as the run may last. */
function checkTime(set: PodSetDemand, host: Host, { pools, nowMs }: SolveContext, say: (what: string) => void): void {
  const moment = (text: string | undefined, absent: number): number => (text === undefined ? absent : Date.parse(text));
  const wait = ({ reservation, startupMs }: SolveContext["pools"][number]): number =>
    startupMs + (nowMs === undefined ? 0 : Math.max(0, moment(reservation?.start, nowMs) - nowMs));
  if (host.pool !== undefined && wait(host.pool) > set.ladder.maxProvisioningMs) say("it starts too late");
  const members = (pool: SolveContext["pools"][number]): boolean =>
    host.node !== undefined && pool.members.size > 0 && allowsLabels(pool.members, host.labels);
  for (const pool of pools) {
    const { reservation } = pool;
    if (reservation?.end === undefined || (host.pool?.name !== pool.name && !members(pool))) continue;
    const from = nowMs ?? moment(reservation.start, Number.NaN);
    const begins = host.pool === undefined || nowMs === undefined ? from : from + wait(pool);
    const over = Date.parse(reservation.end) - (reservation.reclaimMs ?? 0);
    // A node that is taken back as soon as it is ready is none.
    const late = set.runMs === undefined ? host.pool !== undefined && begins >= over : begins + set.runMs > over;
    if (late) say(`the reservation of pool ${pool.name} ends before its run does`);
  }
}

function checkResources(
  topology: Topology,
  demand: Demand,
  laid: readonly Laid[],
  context: SolveContext,
  faults: string[],
): void {
  const asked = new Map<Host, Record<string, number>>();
  /** Of each pod. */
  const ports = new Map<Host, (readonly HostPort[])[]>();
  const ranks = new Map<Host, number>();
  for (const { set, step, placed } of laid) {
    const each = [...Object.entries(set.pod.requests), ...Object.entries(step.addedRequests)];
    for (const { host, pods } of placed) {
      const sums = asked.get(host) ?? (Object.create(null) as Record<string, number>);
      asked.set(host, sums);
      ranks.set(host, Math.min(set.pod.priority, ranks.get(host) ?? set.pod.priority));
      for (const [name, amount] of each) sums[name] = (sums[name] ?? 0) + amount * pods;
      if (set.pod.hostPorts.length === 0) continue;
      for (let pod = 0; pod < pods; pod += 1) ports.set(host, [...(ports.get(host) ?? []), set.pod.hostPorts]);
    }
  }
  const served = servedByClaims(topology, laid, context);
  const held = context.holds.filter((hold) => !isOwn(hold.workload, demand)).flatMap((hold) => hold.placed);
  const numa = (topology.facts.numa?.size ?? 0) > 0 || context.pools.some(({ node }) => node.numa !== undefined);
  for (const [host, sums] of asked) {
    const pods = host.node === undefined ? [] : (topology.podsOn[topology.nodeIndex.get(host.name) ?? -1] ?? []);
    const rank = ranks.get(host) ?? 0;
    // Who only waits for its node holds its room against pods of a lower priority.
    const away = (pod: (typeof pods)[number]): boolean =>
      isOwn(pod.root, demand) || (pod.nominated && pod.priority < rank);
    const others = pods.some(away) ? pods.filter((pod) => !away(pod)) : pods;
    const promised = held.length === 0 ? held : held.filter((one) => one.node === host.name);
    for (const name of Object.keys(sums)) {
      const amount = sums[name] ?? 0;
      // Devices serve these, and are judged as such.
      if (amount === 0 || (served.size > 0 && extendedOn(served, host, [{ [name]: amount }]).length > 0)) continue;
      const offered =
        (host.node?.allocatable ?? host.pool?.node.allocatable)?.[name] ??
        (host.pool !== undefined && name === "pods" ? 110 : 0);
      let left = offered;
      for (const pod of others) left -= pod.requests[name] ?? 0;
      for (const one of promised) left -= (one.requests[name] ?? 0) * one.pods;
      if (amount > left) faults.push(`${host.name} has ${left} ${name} left, and ${amount} are placed there`);
    }
    if (numa) checkNuma(topology, context, host, laid, { others, promised }, faults);
    if (ports.size === 0) continue;
    const own = ports.get(host) ?? [];
    const taken = [...own, ...[...others, ...promised].map((one) => one.hostPorts ?? [])];
    const meet = (pod: readonly HostPort[], at: number): boolean =>
      taken.some((other, place) => place !== at && other.some((port) => pod.some((mine) => sameSocket(mine, port))));
    if (own.some(meet)) faults.push(`${host.name} has a host port taken twice`);
  }
}

/** One port and protocol, at one address or at every one. */
function sameSocket(a: HostPort, b: HostPort): boolean {
  const [one, other] = [a, b]
    .map((port) => (typeof port === "number" ? `${port}/TCP` : port))
    .map((text) => ({
      end: text.slice(text.lastIndexOf(":") + 1),
      address: text.slice(0, Math.max(0, text.lastIndexOf(":"))),
    }));
  if (one?.end !== other?.end) return false;
  return one?.address === other?.address || one?.address === "" || other?.address === "";
}

export function isOwn(key: Demand["workload"], demand: Demand): boolean {
  const { workload } = demand;
  const group = (version: string): string => (version.includes("/") ? (version.split("/")[0] ?? "") : "");
  return (
    workload.name !== "" &&
    key.name === workload.name &&
    (key.namespace || "default") === (workload.namespace || "default") &&
    key.kind === workload.kind &&
    group(key.apiVersion) === group(workload.apiVersion)
  );
}

function checkPools(
  topology: Topology,
  demand: Demand,
  assignment: Assignment,
  laid: readonly Laid[],
  context: SolveContext,
  faults: string[],
): void {
  const used = new Set(
    laid.flatMap(({ placed }) => placed.flatMap(({ host }) => (host.pool === undefined ? [] : [host.name]))),
  );
  const total = assignment.newNodes.reduce((sum, { count }) => sum + count, 0);
  if (used.size !== total) faults.push(`${total} new nodes are counted and ${used.size} are used`);
  checkSupply(
    topology,
    assignment,
    context,
    context.holds.filter((hold) => !isOwn(hold.workload, demand)),
    faults,
  );
}
