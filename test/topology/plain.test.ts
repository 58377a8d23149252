import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Document, isCollection, parseAllDocuments, visit } from "yaml";
import { readPlain } from "../../src/topology/plain.ts";

/** What the whole parser makes of it; undefined for a fault or several documents. */
function whole(text: string): unknown {
  const documents = parseAllDocuments(text, { uniqueKeys: true, prettyErrors: false, logLevel: "silent" });
  if ("empty" in documents || documents.length === 0) return null;
  const [first] = documents;
  if (first === undefined || documents.length > 1 || first.errors.length > 0) return undefined;
  return first.toJS();
}

const word = fc.oneof(
  fc.constantFrom(
    "a",
    "b",
    "true",
    "null",
    "~",
    "12",
    "-1",
    "1e3",
    "0x10",
    "+.5",
    "1.",
    ".inf",
    "012",
    "- a",
    "a: b",
    "a #b",
    "#a",
    "a:",
    ":a",
    "'",
    '"',
    "yes",
    "",
    " a",
    "a ",
    "{",
    "[x",
    "x]",
    "a,b",
    "&a",
    "*a",
    "!t",
    "|",
    ">",
    "%a",
    "@a",
    "`a",
    "-",
    "?",
    "? a",
    "---",
    "...",
    "é",
    "\u{1f600}",
    "a\nb",
    "a\n\nb\n",
    "\n",
    "a\tb",
    "x\\y",
    "2026-01-01",
    "10.0.0.1",
    "http://x:80/y",
    "nvidia.com/gpu",
    "=",
    "<<",
  ),
  fc.string({ maxLength: 6 }),
);
const scalar = fc.oneof(
  word,
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    scalar,
    fc.array(tie("tree"), { maxLength: 4 }),
    fc.dictionary(word, tie("tree"), { maxKeys: 4 }),
  ),
}));
const top = fc.oneof(fc.array(tree, { maxLength: 4 }), fc.dictionary(word, tree, { maxKeys: 5 }));

function print(value: unknown, style: number): string {
  const document = new Document(value, { aliasDuplicateObjects: false });
  visit(document, {
    Collection(_key, node) {
      if (style % 2 === 1 && isCollection(node) && JSON.stringify(node).length < 30) node.flow = true;
    },
  });
  return document.toString({
    indentSeq: style % 3 !== 0,
    lineWidth: style % 5 === 0 ? 20 : 0,
    flowCollectionPadding: style % 7 === 0,
    ...(style % 4 === 0 ? { defaultStringType: "QUOTE_DOUBLE", defaultKeyType: "PLAIN" } : {}),
    ...(style % 11 === 0 ? { singleQuote: true } : {}),
  });
}

describe("the fast reader of plain YAML", () => {
  test("gives what the whole parser gives, or nothing", () => {
    let read = 0;
    fc.assert(
      fc.property(top, fc.nat({ max: 1000 }), (value, style) => {
        const text = print(value, style);
        const plain = readPlain(text);
        if (plain === undefined) return;
        read += 1;
        expect(plain.value).toEqual(whole(text));
      }),
      { numRuns: 3000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  test("the same for text that was cut and overwritten", () => {
    const put = fc.string({
      unit: fc.constantFrom(
        "{",
        "}",
        "[",
        "]",
        '"',
        "'",
        "\\",
        "\n",
        "- ",
        ": ",
        ":",
        "&a",
        "*a",
        "#",
        " #",
        "|",
        ">",
        "---",
        "\t",
        "x",
        " ",
        "  ",
        "-",
        ",",
        "?",
        "1",
        "\n\n",
      ),
      maxLength: 4,
    });
    let read = 0;
    fc.assert(
      fc.property(top, fc.nat({ max: 1000 }), fc.nat(), fc.nat({ max: 6 }), put, (value, style, at, cut, added) => {
        const text = print(value, style);
        const from = at % text.length;
        const damaged = text.slice(0, from) + added + text.slice(from + cut);
        const plain = readPlain(damaged);
        if (plain === undefined) return;
        read += 1;
        expect(plain.value).toEqual(whole(damaged));
      }),
      { numRuns: 6000 },
    );
    expect(read).toBeGreaterThan(300);
  });

  test.each([
    ["a key that stands twice", "a: 1\na: 2\n"],
    ["an anchor", "a: &x 1\nb: *x\n"],
    ["a tag", "a: !!str 1\n"],
    ["a value over two lines", "a: one\n  two\n"],
    ["a quoted value over two lines", 'a: "one\n  two"\n'],
    ["a folded block", "a: >\n  one\n  two\n"],
    ["an indentation that fits nothing", "a:\n    b: 1\n  c: 2\n"],
    ["a comment behind a value", "a: 1 # one\n"],
    ["two documents", "a: 1\n---\nb: 2\n"],
    ["a tab", "a:\n\tb: 1\n"],
    ["nesting deeper than any object", `${"[".repeat(100)}${"]".repeat(100)}\n`],
    [
      "block nesting deeper than any object",
      Array.from({ length: 100 }, (_, depth) => `${" ".repeat(depth)}a:\n`).join(""),
    ],
  ])("leaves to the whole parser: %s", (_name, text) => {
    expect(readPlain(text)).toBeUndefined();
  });

  test("tells where items stand", () => {
    const text = "# head\nkind: List\nother:\n- x\nitems:\n- a: 1\n  b: 2\n-   c: 3\n";
    const plain = readPlain(text);
    expect(plain?.itemOffsets.map((offset) => text.slice(offset, offset + 4))).toEqual(["a: 1", "c: 3"]);
    const sequence = "- a: 1\n- b\n";
    expect(readPlain(sequence)?.itemOffsets).toEqual([2, 9]);
  });
});
