import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, type Json, keep, memo, once, quoted } from "../../src/model/index.ts";
import { runs } from "../support/runs.ts";

describe("what is kept", () => {
  test("the latest values stay, and never more than two generations of them", () => {
    const kept = keep<number>(3);
    for (let index = 0; index < 100; index += 1) kept.set(`key ${index}`, index);
    const found = Array.from({ length: 100 }, (_, index) => kept.get(`key ${index}`)).filter(
      (one) => one !== undefined,
    );
    expect(found.slice(-3)).toEqual([97, 98, 99]);
    expect(found.length).toBeLessThanOrEqual(6);
  });

  test("a value that is asked for again outlives others", () => {
    const kept = keep<number>(2);
    kept.set("often", 1);
    for (let index = 0; index < 50; index += 1) {
      kept.set(`once ${index}`, index);
      expect(kept.get("often")).toBe(1);
    }
  });

  test("a function of text is asked once for what it still knows, and again for what it forgot", () => {
    const asked: string[] = [];
    const twice = memo(1, (text) => {
      asked.push(text);
      return text + text;
    });
    expect(["a", "a", "b", "c", "a"].map(twice)).toEqual(["aa", "aa", "bb", "cc", "aa"]);
    expect(asked).toEqual(["a", "b", "c", "a"]);
  });

  test("equal subjects are told apart: each has its own value", () => {
    let made = 0;
    const number = once((_subject: object) => {
      made += 1;
      return made;
    });
    const [a, b] = [{}, {}];
    expect([number(a), number(b), number(a)]).toEqual([1, 2, 1]);
  });
});

describe("canonical text", () => {
  const sorted = (value: Json): Json =>
    value === null || typeof value !== "object"
      ? value
      : Array.isArray(value)
        ? value.map(sorted)
        : Object.fromEntries(
            Object.entries(value)
              .map(([key, item]) => [key, sorted(item as Json)])
              .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1)),
          );

  test("a text is quoted as JSON quotes it", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => quoted(text) === JSON.stringify(text)),
      runs(100),
    );
    for (const text of ["", '"', "\\", "\u007f", "é", "\ud800", "a\nb", "x".repeat(101)])
      expect(quoted(text)).toBe(JSON.stringify(text));
  });

  test("equal values have equal texts whatever the order of their keys, and the text reads back as the value", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false } as object), (value) => {
        const text = canonicalJson(value as Json);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(canonicalJson(sorted(JSON.parse(text) as Json))).toBe(text);
      }),
      runs(100),
    );
  });

  test("depth is not bounded, and the text is the same on both sides of where recursion ends", () => {
    for (const depth of [99, 100, 101, 250, 50_000]) {
      let value: Json = { b: 1, a: [2] };
      for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { k: value };
      const text = canonicalJson(value);
      expect(text.startsWith(depth % 2 === 0 ? '{"k":[' : "[")).toBe(true);
      expect(text).toContain('{"a":[2],"b":1}');
      expect(text).toHaveLength('{"a":[2],"b":1}'.length + 2 * Math.ceil(depth / 2) + 6 * Math.floor(depth / 2));
    }
  });
});
