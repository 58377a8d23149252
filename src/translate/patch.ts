import { isArray, isObject, type Json, type JsonObject, jsonEqual, type Path, toPointer } from "../model/index.ts";
import { alignLists } from "./align.ts";
import { shallow } from "./hash.ts";

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
    else differ(value, next, [...path, key], out);
  }
  for (const key of Object.keys(after)) {
    const value = after[key];
    if (value === undefined || (Object.hasOwn(before, key) && before[key] !== undefined)) continue;
    out.push({ op: "add", path: toPointer([...path, key]), value });
  }
}

/** Removals from the back, then changes and additions from the front: each index is the one that holds at that moment. */
function differArrays(before: readonly Json[], after: readonly Json[], path: Path, out: PatchOperation[]): void {
  const pairs = alignLists(before, after, same);
  const kept = new Set(pairs.map(([old]) => old));
  for (let index = before.length - 1; index >= 0; index -= 1) {
    if (!kept.has(index)) out.push({ op: "remove", path: toPointer([...path, index]) });
  }
  const oldOf = new Map(pairs.map(([old, next]) => [next, old]));
  after.forEach((value, index) => {
    const old = oldOf.get(index);
    if (old === undefined) out.push({ op: "add", path: toPointer([...path, index]), value });
    else if (!same(before[old] ?? null, value)) differ(before[old] ?? null, value, [...path, index], out);
  });
}

function same(a: Json, b: Json): boolean {
  return a === b || (shallow(a, DEPTH) && shallow(b, DEPTH) && jsonEqual(a, b));
}
