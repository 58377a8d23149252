import { allows, type PublishedDevices, parseQuantity } from "../model/index.ts";
import type { DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import type { Published } from "./check-devices.ts";
import { leavesOpen } from "./check-supply.ts";
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

/** What a node has whatever its pool says of it. */
const ALWAYS = [
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "beta.kubernetes.io/arch",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "topology.kubernetes.io/zone",
  "metadata.name",
];

/** Which nodes that exist reach a device is looked at where it is given; a new node reaches it if it is sure to have the labels for that. */
export function isReachedByNew(
  topology: Topology,
  { labels, pool }: Host,
  reach: Exclude<DeviceFacts["reach"], { readonly node: string }>,
): boolean {
  if (pool === undefined || "all" in reach) return true;
  return [...reach.selection.values()].every((asked) => {
    const own = Object.hasOwn(labels, asked.key) ? labels[asked.key] : undefined;
    const told = own !== undefined || !(ALWAYS.includes(asked.key) || leavesOpen(topology, pool, asked.key));
    return told && allows(asked, own);
  });
}
