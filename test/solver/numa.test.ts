import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Demand, type PodSetDemand, requirement } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, pool } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

type Policy = "single-numa-node" | "restricted";
const numaPool = (nodes: number, policy: Policy, maxNodes = 4) =>
  pool("p", {
    maxNodes,
    members: new Map([["pool", requirement("pool", "In", ["p"])]]),
    node: { numa: { nodes, policy, scope: "container" } },
  });
const gang = (pods: number, each: number, source: "existing" | "new" = "existing") =>
  demandOf(
    podSet("main", { required: pods, requests: { "nvidia.com/gpu": each }, steps: [gpuStep(each, { source })] }),
  );
const boxes = (used: readonly number[]) => {
  const builder = cluster();
  for (const [index, count] of used.entries()) {
    builder.node(`n${index}`, (node) => node.cpu(64).gpus("h100", 8).label("pool", "p"));
    if (count > 0) builder.pod(`busy-${index}`, (one) => one.namespace("other").on(`n${index}`).gpus(count));
  }
  return builder.topology();
};
const ask = (used: readonly number[], pods: number, each: number, policy: Policy = "single-numa-node") =>
  solve(boxes(used), gang(pods, each), contextOf({ pools: [numaPool(2, policy)], skipSuggestions: true }));

describe("device-plugin nodes whose kubelet turns pods away by NUMA node", () => {
  test.each([
    ["two pods of four fill an empty node of two sockets", [0], 2, 4, "fits"],
    ["six devices never come from one socket of four", [0], 1, 6, "never"],
    ["four of five free ones may or may not lie on one socket", [3], 1, 4, "unknown"],
    ["of seven free ones four always do", [1], 1, 4, "fits"],
    ["three of five free ones always do", [3], 1, 3, "fits"],
    ["with three free no socket can have four", [5], 1, 4, "busy"],
    ["three pods of three need two nodes", [0, 0], 3, 3, "fits"],
    ["and do not stand on one, though nine of nine would be eight", [0], 3, 3, "never"],
  ] as const)("%s", (_, used, pods, each, verdict) => {
    expect(ask(used, pods, each).verdict).toBe(verdict);
  });

  test("what is not known is said with the node's name", () => {
    const [reason] = ask([3], 1, 4).ladder[0]?.reasons ?? [];
    expect(reason?.message).toBe(
      "which NUMA node the devices in use on 1 node (n0) belong to is not known, and a pod's devices must come from one",
    );
  });

  test("where what is in use may lie in more ways than are looked at, nothing is known", () => {
    const builder = cluster().node("n", (node) =>
      node.cpu(64).gpus("h100", 16).resource("example.com/nic", 16).label("pool", "p"),
    );
    for (let at = 0; at < 8; at += 1)
      builder.pod(`busy-${at}`, (one) => one.namespace("other").on("n").gpus(1).resource("example.com/nic", 1));
    const requests = { "nvidia.com/gpu": 1, "example.com/nic": 1 };
    const demand = demandOf(podSet("main", { requests, steps: [gpuStep(1)] }));
    const context = contextOf({ pools: [numaPool(8, "single-numa-node")], skipSuggestions: true });
    expect(solve(builder.topology(), demand, context).verdict).toBe("unknown");
  });

  test("restricted admits what no one NUMA node could hold", () => {
    expect(ask([0], 1, 8, "restricted").verdict).toBe("fits");
    expect(ask([0], 1, 8).verdict).toBe("never");
    expect(ask([3], 1, 4, "restricted").verdict).toBe("unknown");
  });

  test("devices that a step adds are asked for by the first app container", () => {
    const verdict = (each: number) => {
      const added = { "nvidia.com/gpu": each };
      const set = podSet("main", {
        pod: { containers: [{ name: "app", kind: "main", requests: {} }] },
        steps: [{ ...gpuStep(each), addedRequests: added }],
      });
      return solve(boxes([0]), demandOf(set), contextOf({ pools: [numaPool(2, "single-numa-node")] })).verdict;
    };
    expect([verdict(4), verdict(6)]).toEqual(["fits", "never"]);
  });

  test("devices that the workload's own pods hold count as free, wherever they lie", () => {
    const builder = cluster();
    builder.node("n0", (node) => node.cpu(64).gpus("h100", 8));
    builder.pod("train-0", (one) => one.namespace("default").on("n0").gpus(4).owner("Job", "train"));
    const device = (available: number) => ({ name: "nvidia.com/gpu", capacity: 4, allocatable: 4, available });
    builder.object({
      apiVersion: "topology.node.k8s.io/v1alpha2",
      kind: "NodeResourceTopology",
      metadata: { name: "n0" },
      attributes: [{ name: "topologyManagerPolicy", value: "single-numa-node" }],
      zones: [0, 4].map((free, zone) => ({ name: `node-${zone}`, type: "Node", resources: [device(free)] })),
    });
    const verdict = (demand: Demand) => solve(builder.topology(), demand, contextOf({ skipSuggestions: true })).verdict;
    expect(verdict(gang(2, 4))).toBe("fits");
    const another = { ...gang(2, 4).workload, name: "other" };
    expect(verdict({ ...gang(2, 4), workload: another })).toBe("busy");
  });

  test("a pod that only gets in after one of another set is not refused for good", () => {
    const device = (amount: number) => ({
      name: "nvidia.com/gpu",
      capacity: amount,
      allocatable: amount,
      available: amount,
    });
    const topology = cluster()
      .node("n0", (node) => node.cpu(64).gpus("h100", 6))
      .object({
        apiVersion: "topology.node.k8s.io/v1alpha2",
        kind: "NodeResourceTopology",
        metadata: { name: "n0" },
        attributes: [
          { name: "topologyManagerPolicy", value: "single-numa-node" },
          { name: "topologyManagerScope", value: "container" },
        ],
        zones: [2, 4].map((size, zone) => ({ name: `node-${zone}`, type: "Node", resources: [device(size)] })),
      })
      .topology();
    const set = (name: string, held: number, containers: readonly (readonly ["init" | "sidecar" | "main", number])[]) =>
      podSet(name, {
        requests: { "nvidia.com/gpu": held },
        pod: {
          containers: containers.map(([kind, gpus]) => ({ name: kind, kind, requests: { "nvidia.com/gpu": gpus } })),
        },
        steps: [gpuStep(held)],
        placement: { unit: "pod" },
      });
    const first = set("first", 3, [
      ["init", 1],
      ["main", 3],
    ]);
    const second = set("second", 2, [
      ["sidecar", 1],
      ["main", 1],
    ]);
    const verdict = (...sets: readonly PodSetDemand[]) =>
      solve(topology, demandOf(...sets), contextOf({ skipSuggestions: true })).verdict;
    // By itself its init container takes the first socket, of which the main one then cannot have enough.
    expect(verdict(first)).toBe("never");
    expect(verdict(first, second)).toBe("unknown");
  });

  test("nodes that all refuse are noted one by one beside new nodes, not copied for each", () => {
    const topology = boxes(Array.from({ length: 12_000 }, () => 0));
    const context = contextOf({ pools: [numaPool(2, "single-numa-node", 13_000)], skipSuggestions: true });
    const before = process.cpuUsage();
    const answer = solve(topology, gang(1, 6, "new"), context);
    expect(answer.verdict).toBe("never");
    expect(answer.ladder[0]?.exclusions.map(({ nodes }) => nodes)).toEqual([12_000]);
    // Copied, it takes some ten seconds.
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(3);
  });

  test("new nodes of the pool follow the same rule", () => {
    const on = (pods: number, each: number) =>
      solve(
        boxes([8]),
        gang(pods, each, "new"),
        contextOf({ pools: [numaPool(2, "single-numa-node", 3)], skipSuggestions: true }),
      );
    expect(on(4, 4).verdict).toBe("scaleUp");
    expect(on(7, 4).verdict).toBe("never");
    expect(on(4, 3).chosen?.assignment?.newNodes).toEqual([{ pool: "p", zone: "a", count: 2 }]);
  });

  test("fits means that every way in which devices can be in use leaves room, busy and never that none does", () => {
    const seen = tally();
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 8 }), { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 5 }),
        fc.constantFrom(2, 4),
        (used, pods, each, sockets) => {
          const context = contextOf({ pools: [numaPool(sockets, "single-numa-node")], skipSuggestions: true });
          const topology = boxes(used);
          const answer = solve(topology, gang(pods, each), context);
          const rooms = used.map((count) => layouts(sockets, 8 / sockets, 8 - count).map((one) => roomFor(one, each)));
          const least = rooms.reduce((sum, list) => sum + Math.min(...list), 0);
          const most = rooms.reduce((sum, list) => sum + Math.max(...list), 0);
          const empty = used.length * sockets * Math.floor(8 / sockets / each);
          const expected = least >= pods ? "fits" : most >= pods ? "unknown" : empty >= pods ? "busy" : "never";
          seen.add(expected);
          expect(answer.verdict).toBe(expected);
          if (expected !== "fits") return;
          const assignment = answer.chosen?.assignment ?? expect.fail();
          expect(checkAssignment(topology, gang(pods, each), answer.rungs, assignment, context)).toEqual([]);
        },
      ),
      runs(150),
    );
    expect(seen.least("fits", "unknown", "busy", "never")).toBeGreaterThan(5);
  });
});

/** Every way in which free devices lie on the sockets, one by one. */
function layouts(sockets: number, size: number, free: number): readonly (readonly number[])[] {
  if (sockets === 0) return free === 0 ? [[]] : [];
  return Array.from({ length: size + 1 }, (_, here) => here).flatMap((here) =>
    layouts(sockets - 1, size, free - here).map((rest) => [here, ...rest]),
  );
}

const roomFor = (sockets: readonly number[], each: number): number =>
  sockets.reduce((sum, free) => sum + Math.floor(free / each), 0);
