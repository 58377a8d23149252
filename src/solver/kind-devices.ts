import {
  type CapacityPool,
  type DeviceRequest,
  driverAsked,
  isAcceleratorDriver,
  parseQuantity,
} from "../model/index.ts";
import type { Bond, Option } from "./ask.ts";
import { valuesIn } from "./bonds.ts";
import type { SelectorInput } from "./cel.ts";
import { type DeclaredDevices, declaredOf, qualified } from "./declared.ts";
import type { Field } from "./field.ts";
import { attributeText } from "./node-stock.ts";
import { finish, type Group, type Stock } from "./stock.ts";

/** More than one pod can ask for. */
const HOPED_DEVICES = 128;
/** Devices that are hoped for one by one, where no two may agree. */
const HOPED_APART = 32;

/** What shapes ask of the devices of one row. */
export interface Asked {
  readonly options: readonly Option[];
  readonly attributes: readonly string[];
  readonly bonds: readonly Bond[];
}

/** Of requests: do devices that a new node does not publish itself serve them, for all pods, or in part. By option. */
export interface Served {
  fully(option: number): boolean;
  partly(option: number): boolean;
  /** By no device that only one node reaches: pods on several share the claim. */
  elsewhere(option: number): boolean;
}

const UNSERVED: Served = { fully: () => false, partly: () => false, elsewhere: () => false };

/**
 * The devices of a node that does not exist yet, as its pool declares them. A pool that declares none, or not the attributes that a selector or a
 * constraint reads, leaves a doubt; so does a request for what a driver publishes of which it says nothing.
 */
export function kindStock(
  field: Field,
  kind: number,
  { options, attributes, bonds }: Asked,
  doubts: Set<string>,
  served: Served = UNSERVED,
): Stock {
  const pool = field.kinds[kind]?.pool;
  if (pool === undefined)
    return finish({
      groups: [],
      attributes,
      counters: [],
      capacities: [],
      alls: new Map(),
      broken: undefined,
      extra: "",
    });
  const declared = declaredOf(pool);
  const hoped = hopeFor(declared, attributes, bonds);
  const groups: Group[] = [];
  const all = new Map<number, number[]>();
  const unsure = new Set<number>();
  const add = (serves: readonly boolean[], values: Group["values"], devices: readonly string[], hope = false): void => {
    for (const [number, one] of serves.entries()) {
      const known = all.get(number) ?? [];
      // Where all are wanted, the fewest are hoped for.
      const fewest = known.length > 0 || served.partly(number) ? 0 : 1;
      const listed = hope ? devices.slice(0, fewest) : devices;
      if (one) all.set(number, [...known, ...listed.map(() => groups.length)]);
    }
    groups.push({ serves, faulty: [], values, devices, counters: [], shares: undefined });
  };
  const bound = (attribute: string, serves: readonly boolean[]): boolean =>
    bonds.some((bond) => bond.attribute === attribute && [...bond.options].some((number) => serves[number]));
  const silent = (what: string, label: string): void => {
    doubts.add(
      `pool ${pool.name} does not declare what its ${what} publish, which the selectors of request ${requestOf(label)} read`,
    );
  };

  for (const { driver, groups: own, what, declares } of declared)
    for (const { input, devices } of own) {
      const serves = options.map(({ request, label, number }) => {
        if (served.elsewhere(number)) return false;
        const verdict = judge(field, input, request);
        if (verdict !== "doubt") return verdict === "yes";
        silent(what, label);
        unsure.add(number);
        return field.hopeful;
      });
      if (!serves.includes(true)) continue;
      const missing = attributes.filter((name) => !declares(name) && bound(name, serves));
      for (const name of missing)
        doubts.add(
          `pool ${pool.name} does not declare the attribute ${name}${what === "devices" ? "" : ` of its ${what}`}, which must agree`,
        );
      const known = attributes.map((name) => attributeText(driver, input.attributes, name));
      if (missing.length === 0 || !field.hopeful) add(serves, known, devices);
      else
        for (const one of hoped.spread(devices, missing))
          add(
            serves,
            attributes.map((name, at) => (missing.includes(name) ? hoped.value(at, one.number) : known[at])),
            one.devices,
          );
    }

  const undeclared = options.map((option) => {
    const settled = served.fully(option.number) || served.elsewhere(option.number);
    const why = settled ? undefined : undeclaredBy(pool, declared, option.request);
    if (why === "devices") silent("devices", option.label);
    else if (why !== undefined)
      doubts.add(
        `pool ${pool.name} does not declare what driver ${why} publishes on its nodes, of which the claims ask for devices`,
      );
    return why;
  });
  if (field.hopeful)
    for (const [serves, count, name] of [
      [undeclared.map((why) => why === "devices"), pool.acceleratorsPerNode, "new"],
      [undeclared.map((why) => why !== undefined && why !== "devices"), HOPED_DEVICES, "beside"],
    ] as const) {
      if (!serves.includes(true)) continue;
      const bonded = attributes.filter((attribute) => bound(attribute, serves));
      const devices = Array.from({ length: count }, (_, at) => `${name}/${pool.name}/new-${at}`);
      for (const one of hoped.spread(devices, bonded))
        add(
          serves,
          attributes.map((_, at) => hoped.value(at, one.number)),
          one.devices,
          true,
        );
    }
  for (const [number, why] of undeclared.entries()) {
    if (why === undefined || options[number]?.request.count !== "all") continue;
    unsure.add(number);
    all.set(number, all.get(number) ?? []);
  }
  const alls = new Map(
    [...all].map(([number, list]) => [number, { groups: list, blocked: unsure.has(number) && !field.hopeful }]),
  );
  return finish({ groups, attributes, counters: [], capacities: [], alls, broken: undefined, extra: pool.name });
}

/** Of what pools do not declare: the driver that a request asks for, or `devices` where it may be one of accelerators. */
function undeclaredBy(
  { node, acceleratorsPerNode }: CapacityPool,
  declared: readonly DeclaredDevices[],
  request: DeviceRequest,
): string | undefined {
  const driver = driverAsked(request);
  if (driver !== undefined && declared.some((one) => one.driver === driver)) return undefined;
  if (driver !== undefined && !isAcceleratorDriver(driver)) return driver;
  return node.mechanism === "dra" && acceleratorsPerNode > 0 && node.device === undefined ? "devices" : undefined;
}

/** What is not known, as it would serve best: it agrees with everything, or with nothing where no two may agree. */
function hopeFor(declared: readonly DeclaredDevices[], attributes: readonly string[], bonds: readonly Bond[]) {
  const any = attributes.map((name) => {
    const values = declared.flatMap(({ driver, groups }) =>
      groups.flatMap(({ input }) => attributeText(driver, input.attributes, name) ?? []),
    );
    return `[${[...new Set(values.flatMap(valuesIn)), JSON.stringify("?")].join(",")}]`;
  });
  const apart = attributes.map((name) => {
    const own = bonds.filter(({ attribute }) => attribute === name);
    return own.length > 0 && own.every(({ distinct }) => distinct);
  });
  return {
    value: (attribute: number, number: number): string | undefined =>
      apart[attribute] === true ? JSON.stringify(`?${number}`) : any[attribute],
    /** In one group, or each by itself where they must differ in what is missing. */
    spread(devices: readonly string[], missing: readonly string[]) {
      const differ = missing.some((name) => apart[attributes.indexOf(name)] === true);
      return differ
        ? devices.slice(0, HOPED_APART).map((one, number) => ({ number, devices: [one] }))
        : [{ number: 0, devices }];
    },
  };
}

export const requestOf = (label: string): string => label.slice(label.indexOf("/") + 1);

function judge(field: Field, device: SelectorInput, request: DeviceRequest): "yes" | "no" | "doubt" {
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
