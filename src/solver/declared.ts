import { type CapacityPool, once, type PublishedDevices, parseQuantity } from "../model/index.ts";
import type { SelectorInput } from "./cel.ts";
import { attributeText } from "./node-stock.ts";

/** Devices of a new node that nothing tells apart. */
export interface DeclaredGroup {
  readonly input: SelectorInput;
  /** `driver/pool/device@`, to which the node's name is added once it has one. */
  readonly devices: readonly string[];
}

/** All that one driver publishes on a new node. */
export interface DeclaredDevices {
  readonly driver: string;
  /** How messages call them. */
  readonly what: "devices" | "network devices";
  readonly groups: readonly DeclaredGroup[];
  /** Is the attribute declared of some of them: then those without it publish none. */
  declares(attribute: string): boolean;
}

/** What a pool declares that drivers publish on its new nodes; accelerators first. */
export const declaredOf: (pool: CapacityPool) => readonly DeclaredDevices[] = once((pool: CapacityPool) => {
  const { device, mechanism, network } = pool.node;
  return [
    ...(device === undefined || mechanism !== "dra"
      ? []
      : [devicesOf(pool.name, device, pool.acceleratorsPerNode, "devices")]),
    ...(network === undefined ? [] : [devicesOf(pool.name, network, network.count, "network devices")]),
  ];
});

function devicesOf(
  pool: string,
  published: PublishedDevices,
  count: number,
  what: DeclaredDevices["what"],
): DeclaredDevices {
  const { driver, attributes, groups = [] } = published;
  let named = 0;
  const devices = (some: number): readonly string[] => {
    named += some;
    return Array.from({ length: some }, (_, at) => `${driver}/${pool}/new-${named - some + at}@`);
  };
  const list = groups.length === 0 ? [{ count, attributes: {} }] : groups;
  const made = list
    .filter((one) => one.count > 0)
    .map((one) => ({
      input: inputOf(published, { ...attributes, ...one.attributes }),
      devices: devices(one.count),
    }));
  return {
    driver,
    what,
    groups: made,
    declares: (attribute) => made.some(({ input }) => attributeText(driver, input.attributes, attribute) !== undefined),
  };
}

/** Names without a domain belong to the driver's. */
function inputOf(
  { driver, capacity: amounts }: PublishedDevices,
  values: PublishedDevices["attributes"],
): SelectorInput {
  const attributes: Record<string, Record<string, string | number | boolean>> = Object.create(null);
  for (const [name, value] of Object.entries(values)) {
    const [domain, id] = qualified(driver, name);
    attributes[domain] = { ...attributes[domain], [id]: value };
  }
  const capacity: Record<string, Record<string, NonNullable<ReturnType<typeof parseQuantity>>>> = Object.create(null);
  for (const [name, text] of Object.entries(amounts)) {
    const value = parseQuantity(text);
    const [domain, id] = qualified(driver, name);
    if (value !== undefined) capacity[domain] = { ...capacity[domain], [id]: value };
  }
  return { driver, attributes, capacity, allowMultipleAllocations: false };
}

export function qualified(driver: string, name: string): readonly [string, string] {
  const slash = name.indexOf("/");
  return slash === -1 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
}
