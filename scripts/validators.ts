import { Ajv2020 } from "ajv/dist/2020.js";
import standalone from "ajv/dist/standalone/index.js";
import { transformSync } from "esbuild";
import { intentSchema } from "../src/policy/schema/class.ts";
import { contractProperties } from "../src/policy/schema/contract.ts";
import { SCHEMAS } from "../src/policy/schema/index.ts";

const INTENT = intentSchema.$id;
const partId = (name: string) => `https://plimsoll.dev/v1alpha1/parts/${name}.json`;
const WORDS = new Set(["description", "title", "x-effect", "$schema"]);

/**
 * The schemas compiled by strict ajv to one module. Compiling them at start takes longer than a whole run of the
 * command may, so it happens here. The contract, which stands in classes and in each of their roles, is compiled once.
 */
export function compiledValidators(): string {
  const ajv = new Ajv2020({
    strict: true,
    allowUnionTypes: true,
    allErrors: true,
    messages: false,
    inlineRefs: false,
    // Lengths are bounds of size only; counting UTF-16 units keeps the module free of imports.
    unicode: false,
    logger: false,
    code: { source: true, esm: true, optimize: 1 },
  });
  for (const [name, schema] of Object.entries(contractProperties))
    ajv.addSchema({ $id: partId(name), ...withoutWords(schema) });
  ajv.addSchema(withoutWords(intentSchema));
  const names: Record<string, string> = { Intent: INTENT };
  for (const [kind, schema] of Object.entries(SCHEMAS)) {
    ajv.addSchema(withoutWords(schema));
    names[kind] = String(schema["$id"]);
  }
  const code = standalone.default(ajv, names);
  const small = transformSync(code, {
    format: "esm",
    target: "es2022",
    minifyWhitespace: true,
    minifySyntax: true,
    lineLimit: 160,
  }).code;
  return `// Generated from the schemas beside it by npm run generate; do not edit.\n${small}`;
}

/** What no verdict depends on is left out; what stands in several places becomes a reference. */
function withoutWords(schema: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(schema)) {
    if (!WORDS.has(keyword)) result[keyword] = keyword === "properties" ? properties(value) : part(value);
  }
  return result;
}

/** Here the keys are names of fields, not keywords. */
function properties(map: object): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [name, schema] of Object.entries(map)) {
    const shared = Object.entries(contractProperties).find(([, one]) => one === schema);
    result[name] = shared === undefined ? part(schema) : { $ref: partId(shared[0]) };
  }
  return result;
}

function part(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(part);
  if (typeof value !== "object" || value === null) return value;
  if ("properties" in value && value.properties === contractProperties) return { $ref: INTENT };
  return withoutWords(value);
}
