import { isArray, isObject, type Json, type JsonObject, type Path, toPointer } from "../model/index.ts";
import { alignLists } from "./align.ts";

/** RFC 6902, the three operations that are emitted. */
export type PatchOperation =
  | { readonly op: "add" | "replace"; readonly path: string; readonly value: Json }
  | { readonly op: "remove"; readonly path: string };

/** Below this depth a changed value is replaced whole: the recursion is bounded whatever a user sends. */
const DEPTH = 64;

/**
 * Operations that turn `before` into `after`, in the order in which they apply. Subtrees that both share by reference
 * are not entered, so that after copy-on-write edits the work follows the edits and not the object; an inserted
 * element is one operation and moves nothing behind it.
 */
export function patchBetween(before: JsonObject, after: JsonObject): readonly PatchOperation[] {
  const operations: PatchOperation[] = [];
  differObjects(before, after, [], operations);
  return operations;
}

function differ(before: Json, after: Json, path: Path, out: PatchOperation[]): void {
  if (before === after) return;
  const deep = path.length >= DEPTH;
  if (!deep && isObject(before) && isObject(after)) differObjects(before, after, path, out);
  else if (!deep && isArray(before) && isArray(after)) differArrays(before, after, path, out);
  else out.push({ op: "replace", path: toPointer(path), value: after });
}

function differObjects(before: JsonObject, after: JsonObject, path: Path, out: PatchOperation[]): void {
  for (const key of Object.keys(before)) {
    const value = before[key];
    if (value === undefined) continue;
    const next = Object.hasOwn(after, key) ? after[key] : undefined;
    if (next === undefined) out.push({ op: "remove", path: toPointer([...path, key]) });
    else if (value !== next) differ(value, next, [...path, key], out);
  }
  for (const key of Object.keys(after)) {
    const value = after[key];
    if (value === undefined || (Object.hasOwn(before, key) && before[key] !== undefined)) continue;
    out.push({ op: "add", path: toPointer([...path, key]), value });
  }
}

/** Removals from the back, then changes and additions from the front: each index is the one that holds at that moment. */
function differArrays(before: readonly Json[], after: readonly Json[], path: Path, out: PatchOperation[]): void {
  const pairs = alignLists(before, after, (a, b) => equal(a, b, DEPTH));
  const kept = new Set(pairs.map((pair) => pair.old));
  for (let index = before.length - 1; index >= 0; index -= 1) {
    if (!kept.has(index)) out.push({ op: "remove", path: toPointer([...path, index]) });
  }
  const pairOf = new Map(pairs.map((pair) => [pair.next, pair]));
  after.forEach((value, index) => {
    const pair = pairOf.get(index);
    if (pair === undefined) out.push({ op: "add", path: toPointer([...path, index]), value });
    else if (!pair.equal) differ(before[pair.old] ?? null, value, [...path, index], out);
  });
}

/** Deeper values are equal only if they are the same. */
function equal(a: Json | undefined, b: Json | undefined, depth: number): boolean {
  if (a === b) return true;
  if (depth === 0) return false;
  if (isArray(a))
    return isArray(b) && a.length === b.length && a.every((item, index) => equal(item, b[index], depth - 1));
  if (!isObject(a) || !isObject(b)) return false;
  let count = 0;
  for (const key of Object.keys(a)) {
    if (a[key] === undefined) continue;
    if (!Object.hasOwn(b, key) || !equal(a[key], b[key], depth - 1)) return false;
    count += 1;
  }
  return Object.keys(b).filter((key) => b[key] !== undefined).length === count;
}
