import { expect, test } from "vitest";
import { admitPod } from "../../src/solver/numa-admit.ts";

/** Three NUMA nodes with eight of each of two resources: seventeen of one take all three, and leave seven in any of 36 ways. */
const after = (first: number, second: number) => {
  const all = [8, 8, 8];
  const scene = { policy: "restricted" as const, sizes: [all, all], units: [1, 1] };
  return admitPod(scene, [all, all], [{ kind: "main", amounts: [first, second] }], false);
};

test("every way to hand out an amount is followed", () => {
  const { states, refused } = after(17, 0);
  expect(refused).toBe(false);
  expect(new Set(states.map((one) => JSON.stringify(one))).size).toBe(36);
  for (const [one, other] of states) {
    expect(one?.reduce((sum, left) => sum + left, 0)).toBe(7);
    expect(other).toEqual([8, 8, 8]);
  }
});

test("of more ways than are followed together none is known", () => {
  expect(after(17, 17)).toEqual({ states: [[]], refused: false });
});
