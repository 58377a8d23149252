import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readYaml } from "../../src/cli/yaml.ts";
import type { Json } from "../../src/model/index.ts";

/** Plain scalars, and what kubectl 1.32 makes of them in JSON. */
const SCALARS: readonly (readonly [string, Json])[] = [
  ["0644", 420],
  ["0o644", 420],
  ["-012", -10],
  ["089", 89],
  ["0777_1", 4089],
  ["0x1F", 31],
  ["0b101", 5],
  ["1_000", 1000],
  ["+12", 12],
  ["0", 0],
  ["1.", 1],
  [".5", 0.5],
  ["1e3", 1000],
  ["12e03", 12000],
  ["010.5", 10.5],
  ["y", true],
  ["Y", true],
  ["n", false],
  ["yes", true],
  ["no", false],
  ["on", true],
  ["Off", false],
  ["TRUE", true],
  ["yEs", "yEs"],
  ["~", null],
  ["Null", null],
  ["2001-01-01", "2001-01-01"],
  ["22:22", "22:22"],
  ["1:20:30", "1:20:30"],
  ["190:20:30.15", "190:20:30.15"],
  ["=", "="],
  ["1.2.3", "1.2.3"],
  ["4Gi", "4Gi"],
  ["500m", "500m"],
  ["'0644'", "0644"],
  ['"yes"', "yes"],
];
const TAGGED: readonly (readonly [string, Json])[] = [
  ["!!str 12", "12"],
  ["!!binary aGVsbG8=", "hello"],
  ["{<<: {a: 1}, b: 2}", { a: 1, b: 2 }],
];

const text = (entries: readonly (readonly [string, Json])[]) =>
  `apiVersion: v1\nkind: Thing\nmetadata: {name: x}\nvalues:\n${entries.map(([scalar], index) => `  k${index}: ${scalar}\n`).join("")}`;
const expected = (entries: readonly (readonly [string, Json])[]) =>
  Object.fromEntries(entries.map(([, value], index) => [`k${index}`, value]));
const valuesOf = (source: string) => (readYaml(source).documents[0]?.value as { values?: Json } | undefined)?.values;

const kubectl = (() => {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

describe("YAML as kubectl reads it", () => {
  test("plain scalars, by the fast parser", () => {
    expect(valuesOf(text(SCALARS))).toEqual(expected(SCALARS));
  });

  test("plain scalars, by the parser that knows places", () => {
    // An alias sends the whole text to it.
    expect(valuesOf(`${text(SCALARS)}a: &a 1\nb: *a\n`)).toEqual(expected(SCALARS));
  });

  test("tags and merges", () => {
    expect(valuesOf(text(TAGGED))).toEqual(expected(TAGGED));
  });

  test("keys are texts", () => {
    expect(readYaml("yes: 1\n2: 2\n").documents[0]?.value).toEqual({ true: 1, "2": 2 });
    expect(readYaml("yes: 1\n2: 2\na: &a 1\nb: *a\n").documents[0]?.value).toMatchObject({ true: 1, "2": 2 });
  });

  test.skipIf(!kubectl)("the table is kubectl's own", () => {
    const out = execFileSync("kubectl", ["label", "--local", "-f", "-", "a=b", "-o", "json"], {
      input: text([...SCALARS, ...TAGGED]),
      encoding: "utf8",
    });
    expect(JSON.parse(out).values).toEqual(expected([...SCALARS, ...TAGGED]));
  });

  test("both parsers read every YAML file of the repository alike", () => {
    for (const folder of ["manifests", "policies", "test/fixtures/kinds", "test/fixtures/rules"]) {
      for (const path of readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
        name.endsWith(".yaml"),
      )) {
        const source = readFileSync(`${folder}/${path}`, "utf8");
        const quick = readYaml(source).documents;
        // The mark of a merge, in a comment at the end of each document, sends it to the other parser.
        const exact = readYaml(source.replaceAll(/^---/gm, "# <<\n---").replace(/\n?$/, "\n# <<\n")).documents;
        expect(
          quick.map(({ value }) => value),
          path,
        ).toEqual(exact.map(({ value }) => value));
        expect(quick.map(({ offsetOf }) => offsetOf([])).length, path).toBe(exact.length);
      }
    }
  });

  test("values that JSON lacks are faults, not nulls", () => {
    const { documents, faults } = readYaml("a: .inf\n");
    expect(documents).toEqual([]);
    expect(faults).toEqual([expect.objectContaining({ message: expect.stringMatching(/\.inf|Infinity/) })]);
  });

  test("text that nests without end is a fault, not a crash", () => {
    for (const source of [
      `${"[".repeat(20_000)}`,
      `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
      `${"- ".repeat(20_000)}1`,
      `a: ${"{a: ".repeat(9_000)}${"}".repeat(9_000)}`,
    ]) {
      const { documents, faults } = readYaml(source);
      expect(documents.length + faults.length).toBe(1);
    }
  });
});
