/** Totals that can be reached: disjoint closed intervals of integers, ascending. */
export type Sums = readonly (readonly [low: number, high: number])[];

export const ZERO: Sums = [[0, 0]];
export const EMPTY: Sums = [];

/** At most `most`: larger totals are cut off. */
export function addSums(a: Sums, b: Sums, most: number): Sums {
  const [onlyA] = a;
  const [onlyB] = b;
  if (onlyA === undefined || onlyB === undefined) return EMPTY;
  if (a.length === 1 && b.length === 1) {
    const low = onlyA[0] + onlyB[0];
    return low > most ? EMPTY : [[low, Math.min(most, onlyA[1] + onlyB[1])]];
  }
  const all: (readonly [number, number])[] = [];
  for (const [lowA, highA] of a)
    for (const [lowB, highB] of b) if (lowA + lowB <= most) all.push([lowA + lowB, Math.min(most, highA + highB)]);
  return merge(all);
}

export function unite(a: Sums, b: Sums): Sums {
  if (a.length === 0) return b;
  if (b.length === 0) return a;
  return merge([...a, ...b]);
}

export function clip(sums: Sums, low: number, high: number): Sums {
  const result: (readonly [number, number])[] = [];
  for (const [from, to] of sums) {
    const [a, b] = [Math.max(from, low), Math.min(to, high)];
    if (a <= b) result.push([a, b]);
  }
  return result;
}

/** How many whole groups of `size` the members hold that are made of groups and `rest` pods over. */
export function inGroups(sums: Sums, size: number, rest: number): Sums {
  const result: (readonly [number, number])[] = [];
  for (const [low, high] of sums) {
    const [from, to] = [Math.max(0, Math.ceil((low - rest) / size)), Math.floor((high - rest) / size)];
    if (from <= to) result.push([from, to]);
  }
  return merge(result);
}

export function reaches(sums: Sums, total: number): boolean {
  return sums.some(([low, high]) => low <= total && total <= high);
}

/** The largest member, or undefined. */
export function largest(sums: Sums): number | undefined {
  return sums.at(-1)?.[1];
}

/** The smallest member x of `part` such that total - x is a member of `rest`. */
export function smallestPart(part: Sums, rest: Sums, total: number): number | undefined {
  for (const [low, high] of part) {
    let best: number | undefined;
    for (const [from, to] of rest) {
      const least = Math.max(low, total - to);
      if (least <= Math.min(high, total - from) && (best === undefined || least < best)) best = least;
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

function merge(intervals: (readonly [number, number])[]): Sums {
  intervals.sort((a, b) => a[0] - b[0]);
  const result: [number, number][] = [];
  for (const [low, high] of intervals) {
    const last = result.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else result.push([low, high]);
  }
  return result;
}
