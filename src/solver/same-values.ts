import type { Field } from "./field.ts";
import type { Domains } from "./topology-index.ts";

/** By the values of all labels at once; nodes that lack one are in no domain. */
export function sharedDomains(field: Field, keys: readonly string[]): Domains {
  const [first, ...others] = keys.map((key) => field.key(key));
  if (first === undefined || others.length === 0)
    return first ?? { of: new Int32Array(field.rows).fill(-1), names: [] };
  const numbers = new Map<string, number>();
  const names: string[] = [];
  const of = first.of.map((_, row) => {
    const values = [first, ...others].map((one) => one.names[one.of[row] ?? -1]);
    if (values.includes(undefined)) return -1;
    const text = JSON.stringify([first, ...others].map((one) => one.of[row]));
    const known = numbers.get(text) ?? names.push(values.join("/")) - 1;
    numbers.set(text, known);
    return known;
  });
  return { of, names };
}
