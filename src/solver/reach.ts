import { allowsLabels } from "../model/index.ts";
import type { Field } from "./field.ts";
import { type Shape, sharedClaims } from "./shape.ts";

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
  const { devices: table, topology } = field.index;
  const ways = new Map<string, (typeof table.devices)[number]["reach"]>();
  for (const id of table.detached) {
    const reach = table.devices[id]?.reach;
    if (reach === undefined || "node" in reach) continue;
    const text = "all" in reach ? "" : JSON.stringify([...reach.selection.values()]);
    ways.set(text, reach);
    if (ways.size > MOST_WAYS) return undefined;
  }
  if (claims.size > 1 || whole) return undefined;
  const sets = new Map<string, readonly number[]>();
  const add = (rows: readonly number[]): void => {
    if (rows.length > 1) sets.set(rows.join(), rows);
  };
  for (const reach of ways.values())
    add(
      [...topology.nodes.keys()].filter(
        (row) =>
          "all" in reach || ("selection" in reach && allowsLabels(reach.selection, topology.nodes[row]?.labels ?? {})),
      ),
    );
  for (let before = -1; before !== sets.size; ) {
    before = sets.size;
    const list = [...sets.values()];
    for (const [at, one] of list.entries())
      for (const other of list.slice(at + 1)) {
        const members = new Set(other);
        add(one.filter((row) => members.has(row)));
        if (sets.size > MOST_SETS) return undefined;
      }
  }
  return [...sets.values()]
    .sort((a, b) => b.length - a.length || (a[0] ?? 0) - (b[0] ?? 0))
    .map((rows) => new Set(rows));
}
