import { describe, expect, test } from "vitest";
import type { Assignment, Demand } from "../../src/model/index.ts";
import { checkAssignment, type SolveContext } from "../../src/solver/index.ts";
import { cluster, layout, type NodeBuilder } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, pool, step } from "../support/demand.ts";

const builder = cluster()
  .nodes("a", 2, (node) => node.gpus("h100", 8).zone("z1").block("b").rack("r1"))
  .nodes("b", 2, (node) => node.gpus("h100", 8).zone("z2").block("b").rack("r1"))
  .node("bare", (node) => node.gpus("h100", 8))
  .node("closed", (node) => node.cpu(4).cordoned())
  .node("cold", (node) => node.cpu(4).notReady())
  .node("dra", (node) => node.dra("h100", 4).untainted())
  .claim("held", ["gpu.nvidia.com/dra/gpu-3"])
  .pod("busy", (pod) => pod.namespace("x").on("a-1").gpus(4).hostPort(80));
const topology = builder.topology();

const set = (options: Parameters<typeof podSet>[1] = {}): Demand =>
  demandOf(
    podSet("main", {
      requests: { "nvidia.com/gpu": 4 },
      steps: [gpuStep(4), gpuStep(4, { source: "new" })],
      ...options,
    }),
  );
const at = (...nodes: readonly (readonly [string, number])[]): Assignment => ({
  placed: nodes.map(([node, pods]) => ({ podSet: "main", node, pods })),
  newNodes: [],
});
const check = (
  demand: Demand,
  assignment: Assignment,
  context: Partial<SolveContext> = {},
  rung = 0,
): readonly string[] => {
  const step = demand.podSets[0]?.ladder.steps[rung];
  return checkAssignment(
    topology,
    demand,
    step === undefined ? {} : { main: step.rung },
    assignment,
    contextOf(context),
  );
};

describe("the checker finds every kind of violation by itself", () => {
  test("a sound assignment has none", () => {
    expect(check(set({ required: 3 }), at(["a-1", 1], ["a-2", 2]))).toEqual([]);
  });

  const wrong: readonly (readonly [string, Demand, Assignment, RegExp])[] = [
    ["too few pods", set({ required: 3 }), at(["a-2", 2]), /places 2 pods and needs 3/],
    ["a node named twice", set({ required: 2 }), at(["a-2", 1], ["a-2", 1]), /names a node twice/],
    ["a node that does not exist", set(), at(["x", 1]), /node x does not exist/],
    [
      "too little left beside others",
      set({ required: 2 }),
      at(["a-1", 2]),
      /a-1 has 4 nvidia.com\/gpu left, and 8 are placed/,
    ],
    ["a taint", set({ steps: [step()] }), at(["a-2", 1]), /its taint nvidia.com\/gpu is not tolerated/],
    ["a cordoned node", set({ requests: {} }), at(["closed", 1]), /it is cordoned/],
    ["a node that is not ready", set({ requests: {} }), at(["cold", 1]), /it is not ready/],
    ["a host port taken", set({ pod: { hostPorts: [80] } }), at(["a-1", 1]), /host port taken twice/],
    [
      "two racks of equal names in two zones",
      set({ required: 2, placement: { level: "rack" } }),
      at(["a-2", 1], ["b-1", 1]),
      /stands in 2 domains of rack/,
    ],
    ["a node without the label", set({ placement: { level: "rack" } }), at(["bare", 1]), /its rack is not known/],
    [
      "a torn group",
      set({ required: 2, placement: { unit: "group", groupSize: 2, level: "rack" } }),
      at(["a-2", 1], ["b-1", 1]),
      /tears a group/,
    ],
    [
      "uneven spreading",
      set({ required: 2, placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, mode: "required" } } }),
      at(["a-2", 2]),
      /is 2 uneven over topology.kubernetes.io\/zone/,
    ],
    ["another node than the pod names", set({ pod: { nodeName: "a-1" } }), at(["a-2", 1]), /the pod names a-1/],
    [
      "a new node on a rung for existing ones",
      set(),
      { placed: [{ podSet: "main", node: "p5/0", pods: 1 }], newNodes: [{ pool: "p5", zone: "a", count: 1 }] },
      /takes existing nodes only/,
    ],
  ];
  test.each(wrong)("%s", (_name, demand, assignment, fault) => {
    expect(check(demand, assignment, { pools: [pool("p5")] }).join("\n")).toMatch(fault);
  });

  test("what is kept for a nominated pod of no lower priority", () => {
    const builder = (priority: number) =>
      cluster()
        .node("n", (node) => node.gpus("h100", 8).untainted())
        .pod("next", (pod) => pod.namespace("x").nominatedTo("n").gpus(8).priority(priority));
    const demand = demandOf(
      podSet("main", { requests: { "nvidia.com/gpu": 8 }, steps: [step()], pod: { priority: 5 } }),
    );
    const faults = (priority: number) =>
      checkAssignment(
        builder(priority).topology(),
        demand,
        { main: demand.podSets[0]?.ladder.steps[0]?.rung ?? expect.fail() },
        at(["n", 1]),
        contextOf(),
      );
    expect(faults(4)).toEqual([]);
    expect(faults(5).join()).toMatch(/n has 0 nvidia.com\/gpu left, and 8 are placed/);
  });

  test("more new nodes than the pool may add, or than are used", () => {
    const grown = (count: number, used: number): Assignment => ({
      placed: Array.from({ length: used }, (_, index) => ({ podSet: "main", node: `p5/${index}`, pods: 1 })),
      newNodes: [{ pool: "p5", zone: "a", count }],
    });
    const context = { pools: [pool("p5", { maxNodes: 2 })] };
    expect(check(set({ required: 2 }), grown(2, 2), context, 1)).toEqual([]);
    expect(check(set({ required: 3 }), grown(3, 3), context, 1).join()).toMatch(/would have 3 nodes, and may have 2/);
    expect(check(set({ required: 1 }), grown(2, 1), context, 1).join()).toMatch(
      /2 new nodes are counted and 1 are used/,
    );
  });

  test("a new node stands with the nodes of its pool in the zone that the layout's own label tells", () => {
    const node = (zone: string) => (each: NodeBuilder) =>
      each.gpus("h100", 8).label("pool", "p5").label("example.com/zone", zone).label("example.com/rack", "r");
    const demand = set({
      required: 2,
      steps: [gpuStep(4, { source: "new" })],
      placement: { level: "rack" },
    });
    const beside = (name: string): readonly string[] =>
      checkAssignment(
        cluster()
          .node("a", node("z1"))
          .node("a-other", (each) => node("z2")(each).label("pool", "other").label("example.com/rack", "s"))
          .node("b", node("z2"))
          .topology(layout("own", { zone: "example.com/zone", rack: "example.com/rack" })),
        demand,
        { main: demand.podSets[0]?.ladder.steps[0]?.rung ?? expect.fail() },
        {
          placed: [name, "p5/0"].map((one) => ({ podSet: "main", node: one, pods: 1 })),
          newNodes: [{ pool: "p5", zone: "z2", count: 1 }],
        },
        contextOf({ pools: [pool("p5", { zones: ["z2"], together: ["rack"] })] }),
      );
    expect(beside("b")).toEqual([]);
    expect(beside("a-other")).toEqual(["main stands in 2 domains of rack"]);
    expect(beside("a")).toEqual(["main stands in 2 domains of rack"]);
  });

  test("devices in use, given twice, elsewhere, unselected or too few", () => {
    const demand = demandOf(podSet("main", { pod: { devices: [deviceRequest("gpu", 2)] } }));
    const given = (...names: readonly string[]): string =>
      check(demand, {
        placed: [{ podSet: "main", node: "dra", pods: 1, devices: [names.map((name) => `gpu.nvidia.com/${name}`)] }],
        newNodes: [],
      }).join("\n");
    expect(given("dra/gpu-0", "dra/gpu-1")).toBe("");
    expect(given("dra/gpu-0", "dra/gpu-3")).toMatch(/gpu-3 is in use/);
    expect(given("dra/gpu-0", "dra/gpu-0")).toMatch(/given twice/);
    expect(given("dra/gpu-0", "a-1/gpu-1")).toMatch(/does not exist/);
    expect(given("dra/gpu-0")).toMatch(/gets 1 of 2 devices/);
    expect(given("dra/gpu-0", "dra/gpu-1", "dra/gpu-2")).toMatch(/more devices than asked for/);
  });
});
