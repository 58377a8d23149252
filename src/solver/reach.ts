import { allowsLabels, once } from "../model/index.ts";
import type { Field } from "./field.ts";
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
  const { sets } = reachedBy(field.index);
  return claims.size > 1 || whole ? undefined : sets;
}

interface Reached {
  /** Undefined: more of them than are judged. */
  readonly sets: readonly ReadonlySet<number>[] | undefined;
}

/** Rows that are reached in the same ways are counted together: a set is all rows that are reached in some ways at least. */
const reachedBy = once(({ devices: table, topology }: TopologyIndex): Reached => {
  const ways = new Map<string, Exclude<(typeof table.devices)[number]["reach"], { readonly node: string }>>();
  const texts = once((reach: object) =>
    JSON.stringify(reach, (_key, value) => (value instanceof Map ? [...value] : value)),
  );
  for (const id of table.detached) {
    const reach = table.devices[id]?.reach;
    if (reach === undefined || "node" in reach) continue;
    ways.set(texts(reach), reach);
    if (ways.size > MOST_WAYS) return { sets: undefined };
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
  const sets = new Map<string, readonly number[]>();
  for (let some = 1; some < 1 << list.length; some += 1) {
    const masks = [...alike.keys()].filter((mask) => (mask & some) === some);
    const rows = masks.flatMap((mask) => alike.get(mask) ?? []);
    if (rows.length > 1) sets.set(masks.join(), rows);
    if (sets.size > MOST_SETS) return { sets: undefined };
  }
  const sorted = [...sets.values()].map((rows) => rows.toSorted((a, b) => a - b));
  sorted.sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0));
  return { sets: sorted.map((rows) => new Set(rows)) };
});
