import { integerAt, isArray, isObject, type Json, stringAt, valueAt } from "../model/index.ts";
import { places, plainPath, templatePath } from "./path.ts";

type Handler = (...args: never[]) => unknown;

/**
 * What expressions of the kind table may call, by CEL signature. Every function accepts any value: what is absent, null or of another type reads as
 * the default, so that a damaged manifest never makes an expression fail.
 */
export const functions: readonly (readonly [string, Handler])[] = [
  ["whole(dyn, string, int): int", (root: Json, path: string, fallback: bigint) => count(root, path) ?? fallback],
  [
    "text(dyn, string, string): string",
    (root: Json, path: string, fallback: string) => text(valueAt(root, plainPath(path))) ?? fallback,
  ],
  [
    "flag(dyn, string, bool): bool",
    (root: Json, path: string, fallback: boolean) => flag(valueAt(root, plainPath(path))) ?? fallback,
  ],
  ["given(dyn, string): bool", (root: Json, path: string) => (valueAt(root, plainPath(path)) ?? null) !== null],
  [
    "setting(dyn, string, string, string): string",
    (root: Json, path: string, key: string, fallback: string) => setting(root, path, key) ?? fallback,
  ],
  [
    "settingWhole(dyn, string, string, int): int",
    (root: Json, path: string, key: string, fallback: bigint) => digits(setting(root, path, key)) ?? fallback,
  ],
  ["share(dyn, string, string, int, bool): int", share],
  ["total(dyn, string, int): int", total],
  ["items(dyn, string, string, string): int", items],
  ["member(dyn, string, string, string, string, int): int", member],
  ["min(int, int): int", (a: bigint, b: bigint) => (a < b ? a : b)],
  ["max(int, int): int", (a: bigint, b: bigint) => (a > b ? a : b)],
  ["ceilDiv(int, int): int", (a: bigint, b: bigint) => (b <= 0n ? a : (a + b - 1n) / b)],
  ["lower(string): string", (value: string) => value.toLowerCase()],
];

/** A whole number of at least zero. */
function count(root: Json, path: string): bigint | undefined {
  const value = integerAt(root, plainPath(path));
  return value === undefined || value < 0 ? undefined : BigInt(value);
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string"
    ? value
    : typeof value === "number" || typeof value === "boolean"
      ? String(value)
      : undefined;
}

function flag(value: Json | undefined): boolean | undefined {
  return typeof value === "boolean" ? value : value === "true" ? true : value === "false" ? false : undefined;
}

function digits(value: string | undefined): bigint | undefined {
  return value !== undefined && /^\d{1,15}$/.test(value) ? BigInt(value) : undefined;
}

/** A key with dots in it, written whole, nested, or partly nested, as Flink reads its configuration; the whole key wins. */
function setting(root: Json, path: string, key: string): string | undefined {
  return nested(valueAt(root, plainPath(path)), key.split("."));
}

function nested(value: Json | undefined, words: readonly string[]): string | undefined {
  if (words.length > 12) return undefined;
  for (let taken = words.length; taken > 0; taken -= 1) {
    const inner = valueAt(value, [words.slice(0, taken).join(".")]);
    const found =
      taken === words.length ? text(inner) : isObject(inner) ? nested(inner, words.slice(taken)) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A number, or a percentage of `of` (maxSurge, maxUnavailable), rounded up or down. */
function share(root: Json, path: string, fallback: string, of: bigint, up: boolean): bigint {
  const at = plainPath(path);
  const absolute = integerAt(root, at);
  if (absolute !== undefined) return BigInt(Math.max(0, absolute));
  for (const written of [stringAt(root, at), fallback]) {
    const percent = digits(/^(\d{1,6})%$/.exec(written ?? "")?.[1]);
    if (percent !== undefined) return (of * percent + (up ? 99n : 0n)) / 100n;
    const plain = digits(written);
    if (plain !== undefined) return plain;
  }
  return 0n;
}

/** The sum of a whole number over every place of a path with `[*]` or `{*}`; an item without it counts as `fallback`. */
function total(root: Json, path: string, fallback: bigint): bigint {
  const compiled = templatePath(path);
  if (compiled === undefined || !isObject(root)) return 0n;
  let sum = 0n;
  for (const place of places(root, compiled)) sum += count(place.value ?? null, "$") ?? fallback;
  return sum;
}

/** How many items a path with `[*]` or `{*}` stands for whose `key` reads `value`. */
function items(root: Json, path: string, key: string, value: string): bigint {
  const compiled = templatePath(path);
  if (compiled === undefined || !isObject(root)) return 0n;
  return BigInt(places(root, compiled).filter((place) => text(valueAt(place.value, plainPath(key))) === value).length);
}

/** `value` of the first item of a list whose own list `names` contains `name`. */
function member(root: Json, list: string, names: string, name: string, value: string, fallback: bigint): bigint {
  const items = valueAt(root, plainPath(list));
  for (const item of isArray(items) ? items : []) {
    const own = valueAt(item, plainPath(names));
    if (isArray(own) && own.includes(name)) return count(item, value) ?? fallback;
  }
  return fallback;
}
