import { describe, expect, test } from "vitest";
import type { PodSetDemand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet } from "../support/demand.ts";

const told = (builder: ClusterBuilder, ...sets: readonly PodSetDemand[]): readonly string[] => {
  const answer = solve(builder.topology(), demandOf(...sets), contextOf({ skipSuggestions: true }));
  expect(answer.verdict).toBe("busy");
  return (answer.chosen?.reasons ?? []).filter(({ code }) => code === "Preemption").map(({ message }) => message);
};
const gpus = (name: string, pod: Partial<PodSetDemand["pod"]>, amount = 8): PodSetDemand =>
  podSet(name, { requests: { "nvidia.com/gpu": amount }, steps: [gpuStep(amount)], pod });
const one = (): ClusterBuilder => cluster().node("n", (node) => node.gpus("h100", 8));

describe("would the scheduler preempt what holds the room", () => {
  test("pods of lower priority on nodes that could take the workload, and only those", () => {
    const builder = one().pod("low", (pod) => pod.namespace("team-x").on("n").gpus(8).priority(10));
    builder.node("cpu").pod("elsewhere", (pod) => pod.namespace("team-y").on("cpu").cpu(1).priority(0));
    expect(told(builder, gpus("main", { priority: 50 }))).toEqual([
      "kube-scheduler would preempt pods of a priority below 50 to make room (team-x has such pods)",
    ]);
    expect(told(builder, gpus("main", { priority: 10 }))).toEqual([
      "no pod that holds it has a lower priority, so the scheduler preempts none",
    ]);
  });

  test("not where pods of its own rank hold too much of it", () => {
    const builder = one()
      .pod("low", (pod) => pod.on("n").gpus(4).priority(10).namespace("x"))
      .pod("equal", (pod) => pod.on("n").gpus(4).priority(50).namespace("x"));
    expect(told(builder, gpus("main", { priority: 50 }))).toEqual([
      "preempting the one pod of a priority below 50 there would not make enough room",
    ]);
  });

  test("not for a set whose class never preempts, though it would for the others", () => {
    const builder = one().pod("low", (pod) => pod.on("n").gpus(8).priority(10).namespace("x"));
    const never = { priority: 50, preempts: false };
    expect(told(builder, gpus("main", never))).toEqual(["its priority class never preempts"]);
    expect(told(builder, gpus("worker", { priority: 50 }, 4), gpus("head", never, 4))).toEqual([
      "the priority class of head never preempts",
    ]);
    const beside = podSet("head", { steps: gpus("x", {}).ladder.steps, pod: never });
    expect(told(builder, gpus("worker", { priority: 50 }, 8), beside)[0]).toContain("would preempt");
  });

  test("never for devices of claims, but for the cpu beside them it would", () => {
    const claims = podSet("main", {
      requests: { cpu: 10_000 },
      pod: { priority: 50, devices: [deviceRequest("gpu", 1)] },
    });
    const builder = (): ClusterBuilder => cluster().node("d", (node) => node.cpu(16).dra("h100", 2).untainted());
    const held = builder().claim("c", ["gpu.nvidia.com/d/gpu-0", "gpu.nvidia.com/d/gpu-1"], "low", "x");
    held.pod("low", (pod) => pod.on("d").cpu(1).priority(0).namespace("x"));
    expect(told(held, claims)).toEqual(["the scheduler never preempts pods for devices of claims"]);
    const crowded = builder().pod("low", (pod) => pod.on("d").cpu(10).priority(0).namespace("x"));
    expect(told(crowded, claims)[0]).toContain("would preempt pods of a priority below 50");
  });

  test("not for a node that is cordoned", () => {
    const builder = cluster().node("n", (node) => node.gpus("h100", 8).cordoned());
    builder.pod("low", (pod) => pod.on("n").gpus(8).priority(0).namespace("x"));
    expect(told(builder, gpus("main", { priority: 50 }))).toEqual([
      "preempting the one pod of a priority below 50 there would not make enough room",
    ]);
  });
});
