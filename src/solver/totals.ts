import type { Board } from "./board.ts";
import { amountsIn } from "./feasible.ts";

/**
 * Do all sets together want more of something than there is on the rows that take a pod of one that wants it, however they stand. Before anything
 * is put down.
 */
export function isOverdrawn(board: Board): boolean {
  const { field, shapes } = board;
  if (shapes.some(({ set }) => set.perNode)) return false;
  const width = field.columns.length;
  const wanted = new Map<number, { amount: number; readonly by: number[] }>();
  for (const [number, shape] of shapes.entries()) {
    const { columns, amounts } = amountsIn(field, shape);
    for (const [index, column] of columns.entries()) {
      const one = wanted.get(column) ?? { amount: 0, by: [] };
      one.amount += (amounts[index] ?? 0) * shape.required;
      one.by.push(number);
      wanted.set(column, one);
    }
  }
  const served = new Set(shapes.flatMap(({ extended }) => extended.map(({ resource }) => resource)));
  for (const [column, { amount, by }] of wanted) {
    // Rows without it may serve it by devices.
    if (by.length < 2 || served.has(field.columns[column] ?? "")) continue;
    const caps = by.map((number) => board.cap(number));
    let left = amount;
    for (const row of board.rows) {
      if (caps.every((cap) => (cap[row] ?? 0) === 0)) continue;
      left -= Math.max(0, field.free[row * width + column] ?? 0);
      if (left <= 0) break;
    }
    if (left > 0) return true;
  }
  return false;
}
