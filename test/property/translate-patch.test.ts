import fc from "fast-check";
import { applyPatch } from "rfc6902";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/index.ts";
import { patchBetween } from "../../src/translate/index.ts";
import { runs } from "../support/runs.ts";

/** Small alphabets, so that equal, moved and changed elements meet often. */
const key = fc.constantFrom("name", "a", "b", "a/b", "m~n", "x.y/z");
const leaf = fc.constantFrom<Json>(null, 0, 1, "x", "y", true, "");
const value: fc.Arbitrary<Json> = fc.letrec<{ node: Json }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    leaf,
    fc.array(tie("node"), { maxLength: 6 }),
    fc.dictionary(key, tie("node"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).node;
const object = fc.dictionary(key, value, { maxKeys: 5, noNullPrototype: true }) as fc.Arbitrary<JsonObject>;

describe("patchBetween", () => {
  test("the patch turns the one object into the other", () => {
    fc.assert(
      fc.property(object, object, (before, after) => {
        const copy = structuredClone(before);
        const errors = applyPatch(copy, structuredClone(patchBetween(before, after)) as never).filter(
          (one) => one !== null,
        );
        expect(errors).toEqual([]);
        expect(copy).toEqual(after);
      }),
      runs(2000),
    );
  });

  test("lists with insertions, removals and changed elements come out the same", () => {
    const item = fc.oneof(
      fc.constantFrom<Json>("p", "q", "r"),
      fc.record({ name: fc.constantFrom("c1", "c2", "c3"), v: fc.nat(2) }),
    );
    fc.assert(
      fc.property(fc.array(item, { maxLength: 12 }), fc.array(item, { maxLength: 12 }), (before, after) => {
        const copy = { l: structuredClone(before) };
        const patch = patchBetween({ l: before }, { l: after });
        expect(applyPatch(copy, structuredClone(patch) as never).filter((one) => one !== null)).toEqual([]);
        expect(copy.l).toEqual(after);
      }),
      runs(2000),
    );
  });

  test("one inserted element is one operation, wherever it is put", () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(10_000), { maxLength: 30 }), fc.nat(30), (list, at) => {
        const after = [...list.slice(0, at), "new", ...list.slice(at)];
        expect(patchBetween({ l: list }, { l: after })).toHaveLength(1);
      }),
      runs(100),
    );
  });
});
