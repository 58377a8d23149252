import type { PodDevices, Slot } from "./ask.ts";
import type { Stock } from "./stock.ts";

/** The constraints of one pod's claims while its devices are chosen. `drop` undoes `add` exactly, last in, first out. */
export interface Bonds {
  /** false: some constraint would not hold, and nothing is changed. */
  add(group: number, option: number): boolean;
  drop(group: number, option: number): void;
}

export function bondsOf(stock: Stock, ask: PodDevices): Bonds {
  const values: string[][] = ask.bonds.map(() => []);
  const places = ask.bonds.map(({ attribute }) => stock.attributes.indexOf(attribute));
  return {
    add(group, option) {
      const published = stock.groups[group]?.values;
      for (const [index, bond] of ask.bonds.entries()) {
        if (!bond.options.has(option)) continue;
        const value = published?.[places[index] ?? -1];
        const had = values[index] ?? [];
        if (value === undefined) return false;
        if (bond.distinct ? had.includes(value) : had.length > 0 && had[0] !== value) return false;
      }
      for (const [index, bond] of ask.bonds.entries())
        if (bond.options.has(option)) values[index]?.push(published?.[places[index] ?? -1] ?? "");
      return true;
    },
    drop(_group, option) {
      for (const [index, bond] of ask.bonds.entries()) if (bond.options.has(option)) values[index]?.pop();
    },
  };
}

/** Does no constraint tie the slot at `at`, or a later one, to those before it. */
export function isFresh({ bonds }: PodDevices, slots: readonly Slot[], at: number): boolean {
  const bound = (list: readonly Slot[], numbers: ReadonlySet<number>) =>
    list.some(({ options }) => options.some(({ number }) => numbers.has(number)));
  return bonds.every(({ options }) => !bound(slots.slice(0, at), options) || !bound(slots.slice(at), options));
}
