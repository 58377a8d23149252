import type { Board } from "./board.ts";
import { type Budget, passCost } from "./budget.ts";
import type { Counts } from "./distribute.ts";
import type { Layer } from "./layers.ts";
import { obeys } from "./spread.ts";
import type { Domains } from "./topology-index.ts";

/** How deep a recursion may go; beyond it the answer is undecided. */
const MAX_DEPTH = 2000;

/**
 * Visits every way to place `total` pods of a shape on the rows that obeys the layers, until `visit` accepts one. Rows that look
 * alike and share all partitions are interchangeable: among them counts never grow, so each choice is tried once.
 */
export function enumerate(
  board: Board,
  shape: number,
  rows: readonly number[],
  layers: readonly Layer[],
  partitions: readonly Domains[],
  total: number,
  budget: Budget,
  visit: (counts: Counts) => boolean,
): boolean {
  const cap = board.cap(shape);
  // To tell alike rows apart costs about a step each.
  if (!budget.spend(rows.length)) return false;
  const leafCost = layers.reduce((sum, layer) => sum + passCost(layer.counts.length), 0);
  const classes = classesOf(
    board,
    rows.filter((row) => (cap[row] ?? 0) > 0),
    partitions,
  );
  const flat = classes.flatMap((list, index) => list.map((row) => ({ row, index, room: cap[row] ?? 0 })));
  const starts = classes.map((_, index) => flat.findIndex((one) => one.index === index));
  const roomFrom: number[] = new Array<number>(flat.length + 1).fill(0);
  for (let at = flat.length - 1; at >= 0; at -= 1) roomFrom[at] = (roomFrom[at + 1] ?? 0) + (flat[at]?.room ?? 0);
  const counts: { row: number; pods: number }[] = [];

  const walk = (from: number, left: number, ceiling: number): boolean => {
    if (!budget.spend()) return false;
    if (left === 0) return budget.spend(leafCost) && obeys(layers, counts, total) && visit([...counts]);
    if (counts.length > MAX_DEPTH) return budget.spend(Number.POSITIVE_INFINITY);
    let at = from;
    while (at < flat.length && (roomFrom[at] ?? 0) >= left) {
      const one = flat[at];
      if (one === undefined) return false;
      const first = at === from ? ceiling : one.room;
      for (let pods = Math.min(one.room, left, first); pods > 0; pods -= 1) {
        counts.push({ row: one.row, pods });
        const next = flat[at + 1];
        const found = walk(at + 1, left - pods, next?.index === one.index ? pods : Number.POSITIVE_INFINITY);
        if (found || budget.exhausted) return found;
        counts.pop();
      }
      // None here: then none on the rows that look alike.
      at = starts[one.index + 1] ?? flat.length;
    }
    return false;
  };
  return walk(0, total, Number.POSITIVE_INFINITY);
}

function classesOf(
  board: Board,
  rows: readonly number[],
  partitions: readonly Domains[],
): readonly (readonly number[])[] {
  const sizes = partitions.map((domains) => {
    const size = new Int32Array(domains.names.length);
    for (const domain of domains.of) if (domain !== -1) size[domain] = (size[domain] ?? 0) + 1;
    return size;
  });
  const classes = new Map<string, number[]>();
  for (const row of rows) {
    // A domain of one row is told apart by that row's looks alone.
    const places = partitions.map((domains, index) => {
      const domain = domains.of[row] ?? -1;
      return domain !== -1 && sizes[index]?.[domain] === 1 ? "alone" : domain;
    });
    const key = `${board.look(row)}|${places.join(",")}`;
    const list = classes.get(key);
    if (list === undefined) classes.set(key, [row]);
    else list.push(row);
  }
  return [...classes.values()];
}
