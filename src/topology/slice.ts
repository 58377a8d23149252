import {
  arrayAt,
  integerAt,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  type Path,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { deviceTaintsAt, type Faults, listAt, mapAt, nodeTerm, quantityAt, shown, textAt } from "./fields.ts";
import type { AttributeValue, DeviceFacts } from "./types.ts";

/** One ResourceSlice, before slices are joined into pools. */
export interface SliceFacts {
  readonly name: string;
  readonly driver: string;
  readonly pool: string;
  readonly generation: number;
  readonly sliceCount: number;
  readonly devices: readonly DeviceFacts[];
  readonly counterSets: readonly CounterSet[];
}

export interface CounterSet {
  readonly name: string;
  readonly counters: Readonly<Record<string, bigint>>;
}

type Reach = DeviceFacts["reach"];

/**
 * A resource.k8s.io ResourceSlice of v1, v1beta2 or v1beta1 (whose devices carry their content under `basic`).
 * Exactly one of nodeName, nodeSelector, allNodes and perDeviceNodeSelection must be set.
 */
export function readSlice(object: JsonObject, name: string, problems: Faults): SliceFacts {
  const spec = objectAt(object, ["spec"]);
  const driver = textAt(object, ["spec", "driver"], problems);
  const pool = textAt(object, ["spec", "pool", "name"], problems);
  const generation = integerAt(spec, ["pool", "generation"]) ?? 0;
  const sliceCount = integerAt(spec, ["pool", "resourceSliceCount"]);
  if (sliceCount === undefined || sliceCount < 1)
    problems.add(
      ["spec", "pool", "resourceSliceCount"],
      `must be a number above 0, not ${shown(valueAt(spec, ["pool", "resourceSliceCount"]))}`,
    );
  const perDevice = valueAt(spec, ["perDeviceNodeSelection"]) === true;
  const shared = readReach(spec, ["spec"], problems, perDevice);
  const devices = listAt(object, ["spec", "devices"], problems).map((entry, index) => {
    const path: Path = ["spec", "devices", index];
    const basic = valueAt(entry, ["basic"]);
    const body = isObject(basic) ? basic : isObject(entry) ? entry : {};
    const reach = perDevice ? readReach(body, path, problems, false) : shared;
    return readDevice(body, textAt(entry, ["name"], problems, path), { driver, pool, reach, path }, problems);
  });
  const counterSets = listAt(object, ["spec", "sharedCounters"], problems).map((entry, index) => ({
    name: textAt(entry, ["name"], problems, ["spec", "sharedCounters", index]),
    counters: countersOf(entry, ["spec", "sharedCounters", index], problems),
  }));
  return { name, driver, pool, generation, sliceCount: sliceCount ?? 0, devices, counterSets };
}

function readReach(body: JsonObject, path: Path, problems: Faults, elsewhere: boolean): Reach {
  const node = stringAt(body, ["nodeName"]) || undefined;
  const all = valueAt(body, ["allNodes"]) === true;
  const selector = valueAt(body, ["nodeSelector"]) ?? undefined;
  const given = [node !== undefined, all, selector !== undefined, elsewhere].filter(Boolean).length;
  if (given !== 1)
    problems.add(
      path,
      `must say in exactly one way which nodes reach its devices (nodeName, nodeSelector, allNodes, perDeviceNodeSelection), not in ${given}`,
    );
  if (selector !== undefined) return { selection: nodeTerm(selector, [...path, "nodeSelector"], problems) };
  return node === undefined ? { all: true } : { node };
}

interface DevicePlace {
  readonly driver: string;
  readonly pool: string;
  readonly reach: Reach;
  readonly path: Path;
}

function readDevice(body: JsonObject, name: string, place: DevicePlace, problems: Faults): DeviceFacts {
  const { driver, pool, reach, path } = place;
  const attributes = byDomain<AttributeValue>();
  for (const [key, value] of Object.entries(mapAt(body, ["attributes"], problems, path))) {
    const read = attributeValue(value);
    if (read === undefined)
      problems.add([...path, "attributes", key], `must hold one of string, int, bool, version, not ${shown(value)}`);
    else attributes.set(key, driver, read);
  }
  const capacity = byDomain<{ readonly nano: bigint; readonly format: "DecimalSI" | "BinarySI" | "DecimalExponent" }>();
  const shared = valueAt(body, ["allowMultipleAllocations"]) === true;
  const capacities: NonNullable<DeviceFacts["capacities"]>[number][] = [];
  for (const [key, value] of Object.entries(mapAt(body, ["capacity"], problems, path))) {
    const read = quantityAt(isObject(value) ? valueAt(value, ["value"]) : value);
    if (read === undefined) problems.add([...path, "capacity", key], `must hold a quantity, not ${shown(value)}`);
    else {
      capacity.set(key, driver, read);
      const policy = requestPolicy(isObject(value) ? valueAt(value, ["requestPolicy"]) : undefined);
      capacities.push({ name: key, nano: read.nano, ...(policy === undefined ? {} : { policy }) });
    }
  }
  return {
    driver,
    pool,
    name,
    reach,
    attributes: attributes.record,
    capacity: capacity.record,
    taints: deviceTaintsAt(body, ["taints"], problems, path),
    allowMultipleAllocations: shared,
    ...(shared || capacities.some(({ policy }) => policy !== undefined) ? { capacities } : {}),
    consumesCounters: listAt(body, ["consumesCounters"], problems, path).map((entry, index) => ({
      counterSet: textAt(entry, ["counterSet"], problems, [...path, "consumesCounters", index]),
      counters: countersOf(entry, [...path, "consumesCounters", index], problems),
    })),
  };
}

/** Amounts that the API server would refuse read as absent. */
function requestPolicy(policy: Json | undefined): NonNullable<DeviceFacts["capacities"]>[number]["policy"] {
  if (!isObject(policy)) return undefined;
  const amount = <K extends string>(key: K, at: Json | undefined): { readonly [key in K]?: bigint } => {
    const read = quantityAt(isObject(at) ? valueAt(at, [key]) : undefined);
    return (read === undefined ? {} : { [key]: read.nano }) as { readonly [key in K]?: bigint };
  };
  const range = valueAt(policy, ["validRange"]);
  const values = arrayAt(policy, ["validValues"]).flatMap((one) => quantityAt(one)?.nano ?? []);
  return {
    ...amount("default", policy),
    ...(isObject(range)
      ? { range: { ...amount("min", range), ...amount("max", range), ...amount("step", range) } }
      : {}),
    ...(values.length > 0 ? { values } : {}),
  };
}

/** Qualified names by domain, then identifier. A name without domain belongs to the driver's. */
function byDomain<T>() {
  const record: Record<string, Record<string, T>> = Object.create(null);
  return {
    record,
    set(key: string, driver: string, value: T) {
      const slash = key.indexOf("/");
      const domain = slash === -1 ? driver : key.slice(0, slash);
      const names: Record<string, T> = record[domain] ?? Object.create(null);
      names[key.slice(slash + 1)] = value;
      record[domain] = names;
    },
  };
}

function attributeValue(value: Json | undefined): AttributeValue | undefined {
  if (!isObject(value)) return undefined;
  const keys = Object.keys(value).filter((key) => value[key] !== undefined && value[key] !== null);
  const only = keys.length === 1 ? value[keys[0] ?? ""] : undefined;
  switch (keys[0]) {
    case "string":
      return typeof only === "string" ? only : undefined;
    case "bool":
      return typeof only === "boolean" ? only : undefined;
    case "int":
      return integerAt(value, ["int"]);
    case "version":
      return typeof only === "string" ? { version: only } : undefined;
    case "strings":
    case "bools":
    case "ints":
      return isArray(only) ? only.flatMap(listValue) : undefined;
    case "versions":
      return isArray(only) ? only.flatMap((item) => (typeof item === "string" ? [{ version: item }] : [])) : undefined;
    default:
      return undefined;
  }
}

function listValue(item: Json): (string | number | boolean)[] {
  return typeof item === "string" || typeof item === "number" || typeof item === "boolean" ? [item] : [];
}

/** Amounts of counters in nano-units, so that fractions stay exact. */
function countersOf(entry: Json, path: Path, problems: Faults): Readonly<Record<string, bigint>> {
  const result: Record<string, bigint> = Object.create(null);
  for (const [key, value] of Object.entries(objectAt(entry, ["counters"]))) {
    const read = quantityAt(isObject(value) ? valueAt(value, ["value"]) : value);
    if (read === undefined) problems.add([...path, "counters", key], `must hold a quantity, not ${shown(value)}`);
    else result[key] = read.nano;
  }
  return result;
}
