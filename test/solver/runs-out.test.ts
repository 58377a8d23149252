import { describe, expect, test } from "vitest";
import type { PodSetDemand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, pool, step } from "../support/demand.ts";

const ROOT = "resource.kubernetes.io/pcieRoot";
const GPU = "nvidia.com/gpu";

/** The nearest miss of the last rung. */
function miss(builder: ClusterBuilder, ...sets: readonly PodSetDemand[]): string {
  const { ladder } = solve(builder.topology(), demandOf(...sets), contextOf({ skipSuggestions: true, pools: POOLS }));
  return ladder.at(-1)?.reasons.find(({ code }) => code === "NearestMiss")?.message ?? "";
}

const POOLS = [pool("p5", { maxNodes: 1 })];

const nodes = (count: number, cores = 64): ClusterBuilder => cluster().nodes("n", count, (node) => node.cpu(cores));

describe("what runs out is told by its name", () => {
  test.each([
    ["cpu", 9, { cpu: 30_000 }, "the cluster has room for 4 of the 9 pods, then cpu runs out"],
    ["memory", 9, { memory: 2 ** 36 }, "the cluster has room for 4 of the 9 pods, then memory runs out"],
    [
      "neither is enough by itself",
      5,
      { cpu: 30_000, memory: 2 ** 36 },
      "the cluster has room for 4 of the 5 pods, then both cpu and memory run out",
    ],
    [
      "nor any two of three",
      5,
      { cpu: 30_000, memory: 2 ** 36, [GPU]: 4 },
      "the cluster has room for 4 of the 5 pods, then cpu, memory and nvidia.com/gpu all run out",
    ],
  ])("on nodes: %s", (_name, required, requests, expected) => {
    const builder = cluster().nodes("n", 2, (node) => node.cpu(64).memory("128Gi").gpus("h100", 8).untainted());
    expect(miss(builder, podSet("main", { required, requests }))).toBe(expected);
  });

  test("a port that each node has once, and what would run out as well", () => {
    const ported = (cpu: number) => podSet("main", { required: 3, requests: { cpu }, pod: { hostPorts: [80] } });
    expect(miss(nodes(2), ported(1000))).toBe(
      "the cluster has room for 2 of the 3 pods, one on each node for host port 80",
    );
    expect(miss(nodes(2), ported(64_000))).toBe(
      "the cluster has room for 2 of the 3 pods, then both host port 80 and cpu run out",
    );
  });

  test("where pods must share a node, there, and elsewhere only where that is something else", () => {
    const together = (requests: Readonly<Record<string, number>>) =>
      podSet("main", { required: 3, requests, placement: { level: "host" } });
    expect(miss(nodes(2), together({ cpu: 30_000 }))).toBe(
      "the best node, n-1, has room for 2 of the 3 pods that must share one node, then cpu runs out",
    );
    const uneven = cluster()
      .node("a", (node) => node.cpu(8).gpus("h100", 2).untainted())
      .node("b", (node) => node.cpu(1).gpus("h100", 8).untainted());
    expect(miss(uneven, together({ [GPU]: 1 }))).toBe(
      "the best node, a, has room for 2 of the 3 pods that must share one node, then nvidia.com/gpu runs out, elsewhere cpu",
    );
  });

  test("where each pod has a node of its own, what else than its accelerators keeps others off", () => {
    const racks = (cores: number) =>
      cluster().nodes("n", 2, (node) => node.cpu(cores).gpus("h100", 8).untainted().zone("z").block("b").rack("r"));
    const gang = (cpu: number, gpus: number) =>
      podSet("main", { required: 3, requests: { cpu, [GPU]: gpus }, placement: { level: "rack" } });
    expect(miss(racks(64), gang(60_000, 1))).toBe(
      "the best rack, z/b/r, has 2 of the 3 nodes needed, each with cpu for one pod",
    );
    expect(miss(racks(64), gang(60_000, 8))).toBe("the best rack, z/b/r, has 2 of the 3 nodes needed");
  });

  test("under rules among the pods, which are told as well", () => {
    const builder = cluster();
    for (const [zone, gpus] of Object.entries({ a: 8, b: 1 }))
      builder.node(zone, (node) => node.cpu(64).gpus("h100", gpus).untainted().zone(zone));
    const key = "topology.kubernetes.io/zone";
    const spread = (required: number, minDomains: number) =>
      podSet("main", {
        required,
        requests: { [GPU]: 1 },
        pod: { spread: [{ key, maxSkew: 1, minDomains, ignoreTaints: false, ignoreSelection: false }] },
      });
    expect(miss(builder, spread(4, 1))).toBe(
      `the cluster has room for 3 of the 4 pods once they spread over ${key} with maxSkew 1, then nvidia.com/gpu runs out`,
    );
    expect(miss(builder, spread(4, 3))).toBe(
      `the cluster has room for 2 of the 4 pods once they spread over ${key} with maxSkew 1 and minDomains 3`,
    );
    const small = cluster().node("a", (node) => node.cpu(64).gpus("h100", 1).untainted().zone("a"));
    expect(miss(small, spread(2, 2))).toBe(
      `the cluster has room for 1 of the 2 pods, then nvidia.com/gpu runs out, and more would not do while they spread over ${key} with maxSkew 1 and minDomains 2`,
    );
  });

  test("where a level is only preferred and has none of it", () => {
    const builder = cluster();
    for (const rack of ["r1", "r2"])
      builder.node(rack, (node) => node.cpu(64).gpus("h100", 8).untainted().zone("z").block("b").rack(rack));
    const set = podSet("main", {
      required: 12,
      requests: { [GPU]: 1 },
      placement: { level: "rack", mode: "preferred" },
    });
    expect(miss(builder, set)).toBe(
      "no rack has room for all 12 pods, for want of nvidia.com/gpu; the class prefers one and does not require it",
    );
    const whole = { ...set, required: 2, count: 2, peak: 2, pod: { ...set.pod, requests: { cpu: 1000, [GPU]: 8 } } };
    expect(miss(builder, whole)).toBe("no rack has room for both pods; the class prefers one and does not require it");
  });

  test("on new nodes too, whose number their pool bounds", () => {
    const set = podSet("main", { required: 2, requests: { [GPU]: 8 }, steps: [gpuStep(8, { source: "new" })] });
    expect(miss(nodes(1), set)).toBe(
      "existing and new nodes together have room for 1 of the 2 pods, then nvidia.com/gpu runs out",
    );
  });

  test("devices of claims by their class, or by what has to be alike in them", () => {
    const builder = cluster().node("n", (node) => node.cpu(64).dra("h100", 3).untainted());
    const claiming = (...devices: PodSetDemand["pod"]["devices"]) => podSet("main", { required: 2, pod: { devices } });
    expect(miss(builder, claiming(deviceRequest("gpu", 2)))).toBe(
      "the cluster has room for 1 of the 2 pods, then devices of class gpu.nvidia.com run out",
    );
    const pairs = cluster().node("n", (node) =>
      node
        .cpu(64)
        .dra("h100", 4, (device, index) => ({
          ...device,
          attributes: { ...(device["attributes"] as object), [ROOT]: { string: `pci0000:${[1, 1, 2, 3][index]}` } },
        }))
        .untainted(),
    );
    const aligned = deviceRequest("gpu", 2, { matchAttributes: [{ attribute: ROOT, requests: ["gpu"] }] });
    expect(miss(pairs, claiming(aligned))).toBe(
      `the cluster has room for 1 of the 2 pods, then devices of one ${ROOT} run out`,
    );
  });

  test("between sets that fit by themselves", () => {
    const set = (name: string, required: number) =>
      podSet(name, { required, pod: { hostPorts: [80] }, placement: { unit: "pod" }, steps: [step()] });
    expect(miss(nodes(3), set("a", 2), set("b", 2))).toBe(
      "a and b each fit by themselves, but not all together: beside a there is room for 1 of the 2 pods of b, then host port 80 runs out",
    );
  });

  test("a pod of very many resources is told of by some of them, and takes few searches", () => {
    const many = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`example.com/r${index}`, 1]));
    const builder = cluster().node("n", (node) => {
      node.cpu(64);
      for (const name of Object.keys(many)) node.resource(name, 1);
    });
    expect(miss(builder, podSet("main", { required: 2, requests: many }))).toMatch(
      /^the cluster has room for 1 of the 2 pods, then example.com\/r0, .* and 191 other things that a pod asks for all run out$/,
    );
  });
});
