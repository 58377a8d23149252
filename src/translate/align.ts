import { canonicalJson, isArray, isObject, type Json } from "../model/index.ts";
import { shallow } from "./hash.ts";

/** Indices (before, after), ascending in both: elements that stay, and elements that are changed in place. */
export interface Pair {
  readonly old: number;
  readonly next: number;
  readonly equal: boolean;
}

type Range = readonly [number, number];

/**
 * Pairs equal elements (by identity, then by canonical text) in the longest common order, by patience sorting over
 * the n-th occurrence of each; then, between two such anchors, elements that can be changed in place: of one `name`,
 * or at the same place in gaps of one size. O(n log n).
 */
export function alignLists(
  before: readonly Json[],
  after: readonly Json[],
  same: (a: Json, b: Json) => boolean,
): readonly Pair[] {
  let head = 0;
  while (head < before.length && head < after.length && same(before[head] ?? null, after[head] ?? null)) head += 1;
  let tail = 0;
  const room = Math.min(before.length, after.length) - head;
  while (tail < room && same(before[before.length - 1 - tail] ?? null, after[after.length - 1 - tail] ?? null))
    tail += 1;

  const pairs: Pair[] = [];
  for (let index = 0; index < head; index += 1) pairs.push({ old: index, next: index, equal: true });
  let old = head;
  let next = head;
  const oldEnd = before.length - tail;
  const nextEnd = after.length - tail;
  for (const [oldAnchor, nextAnchor] of anchors(before, after, head, oldEnd, nextEnd)) {
    pairGap(before, after, [old, oldAnchor], [next, nextAnchor], pairs);
    pairs.push({ old: oldAnchor, next: nextAnchor, equal: true });
    old = oldAnchor + 1;
    next = nextAnchor + 1;
  }
  pairGap(before, after, [old, oldEnd], [next, nextEnd], pairs);
  for (let index = 0; index < tail; index += 1) pairs.push({ old: oldEnd + index, next: nextEnd + index, equal: true });
  return pairs;
}

function anchors(
  before: readonly Json[],
  after: readonly Json[],
  head: number,
  oldEnd: number,
  nextEnd: number,
): readonly Range[] {
  const places = new Map<Json | string, number[]>();
  for (let index = oldEnd - 1; index >= head; index -= 1) push(places, identity(before[index] ?? null), index);
  const matched: [number, number][] = [];
  for (let index = head; index < nextEnd; index += 1) {
    const found = places.get(identity(after[index] ?? null))?.pop();
    if (found !== undefined) matched.push([found, index]);
  }
  return longestAscending(matched);
}

const DEPTH = 64;
/** Equal elements have one identity; elements too deep to compare are only themselves. */
function identity(value: Json): Json | string {
  return shallow(value, DEPTH) ? `${typeof value}:${canonicalJson(value)}` : value;
}

function push(places: Map<Json | string, number[]>, key: Json | string, index: number): void {
  const list = places.get(key);
  if (list === undefined) places.set(key, [index]);
  else list.push(index);
}

/** Longest subsequence with ascending first members (patience sorting). */
function longestAscending(pairs: readonly Range[]): readonly Range[] {
  const tops: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([old], index) => {
    let low = 0;
    let high = tops.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[0] ?? 0) < old) low = middle + 1;
      else high = middle;
    }
    previous[index] = low === 0 ? -1 : (tops[low - 1] ?? -1);
    tops[low] = index;
  });
  const result: Range[] = [];
  for (let at = tops.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) result.push(pair);
  }
  return result.reverse();
}

function pairGap(before: readonly Json[], after: readonly Json[], old: Range, next: Range, pairs: Pair[]): void {
  const places = new Map<string, number>();
  for (let index = old[0]; index < old[1]; index += 1) {
    const name = nameOf(before[index]);
    if (name !== undefined && !places.has(name)) places.set(name, index);
  }
  const even = old[1] - old[0] === next[1] - next[0];
  let from = old[0];
  for (let index = next[0]; index < next[1]; index += 1) {
    const name = nameOf(after[index]);
    const found = name === undefined ? undefined : places.get(name);
    const opposite = old[0] + index - next[0];
    const place =
      found ??
      (even && name === undefined && nameOf(before[opposite]) === undefined && alike(before[opposite], after[index])
        ? opposite
        : undefined);
    if (place === undefined || place < from) continue;
    pairs.push({ old: place, next: index, equal: false });
    from = place + 1;
  }
}

const nameOf = (value: Json | undefined): string | undefined =>
  isObject(value) && typeof value["name"] === "string" ? value["name"] : undefined;
const alike = (a: Json | undefined, b: Json | undefined): boolean =>
  (isObject(a) && isObject(b)) || (isArray(a) && isArray(b));
