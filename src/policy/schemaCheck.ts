import {
  type Diagnostic,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  toText,
  valueAt,
} from "../model/index.ts";
import { finding, type PolicyCode } from "./codes.ts";
import { intentSchema } from "./schema/class.ts";
import { type DocumentKind, SCHEMAS } from "./schema/index.ts";
import {
  DOMAIN_PATTERN,
  DURATION_PATTERN,
  KEY_PATTERN,
  LABEL_VALUE_PATTERN,
  NAME_PATTERN,
  QUANTITY_PATTERN,
  ROLE_PATTERN,
} from "./schema/parts.ts";
import {
  AcceleratorClass,
  CapacityPool,
  Intent,
  Platform,
  type SchemaError,
  TopologyLayout,
  type Validator,
  WorkloadClass,
  WorkloadKind,
} from "./schema/validators.js";
import { kindOf } from "./source.ts";
import { orList, suggestion } from "./suggest.ts";

/** One fault against a schema. `at` says whether the field's name or its value is to be pointed at. */
export interface SchemaFault {
  readonly diagnostic: Diagnostic;
  readonly at: "key" | "value";
}

const VALIDATORS: Readonly<Record<DocumentKind | "Intent", Validator>> = {
  AcceleratorClass,
  CapacityPool,
  Intent,
  Platform,
  TopologyLayout,
  WorkloadClass,
  WorkloadKind,
};

/** What is wrong with a document, by its schema, in document order; nothing where it is sound. */
export function checkSchema(kind: DocumentKind | "Intent", value: Json): readonly SchemaFault[] {
  const validate = VALIDATORS[kind];
  if (validate(value)) return [];
  const schema: JsonObject = kind === "Intent" ? intentSchema : SCHEMAS[kind];
  const what = kind === "Intent" ? "an intent" : `a ${kind}`;
  return meaningful(validate.errors ?? []).map((error) => describe(error, schema, value, what));
}

/**
 * Leaves out what only repeats: the branches of a choice that are of another type than the value, the choice itself where a
 * branch says more, what `propertyNames` sums up, and the declarations of a class, which are checked once `extends` is merged.
 */
function meaningful(errors: readonly SchemaError[]): readonly SchemaError[] {
  const foreign = errors.filter(
    ({ keyword, schemaPath }) => keyword === "type" && /\/anyOf\/\d+\/type$/.test(schemaPath),
  );
  const inForeign = (error: SchemaError) =>
    foreign.some(({ instancePath, schemaPath }) => {
      const branch = schemaPath.slice(0, -"type".length);
      return error.schemaPath.startsWith(branch) && isBelow(error.instancePath, instancePath);
    });
  const kept = errors.filter(
    (error) =>
      error.keyword !== "if" &&
      !error.schemaPath.includes("/then/") &&
      error.propertyName === undefined &&
      !inForeign(error),
  );
  return kept.filter(
    (error) =>
      error.keyword !== "anyOf" ||
      !kept.some((other) => other.keyword !== "anyOf" && isBelow(other.instancePath, error.instancePath)),
  );
}

const isBelow = (path: string, parent: string) => path === parent || path.startsWith(`${parent}/`);

function describe(error: SchemaError, schema: JsonObject, root: Json, what: string): SchemaFault {
  const path = pathOf(error.instancePath, root);
  const value = valueAt(root, path);
  const text = toText(path);
  const fault = (
    code: PolicyCode,
    message: string,
    hint?: string,
    own: Path = path,
    at: "key" | "value" = "value",
  ): SchemaFault => ({
    diagnostic: finding(code, message, { hint, path: own }),
    at,
  });
  switch (error.keyword) {
    case "additionalProperties": {
      const name = String(error.params["additionalProperty"]);
      const allowed = fieldsAt(schema, path, root);
      const where = path.length === 0 ? what : text;
      return fault(
        "UnknownField",
        `${where} has no field ${name}.`,
        suggestion(name, allowed, "Its fields are"),
        [...path, name],
        "key",
      );
    }
    case "required": {
      const name = String(error.params["missingProperty"]);
      const meaning = descriptionAt(schema, [...path, name], root);
      return fault("MissingField", `${toText([...path, name])} is missing.`, meaning, [...path, name]);
    }
    case "propertyNames": {
      const name = String(error.params["propertyName"]);
      return fault(
        "InvalidValue",
        `${text} has the key ${JSON.stringify(name.slice(0, 80))}, which is not well formed.`,
        undefined,
        [...path, name],
        "key",
      );
    }
    case "type":
      return fault(
        "WrongType",
        `${text} must be ${typeText(error.params["type"])}, not ${kindOf(value)}.`,
        quoteHint(error.params["type"], value),
      );
    case "anyOf":
      return fault("WrongType", `${text} cannot be ${kindOf(value)}.`, descriptionAt(schema, path, root));
    case "enum": {
      const allowed = isArray(error.params["allowedValues"]) ? error.params["allowedValues"].map(String) : [];
      const given = typeof value === "string" ? value : JSON.stringify(value);
      return fault(
        "UnknownValue",
        `${text} is ${given}, which is not one of ${allowed.join(", ")}.`,
        suggestion(given, allowed, "Choose one of"),
      );
    }
    case "const": {
      const wanted = text === "kind" ? String(value) : String(error.params["allowedValue"] ?? "plimsoll.dev/v1alpha1");
      return fault("UnknownValue", `${text} is ${kindOf(value)}; expected ${wanted}.`, `Write ${text}: ${wanted}.`);
    }
    default:
      return fault("InvalidValue", `${text} ${boundText(error, value)}`);
  }
}

function boundText({ keyword, params }: SchemaError, value: Json | undefined): string {
  const limit = String(params["limit"] ?? "");
  switch (keyword) {
    case "pattern":
      return `is ${kindOf(value)}, which is not ${patternText(String(params["pattern"]))}.`;
    case "minimum":
      return `is ${String(value)}; it must be at least ${limit}.`;
    case "maximum":
      return `is ${String(value)}; it must be at most ${limit}.`;
    case "exclusiveMinimum":
      return `is ${String(value)}; it must be above ${limit}.`;
    case "minLength":
      return "is empty.";
    case "maxLength":
      return `is longer than ${limit} characters.`;
    case "minItems":
      return `needs at least ${limit} ${limit === "1" ? "entry" : "entries"}.`;
    case "maxItems":
      return `has more than ${limit} entries.`;
    case "uniqueItems":
      return `names ${JSON.stringify(isArray(value) ? value[Number(params["i"])] : undefined)} twice.`;
    case "minProperties":
      return `needs at least ${limit} ${limit === "1" ? "field" : "fields"}.`;
    case "maxProperties":
      return `has more than ${limit} ${limit === "1" ? "field" : "fields"}.`;
    default:
      return `is ${kindOf(value)}, which the schema does not take (${keyword}).`;
  }
}

const PATTERN_TEXT: Readonly<Record<string, string>> = {
  [DURATION_PATTERN]: "a duration such as 12h, 1h30m or 500ms",
  [QUANTITY_PATTERN]: "a quantity such as 80Gi, 1500m or 8",
  [NAME_PATTERN]: "a name of lower-case letters, digits and dashes",
  [ROLE_PATTERN]: "a name of letters, digits and dashes",
  [KEY_PATTERN]: "a key such as example.com/name",
  [DOMAIN_PATTERN]: "a name such as gpu.example.com, in lower case",
  [LABEL_VALUE_PATTERN]: "a label value",
  "^[0-9]{1,3}%$": "a percentage such as 25%",
};

function patternText(pattern: string): string {
  return Object.hasOwn(PATTERN_TEXT, pattern) ? (PATTERN_TEXT[pattern] ?? "") : `of the form ${pattern}`;
}

const TYPE_TEXT: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  object: "an object",
  array: "a list",
  null: "null",
};

function typeText(type: unknown): string {
  const names = (isArray(type) ? type : [type]).map((one) => TYPE_TEXT[String(one)] ?? String(one));
  return orList(names);
}

function quoteHint(type: unknown, value: Json | undefined): string | undefined {
  const quotable = typeof value === "number" || typeof value === "boolean";
  return type === "string" && quotable ? `Put it in quotes: "${String(value)}".` : undefined;
}

/** The instance path of a finding, with array indices as numbers. */
function pathOf(pointer: string, root: Json): Path {
  const path: (string | number)[] = [];
  let value: Json | undefined = root;
  for (const part of pointer === "" ? [] : pointer.slice(1).split("/")) {
    const step = part.replaceAll("~1", "/").replaceAll("~0", "~");
    const own: string | number = isArray(value) ? Number(step) : step;
    path.push(own);
    value = valueAt(value, [own]);
  }
  return path;
}

/** The schemas that describe the value at a path: one, or one for each branch of a choice that suits its type. */
function schemasAt(schema: JsonObject, path: Path, root: Json): readonly JsonObject[] {
  let found: readonly JsonObject[] = branches(schema, root);
  let value: Json | undefined = root;
  for (const step of path) {
    value = valueAt(value, [step]);
    const here: Json | undefined = value;
    found = found.flatMap((one) => {
      const properties = one["properties"];
      const below =
        typeof step === "number"
          ? one["items"]
          : isObject(properties) && Object.hasOwn(properties, step)
            ? properties[step]
            : one["additionalProperties"];
      return isObject(below) ? branches(below, here) : [];
    });
  }
  return found;
}

function branches(schema: JsonObject, value: Json | undefined): readonly JsonObject[] {
  const choices = schema["anyOf"];
  if (!isArray(choices)) return [schema];
  const suiting = choices
    .filter(isObject)
    .filter((one) => value === undefined || !isObject(value) || one["type"] === "object");
  return [schema, ...suiting];
}

function fieldsAt(schema: JsonObject, path: Path, root: Json): readonly string[] {
  return schemasAt(schema, path, root).flatMap((one) =>
    isObject(one["properties"]) ? Object.keys(one["properties"]) : [],
  );
}

function descriptionAt(schema: JsonObject, path: Path, root: Json): string | undefined {
  for (const one of schemasAt(schema, path, root))
    if (typeof one["description"] === "string") return one["description"];
  return undefined;
}
