import { describe, expect, test } from "vitest";
import { cluster } from "../support/cluster.ts";

describe("a cluster built for a test", () => {
  const built = cluster()
    .namespace("team-a", { "plimsoll.dev/tenant": "alpha" })
    .node("b", (node) => node.gpus("h100", 8).zone("z1").block("b1").rack("r1"))
    .node("a", (node) => node.dra("h100", 8).zone("z1").block("b1").rack("r1"))
    .node("c", (node) => node.cpu(4))
    .pod("train-0", (pod) => pod.namespace("team-a").on("b").gpus(3).cpu("2").owner("Job", "train"))
    .pod("serve-0", (pod) => pod.namespace("team-a").on("a").owner("Job", "serve"))
    .claim("serve-0-gpu", ["gpu.nvidia.com/a/gpu-0", "gpu.nvidia.com/a/gpu-1"], "serve-0", "team-a");

  test("its nodes sort by name and stand in the tree by their labels", () => {
    const topology = built.topology();
    expect(topology.nodes.map((node) => node.name)).toEqual(["a", "b", "c"]);
    const rack = topology.levels[2];
    expect(rack?.domains.map((domain) => [domain.path, domain.nodes])).toEqual([
      [
        ["z1", "b1", "r1"],
        [0, 1],
      ],
    ]);
    expect([...(rack?.domainOf ?? [])]).toEqual([0, 0, -1]);
    expect(rack?.unlabelled).toEqual([2]);
    expect(topology.levels[3]?.domains.map((domain) => domain.path)).toEqual([
      ["c"],
      ["z1", "b1", "r1", "a"],
      ["z1", "b1", "r1", "b"],
    ]);
  });

  test("its ledger counts what pods and claims hold, for the workload and tenant that they belong to", () => {
    const topology = built.topology();
    const column = topology.resourceIndex.get("nvidia.com/gpu") ?? -1;
    expect(topology.ledger.used[1 * topology.resources.length + column]).toBe(3);
    expect([...topology.ledger.devices.keys()]).toEqual(["gpu.nvidia.com/a/gpu-0", "gpu.nvidia.com/a/gpu-1"]);
    expect(topology.claims[0]?.root).toMatchObject({ kind: "Job", name: "serve", namespace: "team-a" });
    expect(topology.claims[0]?.tenant).toBe("alpha");
  });
});
