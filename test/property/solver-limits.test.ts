import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkAssignment, checkLimits, solve } from "../../src/solver/index.ts";
import { isSound, limitsCase, limitsVerdict, limitsWorld } from "../support/brute-limits.ts";
import { runs, tally } from "../support/runs.ts";

describe("queues and limits for tenants against brute force", () => {
  test("one or two sets, flavors, cohorts, what the tenant holds and is promised, beside nodes: exactly what enumeration says", () => {
    const seen = tally();
    fc.assert(
      fc.property(limitsCase.filter(isSound), (one) => {
        const world = limitsWorld(one);
        const { topology, demand, context } = world;
        const answer = solve(topology, demand, context);
        const expected = limitsVerdict(one, world);
        expect(answer.verdict).toBe(expected);
        seen.add(`${expected} of ${one.sets.length}`);
        const assignment = answer.chosen?.assignment;
        if (assignment !== undefined) {
          expect(checkAssignment(topology, demand, answer.rungs, assignment, context)).toEqual([]);
          expect(checkLimits(topology, demand, answer.rungs, assignment, context)).toEqual([]);
        }
        for (const { code, data } of answer.chosen?.reasons ?? [])
          if (code === "LimitExceeded" || (code === "QuotaExceeded" && data?.["clusterQueue"] !== undefined))
            seen.add(`${expected} by ${code}`);
      }),
      runs(600),
    );
    expect(seen.least("fits of 1", "fits of 2", "busy of 1", "busy of 2", "never of 1", "never of 2")).toBeGreaterThan(
      15,
    );
    expect(
      seen.least("busy by LimitExceeded", "never by LimitExceeded", "busy by QuotaExceeded", "never by QuotaExceeded"),
    ).toBeGreaterThan(10);
  });

  test("what the limits leave no room for, the checker refuses, whatever the search says", () => {
    const seen = tally();
    fc.assert(
      fc.property(limitsCase.filter(isSound), (one) => {
        const { topology, demand, context } = limitsWorld({ ...one, limit: undefined, queue: undefined });
        const answer = solve(topology, demand, context);
        const assignment = answer.chosen?.assignment;
        if (assignment === undefined) return;
        const limited = limitsWorld(one);
        const verdict = limitsVerdict(one, limited);
        const faults = checkLimits(limited.topology, limited.demand, answer.rungs, assignment, limited.context);
        expect(faults.length === 0, faults.join("; ")).toBe(verdict === "fits");
        seen.add(verdict);
      }),
      runs(400),
    );
    expect(seen.least("fits", "busy", "never")).toBeGreaterThan(15);
  });
});
