import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { supplyCase, supplyVerdict, supplyWorld } from "../support/brute-supply.ts";
import { runs, tally } from "../support/runs.ts";

describe("growth of pools against brute force", () => {
  test("windows, nodes on their way, promises, NodePool limits, CapacityQuotas and ResourceQuotas: exactly what enumeration says", () => {
    const seen = tally();
    fc.assert(
      fc.property(supplyCase, (one) => {
        const world = supplyWorld(one);
        const { topology, demand, context } = world;
        const answer = solve(topology, demand, context);
        const expected = supplyVerdict(one, world);
        expect(answer.verdict).toBe(expected);
        seen.add(expected);
        const assignment = answer.chosen?.assignment;
        if (assignment !== undefined)
          expect(checkAssignment(topology, demand, answer.rungs, assignment, context)).toEqual([]);
        if (answer.chosen?.reasons.some(({ message }) => message.includes("NodePool np"))) seen.add("NodePool");
        for (const { code, message } of answer.chosen?.reasons ?? [])
          if (code === "PoolDiffers" || message.includes("is not in the cluster")) seen.add(`${code} ${expected}`);
        if (answer.chosen?.reasons.some(({ message }) => message.includes("CapacityQuota"))) seen.add("CapacityQuota");
        if (answer.chosen?.reasons.some(({ code }) => code === "QuotaExceeded")) seen.add("ResourceQuota");
      }),
      runs(500),
    );
    expect(
      seen.least("fits", "scaleUp", "busy", "never", "NodePool", "CapacityQuota", "ResourceQuota"),
    ).toBeGreaterThan(15);
    expect(
      seen.least("PoolDiffers scaleUp", "PoolDiffers busy", "PoolDiffers never", "PoolExhausted busy"),
    ).toBeGreaterThan(3);
  });
});
