import { allowsLabels, type DeviceRequest, parseQuantity, tolerates } from "../model/index.ts";
import type { DeviceFacts } from "../topology/index.ts";
import { compileSelector } from "./cel.ts";
import { isOf, optionOf, type Published, shareOf } from "./check-devices.ts";
import type { Host } from "./checker.ts";

/** A device that one pod has, and the request (or alternative) that it serves. */
export interface Served {
  readonly key: string;
  readonly label: string;
  readonly host: Host;
}

/** The devices of one pod on an existing node, against what it asks for. */
export function checkClaims(
  host: Host,
  requests: readonly DeviceRequest[],
  served: readonly Served[],
  published: ReadonlyMap<string, Published>,
  taken: ReadonlySet<string>,
  faults: string[],
): void {
  const byRequest = new Map<DeviceRequest, readonly { readonly device: DeviceFacts; readonly label: string }[]>();
  let told = 0;
  for (const request of requests) {
    const own = served.filter(({ label }) => isOf(label, request.claim, request.name));
    told += own.length;
    // A claim that pods share stands with one of them.
    if (own.length === 0 && request.sharedClaim !== undefined) continue;
    const [label = ""] = [...new Set(own.map((one) => one.label))];
    if (own.some((one) => one.label !== label))
      faults.push(`${host.name}: request ${request.name} is served in two ways`);
    const option = optionOf(request, label) ?? request;
    const devices = own.flatMap(({ key }) => {
      const found = published.get(key);
      if (found === undefined) faults.push(`device ${key} does not exist`);
      else checkDevice(found, host, option, request, taken, faults);
      return found === undefined ? [] : [{ device: found.device, label }];
    });
    const wanted =
      option.count === "all"
        ? [...published.values()].filter(({ device }) => isReached(device, host) && isSelected(device, option)).length
        : option.count;
    if (own.length !== wanted || wanted === 0)
      faults.push(`${host.name}: request ${request.name} gets ${own.length} of ${wanted} devices`);
    if (new Set(own.map(({ key }) => key)).size !== own.length)
      faults.push(`${host.name}: request ${request.name} has a device twice`);
    byRequest.set(request, devices);
  }
  if (told !== served.length) faults.push(`${host.name}: more devices than asked for`);
  for (const claim of new Set(requests.map((one) => one.claim))) {
    const keys = served.flatMap(({ key, label }) => (label.startsWith(`${claim}/`) ? [key] : []));
    if (keys.length > 32) faults.push(`${host.name}: claim ${claim} has ${keys.length} devices`);
    // Also for administrators, of whom several claims may have one.
    const twice = keys.find(
      (key, at) => keys.indexOf(key) !== at && published.get(key)?.device.allowMultipleAllocations === false,
    );
    if (twice !== undefined) faults.push(`${host.name}: claim ${claim} has device ${twice} twice`);
  }
  for (const request of requests)
    for (const distinct of [false, true])
      for (const { attribute, requests: names } of (distinct ? request.distinctAttributes : request.matchAttributes) ??
        []) {
        const bound = requests
          .filter((one) => one.claim === request.claim)
          .flatMap((one) => (byRequest.get(one) ?? []).map((entry) => ({ ...entry, request: one })))
          .filter(
            ({ request: one, label }) =>
              names.length === 0 || names.includes(one.name) || names.includes(label.slice(one.claim.length + 1)),
          );
        const values = bound.map(({ device }) => valuesOf(device, attribute));
        if (values.some(({ length }) => length === 0) || !(distinct ? isApart(values) : isCommon(values)))
          faults.push(
            `${host.name}: devices of claim ${request.claim} do not ${distinct ? "differ in" : "agree on"} ${attribute}`,
          );
      }
}

function checkDevice(
  { device, pool, key }: Published,
  host: Host,
  option: DeviceRequest,
  request: DeviceRequest,
  taken: ReadonlySet<string>,
  faults: string[],
): void {
  if (taken.has(key) && !device.allowMultipleAllocations && request.adminAccess !== true)
    faults.push(`device ${key} is in use`);
  if (!pool.complete || pool.invalid !== undefined) faults.push(`device ${key} is in a pool that does not count`);
  if (!isReached(device, host)) faults.push(`device ${key} is not reached from ${host.name}`);
  if (!isSelected(device, option)) faults.push(`device ${key} is not selected by ${option.name}`);
  if (device.taints.some((taint) => !option.tolerations.some((one) => tolerates(one, taint))))
    faults.push(`device ${key} is tainted`);
}

/** Of what is published to the host, among which there is nothing of other nodes. */
export function isReached({ reach }: DeviceFacts, host: Host): boolean {
  return "node" in reach || "all" in reach || allowsLabels(reach.selection, host.labels);
}

function isSelected(device: DeviceFacts, request: DeviceRequest): boolean {
  if (!request.selectors.every((text) => compileSelector(text).value?.matches(device) === true)) return false;
  const shared = device.capacities === undefined ? [] : shareOf(device, request.capacity);
  if (shared.some(({ valid }) => !valid)) return false;
  return Object.entries(request.capacity ?? {}).every(([name, text]) => {
    const amount = shared.find((one) => one.name === name)?.amount ?? parseQuantity(text)?.nano;
    const [domain, id] = name.includes("/") ? name.split("/", 2) : [device.driver, name];
    const have = device.capacity[domain ?? ""]?.[id ?? ""]?.nano;
    return have !== undefined && amount !== undefined && amount <= have;
  });
}

/** Of a list each, as text; none where the device does not tell. */
function valuesOf(device: DeviceFacts, attribute: string): readonly string[] {
  const [domain, name] = attribute.includes("/") ? attribute.split("/", 2) : [device.driver, attribute];
  const value = device.attributes[domain ?? ""]?.[name ?? ""];
  return value === undefined ? [] : [value].flat().map((one) => JSON.stringify(one));
}

const isCommon = ([first = [], ...rest]: readonly (readonly string[])[]): boolean =>
  rest.length === 0 || first.some((value) => rest.every((one) => one.includes(value)));

/** No value with two of them; one that a device lists twice counts once. */
function isApart(lists: readonly (readonly string[])[]): boolean {
  const all = lists.flatMap((list) => [...new Set(list)]);
  return new Set(all).size === all.length;
}
