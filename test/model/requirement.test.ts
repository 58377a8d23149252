import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addTo,
  allows,
  allowsLabels,
  conjunction,
  intersect,
  isEmpty,
  type Requirement,
  requirement,
  requirementText,
  union,
} from "../../src/model/index.ts";
import { runs } from "../support/runs.ts";

/** Small enough that a few hundred values cover every case: words, integers in two spellings, and absence. */
const WORDS = ["a", "b", "c"];
const NUMBERS = Array.from({ length: 9 }, (_, index) => String(index - 2));
const VALUES: readonly (string | undefined)[] = [
  undefined,
  ...WORDS,
  ...NUMBERS,
  "01",
  "-0",
  "1000",
  "-1000",
  "1.5",
  "",
];
const word = fc.constantFrom(...WORDS, ...NUMBERS, "01");
const one: fc.Arbitrary<Requirement> = fc.oneof(
  fc.array(word, { minLength: 1, maxLength: 4 }).map((values) => requirement("k", "In", values)),
  fc.array(word, { minLength: 1, maxLength: 4 }).map((values) => requirement("k", "NotIn", values)),
  fc.constantFrom(requirement("k", "Exists"), requirement("k", "DoesNotExist")),
  fc
    .tuple(fc.constantFrom("Gt" as const, "Lt" as const), fc.constantFrom(...NUMBERS))
    .map(([operator, bound]) => requirement("k", operator, [bound])),
);
/** Whatever the algebra itself can make. */
const made = fc.array(one, { minLength: 1, maxLength: 3 }).map((list) => list.reduce(intersect));
const bounded = (a: Requirement) => a.above !== undefined || a.below !== undefined;

describe("laws of requirements", () => {
  test("the intersection allows exactly what both allow, absence included", () => {
    fc.assert(
      fc.property(made, made, (a, b) => {
        const both = intersect(a, b);
        expect(VALUES.filter((value) => allows(both, value))).toEqual(
          VALUES.filter((value) => allows(a, value) && allows(b, value)),
        );
      }),
      runs(3000),
    );
  });

  test("the union, where there is one, allows exactly what either allows", () => {
    fc.assert(
      fc.property(made, made, (a, b) => {
        const either = union(a, b);
        if (either === undefined) return;
        expect(VALUES.filter((value) => allows(either, value))).toEqual(
          VALUES.filter((value) => allows(a, value) || allows(b, value)),
        );
      }),
      runs(3000),
    );
  });

  test("without Gt and Lt there always is a union", () => {
    fc.assert(
      fc.property(made, made, (a, b) => bounded(a) || bounded(b) || union(a, b) !== undefined),
      runs(100),
    );
  });

  test("a requirement is empty exactly if no value and not absence meets it", () => {
    // Bounds lie within the numbers tried, so a range that holds any integer holds one of them in some spelling.
    const spelled = [...VALUES, ...NUMBERS.map((number) => number.replace(/\d+/, (digits) => digits.padStart(5, "0")))];
    fc.assert(
      fc.property(made, (a) => {
        const unlisted = a.complement && !bounded(a) ? ["z"] : [];
        const open = a.complement && bounded(a) && (a.above === undefined || a.below === undefined);
        const met = open || [...spelled, ...unlisted].some((value) => allows(a, value));
        expect(isEmpty(a)).toBe(!met);
      }),
      runs(3000),
    );
  });

  test("intersection is commutative, associative and idempotent in form, not only in meaning", () => {
    fc.assert(
      fc.property(made, made, made, (a, b, c) => {
        expect(intersect(a, b)).toEqual(intersect(b, a));
        expect(intersect(intersect(a, b), c)).toEqual(intersect(a, intersect(b, c)));
        expect(intersect(intersect(a, b), b)).toEqual(intersect(a, b));
      }),
      runs(100),
    );
  });
});

describe("unions that are not one requirement", () => {
  test.each([
    ["two ranges apart", requirement("k", "Lt", ["2"]), requirement("k", "Gt", ["5"])],
    ["a range and a value outside it", requirement("k", "Gt", ["5"]), requirement("k", "In", ["3"])],
    [
      "two open ranges that meet, since words are in neither",
      requirement("k", "Lt", ["5"]),
      requirement("k", "Gt", ["2"]),
    ],
  ])("%s", (_, a, b) => {
    expect(union(a, b)).toBeUndefined();
  });

  test("adjacent closed ranges join", () => {
    const low = intersect(requirement("k", "Gt", ["0"]), requirement("k", "Lt", ["5"]));
    const high = intersect(requirement("k", "Gt", ["4"]), requirement("k", "Lt", ["9"]));
    expect(union(low, high)).toEqual({ key: "k", absent: false, complement: true, values: [], above: 0, below: 9 });
  });
});

describe("conjunctions", () => {
  test("requirements of one key are intersected, of several keys all hold", () => {
    const all = conjunction([
      requirement("gpu", "In", ["h100", "a100"]),
      requirement("gpu", "NotIn", ["a100"]),
      requirement("zone", "Exists"),
    ]);
    expect(allowsLabels(all, { gpu: "h100", zone: "a" })).toBe(true);
    expect(allowsLabels(all, { gpu: "a100", zone: "a" })).toBe(false);
    expect(allowsLabels(all, { gpu: "h100" })).toBe(false);
  });

  test("keys of the object prototype are no labels", () => {
    expect(allowsLabels(conjunction([requirement("constructor", "Exists")]), {})).toBe(false);
    expect(allowsLabels(conjunction([requirement("__proto__", "DoesNotExist")]), {})).toBe(true);
  });

  test("adding leaves the original alone", () => {
    const base = conjunction([requirement("a", "Exists")]);
    addTo(base, requirement("b", "Exists"));
    expect([...base.keys()]).toEqual(["a"]);
  });
});

describe("words for messages", () => {
  test.each([
    [requirement("gpu", "In", ["h100"]), "gpu = h100"],
    [requirement("gpu", "In", ["h100", "a100"]), "gpu in (a100, h100)"],
    [requirement("gpu", "NotIn", ["h100"]), "gpu != h100"],
    [intersect(requirement("gpu", "NotIn", ["h100"]), requirement("gpu", "Exists")), "gpu != h100, present"],
    [requirement("gpu", "Exists"), "gpu present"],
    [requirement("gpu", "DoesNotExist"), "no gpu"],
    [requirement("memory", "Gt", ["80"]), "memory > 80"],
    [
      intersect(requirement("memory", "Gt", ["80"]), requirement("memory", "Lt", ["200"])),
      "memory > 80 and memory < 200",
    ],
    [
      intersect(requirement("memory", "Gt", ["80"]), requirement("memory", "NotIn", ["96"])),
      "memory > 80 and memory != 96",
    ],
    [intersect(requirement("gpu", "In", ["a"]), requirement("gpu", "In", ["b"])), "gpu in ()"],
  ])("%o", (one, text) => {
    expect(requirementText(one)).toBe(text);
  });

  test("Gt takes one integer", () => {
    expect(() => requirement("memory", "Gt", ["80Gi"])).toThrow(RangeError);
    expect(() => requirement("memory", "Gt", ["1", "2"])).toThrow(RangeError);
  });
});
