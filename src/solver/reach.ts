import { allowsLabels, once } from "../model/index.ts";
import type { DeviceFacts } from "../topology/index.ts";
import type { Field } from "./field.ts";
import { reachedBy } from "./kind-reach.ts";
import { type Shape, sharedClaims } from "./shape.ts";
import type { TopologyIndex } from "./topology-index.ts";

/** Beyond so many ways to reach nodes, or so many sets of nodes that they leave together, it is not judged. */
const MOST_WAYS = 8;
const MOST_SETS = 32;

/**
 * Sets of rows that all devices of a claim may reach at once, larger ones first: pods that share the claim stand on the rows of one of them, and its
 * devices are of those that reach all of these. Rows by themselves are left out. Undefined where that is not judged: where pods share claims in groups, want
 * all devices, or where there are too many such sets.
 */
export function reachSets(field: Field, shapes: readonly Shape[]): readonly ReadonlySet<number>[] | undefined {
  const sharing = shapes.filter((shape) => sharedClaims(shape).size > 0);
  const claims = new Set(sharing.map((shape) => [...sharedClaims(shape)].sort().join(" ")));
  const asked = sharing.flatMap(({ devices }) => devices.filter((one) => one.sharedClaim !== undefined));
  const whole = asked.some((one) => (one.firstAvailable ?? [one]).some(({ count }) => count === "all"));
  if (claims.size > 1 || whole) return undefined;
  return field.kinds.length === 0 ? standing(field.index).sets : setsOf(withNew(field));
}

/** How nodes are reached; undefined: in more ways than are judged. */
interface Ways {
  readonly list: readonly Wide[] | undefined;
  /** Rows that are reached in the same ways, by a bit for each. */
  readonly alike: ReadonlyMap<number, readonly number[]>;
}
type Wide = Exclude<DeviceFacts["reach"], { readonly node: string }>;

const standing = once((index: TopologyIndex) => ({ sets: setsOf(waysOf(index)) }));

const waysOf = once(({ devices: table, topology }: TopologyIndex): Ways => {
  const ways = new Map<string, Wide>();
  const texts = once((reach: object) =>
    JSON.stringify(reach, (_key, value) => (value instanceof Map ? [...value] : value)),
  );
  for (const id of table.detached) {
    const reach = table.devices[id]?.reach;
    if (reach === undefined || "node" in reach) continue;
    ways.set(texts(reach), reach);
    if (ways.size > MOST_WAYS) return { list: undefined, alike: new Map() };
  }
  const list = [...ways.values()];
  const alike = new Map<number, number[]>();
  for (const [row, { labels }] of topology.nodes.entries()) {
    let mask = 0;
    for (const [at, reach] of list.entries())
      if ("all" in reach || allowsLabels(reach.selection, labels)) mask |= 1 << at;
    const rows = alike.get(mask);
    if (rows === undefined) alike.set(mask, [row]);
    else rows.push(row);
  }
  return { list, alike };
});

/** With the rows of new nodes. */
function withNew(field: Field): Ways {
  const { list, alike } = waysOf(field.index);
  if (list === undefined) return { list, alike };
  const { topology } = field.index;
  const masks = field.kinds.map((kind) => {
    let mask = 0;
    for (const [at, reach] of list.entries()) {
      const reached = reachedBy(topology, kind, reach);
      if (reached === "yes" || (reached !== "no" && field.hopeful)) mask |= 1 << at;
    }
    return mask;
  });
  const all = new Map([...alike].map(([mask, rows]) => [mask, [...rows]]));
  for (let row = field.existing; row < field.rows; row += 1) {
    const mask = masks[field.kindOf[row] ?? -1] ?? 0;
    const rows = all.get(mask);
    if (rows === undefined) all.set(mask, [row]);
    else rows.push(row);
  }
  return { list, alike: all };
}

/** A set is all rows that are reached in some ways at least. */
function setsOf({ list, alike }: Ways): readonly ReadonlySet<number>[] | undefined {
  if (list === undefined) return undefined;
  const sets = new Map<string, readonly number[]>();
  for (let some = 1; some < 1 << list.length; some += 1) {
    const masks = [...alike.keys()].filter((mask) => (mask & some) === some);
    const rows = masks.flatMap((mask) => alike.get(mask) ?? []);
    if (rows.length > 1) sets.set(masks.join(), rows);
    if (sets.size > MOST_SETS) return undefined;
  }
  const sorted = [...sets.values()].map((rows) => rows.toSorted((a, b) => a - b));
  sorted.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  return sorted.map((rows) => new Set(rows));
}
