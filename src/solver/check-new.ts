import { parseQuantity } from "../model/index.ts";
import type { DeviceFacts, DevicePool } from "../topology/index.ts";
import type { Published } from "./check-devices.ts";
import type { Host } from "./checker.ts";

/** What a new node publishes, as its pool declares it: as many devices as it has accelerators, all alike and all free. */
export function newDevices({ name: node, pool }: Host): readonly Published[] {
  const declared = pool?.node.mechanism === "dra" ? pool.node.device : undefined;
  if (pool === undefined || declared === undefined) return [];
  const { driver } = declared;
  const attributes: Record<string, Record<string, string | number | boolean>> = {};
  for (const [key, value] of Object.entries(declared.attributes)) {
    const [domain, id] = split(driver, key);
    attributes[domain] = { ...attributes[domain], [id]: value };
  }
  const capacity: Record<string, Record<string, NonNullable<ReturnType<typeof parseQuantity>>>> = {};
  for (const [key, text] of Object.entries(declared.capacity)) {
    const [domain, id] = split(driver, key);
    const value = parseQuantity(text);
    if (value !== undefined) capacity[domain] = { ...capacity[domain], [id]: value };
  }
  const devices = Array.from({ length: pool.acceleratorsPerNode }, (_, index): DeviceFacts => {
    const name = `new-${index}@${node}`;
    const nothing = { taints: [], allowMultipleAllocations: false, consumesCounters: [] };
    return { driver, pool: pool.name, name, reach: { node }, attributes, capacity, ...nothing };
  });
  const own: DevicePool = { driver, name: pool.name, generation: 0, complete: true, invalid: undefined, devices };
  return devices.map((device) => ({ device, pool: own, key: `${driver}/${pool.name}/${device.name}` }));
}

/** A name without a domain belongs to the driver's. */
function split(driver: string, name: string): readonly [string, string] {
  const [first = "", second] = name.split("/", 2);
  return second === undefined ? [driver, first] : [first, second];
}
