import {
  atLeast,
  type Demand,
  type DeviceClassFacts,
  type DeviceRequest,
  once,
  parseQuantity,
} from "../model/index.ts";
import type { ClaimFacts, DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import { checkClaims, isReached, type Served } from "./check-claims.ts";
import { isReachedByNew, newDevices } from "./check-new.ts";
import { type Host, isOwn, type Laid } from "./checker.ts";
import type { SolveContext } from "./context.ts";

export interface Published {
  readonly device: DeviceFacts;
  readonly pool: DevicePool;
  readonly key: string;
}

/**
 * Is every device that a pod gets there, whole, reachable and selected; given once, or shared within its capacities; do the counters of each
 * pool suffice; is every request served in one of its ways; do devices agree and differ where they must.
 */
export function checkDevices(
  topology: Topology,
  demand: Demand,
  laid: readonly Laid[],
  context: SolveContext,
  faults: string[],
): void {
  const extended = servedByClaims(topology, laid, context);
  if (extended.size === 0 && laid.every(({ set, step }) => [...set.pod.devices, ...step.addedDevices].length === 0))
    return;
  const hosts = new Map(laid.flatMap(({ placed }) => placed.map(({ host }) => [host.name, host] as const)));
  const published = publishedIn(topology, hosts);
  const near = poolsAt(published);
  const { taken, shares } = inUse(topology, demand, near);
  addPromised(
    context.holds.filter(({ workload }) => !isOwn(workload, demand)),
    near,
    taken,
    shares,
  );
  const others = copyOf(shares);
  const given = new Set<string>();
  const joint = new Map<string, Served[][]>();
  for (const { set, step, placed } of laid) {
    const own = [...set.pod.devices, ...step.addedDevices].filter(
      ({ count, firstAvailable }) => count !== 0 || firstAvailable !== undefined,
    );
    for (const { host, pods, devices, serves } of placed) {
      const requests = [...own, ...extendedOn(extended, host, [set.pod.requests, step.addedRequests])];
      if (requests.length === 0) continue;
      if (devices?.length !== pods)
        faults.push(`${set.name} on ${host.name}: devices are named for ${devices?.length ?? 0} of ${pods} pods`);
      for (const [pod, list] of (devices ?? []).entries()) {
        const labels = serves?.[pod] ?? plainLabels(requests, list, published.get(host.name) ?? new Map());
        const served = list.map((key, index): Served => ({ key, label: labels[index] ?? "", host }));
        const shared = new Map<string, Served[]>();
        // What administrators see they leave to others.
        const sees = requests.some(({ adminAccess }) => adminAccess === true);
        const seen = sees ? copyOf(others) : shares;
        for (const one of served) {
          const request = requests.find(({ claim, name }) => isOf(one.label, claim, name));
          const found = published.get(host.name)?.get(one.key)?.device;
          if (found?.allowMultipleAllocations === true)
            for (const { name, amount } of shareOf(found, optionOf(request, one.label)?.capacity))
              charge(request?.adminAccess === true ? seen : shares, one.key, name, amount);
          if (request?.sharedClaim !== undefined)
            shared.set(request.sharedClaim, [...(shared.get(request.sharedClaim) ?? []), one]);
        }
        for (const [claim, own] of shared) joint.set(claim, [...(joint.get(claim) ?? []), own]);
        if (sees) checkShares(published, seen, new Set(list), faults);
        checkClaims(host, requests, served, published.get(host.name) ?? new Map(), taken, faults);
      }
      for (const key of (devices ?? []).flat()) {
        const mayRepeat = isShared(published, host, key) || own.some(({ adminAccess }) => adminAccess === true);
        if (given.has(key) && !mayRepeat) faults.push(`device ${key} is given twice`);
        given.add(key);
      }
    }
  }
  checkShares(published, shares, given, faults);
  checkCounters(near, taken, laid, faults);
  checkJoint(laid, joint, published, faults);
}

export function isOf(label: string, claim: string, name: string): boolean {
  return label === `${claim}/${name}` || label.startsWith(`${claim}/${name}/`);
}

export function optionOf(request: DeviceRequest | undefined, label: string): DeviceRequest | undefined {
  return request?.firstAvailable?.find(({ name }) => label === `${request.claim}/${request.name}/${name}`) ?? request;
}

const copyOf = (sums: ReadonlyMap<string, Readonly<Record<string, bigint>>>): Map<string, Record<string, bigint>> =>
  new Map([...sums].map(([key, own]) => [key, { ...own }] as const));

function charge(sums: Map<string, Record<string, bigint>>, key: string, name: string, amount: bigint): void {
  const sum = sums.get(key) ?? {};
  sum[name] = (sum[name] ?? 0n) + amount;
  sums.set(key, sum);
}

/** The pools of which something is published to the hosts. */
function poolsAt(published: AllPublished): readonly DevicePool[] {
  return [...new Set([...published.values()].flatMap((list) => [...list.values()].map(({ pool }) => pool)))];
}

/** Devices of these pools that claims of others have, and what they use of those that are shared. */
function inUse(
  topology: Topology,
  demand: Demand,
  pools: readonly DevicePool[],
): { readonly taken: Set<string>; readonly shares: Map<string, Record<string, bigint>> } {
  const taken = new Set<string>();
  const shares = new Map<string, Record<string, bigint>>();
  const own = new Set(ownClaims(topology, demand).map(claimId));
  for (const { devices } of pools)
    for (const device of devices) {
      const key = keyOf(device);
      const holder = topology.ledger.devices.get(key);
      if (holder !== undefined && !own.has(holder)) taken.add(key);
    }
  // Who shares a device, and how much of it each uses, only the claims tell.
  if (pools.some(({ devices }) => devices.some((device) => device.allowMultipleAllocations)))
    for (const claim of topology.claims) {
      if (claim.adminAccess || own.has(claimId(claim))) continue;
      for (const key of claim.devices) taken.add(key);
      for (const { device, consumed } of claim.shares ?? [])
        for (const [name, amount] of Object.entries(consumed)) charge(shares, device, name, amount);
    }
  return { taken, shares };
}

/** Devices that are promised to others, as if claims of theirs had them. */
function addPromised(
  holds: SolveContext["holds"],
  pools: readonly DevicePool[],
  taken: Set<string>,
  shares: Map<string, Record<string, bigint>>,
): void {
  if (holds.length === 0) return;
  const sharing = new Map(
    pools.flatMap(({ devices }) =>
      devices.filter((one) => one.allowMultipleAllocations).map((one) => [keyOf(one), one] as const),
    ),
  );
  for (const { devices, capacities } of holds.flatMap(({ placed }) => placed))
    for (const [at, key] of devices.entries()) {
      taken.add(key);
      const device = sharing.get(key);
      if (device !== undefined)
        for (const { name, amount } of shareOf(device, capacities?.[at])) charge(shares, key, name, amount);
    }
}

const claimId = ({ namespace, name }: ClaimFacts): string => `${namespace}/${name}`;

/** Claims of the workload itself. */
function ownClaims(topology: Topology, demand: Demand): readonly ClaimFacts[] {
  const near =
    topology.lookups?.claimsOfRoot(demand.workload) ?? byRootName(topology.claims).get(demand.workload.name) ?? [];
  return near.filter(({ root }) => root !== undefined && isOwn(root, demand));
}

/** Only for topologies in which nothing changes. */
const byRootName = once((claims: readonly ClaimFacts[]) => {
  const names = new Map<string, ClaimFacts[]>();
  for (const claim of claims) {
    if (claim.root === undefined) continue;
    const list = names.get(claim.root.name);
    if (list === undefined) names.set(claim.root.name, [claim]);
    else list.push(claim);
  }
  return names;
});

/** Devices by node, then key; those that several nodes may reach stand with each node, and with each new node that reaches them. */
function publishedIn(
  topology: Topology,
  hosts: ReadonlyMap<string, Host>,
): ReadonlyMap<string, ReadonlyMap<string, Published>> {
  const { byNode, wide } = poolsByNode(topology.devicePools);
  const all = new Map<string, Map<string, Published>>();
  for (const [name, host] of hosts) {
    const own = new Map<string, Published>();
    for (const one of newDevices(host)) own.set(one.key, one);
    for (const pool of new Set([...(byNode.get(name) ?? []), ...wide]))
      for (const device of pool.devices) {
        const { reach } = device;
        const near = "node" in reach ? reach.node === name : isReachedByNew(topology, host, reach);
        const key = keyOf(device);
        if (near) own.set(key, { device, pool, key });
      }
    if (own.size > 0) all.set(name, own);
  }
  return all;
}

/** Pools with devices of a node's own, and pools with devices that several may reach. */
const poolsByNode = once((pools: readonly DevicePool[]) => {
  const byNode = new Map<string, DevicePool[]>();
  const wide: DevicePool[] = [];
  for (const pool of pools) {
    const { nodes, isWide } = nodesOf(pool);
    if (isWide) wide.push(pool);
    for (const node of nodes) {
      const known = byNode.get(node);
      if (known === undefined) byNode.set(node, [pool]);
      else known.push(pool);
    }
  }
  return { byNode, wide };
});

const nodesOf = once(({ devices }: DevicePool) => ({
  nodes: new Set(devices.flatMap(({ reach }) => ("node" in reach ? [reach.node] : []))),
  isWide: devices.some(({ reach }) => !("node" in reach)),
}));

type AllPublished = ReturnType<typeof publishedIn>;

function isShared(published: AllPublished, host: Host, key: string): boolean {
  return published.get(host.name)?.get(key)?.device.allowMultipleAllocations === true;
}

/** Extended resources asked for here that a device class serves, with the class. */
export function servedByClaims(
  topology: Topology,
  laid: readonly Laid[],
  context: SolveContext,
): ReadonlyMap<string, DeviceClassFacts> {
  const served = new Map<string, DeviceClassFacts>();
  const { version, featureGates } = context.platform.kubernetes;
  if (!(featureGates["DRAExtendedResource"] ?? atLeast(version, 1, 36))) return served;
  for (const { set, step } of laid)
    for (const name of [...Object.keys(set.pod.requests), ...Object.keys(step.addedRequests)]) {
      const found = name.includes("/") ? topology.facts.deviceClassOf?.(name) : undefined;
      if (found !== undefined) served.set(name, found);
    }
  return served;
}

/** Of extended resources that a class serves: the requests where the node counts none. */
export function extendedOn(
  served: ReadonlyMap<string, DeviceClassFacts>,
  host: Host,
  amounts: readonly Readonly<Record<string, number>>[],
): readonly DeviceRequest[] {
  if (served.size === 0) return [];
  const sums: Record<string, number> = {};
  for (const list of amounts)
    for (const [name, amount] of Object.entries(list)) sums[name] = (sums[name] ?? 0) + amount;
  return Object.entries(sums).flatMap(([name, count]) => {
    const found = served.get(name);
    const counted = (host.node?.allocatable ?? host.pool?.node.allocatable)?.[name] ?? 0;
    if (found === undefined || counted > 0 || count <= 0) return [];
    const { selectors, name: deviceClassName } = found;
    const claim = "the extended resources";
    return [{ name, claim, deviceClassName, selectors, count, tolerations: [], matchAttributes: [] }];
  });
}

/** Where the requests' order and counts tell what each device serves. */
function plainLabels(
  requests: readonly DeviceRequest[],
  list: readonly string[],
  published: ReadonlyMap<string, Published>,
): readonly string[] {
  const labels: string[] = [];
  for (const [index, { claim, name, count }] of requests.entries()) {
    const rest = requests.slice(index + 1).reduce((sum, one) => sum + (one.count === "all" ? 0 : one.count), 0);
    const most = count === "all" ? list.length - labels.length - rest : count;
    for (let number = 0; number < most && labels.length < list.length; number += 1) {
      if (count === "all" && !published.has(list[labels.length] ?? "")) break;
      labels.push(`${claim}/${name}`);
    }
  }
  return labels;
}

/** By capacity of a shared device: what a request takes. Judged anew, by the words of the API. */
export function shareOf(
  device: DeviceFacts,
  asked: Readonly<Record<string, string>> | undefined,
): readonly { readonly name: string; readonly amount: bigint; readonly valid: boolean }[] {
  return (device.capacities ?? []).map(({ name, nano, policy }) => {
    const text = asked?.[name];
    const want = text === undefined ? undefined : parseQuantity(text)?.nano;
    if (want === undefined) return { name, amount: policy?.default ?? nano, valid: true };
    const { range, values } = policy ?? {};
    if (range?.min !== undefined) {
      let amount = want;
      if (amount < range.min) amount = range.min;
      if (range.step !== undefined && (amount - range.min) % range.step !== 0n)
        amount += range.step - ((amount - range.min) % range.step);
      return { name, amount, valid: range.max === undefined || amount <= range.max };
    }
    const amount = (values ?? []).filter((one) => one >= want).sort((a, b) => (a < b ? -1 : 1))[0];
    return { name, amount: amount ?? want, valid: values === undefined || amount !== undefined };
  });
}

function checkShares(
  published: AllPublished,
  shares: ReadonlyMap<string, Readonly<Record<string, bigint>>>,
  given: ReadonlySet<string>,
  faults: string[],
): void {
  const devices = new Map([...published.values()].flatMap((list) => [...list]));
  for (const [key, sums] of shares) {
    if (!given.has(key)) continue;
    for (const { name, nano } of devices.get(key)?.device.capacities ?? [])
      if ((sums[name] ?? 0n) > nano) faults.push(`device ${key} has not so much ${name} to share`);
  }
}

/** All devices in use of a pool draw on its counters, each once; pods of administrators draw on what is left by themselves, and leave it. */
function checkCounters(
  pools: readonly DevicePool[],
  taken: ReadonlySet<string>,
  laid: readonly Laid[],
  faults: string[],
): void {
  const isAdmin = ({ set, step }: Laid): boolean => {
    const requests = [...set.pod.devices, ...step.addedDevices];
    return requests.length > 0 && requests.every(({ adminAccess }) => adminAccess === true);
  };
  const podsOf = (sets: readonly Laid[]) => sets.flatMap(({ placed }) => placed.flatMap(({ devices = [] }) => devices));
  const rounds = [
    new Set(podsOf(laid.filter((one) => !isAdmin(one))).flat()),
    ...podsOf(laid.filter(isAdmin)).map((list) => new Set(list)),
  ];
  for (const round of rounds)
    for (const pool of pools) {
      const fresh = pool.devices.filter((device) => {
        const key = keyOf(device);
        // A shared one that is in use has drawn on them already, be they overdrawn.
        return round.has(key) && !(taken.has(key) && device.allowMultipleAllocations);
      });
      const drawing = fresh.filter(({ consumesCounters }) => consumesCounters.length > 0);
      if (drawing.length === 0) continue;
      const standing = pool.devices.filter((device) => taken.has(keyOf(device)));
      const left = new Map<string, bigint>();
      for (const [set, counters] of Object.entries(pool.counterSets ?? {}))
        for (const [name, total] of Object.entries(counters)) left.set(`${set}/${name}`, total);
      for (const { consumesCounters } of [...standing, ...drawing])
        for (const { counterSet, counters } of consumesCounters)
          for (const [name, amount] of Object.entries(counters))
            left.set(`${counterSet}/${name}`, (left.get(`${counterSet}/${name}`) ?? 0n) - amount);
      for (const [name, amount] of left)
        if (amount < 0n) faults.push(`pool ${pool.driver}/${pool.name} has too little of ${name}`);
    }
}

const keyOf = ({ driver, pool, name }: DeviceFacts): string => `${driver}/${pool}/${name}`;

/** A claim that pods share is served once, with one of them, and all of them stand where its devices are reached. */
function checkJoint(
  laid: readonly Laid[],
  joint: ReadonlyMap<string, readonly (readonly Served[])[]>,
  published: AllPublished,
  faults: string[],
): void {
  const users = new Map<string, Host[]>();
  for (const { set, placed } of laid)
    for (const { sharedClaim } of set.pod.devices)
      if (sharedClaim !== undefined)
        users.set(sharedClaim, [...(users.get(sharedClaim) ?? []), ...placed.map(({ host }) => host)]);
  for (const [claim, hosts] of users) {
    const served = joint.get(claim) ?? [];
    if (served.length === 0) faults.push(`claim ${claim} is served to nobody`);
    if (served.length > 1) faults.push(`claim ${claim} is served more than once`);
    for (const host of hosts)
      if (
        served.flat().some(({ key }) => {
          const found = published.get(host.name)?.get(key);
          return found === undefined || !isReached(found.device, host);
        })
      )
        faults.push(`a pod on ${host.name} does not reach the devices of claim ${claim}`);
  }
}
