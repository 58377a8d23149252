import { type DeviceRequest, driverAsked, isAcceleratorDriver, parseQuantity } from "../model/index.ts";
import type { Option } from "./ask.ts";
import type { SelectorInput } from "./cel.ts";
import type { Field } from "./field.ts";
import { attributeText } from "./node-stock.ts";
import { finish, type Stock } from "./stock.ts";

/** A value that nothing publishes, as JSON. */
const HOPED = JSON.stringify("?");

type Scalar = string | number | boolean;

/** More than one pod can ask for. */
const HOPED_DEVICES = 128;

/**
 * The devices of a node that does not exist yet, as its pool declares them: all alike. A pool that declares none, or not the
 * attributes that a selector reads, leaves a doubt; so does a request for what no pool declares, such as network cards.
 */
export function kindStock(
  field: Field,
  kind: number,
  options: readonly Option[],
  attributes: readonly string[],
  doubts: Set<string>,
): Stock {
  const pool = field.kinds[kind]?.pool;
  const stock = (groups: Stock["groups"], alls: Stock["alls"]): Stock =>
    finish({ groups, attributes, counters: [], capacities: [], alls, broken: undefined, extra: pool?.name ?? "" });
  if (pool === undefined) return stock([], new Map());
  const beside = options.map(({ request }) => {
    const driver = driverAsked(request);
    if (driver === undefined || driver === pool.node.device?.driver || isAcceleratorDriver(driver)) return false;
    doubts.add(
      `pool ${pool.name} does not declare what driver ${driver} publishes on its nodes, of which the claims ask for devices`,
    );
    return field.hopeful;
  });
  const hoped = (values: Stock["groups"][number]["values"]): Stock["groups"] =>
    beside.includes(true)
      ? [
          {
            serves: beside,
            faulty: [],
            values,
            devices: named("beside", HOPED_DEVICES),
            counters: [],
            shares: undefined,
          },
        ]
      : [];
  const named = (driver: string, count: number): readonly string[] =>
    Array.from({ length: count }, (_, index) => `${driver}/${pool.name}/new-${index}`);
  if (pool.node.mechanism !== "dra" || pool.acceleratorsPerNode === 0)
    return stock(hoped(attributes.map(() => HOPED)), new Map());
  const device = pool.node.device === undefined ? undefined : declared(pool.node.device);
  const serves = options.map(({ request, label }) => {
    const verdict = judge(field, device, request);
    if (verdict === "doubt")
      doubts.add(
        `pool ${pool.name} does not declare what its devices publish, which the selectors of request ${requestOf(label)} read`,
      );
    return verdict === "yes" || (verdict === "doubt" && field.hopeful);
  });
  if (!serves.includes(true)) return stock(hoped(attributes.map(() => HOPED)), new Map());
  const values = attributes.map((name) => {
    const value = device === undefined ? undefined : attributeText(device.driver, device.attributes, name);
    if (value === undefined) doubts.add(`pool ${pool.name} does not declare the attribute ${name}, which must agree`);
    return value ?? (field.hopeful ? HOPED : undefined);
  });
  const devices = named(device?.driver ?? "new", pool.acceleratorsPerNode);
  const alls = new Map(
    options
      .filter(({ number }) => serves[number])
      .map(({ number }) => [number, { groups: devices.map(() => 0), blocked: false }]),
  );
  const own = { serves, faulty: [], values, devices, counters: [], shares: undefined };
  return stock([own, ...hoped(values)], alls);
}

const requestOf = (label: string): string => label.slice(label.indexOf("/") + 1);

function judge(field: Field, device: SelectorInput | undefined, request: DeviceRequest): "yes" | "no" | "doubt" {
  if (device === undefined) return "doubt";
  for (const expression of request.selectors) {
    const result = field.index.devices.selected(expression).selector?.matches(device);
    if (result === undefined || typeof result === "object") return "doubt";
    if (!result) return "no";
  }
  for (const [name, text] of Object.entries(request.capacity ?? {})) {
    const [domain, id] = qualified(device.driver, name);
    const [have, want] = [device.capacity[domain]?.[id]?.nano, parseQuantity(text)?.nano];
    if (have === undefined || want === undefined) return "doubt";
    if (want > have) return "no";
  }
  return "yes";
}

/** Names without a domain belong to the driver's. */
function declared(device: {
  driver: string;
  attributes: Readonly<Record<string, Scalar>>;
  capacity: Readonly<Record<string, string>>;
}): SelectorInput {
  const attributes: Record<string, Record<string, Scalar>> = Object.create(null);
  for (const [name, value] of Object.entries(device.attributes)) {
    const [domain, id] = qualified(device.driver, name);
    attributes[domain] = { ...attributes[domain], [id]: value };
  }
  const capacity: Record<string, Record<string, NonNullable<ReturnType<typeof parseQuantity>>>> = Object.create(null);
  for (const [name, text] of Object.entries(device.capacity)) {
    const value = parseQuantity(text);
    const [domain, id] = qualified(device.driver, name);
    if (value !== undefined) capacity[domain] = { ...capacity[domain], [id]: value };
  }
  return { driver: device.driver, attributes, capacity, allowMultipleAllocations: false };
}

function qualified(driver: string, name: string): readonly [string, string] {
  const slash = name.indexOf("/");
  return slash === -1 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
}
