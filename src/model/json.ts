/** JSON as it is read from a manifest or a review. Objects are never changed in place. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [key: string]: Json | undefined;
}

/** A place inside a JSON document: object keys and array indices, outermost first. */
export type Path = readonly (string | number)[];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function isArray(value: unknown): value is readonly Json[] {
  return Array.isArray(value);
}

/** The value at `path`, or undefined where any parent is absent, null or of another shape. */
export function valueAt(root: Json | undefined, path: Path): Json | undefined {
  let value: Json | undefined = root;
  for (const step of path) {
    if (typeof step === "number") value = isArray(value) ? value[step] : undefined;
    else value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}

/** The object at `path`; absent, null and other shapes read as the empty object. */
export function objectAt(root: Json | undefined, path: Path): JsonObject {
  const value = valueAt(root, path);
  return isObject(value) ? value : {};
}

/** The array at `path`; absent, null and other shapes read as the empty array. */
export function arrayAt(root: Json | undefined, path: Path): readonly Json[] {
  const value = valueAt(root, path);
  return isArray(value) ? value : [];
}

export function stringAt(root: Json | undefined, path: Path): string | undefined {
  const value = valueAt(root, path);
  return typeof value === "string" ? value : undefined;
}

/** A whole number written as JSON number or decimal string. */
export function integerAt(root: Json | undefined, path: Path): number | undefined {
  const value = valueAt(root, path);
  if (typeof value === "number") return Number.isSafeInteger(value) ? value : undefined;
  if (typeof value === "string" && /^-?\d{1,15}$/.test(value)) return Number(value);
  return undefined;
}

/** String values of a string map; entries of other types are left out (the API server refuses them). */
export function stringMapAt(root: Json | undefined, path: Path): Readonly<Record<string, string>> {
  const result: Record<string, string> = Object.create(null);
  for (const [key, value] of Object.entries(objectAt(root, path))) if (typeof value === "string") result[key] = value;
  return result;
}

/** RFC 6901 JSON pointer. */
export function toPointer(path: Path): string {
  let text = "";
  for (const step of path)
    text +=
      typeof step === "string" && /[~/]/.test(step)
        ? `/${step.replaceAll("~", "~0").replaceAll("/", "~1")}`
        : `/${step}`;
  return text;
}

/** The form used in messages: `spec.template.metadata.labels["a/b"].containers[0]`. */
export function toText(path: Path): string {
  let text = "";
  for (const step of path) {
    if (typeof step === "number") text += `[${step}]`;
    else if (/^[A-Za-z_$][\w$-]*$/.test(step)) text += text === "" ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text === "" ? "(document)" : text;
}

/** Same value; keys without a value count as absent. Works at any depth of nesting. */
export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  const pending: [Json | undefined, Json | undefined][] = [[a, b]];
  for (let pair = pending.pop(); pair !== undefined; pair = pending.pop()) {
    const [x, y] = pair;
    if (x === y) continue;
    if (isArray(x) && isArray(y)) {
      if (x.length !== y.length) return false;
      for (const [index, item] of x.entries()) pending.push([item, y[index]]);
    } else if (isObject(x) && isObject(y)) {
      const keys = keysOf(x);
      if (keys.length !== keysOf(y).length) return false;
      for (const key of keys) {
        if (!Object.hasOwn(y, key)) return false;
        pending.push([x[key], y[key]]);
      }
    } else return false;
  }
  return true;
}

/** Values nested deeper than this are written without recursion. */
const NESTED = 100;

/** Text with sorted keys: equal values give equal text. Works at any depth of nesting. */
export function canonicalJson(value: Json | undefined): string {
  return canonical(value, NESTED);
}

function canonical(value: Json | undefined, left: number): string {
  if (typeof value === "string") return quoted(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value ?? null);
  if (left === 0) return canonicalDeep(value);
  let text = "";
  if (isArray(value)) {
    for (let index = 0; index < value.length; index += 1)
      text += index === 0 ? canonical(value[index], left - 1) : `,${canonical(value[index], left - 1)}`;
    return `[${text}]`;
  }
  for (const key of Object.keys(value).sort()) {
    const item = value[key];
    if (item !== undefined) text += `${text === "" ? "" : ","}${quoted(key)}:${canonical(item, left - 1)}`;
  }
  return `{${text}}`;
}

/** As JSON has it. Most texts of a manifest need no escape, and finding that out is cheaper than to ask. */
export function quoted(text: string): string {
  if (text.length > SHORT) return JSON.stringify(text);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x20 || unit > 0x7e || unit === 0x22 || unit === 0x5c) return JSON.stringify(text);
  }
  return `"${text}"`;
}

const SHORT = 100;

function canonicalDeep(value: Json): string {
  const parts: string[] = [];
  const pending: ({ readonly text: string } | { readonly value: Json | undefined })[] = [{ value }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if ("text" in next) parts.push(next.text);
    else if (isArray(next.value)) {
      pending.push({ text: "]" });
      for (const [index, item] of [...next.value.entries()].reverse())
        pending.push({ value: item }, { text: index === 0 ? "" : "," });
      parts.push("[");
    } else if (isObject(next.value)) {
      const object = next.value;
      pending.push({ text: "}" });
      for (const [index, key] of [...keysOf(object).sort().entries()].reverse()) {
        pending.push({ value: object[key] }, { text: `${index === 0 ? "" : ","}${JSON.stringify(key)}:` });
      }
      parts.push("{");
    } else parts.push(JSON.stringify(next.value ?? null));
  }
  return parts.join("");
}

function keysOf(object: JsonObject): string[] {
  return Object.keys(object).filter((key) => object[key] !== undefined);
}
