import { once } from "../model/index.ts";
import type { PodDevices, Slot } from "./ask.ts";
import type { Stock } from "./stock.ts";

/** The constraints of one pod's claims while its devices are chosen. `drop` undoes `add` exactly, last in, first out. */
export interface Bonds {
  /** false: some constraint would not hold, and nothing is changed. */
  add(group: number, option: number): boolean;
  drop(group: number, option: number): void;
}

/** The values of an attribute, each as text. */
type Values = readonly string[];

/**
 * Devices match while some value is common to all of them, and are distinct while no two have one in common; an attribute that is no list has one value
 * (KEP-5491).
 */
export function bondsOf(stock: Stock, ask: PodDevices): Bonds {
  /** For matching, what is common after each device; else the values of each. */
  const stacks: Values[][] = ask.bonds.map(() => []);
  const published = publishedIn(stock);
  const places = ask.bonds.map(({ attribute }) => stock.attributes.indexOf(attribute));
  return {
    add(group, option) {
      const next: (Values | undefined)[] = [];
      for (const [index, bond] of ask.bonds.entries()) {
        if (!bond.options.has(option)) continue;
        const own = published[group]?.[places[index] ?? -1] ?? [];
        const stack = stacks[index] ?? [];
        const last = stack.at(-1);
        if (bond.distinct && stack.some((one) => own.some((value) => one.includes(value)))) return false;
        const left = bond.distinct || last === undefined ? own : own.filter((value) => last.includes(value));
        if (left.length === 0) return false;
        next[index] = left;
      }
      for (const [index, values] of next.entries()) if (values !== undefined) stacks[index]?.push(values);
      return true;
    },
    drop(_group, option) {
      for (const [index, bond] of ask.bonds.entries()) if (bond.options.has(option)) stacks[index]?.pop();
    },
  };
}

/** By group and attribute. Values of different types are never equal, and differ as text. */
const publishedIn = once((stock: Stock) =>
  stock.groups.map(({ values }) => values.map((text) => (text === undefined ? undefined : valuesIn(text)))),
);

/** Of `attributeText`: each value of a list. */
export function valuesIn(text: string): Values {
  const value: unknown = JSON.parse(text);
  return (Array.isArray(value) ? value : [value]).map((one: unknown) => JSON.stringify(one));
}

/** Does a device of the stock publish several values of the attribute at this place of `Stock.attributes`. */
export function hasLists(stock: Stock, attribute: number): boolean {
  return publishedIn(stock).some((values) => (values[attribute]?.length ?? 1) !== 1);
}

/** Does no constraint tie the slot at `at`, or a later one, to those before it. */
export function isFresh({ bonds }: PodDevices, slots: readonly Slot[], at: number): boolean {
  const bound = (list: readonly Slot[], numbers: ReadonlySet<number>) =>
    list.some(({ options }) => options.some(({ number }) => numbers.has(number)));
  return bonds.every(({ options }) => !bound(slots.slice(0, at), options) || !bound(slots.slice(at), options));
}
