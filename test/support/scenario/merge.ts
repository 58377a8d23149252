import { isObject, type Json } from "../../../src/model/index.ts";

/** Objects merge field by field, null removes a field, everything else replaces. */
export function merged(base: Json | undefined, over: Json | undefined): Json {
  if (over === undefined) return base ?? null;
  if (!isObject(over)) return over;
  const result: Record<string, Json | undefined> = isObject(base) ? { ...base } : {};
  for (const [key, value] of Object.entries(over)) {
    if (value === null) delete result[key];
    else result[key] = merged(result[key], value);
  }
  return result;
}
