import { isArray, isObject, type Json, type JsonObject } from "../model/index.ts";
import { DOCUMENT_KINDS, SCHEMAS } from "./schema/index.ts";
import type { Effect } from "./schema/parts.ts";

export interface FieldRow {
  readonly kind: string;
  /** Dotted, from spec: `interruption.budget.maxUnavailable`, `levels[].key`. */
  readonly field: string;
  readonly effect: Effect;
  readonly text: string;
}

/** Every field of every kind with what it does, in schema order: the source of docs/fields.md. */
export function fieldTable(): readonly FieldRow[] {
  return DOCUMENT_KINDS.flatMap((kind) => {
    const properties = SCHEMAS[kind]["properties"];
    const spec = isObject(properties) ? properties["spec"] : undefined;
    return isObject(spec) ? rowsBelow(kind, "", spec) : [];
  });
}

function rowsBelow(kind: string, field: string, schema: JsonObject): FieldRow[] {
  const rows: FieldRow[] = [];
  const effect = schema["x-effect"];
  const description = schema["description"];
  if (field !== "" && typeof effect === "string" && typeof description === "string") {
    rows.push({ kind, field, effect: effect as Effect, text: description });
  }
  const below = (properties: Json | undefined, prefix: string) => {
    if (!isObject(properties)) return;
    for (const [name, child] of Object.entries(properties)) {
      if (isObject(child)) rows.push(...rowsBelow(kind, prefix === "" ? name : `${prefix}.${name}`, child));
    }
  };
  below(schema["properties"], field);
  const branches = schema["anyOf"];
  if (isArray(branches)) for (const branch of branches) if (isObject(branch)) below(branch["properties"], field);
  const items = schema["items"];
  if (isObject(items) && isObject(items["properties"])) below(items["properties"], `${field}[]`);
  return rows;
}

/** The published schemas by file name, for editors. */
export function schemaFiles(): readonly { name: string; schema: JsonObject }[] {
  return DOCUMENT_KINDS.map((kind) => ({ name: `${kind}.json`, schema: SCHEMAS[kind] }));
}
