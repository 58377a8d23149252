import { compareText } from "./order.ts";

/** Something that stands in a sorted list; the list alone sets `at`, its place, -1 for none yet. */
export interface Placed<F> {
  readonly namespace: string;
  readonly name: string;
  readonly facts: F | undefined;
  at: number;
}

/**
 * The facts of many things in the order of `namespace/name`. A replacement is done at once, in place; comings and goings when the list is asked for,
 * all in one pass.
 */
export interface SortedList<F, P extends Placed<F>> {
  add(one: P): void;
  remove(one: P): void;
  replaced(one: P): void;
  facts(): readonly F[];
}

export function sortedList<F, P extends Placed<F>>(): SortedList<F, P> {
  let placed: P[] = [];
  let facts: F[] = [];
  const fresh = new Set<P>();
  let gaps = false;
  const settle = (): void => {
    const added = [...fresh].sort(comparePlaces);
    fresh.clear();
    gaps = false;
    const merged: P[] = [];
    let next = 0;
    for (const [at, one] of placed.entries()) {
      if (one.at !== at) continue;
      for (let other = added[next]; other !== undefined && comparePlaces(other, one) < 0; other = added[next]) {
        merged.push(other);
        next += 1;
      }
      merged.push(one);
    }
    for (const other of added.slice(next)) merged.push(other);
    placed = merged.filter((one) => one.facts !== undefined);
    facts = placed.flatMap((one, at) => {
      one.at = at;
      return one.facts === undefined ? [] : [one.facts];
    });
  };
  return {
    add: (one) => void fresh.add(one),
    remove(one) {
      if (fresh.delete(one)) return;
      one.at = -1;
      gaps = true;
    },
    replaced(one) {
      if (one.at !== -1 && one.facts !== undefined) facts[one.at] = one.facts;
    },
    facts() {
      if (gaps || fresh.size > 0) settle();
      return facts;
    },
  };
}

/** As the texts `namespace/name` compare. */
export function comparePlaces(
  a: { readonly namespace: string; readonly name: string },
  b: { readonly namespace: string; readonly name: string },
): number {
  return a.namespace === b.namespace
    ? compareText(a.name, b.name)
    : compareText(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`);
}
