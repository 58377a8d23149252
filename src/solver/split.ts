import type { Board } from "./board.ts";
import type { Ceiling } from "./ceilings.ts";
import type { Field } from "./field.ts";
import type { Found } from "./search.ts";
import { ruleKeys } from "./shape.ts";

/** Rows among which nothing tells apart, and what they take of each ceiling: the first `free` of them take `starting`, the others `amount`. */
interface Lot {
  readonly rows: readonly number[];
  readonly free: number;
  readonly takes: readonly { readonly at: number; readonly amount: number; readonly starting: number }[];
}

/** Ceilings that new nodes of this field could pass together, though no kind of them passes any by itself. */
export interface Coupling {
  readonly ceilings: readonly Ceiling[];
  readonly kinds: readonly Lot[];
}

export function couplingOf(field: Field): Coupling | undefined {
  const most = new Map<Ceiling, number>();
  for (const { rows, free, charges } of field.kinds)
    for (const { ceiling, ...each } of charges) most.set(ceiling, (most.get(ceiling) ?? 0) + taken(rows, free, each));
  const ceilings = [...most]
    .filter(([{ left, rows }, sum]) => sum > left || [...rows.values()].some((amount) => amount > 0))
    .map(([ceiling]) => ceiling);
  if (ceilings.length === 0) return undefined;
  const rows = field.kinds.map((): number[] => []);
  for (let row = field.existing; row < field.rows; row += 1) rows[field.kindOf[row] ?? -1]?.push(row);
  const kinds = field.kinds.map(({ free, charges }, number): Lot => {
    const takes = charges.flatMap(({ ceiling, amount, starting }) => {
      const at = ceilings.indexOf(ceiling);
      return at === -1 ? [] : [{ at, amount, starting }];
    });
    return { rows: rows[number] ?? [], free, takes };
  });
  return { ceilings, kinds };
}

function taken(
  rows: number,
  free: number,
  { amount, starting }: { readonly amount: number; readonly starting: number },
): number {
  return Math.min(rows, free) * starting + Math.max(0, rows - free) * amount;
}

/** Does what was found keep to every ceiling. One under which no node is made bounds nothing: nodes that exist stay. */
export function keepsTo({ ceilings, kinds }: Coupling, found: Found): boolean {
  const used = new Set(found.counts.flatMap((counts) => counts.map(({ row }) => row)));
  const made = kinds.map(({ rows }) => rows.reduce((sum, row) => sum + (used.has(row) ? 1 : 0), 0));
  return ceilings.every(({ left, rows }, at) => {
    let sum = 0;
    let some = false;
    for (const [number, lot] of kinds.entries()) {
      const each = lot.takes.find((one) => one.at === at);
      if (each === undefined || (made[number] ?? 0) === 0) continue;
      some = true;
      sum += taken(made[number] ?? 0, lot.free, each);
    }
    if (some) for (const row of used) sum += rows.get(row) ?? 0;
    return !some || sum <= left;
  });
}

/**
 * Does some ceiling leave too little for all pods of some shape, counted in parts of nodes: by the rows that take the least of it for each pod, or
 * by those alone that exist. Then no division of it does.
 */
export function falls({ ceilings, kinds }: Coupling, board: Board): boolean {
  return board.shapes.some((shape, number) => {
    if (shape.set.perNode) return false;
    const cap = board.cap(number);
    return ceilings.some(({ left, rows }, at) => {
      const takes = new Map<number, number>(rows);
      const made = new Set<number>();
      for (const lot of kinds) {
        const each = lot.takes.find((one) => one.at === at);
        if (each === undefined) continue;
        for (const [index, row] of lot.rows.entries()) {
          takes.set(row, index < lot.free ? each.starting : each.amount);
          made.add(row);
        }
      }
      let unbound = 0;
      let standing = 0;
      const bound: { pods: number; amount: number }[] = [];
      for (let row = 0; row < board.field.rows; row += 1) {
        const pods = cap[row] ?? 0;
        const amount = takes.get(row) ?? 0;
        if (pods === 0) continue;
        if (amount === 0) unbound += pods;
        else bound.push({ pods, amount });
        if (!made.has(row)) standing += pods;
      }
      bound.sort((a, b) => b.pods / b.amount - a.pods / a.amount);
      let rest = left;
      let most = unbound;
      for (const { pods, amount } of bound) {
        if (rest <= 0) break;
        most += pods * Math.min(1, rest / amount);
        rest -= amount;
      }
      // Divisions are not exact in floating point: what comes close is searched.
      return Math.max(most + 1e-6, standing) < shape.required;
    });
  });
}

/** Which rows may be used. */
export type Open = (row: number) => boolean;

/**
 * Every way to divide what the ceilings leave among the kinds, none of which leaves room for one more node: more nodes never hurt, as one that is
 * not used does not come to be. First as much as can be of one kind, then as even as can be, then the others; `undefined` is a step without one.
 * On a nominal supply also which of the nodes that exist stay, and first that all do.
 */
export function* splits(coupling: Coupling, board: Board): Generator<Open | undefined> {
  const standing = standingLots(coupling, board);
  const lots = [...coupling.kinds, ...standing];
  const lotOf = new Map<number, { readonly lot: number; readonly index: number }>();
  for (const [lot, { rows }] of lots.entries())
    for (const [index, row] of rows.entries()) lotOf.set(row, { lot, index });
  const opened =
    (shares: readonly number[]): Open =>
    (row) => {
      const place = lotOf.get(row);
      return place === undefined || place.index < (shares[place.lot] ?? 0);
    };
  const left = coupling.ceilings.map((one) => one.left);
  const seen = new Set<string>();
  const fresh = (shares: readonly number[]): boolean => {
    const key = shares.join(",");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  if (standing.length > 0) {
    const bounded = new Set(coupling.ceilings.flatMap(({ rows }, at) => (rows.size > 0 ? [at] : [])));
    const alone = lots.map(({ rows, takes }, lot) =>
      lot < coupling.kinds.length && takes.some(({ at }) => bounded.has(at)) ? 0 : rows.length,
    );
    if (sits(lots.slice(0, coupling.kinds.length), alone, left)) yield opened(alone);
  }
  for (const favourite of lots.keys()) {
    const shares = lots.map(() => 0);
    for (const lot of [favourite, ...lots.keys()]) shares[lot] = mostOf(lots, shares, lot, left);
    yield fresh(shares) ? opened(shares) : undefined;
  }
  const even = evenly(lots, left);
  yield fresh(even) ? opened(even) : undefined;
  for (const shares of fullest(lots, left)) yield shares !== undefined && fresh(shares) ? opened(shares) : undefined;
}

/** Existing rows that take of some ceiling and hold some pod, those together that nothing tells apart. */
function standingLots({ ceilings }: Coupling, board: Board): readonly Lot[] {
  const { field, shapes } = board;
  const widest = Math.max(-1, ...shapes.map(({ level }) => level ?? -1));
  const partitions = [
    ...Array.from({ length: widest + 1 }, (_, level) => field.level(level)),
    ...shapes.flatMap((shape) => ruleKeys(shape).map((key) => field.key(key))),
  ];
  const lots = new Map<string, { rows: number[]; free: number; takes: Lot["takes"] }>();
  for (let row = 0; row < field.existing; row += 1) {
    const takes = ceilings.flatMap(({ rows }, at) => {
      const amount = rows.get(row) ?? 0;
      return amount === 0 ? [] : [{ at, amount, starting: 0 }];
    });
    if (takes.length === 0 || shapes.every((_, number) => (board.cap(number)[row] ?? 0) === 0)) continue;
    const places = partitions.map(({ of }) => of[row]);
    const key = `${board.look(row)}|${places.join()}|${takes.map(({ at, amount }) => `${at}:${amount}`).join()}`;
    const lot = lots.get(key);
    if (lot === undefined) lots.set(key, { rows: [row], free: 0, takes });
    else lot.rows.push(row);
  }
  return [...lots.values()];
}

function sits(lots: readonly Lot[], shares: readonly number[], left: readonly number[]): boolean {
  const sums = left.map(() => 0);
  for (const [lot, { free, takes }] of lots.entries())
    for (const { at, ...each } of takes) sums[at] = (sums[at] ?? 0) + taken(shares[lot] ?? 0, free, each);
  return sums.every((sum, at) => sum <= (left[at] ?? 0));
}

/** The most of one lot beside the shares of the others. */
function mostOf(lots: readonly Lot[], shares: readonly number[], lot: number, left: readonly number[]): number {
  let low = shares[lot] ?? 0;
  let high = lots[lot]?.rows.length ?? 0;
  // What a lot takes grows with its share.
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (sits(lots, shares.with(lot, middle), left)) low = middle;
    else high = middle - 1;
  }
  return low;
}

function evenly(lots: readonly Lot[], left: readonly number[]): readonly number[] {
  const shares = lots.map(() => 0);
  const growing = new Set(lots.keys());
  while (growing.size > 0) {
    const [least = 0] = [...growing].sort((a, b) => (shares[a] ?? 0) - (shares[b] ?? 0) || a - b);
    const more = (shares[least] ?? 0) + 1;
    if (more <= (lots[least]?.rows.length ?? 0) && sits(lots, shares.with(least, more), left)) shares[least] = more;
    else growing.delete(least);
  }
  return shares;
}

/** Shares to which no lot can add another row; `undefined` for those to which one can. */
function* fullest(lots: readonly Lot[], left: readonly number[]): Generator<readonly number[] | undefined> {
  const shares = lots.map(() => 0);
  function* from(lot: number): Generator<readonly number[] | undefined> {
    if (lot === lots.length) {
      yield lots.every((_, other) => mostOf(lots, shares, other, left) === shares[other]) ? [...shares] : undefined;
      return;
    }
    shares[lot] = 0;
    const most = mostOf(lots, shares, lot, left);
    const least = lot === lots.length - 1 ? most : 0;
    for (let share = most; share >= least; share -= 1) {
      shares[lot] = share;
      yield* from(lot + 1);
    }
    shares[lot] = 0;
  }
  yield* from(0);
}
