import { parseQuantity } from "../model/index.ts";
import type { SelectorInput } from "./cel.ts";
import { attributeText, finish } from "./devices.ts";
import type { Field } from "./field.ts";
import type { PodDevices, Stock } from "./pack.ts";
import type { Shape } from "./shape.ts";

type Scalar = string | number | boolean;

/**
 * The devices of a node that does not exist yet, as its pool declares them: all alike. A pool that declares none, or not the
 * attributes that a selector reads, leaves a doubt.
 */
export function kindStock(
  field: Field,
  kind: number,
  requests: readonly { readonly shape: number; readonly request: Shape["devices"][number] }[],
  asks: readonly PodDevices[],
  doubts: Set<string>,
): Stock {
  const pool = field.kinds[kind]?.pool;
  const attributes = [...new Set(asks.flatMap((ask) => ask.constraints.map(({ attribute }) => attribute)))];
  const empty = finish(new Map(), attributes, new Map(), new Set());
  if (pool === undefined || pool.node.mechanism !== "dra" || pool.acceleratorsPerNode === 0) return empty;
  const device = pool.node.device === undefined ? undefined : declared(pool.node.device);
  let mask = 0;
  for (const [number, { request }] of requests.entries()) {
    const verdict = judge(field, device, request.selectors);
    if (verdict === "doubt")
      doubts.add(
        `pool ${pool.name} does not declare what its devices publish, which the selectors of request ${request.name} read`,
      );
    if (verdict === "yes" || (verdict === "doubt" && field.hopeful)) mask |= 1 << number;
  }
  if (mask === 0) return empty;
  const values = attributes.map((name) => {
    const value = device === undefined ? undefined : attributeText(device.driver, device.attributes, name);
    if (value === undefined) doubts.add(`pool ${pool.name} does not declare the attribute ${name}, which must agree`);
    return value ?? (field.hopeful ? "?" : undefined);
  });
  const devices = Array.from(
    { length: pool.acceleratorsPerNode },
    (_, index) => `${device?.driver ?? "new"}/${pool.name}/new-${index}`,
  );
  const totals = new Map(
    [...requests.keys()].filter((number) => (mask & (1 << number)) !== 0).map((number) => [number, devices.length]),
  );
  return finish(
    new Map([[`${mask}|${values.join("|")}|${pool.name}`, { mask, values, devices }]]),
    attributes,
    totals,
    new Set(),
  );
}

function judge(field: Field, device: SelectorInput | undefined, selectors: readonly string[]): "yes" | "no" | "doubt" {
  if (device === undefined) return "doubt";
  for (const expression of selectors) {
    const result = field.index.devices.selected(expression).selector?.matches(device);
    if (result === undefined || typeof result === "object") return "doubt";
    if (!result) return "no";
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
