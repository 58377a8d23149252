import { expect, test } from "vitest";
import { type Placement, requirement } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, step } from "../support/demand.ts";

const gpus = (name: string, pods: number) =>
  podSet(name, { required: pods, requests: { "nvidia.com/gpu": 8 }, placement: { unit: "pod" }, steps: [gpuStep(8)] });

const told = (...args: Parameters<typeof solve>) => solve(...args).chosen?.reasons.map(({ message }) => message);

/** Nodes that no two look alike. */
const uneven = (count: number) =>
  cluster().nodes("n", count, (node, index) =>
    node
      .gpus("h100", 8)
      .cpu(100 + index)
      .rack(`r${index}`),
  );

test("sets that want more together than there is are told so without a search of every way to place them", () => {
  const topology = uneven(60).topology();
  const { chosen } = solve(topology, demandOf(gpus("a", 40), gpus("b", 30)), contextOf({ maxSteps: 20_000 }));
  expect(chosen?.verdict).toBe("never");
  expect(chosen?.reasons.map(({ message }) => message)).toEqual([
    "a and b each fit by themselves, but not all together: beside b there is room for 30 of the 40 pods of a, then nvidia.com/gpu runs out",
  ]);
  expect(solve(topology, demandOf(gpus("a", 30), gpus("b", 30)), contextOf()).verdict).toBe("fits");
});

test("where only the domain that they share stands between them, nothing is said to run out", () => {
  const nodes = cluster()
    .node("h", (node) => node.zone("z").block("b").rack("r1").label("for", "head"))
    .nodes("w", 2, (node) => node.zone("z").block("b").rack("r2").label("for", "worker"));
  const set = (name: string, required: number) =>
    podSet(name, {
      required,
      pod: { selection: [new Map([["for", requirement("for", "In", [name])]])] },
      placement: { unit: "workload", level: "rack" },
    });
  expect(told(nodes.topology(), demandOf(set("head", 1), set("worker", 2)), contextOf())).toEqual([
    "head and worker each fit by themselves, but not all together once all share one rack: beside head there is room for none of the 2 pods of worker",
  ]);
});

test("where the others do not fit without the largest set either, nothing is said of its room", () => {
  const nodes = cluster().node("n", (node) => node.gpus("h100", 8).cpu(64));
  const small = podSet("small", { required: 2, placement: { unit: "pod" }, steps: [gpuStep(0)] });
  const demand = demandOf(small, gpus("a", 1), gpus("b", 1));
  expect(told(nodes.topology(), demand, contextOf())).toContain(
    "small, a and b each fit by themselves, but not all together: nvidia.com/gpu runs out",
  );
});

test("how many pods there is room for is not said of groups, nor of one pod on each node", () => {
  const nodes = cluster().nodes("n", 4, (node) => node.gpus("h100", 8).zone("z").block("b").rack("r"));
  const eight = { requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8)] };
  const groups = (name: string, required: number) =>
    podSet(name, { ...eight, required, placement: { unit: "group", groupSize: 2, level: "rack" } });
  expect(told(nodes.topology(), demandOf(groups("a", 2), groups("b", 4)), contextOf())).toContain(
    "a and b each fit by themselves, but not all together: nvidia.com/gpu runs out",
  );
  const each = podSet("each", { ...eight, required: 4, perNode: true });
  expect(told(nodes.topology(), demandOf(gpus("a", 2), each), contextOf())).toContain(
    "a and each each fit by themselves, but not all together: beside each there is room for none of the 2 pods of a, then nvidia.com/gpu runs out",
  );
});

test("a rack that a set has to itself is what stands between them, and sharing it is offered", () => {
  const nodes = cluster().nodes("n", 2, (node) => node.gpus("h100", 8).zone("z").block("b").rack("r"));
  const apart = (name: string) =>
    podSet(name, {
      requests: { "nvidia.com/gpu": 8 },
      steps: [gpuStep(8)],
      placement: { level: "rack", separate: true },
    });
  const answer = solve(nodes.topology(), demandOf(apart("head"), apart("worker")), contextOf());
  expect(answer.chosen?.reasons[0]?.message).toBe(
    "head and worker each fit by themselves, but not all together once head has one rack of its own and those of each set share one rack: beside head there is no room for the one pod of worker",
  );
  expect(answer.suggestions.map(({ change, message }) => [change, message])).toContainEqual([
    "topology.domains: shared",
    "fits with topology.domains: shared (2 pods on 2 nodes in all)",
  ]);
});

test("the rungs of sets share the steps", () => {
  const nodes = cluster().nodes("n", 12, (node, index) => node.cpu(3).memory(`${40 + index}Gi`));
  const steps = ["a", "b", "c"].map((accelerator) => step({ accelerator }));
  const set = (name: string, required: number) =>
    podSet(name, { required, requests: { cpu: 2000 }, placement: { unit: "pod" }, steps });
  for (const maxSteps of [300, 3000]) {
    const { verdict, steps: spent } = solve(
      nodes.topology(),
      demandOf(set("a", 12), set("b", 6)),
      contextOf({ maxSteps, skipSuggestions: true }),
    );
    expect(verdict).toBe("undecided");
    expect(spent).toBeLessThanOrEqual(maxSteps);
  }
});

test("a search that ran out of steps does not claim that sets do not fit together", () => {
  // By sums of cpu there is enough; each node takes one pod, though, and none looks like another.
  const nodes = cluster().nodes("n", 12, (node, index) => node.cpu(3).memory(`${40 + index}Gi`));
  const set = (name: string, pods: number) =>
    podSet(name, { required: pods, requests: { cpu: 2000 }, placement: { unit: "pod" } });
  const demand = demandOf(set("a", 12), set("b", 6));
  const { chosen } = solve(nodes.topology(), demand, contextOf({ maxSteps: 300, skipSuggestions: true }));
  expect(chosen?.verdict).toBe("undecided");
  expect(chosen?.reasons.map(({ message }) => message).join()).not.toContain("not all together");
});

test("a set that shares nothing beyond its own level follows where its partner shares a wider domain", () => {
  // Each group of a leader and its worker takes three cpus, and only zone b has room for three of them.
  const nodes = cluster()
    .nodes("m", 2, (node) => node.cpu(3).zone("b").block("m").rack("r1"))
    .node("a", (node) => node.cpu(5).zone("a").block("k").rack("r1"))
    .node("b", (node) => node.cpu(5).zone("b").block("k").rack("r1"));
  const part = (name: string, cpu: number, within: Partial<Placement>, mode: Placement["mode"]) =>
    podSet(name, {
      required: 3,
      requests: { cpu: cpu * 1000 },
      placement: { unit: "group", level: "rack", joint: "", mode, ...within },
    });
  for (const mode of ["required", "preferred"] as const) {
    const demand = demandOf(part("leader", 1, {}, mode), part("worker", 2, { within: "zone" }, mode));
    const { verdict, chosen } = solve(nodes.topology(), demand, contextOf({ skipSuggestions: true }));
    expect([mode, verdict]).toEqual([mode, "fits"]);
    for (const node of ["m-1", "m-2", "b"])
      expect(chosen?.assignment?.placed.filter((one) => one.node === node)).toEqual([
        { podSet: "leader", node, pods: 1 },
        { podSet: "worker", node, pods: 1 },
      ]);
  }
});
