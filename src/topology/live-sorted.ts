import { compareText } from "./order.ts";

interface Place {
  readonly namespace: string;
  readonly name: string;
}

/** Something that stands in a sorted list; the list alone sets `at`, its place, -1 for none yet. */
export interface Placed<F> extends Place {
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
    const spots = added.map((one) => placeFor(placed, one, (other) => other));
    const before = placed;
    placed = [];
    facts = [];
    let next = 0;
    for (let at = 0; at <= before.length; at += 1) {
      for (let other = added[next]; other !== undefined && spots[next] === at; other = added[next]) {
        append(other);
        next += 1;
      }
      const one = before[at];
      // What went and came again stands where it came.
      if (one?.at === at && !fresh.has(one)) append(one);
    }
    fresh.clear();
    gaps = false;
  };
  const append = (one: P): void => {
    if (one.facts === undefined) return;
    one.at = placed.length;
    placed.push(one);
    facts.push(one.facts);
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
export function comparePlaces(a: Place, b: Place): number {
  return a.namespace === b.namespace
    ? compareText(a.name, b.name)
    : compareText(`${a.namespace}/${a.name}`, `${b.namespace}/${b.name}`);
}

/** Where in a sorted list something of this place belongs. */
export function placeFor<T>(list: readonly T[], place: Place, placeOf: (one: T) => Place): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = list[middle];
    if (other !== undefined && comparePlaces(placeOf(other), place) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
