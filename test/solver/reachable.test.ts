import { describe, expect, test } from "vitest";
import { type Answer, type Demand, type JsonObject, type PodSetDemand, requirement } from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, step, testPlatform } from "../support/demand.ts";

const warnings = (builder: ClusterBuilder, demand: Demand, context: Partial<SolveContext> = {}): readonly string[] => {
  const answer: Answer = solve(builder.topology(), demand, contextOf({ skipSuggestions: true, ...context }));
  expect(answer.verdict).toBe("fits");
  return (answer.chosen?.reasons ?? []).filter(({ code }) => code === "NotGuaranteed").map(({ message }) => message);
};
/** Pods that need whole nodes of eight. */
const workers = (pods: number, extra: Parameters<typeof podSet>[1] = {}): PodSetDemand =>
  podSet("worker", { required: pods, requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8)], ...extra });
const small = (name: string, gpus: number, pods = 1, extra: Parameters<typeof podSet>[1] = {}): PodSetDemand =>
  podSet(name, { required: pods, requests: { "nvidia.com/gpu": gpus }, steps: [gpuStep(gpus)], ...extra });
const gpuNodes = (count: number, builder = cluster()): ClusterBuilder =>
  builder.nodes("n", count, (node, index) =>
    node
      .gpus("h100", 8)
      .rack(`r${index > 2 ? 2 : 1}`)
      .block("b")
      .zone("z"),
  );

describe("what the scheduler may do to an assignment that exists", () => {
  test("a head with a GPU may stand on a node that the workers need whole, unless there are nodes to spare", () => {
    // The head fits beside other pods on n-3, and nowhere else without taking a whole node.
    const tight = gpuNodes(3).pod("other", (pod) => pod.on("n-3").gpus(4));
    expect(warnings(tight, demandOf(small("head", 1), workers(2)))).toEqual([
      "kube-scheduler scores nodes LeastAllocated, so pods of head would stand on 1 node with room for pods of worker, and then only 1 of the 2 pods of worker fits",
    ]);
    expect(warnings(gpuNodes(3), demandOf(small("head", 1), workers(2)))).toEqual([]);
  });

  test("one group is not kept apart from anything, so that nodes to spare in each of many racks need no search", () => {
    const racks = cluster();
    for (let rack = 0; rack < 10; rack += 1)
      racks.nodes(`r${rack}`, 3, (node) => node.gpus("h100", 8).zone("z").block("b").rack(`r${rack}`));
    const group = workers(2, { placement: { unit: "group", groupSize: 2, level: "rack" } });
    expect(warnings(racks, demandOf(small("head", 1), group))).toEqual([]);
  });

  test("what a later rival may cost is counted by its dearest node, wherever that comes", () => {
    const halves = small("worker", 4, 3);
    const first = gpuNodes(3).pod("other", (pod) => pod.on("n-1").gpus(3));
    expect(warnings(first, demandOf(small("head", 1), small("eval", 5), halves))).toContain(
      "kube-scheduler looks at one pod at a time: pods of head and eval may stand on 2 nodes with room for pods of worker, and then only 2 of the 3 pods of worker fit",
    );
  });

  test("where its first pod has chosen the domain, rivals cost the others what they cost before it stood", () => {
    const builder = cluster()
      .node("big", (node) => node.cpu(5).zone("z"))
      .node("tiny", (node) => node.cpu(2).zone("z").label("tier", "cheap"));
    const led = podSet("main", {
      required: 2,
      requests: { cpu: 2000 },
      pod: { selection: [new Map([["tier", requirement("tier", "DoesNotExist")]])] },
      placement: { level: "zone" },
    });
    expect(warnings(builder, demandOf(led, podSet("side", { required: 2, placement: { unit: "pod" } })))).toEqual([
      "kube-scheduler looks at one pod at a time: pods of side may stand in z on 1 node with room for pods of main, and then only 1 of the 2 pods of main fits",
    ]);
  });

  test("a head without a GPU takes nothing from the workers while it fits beside them", () => {
    const beside = podSet("head", {
      requests: { cpu: 4000, memory: 2 ** 30 },
      steps: [step()],
      pod: { tolerations: workers(1).ladder.steps[0]?.tolerations ?? [] },
    });
    expect(warnings(gpuNodes(2), demandOf(beside, workers(2)))).toEqual([]);
    const greedy = gpuNodes(2).node("cpu", (node) => node.cpu(4));
    expect(warnings(greedy, demandOf(beside, workers(2, { requests: { "nvidia.com/gpu": 8, cpu: 190_000 } })))).toEqual(
      [
        "kube-scheduler scores nodes LeastAllocated, so pods of head would stand on 1 node with room for pods of worker, and then only 1 of the 2 pods of worker fits",
      ],
    );
  });

  test("of a platform that packs, the same is said to be unlikely", () => {
    const tight = gpuNodes(3).pod("other", (pod) => pod.on("n-3").gpus(4).cpu(100));
    const demand = demandOf(small("head", 1), workers(2));
    const reason = (scoring: "LeastAllocated" | "MostAllocated") =>
      solve(
        tight.topology(),
        demand,
        contextOf({ skipSuggestions: true, platform: { ...testPlatform, scoring } }),
      ).chosen?.reasons.find(({ code }) => code === "NotGuaranteed");
    expect(reason("LeastAllocated")?.data).toEqual({ podSet: "worker", served: 1, wanted: 2 });
    expect(reason("LeastAllocated")?.message).toContain("scores nodes LeastAllocated, so");
    expect(reason("MostAllocated")?.data).toEqual({ podSet: "worker", served: 1, wanted: 2, likely: "no" });
    expect(reason("MostAllocated")?.message).toContain("may stand");
  });

  test("sets that share a rack start where any of them has room, though the others have none", () => {
    const builder = gpuNodes(4).pod("other", (pod) => pod.on("n-3").gpus(4));
    const shared = { unit: "workload", level: "rack" } as const;
    const demand = (keptBy?: "podGroup"): Demand =>
      demandOf(
        small("head", 4, 1, { placement: { ...shared, ...(keptBy === undefined ? {} : { keptBy }) } }),
        workers(1, { placement: { ...shared, ...(keptBy === undefined ? {} : { keptBy }) } }),
      );
    expect(warnings(builder, demand())).toEqual([
      "kube-scheduler looks at one pod at a time: pods of head may stand in z/b/r2 on 1 node with room for pods of worker, and then the one pod of worker fits nowhere",
    ]);
    // The whole group tries every rack: r1 holds it in any order.
    expect(warnings(builder, demand("podGroup"))).toEqual([]);
  });

  test("a PodGroup places its pods one after another too, so a rack that holds them in one order only is not enough", () => {
    const builder = gpuNodes(4)
      .pod("a", (pod) => pod.on("n-1").gpus(4))
      .pod("b", (pod) => pod.on("n-3").gpus(4));
    const placement = { unit: "workload", level: "rack", keptBy: "podGroup" } as const;
    expect(warnings(builder, demandOf(small("head", 4, 1, { placement }), workers(1, { placement })))).toEqual([
      "kube-scheduler looks at one pod at a time: pods of head may stand in z/b/r1 on 1 node with room for pods of worker, and then the one pod of worker fits nowhere",
    ]);
  });

  test("groups may all start in the same rack", () => {
    const placement = { unit: "group", groupSize: 2, level: "rack" } as const;
    expect(warnings(gpuNodes(4), demandOf(workers(4, { placement })))).toEqual([
      "kube-scheduler places the first pod of each of the 2 groups without looking ahead: should both groups begin in one rack, none of the 2 racks has room for all 4 pods",
    ]);
    expect(warnings(gpuNodes(4), demandOf(workers(2, { placement })))).toEqual([]);
    expect(warnings(gpuNodes(4), demandOf(workers(4, { placement: { ...placement, keptBy: "queue" } })))).toEqual([]);
  });

  test("rivals follow rules of their own: two that share a host take one node, however many they could stand on", () => {
    const heads = (placement: Partial<PodSetDemand["placement"]>): PodSetDemand => small("head", 1, 2, { placement });
    expect(warnings(gpuNodes(4), demandOf(heads({}), workers(3)))[0]).toContain("only 2 of the 3 pods of worker fit");
    expect(warnings(gpuNodes(4), demandOf(heads({ level: "host" }), workers(3)))).toEqual([]);
    expect(warnings(gpuNodes(4), demandOf(heads({ level: "rack" }), workers(3)))[0]).toContain("only 2 of the 3 pods");
    // Groups of one pod each may well choose two hosts.
    const alone = heads({ unit: "group", groupSize: 1, level: "host" });
    expect(warnings(gpuNodes(4), demandOf(alone, workers(3))).join()).toContain("only 2 of the 3 pods of worker fit");
  });

  test("a rival that leaves the first pod no place at all is told, though no domain that it chooses could be lost", () => {
    const tight = cluster()
      .node("a", (node) => node.gpus("h100", 8).zone("z"))
      .node("b", (node) => node.gpus("h100", 4).zone("z"));
    tight.node("c", (node) => node.cpu(64).zone("y"));
    const head = small("head", 4, 2, {
      placement: { level: "zone" },
      pod: { selection: [new Map([["kubernetes.io/hostname", requirement("kubernetes.io/hostname", "In", ["a"])]])] },
    });
    expect(warnings(tight, demandOf(head, small("worker", 4, 1)))[0]).toContain("of head");
    const whole = cluster().nodes("n", 2, (node) => node.gpus("h100", 8).zone("z"));
    const pinned = {
      ...head,
      pod: {
        ...head.pod,
        selection: [new Map([["kubernetes.io/hostname", requirement("kubernetes.io/hostname", "In", ["n-1"])]])],
      },
    };
    expect(warnings(whole, demandOf(pinned, workers(1)))).toEqual([
      "kube-scheduler scores nodes LeastAllocated, so pods of worker would stand on 1 node with room for pods of head, and then none of the 2 pods of head fits",
    ]);
  });

  test("rivals that spread over zones cannot fill one of them", () => {
    const zones = cluster().nodes("n", 4, (node, index) => node.gpus("h100", 8).zone(index > 2 ? "b" : "a"));
    const inA = [new Map([["topology.kubernetes.io/zone", requirement("topology.kubernetes.io/zone", "In", ["a"])]])];
    const worker = workers(1, { pod: { selection: inA } });
    const heads = (maxSkew: number): PodSetDemand =>
      small("head", 4, 2, {
        pod: { spread: [{ key: "topology.kubernetes.io/zone", maxSkew, ignoreTaints: true }] },
      });
    expect(warnings(zones, demandOf(heads(1), worker))).toEqual([]);
    expect(warnings(zones, demandOf(heads(2), worker))[0]).toContain("the one pod of worker fits nowhere");
  });

  test("a set that spreads is searched with its rule: what rivals take must leave it even", () => {
    const zones = cluster().nodes("n", 4, (node, index) => node.gpus("h100", 8).zone(index > 2 ? "b" : "a"));
    const even = (pods: number): PodSetDemand =>
      workers(pods, { pod: { spread: [{ key: "topology.kubernetes.io/zone", maxSkew: 1, ignoreTaints: true }] } });
    expect(warnings(zones, demandOf(small("head", 1), even(2)))).toEqual([]);
    expect(warnings(zones, demandOf(small("head", 1), even(3)))).toEqual([]);
    expect(warnings(zones, demandOf(small("head", 1, 2), even(3)))[0]).toContain("of worker");
  });

  test("pods of two sets whose claims ask for one device each share out a node by count", () => {
    const builder = cluster().nodes("d", 2, (node) => node.dra("h100", 8).untainted());
    const claims = (name: string, count: number, pods: number): PodSetDemand =>
      podSet(name, { required: pods, pod: { devices: [deviceRequest("gpu", count)] } });
    expect(warnings(builder, demandOf(claims("head", 1, 1), claims("worker", 8, 1)))).toEqual([]);
    expect(warnings(builder, demandOf(claims("head", 1, 2), claims("worker", 8, 1)))).toEqual([
      "kube-scheduler scores nodes LeastAllocated, so pods of head would stand on 2 nodes with room for pods of worker, and then the one pod of worker fits nowhere",
    ]);
  });

  test("before 1.36 the allocator goes through the pools of a node in no order, so any is reckoned with", () => {
    const big = 'device.attributes["gpu.nvidia.com"].productName.contains("H100")';
    const builder = cluster().node("d", (node) => node.dra("h100", 2).untainted());
    const plain = ["gpu-0", "gpu-1"].map((name) => ({ name, attributes: { productName: { string: "small" } } }));
    builder.object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "small" },
      spec: {
        driver: "gpu.nvidia.com",
        nodeName: "d",
        pool: { name: "a-small", generation: 1, resourceSliceCount: 1 },
        devices: plain,
      },
    });
    const devices = [deviceRequest("any", 1), deviceRequest("big", 1, { selectors: [big] })];
    const demand = demandOf(podSet("main", { required: 2, pod: { devices } }));
    const at = (minor: number): readonly string[] =>
      warnings(builder, demand, {
        platform: { ...testPlatform, kubernetes: { version: { major: 1, minor, patch: 0 }, featureGates: {} } },
      });
    expect(at(37)).toEqual([]);
    expect(at(35)).toEqual([
      "kube-scheduler gives each pod the first devices that serve it, and in that order they last for 1 of 2 pods",
    ]);
  });

  test("pods of another set may leave too little where rules tie domains together, though not how little is told", () => {
    const builder = cluster();
    for (const [index, zone] of ["z1", "z1", "z2", "z2"].entries())
      builder.node(`n-${index}`, (node) => node.cpu(1).zone(zone).rack(`r${index}`));
    const rules = ["topology.kubernetes.io/zone", "topology.k8s.aws/network-node-layer-3"].map((key) => ({
      key,
      maxSkew: 1,
      ignoreTaints: true,
    }));
    const worker = podSet("worker", { required: 2, pod: { spread: rules }, placement: { unit: "pod" } });
    expect(warnings(builder, demandOf(podSet("head"), worker))).toEqual([
      "kube-scheduler looks at one pod at a time: pods of head may stand where the 2 pods of worker have room, and then leave too little of it",
    ]);
  });

  /** Two devices a node, of which only the first publishes what the selector reads. */
  const halfTold = (nodes: number): ClusterBuilder =>
    cluster().nodes("t", nodes, (node) =>
      node
        .dra("h100", 2, (device, index) =>
          index === 0
            ? { ...device, attributes: { ...(device["attributes"] as JsonObject), tier: { string: "a" } } }
            : device,
        )
        .untainted(),
    );
  const tiered = (pods: number): Demand => {
    const selectors = ['device.attributes["gpu.nvidia.com"].tier == "a"'];
    return demandOf(podSet("main", { required: pods, pod: { devices: [deviceRequest("gpu", 1, { selectors })] } }));
  };

  test("a device on which a selector fails does no harm while the allocator never comes to it", () => {
    expect(warnings(halfTold(1), tiered(1))).toEqual([]);
  });

  test("a node on which only such a device is left ends every later attempt", () => {
    const builder = halfTold(1).node("whole", (node) =>
      node
        .dra("h100", 2, (device) => ({
          ...device,
          attributes: { ...(device["attributes"] as JsonObject), tier: { string: "a" } },
        }))
        .untainted(),
    );
    expect(warnings(builder, tiered(3))).toEqual([
      "kube-scheduler gives up on a pod once 1 of them is on node t-1, whatever other nodes have: a selector fails on device gpu.nvidia.com/t-1/gpu-1",
    ]);
    const answer = solve(halfTold(2).topology(), tiered(2), contextOf({ skipSuggestions: true }));
    expect(answer.verdict).toBe("never");
    expect(answer.chosen?.reasons[0]?.message).toBe(
      "kube-scheduler gives up on a pod once 1 of them is on node t-1, whatever other nodes have: a selector fails on device gpu.nvidia.com/t-1/gpu-1",
    );
  });
});
