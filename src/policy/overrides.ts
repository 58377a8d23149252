import {
  type Contract,
  durationText,
  isArray,
  isObject,
  type Json,
  type OverrideBound,
  parseDuration,
} from "../model/index.ts";
import { type FieldType, fieldType, leafFields } from "./contractFields.ts";
import type { OverrideSpec } from "./schema/class.ts";
import { orList, suggestion } from "./suggest.ts";

/** Parts of a contract that never are for the workload to say. */
const GUARDED = ["tenancy.namespaces", "tenancy.limits", "admission"];

/** The bound that a class gives, or why it does not suit the field. */
export function readBound(
  field: string,
  spec: OverrideSpec,
): { readonly bound: OverrideBound } | { readonly fault: string; readonly hint?: string | undefined } {
  const type = fieldType(field.split("."));
  if (type === undefined)
    return {
      fault: `overrides names ${field}, which is not a field of a class.`,
      hint: suggestion(field, leafFields(), "Fields are"),
    };
  if (type.kind === "object") {
    const inside = leafFields().filter((leaf) => leaf.startsWith(`${field}.`));
    return {
      fault: `overrides names ${field}, which has fields of its own.`,
      hint: `Name those that may be set: ${inside.slice(0, 5).join(", ")}.`,
    };
  }
  const guarded = GUARDED.find((prefix) => field.startsWith(`${prefix}.`));
  if (guarded !== undefined)
    return {
      fault: `overrides names ${field}, but ${guarded} protects others, so a workload cannot set it.`,
      hint: "Take it off the list.",
    };
  if (spec === "any") return { bound: { kind: "any" } };
  if (spec === "subset") {
    if (type.kind === "list") return { bound: { kind: "subset" } };
    return {
      fault: `overrides.${field} is subset, but ${field} takes ${typeText(type)}, not a list.`,
      hint: boundHint(type),
    };
  }
  if (isList(spec)) {
    if (type.kind === "choice") {
      const { values } = type;
      const wrong = spec.find((value) => !values.includes(value));
      if (wrong !== undefined)
        return {
          fault: `overrides.${field} allows ${wrong}, which ${field} cannot be.`,
          hint: suggestion(wrong, values, "It can be"),
        };
    } else if (type.kind !== "text")
      return {
        fault: `overrides.${field} is a list of values, but ${field} takes ${typeText(type)}.`,
        hint: boundHint(type),
      };
    return { bound: { kind: "oneOf", values: spec } };
  }
  if (type.kind !== "number" && type.kind !== "duration") {
    return { fault: `overrides.${field} is a range, but ${field} takes ${typeText(type)}.`, hint: boundHint(type) };
  }
  const min = amount(type, spec.min);
  const max = amount(type, spec.max);
  const written = `${spec.min ?? ""} to ${spec.max ?? ""}`.trim();
  if (min === "wrong" || max === "wrong")
    return { fault: `overrides.${field} is ${written}, but ${field} takes ${typeText(type)}.`, hint: boundHint(type) };
  if (min !== undefined && max !== undefined && min > max)
    return { fault: `overrides.${field} allows ${written}, which is nothing.`, hint: "Swap min and max." };
  return { bound: { kind: "range", ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) } };
}

/** Why a value is outside the bound; undefined where it is inside. `own` is what the class itself says. */
export function outsideBound(
  field: string,
  value: Json,
  bound: OverrideBound,
  own: Json | undefined,
): string | undefined {
  switch (bound.kind) {
    case "any":
      return undefined;
    case "subset": {
      const allowed = isArray(own) ? own : [];
      const others = isArray(value) ? value.filter((one) => !allowed.includes(one)) : [value];
      return others.length === 0 ? undefined : `it may name ${orList(allowed.map(String))}`;
    }
    case "oneOf":
      return typeof value === "string" && bound.values.includes(value)
        ? undefined
        : `it may be ${orList(bound.values)}`;
    case "range": {
      const type = fieldType(field.split("."));
      const number = typeof value === "string" ? parseDuration(value) : value;
      const inside =
        typeof number === "number" && number >= (bound.min ?? -Infinity) && number <= (bound.max ?? Infinity);
      if (inside) return undefined;
      const text = (amount: number) => (type?.kind === "duration" ? durationText(amount) : String(amount));
      const least = bound.min === undefined ? "" : `at least ${text(bound.min)}`;
      const most = bound.max === undefined ? "" : `at most ${text(bound.max)}`;
      return `it may be ${[least, most].filter(Boolean).join(" and ")}`;
    }
  }
}

/** What a field that the schema writes in one way is called in the normalised contract, and its value there. */
function target(field: readonly string[], value: Json): { readonly path: readonly string[]; readonly value: Json } {
  const path = field[0] === "latency" ? field.filter((step) => step !== "objective") : field;
  if (fieldType(field)?.kind !== "duration" || typeof value !== "string") return { path, value };
  const last = path.at(-1) ?? "";
  return { path: [...path.slice(0, -1), `${last}Ms`], value: parseDuration(value) ?? 0 };
}

/** The value of a field in a contract, as JSON; undefined where it is absent. */
export function fieldValue(contract: Contract, field: readonly string[]): Json | undefined {
  const { path } = target(field, "0s");
  return valueBelow(contract, path) as Json | undefined;
}

/** The contract with one field set; undefined where it has no such part (a class without accelerators has no perPod). */
export function withField(contract: Contract, field: readonly string[], value: Json): Contract | undefined {
  if (field[0] === "accelerator" && contract.accelerator.kind !== "classes") return undefined;
  if (field[0] === "latency" && contract.latency === "none") return undefined;
  let base: unknown = contract;
  for (const [prefix, defaults] of partDefaults(contract)) {
    const inside = prefix.every((step, index) => field[index] === step);
    if (!inside || valueBelow(base, prefix) !== undefined) continue;
    // A part that must name a level begins with the level.
    if (prefix.length > 1 && field.at(-1) !== "level") return undefined;
    base = put(base, prefix, defaults);
  }
  const set = target(field, value);
  return put(base, set.path, set.value) as Contract;
}

/** Parts that a contract may lack as a whole, and what they are filled with once one of their fields is set. */
function partDefaults({ demand }: Contract): readonly (readonly [readonly string[], Json])[] {
  return [
    [["topology"], { unit: demand.shape === "gang" ? "podSet" : "pod", mode: "required", pin: "none" }],
    [["topology", "spread"], { maxSkew: 1, mode: "required" }],
    [["accelerator", "align", "gpus"], { mode: "required" }],
    [["accelerator", "align", "nics"], { mode: "required", count: 1, per: "gpu" }],
  ];
}

function valueBelow(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const step of path) value = isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
  return value;
}

function put(node: unknown, path: readonly string[], value: Json): unknown {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const object = isObject(node) ? node : {};
  return { ...object, [step]: put(Object.hasOwn(object, step) ? object[step] : undefined, rest, value) };
}

function amount(type: FieldType, value: string | number | undefined): number | "wrong" | undefined {
  if (value === undefined) return undefined;
  if (type.kind === "number") return typeof value === "number" ? value : "wrong";
  return typeof value === "string" ? (parseDuration(value) ?? "wrong") : "wrong";
}

function typeText(type: FieldType): string {
  switch (type.kind) {
    case "choice":
      return `one of ${type.values.join(", ")}`;
    case "list":
      return "a list";
    case "text":
      return "text";
    case "object":
      return "an object";
    case "boolean":
      return "true or false";
    case "number":
      return "a number";
    case "duration":
      return "a duration";
  }
}

function boundHint(type: FieldType): string {
  switch (type.kind) {
    case "list":
      return "Bounds for it are any and subset.";
    case "number":
      return "Bounds for it are any and {min: 1, max: 8}.";
    case "duration":
      return "Bounds for it are any and {max: 15m}.";
    case "choice":
    case "text":
      return "Bounds for it are any and a list of values.";
    default:
      return "The bound for it is any.";
  }
}

function isList(spec: OverrideSpec): spec is Extract<OverrideSpec, readonly unknown[]> {
  return Array.isArray(spec);
}
