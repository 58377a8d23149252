import type { Bond, PodDevices, Slot } from "./ask.ts";
import { hasLists } from "./bonds.ts";
import type { Stock } from "./stock.ts";

/** Devices that must agree in an attribute, and how many such bundles the pods ask for. */
interface Bundle {
  readonly attribute: number;
  /** By the groups that serve it: how many devices of them one bundle takes. */
  readonly takes: ReadonlyMap<string, number>;
  wanted: number;
}

/**
 * Are there surely too few devices that agree: of equal bundles (an accelerator with its network cards), each value of the attribute has room for as many
 * as the scarcest of their devices, whatever else is asked for. False says nothing.
 */
export function lacksBundles(stock: Stock, pods: readonly PodDevices[], slots: readonly (readonly Slot[])[]): boolean {
  const bundles = new Map<string, Bundle>();
  const serversOf = serversIn(stock);
  for (const [pod, { bonds }] of pods.entries())
    for (const bond of bonds) {
      const takes = takesOf(bond, slots[pod] ?? [], serversOf);
      if (takes === undefined) continue;
      const key = `${bond.attribute}|${[...takes].sort().join(";")}`;
      const bundle = bundles.get(key) ?? { attribute: stock.attributes.indexOf(bond.attribute), takes, wanted: 0 };
      bundle.wanted += 1;
      bundles.set(key, bundle);
    }
  return [...bundles.values()].some((bundle) => roomFor(stock, bundle) < bundle.wanted);
}

/**
 * Are there surely too few devices: of requests that the same ones serve, whichever alternatives are taken, each takes as many as the smallest of its
 * alternatives. False says nothing.
 */
export function lacksDevices(stock: Stock, slots: readonly (readonly Slot[])[]): boolean {
  const serversOf = serversIn(stock);
  const wanted = new Map<string, number>();
  for (const { options } of slots.flat()) {
    const counts = options.map(({ request }) => (request.count === "all" ? 1 : request.count));
    const texts = options.map(({ number }) => serversOf(number));
    const any = stock.groups.map((_, group) => (texts.some((text) => text[group] === "1") ? "1" : "0")).join("");
    wanted.set(any, (wanted.get(any) ?? 0) + Math.min(...counts));
  }
  return [...wanted].some(([servers, count]) => {
    const there = stock.groups.reduce(
      (sum, { devices, shares }, group) =>
        servers[group] === "1" ? sum + (shares === undefined ? devices.length : Number.POSITIVE_INFINITY) : sum,
      0,
    );
    return there < count;
  });
}

/** By option: the groups that serve it, one digit each. */
export function serversIn({ groups }: Stock): (option: number) => string {
  const servers = new Map<number, string>();
  return (option) => {
    const text = servers.get(option) ?? groups.map(({ serves }) => (serves[option] === true ? "1" : "0")).join("");
    servers.set(option, text);
    return text;
  };
}

/** Undefined where it is not known beforehand what the bond binds, or that it binds two requests. */
function takesOf(
  { distinct, options }: Bond,
  slots: readonly Slot[],
  serversOf: (option: number) => string,
): ReadonlyMap<string, number> | undefined {
  const bound = slots.filter((slot) => slot.options.some(({ number }) => options.has(number)));
  if (distinct || bound.length < 2) return undefined;
  const takes = new Map<string, number>();
  for (const slot of bound) {
    const [only] = slot.options;
    if (only === undefined || slot.options.length > 1 || only.request.count === "all") return undefined;
    const key = serversOf(only.number);
    takes.set(key, (takes.get(key) ?? 0) + only.request.count);
  }
  return takes;
}

function roomFor(stock: Stock, { attribute, takes }: Bundle): number {
  // A device with several values may go with any of them.
  if (hasLists(stock, attribute)) return Number.POSITIVE_INFINITY;
  const { groups } = stock;
  const values = new Set(groups.map(({ values: own }) => own[attribute]));
  values.delete(undefined);
  let room = 0;
  for (const value of values) {
    const counts = [...takes].map(([servers, count]) => {
      let devices = 0;
      for (const [index, group] of groups.entries())
        if (servers[index] === "1" && group.values[attribute] === value)
          devices += group.shares === undefined ? group.devices.length : Number.POSITIVE_INFINITY;
      return Math.floor(devices / count);
    });
    room += Math.min(...counts);
  }
  return room;
}
