import { digest, isArray, isObject, type Json } from "../model/index.ts";

/** Deeper values are none of ours. Without recursion, since the depth of what users send is not bounded. */
const DEPTH = 32;

/** Is the value nested at most `depth` levels. */
export function shallow(value: Json | undefined, depth: number): boolean {
  let level: readonly (Json | undefined)[] = [value];
  for (let left = depth; level.length > 0; left -= 1) {
    if (left < 0) return false;
    const next: (Json | undefined)[] = [];
    for (const item of level) {
      if (isArray(item)) for (const child of item) next.push(child);
      else if (isObject(item)) for (const child of Object.values(item)) next.push(child);
    }
    level = next;
  }
  return true;
}

/** Twelve hexadecimal digits; undefined for a value too deep to be one that Plimsoll wrote. */
export function valueHash(value: Json | undefined): string | undefined {
  return typeof value === "string" || (value !== undefined && shallow(value, DEPTH)) ? digest(value) : undefined;
}
