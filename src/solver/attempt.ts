import { type Board, boardFor, type Pin } from "./board.ts";
import { type Budget, passCost } from "./budget.ts";
import { candidates } from "./choose.ts";
import { type Field, fieldFor } from "./field.ts";
import { STRICT, type Stage } from "./layers.ts";
import type { NumaRules } from "./numa-rules.ts";
import { circlesOf, type Party, partiesOf } from "./party.ts";
import { reachSets } from "./reach.ts";
import { sharedDomains } from "./same-values.ts";
import type { Kind } from "./scaleup.ts";
import { type Searched, search } from "./search.ts";
import type { Shape } from "./shape.ts";
import { type Coupling, couplingOf, falls, keepsTo, splits } from "./split.ts";
import type { TopologyIndex } from "./topology-index.ts";
import type { Usage } from "./usage.ts";

/** What one look at one supply gave. */
export interface Attempt {
  readonly board: Board;
  readonly stage: Stage;
  readonly result: Searched;
  /** Where pods that share a claim are on some rows for that, or on none: the same without it. */
  readonly open?: Board;
  /** They are on several rows, all of which the claim's devices reach. */
  readonly within?: ReadonlySet<number>;
  /** Pods share claims of devices that several nodes reach, in ways that are not judged. */
  readonly unjudged?: boolean;
}

export interface Supply {
  readonly index: TopologyIndex;
  readonly usage: Usage;
  readonly kinds: readonly Kind[];
  readonly nominal: boolean;
  readonly hopeful: boolean;
  /** Rules of existing nodes. */
  readonly numa?: NumaRules | undefined;
}

/**
 * Looks for an assignment on one supply. Preferences are kept as far as they can be: first in full; if the shapes do not even hold with
 * all of them given up, that settles it; else level by level outward.
 */
export function attempt(supply: Supply, shapes: readonly Shape[], budget: Budget): Attempt {
  const field = fieldFor(supply.index, supply.usage, shapes, supply.kinds, supply);
  const [first = STRICT, ...others] = stagesOf(shapes);
  const at = (stage: Stage): Attempt => attemptOn(field, shapes, stage, budget);
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

/** The board on which every row was looked at, also those away from which pods that share a claim were kept. */
export const widest = ({ board, open, result }: Attempt): Board => (result.kind === "found" ? board : (open ?? board));

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

/** What bounds several kinds of new nodes together: first as if it did not, which is a bound, then by every division. */
export function attemptOn(
  field: Field,
  shapes: readonly Shape[],
  stage: Stage,
  budget: Budget,
  pins: readonly Pin[] = [],
): Attempt {
  const board = boardFor(field, shapes, budget, undefined, pins);
  const parties = partiesOf(board);
  for (const circle of circlesOf(board)) {
    const together = followed(board, [circle, ...parties], stage, budget, pins, MOST_TOGETHER);
    // They share no more than they found: how many more would hold is counted without it.
    if (together.result.kind === "found" && parties.length + sharing(shapes).length === 0)
      return { ...together, board };
    if (together.result.kind !== "none") return together;
  }
  return parties.length === 0 ? placed(board, stage, budget, pins) : followed(board, parties, stage, budget, pins);
}

/** Domains that are tried for sets that need not be in one, before every other way. */
const MOST_TOGETHER = 4;

/** Domain by domain, best fit first, all pods of the shapes that share one; what several parties share is chosen one after the other. */
function followed(
  open: Board,
  [party, ...others]: readonly Party[],
  stage: Stage,
  budget: Budget,
  pins: readonly Pin[] = [],
  most = Number.POSITIVE_INFINITY,
): Attempt {
  if (party === undefined) return placed(open, stage, budget, pins);
  const { field, shapes } = open;
  const { members, keys } = party;
  const domains = sharedDomains(field, keys);
  const wants = members.map((one) => ({
    cap: open.cap(one),
    room: open.room(one, domains),
    required: shapes[one]?.required ?? 0,
  }));
  let left = most;
  for (const { domain } of candidates(field, domains, wants)) {
    left -= 1;
    if (left < 0) break;
    if (!budget.spend(passCost(field.rows))) return { board: open, stage, result: { kind: "out" } };
    const holds = (row: number): boolean => domains.of[row] === domain || (field.hopeful && domains.of[row] === -1);
    const held = [...pins, { shapes: members, holds }];
    const found = followed(boardFor(field, shapes, budget, undefined, held), others, stage, budget, held);
    if (found.result.kind !== "none") return found;
  }
  // Rooms that were counted without a step left say nothing of what there is.
  return { board: open, stage, result: { kind: budget.exhausted ? "out" : "none" } };
}

function placed(board: Board, stage: Stage, budget: Budget, pins: readonly Pin[] = []): Attempt {
  const { field, shapes } = board;
  const together = sharing(shapes);
  // Which pools several nodes reach is noted while rooms are counted.
  for (const number of together) board.cap(number);
  if (together.length > 0) {
    const sets = (board.devices?.joint.size ?? 0) > 0 ? reachSets(field, shapes) : [];
    if (sets !== undefined || !field.hopeful) return pinned(together, board, stage, budget, pins, sets);
  }
  return divided(board, stage, budget, couplingOf(field), pins);
}

/** A search that keeps to what is coupled. */
function divided(
  board: Board,
  stage: Stage,
  budget: Budget,
  coupling: Coupling | undefined,
  pins: readonly Pin[],
): Attempt {
  const { field, shapes } = board;
  const result = search(board, stage, budget);
  if (result.kind !== "found" || coupling === undefined || keepsTo(coupling, result)) return { board, stage, result };
  const none: Attempt = { board, stage, result: { kind: "none" } };
  if (falls(coupling, board)) return none;
  for (const open of splits(coupling, board)) {
    if (!budget.spend(open === undefined ? 1 : passCost(field.rows))) return { board, stage, result: { kind: "out" } };
    if (open === undefined) continue;
    const narrowed = boardFor(field, shapes, budget, open, pins);
    const found = search(narrowed, stage, budget);
    if (found.kind !== "none") return { board: narrowed, stage, result: found };
  }
  // Pods that every node runs are not searched on fewer nodes than there are.
  const everywhere = shapes.some(({ set }) => set.perNode) && coupling.ceilings.some(({ rows }) => rows.size > 0);
  return everywhere ? { board, stage, result: { kind: "out" } } : none;
}

/** Shapes whose pods use one claim that is still to be allocated: its devices are on one node, and so are they. */
export function sharing(shapes: readonly Shape[]): readonly number[] {
  return [...shapes.keys()].filter((number) =>
    shapes[number]?.devices.some(({ sharedClaim }) => sharedClaim !== undefined),
  );
}

/** Row by row, all pods that share a claim on it; then on the rows that all devices of a claim may reach. */
function pinned(
  together: readonly number[],
  open: Board,
  stage: Stage,
  budget: Budget,
  pins: readonly Pin[],
  sets: readonly ReadonlySet<number>[] | undefined,
): Attempt {
  const { field, shapes } = open;
  const coupling = couplingOf(field);
  let nearest = { board: open, room: -1 };
  for (let row = 0; row < field.rows; row += 1) {
    const rooms = together.map((number) => open.cap(number)[row] ?? 0);
    const short = together.some((number, index) => (rooms[index] ?? 0) < (shapes[number]?.required ?? 0));
    const room = Math.min(...rooms);
    if (room <= nearest.room && short) continue;
    const held = [...pins, { shapes: together, holds: (one: number) => one === row, claim: new Set([row]) }];
    const board = boardFor(field, shapes, budget, undefined, held);
    if (room > nearest.room) nearest = { board, room };
    if (short) continue;
    if (!budget.spend(passCost(field.rows))) return { board, stage, result: { kind: "out" } };
    const found = divided(board, stage, budget, coupling, held);
    if (found.result.kind !== "none") return { ...found, open, unjudged: sets === undefined };
  }
  for (const within of sets ?? []) {
    const rooms = together.map((number) => [...within].reduce((sum, row) => sum + (open.cap(number)[row] ?? 0), 0));
    if (together.some((number, index) => (rooms[index] ?? 0) < (shapes[number]?.required ?? 0))) continue;
    if (!budget.spend(passCost(field.rows))) return { board: open, stage, result: { kind: "out" } };
    const held = [...pins, { shapes: together, holds: (row: number) => within.has(row), claim: within }];
    const found = divided(boardFor(field, shapes, budget, undefined, held), stage, budget, coupling, held);
    if (found.result.kind !== "none") return { ...found, open, within };
  }
  // Rooms that were counted without steps are no rooms.
  return {
    board: nearest.board,
    open,
    stage,
    result: { kind: budget.exhausted ? "out" : "none" },
    unjudged: sets === undefined,
  };
}
