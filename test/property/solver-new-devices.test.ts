import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { nodeHolds } from "../support/brute-devices.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet, pool, step } from "../support/demand.ts";
import { type ClaimCase, claimCase, DRIVER, type NodeDevices, NUMA, requestsOf } from "../support/device-cases.ts";
import { runs, tally } from "../support/runs.ts";

/** All of what a pool declares of the devices of its nodes. */
const declared = fc
  .array(fc.record({ kind: fc.constantFrom("a" as const, "b" as const), numa: fc.constantFrom(0, 1) }), {
    minLength: 1,
    maxLength: 5,
  })
  .map(
    (devices): NodeDevices => ({
      partitioned: false,
      taken: 0,
      devices: devices.map((one) => ({ ...one, card: 0, slices: [1, 0], shared: false, used: false, tainted: false })),
    }),
  );
/** One device is had whole: what it has of a capacity is not declared. */
const plainClaim = claimCase.map(
  (claim): ClaimCase => ({
    ...claim,
    shared: false,
    requests: claim.requests.map((one) => ({ ...one, units: undefined })),
  }),
);

/** Pods with a claim of their own that one node of the kind takes, at most `limit`. */
function mostOn(node: NodeDevices, claim: ClaimCase, limit: number): number {
  let count = 0;
  while (
    count < limit &&
    nodeHolds(
      node,
      true,
      Array.from({ length: count + 1 }, () => claim),
    )
  )
    count += 1;
  return count;
}

describe("devices of nodes that pools would add, against brute force", () => {
  test("as many pods as the pool's nodes take within its maximum, one pool or two, with and without a host for all", () => {
    const met = tally();
    const made = fc.record({ devices: declared, maxNodes: fc.integer({ min: 0, max: 2 }) });
    fc.assert(
      fc.property(
        fc.array(made, { minLength: 1, maxLength: 2 }),
        plainClaim,
        fc.integer({ min: 1, max: 4 }),
        fc.boolean(),
        (pools, claim, pods, together) => {
          const growing = pools.map(({ devices: { devices }, maxNodes }, index) =>
            pool(`p${index}`, {
              maxNodes,
              acceleratorsPerNode: devices.length,
              node: {
                taints: [],
                mechanism: "dra",
                device: {
                  driver: DRIVER,
                  attributes: {},
                  capacity: {},
                  groups: devices.map(({ kind, numa }) => ({ count: 1, attributes: { kind, [NUMA]: Number(numa) } })),
                },
              },
            }),
          );
          const demand = demandOf(
            podSet("main", {
              required: pods,
              pod: { devices: requestsOf(claim) },
              placement: together ? { level: "host" } : { unit: "pod" },
              steps: [step({ accelerator: "h100", source: "new" })],
            }),
          );
          const context = contextOf({ pools: growing, skipSuggestions: true });
          const topology = cluster()
            .node("n", (node) => node.untainted())
            .topology();
          const answer = solve(topology, demand, context);
          const rooms = pools.map(({ devices, maxNodes }) => ({ each: mostOn(devices, claim, pods), maxNodes }));
          const enough = together
            ? rooms.some(({ each, maxNodes }) => maxNodes > 0 && each >= pods)
            : rooms.reduce((sum, { each, maxNodes }) => sum + each * maxNodes, 0) >= pods;
          expect(answer.verdict).toBe(enough ? "scaleUp" : "never");
          met.add(`${pools.length} ${answer.verdict}`);
          met.add(`${claim.bond} ${answer.verdict}`);
          for (const { count, second } of claim.requests)
            met.add(`${second ? "alternatives" : count === "all" ? "all" : "counted"} ${answer.verdict}`);
          if (!enough) return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, answer.rungs, assignment, context)).toEqual([]);
        },
      ),
      runs(500),
    );
    for (const what of ["1", "2", "none", "match", "distinct", "alternatives", "all", "counted"])
      expect(met.least(`${what} scaleUp`, `${what} never`), what).toBeGreaterThan(5);
  });
});
