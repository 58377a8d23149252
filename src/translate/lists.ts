import type { Json } from "../model/index.ts";
import { valueHash } from "./hash.ts";

/**
 * What each element of a list was when its edits were undone: one of ours (its hash), or null for one of the user's.
 * By it an edit that stays keeps its place.
 */
export type Trace = readonly (string | null)[];

/** How many of each hash are looked for. */
export type Wanted = ReadonlyMap<string, number>;

export function countHashes(hashes: Iterable<string>): Wanted {
  const counts = new Map<string, number>();
  for (const hash of hashes) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  return counts;
}

export interface Taken {
  /** What is left. */
  readonly rest: readonly Json[];
  readonly trace: Trace;
  /** The elements taken, in list order. */
  readonly values: readonly { readonly hash: string; readonly value: Json }[];
}

/** Takes elements out by hash, one for each wanted, from the back: ours were appended. */
export function takeItems(list: readonly Json[], wanted: Wanted): Taken {
  const left = new Map(wanted);
  const trace: (string | null)[] = new Array<string | null>(list.length).fill(null);
  for (let index = list.length - 1; index >= 0; index -= 1) {
    const hash = valueHash(list[index]);
    const count = hash === undefined ? 0 : (left.get(hash) ?? 0);
    if (hash === undefined || count === 0) continue;
    left.set(hash, count - 1);
    trace[index] = hash;
  }
  const values = list.flatMap((value, index) => {
    const hash = trace[index] ?? null;
    return hash === null ? [] : [{ hash, value }];
  });
  return { rest: list.filter((_, index) => trace[index] === null), trace, values };
}

/** Puts edits into a list: those that the trace knows where it has them, the others at the end, in their order. */
export function weave(
  base: readonly Json[],
  edits: readonly { readonly hash: string; readonly value: Json }[],
  trace: Trace | undefined,
): readonly Json[] {
  const waiting = new Map<string, Json[]>();
  for (const { hash, value } of edits) {
    const list = waiting.get(hash);
    if (list === undefined) waiting.set(hash, [value]);
    else list.push(value);
  }
  const result: Json[] = [];
  let next = 0;
  for (const mark of trace ?? []) {
    if (mark === null) {
      if (next < base.length) result.push(base[next] ?? null);
      next += 1;
    } else {
      const value = waiting.get(mark)?.shift();
      if (value !== undefined) result.push(value);
    }
  }
  result.push(...base.slice(next));
  for (const { hash } of edits) {
    const value = waiting.get(hash)?.shift();
    if (value !== undefined) result.push(value);
  }
  return result;
}
