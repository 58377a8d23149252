import { isArray, isObject, type Json, type JsonObject, stringAt, valueAt } from "../model/index.ts";

const DEEPEST = 64;

/**
 * One template over another, as Flink's operator does it: objects by key, lists by position or by the items' names, everything else from the
 * second. Null and absent values of the second leave the first.
 */
export function mergeTemplates(base: JsonObject, over: JsonObject, byName: boolean): JsonObject {
  return mergeObjects(base, over, byName, 0);
}

function merge(base: Json | undefined, over: Json | undefined, byName: boolean, depth: number): Json | undefined {
  if (over === undefined || over === null) return base;
  if (depth > DEEPEST) return over;
  if (isObject(base) && isObject(over)) return mergeObjects(base, over, byName, depth);
  if (isArray(base) && isArray(over))
    return byName ? mergeByName(base, over, depth) : mergeByPosition(base, over, depth);
  return over;
}

function mergeObjects(base: JsonObject, over: JsonObject, byName: boolean, depth: number): JsonObject {
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries(
    [...keys].map((key) => [key, merge(valueAt(base, [key]), valueAt(over, [key]), byName, depth + 1)]),
  );
}

function mergeByPosition(base: readonly Json[], over: readonly Json[], depth: number): Json[] {
  const length = Math.max(base.length, over.length);
  return Array.from({ length }, (_, index) => merge(base[index], over[index], false, depth + 1) ?? null);
}

function mergeByName(base: readonly Json[], over: readonly Json[], depth: number): readonly Json[] {
  const names = new Map(over.map((item) => [stringAt(item, ["name"]), item]));
  if (names.has(undefined) || base.some((item) => stringAt(item, ["name"]) === undefined)) return over;
  const merged = base.map((item) => merge(item, names.get(stringAt(item, ["name"])), true, depth + 1) ?? null);
  const known = new Set(base.map((item) => stringAt(item, ["name"])));
  return [...merged, ...over.filter((item) => !known.has(stringAt(item, ["name"])))];
}
