import { asksOf, NO_DEVICES, type Option, type PodDevices } from "./ask.ts";
import { type Budget, passCost } from "./budget.ts";
import { serversIn } from "./bundles.ts";
import type { DeviceClasses } from "./device-classes.ts";
import type { Field } from "./field.ts";
import { allocator, servedInTurn } from "./first-fit.ts";
import { joinStocks, type NewStock, newStock } from "./new-stock.ts";
import { devicesOf, type Notes, nodeStock, wideText } from "./node-stock.ts";
import { type Given, mostDevices, packDevices } from "./pack.ts";
import { sharePrice } from "./rivals.ts";
import { type Shape, sharedClaims } from "./shape.ts";
import type { Stock } from "./stock.ts";

/** Pods of some shapes on one row. */
export type Load = readonly { readonly shape: number; readonly pods: number }[];

/** What the devices of each row allow, for the shapes of one attempt. */
export interface DeviceView {
  /** Most pods of one shape beside a load, at most `limit`. */
  most(row: number, shape: number, limit: number, beside: Load): number;
  /** Requests of the shape's pod (`request nic`) that the same devices serve, for which the row has fewer of them free than they ask for. */
  short(
    row: number,
    shape: number,
  ): readonly { readonly request: string; readonly have: number; readonly need: number }[];
  /** Devices for each pod of the loads, by row in their order; undefined where they do not hold together. */
  allocate(loads: ReadonlyMap<number, Load>): ReadonlyMap<number, readonly (readonly Given[])[]> | undefined;
  /** Most pods of the shape, at most `limit`, that the allocator serves there in its own order; `ordered`: or in any order of its pools. */
  inTurn(row: number, shape: number, limit: number, ordered: boolean): number;
  /** Most pods of the shape, of `most`, that one pod of the rival may cost it there by the devices that it takes, as a share. */
  price(row: number, shape: number, rival: number, most: number): number;
  /**
   * Why the scheduler, once it looks at the row for one more pod of the shape, gives up on the pod, and after how many pods there; undefined
   * where the first `limit` pods do not come to that.
   */
  abort(row: number, shape: number, limit: number): { readonly after: number; readonly why: string } | undefined;
  /** Rows with equal signatures have devices that nothing tells apart. */
  signature(row: number): string;
  /** Of rows with equal texts, neither reaches a device that others reach and the first does not. */
  reach(row: number): string;
  /** Where rows share devices: are there enough for all the loads at once. */
  suffice(loads: ReadonlyMap<number, Load>): boolean;
  /** Selectors that fail as they would upstream, and those that may only fail here, as whole sentences. Filled while rows are looked at. */
  readonly errors: ReadonlySet<string>;
  readonly faults: ReadonlySet<string>;
  /** What would have to be known, filled where doubtful devices match. */
  readonly doubts: ReadonlySet<string>;
  /** Pools that rows share: room on one of them is no room on all. Filled while rows are looked at. */
  readonly joint: ReadonlySet<string>;
}

const NOTHING: Load = [];

/** What was found when no more than `limit` were asked for. */
interface Most {
  readonly most: number;
  readonly limit: number;
}

/** Undefined where no shape asks for devices. */
export function deviceView(
  field: Field,
  shapes: readonly Shape[],
  budget: Budget,
  claim?: ReadonlySet<number>,
): DeviceView | undefined {
  if (shapes.every((shape) => shape.devices.length + shape.extended.length === 0)) return undefined;
  const notes: Notes = { errors: new Set(), faults: new Set(), doubts: new Set(), joint: new Set() };
  const { options, ask } = asksOf(shapes);
  const attributes = attributesOf(shapes);
  const { devices: table } = field.index;
  const askOn = (row: number, shape: number): PodDevices => {
    let left = 0;
    for (const [index, { resource }] of (shapes[shape]?.extended ?? []).entries())
      if (field.leaves(row, resource)) left |= 1 << index;
    return ask(shape, left);
  };
  /** All that pods of the shape may come to ask for. */
  const mostAsked = (shape: number): PodDevices => ask(shape, (1 << (shapes[shape]?.extended.length ?? 0)) - 1);
  const stocks = new Map<number, Stock>();
  const wantedOn = (row: number) => options.map((option) => ({ row, option, number: option.number }));
  const kinds = new Map<number, NewStock>();
  const newOn = (row: number): NewStock => {
    const kind = field.kindOf[row] ?? -1;
    const known = kinds.get(kind);
    if (known !== undefined) return known;
    const asked = { options, attributes, bonds: shapes.flatMap((_, shape) => mostAsked(shape).bonds) };
    const fresh = newStock(field, row, asked, { shapes, ask: mostAsked }, notes, claim);
    kinds.set(kind, fresh);
    return fresh;
  };
  const wides = new Map<string, Stock>();
  /** Nodes that publish nothing themselves and reach the same have one stock. */
  const wideStock = (row: number): Stock => {
    const text = wideText(field, row);
    const known = text === undefined ? undefined : wides.get(text);
    const stock = known ?? nodeStock(field, [row], wantedOn(row), attributes, notes, claim);
    if (text !== undefined) wides.set(text, stock);
    return stock;
  };
  /** The row's own devices by name. */
  const ownStock = (row: number): Stock => {
    if (row >= field.existing) return newOn(row).all;
    const known = stocks.get(row) ?? wideStock(row);
    stocks.set(row, known);
    return known;
  };
  const byClass: Stock[] = [];
  const { classOf: likenessOf, stocks: kept } = likeness(field, options, attributes);
  // Where devices of a claim have to reach several rows, none is like another by what it has of its own.
  const classOf = (row: number): number => (claim !== undefined && claim.size > 1 ? -1 : likenessOf(row));
  const asked = askedText(field, options);
  /** Of a row whose devices nothing tells apart from the row's: the same but for names. */
  const stockOf = (row: number): Stock => {
    const number = classOf(row);
    if (number === -1) return ownStock(row);
    const stock = byClass[number] ?? keptStock(number, row);
    byClass[number] = stock;
    return stock;
  };
  const keptStock = (number: number, row: number): Stock => {
    const text = `${number} ${asked}`;
    const known = kept()?.get(text);
    if (known !== undefined) return known;
    const silent: Notes = { errors: new Set(), faults: new Set(), doubts: new Set(), joint: new Set() };
    const stock = nodeStock(field, [row], wantedOn(row), attributes, silent, claim);
    // Whatever is to be noted is noted in each attempt.
    if (Object.values(silent).some(({ size }) => size > 0)) return ownStock(row);
    return kept()?.set(text, stock) ?? stock;
  };
  // Rows of one class may leave different extended resources to claims.
  const alike = shapes.every(({ extended }) => extended.length === 0) ? classOf : () => -1;
  const rank = (device: string): number => table.numberOf(device) ?? 0;
  const memo = new Map<string, Most>();
  /** The allocator's order counts here, and signatures do not tell it. */
  const turns = new Map<Stock, Map<string, Most>>();
  const turnsOf = (stock: Stock): Map<string, Most> => {
    const known = turns.get(stock) ?? new Map<string, Most>();
    turns.set(stock, known);
    return known;
  };
  /** Equal signatures have one number. */
  const numbers = new Map<string, number>();
  const numbered = new Map<Stock, number>();
  const numberOf = (stock: Stock): number => {
    const known = numbered.get(stock) ?? numbers.get(stock.signature) ?? numbers.size;
    numbers.set(stock.signature, known);
    numbered.set(stock, known);
    return known;
  };
  const aborts = new Map<string, { readonly after: number; readonly why: string }>();
  const reaches = new Map<number, string>();
  let told = 0;
  const reach = (row: number): string => {
    if (notes.joint.size === 0) return "";
    // Pools are noted while rows are looked at.
    if (told !== notes.joint.size) reaches.clear();
    told = notes.joint.size;
    const at = row < field.existing ? row : field.existing + (field.kindOf[row] ?? 0);
    const known = reaches.get(at);
    if (known !== undefined) return known;
    const ids = devicesOf(field, [row]).filter(
      (id) => table.joint[id] === true && notes.joint.has(poolOf(table.keys[id] ?? "")),
    );
    const text = ids.join(",");
    reaches.set(at, text);
    return text;
  };
  const allocate: DeviceView["allocate"] = (loads) => {
    const result = new Map<number, readonly (readonly Given[])[]>();
    const together =
      notes.joint.size === 0 ? [] : [...loads.keys()].filter((row) => row < field.existing || reach(row) !== "");
    for (const [row, load] of loads) {
      if (together.includes(row)) continue;
      const pods = packDevices(ownStock(row), podsOf(row, load), budget);
      if (pods === undefined) return undefined;
      result.set(row, pods);
    }
    if (together.length === 0) return result;
    const wanted = together.flatMap((row, place) =>
      options.map((option) => ({ row, option, number: place * options.length + option.number })),
    );
    const pods = together.map((row, place) =>
      podsOf(row, loads.get(row) ?? []).map((one) => shifted(one, place * options.length)),
    );
    const shared = nodeStock(field, together, wanted, attributes, notes, claim);
    const fresh = together.flatMap((row, place) =>
      row < field.existing ? [] : [{ row, stock: newOn(row).own, from: place * options.length }],
    );
    const stock = fresh.length === 0 ? shared : joinStocks(field, shared, fresh, options, notes);
    const packed = packDevices(stock, pods.flat(), budget);
    if (packed === undefined) return undefined;
    let from = 0;
    for (const [place, row] of together.entries()) {
      const to = from + (pods[place]?.length ?? 0);
      result.set(row, packed.slice(from, to));
      from = to;
    }
    return result;
  };
  const podsOf = (row: number, load: Load): readonly PodDevices[] =>
    load.flatMap(({ shape, pods }) => Array.from({ length: pods }, () => askOn(row, shape)));
  const mostBeside = (row: number, shape: number, limit: number, beside: Load): number => {
    const own = askOn(row, shape);
    if (own.slots.length === 0) return limit;
    const stock = stockOf(row);
    if (field.hopeful && mayBring(stock, own)) return limit;
    const others = beside.filter((one) => one.pods > 0 && askOn(row, one.shape).slots.length > 0);
    const single = others.length === 0 ? onlyOption(stock, own) : undefined;
    const key = `${numberOf(stock)}#${shape}#${own.slots.length}#${others.map((one) => `${one.shape}x${one.pods}`).join(",")}`;
    const known = memo.get(key);
    if (known !== undefined && (known.most < known.limit || known.limit >= limit)) return Math.min(known.most, limit);
    if (single !== undefined) {
      const most = Math.floor(mostDevices(stock, single.number, budget) / Number(single.request.count));
      if (!budget.exhausted) memo.set(key, { most, limit: Number.POSITIVE_INFINITY });
      return Math.min(limit, most);
    }
    if (own.admin) return packDevices(stock, [own], budget) === undefined ? 0 : limit;
    let most = 0;
    const standing = podsOf(row, others);
    while (most < limit) {
      const pods = [...standing, ...Array.from({ length: most + 1 }, () => own)];
      if (packDevices(stock, pods, budget) === undefined) break;
      most += 1;
    }
    if (!budget.exhausted) memo.set(key, { most, limit });
    return most;
  };
  const servedOn = (row: number, shape: number, limit: number, ordered: boolean): number => {
    const own = askOn(row, shape);
    const fresh = row >= field.existing;
    // What new nodes publish is all alike; one request that binds nothing leaves over what any other order would.
    if ((fresh && newOn(row).all === newOn(row).own) || own.slots.length === 0) return limit;
    const stock = stockOf(row);
    const plain = stock.parts.every(({ counters }) => counters.length === 0);
    if (plain && onlyOption(stock, own) !== undefined && !isRisky(stock, own)) return limit;
    const before = turnsOf(stock);
    const key = `${shape}#${own.slots.length}#${ordered}`;
    const known = before.get(key);
    if (known !== undefined && (known.most < known.limit || known.limit >= limit)) return Math.min(known.most, limit);
    const inOrder = (place: (device: string) => number) => servedInTurn(stock, own, limit, place, budget);
    const served =
      ordered && !fresh
        ? [inOrder(rank)]
        : orders(poolsOf(stock)).map((pools) =>
            inOrder((device) => pools.indexOf(poolOf(device)) * table.keys.length + rank(device)),
          );
    const most = Math.min(...served.map((one) => one ?? limit));
    if (!served.includes(undefined)) before.set(key, { most, limit });
    return most;
  };
  const abortOn: DeviceView["abort"] = (row, shape, limit) => {
    const own = askOn(row, shape);
    if (row >= field.existing || own.slots.length === 0) return undefined;
    const stock = stockOf(row);
    if (!isRisky(stock, own)) return undefined;
    const order = stock.groups
      .flatMap(({ devices }, group) => devices.map((device) => [rank(device), group] as const))
      .sort(([a], [b]) => a - b)
      .map(([, group]) => group);
    const key = `${stock.signature}#${shape}#${order.join(",")}`;
    const known = aborts.get(key);
    if (known !== undefined) return known.why === "" || known.after >= limit ? undefined : known;
    const next = allocator(stock, rank, budget);
    for (let after = 0; after < limit; after += 1) {
      const turn = next(own);
      if (turn.kind === "served") continue;
      if (turn.kind !== "out") aborts.set(key, { after, why: turn.kind === "abort" ? turn.why : "" });
      return turn.kind === "abort" ? { after, why: turn.why } : undefined;
    }
    return undefined;
  };
  const mostAlone = once(alike, budget, (row, shape, limit) => mostBeside(row, shape, limit, NOTHING));
  const inTurn = [false, true].map((ordered) =>
    once(alike, budget, (row, shape, limit) => servedOn(row, shape, limit, ordered)),
  );
  return {
    errors: notes.errors,
    faults: notes.faults,
    doubts: notes.doubts,
    joint: notes.joint,
    most: (row, shape, limit, beside) =>
      beside.length === 0 ? mostAlone(row, shape, limit) : mostBeside(row, shape, limit, beside),
    short(row, shape) {
      const own = askOn(row, shape);
      if (own.slots.length === 0 || own.admin) return [];
      const stock = stockOf(row);
      return demandsOn(stock, own).flatMap(({ names, count, option }) => {
        const have = mostDevices(stock, option, budget);
        return have < count ? [{ request: requestsText(names), have, need: count }] : [];
      });
    },
    signature: (row) =>
      shapes.every((_, shape) => askOn(row, shape).slots.length === 0) ? "" : stockOf(row).signature,
    reach,
    suffice(loads) {
      if (notes.joint.size === 0) return true;
      // What is missing of a pool may be enough for any number of pods; so may be a claim of which it is not judged who shares it.
      const unjudged = claim === undefined && shapes.some((shape) => sharedClaims(shape).size > 0);
      const brings = ([row, load]: readonly [number, Load]) =>
        load.some(({ shape }) => mayBring(stockOf(row), askOn(row, shape)));
      if (field.hopeful && (unjudged || [...loads].some(brings))) return true;
      const looks = devicesOf(field, [...loads.keys()]).length * options.length;
      return budget.spend(passCost(loads.size * (loads.size + looks / 2))) && allocate(loads) !== undefined;
    },
    allocate,
    inTurn: (row, shape, limit, ordered) => inTurn[Number(ordered)]?.(row, shape, limit) ?? limit,
    price(row, shape, rival, most) {
      const [own, other] = [askOn(row, shape), askOn(row, rival)];
      if (own.slots.length === 0 || other.slots.length === 0 || other.admin) return 0;
      const stock = stockOf(row);
      const parts = partsFor(stock, own);
      if (![...partsFor(stock, other)].some((part) => parts.has(part))) return 0;
      const [mine, taken] = [onlyOption(stock, own), onlyOption(stock, other)];
      const plain = stock.parts.every(({ counters }) => counters.length === 0);
      // Whoever binds, shares or partitions devices may spoil all that is there.
      if (mine === undefined || taken === undefined || !plain) return most;
      const have = stock.groups.reduce(
        (sum, { serves, devices }) => sum + (serves[mine.number] === true ? devices.length : 0),
        0,
      );
      return sharePrice(have, Number(mine.request.count), Number(taken.request.count), most);
    },
    abort: once(alike, budget, abortOn),
  };
}

/** Is something that the pod asks for of a pool of which slices are missing. */
const mayBring = ({ open }: Stock, { slots }: PodDevices): boolean =>
  slots.some(({ options }) => options.some(({ number }) => open?.has(number) === true));

const poolOf = (device: string): string => device.slice(0, device.lastIndexOf("/"));

function poolsOf(stock: Stock): readonly string[] {
  return [...new Set(stock.groups.flatMap(({ devices }) => devices.map(poolOf)))].sort();
}

/** Every order of up to four; of more, each first and each last. */
function orders(pools: readonly string[]): readonly (readonly string[])[] {
  if (pools.length > 4) return pools.flatMap((_, at) => [pools.slice(at).concat(pools.slice(0, at))]);
  if (pools.length < 2) return [pools];
  return pools.flatMap((first) => orders(pools.filter((one) => one !== first)).map((rest) => [first, ...rest]));
}

/** Requests of a pod that the same devices serve, whichever of their alternatives is taken; others are told by none. */
function demandsOn(
  stock: Stock,
  { slots }: PodDevices,
): readonly { readonly names: readonly string[]; readonly count: number; readonly option: number }[] {
  const serversOf = serversIn(stock);
  const demands = new Map<string, { names: string[]; count: number; option: number }>();
  for (const { claim, options } of slots) {
    const [first, ...others] = options;
    const count = first?.request.count;
    if (first === undefined || typeof count !== "number") continue;
    const servers = serversOf(first.number);
    const alike = ({ number, request }: Option) => request.count === count && serversOf(number) === servers;
    if (!others.every(alike)) continue;
    // Those that nothing serves are not the same for that.
    const key = servers.includes("1") ? servers : `${claim} ${first.label}`;
    const demand = demands.get(key) ?? { names: [], count: 0, option: first.number };
    demand.names.push(first.label.split("/")[1] ?? "");
    demand.count += count;
    demands.set(key, demand);
  }
  return [...demands.values()];
}

function requestsText(names: readonly string[]): string {
  const [first = ""] = names;
  return names.length === 1 ? `request ${first}` : `requests ${first} to ${names.at(-1)}`;
}

/** Parts of the stock with devices that serve some request of the pod. */
function partsFor(stock: Stock, { slots }: PodDevices): ReadonlySet<number> {
  const parts = new Set<number>();
  for (const [index, { serves }] of stock.groups.entries())
    if (slots.some(({ options }) => options.some(({ number }) => serves[number] === true)))
      parts.add(stock.partOf[index] ?? index);
  return parts;
}

/** Rows that allow the same have equal numbers; -1 for a row that is not to be compared. */
function likeness(
  field: Field,
  options: readonly Option[],
  attributes: readonly string[],
): { classOf(row: number): number; stocks(): DeviceClasses["stocks"] | undefined } {
  const selectors = [...new Set(options.flatMap(({ request }) => request.selectors))];
  const capacity = options.some(({ request }) => request.capacity !== undefined);
  const interest = { selectors, attributes, capacity };
  const { index, existing, nominal } = field;
  const { touched, shares } = field.devices();
  let classes: DeviceClasses | undefined;
  let layouts: Int32Array | undefined;
  const known = (): DeviceClasses => {
    classes ??= index.deviceIndex.classes(interest);
    return classes;
  };
  return {
    stocks: () => (nominal ? undefined : known().stocks),
    classOf(row) {
      if (row >= existing) return -1;
      if (nominal) {
        layouts ??= index.deviceIndex.layouts(interest);
        return layouts[row] ?? -1;
      }
      if (touched.size > 0 && touched.has(row)) return -1;
      if (shares.size > 0 && index.devices.onNode(row).some((id) => shares.has(id))) return -1;
      return known().of[row] ?? -1;
    },
  };
}

/** All that a stock takes from the requests beside their attributes. */
function askedText({ hopeful }: Field, options: readonly Option[]): string {
  const parts = options.map(({ request: { selectors, tolerations, capacity, adminAccess, count } }) => [
    selectors,
    tolerations,
    capacity,
    adminAccess,
    count === "all",
  ]);
  return JSON.stringify([hopeful, parts]);
}

/** What is asked of a row, with what was found for the first row of its class and the same limit. */
function once<Value>(
  classOf: (row: number) => number,
  budget: Budget,
  look: (row: number, shape: number, limit: number) => Value,
): typeof look {
  const known = new Map<string, { readonly value: Value }[]>();
  let last: { readonly shape: number; readonly limit: number; readonly found: { readonly value: Value }[] } | undefined;
  const foundFor = (shape: number, limit: number): { readonly value: Value }[] => {
    if (last?.shape === shape && last.limit === limit) return last.found;
    const key = `${shape}/${limit}`;
    const found = known.get(key) ?? [];
    known.set(key, found);
    last = { shape, limit, found };
    return found;
  };
  return (row, shape, limit) => {
    const number = classOf(row);
    if (number === -1) return look(row, shape, limit);
    const found = foundFor(shape, limit);
    const before = found[number];
    if (before !== undefined) return before.value;
    const value = look(row, shape, limit);
    // Without steps nothing is found out.
    if (!budget.exhausted) found[number] = { value };
    return value;
  };
}

function attributesOf(shapes: readonly Shape[]): readonly string[] {
  const names = new Set<string>();
  for (const { devices } of shapes)
    for (const { matchAttributes, distinctAttributes = [] } of devices)
      for (const { attribute } of [...matchAttributes, ...distinctAttributes]) names.add(attribute);
  return [...names];
}

/** The one option of a pod that asks for a number of devices and nothing else of them, where no device is shared. */
function onlyOption(stock: Stock, { claims, slots, bonds, admin }: PodDevices): Option | undefined {
  const [slot] = slots;
  const [option] = slot?.options ?? [];
  const simple = slots.length === 1 && slot?.options.length === 1 && bonds.length === 0 && !admin;
  if (!simple || option === undefined || option.request.count === "all" || claims.some(({ shared }) => shared))
    return undefined;
  return stock.groups.some(({ serves, shares }) => shares !== undefined && serves[option.number] === true)
    ? undefined
    : option;
}

/** Could the allocator give up on the pod rather than pass the node over. */
function isRisky(stock: Stock, { slots }: PodDevices): boolean {
  return slots.some(({ options }) =>
    options.some(
      ({ number, request }) => request.count === "all" || stock.groups.some(({ faulty }) => faulty.includes(number)),
    ),
  );
}

function shifted(ask: PodDevices, by: number): PodDevices {
  if (by === 0 || ask.slots.length === 0) return ask === NO_DEVICES ? NO_DEVICES : ask;
  return {
    ...ask,
    slots: ask.slots.map((slot) => ({
      ...slot,
      options: slot.options.map((option) => ({ ...option, number: option.number + by })),
    })),
    bonds: ask.bonds.map((bond) => ({ ...bond, options: new Set([...bond.options].map((one) => one + by)) })),
  };
}
