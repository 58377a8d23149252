import { describe, expect, test } from "vitest";
import { type JsonObject, parseRung, requirement } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { ask, busy, gang, messages, racks } from "../support/asking.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, pool, step } from "../support/demand.ts";

describe("the ladder", () => {
  const skipped = { code: "RungSkipped", severity: "info", message: "the manifest asks for amd.com/gpu" } as const;

  test("the first rung that holds is chosen, and every rung has its verdict", () => {
    const answer = ask(
      racks(1),
      gang(1, {
        steps: [
          gpuStep(8, { accelerator: "h200" }, [requirement("kind", "In", ["h200"])]),
          gpuStep(8),
          gpuStep(8, { capacityType: "spot" }),
        ],
      }),
    );
    expect(answer.ladder.map(({ verdict }) => verdict)).toEqual(["never", "fits", "fits"]);
    expect(answer.rungs["main"]).toEqual({ accelerator: "h100", capacityType: "on-demand", source: "existing" });
  });

  test("a rung that is busy is chosen over one that is unknown, and unknown over never", () => {
    const never = gpuStep(8, { accelerator: "h200" }, [requirement("kind", "In", ["h200"])]);
    const builder = busy(busy(busy(racks(1), "r1-1", 8), "r2-1", 8), "r3-1", 8);
    expect(ask(builder, gang(1, { steps: [never, gpuStep(8)] })).verdict).toBe("busy");
  });

  test("a rung that cannot be taken stays in the ladder with its reason", () => {
    const answer = ask(
      racks(1),
      gang(1, { steps: [{ ...gpuStep(8, { accelerator: "mi300x" }), skipped }, gpuStep(8)] }),
    );
    expect(answer.ladder[0]?.reasons).toEqual([
      {
        code: "RungSkipped",
        message: "the manifest asks for amd.com/gpu",
        data: { podSet: "main", code: "RungSkipped" },
      },
    ]);
    expect(answer.verdict).toBe("fits");
  });

  test("a rung that stands is the only one looked at", () => {
    const steps = [gpuStep(8), gpuStep(8, { capacityType: "spot" })];
    const spot = parseRung("h100/spot/existing");
    const answer = ask(racks(1), gang(1, { steps }), spot === undefined ? {} : { fixed: { main: spot } });
    expect(answer.ladder).toHaveLength(1);
    expect(answer.rungs["main"]?.capacityType).toBe("spot");
    const gone = parseRung("l4/spot/existing");
    const missing = ask(racks(1), gang(1, { steps }), gone === undefined ? {} : { fixed: { main: gone } });
    expect(missing.verdict).toBe("unknown");
    expect(missing.chosen?.reasons[0]?.message).toBe(
      "the rung l4/spot/existing that stands for main is no longer on its ladder",
    );
  });

  test("several pod sets try their rungs in lexicographic order and hold together or not at all", () => {
    const head = podSet("head", {
      requests: { cpu: 190_000 },
      placement: { unit: "workload", level: "rack" },
      steps: [step({}, { tolerations: gpuStep(0).tolerations })],
    });
    const worker = podSet("worker", {
      required: 2,
      requests: { "nvidia.com/gpu": 8, cpu: 100_000 },
      placement: { unit: "workload", level: "rack" },
      steps: [gpuStep(8), gpuStep(8, { capacityType: "spot" })],
    });
    const three = ask(racks(3), demandOf(head, worker));
    expect(three.verdict).toBe("fits");
    expect(three.ladder.map(({ rungs }) => rungs["worker"]?.capacityType)).toEqual(["on-demand", "spot"]);
    const racksUsed = new Set(three.chosen?.assignment?.placed.map(({ node }) => node.split("-")[0]));
    expect(racksUsed.size).toBe(1);
    const two = ask(racks(2), demandOf(head, worker));
    expect(two.verdict).toBe("never");
    expect(messages(two, "NearestMiss")).toEqual([
      "head and worker each fit by themselves, but not all together once all share one rack: beside head there is room for 1 of the 2 pods of worker, then cpu runs out",
    ]);
  });

  test("of very many combinations the first that holds is found, and no hopeless one is searched or listed", () => {
    const kind = (name: string) => [requirement("kind", "In", [name])];
    const rungs = ["a", "b", "c", "d", "e", "f"].map((name) => step({ accelerator: name }, { selection: kind(name) }));
    const set = (name: string) =>
      podSet(name, { required: 2, requests: { cpu: 3000 }, placement: { unit: "pod" }, steps: rungs });
    const builder = cluster();
    for (const name of ["d", "e", "f"]) builder.nodes(`node-${name}`, 2, (node) => node.cpu(4).label("kind", name));
    const answer = ask(builder, demandOf(set("x"), set("y"), set("z")));
    expect(answer.verdict).toBe("fits");
    expect(["x", "y", "z"].map((name) => answer.rungs[name]?.accelerator)).toEqual(["d", "e", "f"]);
    expect(answer.ladder.length).toBeLessThan(27);
  });

  test.each([
    ["whole groups", 4, "at full size, all 4 pods fit now"],
    ["whole groups and one that is not whole", 5, "at full size, all 5 pods fit now"],
    ["a broken group that nothing is left for", 7, "at full size, 5 of the 7 pods fit now"],
  ])("how many pods hold in groups: %s", (_, count, told) => {
    const builder = cluster()
      .node("a", (node) => node.cpu(3).zone("z").block("b").rack("r1"))
      .node("b", (node) => node.cpu(2).zone("z").block("b").rack("r2"));
    const set = podSet("main", { required: 2, count, placement: { unit: "group", groupSize: 2, level: "rack" } });
    const answer = solve(builder.topology(), demandOf(set), contextOf());
    expect(answer.chosen?.reasons.filter(({ code }) => code === "Count").map(({ message }) => message)).toEqual([told]);
    expect(answer.chosen?.holds).toEqual({ main: Math.min(count, 5) });
  });

  test("a device that is out of order may come back, so that a node which had enough is busy", () => {
    const amounts = (gpus: string, cpu = "64") => ({ cpu, memory: "512Gi", pods: "110", "nvidia.com/gpu": gpus });
    const node = (allocatable: string, capacity: string): JsonObject => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name: "n", labels: { "kubernetes.io/hostname": "n" } },
      spec: {},
      status: {
        allocatable: amounts(allocatable),
        capacity: amounts(capacity, "66"),
        conditions: [{ type: "Ready", status: "True" }],
      },
    });
    const eight = demandOf(podSet("main", { requests: { "nvidia.com/gpu": 8 } }));
    const verdict = (one: JsonObject, demand = eight) =>
      solve(cluster().object(one).topology(), demand, contextOf()).verdict;
    expect([verdict(node("8", "8")), verdict(node("7", "8")), verdict(node("7", "7"))]).toEqual([
      "fits",
      "busy",
      "never",
    ]);
    // What the node keeps to itself never comes free.
    expect(verdict(node("8", "8"), demandOf(podSet("main", { requests: { cpu: 65_000 } })))).toBe("never");
  });

  test("new nodes of a rack's name belong to that rack where one rack alone has it, and to none that is known where two have", () => {
    const verdict = (zones: readonly string[], said: Readonly<Record<string, string>> = {}) => {
      const builder = cluster();
      for (const zone of zones)
        builder.node(`n-${zone}`, (node) => node.cpu(4).zone(zone).block("b1").rack("r1").label("kind", "a"));
      const set = podSet("main", {
        required: 2,
        requests: { cpu: 3000 },
        placement: { level: "rack" },
        steps: [step({ source: "new" })],
      });
      const labels = { "topology.k8s.aws/network-node-layer-3": "r1", ...said };
      const small = pool("small", { maxNodes: 1, zones: [], node: { labels, taints: [] } });
      return ask(builder, demandOf(set), { pools: [small] }).verdict;
    };
    expect(verdict(["a"])).toBe("scaleUp");
    expect(verdict(["a", "b"])).toBe("unknown");
    expect(verdict(["a", "b"], { "topology.kubernetes.io/zone": "b" })).toBe("scaleUp");
  });

  test("two sets that fit only where the first is spread over like nodes", () => {
    const nodes = cluster().nodes("n", 2, (node) => node.cpu(5));
    const set = (name: string, cores: number) => podSet(name, { required: 2, requests: { cpu: cores * 1000 } });
    const answer = solve(nodes.topology(), demandOf(set("head", 2), set("worker", 3)), contextOf());
    expect(answer.verdict).toBe("fits");
    expect(answer.chosen?.assignment?.placed.map(({ pods }) => pods)).toEqual([1, 1, 1, 1]);
  });
});
