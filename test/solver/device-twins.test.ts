import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { indexTopology, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import {
  claimCase,
  claimsOf,
  DRIVER,
  type NodeDevices,
  nodeDevices,
  requestsOf,
  slicesOf,
} from "../support/device-cases.ts";
import { migRequest, migSlices } from "../support/mig.ts";
import { runs } from "../support/runs.ts";

/** A device that every node reaches and nobody gets: with it no node is compared with another. */
const WIDE: JsonObject = {
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name: "wide" },
  spec: {
    driver: "fabric.example.com",
    allNodes: true,
    pool: { name: "wide", generation: 1, resourceSliceCount: 1 },
    devices: [
      {
        name: "link",
        attributes: { [`${DRIVER}/kind`]: { string: "z" } },
      },
    ],
  },
};

function topologyOf(nodes: readonly NodeDevices[], extra: readonly JsonObject[]) {
  const builder = cluster();
  for (const [index, one] of nodes.entries()) {
    builder.node(`n${index}`, (node) => node.cpu(32).memory("64Gi"));
    for (const object of [...slicesOf(`n${index}`, one), ...claimsOf(`n${index}`, one)]) builder.object(object);
  }
  for (const object of extra) builder.object(object);
  return builder.topology();
}

describe("nodes whose devices nothing tells apart are looked at once", () => {
  test("the answer is that of looking at each by itself", () => {
    const alike = fc
      .array(nodeDevices, { minLength: 1, maxLength: 2 })
      .chain((kinds) => fc.array(fc.tuple(fc.constantFrom(...kinds), fc.nat(31)), { minLength: 2, maxLength: 6 }))
      .map((nodes) =>
        nodes.map(([one, bits]) => ({
          ...one,
          devices: one.devices.map((device, index) => ({
            ...device,
            used: device.used !== ((bits & (1 << index)) !== 0),
          })),
        })),
      );
    // Every way names what it wants, so that nothing takes the wide device.
    const picky = claimCase.map((one) => ({
      ...one,
      requests: one.requests.map((each) => ({ ...each, otherKind: each.otherKind ?? ("a" as const) })),
    }));
    fc.assert(
      fc.property(alike, picky, fc.integer({ min: 1, max: 6 }), (nodes, claim, pods) => {
        const demand = demandOf(podSet("main", { required: pods, pod: { devices: requestsOf(claim) } }));
        const answer = (extra: readonly JsonObject[]) => {
          const { steps: _, ...rest } = solve(topologyOf(nodes, extra), demand, contextOf({ skipSuggestions: true }));
          return { ...rest, ladder: rest.ladder.map(({ steps: _steps, ...one }) => one), chosen: undefined };
        };
        expect(answer([])).toEqual(answer([WIDE]));
      }),
      runs(90),
    );
  });

  test("as many steps on forty nodes with cut cards as on one", () => {
    const steps = (nodes: number): number => {
      const builder = cluster();
      for (let index = 0; index < nodes; index += 1) {
        builder.node(`n-${index}`, (node) => node.cpu(128).memory("512Gi"));
        for (const object of migSlices(`n-${index}`, 2)) builder.object(object);
        builder.claim(`held-${index}`, [`${DRIVER}/n-${index}/gpu-0`]);
      }
      const topology = builder.topology();
      const demand = demandOf(podSet("main", { pod: { devices: [migRequest("1g.10gb")] } }));
      return solve(topology, demand, contextOf({ skipSuggestions: true, index: indexTopology(topology) })).steps;
    };
    expect(steps(40)).toBe(steps(1));
  });
});
