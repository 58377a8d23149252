import { isArray, isObject, type Json, type JsonObject, memo, type Path, valueAt } from "../model/index.ts";

type Step = { readonly key: string } | { readonly each: "list" | "map" };

/** A path of the kind table: dotted keys, `[*]` for every list item, `{*}` for every map value; `$` is the object itself. */
export interface TemplatePath {
  readonly steps: readonly Step[];
  /** Steps up to and including the last `[*]` or `{*}`. */
  readonly itemLength: number;
}

/** One place that a template path stands for in one object. The value may be absent there. */
export interface Place {
  readonly path: Path;
  readonly itemPath: Path;
  readonly item: JsonObject;
  /** The map key of the item; empty in lists. */
  readonly key: string;
  /** The list index of the item. */
  readonly index: number | undefined;
  readonly value: Json | undefined;
}

/** Undefined for text that is not a template path. */
export function templatePath(text: string): TemplatePath | undefined {
  return text.length > LONGEST ? undefined : parsed(text).path;
}

const LONGEST = 300;
/** The kind table says few paths, and each review asks for the same ones. */
const KEPT_PATHS = 512;
const parsed = memo(KEPT_PATHS, (text) => ({ path: parse(text) }));
const split = memo(KEPT_PATHS, (text): Path => text.split("."));

function parse(text: string): TemplatePath | undefined {
  if (text === "$") return { steps: [], itemLength: 0 };
  const steps: Step[] = [];
  let itemLength = 0;
  for (const segment of text.split(".")) {
    const match = /^([A-Za-z][A-Za-z0-9_-]*)(\[\*\]|\{\*\})?$/.exec(segment);
    if (match === null) return undefined;
    steps.push({ key: match[1] ?? "" });
    if (match[2] === undefined) continue;
    steps.push({ each: match[2] === "[*]" ? "list" : "map" });
    itemLength = steps.length;
  }
  return { steps, itemLength };
}

/**
 * Every place that the path stands for. A list or map that is absent, null or of another shape has no items, and items that are not objects
 * are left out; beyond the last item nothing needs to exist.
 */
export function places(object: JsonObject, path: TemplatePath): readonly Place[] {
  let found: Place[] = [{ path: [], itemPath: [], item: object, key: "", index: undefined, value: object }];
  for (const step of path.steps) {
    if ("key" in step) {
      found = found.map((place) => ({
        ...place,
        path: [...place.path, step.key],
        value: valueAt(place.value, [step.key]),
      }));
    } else {
      found = found.flatMap((place) => items(place, step.each));
    }
  }
  return found;
}

function items(place: Place, each: "list" | "map"): Place[] {
  const { value } = place;
  const keys = each === "list" ? (isArray(value) ? [...value.keys()] : []) : isObject(value) ? Object.keys(value) : [];
  return keys.flatMap((key) => {
    const item = valueAt(value, [key]);
    if (!isObject(item)) return [];
    const path = [...place.path, key];
    return [
      {
        path,
        itemPath: path,
        item,
        key: typeof key === "string" ? key : "",
        index: typeof key === "number" ? key : undefined,
        value: item,
      },
    ];
  });
}

/** A path without `[*]` below an item, as written in the table (`spec.labels`). */
export function plainPath(text: string): Path {
  return text === "$" ? [] : text.length > LONGEST ? text.split(".") : split(text);
}

/** A secondary path of a template: from the item, or from the object where it begins with `$.`. */
export function secondaryPath(text: string, itemPath: Path): Path {
  return text.startsWith("$.") ? plainPath(text.slice(2)) : [...itemPath, ...plainPath(text)];
}
