import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { generatedFiles } from "../../scripts/generated.ts";
import { isArray, isObject, type Json, type JsonObject } from "../../src/model/index.ts";
import { fieldTable, loadCatalogue, schemaFiles } from "../../src/policy/index.ts";
import { policyFiles } from "../support/catalogue.ts";
import { faults } from "./faults.ts";

const ROOT = join(import.meta.dirname, "../..");

function strictAjv() {
  const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, allErrors: true, verbose: true });
  ajv.addKeyword({
    keyword: "x-effect",
    schemaType: "string",
    metaSchema: { enum: ["emit", "rule", "solve", "report"] },
  });
  return ajv;
}

describe("generated files", () => {
  test.each(generatedFiles().map(({ path, text }) => [path, text]))("%s is what the code generates", (path, text) => {
    expect(readFileSync(join(ROOT, path), "utf8")).toBe(text);
  });
});

describe("the published schemas", () => {
  const ajv = strictAjv();
  const validators = new Map(schemaFiles().map(({ name, schema }) => [name.replace(".json", ""), ajv.compile(schema)]));

  test("accept every shipped document, as strict ajv reads them", () => {
    for (const { path, text } of policyFiles("policies")) {
      const document: JsonObject = parse(text);
      if (path === "kustomization.yaml") continue;
      const validate = validators.get(String(document["kind"]));
      expect(validate?.(document), `${path} ${JSON.stringify(validate?.errors?.[0]?.message)}`).toBe(true);
    }
  });

  const SCHEMA_CODES = ["UnknownField", "MissingField", "WrongType", "UnknownValue"];
  const bySchema = faults.filter(
    ({ code, sentence }) => SCHEMA_CODES.includes(code) && sentence !== "a class that declares demand without a shape",
  );
  test.each(bySchema.map((one) => [one.sentence, one] as const))(
    "refuse %s, as the loader does",
    (_, { files, file }) => {
      const document: JsonObject = parse(files.find(({ path }) => path === file)?.text ?? "");
      const validate = validators.get(String(document["kind"]));
      expect(validate?.(document)).toBe(false);
    },
  );

  test("a class without a parent needs its declarations, one with a parent does not", () => {
    const validate = validators.get("WorkloadClass");
    const document = (spec: JsonObject) => ({
      apiVersion: "plimsoll.dev/v1alpha1",
      kind: "WorkloadClass",
      metadata: { name: "x" },
      spec,
    });
    expect(validate?.(document({ extends: "gang" }))).toBe(true);
    expect(validate?.(document({}))).toBe(false);
  });

  test("every object is closed, every field says what it means, every value what it does", () => {
    const faulty: string[] = [];
    const visit = (schema: Json | undefined, at: string, inherited: boolean) => {
      if (!isObject(schema)) return;
      const effect = inherited || typeof schema["x-effect"] === "string";
      const properties = schema["properties"];
      if (schema["type"] === "object" && schema["additionalProperties"] === undefined) faulty.push(`${at} is open`);
      for (const [name, child] of Object.entries(isObject(properties) ? properties : {})) {
        if (!isObject(child)) continue;
        const leaf =
          !isObject(child["properties"]) &&
          child["anyOf"] === undefined &&
          child["items"] === undefined &&
          child["const"] === undefined;
        if (typeof child["description"] !== "string") faulty.push(`${at}.${name} has no description`);
        if (leaf && typeof child["x-effect"] !== "string" && !(effect && inherited))
          faulty.push(`${at}.${name} has no effect`);
        visit(child, `${at}.${name}`, effect);
      }
      for (const branch of isArray(schema["anyOf"]) ? schema["anyOf"] : []) visit(branch, at, effect);
      visit(schema["items"], `${at}[]`, effect);
      visit(schema["additionalProperties"], `${at}{}`, effect);
    };
    for (const { name, schema } of schemaFiles()) {
      const properties = schema["properties"];
      visit(isObject(properties) ? properties["spec"] : undefined, name, false);
    }
    expect(faulty).toEqual([]);
  });

  test("the field table names each field once", () => {
    const names = fieldTable().map(({ kind, field }) => `${kind} ${field}`);
    expect(new Set(names).size).toBe(names.length);
    expect(names).toContain("WorkloadClass interruption.budget.maxUnavailable");
    expect(names).toContain("WorkloadClass latency.objective.target");
    expect(names).toContain("CapacityPool node.taints[].effect");
  });

  test("each shipped file names the schema that its editor should use", () => {
    for (const { path, text } of policyFiles("policies")) {
      if (path === "kustomization.yaml") continue;
      const kind = String(parse(text).kind);
      const up = "../".repeat(path.split("/").length - 1);
      expect(text.split("\n")[0], path).toBe(`# yaml-language-server: $schema=${up}schema/${kind}.json`);
    }
  });

  test("loading compiles no schema: the compiled validators agree on every shipped file", () => {
    expect(loadCatalogue(policyFiles("policies")).diagnostics).toEqual([]);
  });
});
