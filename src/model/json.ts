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
  return path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
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

export function jsonEqual(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (isArray(a)) return isArray(b) && a.length === b.length && a.every((item, index) => jsonEqual(item, b[index]));
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  const others = Object.keys(b).filter((key) => b[key] !== undefined);
  return keys.length === others.length && keys.every((key) => Object.hasOwn(b, key) && jsonEqual(a[key], b[key]));
}

/** Text with sorted keys: equal values give equal text. */
export function canonicalJson(value: Json | undefined): string {
  if (isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (isObject(value)) {
    const entries = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .sort()
      .map((key) => `${JSON.stringify(key)}:${canonicalJson(value[key])}`);
    return `{${entries.join(",")}}`;
  }
  return JSON.stringify(value ?? null);
}
