import { allowsLabels, once } from "../model/index.ts";
import type { DeviceFacts } from "../topology/index.ts";
import type { Option } from "./ask.ts";
import { type Consumed, consumed } from "./consume.ts";
import type { Field } from "./field.ts";
import { type Reached, reachedBy } from "./kind-reach.ts";
import { type Faults, selects } from "./selects.ts";
import { isTolerated } from "./shape.ts";
import { type All, type Draft, finish, type Group, type Shares, type Stock } from "./stock.ts";

/** What is seen on the way, for all rows together. */
export interface Notes extends Faults {
  readonly doubts: Set<string>;
  /** Pools of which devices serve that more than one node reaches, or whose counters do. */
  readonly joint: Set<string>;
}

/** What a device is to a request, whichever row asks; `use` where it is selected. */
interface Judged {
  readonly selected: ReturnType<typeof selects>;
  readonly use: Consumed | undefined;
}

/** What is wanted of some rows, as one stock. `number` gives an option its number for a row, so that rows can be told apart. */
export interface Wanted {
  readonly row: number;
  readonly option: Option;
  readonly number: number;
}

/**
 * The devices that rows reach, in groups that no request or constraint tells apart: free ones, those in use where an administrator's
 * request would take them, and what their counters and capacities have left. Of rows of new nodes: without what these publish themselves.
 */
export function nodeStock(
  field: Field,
  rows: readonly number[],
  wanted: readonly Wanted[],
  attributes: readonly string[],
  notes: Notes,
  claim?: ReadonlySet<number>,
): Stock {
  const table = field.index.devices;
  const counters: bigint[] = [];
  const capacities: bigint[] = [];
  const counterAt = counterPlaces(field, counters);
  const groups = new Map<string, { group: Group; devices: string[] }>();
  const alls = new Map<number, { id: number; device: string }[]>();
  const blocked = new Set<number>();
  const groupOf = new Map<string, string>();
  let broken: string | undefined;
  const partial = new Set<number>();
  const reaching = new Map<Reach, ReadonlyMap<number, Reached>>();
  const reachOf = (reach: Reach): ReadonlyMap<number, Reached> => {
    const known = reaching.get(reach) ?? new Map(rows.map((row) => [row, reachedFrom(field, reach, row)]));
    if (!("node" in reach)) reaching.set(reach, known);
    return known;
  };
  // Devices in use only matter to requests for all and for administrators.
  const whole = wanted.some(({ option }) => option.request.count === "all" || option.request.adminAccess === true);
  const size = wanted.reduce((most, { number }) => Math.max(most, number + 1), 0);
  for (const id of devicesOf(field, rows)) {
    const device = table.devices[id];
    if (device === undefined) continue;
    const doubt = table.doubt[id];
    const key = table.keys[id] ?? device.name;
    const shared = device.allowMultipleAllocations;
    // A pool that publishes a device twice has two of that name, of which a claim that has it means neither the one nor the other.
    const named = doubt === undefined ? id : (table.numberOf(key) ?? id);
    const used = !field.nominal && !shared && field.devices().used[named] === 1;
    if (doubt !== undefined) broken ??= `device pool ${device.driver}/${device.pool} is ${doubt}`;
    const may = doubt === "incomplete" ? wanted.filter((one) => wouldServe(field, id, device, one, notes)) : [];
    if (doubt !== undefined && may.length > 0) notes.doubts.add(doubtText(doubt, device.driver, device.pool));
    for (const { number } of may) partial.add(number);
    if (used && !whole) continue;
    const serves: boolean[] = Array.from({ length: size }, () => false);
    const faulty: number[] = [];
    const uses: (readonly bigint[] | undefined)[] = [];
    const reachedBy = reachOf(device.reach);
    let [at, reached]: [number, Reached] = [-1, "no"];
    // Rows ask for the same one after the other.
    const judged = new Map<Option, Judged>();
    for (const { row, option, number } of wanted) {
      if (row !== at) reached = reachedBy.get(row) ?? "no";
      at = row;
      if (reached === "no") continue;
      const { request } = option;
      let { selected, use } = judged.get(option) ?? {
        selected: selects(field, id, request.selectors, notes),
        use: undefined,
      };
      if (selected === "fault") faulty.push(number);
      if (selected === "yes") use ??= capacityUse(device, option);
      judged.set(option, { selected, use });
      if (use === undefined) continue;
      if (use.kind === "abort") {
        faulty.push(number);
        notes.errors.add(
          `what request ${option.label} asks of capacity ${use.name} cannot be represented, and the scheduler then gives up on the pod`,
        );
      }
      if (use.kind !== "uses") continue;
      if (doubt !== undefined) notes.doubts.add(doubtText(doubt, device.driver, device.pool));
      const open = reached === "yes" ? undefined : reached.label;
      const tainted = !field.nominal && device.taints.some((taint) => !isTolerated(request.tolerations, taint));
      if (open !== undefined && !tainted) notes.doubts.add(labelText(field, row, device, open));
      const out =
        ((doubt !== undefined || open !== undefined) && !field.hopeful) ||
        tainted ||
        (used && request.adminAccess !== true) ||
        strays(field, device, option, claim);
      if (request.count === "all" && !(out && open !== undefined && field.hopeful)) {
        const list = alls.get(number) ?? [];
        list.push({ id, device: key });
        alls.set(number, list);
        if (out) blocked.add(number);
      }
      if (out) continue;
      serves[number] = true;
      if (shared) uses[number] = use.amounts;
    }
    if (table.joint[id] === true && serves.includes(true)) notes.joint.add(`${device.driver}/${device.pool}`);
    if (!serves.includes(true) && (faulty.length === 0 || used || doubt !== undefined)) continue;
    const owned = counterAt(id, device);
    if (owned === undefined) {
      for (const [number, list] of alls) if (list.at(-1)?.id === id) blocked.add(number);
      if (faulty.length === 0) continue;
      serves.fill(false);
    }
    const values = attributes.map((name) => attributeText(device.driver, device.attributes, name));
    const shares: Shares | undefined = shared ? sharesOf(field, id, device, uses, capacities) : undefined;
    const text = `${digits(serves)}|${faulty.join(",")}|${values.map((one) => one ?? "").join("|")}|${(owned ?? []).map(({ at, amount }) => `${at}=${amount}`).join(",")}|${shared ? key : ""}|${used}`;
    const entry = groups.get(text) ?? {
      group: { serves, faulty, values, devices: [], counters: owned ?? [], shares },
      devices: [],
    };
    entry.devices.push(key);
    groups.set(text, entry);
    groupOf.set(key, text);
  }
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const place = new Map(sorted.map(([text], index) => [text, index]));
  const all = new Map<number, All>();
  for (const [number, list] of alls)
    all.set(number, {
      groups: list.map(({ device }) => placeOf(place.get(groupOf.get(device) ?? ""), sorted, number)),
      blocked: blocked.has(number),
    });
  const draft: Draft = {
    groups: sorted.map(([, { group, devices }]) => ({ ...group, devices })),
    attributes,
    counters,
    capacities,
    alls: all,
    broken,
    open: partial,
    extra: "",
  };
  return finish(draft);
}

function digits(serves: readonly boolean[]): string {
  let text = "";
  for (const one of serves) text += one ? "1" : "0";
  return text;
}

/** By what says which nodes reach a device: do all of these rows. */
const coverings = once((_rows: ReadonlySet<number>) => new Map<DeviceFacts["reach"], boolean>());

/** A claim that pods share on several rows has devices that reach all of these. */
function strays(
  field: Field,
  device: DeviceFacts,
  { request }: Option,
  claim: ReadonlySet<number> | undefined,
): boolean {
  if (claim === undefined || claim.size < 2 || request.sharedClaim === undefined) return false;
  const { reach } = device;
  if ("node" in reach) return true;
  const known = coverings(claim);
  const covers = known.get(reach) ?? [...claim].every((row) => reaches(field, device, row));
  known.set(reach, covers);
  return !covers;
}

function placeOf(
  index: number | undefined,
  sorted: readonly (readonly [string, { readonly group: Group }])[],
  number: number,
): number {
  return index !== undefined && sorted[index]?.[1].group.serves[number] === true ? index : -1;
}

/** What the rows reach, or may reach, in the allocator's order. */
export function devicesOf(field: Field, rows: readonly number[]): readonly number[] {
  const { devices: table } = field.index;
  const ids = new Set<number>();
  for (const row of rows) for (const id of table.onNode(row)) ids.add(id);
  for (const { reach, devices } of wideOf(field.index))
    if (rows.some((row) => reachedFrom(field, reach, row) !== "no")) for (const id of devices) ids.add(id);
  return [...ids].sort((a, b) => a - b);
}

type Reach = DeviceFacts["reach"];

/** Devices that several nodes may reach, by how they do. */
const wideOf = once(({ devices: { detached, devices } }: Field["index"]) => {
  const groups = new Map<Reach, { readonly reach: Reach; readonly devices: number[] }>();
  for (const id of detached) {
    const reach = devices[id]?.reach;
    if (reach === undefined) continue;
    const group = groups.get(reach) ?? { reach, devices: [] };
    groups.set(reach, group);
    group.devices.push(id);
  }
  return [...groups.values()];
});

/** Equal for existing nodes that publish nothing themselves and reach the same devices; undefined for others. */
export function wideText(field: Field, row: number): string | undefined {
  if (row >= field.existing || field.index.devices.onNode(row).length > 0) return undefined;
  const known = wideTexts(field.index);
  const found =
    known.get(row) ??
    wideOf(field.index)
      .flatMap(({ reach }, at) => (reachedFrom(field, reach, row) === "no" ? [] : at))
      .join();
  known.set(row, found);
  return found;
}

const wideTexts = once((_index: Field["index"]) => new Map<number, string>());

/** Whether or not it is free now. */
function wouldServe(field: Field, id: number, device: DeviceFacts, { row, option }: Wanted, notes: Notes): boolean {
  return (
    reaches(field, device, row) &&
    selects(field, id, option.request.selectors, notes) === "yes" &&
    capacityUse(device, option).kind === "uses"
  );
}

/** Where labels that are not known decide it, only a hopeful field has it reached. */
export function reaches(field: Field, device: DeviceFacts, row: number): boolean {
  const reached = reachedFrom(field, device.reach, row);
  return reached === "yes" || (reached !== "no" && field.hopeful);
}

function reachedFrom(field: Field, reach: Reach, row: number): Reached {
  const { topology } = field.index;
  const kind = field.kinds[field.kindOf[row] ?? -1];
  if (kind !== undefined) return reachedBy(topology, kind, reach);
  const node = topology.nodes[row];
  const within =
    "node" in reach ? reach.node === node?.name : "all" in reach || allowsLabels(reach.selection, node?.labels ?? {});
  return within ? "yes" : "no";
}

/** Devices that are had alone need only be large enough. */
function capacityUse(device: DeviceFacts, { request }: Option): Consumed {
  const { capacity } = request;
  if (capacity === undefined && !device.allowMultipleAllocations) return { kind: "uses", amounts: [] };
  return consumed(device.capacities ?? plainCapacities(device), capacity);
}

function plainCapacities(device: DeviceFacts): NonNullable<DeviceFacts["capacities"]> {
  return Object.entries(device.capacity).flatMap(([domain, names]) =>
    Object.entries(names).map(([name, { nano }]) => ({
      name: domain === device.driver ? name : `${domain}/${name}`,
      nano,
    })),
  );
}

function sharesOf(
  field: Field,
  id: number,
  { capacities: own = [] }: DeviceFacts,
  uses: readonly (readonly bigint[] | undefined)[],
  capacities: bigint[],
): Shares {
  const at = capacities.length;
  const others = field.nominal ? undefined : field.devices().shares.get(id);
  for (const { name, nano } of own) capacities.push(nano - (others?.[name] ?? 0n));
  return { at, uses, charged: others !== undefined };
}

/** Places of a device's counters in the stock; undefined where some counter of its pool is overdrawn, so that nothing of it can be had. */
function counterPlaces(field: Field, counters: bigint[]) {
  const { devices: table, topology } = field.index;
  const places = new Map<string, number>();
  const pools = new Map<number, { readonly left: ReadonlyMap<string, bigint>; readonly overdrawn: boolean }>();
  const poolLeft = (number: number) => {
    const known = pools.get(number);
    if (known !== undefined) return known;
    const pool = topology.devicePools[number];
    const left = new Map<string, bigint>();
    for (const [set, amounts] of Object.entries(pool?.counterSets ?? {}))
      for (const [name, amount] of Object.entries(amounts)) left.set(`${set}/${name}`, amount);
    const start = table.poolStart[number] ?? 0;
    for (const [offset, device] of (pool?.devices ?? []).entries()) {
      const id = start + offset;
      const used = device.allowMultipleAllocations ? field.devices().shares.has(id) : field.devices().used[id] === 1;
      if (field.nominal || !used) continue;
      for (const { counterSet, counters: amounts } of device.consumesCounters)
        for (const [name, amount] of Object.entries(amounts)) {
          const key = `${counterSet}/${name}`;
          left.set(key, (left.get(key) ?? 0n) - amount);
        }
    }
    const fresh = { left, overdrawn: [...left.values()].some((amount) => amount < 0n) };
    pools.set(number, fresh);
    return fresh;
  };
  return (id: number, device: DeviceFacts): Group["counters"] | undefined => {
    if (device.consumesCounters.length === 0) return [];
    const pool = table.poolOf[id] ?? -1;
    const { left, overdrawn } = poolLeft(pool);
    // A shared one that is in use has taken its counters already.
    if (overdrawn && !(device.allowMultipleAllocations && field.devices().shares.has(id) && !field.nominal))
      return undefined;
    const sums = new Map<number, bigint>();
    for (const { counterSet, counters: amounts } of device.consumesCounters)
      for (const [name, amount] of Object.entries(amounts)) {
        if (amount === 0n) continue;
        const key = `${pool}/${counterSet}/${name}`;
        let at = places.get(key);
        if (at === undefined) {
          at = counters.push(left.get(`${counterSet}/${name}`) ?? 0n) - 1;
          places.set(key, at);
        }
        sums.set(at, (sums.get(at) ?? 0n) + amount);
      }
    return [...sums].map(([at, amount]) => ({ at, amount }));
  };
}

function labelText(field: Field, row: number, { driver, pool }: DeviceFacts, label: string): string {
  const name = field.kinds[field.kindOf[row] ?? -1]?.pool.name ?? "";
  return `pool ${name} does not declare the label ${label}, by which nodes reach devices of pool ${driver}/${pool}`;
}

function doubtText(doubt: string, driver: string, pool: string): string {
  const which = `device pool ${driver}/${pool}`;
  return doubt === "incomplete"
    ? `${which} is incomplete: not all of its ResourceSlices are there`
    : `${which} is invalid, so the scheduler leaves it out`;
}

/** The value or values as JSON, by a qualified name; one without a domain belongs to the driver's. */
export function attributeText(
  driver: string,
  attributes: Readonly<Record<string, Readonly<Record<string, DeviceFacts["attributes"][string][string]>>>>,
  name: string,
): string | undefined {
  const slash = name.indexOf("/");
  const [domain, id] = slash === -1 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
  const values = Object.hasOwn(attributes, domain) ? attributes[domain] : undefined;
  return values !== undefined && Object.hasOwn(values, id) ? JSON.stringify(values[id]) : undefined;
}
