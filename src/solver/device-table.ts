import { once } from "../model/index.ts";
import type { DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import { compileSelector, type DeviceSelector } from "./cel.ts";
import { type Interest, interestText, json, type Layouts, layoutsOf } from "./device-twins.ts";

/** Why a device cannot be counted on, nor ruled out. */
export type Doubt = "incomplete" | "invalid";

/** What a selector says of every device: 0 no, 1 yes, 2 it fails at run time, 3 it does so upstream as well, for certain. */
export interface Selected {
  readonly selector: DeviceSelector | undefined;
  /** Why the expression does not compile. */
  readonly fault: string | undefined;
  readonly of: Uint8Array;
}

/** All devices of a topology in allocation order, by number. */
export interface DeviceTable {
  readonly devices: readonly DeviceFacts[];
  /** `driver/pool/device` */
  readonly keys: readonly string[];
  readonly number: ReadonlyMap<string, number>;
  readonly doubt: readonly (Doubt | undefined)[];
  /** Devices that only this node reaches. */
  onNode(node: number): readonly number[];
  /** Devices that several nodes may reach. */
  readonly detached: readonly number[];
  /** Is what a device needs reached from several nodes: the device itself, or counters that it shares with others. */
  readonly joint: readonly boolean[];
  /** Number of the pool of each device, in `topology.devicePools`. */
  readonly poolOf: readonly number[];
  /** First device number of each pool. */
  readonly poolStart: readonly number[];
  /** May any device be used by several claims. */
  readonly shared: boolean;
  selected(expression: string): Selected;
  /** The counters that a pool of `topology.devicePools` has at first, as text. */
  countersOf(pool: number): string;
  layouts(interest: Interest): Layouts;
}

const MAX_SELECTORS = 64;
const MAX_INTERESTS = 8;
const NONE: readonly number[] = [];

export function deviceTable({ nodes, nodeIndex, devicePools }: Topology): DeviceTable {
  const published = publishedIn(devicePools);
  const byNode: number[][] = nodes.map(() => []);
  for (let id = 0; id < published.devices.length; id += 1) {
    const reach = published.devices[id]?.reach;
    const node = reach !== undefined && "node" in reach ? nodeIndex.get(reach.node) : undefined;
    if (node !== undefined) byNode[node]?.push(id);
  }
  const layouts = new Map<string, Layouts>();
  const table: DeviceTable = {
    ...published,
    onNode: (node) => byNode[node] ?? NONE,
    layouts: (interest) =>
      remembered(layouts, MAX_INTERESTS, interestText(interest), () => layoutsOf(table, nodes.length, interest)),
  };
  return table;
}

/** What pools say by themselves: it stands while nodes come and go. */
const publishedIn = once((pools: readonly DevicePool[]): Omit<DeviceTable, "onNode" | "layouts"> => {
  const devices: DeviceFacts[] = [];
  const keys: string[] = [];
  const number = new Map<string, number>();
  const doubt: (Doubt | undefined)[] = [];
  const detached: number[] = [];
  const joint: boolean[] = [];
  const poolOf: number[] = [];
  const poolStart: number[] = [];
  let shared = false;
  for (const [poolNumber, pool] of pools.entries()) {
    poolStart.push(devices.length);
    const spans = reachesOf(pool.devices.filter((device) => device.consumesCounters.length > 0)).size > 1;
    for (const device of pool.devices) {
      shared ||= device.allowMultipleAllocations;
      poolOf.push(poolNumber);
      joint.push(!("node" in device.reach) || (spans && device.consumesCounters.length > 0));
      const id = devices.length;
      const key = `${device.driver}/${device.pool}/${device.name}`;
      devices.push(device);
      keys.push(key);
      number.set(key, id);
      doubt.push(pool.invalid !== undefined ? "invalid" : !pool.complete ? "incomplete" : undefined);
      if (!("node" in device.reach)) detached.push(id);
    }
  }
  const selections = new Map<string, Selected>();
  return {
    devices,
    keys,
    number,
    doubt,
    detached,
    joint,
    poolOf,
    poolStart,
    shared,
    selected: (expression) => remembered(selections, MAX_SELECTORS, expression, () => select(expression, devices)),
    countersOf: (pool) => json(pools[pool]?.counterSets ?? {}),
  };
});

/** The oldest goes where there would be too many. */
function remembered<Value>(known: Map<string, Value>, most: number, key: string, make: () => Value): Value {
  const found = known.get(key);
  if (found !== undefined) return found;
  const fresh = make();
  const oldest = known.size >= most ? known.keys().next().value : undefined;
  if (oldest !== undefined) known.delete(oldest);
  known.set(key, fresh);
  return fresh;
}

function reachesOf(devices: readonly DeviceFacts[]): ReadonlySet<string> {
  return new Set(devices.map(({ reach }) => ("node" in reach ? reach.node : "*")));
}

/** Devices that agree on all that the selector reads are evaluated once. */
function select(expression: string, devices: readonly DeviceFacts[]): Selected {
  const { value: selector, diagnostics } = compileSelector(expression);
  const of = new Uint8Array(devices.length);
  if (selector === undefined) return { selector, fault: diagnostics[0]?.message ?? "it does not compile", of };
  const results = new Map<string, number>();
  for (const [id, device] of devices.entries()) {
    const key = kindOf(device, selector.reads);
    let result = results.get(key);
    if (result === undefined) {
      const value = selector.matches(device);
      result = typeof value === "boolean" ? Number(value) : isCertain(value.fault) ? 3 : 2;
      results.set(key, result);
    }
    of[id] = result;
  }
  return { selector, fault: undefined, of };
}

/** What a map lacks upstream's evaluation misses too; other errors might be this one's alone. */
const isCertain = (fault: string): boolean => fault.startsWith("No such key");

function kindOf(device: DeviceFacts, reads: readonly string[] | undefined): string {
  let key = `${device.driver}|${device.allowMultipleAllocations}`;
  if (reads === undefined) return `${key}|${text(device.attributes)}|${text(device.capacity)}`;
  for (const path of reads) {
    const [kind, domain = "", name = ""] = path.split("/", 3);
    const map: Readonly<Record<string, Readonly<Record<string, unknown>>>> =
      kind === "capacity" ? device.capacity : device.attributes;
    const values = Object.hasOwn(map, domain) ? map[domain] : undefined;
    if (name === "" || values === undefined) key += values === undefined ? "|-" : "|+";
    else key += Object.hasOwn(values, name) ? `|${text(values[name])}` : "|-";
  }
  return key;
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? String(one) : one));
}
