import { describe, expect, test } from "vitest";
import { floors } from "../../src/solver/floors.ts";
import type { Cell, Forest } from "../../src/solver/nest.ts";

/**
 * Racks in zones. By rack its zone, its room, and whether a node is there (2) or would have to come to be (1). The racks spread, at least
 * over `minDomains`.
 */
function racks(minDomains: number, list: readonly (readonly [zone: number, room: number, counts: 1 | 2])[]): Forest {
  const cells = list.map(([parent, room], domain): Cell => ({ domain, parent, children: [], rows: [domain], room }));
  const domains = { of: Int32Array.from(list.keys()), names: list.map((_, rack) => `r${rack}`) };
  const counts = Uint8Array.from(list, ([, , one]) => one);
  return {
    layers: [{ domains, counts, rule: { kind: "spread", maxSkew: 1, minDomains } }],
    roots: cells,
    cells: [new Map(cells.map((cell) => [cell.domain, cell]))],
  };
}

/** Floors of which the least count is not 0, as `least: racks`, and those of 0. */
function told(forest: Forest, total: number) {
  return [...floors(forest, total)].map((floor) =>
    floor === undefined
      ? "and others"
      : `${floor.least.join()}:${floor.forced.map((one) => [...one].sort((a, b) => a - b).join("+")).join()}`,
  );
}

describe("the least count of a domain, and the domains that must come to be", () => {
  test("where there are enough domains none has to", () => {
    expect(
      told(
        racks(2, [
          [0, 3, 2],
          [0, 2, 2],
          [0, 9, 1],
        ]),
        5,
      ),
    ).toEqual(["2:", "1:", "0:"]);
  });

  test("the least is no more than the smallest domain that is there has room for, nor than an equal share", () => {
    expect(
      told(
        racks(1, [
          [0, 1, 2],
          [0, 9, 2],
        ]),
        8,
      ),
    ).toEqual(["1:", "0:"]);
    expect(
      told(
        racks(1, [
          [0, 9, 2],
          [0, 9, 2],
        ]),
        3,
      ),
    ).toEqual(["1:", "0:"]);
    expect(
      told(
        racks(1, [
          [0, 9, 1],
          [0, 9, 1],
        ]),
        2,
      ),
    ).toEqual(["2:", "1:", "0:"]);
  });

  test("inside one zone the roomiest come to be, of equal ones the first", () => {
    expect(
      told(
        racks(3, [
          [0, 9, 2],
          [0, 1, 1],
          [0, 3, 1],
          [0, 2, 1],
        ]),
        3,
      ),
    ).toEqual(["3:2+3", "2:2+3", "1:2+3", "0:"]);
    expect(
      told(
        racks(2, [
          [0, 9, 2],
          [0, 2, 1],
          [0, 2, 1],
        ]),
        1,
      ),
    ).toEqual(["1:1", "0:"]);
  });

  test("all that can, where just as many are lacking", () => {
    expect(
      told(
        racks(3, [
          [0, 9, 2],
          [0, 2, 1],
          [1, 1, 1],
        ]),
        1,
      ),
    ).toEqual(["1:1+2", "0:"]);
  });

  test("over several zones every division of them", () => {
    const zones = racks(3, [
      [0, 9, 2],
      [0, 4, 1],
      [0, 3, 1],
      [1, 2, 1],
      [1, 1, 1],
      [2, 5, 1],
    ]);
    expect(told(zones, 1)).toEqual(["1:1+2", "1:1+3", "1:1+5", "1:3+4", "1:3+5", "0:"]);
  });

  test("where too few can come to be, or have room, the least counts as 0", () => {
    expect(
      told(
        racks(3, [
          [0, 9, 2],
          [0, 1, 1],
        ]),
        3,
      ),
    ).toEqual(["0:"]);
    expect(
      told(
        racks(2, [
          [0, 9, 2],
          [0, 0, 1],
        ]),
        3,
      ),
    ).toEqual(["0:"]);
  });

  test("not more than 257 ways are tried, and that some were left out is told", () => {
    const many = (zones: number) =>
      racks(3, [[0, 9, 2], ...Array.from({ length: zones }, (_, zone) => [zone, 1, 1] as const)]);
    // 23 zones of one rack each: 253 pairs; 24: 276.
    expect(told(many(23), 1)).toHaveLength(253 + 1);
    expect(told(many(23), 1)).not.toContain("and others");
    expect(told(many(24), 1)).toHaveLength(257 + 2);
    expect(told(many(24), 1).at(-1)).toBe("and others");
  });

  test("groups have no least count", () => {
    const { layers, ...rest } = racks(1, [[0, 9, 2]]);
    const rule = { kind: "group", size: 2 } as const;
    expect(told({ ...rest, layers: layers.map((layer) => ({ ...layer, rule })) }, 4)).toEqual(["0:"]);
  });

  test("two layers take every pair of least counts, from high to low", () => {
    const one = racks(1, [[0, 1, 2]]);
    const two = racks(1, [[0, 2, 2]]);
    const both = { layers: [...one.layers, ...two.layers], roots: one.roots, cells: [...one.cells, ...two.cells] };
    expect(told(both, 2)).toEqual(["1,2:,", "1,1:,", "1,0:,", "0,2:,", "0,1:,", "0,0:,"]);
  });
});
