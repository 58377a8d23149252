import type { Field } from "./field.ts";

/** Kinds of one pool in several zones, which together may not pass what the pool may add. */
interface Coupled {
  readonly kinds: readonly number[];
  readonly rows: readonly number[];
  readonly room: number;
}

/** Pools whose zones compete for the nodes that it may still add. */
export function coupledPools(field: Field): readonly Coupled[] {
  const byPool = new Map<string, number[]>();
  for (const [number, kind] of field.kinds.entries())
    byPool.set(kind.pool.name, [...(byPool.get(kind.pool.name) ?? []), number]);
  return [...byPool].flatMap(([, kinds]) => {
    const rows = kinds.map((number) => field.kinds[number]?.rows ?? 0);
    const room = field.kinds[kinds[0] ?? -1]?.room ?? 0;
    return rows.reduce((sum, one) => sum + one, 0) > room ? [{ kinds, rows, room }] : [];
  });
}

/** Every way to divide the pools' nodes among their zones, by kind: all in one zone first, then as even as can be, then the others. */
export function* splits(pools: readonly Coupled[]): Generator<ReadonlyMap<number, number>> {
  const [first, ...rest] = pools;
  if (first === undefined) {
    yield new Map();
    return;
  }
  for (const shares of divisions(first))
    for (const others of splits(rest)) {
      const map = new Map(others);
      for (const [index, kind] of first.kinds.entries()) map.set(kind, shares[index] ?? 0);
      yield map;
    }
}

function* divisions({ rows, room }: Coupled): Generator<readonly number[]> {
  const seen = new Set<string>();
  const fresh = (shares: readonly number[]): boolean => {
    const key = shares.join(",");
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  };
  for (const index of rows.keys()) {
    const shares = concentrated(rows, room, index);
    if (fresh(shares)) yield shares;
  }
  const even = evenly(rows, room);
  if (fresh(even)) yield even;
  for (const shares of compositions(rows, room)) if (fresh(shares)) yield shares;
}

/** As much as possible in one zone, what is left in the others in order. */
function concentrated(rows: readonly number[], room: number, favourite: number): readonly number[] {
  const shares = rows.map(() => 0);
  let left = room;
  for (const index of [favourite, ...rows.keys()]) {
    const more = Math.min(left, (rows[index] ?? 0) - (shares[index] ?? 0));
    shares[index] = (shares[index] ?? 0) + more;
    left -= more;
  }
  return shares;
}

function evenly(rows: readonly number[], room: number): readonly number[] {
  const shares = rows.map(() => 0);
  let left = room;
  while (left > 0) {
    let least = -1;
    for (const [index, most] of rows.entries()) {
      const share = shares[index] ?? 0;
      if (share < most && (least === -1 || share < (shares[least] ?? 0))) least = index;
    }
    if (least === -1) break;
    shares[least] = (shares[least] ?? 0) + 1;
    left -= 1;
  }
  return shares;
}

/** All of the room is given away: more nodes never hurt, as one that is not used does not come to be. */
function* compositions(rows: readonly number[], room: number): Generator<readonly number[]> {
  const [first, ...rest] = rows;
  if (first === undefined) {
    if (room === 0) yield [];
    return;
  }
  const restMost = rest.reduce((sum, one) => sum + one, 0);
  for (let share = Math.min(first, room); share >= Math.max(0, room - restMost); share -= 1)
    for (const others of compositions(rest, room - share)) yield [share, ...others];
}
