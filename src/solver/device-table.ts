import { once } from "../model/index.ts";
import type { DeviceFacts, DevicePool, Topology } from "../topology/index.ts";
import { compileSelector, type DeviceSelector } from "./cel.ts";
import { partOf } from "./device-parts.ts";

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
export interface DeviceTable extends Published {
  readonly nodeIndex: ReadonlyMap<string, number>;
  /** Devices that only this node reaches. */
  onNode(node: number): readonly number[];
  /** The one node that reaches a device, by their numbers; -1 where others may. */
  rowOf(device: number): number;
}

/** What pools say by themselves: it stands while nodes come and go. */
export interface Published {
  readonly pools: readonly DevicePool[];
  readonly devices: readonly DeviceFacts[];
  /** `driver/pool/device` */
  readonly keys: readonly string[];
  numberOf(key: string): number | undefined;
  readonly doubt: readonly (Doubt | undefined)[];
  /** Devices that several nodes may reach. */
  readonly detached: readonly number[];
  /** Is what a device needs reached from several nodes: the device itself, or counters that it shares with others. */
  readonly joint: readonly boolean[];
  /** Number of the pool of each device, in `pools`. */
  readonly poolOf: readonly number[];
  /** First device number of each pool. */
  readonly poolStart: readonly number[];
  /** May any device be used by several claims. */
  readonly shared: boolean;
  selected(expression: string): Selected;
  /** Expressions that were asked for lately. */
  readonly selections: ReadonlyMap<string, Selected>;
}

const MAX_SELECTORS = 64;
const NONE: readonly number[] = [];

/** `before`: the table of an earlier topology, of which whatever still holds is taken over. */
export function deviceTable({ nodes, nodeIndex, devicePools }: Topology, before?: DeviceTable): DeviceTable {
  if (before?.pools === devicePools && before.nodeIndex === nodeIndex) return before;
  const published =
    before?.pools === devicePools ? before : before === undefined ? first(devicePools) : publish(devicePools, before);
  const byNode = new Array<number[] | undefined>(nodes.length);
  for (const [pool, facts] of devicePools.entries()) {
    const start = published.poolStart[pool] ?? 0;
    for (const [node, places] of partOf(facts).byNode) {
      const row = nodeIndex.get(node);
      if (row === undefined) continue;
      const own = places.map((place) => start + place);
      const known = byNode[row];
      byNode[row] = known === undefined ? own : known.concat(own);
    }
  }
  return {
    ...published,
    nodeIndex,
    onNode: (node) => byNode[node] ?? NONE,
    rowOf(device) {
      const reach = published.devices[device]?.reach;
      return reach !== undefined && "node" in reach ? (nodeIndex.get(reach.node) ?? -1) : -1;
    },
  };
}

const first = once((pools: readonly DevicePool[]) => publish(pools));

function publish(pools: readonly DevicePool[], before?: Published): Published {
  const devices: DeviceFacts[] = [];
  const keys: string[] = [];
  const numbers = new Map<string, number>();
  const doubt: (Doubt | undefined)[] = [];
  const detached: number[] = [];
  const joint: boolean[] = [];
  const poolOf: number[] = [];
  const poolStart: number[] = [];
  let shared = false;
  for (const [number, pool] of pools.entries()) {
    const part = partOf(pool);
    const start = devices.length;
    const why = pool.invalid !== undefined ? "invalid" : !pool.complete ? "incomplete" : undefined;
    poolStart.push(start);
    numbers.set(`${pool.driver}/${pool.name}`, number);
    for (const [place, device] of pool.devices.entries()) {
      devices.push(device);
      keys.push(part.keys[place] ?? "");
      doubt.push(why);
      joint.push(part.joint[place] === true);
      poolOf.push(number);
    }
    for (const place of part.detached) detached.push(start + place);
    shared ||= part.shared;
  }
  const selections = new Map<string, Selected>();
  if (before !== undefined) {
    const from = firstNumbers(pools, before);
    for (const [expression, was] of before.selections) {
      const of = carry(pools, was.of, from);
      selections.set(expression, evaluate(was, devices, of));
    }
  }
  return {
    pools,
    devices,
    keys,
    doubt,
    detached,
    joint,
    poolOf,
    poolStart,
    shared,
    numberOf(key) {
      const pool = numbers.get(key.slice(0, key.lastIndexOf("/")));
      const facts = pool === undefined ? undefined : pools[pool];
      const place = facts === undefined ? undefined : partOf(facts).placeOf.get(key);
      return pool === undefined || place === undefined ? undefined : (poolStart[pool] ?? 0) + place;
    },
    selections,
    selected(expression) {
      const known = selections.get(expression);
      if (known !== undefined) return known;
      const { value: selector, diagnostics } = compileSelector(expression);
      const fault = selector === undefined ? (diagnostics[0]?.message ?? "it does not compile") : undefined;
      const of = new Uint8Array(devices.length).fill(UNKNOWN);
      const oldest = selections.size >= MAX_SELECTORS ? selections.keys().next().value : undefined;
      if (oldest !== undefined) selections.delete(oldest);
      const fresh = evaluate({ selector, fault }, devices, of);
      selections.set(expression, fresh);
      return fresh;
    },
  };
}

/** Where the devices of each pool began in an earlier table; -1: the pool is another. */
export function firstNumbers(pools: readonly DevicePool[], before: Published): Int32Array {
  const was = new Map(before.pools.map((pool, number) => [pool, before.poolStart[number] ?? 0]));
  return Int32Array.from(pools, (pool) => was.get(pool) ?? -1);
}

/** Stands for a device of which nothing was taken over. */
export const UNKNOWN = 255;

/** A value by device, by the numbers of the later table. */
export function carry(pools: readonly DevicePool[], values: Uint8Array, from: Int32Array): Uint8Array {
  const carried = new Uint8Array(pools.reduce((sum, { devices }) => sum + devices.length, 0));
  let at = 0;
  for (const [number, { devices }] of pools.entries()) {
    const start = from[number] ?? -1;
    if (start === -1) carried.fill(UNKNOWN, at, at + devices.length);
    else for (let place = 0; place < devices.length; place += 1) carried[at + place] = values[start + place] ?? UNKNOWN;
    at += devices.length;
  }
  return carried;
}

/** Fills in what is not known yet. Devices that agree on all that the selector reads are evaluated once. */
function evaluate(
  { selector, fault }: Omit<Selected, "of">,
  devices: readonly DeviceFacts[],
  of: Uint8Array,
): Selected {
  if (selector === undefined) return { selector, fault, of: of.fill(0) };
  const results = new Map<string, number>();
  for (let id = of.indexOf(UNKNOWN); id !== -1; id = of.indexOf(UNKNOWN, id + 1)) {
    const device = devices[id];
    if (device === undefined) break;
    const key = kindOf(device, selector.reads);
    let result = results.get(key);
    if (result === undefined) {
      const value = selector.matches(device);
      result = typeof value === "boolean" ? Number(value) : isCertain(value.fault) ? 3 : 2;
      results.set(key, result);
    }
    of[id] = result;
  }
  return { selector, fault, of };
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
