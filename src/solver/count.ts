import { keep } from "../model/index.ts";
import type { Amounts } from "./feasible.ts";
import type { Domains, Screen, TopologyIndex } from "./topology-index.ts";

/** Room of one shape in each domain, on existing nodes and in all. */
export interface Room {
  readonly existing: Float64Array;
  readonly total: Float64Array;
  /** On rows whose domain is not known. */
  readonly unplaced: number;
}

/** Room of pods that pass the same filters and ask for the same amounts, before anything stands anywhere. */
export interface Count {
  /** By row. Not to be written to. */
  readonly cap: Int32Array;
  /** On all rows. */
  readonly sum: number;
  /** On the roomiest row. */
  readonly largest: number;
  /** By domain. `existing`: rows of nodes that are there; of a count that is kept, all. */
  room(domains: Domains, existing: number): Room;
  /** What is made of it and of what is free, by name, until that changes. */
  derived<Value>(name: string, make: () => Value): Value;
  /** The same where some rows have other amounts free. */
  beside(grid: Grid, rows: ReadonlySet<number>, screened: Screen, each: Amounts, limit: number): Count;
}

/** rows x width, row by row. */
export interface Grid {
  readonly amounts: Float64Array;
  readonly width: number;
}

/** Four bytes a node each, and what is asked of them by domain. */
const KEPT_COUNTS = 32;

/** Counts of one grid that follows the ledger, each brought up to date when it is asked for: workloads that ask for the same find it counted. */
export function keptCounts(grid: Grid, { moment, moved }: Pick<TopologyIndex, "moment" | "moved">) {
  const kept = keep<{ readonly count: MovingCount; at: number }>(KEPT_COUNTS);
  const counted = (text: string, screened: Screen, each: Amounts, limit: number): Count => {
    const now = moment();
    let known = kept.get(text);
    if (known !== undefined && known.at !== now) {
      const rows = moved(known.at);
      if (rows === undefined) known = undefined;
      else {
        for (const row of rows) known.count.set(row, countOn(grid, row, screened, each, limit));
        known.at = now;
      }
    }
    known ??= kept.set(text, { count: movingCount(countAll(grid, screened, each, limit)), at: now });
    return known.count;
  };
  return {
    of(screened: Screen, filters: string, each: Amounts, limit: number): Count {
      const text = `${each.columns.join()} ${each.amounts.join()} ${filters}`;
      // Gangs of any size share a count, unless one row has room for more pods than there are.
      const whole = counted(text, screened, each, MOST);
      return whole.largest <= limit ? whole : counted(`${limit} ${text}`, screened, each, limit);
    },
  };
}

/** No limit that a row comes near to. */
export const MOST = 2 ** 30;

export function countOf(grid: Grid, screened: Screen, each: Amounts, limit: number): Count {
  return movingCount(countAll(grid, screened, each, limit));
}

export interface MovingCount extends Count {
  set(row: number, pods: number): void;
  copy(): MovingCount;
}

type MovingRoom = { readonly existing: Float64Array; readonly total: Float64Array; unplaced: number };

/** A count over room that is known by row. */
export function movingCount(cap: Int32Array, before: ReadonlyMap<Domains, MovingRoom> = new Map()): MovingCount {
  let sum: number | undefined;
  let largest: number | undefined;
  const rooms = new Map(before);
  const derived = new Map<string, unknown>();
  return {
    cap,
    get sum() {
      sum ??= cap.reduce((total, pods) => total + pods, 0);
      return sum;
    },
    get largest() {
      largest ??= cap.reduce((most, pods) => Math.max(most, pods), 0);
      return largest;
    },
    room(domains, existing) {
      const known = rooms.get(domains) ?? roomByDomain(cap, domains, existing);
      rooms.set(domains, known);
      return known;
    },
    derived<Value>(name: string, make: () => Value): Value {
      if (!derived.has(name)) derived.set(name, make());
      return derived.get(name) as Value;
    },
    set(row, pods) {
      derived.clear();
      const more = pods - (cap[row] ?? 0);
      if (more === 0) return;
      cap[row] = pods;
      if (sum !== undefined) sum += more;
      largest = undefined;
      for (const [{ of }, room] of rooms) move(room, of[row] ?? -1, more);
    },
    copy() {
      const copies = [...rooms].map(([domains, { total, unplaced }]): [Domains, MovingRoom] => {
        const copy = total.slice();
        return [domains, { existing: copy, total: copy, unplaced }];
      });
      return movingCount(cap.slice(), new Map(copies));
    },
    beside(grid, rows, screened, each, limit) {
      const copy = this.copy();
      for (const row of rows) copy.set(row, countOn(grid, row, screened, each, limit));
      return copy;
    },
  };
}

/** Of a row of a node that is there. */
function move(room: MovingRoom, domain: number, pods: number): void {
  if (domain === -1) room.unplaced += pods;
  else room.total[domain] = (room.total[domain] ?? 0) + pods;
}

/** Where no row is a new node's, existing nodes have all the room there is. */
function roomByDomain(cap: Int32Array, { of, names }: Domains, existing: number): MovingRoom {
  const total = new Float64Array(names.length);
  const standing = cap.length === existing ? total : new Float64Array(names.length);
  let unplaced = 0;
  for (let row = 0; row < cap.length; row += 1) {
    const pods = cap[row] ?? 0;
    if (pods === 0) continue;
    const domain = of[row] ?? -1;
    if (domain === -1) unplaced += pods;
    else {
      total[domain] = (total[domain] ?? 0) + pods;
      if (row < existing && standing !== total) standing[domain] = (standing[domain] ?? 0) + pods;
    }
  }
  return { existing: standing, total, unplaced };
}

/** For every row that passes, column by column; 0 for the others. */
function countAll({ amounts: free, width }: Grid, { code }: Screen, each: Amounts, limit: number): Int32Array {
  const { columns, amounts } = each;
  const rows = code.length;
  const cap = new Int32Array(rows);
  for (let row = 0; row < rows; row += 1) if (code[row] === 0) cap[row] = limit;
  for (let index = 0; index < columns.length; index += 1) {
    const amount = amounts[index] ?? 1;
    for (let row = 0, at = columns[index] ?? 0; row < rows; row += 1, at += width) {
      const most = cap[row] ?? 0;
      if (most === 0) continue;
      const have = free[at] ?? 0;
      if (have < amount * most) cap[row] = have < amount ? 0 : Math.floor(have / amount);
    }
  }
  return cap;
}

function countOn({ amounts, width }: Grid, row: number, { code }: Screen, each: Amounts, limit: number): number {
  return code[row] === 0 ? countIn(amounts, row * width, each, limit) : 0;
}

/** How many pods of these amounts fit into what stands in a row of `free` that begins at `offset`, at most `limit`. */
export function countIn(free: Float64Array, offset: number, { columns, amounts }: Amounts, limit: number): number {
  let most = limit;
  for (let index = 0; index < columns.length && most > 0; index += 1) {
    const amount = amounts[index] ?? 1;
    const have = free[offset + (columns[index] ?? 0)] ?? 0;
    if (have < amount * most) most = have < amount ? 0 : Math.floor(have / amount);
  }
  return most;
}
