import { isArray, type Json } from "../model/index.ts";

/** A normalised value as JSON, so that it can be digested: maps become objects, absent fields stay out. */
export function plainJson(value: unknown): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") return value;
  if (isArray(value)) return value.map(plainJson);
  const result: Record<string, Json> = {};
  const entries: Iterable<readonly [string, unknown]> = value instanceof Map ? value : Object.entries(value);
  for (const [key, item] of entries) if (item !== undefined) result[key] = plainJson(item);
  return result;
}
