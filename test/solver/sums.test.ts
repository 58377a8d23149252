import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { addSums, clip, inGroups, reaches, type Sums, smallestPart, unite } from "../../src/solver/sums.ts";
import { runs } from "../support/runs.ts";

const MOST = 24;
const set = fc.uniqueArray(fc.integer({ min: 0, max: MOST }), { maxLength: 8 });
const sums = (values: readonly number[]): Sums => values.reduce<Sums>((all, one) => unite(all, [[one, one]]), []);
const members = (one: Sums): readonly number[] => {
  const found: number[] = [];
  for (let value = 0; value <= 2 * MOST; value += 1) if (reaches(one, value)) found.push(value);
  return found;
};
const sorted = (values: Iterable<number>): readonly number[] => [...new Set(values)].sort((a, b) => a - b);

describe("sets of totals behave as sets of integers do", () => {
  test("addition is every sum up to the bound", () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const expected = sorted(a.flatMap((x) => b.map((y) => x + y)).filter((total) => total <= MOST));
        expect(members(addSums(sums(a), sums(b), MOST))).toEqual(expected);
      }),
      runs(100),
    );
  });

  test("clipping keeps what lies between", () => {
    fc.assert(
      fc.property(set, fc.nat(MOST), fc.nat(MOST), (a, low, high) => {
        expect(members(clip(sums(a), low, high))).toEqual(sorted(a.filter((one) => one >= low && one <= high)));
      }),
      runs(100),
    );
  });

  test("groups count the totals that are whole groups and a rest", () => {
    fc.assert(
      fc.property(set, fc.integer({ min: 1, max: 5 }), fc.nat(4), (a, size, over) => {
        const rest = over % size;
        const expected = sorted(
          a.filter((one) => one >= rest && (one - rest) % size === 0).map((one) => (one - rest) / size),
        );
        expect(members(inGroups(sums(a), size, rest))).toEqual(expected);
      }),
      runs(100),
    );
  });

  test("the smallest part leaves a total that the rest reaches", () => {
    fc.assert(
      fc.property(set, set, fc.nat(MOST), (a, b, total) => {
        const expected = sorted(a.filter((one) => b.includes(total - one)))[0];
        expect(smallestPart(sums(a), sums(b), total)).toBe(expected);
      }),
      runs(100),
    );
  });
});
