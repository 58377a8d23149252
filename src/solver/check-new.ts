import { type PublishedDevices, parseQuantity } from "../model/index.ts";
import type { DeviceFacts, DevicePool } from "../topology/index.ts";
import type { Published } from "./check-devices.ts";
import type { Host } from "./checker.ts";

/** What a new node publishes, as its pool declares it, all of it free: as many devices as it has accelerators, and its network devices. */
export function newDevices({ name: node, pool }: Host): readonly Published[] {
  if (pool === undefined) return [];
  const { device, network, mechanism } = pool.node;
  return [
    ...(device === undefined || mechanism !== "dra" ? [] : ofDriver(node, pool.name, device, pool.acceleratorsPerNode)),
    ...(network === undefined ? [] : ofDriver(node, pool.name, network, network.count)),
  ];
}

function ofDriver(
  node: string,
  pool: string,
  { driver, attributes: shared, capacity: amounts, groups }: PublishedDevices,
  count: number,
): readonly Published[] {
  const capacity: Record<string, Record<string, NonNullable<ReturnType<typeof parseQuantity>>>> = {};
  for (const [key, text] of Object.entries(amounts)) {
    const [domain, id] = split(driver, key);
    const value = parseQuantity(text);
    if (value !== undefined) capacity[domain] = { ...capacity[domain], [id]: value };
  }
  const own = (groups ?? []).flatMap((one) => Array.from({ length: one.count }, () => one.attributes));
  const devices = Array.from({ length: own.length === 0 ? count : own.length }, (_, index): DeviceFacts => {
    const attributes: Record<string, Record<string, string | number | boolean>> = {};
    for (const [key, value] of Object.entries({ ...shared, ...own[index] })) {
      const [domain, id] = split(driver, key);
      attributes[domain] = { ...attributes[domain], [id]: value };
    }
    const nothing = { taints: [], allowMultipleAllocations: false, consumesCounters: [] };
    return { driver, pool, name: `new-${index}@${node}`, reach: { node }, attributes, capacity, ...nothing };
  });
  const published: DevicePool = { driver, name: pool, generation: 0, complete: true, invalid: undefined, devices };
  return devices.map((device) => ({ device, pool: published, key: `${driver}/${pool}/${device.name}` }));
}

/** A name without a domain belongs to the driver's. */
function split(driver: string, name: string): readonly [string, string] {
  const [first = "", second] = name.split("/", 2);
  return second === undefined ? [driver, first] : [first, second];
}
