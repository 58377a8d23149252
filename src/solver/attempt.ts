import { type Board, boardFor } from "./board.ts";
import { type Budget, passCost } from "./budget.ts";
import { type Field, fieldFor } from "./field.ts";
import { STRICT, type Stage } from "./layers.ts";
import type { NumaRule } from "./numa.ts";
import type { Kind } from "./scaleup.ts";
import { type Found, type Searched, search } from "./search.ts";
import type { Shape } from "./shape.ts";
import { coupledPools, splits } from "./split.ts";
import type { TopologyIndex } from "./topology-index.ts";
import type { Usage } from "./usage.ts";

/** What one look at one supply gave. */
export interface Attempt {
  readonly board: Board;
  readonly stage: Stage;
  readonly result: Searched;
}

export interface Supply {
  readonly index: TopologyIndex;
  readonly usage: Usage;
  readonly kinds: readonly Kind[];
  readonly nominal: boolean;
  readonly hopeful: boolean;
  /** Rules of existing nodes. */
  readonly numa?: ReadonlyMap<number, NumaRule> | undefined;
}

/**
 * Looks for an assignment on one supply. Preferences are kept as far as they can be: first in full; if the shapes do not even hold with
 * all of them given up, that settles it; else level by level outward.
 */
export function attempt(supply: Supply, shapes: readonly Shape[], budget: Budget): Attempt {
  const field = fieldFor(supply.index, supply.usage, shapes, supply.kinds, supply);
  const [first = STRICT, ...others] = stagesOf(shapes);
  const at = (stage: Stage): Attempt => within(field, shapes, stage, budget);
  const strict = at(first);
  const loosest = others.at(-1);
  if (strict.result.kind !== "none" || loosest === undefined) return strict;
  const loose = at(loosest);
  if (loose.result.kind !== "found") return loose;
  for (const stage of others.slice(0, -1)) {
    const one = at(stage);
    if (one.result.kind === "found") return one;
    if (budget.exhausted) break;
  }
  return loose;
}

/** From all preferences kept to none. */
function stagesOf(shapes: readonly Shape[]): readonly Stage[] {
  const widths = shapes.map((shape) => (shape.soft && shape.level !== undefined ? shape.level : -1));
  const deepest = Math.max(-1, ...widths);
  const softSpread = shapes.some((shape) => shape.spreads.some(({ soft }) => soft));
  const stages: Stage[] = [STRICT];
  for (let widen = 1; widen <= deepest; widen += 1) stages.push({ widen, spread: true });
  if (deepest >= 0) stages.push({ widen: "none", spread: true });
  if (softSpread) stages.push({ widen: deepest >= 0 ? "none" : 0, spread: false });
  return stages;
}

/** New nodes in several zones share one maximum: first as if they did not, which is a bound, then by every division. */
function within(field: Field, shapes: readonly Shape[], stage: Stage, budget: Budget): Attempt {
  const board = boardFor(field, shapes, budget);
  const together = sharing(shapes);
  if (together.length > 0 && !(field.hopeful && (board.devices?.joint.size ?? 0) > 0))
    return pinned(field, shapes, together, board, stage, budget);
  const result = search(board, stage, budget);
  const coupled = coupledPools(field);
  if (result.kind !== "found" || isWithin(field, result, coupled)) return { board, stage, result };
  for (const open of splits(coupled)) {
    if (!budget.spend(passCost(field.rows))) return { board, stage, result: { kind: "out" } };
    const narrowed = boardFor(field, shapes, budget, open);
    const divided = search(narrowed, stage, budget);
    if (divided.kind !== "none") return { board: narrowed, stage, result: divided };
  }
  return { board, stage, result: { kind: "none" } };
}

/** Shapes whose pods use one claim that is still to be allocated: its devices are on one node, and so are they. */
function sharing(shapes: readonly Shape[]): readonly number[] {
  return [...shapes.keys()].filter((number) =>
    shapes[number]?.devices.some(({ sharedClaim }) => sharedClaim !== undefined),
  );
}

/** Row by row, all pods that share a claim on it. */
function pinned(
  field: Field,
  shapes: readonly Shape[],
  together: readonly number[],
  open: Board,
  stage: Stage,
  budget: Budget,
): Attempt {
  let nearest = { board: open, room: -1 };
  for (let row = 0; row < field.rows; row += 1) {
    const rooms = together.map((number) => open.cap(number)[row] ?? 0);
    const short = together.some((number, index) => (rooms[index] ?? 0) < (shapes[number]?.required ?? 0));
    const room = Math.min(...rooms);
    if (room <= nearest.room && short) continue;
    const board = boardFor(field, shapes, budget, undefined, { shapes: together, row });
    if (room > nearest.room) nearest = { board, room };
    if (short) continue;
    if (!budget.spend(passCost(field.rows))) return { board, stage, result: { kind: "out" } };
    const result = search(board, stage, budget);
    if (result.kind !== "none" && isWithin(field, result.kind === "found" ? result : NOTHING, coupledPools(field)))
      return { board, stage, result };
  }
  return { board: nearest.board, stage, result: { kind: "none" } };
}

const NOTHING: Found = { kind: "found", counts: [], domains: [] };

function isWithin(field: Field, found: Found, coupled: ReturnType<typeof coupledPools>): boolean {
  const rows = new Set(found.counts.flatMap((counts) => counts.map(({ row }) => row)));
  return coupled.every(({ kinds, room }) => {
    let used = 0;
    for (const row of rows) if (kinds.includes(field.kindOf[row] ?? -1)) used += 1;
    return used <= room;
  });
}
