import { describe, expect, test } from "vitest";
import type { Hold } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet } from "../support/demand.ts";

/** One node with a GPU to spare, and so many pods that wait, each for another amount of cpu that no node has. */
function warnings(waiting: number, cpu = 100, holds: readonly Hold[] = []) {
  const builder = cluster().node("n", (node) => node.gpus("h100", 1).cpu(8));
  for (let number = 0; number < waiting; number += 1)
    builder.pod(`waits-${number}`, (pod) =>
      pod
        .namespace("other")
        .owner("Job", "theirs")
        .cpu(cpu + number)
        .gpus(1)
        .priority(50),
    );
  const demand = demandOf(podSet("main", { requests: { "nvidia.com/gpu": 1 }, steps: [gpuStep(1)] }));
  const answer = solve(builder.topology(), demand, contextOf({ skipSuggestions: true, holds }));
  expect(answer.verdict).toBe("fits");
  return answer.chosen?.reasons.filter(({ code }) => code === "NotGuaranteed") ?? [];
}

describe("pods of others that wait for the same accelerators", () => {
  test("are no rivals where no node has room for what else they ask for", () => {
    expect(warnings(60)).toEqual([]);
  });

  test("count as rivals beyond so many amounts, so that pending pods cannot make an answer slow", () => {
    expect(warnings(70)[0]?.data?.["pods"]).toBe(6);
  });

  test("are no rivals where a place is promised to them, which is not counted as free", () => {
    const hold = (placed: Hold["placed"]): Hold => ({
      workload: { apiVersion: "batch/v1", kind: "Job", namespace: "other", name: "theirs" },
      tenant: "other",
      takenAtMs: 0,
      placed,
      newNodes: [],
    });
    const place = {
      podSet: "main",
      node: "elsewhere",
      pods: 1,
      requests: { "nvidia.com/gpu": 1 },
      devices: [],
      accelerators: 1,
    };
    expect(warnings(1, 1)[0]?.data?.["pods"]).toBe(1);
    expect(warnings(1, 1, [hold([{ ...place, charged: {} }])])).toEqual([]);
    // Siblings that only follow a rung have no place yet.
    expect(warnings(1, 1, [hold([])])[0]?.data?.["pods"]).toBe(1);
  });

  test.each([
    ["the first pod may choose the rack where somebody else takes a place", 2, undefined, true],
    ["racks with places to spare are enough wherever the groups begin", 3, undefined, false],
    ["a queue chooses for all of them, so that one rack is enough", 2, "queue" as const, false],
  ])("a group of two over two racks: %s", (_name, gpus, keptBy, warned) => {
    const builder = cluster();
    for (const rack of ["r1", "r2"])
      builder.node(rack, (node) => node.gpus("h100", gpus).cpu(8).zone("z").block("b").rack(rack));
    builder.pod("waits", (pod) => pod.namespace("other").owner("Job", "theirs").cpu(1).gpus(1).priority(50));
    const group = podSet("main", {
      required: 2,
      requests: { "nvidia.com/gpu": 1 },
      steps: [gpuStep(1)],
      placement: { unit: "group", groupSize: 2, level: "rack", ...(keptBy === undefined ? {} : { keptBy }) },
    });
    const answer = solve(builder.topology(), demandOf(group), contextOf({ skipSuggestions: true }));
    expect(answer.verdict).toBe("fits");
    expect(answer.chosen?.reasons.some(({ code }) => code === "NotGuaranteed")).toBe(warned);
  });
});
