import type { Board } from "./board.ts";
import type { Budget } from "./budget.ts";
import { mostOf } from "./distribute.ts";
import { followingsOf, nearRows } from "./follow.ts";
import { layersOf, levelAt, type Stage, withinAt } from "./layers.ts";
import { rowsWithin } from "./members.ts";
import { roomiest } from "./party.ts";
import type { Found } from "./search.ts";

/** A pod that a preference keeps out of nothing runs: what is only preferred does not count here. */
const LOOSE: Stage = { widen: "none", spread: false };

/** How many pods of each set, up to its peak, hold at once, the required pods of the other sets in place. At least what was found. */
export function holdsWith(board: Board, found: Found, budget: Budget): Readonly<Record<string, number>> {
  const holds: Record<string, number> = Object.create(null);
  const followings = followingsOf(board);
  for (const [number, shape] of board.shapes.entries()) {
    const following = followings.get(number);
    const near =
      following === undefined
        ? undefined
        : nearRows(board.field.hopeful, following, following.leaders, found.counts, board.rows);
    const placed = (found.counts[number] ?? []).reduce((sum, { pods }) => sum + pods, 0);
    if (shape.set.perNode || shape.peak <= placed) {
      holds[shape.name] = placed;
      continue;
    }
    const others = [...board.shapes.keys()].filter((other) => other !== number && board.shapes.length > 1);
    for (const other of others) board.put(other, found.counts[other] ?? []);
    holds[shape.name] = Math.max(placed, mostAlone(board, number, shape.peak, budget, found.domains[number], near));
    for (const other of others) board.take(other, found.counts[other] ?? []);
  }
  return holds;
}

/** How many pods of each set's full count hold on what is free, each set by itself. */
export function holdsAlone(board: Board, budget: Budget): Readonly<Record<string, number>> {
  const holds: Record<string, number> = Object.create(null);
  for (const [number, shape] of board.shapes.entries())
    holds[shape.name] = mostAlone(board, number, shape.count, budget, undefined);
  return holds;
}

/** `near`: rows where it finds the company that it asks for. */
function mostAlone(
  board: Board,
  number: number,
  most: number,
  budget: Budget,
  domain: string | undefined,
  near?: readonly number[],
): number {
  const shape = board.shapes[number];
  const screened = board.screens[number];
  if (shape === undefined || screened === undefined) return 0;
  const { field } = board;
  const cap = board.cap(number);
  const limit = shape.set.perNode ? Number.MAX_SAFE_INTEGER : most;
  const layers = layersOf(field, shape, screened, cap, LOOSE);
  const choice = shape.unit === "group" ? withinAt(shape, LOOSE) : levelAt(shape, LOOSE);
  if (choice === undefined) {
    const shared = roomiest(board, number);
    if (shared !== undefined)
      return mostOf({ field, cap, rows: rowsWithin(shared.domains, shared.best, [cap]), layers }, limit, budget) ?? 0;
    if (layers.length === 0 && near === undefined) return Math.min(limit, board.count(number).sum);
    return mostOf({ field, cap, rows: near ?? board.rows, layers }, limit, budget) ?? 0;
  }
  const domains = field.level(choice);
  const { total } = board.room(number, domains);
  let best = domain === undefined ? -1 : domains.names.indexOf(domain);
  if (best === -1)
    for (const index of domains.names.keys()) if (best === -1 || (total[index] ?? 0) > (total[best] ?? 0)) best = index;
  const within = rowsWithin(domains, best, [cap]);
  const open = near === undefined ? undefined : new Set(near);
  const rows = open === undefined ? within : within.filter((row) => open.has(row));
  return mostOf({ field, cap, rows, layers }, limit, budget) ?? 0;
}
