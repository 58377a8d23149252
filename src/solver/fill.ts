import type { Counts } from "./distribute.ts";
import type { Spot } from "./nest.ts";
import type { Domains } from "./topology-index.ts";

/** Up to so many rows are picked without sorting the others. */
const FEW = 8;

/**
 * Pods onto rows where nothing else decides. Inside the domains that the pods should be near to each other in, the tightest one that holds them
 * all; where none does, the roomiest ones whole and for the rest the tightest that holds it, as Kueue's BestFit. On rows the fullest first; of equally
 * full ones those in the fullest domain, so that empty nodes and then empty racks stay whole. Existing nodes before new ones. Undefined where there is no
 * room for all.
 */
export function fill(spot: Spot, rows: readonly number[], total: number): Counts | undefined {
  const { existing } = spot.field;
  const { inside = [] } = spot;
  if (inside.length > 0 && rows.length > 1) {
    const standing = spot.field.rows === existing ? rows : rows.filter((row) => row < existing);
    if (roomOf(spot, standing) >= total) {
      const counts: { row: number; pods: number }[] = [];
      pack(spot, standing, total, inside, counts);
      return counts;
    }
  }
  return fillRows(spot, rows, total);
}

function roomOf({ cap }: Spot, rows: readonly number[]): number {
  let room = 0;
  for (let at = 0; at < rows.length; at += 1) room += cap[rows[at] ?? 0] ?? 0;
  return room;
}

/** `rows` have room for all. */
function pack(
  spot: Spot,
  rows: readonly number[],
  total: number,
  inside: readonly Domains[],
  counts: { row: number; pods: number }[],
): void {
  const [partition, ...narrower] = inside;
  if (partition === undefined) {
    counts.push(...(fillRows(spot, rows, total) ?? []));
    return;
  }
  const parts = new Map<number, { rows: number[]; room: number }>();
  for (const row of rows) {
    const room = spot.cap[row] ?? 0;
    if (room === 0) continue;
    const domain = partition.of[row] ?? -1;
    const part = parts.get(domain);
    if (part === undefined) parts.set(domain, { rows: [row], room });
    else {
      part.rows.push(row);
      part.room += room;
    }
  }
  // Nodes of which the domain is not known come last.
  const open = [...parts]
    .sort(([a, x], [b, y]) => Number(a === -1) - Number(b === -1) || x.room - y.room || a - b)
    .map(([, part]) => part);
  let left = total;
  while (left > 0) {
    const tightest = open.findIndex(({ room }) => room >= left);
    const [part] = open.splice(tightest === -1 ? open.length - 1 : tightest, 1);
    if (part === undefined) return;
    const pods = Math.min(left, part.room);
    pack(spot, part.rows, pods, narrower, counts);
    left -= pods;
  }
}

function fillRows(spot: Spot, rows: readonly number[], total: number): Counts | undefined {
  const buckets = new Map<number, number[]>();
  const fresh: number[] = [];
  let room = 0;
  for (const row of rows) {
    const cap = spot.cap[row] ?? 0;
    if (cap === 0) continue;
    room += cap;
    if (row >= spot.field.existing) fresh.push(row);
    else {
      const bucket = buckets.get(cap);
      if (bucket === undefined) buckets.set(cap, [row]);
      else bucket.push(row);
    }
  }
  if (room < total) return undefined;
  const order = [...buckets].sort(([a], [b]) => a - b);
  const counts: { row: number; pods: number }[] = [];
  let left = total;
  for (const [cap, list] of [...order, [0, fresh] as const]) {
    const all = cap * list.length <= left;
    for (const row of all || cap === 0 ? list : fullestFirst(spot, rows, list, Math.ceil(left / cap))) {
      if (left === 0) return counts;
      const pods = Math.min(left, spot.cap[row] ?? 0);
      counts.push({ row, pods });
      left -= pods;
    }
  }
  return counts;
}

/** The first `most` rows of equal room by the room of the domain around each. */
function fullestFirst(
  { cap, near }: Spot,
  rows: readonly number[],
  list: readonly number[],
  most: number,
): readonly number[] {
  if (near === undefined || list.length < 2) return list;
  const room = new Float64Array(near.names.length + 1);
  for (const row of rows) {
    const domain = (near.of[row] ?? -1) + 1;
    room[domain] = (room[domain] ?? 0) + (cap[row] ?? 0);
  }
  room[0] = Number.POSITIVE_INFINITY;
  const around = (row: number): number => room[(near.of[row] ?? -1) + 1] ?? 0;
  return firstOf(list, most, (a, b) => around(a) - around(b) || a - b);
}

/** As sorted, but only so many: where few are wanted, most are compared with the last of them and left. */
function firstOf(list: readonly number[], most: number, compare: (a: number, b: number) => number): readonly number[] {
  if (most > FEW) return list.toSorted(compare).slice(0, most);
  const first: number[] = [];
  for (const one of list) {
    let at = first.length;
    while (at > 0 && compare(one, first[at - 1] ?? one) < 0) at -= 1;
    if (at === most) continue;
    if (first.length === most) first.pop();
    first.splice(at, 0, one);
  }
  return first;
}
