import { readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { parseAllDocuments, stringify } from "yaml";
import { readYaml } from "../../src/topology/yaml.ts";
import { runs } from "../support/runs.ts";

/** What the exact parser alone makes of it. */
const exact = (text: string) =>
  parseAllDocuments(text).flatMap((document) => (document.contents === null ? [] : [document.toJS()]));
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

test("the bundled cluster reads the same by the fast parser and by the exact one", () => {
  const text = readFileSync("test/fixtures/demo-cluster.yaml", "utf8");
  const { parts, faults } = readYaml(text);
  expect(faults).toEqual([]);
  expect(plain(parts.map(({ value }) => value))).toEqual(exact(text));
});

test("any JSON value written as YAML reads the same by both", () => {
  const word = fc.constantFrom(
    "true",
    "null",
    "~",
    "012",
    "0x1f",
    "0b101",
    "1e3",
    ".5",
    "-0",
    "yes",
    "a: b",
    "- a",
    "&a",
    "!t",
    "a #b",
    "2001-01-01",
    "12:30",
    "é",
    "",
  );
  const scalar = fc.oneof(
    word,
    fc.string(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  );
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      scalar,
      fc.array(tie("value"), { maxLength: 4 }),
      fc.dictionary(fc.string({ minLength: 1 }), tie("value"), { maxKeys: 4 }),
    ),
  }));
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom("spec", "status", "metadata"), value), (object) => {
      const text = stringify({ apiVersion: "v1", kind: "Node", ...object });
      const { parts, faults } = readYaml(text);
      expect(faults).toEqual([]);
      expect(plain(parts.map((part) => part.value))).toEqual(plain(exact(text)));
    }),
    runs(300),
  );
});
