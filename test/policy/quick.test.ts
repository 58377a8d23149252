import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readDocuments } from "../../src/policy/source.ts";

const read = (text: string) => readDocuments({ path: "a.yaml", text });
/** A second document, with an alias, sends the text to the parser that reads exactly. */
const exactly = (text: string) => read(`${text.replace(/\n?$/, "\n")}---\na: &a 1\nb: *a\n`);

describe("a policy file without faults is read by a faster parser", () => {
  const root = join(import.meta.dirname, "../../policies");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".yaml"));

  test.each(files)("%s comes out the same, at the same places", (path) => {
    const text = readFileSync(join(root, path), "utf8");
    const [quick] = read(text).documents;
    const [exact] = exactly(text).documents;
    expect(quick?.value).toEqual(exact?.value);
    for (const place of [[], ["kind"], ["metadata", "name"], ["spec"], ["spec", "labels", 0], ["spec", "absent"]])
      expect(quick?.position(place)).toEqual(exact?.position(place));
  });

  test.each([
    "a: 1_000",
    "a: 0b101",
    "a: 0o17",
    "a: 0644",
    "a: 1e3",
    "a: .5",
    "a: +7",
    "a: yes",
    "a: 2001-01-01",
    "a: ~",
    "a: '1'",
    "a:",
    "1: a",
    "true: a",
    "a: .inf",
    "a: !!str 1",
    "a: <<",
    "a: [&b 1, *b]",
    "a: {b: &c d, e: *c}",
    "- &a 1\n- *a",
    "&a b: 1",
    "a: 'x && !y * 2'",
    "a: x && y",
    "a: ! 12",
    "# head\n---\n# more\na: 1\n...",
    "__proto__: {a: 1}",
    "a: |\n  b\n   c\n",
    'a: "\\u00e9 \\t"',
    "{a: [1, {b: 2}], }",
  ])("%j is read as the exact parser reads it", (text) => {
    expect(read(text).documents[0]?.value).toEqual(exactly(text).documents[0]?.value);
  });

  test.each(["a: 1\na: 2", "a: [1", "a: 'b", "a: b: c", "a: 1\n b: 2", "\ta: 1", "a: *b"])(
    "%j is refused, with its place",
    (text) => {
      const { documents, diagnostics } = read(text);
      expect(documents).toEqual([]);
      expect(diagnostics[0]?.source).toMatchObject({ file: "a.yaml", line: expect.any(Number) });
    },
  );

  test("a tag that means nothing here is told", () => {
    expect(read("a: !odd 1").diagnostics).toMatchObject([{ code: "YamlSyntax", source: { line: 1, column: 4 } }]);
  });
});
