import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { mayAbort, nodeHolds } from "../support/brute-devices.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
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

const seen = tally();

const rackOf = (node: number): string => `r${node % 2}`;

function topologyOf(nodes: readonly NodeDevices[]) {
  const builder = cluster();
  for (const [index, one] of nodes.entries()) {
    builder.node(`n${index}`, (node) => node.cpu(32).memory("64Gi").zone("z").block("b").rack(rackOf(index)));
    for (const object of [...slicesOf(`n${index}`, one), ...claimsOf(`n${index}`, one)]) builder.object(object);
  }
  return builder.topology();
}

/** `together`: all pods stand in one rack. */
function expected(
  nodes: readonly NodeDevices[],
  claims: readonly ClaimCase[],
  pods: number,
  together: boolean,
): "fits" | "busy" | "never" {
  const fits = (nominal: boolean): boolean => {
    if (claims[0]?.shared === true) return nodes.some((node) => nodeHolds(node, nominal, claims));
    const rooms = new Map<string, number>();
    for (const [index, node] of nodes.entries()) {
      const each = (count: number) => Array.from({ length: count }, () => claims).flat();
      let most = 0;
      while (most < pods && nodeHolds(node, nominal, each(most + 1))) most += 1;
      const place = together ? rackOf(index) : "";
      rooms.set(place, (rooms.get(place) ?? 0) + most);
    }
    return Math.max(...rooms.values()) >= pods;
  };
  return fits(false) ? "fits" : fits(true) ? "busy" : "never";
}

describe("devices against brute force", () => {
  test("partitions, shared devices, alternatives, constraints and shared claims: exactly what enumeration says", () => {
    fc.assert(
      fc.property(
        fc.array(nodeDevices, { minLength: 1, maxLength: 3 }),
        claimCase,
        fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: claimCase }),
        fc.integer({ min: 1, max: 3 }),
        fc.boolean(),
        (nodes, claim, second, pods, together) => {
          const topology = topologyOf(nodes);
          // What the second claim asks for is little, so that both are often served.
          const more =
            second === undefined ? [] : [{ ...second, shared: claim.shared, requests: second.requests.slice(0, 1) }];
          const claims = [claim, ...more];
          const devices = claims.flatMap((one, index) => requestsOf(one, `claim-${index}`));
          const placement = together ? { level: "rack" } : {};
          const demand = demandOf(podSet("main", { required: pods, pod: { devices }, placement }));
          const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
          const aborted = answer.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"));
          const wanted = expected(nodes, claims, pods, together);
          if (aborted) {
            expect(claims.some(mayAbort)).toBe(true);
            expect(["busy", "never"]).toContain(answer.verdict);
            if (wanted === "never") expect(answer.verdict).toBe("never");
            seen.add("aborted");
            return;
          }
          expect(answer.verdict).toBe(wanted);
          seen.add(wanted);
          if (nodes.some(({ partitioned }) => partitioned)) seen.add(`partitioned ${wanted}`);
          if (claim.shared) seen.add(`shared ${wanted}`);
          if (claim.requests.some(({ second }) => second)) seen.add(`alternatives ${wanted}`);
          if (claim.bond === "distinct") seen.add(`distinct ${wanted}`);
          if (claim.bond !== "none" && together) seen.add(`bound in a rack ${wanted}`);
          if (more.length > 0) seen.add(`two claims ${wanted}`);
          const sick = nodes.some((node) => node.devices.some(({ tainted }) => tainted));
          if (sick && claim.requests.some(({ count }) => count === "all")) seen.add(`all, tainted ${wanted}`);
          if (wanted === "fits")
            expect(
              checkAssignment(
                topology,
                demand,
                answer.rungs,
                answer.chosen?.assignment ?? { placed: [], newNodes: [] },
                contextOf(),
              ),
            ).toEqual([]);
        },
      ),
      runs(400),
    );
    const more = ["bound in a rack ", "two claims ", "all, tainted "];
    const kinds = ["", "partitioned ", "shared ", "alternatives ", "distinct ", ...more];
    expect(
      seen.least(...kinds.flatMap((kind) => ["fits", "busy", "never"].map((verdict) => `${kind}${verdict}`))),
    ).toBeGreaterThan(2);
    expect(seen.least("aborted")).toBeGreaterThan(2);
  });

  test("two pod sets on the same devices: all or nothing, exactly", () => {
    const verdicts = tally();
    fc.assert(
      fc.property(
        fc.array(nodeDevices, { minLength: 1, maxLength: 2 }),
        claimCase,
        claimCase,
        fc.integer({ min: 1, max: 2 }),
        (nodes, one, two, pods) => {
          const claims = [one, two].map((claim): ClaimCase => ({ ...claim, shared: false, bond: "none" }));
          const [head = one, worker = two] = claims;
          const topology = topologyOf(nodes);
          const demand = demandOf(
            podSet("head", { required: 1, pod: { devices: requestsOf(head) } }),
            podSet("worker", { required: pods, pod: { devices: requestsOf(worker) } }),
          );
          const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
          const fits = (nominal: boolean): boolean =>
            [...nodes.keys()].some((home) =>
              Array.from({ length: pods + 1 }, (_, first) => [first, pods - first]).some(
                (counts) =>
                  nodes.every((node, index) =>
                    nodeHolds(node, nominal, [
                      ...(index === home ? [head] : []),
                      ...Array.from({ length: counts[index] ?? 0 }, () => worker),
                    ]),
                  ) &&
                  (nodes.length === 2 || counts[1] === 0),
              ),
            );
          const wanted = fits(false) ? "fits" : fits(true) ? "busy" : "never";
          verdicts.add(wanted);
          expect(answer.verdict).toBe(wanted);
        },
      ),
      runs(300),
    );
    expect(verdicts.least("fits", "busy", "never")).toBeGreaterThan(10);
  });
});

describe("claims that the pods of two sets share", () => {
  test("are served once for all, beside what each pod has of its own: exactly what enumeration says", () => {
    const verdicts = tally();
    fc.assert(
      fc.property(
        fc.array(nodeDevices, { minLength: 1, maxLength: 2 }),
        claimCase,
        claimCase,
        fc.integer({ min: 1, max: 2 }),
        (nodes, one, two, pods) => {
          const joint: ClaimCase = { ...one, shared: true, bond: "none" };
          const own: ClaimCase = { ...two, shared: false, bond: "none", requests: two.requests.slice(0, 1) };
          const topology = topologyOf(nodes);
          const both = [...requestsOf(joint, "joint"), ...requestsOf(own, "own")];
          const demand = demandOf(
            podSet("head", { pod: { devices: requestsOf(joint, "joint") } }),
            podSet("worker", { required: pods, pod: { devices: both }, placement: { level: "rack" } }),
          );
          const each = Array.from({ length: pods }, () => own);
          const fits = (nominal: boolean) => nodes.some((node) => nodeHolds(node, nominal, [joint, ...each]));
          const wanted = fits(false) ? "fits" : fits(true) ? "busy" : "never";
          const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
          verdicts.add(wanted);
          expect(answer.verdict).toBe(wanted);
          if (wanted !== "fits") return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
        },
      ),
      runs(150),
    );
    expect(verdicts.least("fits", "busy", "never")).toBeGreaterThan(4);
  });
});

describe("devices that several nodes reach against brute force", () => {
  const reach = fc.constantFrom<readonly number[]>([0], [1], [0, 1], [1, 2], [0, 1, 2]);
  const fabricDevice = fc.record({ reach, used: fc.integer({ min: 0, max: 4 }).map((one) => one === 0) });
  type Fabric = readonly { readonly reach: readonly number[]; readonly used: boolean }[];

  /** Nodes 0 and 1 are in one rack, node 2 in another. */
  const topologyOver = (devices: Fabric) => {
    const builder = cluster();
    for (const index of [0, 1, 2])
      builder.node(`n${index}`, (node) =>
        node
          .zone("z")
          .block("b")
          .rack(index < 2 ? "r0" : "r1"),
      );
    for (const [index, { used }] of devices.entries())
      if (used) builder.claim(`held-${index}`, [`fabric.example.com/p/d${index}`]);
    return builder
      .object({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceSlice",
        metadata: { name: "fabric" },
        spec: {
          driver: "fabric.example.com",
          pool: { name: "p", generation: 1, resourceSliceCount: 1 },
          perDeviceNodeSelection: true,
          devices: devices.map(({ reach: nodes }, index) => ({ name: `d${index}`, ...reachOf(nodes) })),
        },
      })
      .topology();
  };

  test("exactly what giving them out one by one says, also within a rack and for two sets", () => {
    const verdicts = tally();
    fc.assert(
      fc.property(
        fc.array(fabricDevice, { minLength: 1, maxLength: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 2 }),
        fc.constantFrom(undefined, undefined, "rack"),
        fc.integer({ min: 0, max: 1 }),
        (devices, pods, count, level, others) => {
          const topology = topologyOver(devices);
          const request = deviceRequest("nic", count, { selectors: [] });
          const demand = demandOf(
            podSet("main", { required: pods, pod: { devices: [request] }, placement: { level } }),
            ...(others === 0 ? [] : [podSet("head", { pod: { devices: [{ ...request, count: 1 }] } })]),
          );
          const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
          const racks = level === undefined ? [[0, 1, 2]] : [[0, 1], [2]];
          const fits = (nominal: boolean): boolean => {
            const taken = new Set([...devices.keys()].filter((index) => !nominal && devices[index]?.used === true));
            const reaches = devices.map((one) => one.reach);
            const counts = Array.from({ length: pods }, () => count);
            return racks.some((rack) => spreads(reaches, counts, rack, others, taken));
          };
          const wanted = fits(false) ? "fits" : fits(true) ? "busy" : "never";
          expect(answer.verdict).toBe(wanted);
          verdicts.add(wanted);
          const alone = devices.length >= count && pods * count + others > devices.length;
          if (alone) verdicts.add("enough for each and not for all");
          if (wanted !== "fits") return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
        },
      ),
      runs(400),
    );
    expect(verdicts.least("fits", "busy", "never", "enough for each and not for all")).toBeGreaterThan(20);
  });
});

function reachOf(nodes: readonly number[]): JsonObject {
  const [only] = nodes;
  if (nodes.length === 1) return { nodeName: `n${only}` };
  if (nodes.length === 3) return { allNodes: true };
  const values = nodes.map((node) => `n${node}`);
  const matchExpressions = [{ key: "kubernetes.io/hostname", operator: "In", values }];
  return { nodeSelector: { nodeSelectorTerms: [{ matchExpressions }] } };
}

/** Can pods that want so many devices each stand on these nodes, and `others` more that want one each stand anywhere. */
function spreads(
  devices: readonly (readonly number[])[],
  counts: readonly number[],
  nodes: readonly number[],
  others: number,
  taken: ReadonlySet<number>,
): boolean {
  const [count, ...rest] = counts;
  if (count === undefined)
    return others === 0 || spreads(devices, new Array<number>(others).fill(1), [0, 1, 2], 0, taken);
  return nodes.some((node) => {
    const free = [...devices.keys()].filter((index) => !taken.has(index) && devices[index]?.includes(node) === true);
    const sets =
      count === 1 ? free.map((one) => [one]) : free.flatMap((one, at) => free.slice(at + 1).map((two) => [one, two]));
    return sets.some((set) => spreads(devices, rest, nodes, others, new Set([...taken, ...set])));
  });
}
