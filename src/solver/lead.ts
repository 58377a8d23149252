import type { Board } from "./board.ts";
import type { Counts } from "./distribute.ts";
import { type Following, nearRows } from "./follow.ts";
import { sharedDomains } from "./same-values.ts";

/** Numbers of domains that are tried, from the fewest that could do. */
const MOST_TRIES = 4;

/**
 * Likely places for a set that others follow: in the domains in which these have most room, at least one pod in each of them, and there on the rows
 * where it takes least from them. For a set that no rule but room binds; nothing is said of other ways to place it.
 */
export function* leads(
  board: Board,
  followings: ReadonlyMap<number, Following>,
  number: number,
  pods: number,
): Generator<Counts> {
  const following = [...followings.values()].find((one) => one.number !== number && one.leaders.includes(number));
  if (following === undefined) return;
  const { field, shapes } = board;
  const { of, names } = sharedDomains(field, shapes[following.number]?.company.near?.keys ?? []);
  const [own, theirs] = [board.cap(number), board.cap(following.number)];
  const domains = names.map((_, domain) => ({ domain, room: 0, rows: [] as number[] }));
  for (const row of board.rows) {
    const one = domains[of[row] ?? -1];
    if (one === undefined) continue;
    one.room += theirs[row] ?? 0;
    if ((own[row] ?? 0) > 0) one.rows.push(row);
  }
  const beside = nearRows(field.hopeful, following, [], [], board.rows);
  let need = (shapes[following.number]?.required ?? 0) - beside.reduce((sum, row) => sum + (theirs[row] ?? 0), 0);
  const dearest = domains
    .filter(({ rows }) => rows.length > 0)
    .sort((a, b) => b.room - a.room || a.domain - b.domain)
    .slice(0, pods);
  let fewest = 1;
  for (const { room } of dearest) {
    need -= room;
    if (need <= 0) break;
    fewest += 1;
  }
  for (let count = fewest; count < fewest + MOST_TRIES && count <= dearest.length; count += 1) {
    const found = laid(dearest.slice(0, count), own, theirs, pods);
    if (found !== undefined) yield found;
  }
}

/** One pod in each domain first, then as many as the rows take. */
function laid(
  domains: readonly { readonly rows: readonly number[] }[],
  own: Int32Array,
  theirs: Int32Array,
  pods: number,
): Counts | undefined {
  const harm = (a: number, b: number): number => (theirs[a] ?? 0) - (theirs[b] ?? 0) || a - b;
  const sorted = domains.map(({ rows }) => [...rows].sort(harm));
  const counts = new Map<number, number>();
  for (const [row = -1] of sorted) counts.set(row, 1);
  let left = pods - counts.size;
  for (const row of sorted.flat().sort(harm)) {
    const more = Math.min(left, (own[row] ?? 0) - (counts.get(row) ?? 0));
    if (more > 0) counts.set(row, (counts.get(row) ?? 0) + more);
    left -= Math.max(0, more);
  }
  return left === 0 ? [...counts].sort(([a], [b]) => a - b).map(([row, some]) => ({ row, pods: some })) : undefined;
}

/** Rows of `from` near to what stands already or in the one domain with most room, for pods of which the first may go anywhere. */
export function likelyRows(
  board: Board,
  following: Following,
  before: readonly number[],
  counts: readonly Counts[],
  from: readonly number[],
): readonly number[] {
  const { field, shapes } = board;
  const near = new Set(
    nearRows(
      field.hopeful,
      following,
      following.leaders.filter((one) => before.includes(one)),
      counts,
      from,
    ),
  );
  const { of, names } = sharedDomains(field, shapes[following.number]?.company.near?.keys ?? []);
  const cap = board.cap(following.number);
  const room = names.map(() => 0);
  for (const row of from)
    if (!near.has(row) && of[row] !== -1) room[of[row] ?? 0] = (room[of[row] ?? 0] ?? 0) + (cap[row] ?? 0);
  const best = room.indexOf(Math.max(...room));
  return from.filter((row) => near.has(row) || of[row] === best);
}
