import {
  addTo,
  arrayAt,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  NODE_NAME_FIELD,
  type Path,
  parseQuantity,
  type Quantity,
  type Requirement,
  type Requirements,
  type Resources,
  schedulerUnits,
  selectorExpression,
  stringAt,
  type Taint,
  type TaintEffect,
  toText,
  valueAt,
} from "../model/index.ts";
import { createPool, recent } from "./pool.ts";

/** Collects what is wrong with one object. An object with any fault is skipped: half of an object would be a wrong answer. */
export interface Faults {
  add(path: Path, message: string): void;
  readonly found: readonly { readonly path: Path; readonly message: string }[];
}

export function faults(): Faults {
  const found: { path: Path; message: string }[] = [];
  return { found, add: (path, message) => void found.push({ path, message }) };
}

/** Amounts, labels and taints repeat over thousands of objects: each text is parsed once, and equal ones are one object. */
export interface AmountReader {
  /** In scheduler units; undefined for what is no quantity. */
  units(resource: string, value: Json | undefined): number | undefined;
  /** The one object that stands for all equal ones. */
  shared<T extends object>(value: T): T;
  /** The one text that stands for all equal ones. */
  text(value: string): string;
}

export function amountReader(): AmountReader {
  const cpu = recent<{ readonly units: number | undefined }>();
  const other = recent<{ readonly units: number | undefined }>();
  const pool = createPool();
  return {
    units(resource, value) {
      if (typeof value !== "string" && typeof value !== "number") return undefined;
      const text = String(value);
      const cache = resource === "cpu" ? cpu : other;
      const known = cache.get(text);
      if (known !== undefined) return known.units;
      const quantity = parseQuantity(value);
      const units = quantity === undefined ? undefined : schedulerUnits(resource, quantity);
      return cache.set(text, { units }).units;
    },
    shared: pool.same,
    text: pool.text,
  };
}

/** A ResourceList in scheduler units. */
export function resourcesAt(object: JsonObject, path: Path, amounts: AmountReader, problems: Faults): Resources {
  const result: Record<string, number> = Object.create(null);
  const list = mapAt(object, path, problems);
  for (const name of Object.keys(list)) {
    const units = amounts.units(name, list[name]);
    if (units === undefined) problems.add([...path, name], `must be a resource quantity, not ${shown(list[name])}`);
    else if (units < 0) problems.add([...path, name], `must not be negative, but is ${shown(list[name])}`);
    else result[name] = units;
  }
  return amounts.shared(result);
}

/** A map of strings to strings, such as labels. */
export function stringsAt(object: JsonObject, path: Path, problems: Faults): Readonly<Record<string, string>> {
  const result: Record<string, string> = Object.create(null);
  const map = mapAt(object, path, problems);
  for (const key of Object.keys(map)) {
    const value = map[key];
    if (typeof value === "string") result[key] = value;
    else problems.add([...path, key], `must be a string, not ${shown(value)}`);
  }
  return result;
}

/** The same of labels, shared with equal ones. */
export function labelsAt(
  object: JsonObject,
  path: Path,
  amounts: AmountReader,
  problems: Faults,
): Readonly<Record<string, string>> {
  const result = stringsAt(object, path, problems) as Record<string, string>;
  for (const key of Object.keys(result)) result[key] = amounts.text(result[key] ?? "");
  return amounts.shared(result);
}

/** `within` is where `object` stands in the whole. */
export function mapAt(object: Json | undefined, path: Path, problems: Faults, within: Path = []): JsonObject {
  const value = valueAt(object, path);
  if (value === undefined || value === null) return {};
  if (isObject(value)) return value;
  problems.add([...within, ...path], `must be a mapping, not ${shown(value)}`);
  return {};
}

/** The same of a list. */
export function listAt(object: Json | undefined, path: Path, problems: Faults, within: Path = []): readonly Json[] {
  const value = valueAt(object, path);
  if (value === undefined || value === null) return [];
  if (isArray(value)) return value;
  problems.add([...within, ...path], `must be a list, not ${shown(value)}`);
  return [];
}

/** A string that must be there. `within` is where `object` stands in the whole. */
export function textAt(object: Json | undefined, path: Path, problems: Faults, within: Path = []): string {
  const value = valueAt(object, path);
  if (typeof value === "string" && value !== "") return value;
  problems.add([...within, ...path], value === undefined ? "is missing" : `must be a string, not ${shown(value)}`);
  return "";
}

const EFFECTS: readonly string[] = ["NoSchedule", "PreferNoSchedule", "NoExecute"];

/** Taints of nodes. */
export function taintsAt(object: Json | undefined, path: Path, problems: Faults, within: Path = []): readonly Taint[] {
  return listAt(object, path, problems, within).flatMap((entry, index): readonly Taint[] => {
    const effect = stringAt(entry, ["effect"]) ?? "";
    const place: Path = [...within, ...path, index];
    const taint = { ...keyAndValue(entry, problems, place), effect: effect as TaintEffect };
    if (EFFECTS.includes(effect)) return [taint];
    problems.add([...place, "effect"], `must be one of ${EFFECTS.join(", ")}, not ${shown(effect)}`);
    return [];
  });
}

/** Taints of devices. Effect `None` informs only, and so does any that may be added to the API: those are left out. */
export function deviceTaintsAt(
  object: Json | undefined,
  path: Path,
  problems: Faults,
  within: Path = [],
): readonly Taint[] {
  return listAt(object, path, problems, within).flatMap((entry, index): readonly Taint[] => {
    const place: Path = [...within, ...path, index];
    const effect = textAt(entry, ["effect"], problems, place);
    if (effect !== "NoSchedule" && effect !== "NoExecute") return [];
    return [{ ...keyAndValue(entry, problems, place), effect }];
  });
}

function keyAndValue(entry: Json, problems: Faults, place: Path): Pick<Taint, "key" | "value"> {
  return { key: textAt(entry, ["key"], problems, place), value: stringAt(entry, ["value"]) ?? "" };
}

/** A core/v1 NodeSelector of exactly one term, as slices carry it. */
export function nodeTerm(selector: Json | undefined, path: Path, problems: Faults): Requirements {
  const terms = arrayAt(selector, ["nodeSelectorTerms"]);
  let result: Requirements = new Map();
  if (terms.length !== 1) problems.add(path, `must have exactly one term, not ${terms.length}`);
  for (const field of ["matchExpressions", "matchFields"] as const) {
    for (const expression of arrayAt(terms[0], [field])) {
      const one: Requirement | undefined = selectorExpression(expression, field === "matchExpressions");
      if (one === undefined || (field === "matchFields" && one.key !== NODE_NAME_FIELD))
        problems.add([...path, field], `has an expression that the API server refuses: ${shown(expression)}`);
      else result = addTo(result, one);
    }
  }
  if (result.size === 0) problems.add(path, "must select by at least one expression");
  return result;
}

/** A quantity kept exact. */
export function quantityAt(value: Json | undefined): Quantity | undefined {
  return typeof value === "string" || typeof value === "number" ? parseQuantity(value) : undefined;
}

/** A value in a message: short, on one line. */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "absent";
  if (isArray(value)) return `a list of ${value.length}`;
  if (isObject(value)) return "a mapping";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
}

export function faultText(fault: { readonly path: Path; readonly message: string }): string {
  return `${toText(fault.path)} ${fault.message}`;
}

const MAX_DEPTH = 100;

/** May the value be kept and walked by recursion elsewhere. */
export function isShallow(root: Json): boolean {
  let level: Json[] = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    const next: Json[] = [];
    for (const value of level) {
      if (isArray(value)) for (const item of value) next.push(item);
      else if (isObject(value)) for (const key of Object.keys(value)) next.push(value[key] ?? null);
    }
    level = next;
  }
  return true;
}
