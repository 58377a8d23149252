import {
  atLeast,
  type Demand,
  type DeviceClassFacts,
  type DeviceRequest,
  once,
  parseQuantity,
} from "../model/index.ts";
import type { DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import { checkClaims, type Served } from "./check-claims.ts";
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
  const hosts = new Set(laid.flatMap(({ placed }) => placed.map(({ host }) => host.name)));
  const published = publishedIn(topology, hosts);
  const near = within(topology, published);
  const taken = new Set<string>();
  const shares = new Map<string, Record<string, bigint>>();
  for (const claim of topology.claims) {
    if (claim.adminAccess || (claim.root !== undefined && isOwn(claim.root, demand))) continue;
    for (const key of claim.devices) if (near.keys.has(key)) taken.add(key);
    for (const { device, consumed } of claim.shares ?? [])
      for (const [name, amount] of Object.entries(consumed)) charge(shares, device, name, amount);
  }
  for (const hold of context.holds)
    if (!isOwn(hold.workload, demand))
      for (const placed of hold.placed) for (const key of placed.devices) taken.add(key);
  const given = new Set<string>();
  const joint = new Map<string, Served[]>();
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
        const labels = serves?.[pod] ?? plainLabels(requests, list, published.get(host.name) ?? new Map(), host);
        const served = list.map((key, index): Served => ({ key, label: labels[index] ?? "", host }));
        for (const one of served) {
          const request = requests.find(({ claim, name }) => isOf(one.label, claim, name));
          const found = published.get(host.name)?.get(one.key)?.device;
          if (found?.allowMultipleAllocations === true)
            for (const { name, amount } of shareOf(found, optionOf(request, one.label)?.capacity))
              charge(shares, one.key, name, amount);
          if (request?.sharedClaim !== undefined)
            joint.set(request.sharedClaim, [...(joint.get(request.sharedClaim) ?? []), one]);
        }
        if (host.pool === undefined)
          checkClaims(host, requests, served, published.get(host.name) ?? new Map(), taken, faults);
        else checkNew(host, requests, served, faults);
      }
      for (const key of (devices ?? []).flat()) {
        const mayRepeat = isShared(published, host, key) || own.some(({ adminAccess }) => adminAccess === true);
        if (given.has(key) && !mayRepeat) faults.push(`device ${key} is given twice`);
        given.add(key);
      }
    }
  }
  checkShares(published, shares, given, faults);
  checkCounters(near.pools, taken, given, laid, faults);
  checkJoint(laid, joint, faults);
}

export function isOf(label: string, claim: string, name: string): boolean {
  return label === `${claim}/${name}` || label.startsWith(`${claim}/${name}/`);
}

export function optionOf(request: DeviceRequest | undefined, label: string): DeviceRequest | undefined {
  return request?.firstAvailable?.find(({ name }) => label === `${request.claim}/${request.name}/${name}`) ?? request;
}

function charge(sums: Map<string, Record<string, bigint>>, key: string, name: string, amount: bigint): void {
  const sum = sums.get(key) ?? {};
  sum[name] = (sum[name] ?? 0n) + amount;
  sums.set(key, sum);
}

/** Devices by node, then key; those that several nodes may reach stand with each node. */
function publishedIn(
  topology: Topology,
  hosts: ReadonlySet<string>,
): ReadonlyMap<string, ReadonlyMap<string, Published>> {
  const { byNode, wide } = reachedOf(topology.devicePools);
  const all = new Map<string, Map<string, Published>>();
  for (const name of hosts) {
    const own = [...(byNode.get(name) ?? []), ...wide];
    if (own.length > 0) all.set(name, new Map(own.map((one) => [one.key, one])));
  }
  return all;
}

const reachedOf = once((pools: readonly DevicePool[]) => {
  const byNode = new Map<string, Published[]>();
  const wide: Published[] = [];
  for (const pool of pools)
    for (const device of pool.devices) {
      const one = { device, pool, key: keyOf(device) };
      if ("node" in device.reach) {
        const list = byNode.get(device.reach.node);
        if (list === undefined) byNode.set(device.reach.node, [one]);
        else list.push(one);
      } else wide.push(one);
    }
  return { byNode, wide };
});

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
  host: Host,
): readonly string[] {
  const labels: string[] = [];
  for (const [index, { claim, name, count, selectors }] of requests.entries()) {
    const rest = requests.slice(index + 1).reduce((sum, one) => sum + (one.count === "all" ? 0 : one.count), 0);
    const most = count === "all" ? list.length - labels.length - rest : count;
    for (let number = 0; number < most && labels.length < list.length; number += 1) {
      const key = list[labels.length] ?? "";
      if (count === "all" && host.pool === undefined && !published.has(key)) break;
      if (count === "all" && selectors.length === 0 && number >= published.size && host.pool === undefined) break;
      labels.push(`${claim}/${name}`);
    }
  }
  return labels;
}

/** A new node has as many devices as its pool says; which ones they are nobody knows yet. */
function checkNew(host: Host, requests: readonly DeviceRequest[], served: readonly Served[], faults: string[]): void {
  if (host.pool?.node.mechanism !== "dra") faults.push(`${host.name} publishes no devices`);
  const total = host.pool?.acceleratorsPerNode ?? 0;
  for (const request of requests) {
    const own = served.filter(({ label }) => isOf(label, request.claim, request.name));
    const count = optionOf(request, own[0]?.label ?? "")?.count;
    const wanted = count === "all" ? total : count;
    if (own.length !== wanted) faults.push(`${host.name}: ${own.length} devices for ${wanted} of ${request.name}`);
  }
  for (const { key } of served) {
    const number = Number(/\/new-(\d+)@/.exec(key)?.[1] ?? Number.NaN);
    if (!(number < total) || !key.endsWith(`@${host.name}`)) faults.push(`${key} is no device of ${host.name}`);
  }
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

/** All devices in use of a pool draw on its counters, each once. */
function checkCounters(
  pools: readonly DevicePool[],
  taken: ReadonlySet<string>,
  given: ReadonlySet<string>,
  laid: readonly Laid[],
  faults: string[],
): void {
  const passing = laid.every(({ set, step }) =>
    [...set.pod.devices, ...step.addedDevices].every(({ adminAccess }) => adminAccess === true),
  );
  if (passing) return;
  for (const pool of pools) {
    const drawing = pool.devices.flatMap((device) => {
      const key = keyOf(device);
      return device.consumesCounters.length > 0 && (taken.has(key) || given.has(key)) ? [{ key, device }] : [];
    });
    // A shared one that is in use has drawn on them already, be they overdrawn.
    if (drawing.every(({ key }) => taken.has(key))) continue;
    for (const [set, counters] of Object.entries(pool.counterSets ?? {}))
      for (const [name, total] of Object.entries(counters)) {
        let used = 0n;
        for (const { device } of drawing)
          for (const use of device.consumesCounters) if (use.counterSet === set) used += use.counters[name] ?? 0n;
        if (used > total) faults.push(`pool ${pool.driver}/${pool.name} has too little of ${set}/${name}`);
      }
  }
}

const keyOf = ({ driver, pool, name }: DeviceFacts): string => `${driver}/${pool}/${name}`;

/** The pools of which something is published to those hosts, and all their devices. */
function within(
  topology: Topology,
  published: AllPublished,
): { readonly pools: readonly DevicePool[]; readonly keys: ReadonlySet<string> } {
  const wanted = new Set([...published.values()].flatMap((list) => [...list.values()].map(({ pool }) => pool)));
  const pools = topology.devicePools.filter((pool) => wanted.has(pool));
  return { pools, keys: new Set(pools.flatMap(({ devices }) => devices.map(keyOf))) };
}

/** A claim that pods share is served once, and all of them stand where its devices are. */
function checkJoint(laid: readonly Laid[], joint: ReadonlyMap<string, readonly Served[]>, faults: string[]): void {
  const users = new Map<string, Host[]>();
  for (const { set, placed } of laid)
    for (const { sharedClaim } of set.pod.devices)
      if (sharedClaim !== undefined)
        users.set(sharedClaim, [...(users.get(sharedClaim) ?? []), ...placed.map(({ host }) => host)]);
  for (const [claim, hosts] of users) {
    const served = joint.get(claim) ?? [];
    if (served.length === 0) faults.push(`claim ${claim} is served to nobody`);
    if (new Set(served.map(({ label, key }) => `${label}|${key}`)).size !== served.length)
      faults.push(`claim ${claim} is served more than once`);
    for (const host of hosts)
      if (served.some((one) => one.host.name !== host.name))
        faults.push(`a pod on ${host.name} does not reach the devices of claim ${claim}`);
  }
}
