import { allowsLabels, type Demand, type DeviceRequest, tolerates } from "../model/index.ts";
import type { DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import { compileSelector } from "./cel.ts";
import { type Host, isOwn, type Laid } from "./checker.ts";
import type { SolveContext } from "./context.ts";

/** Is every device that a pod gets there, free, whole, reachable, selected and given once; do they agree where they must. */
export function checkDevices(
  topology: Topology,
  demand: Demand,
  laid: readonly Laid[],
  context: SolveContext,
  faults: string[],
): void {
  if (laid.every(({ set, step }) => set.pod.devices.length + step.addedDevices.length === 0)) return;
  const given = new Set<string>();
  const wanted = new Set(laid.flatMap(({ placed }) => placed.flatMap(({ devices }) => (devices ?? []).flat())));
  const found = new Map<string, { device: DeviceFacts; pool: DevicePool }>();
  for (const pool of topology.devicePools)
    for (const device of pool.devices) {
      const key = `${device.driver}/${device.pool}/${device.name}`;
      if (wanted.has(key)) found.set(key, { device, pool });
    }
  const taken = new Set<string>();
  for (const claim of topology.claims)
    if (!claim.adminAccess && !(claim.root !== undefined && isOwn(claim.root, demand)))
      for (const key of claim.devices) taken.add(key);
  for (const hold of context.holds)
    if (!isOwn(hold.workload, demand))
      for (const placed of hold.placed) for (const key of placed.devices) taken.add(key);
  for (const { set, step, placed } of laid) {
    const requests = [...set.pod.devices, ...step.addedDevices].filter(({ count }) => count !== 0);
    if (requests.length === 0) continue;
    for (const { host, pods, devices } of placed) {
      if (devices?.length !== pods)
        faults.push(`${set.name} on ${host.name}: devices are named for ${devices?.length ?? 0} of ${pods} pods`);
      for (const list of devices ?? []) {
        for (const key of list) {
          if (given.has(key)) faults.push(`device ${key} is given twice`);
          given.add(key);
        }
        if (host.pool !== undefined) checkNew(host, requests, list, faults);
        else checkExisting(host, requests, list, found, taken, faults);
      }
    }
  }
}

/** A new node has as many devices as its pool says; which ones they are nobody knows yet. */
function checkNew(host: Host, requests: readonly DeviceRequest[], list: readonly string[], faults: string[]): void {
  const wanted = requests.reduce(
    (sum, { count }) => sum + (count === "all" ? (host.pool?.acceleratorsPerNode ?? 0) : count),
    0,
  );
  if (list.length !== wanted) faults.push(`${host.name}: ${list.length} devices for ${wanted}`);
  if (host.pool?.node.mechanism !== "dra") faults.push(`${host.name} publishes no devices`);
  for (const key of list) {
    const number = Number(/\/new-(\d+)@/.exec(key)?.[1] ?? Number.NaN);
    if (!(number < (host.pool?.acceleratorsPerNode ?? 0)) || !key.endsWith(`@${host.name}`))
      faults.push(`${key} is no device of ${host.name}`);
  }
}

function checkExisting(
  host: Host,
  requests: readonly DeviceRequest[],
  list: readonly string[],
  found: ReadonlyMap<string, { device: DeviceFacts; pool: DevicePool }>,
  taken: ReadonlySet<string>,
  faults: string[],
): void {
  let next = 0;
  const byRequest = new Map<DeviceRequest, DeviceFacts[]>();
  for (const request of requests) {
    const own: DeviceFacts[] = [];
    const isAll = request.count === "all";
    while (
      next < list.length &&
      (isAll ? isSelected(found.get(list[next] ?? "")?.device, request) : own.length < Number(request.count))
    ) {
      const key = list[next] ?? "";
      next += 1;
      const entry = found.get(key);
      if (entry === undefined) {
        faults.push(`device ${key} does not exist`);
        break;
      }
      const { device, pool } = entry;
      own.push(device);
      if (taken.has(key)) faults.push(`device ${key} is in use`);
      if (!pool.complete || pool.invalid !== undefined) faults.push(`device ${key} is in a pool that does not count`);
      if (!isReached(device, host)) faults.push(`device ${key} is not reached from ${host.name}`);
      if (!isSelected(device, request)) faults.push(`device ${key} is not selected by ${request.name}`);
      if (
        device.taints.some(
          (taint) => taint.effect !== "PreferNoSchedule" && !request.tolerations.some((one) => tolerates(one, taint)),
        )
      )
        faults.push(`device ${key} is tainted`);
    }
    if (!isAll && own.length !== request.count)
      faults.push(`${host.name}: request ${request.name} gets ${own.length} of ${request.count} devices`);
    byRequest.set(request, own);
  }
  if (next !== list.length) faults.push(`${host.name}: more devices than asked for`);
  for (const request of requests)
    for (const { attribute, requests: names } of request.matchAttributes) {
      const bound = requests.filter(
        (one) => one.claim === request.claim && (names.length === 0 || names.includes(one.name)),
      );
      const values = bound.flatMap((one) => (byRequest.get(one) ?? []).map((device) => attributeOf(device, attribute)));
      if (values.includes(undefined) || new Set(values).size > 1)
        faults.push(`${host.name}: devices of claim ${request.claim} do not agree on ${attribute}`);
    }
}

function isReached(device: DeviceFacts, host: Host): boolean {
  if ("node" in device.reach) return device.reach.node === host.name;
  return "all" in device.reach || allowsLabels(device.reach.selection, host.labels);
}

function isSelected(device: DeviceFacts | undefined, request: DeviceRequest): boolean {
  return (
    device !== undefined && request.selectors.every((text) => compileSelector(text).value?.matches(device) === true)
  );
}

function attributeOf(device: DeviceFacts, attribute: string): string | undefined {
  const [domain, name] = attribute.includes("/") ? attribute.split("/", 2) : [device.driver, attribute];
  const value = device.attributes[domain ?? ""]?.[name ?? ""];
  return value === undefined ? undefined : JSON.stringify(value);
}
