import { isArray, isObject, type Json, type JsonObject } from "../model/index.ts";
import { contractProperties } from "./schema/contract.ts";
import { DURATION_PATTERN } from "./schema/parts.ts";

/** What a field of a contract takes, as far as overrides and intents need to know. */
export type FieldType =
  | { readonly kind: "text" | "boolean" | "number" | "duration" | "list" }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  | { readonly kind: "object" };

/** The type of a field by its dotted name; undefined where the contract has no such field. */
export function fieldType(path: readonly string[]): FieldType | undefined {
  let schemas: readonly JsonObject[] = [{ properties: contractProperties }];
  for (const step of path) {
    schemas = schemas.flatMap((one) => {
      const properties = one["properties"];
      const below = isObject(properties) && Object.hasOwn(properties, step) ? properties[step] : undefined;
      return isObject(below) ? choices(below) : [];
    });
  }
  const [first] = schemas;
  if (first === undefined) return undefined;
  const object = schemas.find((one) => isObject(one["properties"]));
  return typeOf(object ?? first);
}

/** Dotted names of every field that holds a value and no further fields. */
export function leafFields(): readonly string[] {
  return leaves("", contractProperties);
}

/** The leaves of an intent with their values: what it sets, as dotted names. */
export function leavesOf(
  value: JsonObject,
  prefix: readonly string[] = [],
): readonly { readonly path: readonly string[]; readonly value: Json }[] {
  return Object.entries(value).flatMap(([key, item]) => {
    const path = [...prefix, key];
    if (item === undefined) return [];
    return isObject(item) && fieldType(path)?.kind === "object" ? leavesOf(item, path) : [{ path, value: item }];
  });
}

function leaves(prefix: string, properties: JsonObject): string[] {
  return Object.entries(properties).flatMap(([name, schema]) => {
    const field = prefix === "" ? name : `${prefix}.${name}`;
    if (!isObject(schema)) return [];
    const below = choices(schema).filter((one) => isObject(one["properties"]));
    return below.length === 0
      ? [field]
      : below.flatMap((one) => (isObject(one["properties"]) ? leaves(field, one["properties"]) : []));
  });
}

function choices(schema: JsonObject): readonly JsonObject[] {
  const branches = schema["anyOf"];
  return isArray(branches) ? branches.filter(isObject).flatMap(choices) : [schema];
}

function typeOf(schema: JsonObject): FieldType {
  const values = schema["enum"];
  if (isObject(schema["properties"]) || schema["type"] === "object") return { kind: "object" };
  if (isArray(values)) return { kind: "choice", values: values.map(String) };
  if (schema["type"] === "array") return { kind: "list" };
  if (schema["type"] === "boolean") return { kind: "boolean" };
  if (schema["type"] === "integer" || schema["type"] === "number") return { kind: "number" };
  return { kind: schema["pattern"] === DURATION_PATTERN ? "duration" : "text" };
}
