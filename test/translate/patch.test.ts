import { applyPatch } from "rfc6902";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/index.ts";
import { patchBetween } from "../../src/translate/index.ts";
import { processorMs } from "../support/processor.ts";

const applied = (before: JsonObject, after: JsonObject): unknown => {
  const copy = structuredClone(before);
  const errors = applyPatch(copy, patchBetween(before, after) as never).filter((one) => one !== null);
  expect(errors).toEqual([]);
  return copy;
};

describe("patchBetween", () => {
  const cases: readonly (readonly [string, JsonObject, JsonObject, readonly JsonObject[]])[] = [
    ["nothing for equal objects", { a: { b: [1, { c: 2 }] } }, { a: { b: [1, { c: 2 }] } }, []],
    ["nothing for another order of keys", { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    [
      "a key with slash, tilde and dot is escaped",
      { m: {} },
      { m: { "a/b~c.d": "x" } },
      [{ op: "add", path: "/m/a~1b~0c.d", value: "x" }],
    ],
    ["an absent parent is added whole", {}, { m: { k: "v" } }, [{ op: "add", path: "/m", value: { k: "v" } }]],
    [
      "null is a value, undefined is none",
      { a: null, b: 1 },
      { a: {}, b: undefined },
      [
        { op: "replace", path: "/a", value: {} },
        { op: "remove", path: "/b" },
      ],
    ],
    [
      "an element put in front is one operation",
      { l: [1, 2, 3] },
      { l: [0, 1, 2, 3] },
      [{ op: "add", path: "/l/0", value: 0 }],
    ],
    [
      "an element appended is one operation",
      { l: [{ k: "a" }] },
      { l: [{ k: "a" }, { k: "b" }] },
      [{ op: "add", path: "/l/1", value: { k: "b" } }],
    ],
    [
      "elements removed from the middle go from the back",
      { l: [1, 2, 3, 4] },
      { l: [1, 4] },
      [
        { op: "remove", path: "/l/2" },
        { op: "remove", path: "/l/1" },
      ],
    ],
    [
      "a container is known by its name and changed in place",
      { c: [{ name: "a", x: 1 }, { name: "b" }] },
      { c: [{ name: "s" }, { name: "a", x: 2 }, { name: "b" }] },
      [
        { op: "add", path: "/c/0", value: { name: "s" } },
        { op: "replace", path: "/c/1/x", value: 2 },
      ],
    ],
    [
      "a term without a name is changed in place",
      { t: [{ e: [1] }, { e: [2] }] },
      { t: [{ e: [1, 9] }, { e: [2, 9] }] },
      [
        { op: "add", path: "/t/0/e/1", value: 9 },
        { op: "add", path: "/t/1/e/1", value: 9 },
      ],
    ],
    [
      "an element moved to the front is taken and put",
      { l: ["a", "b", "c"] },
      { l: ["c", "a", "b"] },
      [
        { op: "remove", path: "/l/2" },
        { op: "add", path: "/l/0", value: "c" },
      ],
    ],
    [
      "repeated elements are counted",
      { l: ["x", "x"] },
      { l: ["x", "x", "x"] },
      [{ op: "add", path: "/l/2", value: "x" }],
    ],
    [
      "a value of another shape is replaced",
      { a: [1] },
      { a: { b: 1 } },
      [{ op: "replace", path: "/a", value: { b: 1 } }],
    ],
    [
      "the key __proto__ is a key",
      JSON.parse('{"m": {}}') as JsonObject,
      JSON.parse('{"m": {"__proto__": "x"}}') as JsonObject,
      [{ op: "add", path: "/m/__proto__", value: "x" }],
    ],
  ];
  test.each(cases)("%s", (_, before, after, expected) => {
    expect(patchBetween(before, after)).toEqual(expected);
    if (!JSON.stringify(after).includes("__proto__"))
      expect(applied(before, after)).toEqual(JSON.parse(JSON.stringify(after)));
  });

  test("an insert into 1,500 elements is one operation, in milliseconds", () => {
    const before: Json[] = Array.from({ length: 1500 }, (_, index) => ({
      name: `V${index}`,
      value: { nested: [index, `text ${index}`] },
    }));
    const after = [...before.slice(0, 700), { name: "NEW", value: "x" }, ...before.slice(700)];
    const started = processorMs();
    const shared = patchBetween({ env: before }, { env: after });
    const parsed = patchBetween({ env: before }, JSON.parse(JSON.stringify({ env: after })) as JsonObject);
    expect(processorMs() - started).toBeLessThan(500);
    expect(shared).toHaveLength(1);
    expect(parsed).toEqual(shared);
  });

  test("1,500 elements in reverse order take no longer than linear work does", () => {
    const before: Json[] = Array.from({ length: 1500 }, (_, index) => `v${index}`);
    const started = processorMs();
    const patch = patchBetween({ l: before }, { l: [...before].reverse() });
    expect(processorMs() - started).toBeLessThan(500);
    expect(patch.length).toBeLessThanOrEqual(3000);
    expect(applied({ l: before }, { l: [...before].reverse() })).toEqual({ l: [...before].reverse() });
  });

  test("documents nested ten thousand levels deep are compared without overflowing", () => {
    const deep = (leaf: number): JsonObject =>
      JSON.parse(`{"a":${"[".repeat(10_000)}${leaf}${"]".repeat(10_000)}}`) as JsonObject;
    const patch = patchBetween(deep(1), deep(2));
    expect(patch.length).toBeGreaterThan(0);
    expect(patch.every(({ op }) => op === "replace" || op === "remove" || op === "add")).toBe(true);
  });
});
