import fc from "fast-check";
import { expect, test } from "vitest";
import type { JsonObject, PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

/** Devices that several nodes reach, and claims for them that pods of one or two sets share, on three nodes of few cores. */
const NODES = [0, 1, 2];
const deviceCase = fc.record({
  reach: fc.constantFrom<readonly number[]>([0], [1], [0, 1], [1, 2], [0, 1, 2]),
  kind: fc.constantFrom("a", "b"),
  used: fc.integer({ min: 0, max: 4 }).map((one) => one === 0),
});
const setCase = fc.record({
  pods: fc.integer({ min: 1, max: 3 }),
  /** Devices of its own beside the claim. */
  own: fc.integer({ min: 0, max: 1 }),
  shares: fc.integer({ min: 0, max: 3 }).map((one) => one > 0),
});
const worldCase = fc.record({
  devices: fc.array(deviceCase, { minLength: 2, maxLength: 4 }),
  cpus: fc.tuple(...NODES.map(() => fc.integer({ min: 0, max: 3 }))),
  sets: fc.array(setCase, { minLength: 1, maxLength: 2 }),
  kind: fc.constantFrom("a", undefined),
  count: fc.integer({ min: 1, max: 2 }),
});
type World = typeof worldCase extends fc.Arbitrary<infer T> ? T : never;

function reachOf(nodes: readonly number[]): JsonObject {
  const [only] = nodes;
  if (nodes.length === 1) return { nodeName: `n${only}` };
  if (nodes.length === 3) return { allNodes: true };
  const values = nodes.map((node) => `n${node}`);
  const matchExpressions = [{ key: "kubernetes.io/hostname", operator: "In", values }];
  return { nodeSelector: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function worldOf({ devices, cpus, sets, kind, count }: World) {
  const builder = cluster();
  for (const [index, cpu] of cpus.entries()) builder.node(`n${index}`, (node) => node.cpu(cpu));
  for (const [index, { used }] of devices.entries())
    if (used) builder.claim(`held-${index}`, [`fabric.example.com/p/d${index}`]);
  const topology = builder
    .object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "fabric" },
      spec: {
        driver: "fabric.example.com",
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        perDeviceNodeSelection: true,
        devices: devices.map((one, index) => ({
          name: `d${index}`,
          attributes: { kind: { string: one.kind } },
          ...reachOf(one.reach),
        })),
      },
    })
    .topology();
  const selectors = kind === undefined ? [] : [`device.attributes["fabric.example.com"].kind == "${kind}"`];
  const demand = demandOf(
    ...sets.map(({ pods, own, shares }, index): PodSetDemand => {
      const joint = deviceRequest("joint", count, { claim: "joint", sharedClaim: "default/joint", selectors });
      const single = deviceRequest("own", 1, { claim: "own", selectors: [] });
      return podSet(`set-${index}`, {
        required: pods,
        pod: { devices: [...(shares ? [joint] : []), ...(own > 0 ? [single] : [])] },
      });
    }),
  );
  return { topology, demand };
}

/** By trying every choice of the claim's devices, every place of the pods that all of these reach, and every device of their own. */
function exists({ devices, cpus, sets, kind, count }: World, nominal: boolean): boolean {
  const free = [...devices.keys()].filter((index) => nominal || devices[index]?.used !== true);
  const matching = free.filter((index) => (kind ?? devices[index]?.kind) === devices[index]?.kind);
  const choices = !sets.some(({ shares }) => shares)
    ? [[]]
    : count === 1
      ? matching.map((one) => [one])
      : matching.flatMap((one, at) => matching.slice(at + 1).map((two) => [one, two]));
  const place = (
    set: number,
    pod: number,
    left: readonly number[],
    taken: ReadonlySet<number>,
    claim: readonly number[],
  ): boolean => {
    const one = sets[set];
    if (one === undefined) return true;
    if (pod === one.pods) return place(set + 1, 0, left, taken, claim);
    return NODES.some((node) => {
      if ((left[node] ?? 0) < 1) return false;
      if (one.shares && claim.some((index) => devices[index]?.reach.includes(node) !== true)) return false;
      const rest = left.map((cpu, index) => (index === node ? cpu - 1 : cpu));
      if (one.own === 0) return place(set, pod + 1, rest, taken, claim);
      return free.some(
        (index) =>
          !taken.has(index) &&
          devices[index]?.reach.includes(node) === true &&
          place(set, pod + 1, rest, new Set([...taken, index]), claim),
      );
    });
  };
  return choices.some((claim) => place(0, 0, cpus, new Set(claim), claim));
}

test("pods that share a claim stand wherever all its devices are reached: exactly what enumeration says", () => {
  const seen = tally();
  fc.assert(
    fc.property(worldCase, (world) => {
      const { topology, demand } = worldOf(world);
      const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
      const wanted = exists(world, false) ? "fits" : exists(world, true) ? "busy" : "never";
      expect(answer.verdict).toBe(wanted);
      const shared = world.sets.some(({ shares }) => shares);
      if (!shared) return;
      seen.add(wanted);
      if (wanted !== "fits") return;
      const assignment = answer.chosen?.assignment ?? expect.fail();
      expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
      const nodes = assignment.placed.filter(({ podSet: name }) => world.sets[Number(name.at(-1))]?.shares === true);
      if (new Set(nodes.map(({ node }) => node)).size > 1) seen.add("on several nodes");
    }),
    runs(500),
  );
  expect(seen.least("fits", "busy", "never", "on several nodes")).toBeGreaterThan(10);
});
