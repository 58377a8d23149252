import { describe, expect, test } from "vitest";
import type { Answer, Hold } from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { cluster, layout, type NodeBuilder } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, pool } from "../support/demand.ts";

/** One node of the pool, in zone a, that has registered and counts no devices yet. */
const booting = (mark: (node: NodeBuilder) => unknown) =>
  cluster().node("b-1", (node) => {
    node.cpu(64).zone("a").label("pool", "p5");
    mark(node);
  });
const marks: readonly (readonly [string, (node: NodeBuilder) => unknown])[] = [
  ["Karpenter's taint", (node) => node.notReady().taint("karpenter.sh/unregistered", "", "NoExecute")],
  ["Karpenter's labels", (node) => node.label("karpenter.sh/registered", "true")],
  ["Cluster Autoscaler's taint", (node) => node.taint("startup-taint.cluster-autoscaler.kubernetes.io/driver")],
  ["the cloud's taint", (node) => node.notReady().taint("node.cloudprovider.kubernetes.io/uninitialized")],
];

const demand = (pods: number, source: "existing" | "new" = "new") =>
  demandOf(podSet("main", { required: pods, requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8, { source })] }));
const hold = (count: number): Hold => ({
  workload: { apiVersion: "batch/v1", kind: "Job", namespace: "x", name: "other" },
  tenant: "x",
  takenAtMs: 0,
  placed: [],
  newNodes: [{ pool: "p5", zone: "a", count }],
});

describe("nodes that are on their way", () => {
  const ask = (
    mark: (node: NodeBuilder) => unknown,
    pods: number,
    maxNodes: number,
    context: Partial<SolveContext> = {},
  ): Answer =>
    solve(booting(mark).topology(), demand(pods), contextOf({ pools: [pool("p5", { maxNodes })], ...context }));

  test.each(marks)("are known by %s, count as one of the pool's new nodes, and only once", (_mark, mark) => {
    expect(ask(mark, 1, 1).verdict).toBe("scaleUp");
    expect(ask(mark, 2, 2).verdict).toBe("scaleUp");
    expect(ask(mark, 2, 1).verdict).toBe("never");
    expect(ask(mark, 3, 2).verdict).toBe("never");
  });

  test("are told as such", () => {
    const [, mark] = marks[0] ?? ["", () => undefined];
    expect(ask(mark, 2, 2).chosen?.reasons.map(({ message }) => message)).toContain(
      "pool p5 adds 2 nodes in a, which take about 5m to start; 1 of them is on the way already",
    );
  });

  test("a promise that waits for the node and the node are one", () => {
    const [, mark] = marks[0] ?? ["", () => undefined];
    expect(ask(mark, 1, 2, { holds: [hold(1)] }).verdict).toBe("scaleUp");
    expect(ask(mark, 2, 2, { holds: [hold(1)] }).verdict).toBe("busy");
    expect(ask(mark, 1, 1, { holds: [hold(1)] }).verdict).toBe("busy");
  });

  test("where all are promised, those on their way are told among them", () => {
    const [, mark] = marks[0] ?? ["", () => undefined];
    expect(ask(mark, 2, 2, { holds: [hold(2)] }).chosen?.reasons.map(({ message }) => message)).toContain(
      "pool p5 may add no nodes: it has 0 of its 2, and the other 2 are promised",
    );
  });

  test("one is in its own zone and in no other", () => {
    const [, mark] = marks[0] ?? ["", () => undefined];
    const inZone = (zone: string, maxNodes: number) => {
      return solve(booting(mark).topology(), demand(1), contextOf({ pools: [pool("p5", { maxNodes, zones: [zone] })] }))
        .verdict;
    };
    expect([inZone("a", 1), inZone("b", 1), inZone("b", 2)]).toEqual(["scaleUp", "never", "scaleUp"]);
  });

  /** Nodes on their way in these zones, and what is promised of the pool. */
  const inZones = (zones: readonly string[], maxNodes: number, promised: readonly string[]) => {
    const builder = cluster();
    for (const [at, zone] of zones.entries())
      builder.node(`b-${at}`, (node) =>
        node.cpu(64).zone(zone).label("pool", "p5").notReady().taint("karpenter.sh/unregistered"),
      );
    const newNodes = promised.map((zone) => ({ pool: "p5", zone, count: 1 }));
    const context = contextOf({
      pools: [pool("p5", { maxNodes, zones: ["a", "b", "c"] })],
      holds: [{ ...hold(0), newNodes }],
    });
    return (pods: number) => solve(builder.topology(), demand(pods), context).verdict;
  };

  test("those of other zones will have to do where more is promised than can be, one for each", () => {
    expect(inZones(["a", "b"], 2, [])(2)).toBe("scaleUp");
    expect(inZones(["a", "b"], 2, ["a", "a"])(1)).toBe("busy");
    const one = inZones(["a", "b"], 2, ["c"]);
    expect([one(1), one(2)]).toEqual(["scaleUp", "busy"]);
  });

  test("what is promised in a zone that the pool has no longer is promised", () => {
    const one = inZones([], 2, ["gone"]);
    expect([one(1), one(2)]).toEqual(["scaleUp", "busy"]);
  });

  test("the zone of one is known by the common label, where the layout has a label of its own", () => {
    const builder = cluster().node("b-0", (node) =>
      node.cpu(64).zone("b").label("pool", "p5").notReady().taint("karpenter.sh/unregistered"),
    );
    const own = layout("own", { zone: "example.com/zone", host: "kubernetes.io/hostname" });
    const context = contextOf({ pools: [pool("p5", { maxNodes: 1, zones: ["a", "b"] })] });
    expect(solve(builder.topology(own), demand(1), context).chosen?.assignment?.newNodes).toEqual([
      { pool: "p5", zone: "b", count: 1 },
    ]);
  });

  test("a node that is merely not ready is a member that may come back, and no new node", () => {
    const broken = (node: NodeBuilder) => node.gpus("h100", 8).notReady();
    expect(ask(broken, 1, 1).verdict).toBe("busy");
    expect(ask(broken, 2, 1).verdict).toBe("never");
  });
});
