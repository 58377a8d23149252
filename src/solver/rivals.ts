import type { Board } from "./board.ts";
import type { Budget } from "./budget.ts";
import { type Amounts, amountsIn } from "./feasible.ts";
import { type RivalRules, rivalRules, split } from "./rival-rules.ts";
import type { Domains } from "./topology-index.ts";

/** Pods of another set that may stand where a set has its room, at most so many. */
export interface Rival {
  readonly shape: number;
  readonly pods: number;
}

/** A choice of the rivals that leaves less room than the set needs. */
export interface Loss {
  readonly room: number;
  /** Rows on which rivals stand then. */
  readonly rows: number;
  readonly rivals: readonly number[];
}

/**
 * How much room of one shape pods of others may take, wherever their own rules let them stand.
 *
 * 1. price: on one row, a pod of a rival costs the shape at most so many pods, as a share of the least that would cost it one. Prices of
 *    all pods on a row add up to at least what they cost together, so their sum bounds the loss;
 * 2. rules: pods of a rival that share a domain cost what they cost in the dearest one, and spread ones at most so many in each;
 * 3. search: where the bound does not suffice, every choice of the rivals, the dearest first, until one leaves too little.
 */
export interface Rivalry {
  /** Equal for rows that the rules of rivals do not tell apart. */
  place(row: number): string;
  /** Most pods of the shape that the rivals can cost it on any rows. */
  readonly ceiling: number;
  /** The same on these rows. */
  bound(rows: readonly number[]): number;
  /** A loss that leaves less than `enough` on these rows; `none`: there is none; undefined: out of steps. */
  worst(rows: readonly number[], enough: number, budget: Budget, own?: OwnRules): Loss | "none" | undefined;
}

/** Where rules of the shape itself limit more than room does. */
export interface OwnRules {
  /** Pods that stand at first, those beyond `enough` included as far as rivals could take them. */
  readonly before: number;
  /** A place less may be so many pods less. */
  readonly times: number;
  /** Domains over which they count pods. */
  readonly domains: readonly Domains[];
  /** Pods that stand on what is left now; undefined where that cannot be told. */
  left(): number | undefined;
}

type Meeting = Rival & { readonly rules: RivalRules; readonly contests: readonly Contest[] };

export function rivalry(board: Board, number: number, rivals: readonly Rival[]): Rivalry {
  const { field, devices } = board;
  const own = board.shapes[number];
  const needs = board.shapes.map((shape) => amountsIn(field, shape));
  const meeting = rivals
    .filter(({ shape, pods }) => pods > 0 && meets(board, needs, number, shape))
    .map(
      ({ shape, pods }): Meeting => ({
        shape,
        pods,
        rules: rivalRules(board, shape, pods),
        contests: contestsOf(needs[number], needs[shape]),
      }),
    );
  // Prices go with what is free before anything stands; a pod of its own that stands later changes the room and not what others cost.
  const room = meeting.length === 0 ? board.cap(number) : board.cap(number).slice();
  const priceOf = (row: number, { shape, contests }: Meeting): number => {
    const most = room[row] ?? 0;
    if (most === 0 || (board.cap(shape)[row] ?? 0) === 0) return 0;
    const counted = resourcePrice(field.free, row * field.columns.length, most, contests);
    return Math.min(most, Math.max(counted, devices?.price(row, number, shape, most) ?? 0));
  };
  const costOn = (row: number, one: Meeting): number =>
    priceOf(row, one) * Math.min(one.pods, board.cap(one.shape)[row] ?? 0);
  /** What all pods of one rival cost at most. */
  const costOf = (one: Meeting, rows: readonly number[]): number => {
    const among = (list: readonly number[], most: number): number => {
      let [sum, dearest] = [0, 0];
      for (const row of list) {
        sum += costOn(row, one);
        dearest = Math.max(dearest, priceOf(row, one));
      }
      return Math.min(sum, most * dearest);
    };
    const spread = (list: readonly number[]): number =>
      Math.min(
        among(list, one.pods),
        ...one.rules.limits.map(({ domains, pods }) =>
          split(list, domains).reduce((sum, part) => sum + among(part, pods), 0),
        ),
      );
    return one.rules.choices(rows).reduce((most, list) => Math.max(most, spread(list)), 0);
  };
  const ceiling =
    devices === undefined
      ? meeting.reduce((sum, { pods, contests }) => sum + pods * Math.max(0, ...contests.map(alone)), 0)
      : Number.POSITIVE_INFINITY;
  return {
    ceiling: own === undefined || meeting.length === 0 ? 0 : ceiling,
    place: (row) => meeting.map(({ rules }) => rules.place(row)).join("|"),
    bound(rows) {
      if (own === undefined || meeting.length === 0) return 0;
      let byRows = 0;
      for (const row of rows) {
        let sum = 0;
        for (let index = 0; index < meeting.length; index += 1) {
          const one = meeting[index];
          if (one !== undefined) sum += costOn(row, one);
        }
        byRows += Math.min(room[row] ?? 0, whole(sum));
      }
      return Math.min(byRows, whole(meeting.reduce((sum, one) => sum + costOf(one, rows), 0)));
    },
    worst(rows, enough, budget, rules) {
      const now = board.cap(number);
      const before = rules?.before ?? rows.reduce((sum, row) => sum + (now[row] ?? 0), 0);
      return search(board, number, meeting, rows, before, enough, priceOf, budget, rules);
    },
  };
}

/** Prices are shares, which rounding may leave a hair short of a whole. */
const whole = (sum: number): number => Math.floor(sum + 1e-9);

function meets(board: Board, needs: readonly Amounts[], a: number, b: number): boolean {
  const columns = needs[a]?.columns ?? new Int32Array();
  return board.devices !== undefined || columns.some((column) => needs[b]?.columns.includes(column) === true);
}

/** A column that both ask for, and how much one pod of each takes of it. */
interface Contest {
  readonly column: number;
  readonly need: number;
  readonly taken: number;
}

function contestsOf(own: Amounts | undefined, other: Amounts | undefined): readonly Contest[] {
  return [...(own?.columns ?? [])].flatMap((column, index) => {
    const at = other?.columns.indexOf(column) ?? -1;
    return at === -1 ? [] : [{ column, need: own?.amounts[index] ?? 0, taken: other?.amounts[at] ?? 0 }];
  });
}

/** Pods that one of the rival costs at most, whatever a row has. */
const alone = ({ need, taken }: Contest): number => (need <= 0 || taken <= 0 ? 0 : Math.ceil(taken / need));

/** What is left beside `most` pods is the slack; only what goes beyond it costs a pod. */
function resourcePrice(free: Float64Array, offset: number, most: number, contests: readonly Contest[]): number {
  let price = 0;
  for (const { column, need, taken } of contests) {
    const have = free[offset + column] ?? 0;
    if (Number.isFinite(have)) price = Math.max(price, sharePrice(have, need, taken, most));
  }
  return price;
}

/** Of `have`, `most` pods take `need` each; what does one that takes `taken` cost them at most, as a share? */
export function sharePrice(have: number, need: number, taken: number, most: number): number {
  if (need <= 0 || taken <= 0 || most <= 0) return 0;
  const slack = have - most * need;
  if (slack < 0) return most;
  const alone = Math.ceil(taken / need);
  if (slack === 0) return alone;
  return Math.min(alone, taken * Math.max(1 / slack, most / (slack + (most - 1) * need)));
}

/** Every way to put down pods of the rivals where they cost something, in order of rows so that none is tried twice. */
function search(
  board: Board,
  number: number,
  rivals: readonly Meeting[],
  rows: readonly number[],
  before: number,
  enough: number,
  priceOf: (row: number, rival: Meeting) => number,
  budget: Budget,
  own: OwnRules | undefined,
): Loss | "none" | undefined {
  const roomOn = (row: number): number => board.cap(number)[row] ?? 0;
  const times = own?.times ?? 1;
  const choices = rivals.map((rival) => {
    const { shape, pods, rules } = rival;
    const dear = rows
      .map((row) => ({ row, price: priceOf(row, rival), look: "" }))
      .filter(({ price }) => price > 0)
      .sort((a, b) => b.price - a.price || a.row - b.row);
    const looks = dear.map((one) => ({ ...one, look: `${board.look(one.row)}|${rules.place(one.row)}` }));
    return { shape, pods, rules, dear: looks };
  });
  const rest = choices.map((_, index) =>
    choices.slice(index + 1).reduce((sum, { pods, dear }) => sum + pods * (dear[0]?.price ?? 0), 0),
  );
  const loads = new Map<number, number>();
  const ownPlace = placesUnder(own?.domains ?? [], rows, (row) => `${board.look(row)}|${roomOn(row)}`);
  const standing = new Map<number, number>();
  let out = false;

  const place = (index: number, from: number, left: number, left0: number, price: number): Loss | undefined => {
    if (left0 < enough) return { room: left0, rows: loads.size, rivals: [...standing.keys()].sort((a, b) => a - b) };
    const choice = choices[index];
    if (choice === undefined) return undefined;
    const ahead = left * (choice.dear[0]?.price ?? 0) + (rest[index] ?? 0);
    if (before - whole(price + ahead) * times >= enough) return undefined;
    if (!budget.spend()) {
      out = true;
      return undefined;
    }
    const tried = new Set<string>();
    for (let at = from; left > 0 && at < choice.dear.length; at += 1) {
      const one = choice.dear[at];
      if (one === undefined || (board.cap(choice.shape)[one.row] ?? 0) === 0 || !choice.rules.allows(one.row)) continue;
      const look = loads.has(one.row) ? `${one.row}` : `${one.look}|${ownPlace(one.row, loads)}`;
      if (tried.has(look)) continue;
      tried.add(look);
      if (!budget.spend()) {
        out = true;
        return undefined;
      }
      const had = roomOn(one.row);
      const counts = [{ row: one.row, pods: 1 }];
      board.put(choice.shape, counts);
      choice.rules.put(one.row);
      loads.set(one.row, (loads.get(one.row) ?? 0) + 1);
      standing.set(choice.shape, (standing.get(choice.shape) ?? 0) + 1);
      const now = own === undefined ? left0 - had + roomOn(one.row) : own.left();
      if (now === undefined) out = true;
      const found = now === undefined ? undefined : place(index, at, left - 1, now, price + one.price);
      drop(loads, one.row);
      drop(standing, choice.shape);
      choice.rules.take(one.row);
      board.take(choice.shape, counts);
      if (found !== undefined || out) return found;
    }
    return place(index + 1, 0, choices[index + 1]?.pods ?? 0, left0, price);
  };
  const found = place(0, 0, choices[0]?.pods ?? 0, before, 0);
  return found ?? (out ? undefined : "none");
}

/**
 * What tells rows apart under rules that count pods by domain: the domain itself once something stands there, before that what it is made of. A row
 * in no domain counts nowhere.
 */
function placesUnder(
  domains: readonly Domains[],
  rows: readonly number[],
  look: (row: number) => string,
): (row: number, loads: ReadonlyMap<number, number>) => string {
  const kinds = domains.map(({ of }) => {
    const looks = new Map<number, string[]>();
    for (const row of rows) {
      const domain = of[row] ?? -1;
      const list = looks.get(domain);
      if (list === undefined) looks.set(domain, [look(row)]);
      else list.push(look(row));
    }
    return new Map(
      [...looks].map(([domain, list]) => [domain, domain === -1 ? "bare" : list.sort().join(";")] as const),
    );
  });
  return (row, loads) =>
    domains
      .map(({ of }, at) => {
        const domain = of[row] ?? -1;
        const begun = [...loads.keys()].some((one) => of[one] === domain);
        return begun ? `=${domain}` : (kinds[at]?.get(domain) ?? "");
      })
      .join("|");
}

function drop(counts: Map<number, number>, key: number): void {
  const left = (counts.get(key) ?? 0) - 1;
  if (left > 0) counts.set(key, left);
  else counts.delete(key);
}
