import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { existsAssignment, type Holds, sitesOf } from "../support/brute.ts";
import { mayAbort, nodeHolds } from "../support/brute-devices.ts";
import { testLayout } from "../support/cluster.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import {
  type ClaimCase,
  claimCase,
  claimsOf,
  type NodeDevices,
  nodeDevices,
  requestsOf,
  slicesOf,
} from "../support/device-cases.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, objectsOf, promisedNodeCase, type SetCase, setCase, setOf } from "../support/solver-cases.ts";

type MixedNode = NodeCase & { readonly gpus: NodeDevices };

/** Nodes that have much but devices, so that these and the rules decide. */
const node: fc.Arbitrary<MixedNode> = fc
  .tuple(promisedNodeCase, nodeDevices, fc.boolean())
  .map(([one, gpus, whole]) => ({
    ...one,
    cpu: one.cpu + 2,
    gpus: {
      ...gpus,
      partitioned: gpus.partitioned && !whole,
      devices: gpus.devices.slice(0, 4).map((each) => (whole ? { ...each, used: false, tainted: false } : each)),
    },
  }));
const set = (most: number): fc.Arbitrary<SetCase> =>
  setCase(most).map((one) => ({ ...one, cpu: 1, devices: 0, tolerates: true, port: one.port && one.terms }));
const claim = fc
  .option(fc.tuple(claimCase, fc.boolean()), { freq: 4, nil: undefined })
  .map((one) => one && { ...one[0], shared: false, requests: one[0].requests.slice(0, one[1] ? 1 : 2) });
const seen = tally();

function topologyOf(nodes: readonly MixedNode[]): Topology {
  const objects = [
    ...objectsOf(nodes),
    ...nodes.flatMap(({ gpus }, index) => [...slicesOf(`n${index}`, gpus), ...claimsOf(`n${index}`, gpus)]),
    ...["Pod", "ResourceClaim", "ResourceSlice"].map((kind) => ({ apiVersion: "v1", kind: `${kind}List`, items: [] })),
  ];
  return buildTopology(inventoryFrom(objects).value ?? expect.fail(), testLayout);
}

/** Whether the devices of a node suffice, remembered by what is asked of it. */
function devicesHold(nodes: readonly MixedNode[], claims: readonly (ClaimCase | undefined)[], nominal: boolean): Holds {
  const known = new Map<string, boolean>();
  return (place, pods) => {
    const asked = pods.map((count, set) => (claims[set] === undefined ? 0 : count));
    const key = `${place}/${asked.join()}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    const gpus = nodes[place]?.gpus;
    const each = asked.flatMap((count, set) => Array.from({ length: count }, () => claims[set] ?? expect.fail()));
    const fresh = gpus !== undefined && nodeHolds(gpus, nominal, each);
    known.set(key, fresh);
    return fresh;
  };
}

function agrees(
  kind: string,
  nodes: readonly MixedNode[],
  sets: readonly (SetCase & { readonly claim: ClaimCase | undefined })[],
): void {
  const topology = topologyOf(nodes);
  const demand = demandOf(
    ...sets.map((one, index): PodSetDemand => {
      const set = setOf(`set-${index}`, { ...one, named: true });
      return one.claim === undefined ? set : { ...set, pod: { ...set.pod, devices: requestsOf(one.claim) } };
    }),
  );
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
  const claims = sets.map((one) => one.claim);
  const fits = (nominal: boolean): boolean =>
    existsAssignment(topology, sitesOf(topology, demand, nominal), demand, steps, devicesHold(nodes, claims, nominal));
  const wanted = fits(false) ? "fits" : fits(true) ? "busy" : "never";
  if (answer.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"))) {
    expect(claims.some((one) => one !== undefined && mayAbort(one))).toBe(true);
    expect(["busy", "never"]).toContain(answer.verdict);
    if (wanted === "never") expect(answer.verdict).toBe("never");
    seen.add(`${kind} aborted`);
    return;
  }
  expect(answer.verdict).toBe(wanted);
  const asking = sets.filter((one) => one.claim !== undefined);
  if (asking.length === 0) return;
  seen.add(`${kind} ${wanted}`);
  for (const one of asking) {
    if (one.spread !== "none") seen.add(`${kind} spread ${wanted}`);
    if (one.level !== undefined && one.unit !== "pod") seen.add(`${kind} ${one.unit} ${wanted}`);
    if (one.claim?.requests.some(({ count }) => count === "all")) seen.add(`${kind} all ${wanted}`);
    if (one.claim?.bond !== "none") seen.add(`${kind} bound ${wanted}`);
  }
  if (wanted !== "fits") return;
  const assignment = answer.chosen?.assignment ?? expect.fail();
  expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
}

describe("devices together with levels, groups, spreading, ports and promised nodes, against brute force", () => {
  test("one set", () => {
    fc.assert(
      fc.property(fc.array(node, { minLength: 1, maxLength: 5 }), set(4), claim, (nodes, one, own) =>
        agrees("one", nodes, [{ ...one, claim: own }]),
      ),
      runs(500),
    );
  });

  test("two sets", () => {
    fc.assert(
      fc.property(
        fc.array(node, { minLength: 1, maxLength: 4 }),
        setCase(2),
        setCase(2),
        claim,
        claim,
        (nodes, one, two, first, second) =>
          agrees("two", nodes, [
            { ...one, claim: first },
            { ...two, claim: second },
          ]),
      ),
      runs(350),
    );
  });
  test("each outcome was met often enough to mean something", () => {
    const each = (...kinds: readonly string[]) =>
      kinds.flatMap((kind) => ["fits", "busy", "never"].map((one) => `${kind} ${one}`));
    expect(seen.least(...each("one", "one spread", "one bound", "one podSet"))).toBeGreaterThan(4);
    expect(seen.least(...each("two", "one group", "one workload", "one all"))).toBeGreaterThan(1);
  });
});
