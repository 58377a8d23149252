import { loadsOf } from "./assign.ts";
import type { Board } from "./board.ts";
import { type Budget, passCost } from "./budget.ts";
import { candidates } from "./choose.ts";
import { type Counts, distribute } from "./distribute.ts";
import { enumerate } from "./enumerate.ts";
import { besideLeaders, comesAbout, followingsOf, hasRoomBeside, leadersFirst, runningRows } from "./follow.ts";
import { choicesOf, layersOf, levelAt, type Stage } from "./layers.ts";
import { leads, likelyRows } from "./lead.ts";
import { nearness } from "./near.ts";
import { ruleKeys } from "./shape.ts";
import type { Domains } from "./topology-index.ts";
import { isOverdrawn } from "./totals.ts";
import { apart, jointBounds } from "./units.ts";

export type Found = {
  readonly kind: "found";
  /** By shape. */
  readonly counts: readonly Counts[];
  /** By shape: the domain that its unit shares, where one was asked for. */
  readonly domains: readonly (string | undefined)[];
};
/** `scarce`: each row has enough devices by itself, and those that rows share do not suffice for all. */
export type Searched = Found | { readonly kind: "none"; readonly scarce?: boolean } | { readonly kind: "out" };

/**
 * Places all shapes or none.
 *
 * 1. order: the set with most pods comes last, since the last one is decided by counting alone;
 * 2. choose: a set whose unit shares a level tries the domains in which it has room by count, best fit first; what all units of the workload share is
 *    chosen once; the sets of one group follow the first of them, and units that are to be alone keep off what others have;
 * 3. greedy: each set takes its best distribution, and the next ones see what is left;
 * 4. totals: where all sets together want more of something than there is, no other way to place them helps;
 * 5. exhaustive: every other distribution of the sets before the last, until one works, none is left, or the budget runs out; where rows share devices,
 *    of the last one as well.
 */
export function search(board: Board, stage: Stage, budget: Budget): Searched {
  const { field, shapes } = board;
  const followings = followingsOf(board);
  const weighed = [...shapes.keys()].sort((a, b) => weight(board, a) - weight(board, b) || a - b);
  const order = leadersFirst(weighed, followings);
  const counts: Counts[] = shapes.map(() => []);
  const domains: (string | undefined)[] = shapes.map(() => undefined);
  const shared = new Map<number, number>();
  let open = false;
  // What counts on every row may not be enough for all of them.
  let short = false;
  /** By counts alone the last set may stand where it finds no company: then other ways to place it are tried too. */
  let alone = false;
  const suffices = (): boolean => {
    if (!comesAbout(board, followings, counts, budget)) {
      alone = true;
      return false;
    }
    if (board.devices === undefined || board.devices.suffice(loadsOf({ counts }))) return true;
    short = true;
    return false;
  };
  let told: readonly Domains[] | undefined;
  /** What tells rows apart for some set. */
  const places = (): readonly Domains[] => {
    told ??= [...partitionsOf(board, stage), ...[...followings.values()].flatMap(runningRows)];
    return told;
  };

  const place = (position: number, exhaustive: boolean): boolean => {
    const number = order[position];
    if (number === undefined) return true;
    if (!budget.spend()) return false;
    const shape = shapes[number];
    if (shape === undefined) return false;
    if (shape.set.perNode) return onEveryNode(number, position, exhaustive);
    return choose(number, choicesOf(shape, stage), undefined, position, exhaustive);
  };

  /** Level by level from wide to narrow; `outer`: what was chosen of the wider one. */
  const choose = (
    number: number,
    [choice, ...narrower]: ReturnType<typeof choicesOf>,
    outer: { readonly rows: readonly number[]; readonly of: Int32Array; readonly domain: number } | undefined,
    position: number,
    exhaustive: boolean,
  ): boolean => {
    if (choice === undefined) return spot(number, outer?.rows ?? board.rows, position, exhaustive);
    const { level } = choice;
    const partition = field.level(level);
    const chosen = choice.shared ? shared.get(level) : undefined;
    const first = choice.shared && chosen === undefined;
    const members = first ? order.slice(position).filter((one) => sharesLevel(one, level)) : [number];
    if (repeated(position, exhaustive) && !budget.spend(passCost(field.rows))) return false;
    const wants = members.map((one) => ({
      cap: board.cap(one),
      room: board.room(one, partition),
      required: shapes[one]?.required ?? 0,
    }));
    for (const { domain, rows } of candidates(field, partition, wants)) {
      if (chosen !== undefined && domain !== chosen) continue;
      if (outer !== undefined && !field.hopeful && outer.of[rows[0] ?? 0] !== outer.domain) continue;
      if (!budget.spend()) return false;
      if (first) shared.set(level, domain);
      domains[number] = partition.names[domain];
      if (choose(number, narrower, { rows, of: partition.of, domain }, position, exhaustive)) return true;
      if (first) shared.delete(level);
      if (budget.exhausted) return false;
    }
    return false;
  };

  const sharesLevel = (number: number, level: number): boolean => {
    const shape = shapes[number];
    return shape !== undefined && choicesOf(shape, stage).some((one) => one.shared && one.level === level);
  };

  const settle = (number: number, found: Counts, position: number, exhaustive: boolean): boolean => {
    counts[number] = found;
    if (position === order.length - 1) return suffices();
    board.put(number, found);
    const rest = place(position + 1, exhaustive);
    board.take(number, found);
    return rest;
  };

  const spot = (number: number, from: readonly number[], position: number, exhaustive: boolean): boolean => {
    const shape = shapes[number];
    const screened = board.screens[number];
    if (shape === undefined || screened === undefined) return false;
    if (repeated(position, exhaustive) && !budget.spend(passCost(from.length))) return false;
    const cap = board.cap(number);
    const before = order.slice(0, position);
    const following = followings.get(number);
    // At first the likeliest places, then all.
    const led =
      !exhaustive && following?.starts === true
        ? likelyRows(board, following, before, counts, from)
        : besideLeaders(board, following, before, counts, from);
    const rows = apart(board, number, before, counts, stage, led);
    const layers = layersOf(field, shape, screened, cap, stage, jointBounds(board, number, before, counts, stage));
    if (!exhaustive && following === undefined && layers.length === 0 && rows === board.rows)
      for (const likely of leads(board, followings, number, shape.required)) {
        if (!budget.spend(passCost(field.rows))) return false;
        if (settle(number, likely, position, exhaustive)) return true;
      }
    const near = nearness(field, shape, stage);
    const result = distribute({ field, cap, rows, layers, ...near }, shape.required, budget);
    if (result.kind === "none") return false;
    if (result.kind === "found" && settle(number, result.counts, position, exhaustive)) return true;
    if (result.kind === "found" && position === order.length - 1 && !short && !alone) return false;
    if (result.kind === "open") open = true;
    if (!exhaustive || budget.exhausted) return false;
    // Of one set by itself its own rules are all there is to tell rows apart, unless some are near to who came before.
    const single = shapes.length === 1 && following === undefined;
    const apartBy = single ? layers.map((layer) => layer.domains) : places();
    return enumerate(board, number, rows, layers, apartBy, shape.required, budget, (found) =>
      settle(number, found, position, exhaustive),
    );
  };

  const onEveryNode = (number: number, position: number, exhaustive: boolean): boolean => {
    const found = everyNode(board, number);
    return found !== undefined && settle(number, found, position, exhaustive);
  };

  const worthwhile = (): boolean =>
    shapes.length > 1 ? board.devices !== undefined || !isOverdrawn(board) : open || short || followings.size > 0;
  // Rooms that were counted without a step left say nothing of what there is.
  if (![...followings.values()].every((one) => hasRoomBeside(board, one)))
    return { kind: budget.exhausted ? "out" : "none" };
  const found = place(0, false) || (!budget.exhausted && worthwhile() && place(0, true));
  if (found) return { kind: "found", counts, domains };
  return budget.exhausted ? { kind: "out" } : { kind: "none", scarce: short };
}

/** Sets that share no domain with others may stand beside one that does, so what is shared tells rows apart as well. */
function partitionsOf({ field, shapes }: Board, stage: Stage): readonly Domains[] {
  return shapes.flatMap((shape) => {
    const levels = new Set([levelAt(shape, stage), ...choicesOf(shape, stage).map(({ level }) => level)]);
    return [
      ...ruleKeys(shape).map((key) => field.key(key)),
      ...[...levels].flatMap((level) => (level === undefined ? [] : [field.level(level)])),
    ];
  });
}

/** Only the first look at the first set is made once. */
function repeated(position: number, exhaustive: boolean): boolean {
  return position > 0 || exhaustive;
}

/** Sets of one pod per node come first, then few pods before many. */
function weight(board: Board, number: number): number {
  const shape = board.shapes[number];
  return shape === undefined || shape.set.perNode ? -1 : shape.required;
}

/** One pod on each node that the set selects; a new node where there is none yet. */
export function everyNode(board: Board, number: number): Counts | undefined {
  const { field } = board;
  const cap = board.cap(number);
  const code = board.screens[number]?.code;
  const counts: { row: number; pods: number }[] = [];
  for (let row = 0; row < field.existing; row += 1) {
    if (code?.[row] !== 0) continue;
    if ((cap[row] ?? 0) === 0) return undefined;
    counts.push({ row, pods: 1 });
  }
  if (counts.length > 0) return counts;
  for (let row = field.existing; row < field.rows; row += 1) if ((cap[row] ?? 0) > 0) return [{ row, pods: 1 }];
  return undefined;
}
