import { describe, expect, test } from "vitest";
import { type Answer, type Demand, type Hold, type JsonObject, parseRung, requirement } from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import {
  accelerator,
  contextOf,
  demandOf,
  deviceRequest,
  gpuStep,
  podSet,
  pool,
  step,
  testPlatform,
} from "../support/demand.ts";

/** Three racks of four h100 nodes in one block of zone a. */
function racks(perRack = 4): ClusterBuilder {
  const builder = cluster();
  for (const rack of ["r1", "r2", "r3"])
    builder.nodes(rack, perRack, (node) =>
      node.gpus("h100", 8).zone("a").block("b1").rack(rack).capacityType("on-demand"),
    );
  return builder;
}

function busy(builder: ClusterBuilder, node: string, gpus: number, tenant = "team-x", priority = 0): ClusterBuilder {
  return builder.pod(`busy-${node}`, (pod) => pod.namespace(tenant).on(node).gpus(gpus).priority(priority));
}

const gang = (pods: number, extra: Parameters<typeof podSet>[1] = {}): Demand =>
  demandOf(
    podSet("main", {
      required: pods,
      requests: { "nvidia.com/gpu": 8 },
      placement: { level: "rack" },
      steps: [gpuStep(8)],
      ...extra,
    }),
  );

const ask = (builder: ClusterBuilder, demand: Demand, context: Partial<SolveContext> = {}): Answer =>
  solve(builder.topology(), demand, contextOf(context));
const messages = (answer: Answer, code: string): readonly string[] =>
  (answer.chosen?.reasons ?? []).filter((reason) => reason.code === code).map(({ message }) => message);

describe("verdicts and the words for them", () => {
  test("a gang that has a rack to itself fits, in the rack that it fills best", () => {
    const builder = busy(busy(racks(), "r1-1", 8), "r2-1", 1);
    busy(builder, "r2-2", 1);
    const answer = ask(builder, gang(3));
    expect(answer.verdict).toBe("fits");
    expect(answer.chosen?.assignment?.placed.map(({ node }) => node)).toEqual(["r1-2", "r1-3", "r1-4"]);
    expect(messages(answer, "Fits")).toEqual(["3 pods fit on 3 nodes, all in rack a/b1/r1"]);
  });

  test("busy says how close the best rack comes, who holds the rest and what would help", () => {
    const builder = busy(busy(busy(racks(), "r1-1", 8), "r2-1", 8), "r3-1", 8, "team-y");
    const answer = ask(builder, gang(4));
    expect(answer.verdict).toBe("busy");
    expect(messages(answer, "NearestMiss")).toEqual(["the best rack, a/b1/r1, has 3 of the 4 nodes needed"]);
    expect(messages(answer, "Excluded")).toEqual(["3 of 12 nodes: not enough nvidia.com/gpu free"]);
    expect(messages(answer, "Holder")).toEqual([
      "tenant team-x holds 16 nvidia.com/gpu in 2 pods on nodes that could take this",
      "tenant team-y holds 8 nvidia.com/gpu in 1 pod on nodes that could take this",
    ]);
    expect(answer.suggestions.map(({ change, verdict, who }) => [change, verdict, who])).toEqual([
      ["topology.level: block", "fits", "platform"],
      ["3 instead of 4 pods", "fits", "workload"],
    ]);
    expect(answer.suggestions[0]?.message).toBe(
      "fits with topology.level: block (4 pods fit on 4 nodes, all in block a/b1)",
    );
  });

  test("a change that the class lets the workload make is offered as the workload's own", () => {
    const builder = busy(busy(busy(racks(), "r1-1", 8), "r2-1", 8), "r3-1", 8);
    for (const [value, who] of [
      ["block", "workload"],
      ["rack", "platform"],
    ]) {
      const answer = ask(builder, gang(4), {
        mayOverride: (field, one) => field === "topology.level" && one === value,
      });
      expect(answer.suggestions[0]?.who).toBe(who);
    }
  });

  test("a wider level is offered to the set that requires one, though another prefers a narrower one", () => {
    const set = (name: string, required: number, level: string, mode: "required" | "preferred") =>
      podSet(name, {
        required,
        requests: { "nvidia.com/gpu": 8 },
        placement: { level, mode },
        steps: [gpuStep(8)],
      });
    const builder = cluster();
    for (const block of ["b1", "b2"])
      builder.nodes(block, 2, (node) => node.gpus("h100", 8).zone("a").block(block).rack(`r-${block}`));
    const answer = ask(builder, demandOf(set("head", 1, "rack", "preferred"), set("worker", 3, "block", "required")));
    expect(answer.verdict).toBe("never");
    expect(answer.suggestions[0]?.change).toBe("topology.level: zone");
  });

  test("what runs out is told by its name", () => {
    const missed = (cores: number, slots: number) => {
      const builder = cluster().node("n", (node) => node.cpu(cores).memory("64Gi").resource("pods", slots));
      return messages(ask(builder, demandOf(podSet("main", { required: 3 }))), "NearestMiss");
    };
    expect(missed(2, 9)).toEqual(["the cluster has room for 2 of the 3 pods, then cpu runs out"]);
    expect(missed(9, 2)).toEqual(["the cluster has room for 2 of the 3 pods, then pod slots run out"]);
  });

  test("a new node has the taints of its state as its pool declares them", () => {
    const demand = gang(1, { placement: {}, steps: [gpuStep(8, { source: "new" })] });
    const taints = [{ key: "node.kubernetes.io/out-of-service", value: "", effect: "NoExecute" }] as const;
    const tainted = pool("p", { node: { taints } });
    const verdict = (one: typeof tainted) => ask(cluster().node("cpu-only"), demand, { pools: [one] }).verdict;
    expect([verdict(tainted), verdict(pool("p"))]).toEqual(["never", "scaleUp"]);
  });

  test("nodes that are there are taken before new ones, also where new ones would be filled better", () => {
    const builder = racks(3);
    const demand = gang(2, { steps: [gpuStep(8, { source: "new" })] });
    const answer = ask(builder, demand, { pools: [pool("p", { maxNodes: 2, together: ["rack"] })] });
    expect(answer.verdict).toBe("fits");
  });

  test("whoever waits while a fallback fits is told the count of new nodes", () => {
    const builder = cluster().nodes("n", 2, (node) => node.gpus("h100", 8));
    const fresh = gpuStep(8, { source: "new" }, [requirement("pool", "In", ["p"])]);
    const demand = gang(2, { placement: {}, steps: [fresh, gpuStep(8)] });
    const told = ask(builder, demand, { pools: [pool("p")] }).choice.find(({ code }) => code === "FallbackFits");
    expect(told?.data).toMatchObject({
      nodes: 2,
      short: "h100/on-demand/existing fits now; h100/on-demand/new waits about 5m for 2 new nodes",
    });
  });

  test("suggestions are left out where nobody reads them", () => {
    expect(ask(racks(), gang(5), { skipSuggestions: true }).suggestions).toEqual([]);
  });

  test("never: no rack is large enough, whatever runs there", () => {
    const answer = ask(racks(), gang(5));
    expect(answer.verdict).toBe("never");
    expect(messages(answer, "NearestMiss")).toEqual(["the best rack, a/b1/r1, has 4 of the 5 nodes needed"]);
    expect(answer.suggestions[0]?.change).toBe("topology.level: block");
  });

  test("never needs supply that is all declared", () => {
    const platform = { ...testPlatform, supply: { nodes: "partial", pools: "complete" } } as const;
    const answer = ask(racks(), gang(5), { platform });
    expect(answer.verdict).toBe("unknown");
    expect(messages(answer, "SupplyIncomplete")[0]).toContain("its nodes are not all declared");
  });

  test("a node too small is told in numbers", () => {
    const answer = ask(racks(), gang(1, { requests: { "nvidia.com/gpu": 16 } }));
    expect(answer.verdict).toBe("never");
    expect(messages(answer, "NearestMiss")).toEqual([
      "the best node, r1-1, has 8 of the 16 nvidia.com/gpu that one pod needs",
    ]);
    expect(messages(answer, "Excluded")).toEqual(["all 12 nodes: smaller than one pod in nvidia.com/gpu"]);
  });

  test("exclusions count each node once, in the scheduler's order", () => {
    const builder = cluster()
      .node("cold", (node) => node.notReady())
      .node("closed", (node) => node.cordoned())
      .nodes("gpu", 3, (node) => node.gpus("h100", 8))
      .nodes("other", 2, (node) => node.label("pool", "b"))
      .node("small", (node) => node.label("pool", "a").cpu(1))
      .nodes("full", 2, (node) => node.label("pool", "a").cpu(2))
      .pod("p1", (pod) => pod.namespace("x").on("full-1").cpu(2))
      .pod("p2", (pod) => pod.namespace("x").on("full-2").cpu(2));
    const demand = demandOf(
      podSet("main", {
        requests: { cpu: 2000 },
        pod: { selection: [new Map([["pool", requirement("pool", "In", ["a"])]])] },
      }),
    );
    const answer = ask(builder, demand);
    expect(answer.verdict).toBe("busy");
    expect(answer.chosen?.exclusions.map(({ constraint, nodes }) => [constraint, nodes])).toEqual([
      ["not ready", 1],
      ["cordoned", 1],
      ["taint nvidia.com/gpu=true:NoSchedule not tolerated", 3],
      ["label pool = a does not hold", 2],
      ["smaller than one pod in cpu", 1],
      ["not enough cpu free", 2],
    ]);
    expect(messages(answer, "Excluded")[0]).toMatch(/^1 of 10 nodes: not ready; 1: cordoned; 3: taint nvidia.com\/gpu/);
  });

  test("a cordoned or unready node makes it busy, never impossible", () => {
    for (const mark of ["cordoned", "notReady"] as const)
      expect(
        ask(
          cluster().node("a", (node) => node[mark]()),
          demandOf(podSet("main")),
        ).verdict,
      ).toBe("busy");
  });

  test("nodes without the level's label are named, not dropped", () => {
    const builder = racks(1).nodes("bare", 3, (node) => node.gpus("h100", 8).zone("a"));
    const answer = ask(builder, gang(3));
    expect(answer.verdict).toBe("unknown");
    expect(messages(answer, "LabelMissing")[0]).toContain(
      "3 nodes with room lack the label topology.k8s.aws/network-node-layer-3",
    );
    expect(messages(answer, "LabelMissing")[0]).toContain("bare-1, bare-2, bare-3");
  });

  test("what the workload holds already is left out, and so is its own hold", () => {
    const builder = racks(1);
    for (const rack of ["r1", "r2"])
      builder.pod(`own-${rack}`, (pod) => pod.on(`${rack}-1`).gpus(8).owner("Job", "train"));
    busy(builder, "r3-1", 8);
    const hold = (name: string): Hold => ({
      workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name },
      tenant: "team-t",
      takenAtMs: 0,
      placed: [
        {
          podSet: "main",
          node: "r1-1",
          pods: 1,
          requests: { "nvidia.com/gpu": 8 },
          devices: [],
          accelerators: 8,
          charged: {},
        },
      ],
      newNodes: [],
    });
    const spread = gang(2, { placement: { level: "block" } });
    expect(ask(builder, spread).verdict).toBe("fits");
    expect(ask(builder, spread, { holds: [hold("train")] }).verdict).toBe("fits");
    const held = ask(builder, spread, { holds: [hold("other")] });
    expect(held.verdict).toBe("busy");
    expect(messages(held, "Holder")).toContain(
      "tenant team-t holds 8 nvidia.com/gpu in 1 pod on nodes that could take this",
    );
  });

  test("the scheduler would preempt pods of lower priority, if the workload's priority may", () => {
    const builder = busy(racks(1), "r1-1", 8, "team-x", 100);
    busy(builder, "r2-1", 8, "team-y", 0);
    busy(builder, "r3-1", 8, "team-y", 100);
    builder.object({ apiVersion: "policy/v1", kind: "PodDisruptionBudgetList", items: [] });
    builder.disruptionBudget("team-z", "another", 0, { app: "another" });
    const told = (priority: number, preempts: boolean) =>
      messages(ask(builder, gang(1, { pod: { priority, preempts } })), "Preemption")[0];
    expect(told(50, true)).toBe(
      "kube-scheduler would preempt pods of a priority below 50 to make room (team-y has such pods)",
    );
    expect(told(50, false)).toBe("the priority class of this workload never preempts");
    expect(told(0, true)).toBe("no pod there has a lower priority than this workload, so the scheduler preempts none");
  });

  test("kube-scheduler alone may miss a required level, and that is said", () => {
    const builder = busy(racks(), "r1-1", 8);
    const answer = ask(builder, gang(4));
    expect(answer.verdict).toBe("fits");
    expect(messages(answer, "NotGuaranteed")).toEqual([
      "kube-scheduler places the first pod without looking ahead, and 1 of the 3 racks with room for it has no room for all 4 pods",
    ]);
    for (const keptBy of ["podGroup", "queue", "pin"] as const)
      expect(messages(ask(builder, gang(4, { placement: { level: "rack", keptBy } })), "NotGuaranteed")).toEqual([]);
  });

  test("a level that is only preferred keeps no pod of the full count from running", () => {
    const demand = gang(1, { count: 6, placement: { level: "rack", mode: "preferred" } });
    const answer = ask(racks(2), demand);
    expect(answer.chosen?.holds).toEqual({ main: 6 });
    expect(messages(answer, "Count")).toEqual(["at full size, all 6 pods fit now"]);
  });

  test("a preferred level is kept where it can be, and widened where not", () => {
    const soft = (pods: number) => ask(racks(), gang(pods, { placement: { level: "rack", mode: "preferred" } }));
    expect(messages(soft(4), "Fits")).toEqual(["4 pods fit on 4 nodes, all in rack a/b1/r1"]);
    expect(messages(soft(6), "Fits")).toEqual(["6 pods fit on 6 nodes, all in block a/b1"]);
    expect(messages(soft(6), "NearestMiss")[0]).toContain("no rack has room for all 6 pods; the class prefers one");
  });

  test("the answer counts how much of the full size fits", () => {
    const answer = ask(racks(), gang(2, { count: 6 }));
    expect(answer.verdict).toBe("fits");
    expect(answer.chosen?.holds["main"]).toBe(4);
    expect(messages(answer, "Count")).toEqual(["at full size, 4 of the 6 pods fit now"]);
  });

  test("a step budget that runs out says so, and hides no rung that needs less", () => {
    expect(ask(racks(), gang(4), { maxSteps: 1, skipSuggestions: true }).verdict).toBe("undecided");
    expect(messages(ask(racks(), gang(4), { maxSteps: 1 }), "BudgetExhausted")).toHaveLength(1);
  });

  test("a cluster given without its nodes is unknown, not impossible", () => {
    const answer = ask(cluster().namespace("default"), gang(1));
    expect(answer.verdict).toBe("unknown");
    expect(messages(answer, "DataMissing")).toEqual(["the cluster was given without its nodes"]);
  });

  test("what the pod asks for and nobody knows makes it unknown, but a miss stays a miss", () => {
    const unknowns = ["claim shared is not part of the input"];
    expect(ask(racks(), gang(1, { pod: { unknowns } })).verdict).toBe("unknown");
    expect(ask(racks(), gang(5, { pod: { unknowns } })).verdict).toBe("never");
  });

  test("a level that the layout lacks is unknown by name", () => {
    const answer = ask(racks(), gang(2, { placement: { level: "nvlink" } }));
    expect(answer.verdict).toBe("unknown");
    expect(messages(answer, "DataMissing")[0]).toContain("the layout eks has no level nvlink");
  });

  test("a DaemonSet takes every node that it selects, cordoned ones too, and none is enough to fail it", () => {
    const builder = cluster()
      .nodes("a", 3, (node) => node.cpu(4))
      .node("closed", (node) => node.cpu(4).cordoned())
      .node("gpu", (node) => node.gpus("h100", 8));
    const daemon = demandOf(podSet("main", { perNode: true, requests: { cpu: 2000 } }));
    const answer = ask(builder, daemon);
    expect(answer.verdict).toBe("fits");
    expect(answer.chosen?.assignment?.placed.map(({ node }) => node)).toEqual(["a-1", "a-2", "a-3", "closed"]);
    expect(
      ask(
        builder.pod("p", (pod) => pod.namespace("x").on("a-2").cpu(3)),
        daemon,
      ).verdict,
    ).toBe("busy");
  });

  test("a pod that names its node goes there past taints of the scheduler", () => {
    const builder = racks(1);
    const named = (nodeName: string) => demandOf(podSet("main", { pod: { nodeName } }));
    expect(ask(builder, named("r2-1")).chosen?.assignment?.placed[0]?.node).toBe("r2-1");
    expect(ask(builder, named("nowhere")).verdict).toBe("never");
  });

  test("host ports are taken once a node", () => {
    const builder = cluster()
      .nodes("a", 2)
      .pod("web", (pod) => pod.namespace("x").on("a-1").hostPort(80));
    const ports = (required: number) => ask(builder, demandOf(podSet("main", { required, pod: { hostPorts: [80] } })));
    expect(ports(1).chosen?.assignment?.placed[0]?.node).toBe("a-2");
    expect(ports(2).verdict).toBe("busy");
    expect(ports(3).verdict).toBe("never");
  });
});

describe("quotas and limits", () => {
  const quota = (hard: string, used: string) =>
    racks()
      .namespace("default")
      .quota("default", { "requests.nvidia.com/gpu": hard }, { "requests.nvidia.com/gpu": used });

  test("a quota used up by others is busy, one too small by itself is never", () => {
    const full = ask(quota("32", "16"), gang(3));
    expect(full.verdict).toBe("busy");
    expect(messages(full, "QuotaExceeded")).toEqual([
      "quota quota of namespace default has 16 of 32 requests.nvidia.com/gpu left, and this needs 24",
    ]);
    expect(ask(quota("32", "8"), gang(3)).verdict).toBe("fits");
    expect(ask(quota("16", "0"), gang(3)).verdict).toBe("never");
  });

  test("what the workload itself is charged does not count twice", () => {
    const builder = quota("24", "24");
    builder.pod("own", (pod) => pod.on("r1-1").gpus(8).owner("Job", "train"));
    expect(ask(builder, gang(1)).verdict).toBe("fits");
    expect(ask(builder, gang(2)).verdict).toBe("busy");
  });

  test("the class's limit counts what the tenant holds anywhere", () => {
    const builder = busy(racks(), "r1-1", 8, "team-t");
    const limited = (acceleratorLimit: number) => ask(builder, { ...gang(2), acceleratorLimit });
    expect(limited(24).verdict).toBe("fits");
    expect(messages(limited(20), "LimitExceeded")).toEqual([
      "tenant team-t holds 8 of the 20 accelerators that the class allows it, and this needs 16",
    ]);
    expect(limited(20).verdict).toBe("busy");
    expect(limited(8).verdict).toBe("never");
  });
});

describe("new nodes", () => {
  const rungs = (maxProvisioningMs = 600_000) => ({
    steps: [gpuStep(8), gpuStep(8, { source: "new" })],
    maxProvisioningMs,
    placement: {},
  });

  test("a pool adds whole nodes beside those that are free", () => {
    const answer = ask(racks(1), gang(5, rungs()), { pools: [pool("p5")] });
    expect(answer.verdict).toBe("scaleUp");
    expect(answer.rungs["main"]?.source).toBe("new");
    expect(answer.chosen?.assignment?.newNodes).toEqual([{ pool: "p5", zone: "a", count: 2 }]);
    expect(messages(answer, "ScaleUp")).toContain("pool p5 adds 2 nodes in a, which take about 5m to start");
  });

  test("a pool that is used up is told with its numbers", () => {
    const builder = racks(1);
    builder.nodes("member", 4, (node) => node.gpus("h100", 8).label("pool", "p5").cordoned());
    const answer = ask(builder, gang(5, { ...rungs(), steps: [gpuStep(8, { source: "new" })] }), {
      pools: [pool("p5")],
    });
    expect(answer.verdict).toBe("busy");
    expect(messages(answer, "PoolExhausted")).toEqual(["pool p5 may add no nodes: it has 4 of its 4"]);
  });

  test("of a pool that takes no pod what it lacks is told, not what just suffices", () => {
    const small = pool("p5", { node: { allocatable: { cpu: 1000, memory: 2 ** 30, pods: 1 } } });
    const answer = ask(racks(1), gang(5, { ...rungs(), steps: [gpuStep(8, { source: "new" })] }), { pools: [small] });
    expect(messages(answer, "NoPool")).toEqual(["a new node of pool p5 takes no pod: it has no nvidia.com/gpu"]);
  });

  test("nodes promised to others are not promised again", () => {
    const hold: Hold = {
      workload: { apiVersion: "batch/v1", kind: "Job", namespace: "x", name: "other" },
      tenant: "x",
      takenAtMs: 0,
      placed: [],
      newNodes: [{ pool: "p5", zone: "a", count: 3 }],
    };
    const context = { pools: [pool("p5")], holds: [hold] };
    expect(ask(racks(1), gang(4, rungs()), context).verdict).toBe("scaleUp");
    expect(ask(racks(1), gang(5, rungs()), context).verdict).toBe("busy");
  });

  test("a pool that starts too late is no scale-up in time, and waiting longer is offered", () => {
    const answer = ask(racks(1), gang(5, { ...rungs(60_000), steps: [gpuStep(8, { source: "new" })] }), {
      pools: [pool("p5")],
    });
    expect(answer.verdict).toBe("busy");
    expect(messages(answer, "TooSlow")).toEqual([
      "pool p5 takes about 5m to start a node, and the class waits at most 1m",
    ]);
    expect(answer.suggestions.map(({ change }) => change)).toContain("capacity.maxProvisioning: 5m");
  });

  test("a reservation that has ended adds nothing", () => {
    const ended = pool("p5", { reservation: { name: "cr-1", end: "2025-12-31T00:00:00Z" } });
    const demand = gang(5, { ...rungs(), steps: [gpuStep(8, { source: "new" })] });
    const answer = ask(racks(1), demand, { pools: [ended] });
    expect(answer.verdict).toBe("never");
    expect(messages(answer, "ReservationEnds")).toEqual(["pool p5: reservation cr-1 ended at 2025-12-31T00:00:00Z"]);
    const counted = pool("p5", { reservation: { name: "cr-1", nodes: 1 } });
    expect(ask(racks(1), demand, { pools: [counted] }).verdict).toBe("never");
  });

  test("no pool of that accelerator and capacity type is said so", () => {
    const answer = ask(
      racks(1),
      gang(5, { ...rungs(), steps: [gpuStep(8, { source: "new", capacityType: "spot" })] }),
      { pools: [pool("p5")] },
    );
    expect(messages(answer, "NoPool")).toEqual(["no pool offers h100 spot nodes"]);
  });

  test("a required level on new nodes holds only where the pool says that they share it", () => {
    const demand = gang(3, { ...rungs(), placement: { level: "rack" } });
    const loose = ask(racks(1), demand, { pools: [pool("p5")] });
    expect(loose.verdict).toBe("unknown");
    expect(messages(loose, "LabelMissing")).toEqual([
      "pool p5 does not say whether its new nodes share one rack (field together)",
    ]);
    expect(ask(racks(1), demand, { pools: [pool("p5", { together: ["rack"] })] }).verdict).toBe("scaleUp");
    expect(ask(racks(1), gang(3, { ...rungs(), placement: { level: "zone" } }), { pools: [pool("p5")] }).verdict).toBe(
      "fits",
    );
  });

  test("the zones of a pool share its maximum", () => {
    const builder = cluster();
    for (const zone of ["a", "b"]) builder.node(`old-${zone}`, (node) => node.gpus("h100", 8).zone(zone));
    const spread = { placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, mode: "required" } } } as const;
    const grown = (pods: number) =>
      ask(builder, gang(pods, { ...rungs(), ...spread }), { pools: [pool("p5", { zones: ["a", "b"], maxNodes: 3 })] });
    expect(grown(4).chosen?.assignment?.newNodes).toEqual([
      { pool: "p5", zone: "a", count: 1 },
      { pool: "p5", zone: "b", count: 1 },
    ]);
    expect(grown(5).verdict).toBe("scaleUp");
    expect(grown(6).verdict).toBe("never");
  });

  test("a zone in which there is no node yet need not get one to spread evenly", () => {
    const spread = { placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, mode: "required" } } } as const;
    const pools = [pool("p5", { zones: ["a", "b"], maxNodes: 2 })];
    const answer = ask(racks(1), gang(4, { ...rungs(), ...spread }), { pools });
    expect(answer.chosen?.assignment?.newNodes).toEqual([{ pool: "p5", zone: "a", count: 1 }]);
  });

  test("devices of claims on new nodes are those that the pool declares", () => {
    const claims = (selector: string) =>
      demandOf(
        podSet("main", {
          pod: { devices: [deviceRequest("gpu", 4, { selectors: [selector] })] },
          steps: [step({ accelerator: "h100", source: "new" }, { tolerations: [{ operator: "Exists" }] })],
        }),
      );
    const dra = pool("p5", {
      node: {
        mechanism: "dra",
        device: { driver: "gpu.nvidia.com", attributes: { productName: "H100" }, capacity: { memory: "80Gi" } },
      },
    });
    const product = (name: string) => claims(`device.attributes["gpu.nvidia.com"].productName == "${name}"`);
    expect(ask(racks(1), product("H100"), { pools: [dra] }).verdict).toBe("scaleUp");
    expect(ask(racks(1), product("A100"), { pools: [dra] }).verdict).toBe("never");
    const undeclared = ask(racks(1), claims('device.attributes["gpu.nvidia.com"].architecture == "Hopper"'), {
      pools: [dra],
    });
    expect(undeclared.verdict).toBe("unknown");
    expect(messages(undeclared, "DataMissing")[0]).toContain("pool p5 does not declare what its devices publish");
  });
});

describe("devices of claims", () => {
  const dra = (count = 4): ClusterBuilder => cluster().nodes("n", 2, (node) => node.dra("h100", count).untainted());
  const claim = (count: number | "all", extra = {}) =>
    demandOf(podSet("main", { pod: { devices: [deviceRequest("gpu", count, extra)] } }));

  test("names the devices in allocation order", () => {
    const answer = ask(dra().claim("held", ["gpu.nvidia.com/n-1/gpu-0"]), claim(4));
    expect(answer.chosen?.assignment?.placed).toEqual([
      {
        podSet: "main",
        node: "n-2",
        pods: 1,
        devices: [[0, 1, 2, 3].map((index) => `gpu.nvidia.com/n-2/gpu-${index}`)],
      },
    ]);
  });

  test("the scheduler's own order may use up what others need, and that is said", () => {
    const only = 'device.attributes["gpu.nvidia.com"].type == "special"';
    const special = (order: readonly string[]) =>
      cluster().node("n", (node) =>
        node
          .dra("h100", order.length, (device, index) => ({
            ...device,
            attributes: { type: { string: order[index] ?? "" } },
          }))
          .untainted(),
      );
    const pairs = (pods: number) =>
      demandOf(
        podSet("main", {
          required: pods,
          pod: { devices: [deviceRequest("any", 1), deviceRequest("one", 1, { selectors: [only] })] },
        }),
      );
    const told = (order: readonly string[], pods: number) => {
      const answer = ask(special(order), pairs(pods));
      return [answer.verdict, ...messages(answer, "NotGuaranteed")];
    };
    expect(told(["plain", "plain", "special", "special"], 2)).toEqual(["fits"]);
    expect(told(["special", "special", "plain", "plain"], 1)).toEqual(["fits"]);
    expect(told(["special", "special", "plain", "plain"], 2)).toEqual([
      "fits",
      "kube-scheduler gives each pod the first devices that serve it, and in that order they last for 1 of 2 pods",
    ]);
  });

  test("the scheduler preempts nobody for them, and the holder is told by tenant", () => {
    const builder = dra(2).claim("held-1", ["gpu.nvidia.com/n-1/gpu-0"], undefined, "team-x");
    builder.claim("held-2", ["gpu.nvidia.com/n-2/gpu-0"], undefined, "team-x");
    const answer = ask(builder, claim(2));
    expect(answer.verdict).toBe("busy");
    expect(messages(answer, "Holder")).toEqual([
      "tenant team-x holds 2 devices in 2 claims on nodes that could take this",
    ]);
    expect(messages(answer, "Preemption")).toEqual(["the scheduler never preempts pods to free devices of claims"]);
    expect(messages(answer, "Excluded")).toEqual(["both nodes: too few free devices for request gpu"]);
  });

  test("a selector that fails at run time is named, since the scheduler gives up on the pod", () => {
    const answer = ask(dra(), claim(1, { selectors: ['device.attributes["gpu.nvidia.com"].model == "x"'] }));
    expect(answer.verdict).toBe("never");
    expect(messages(answer, "AttemptAborted")).toEqual([
      "kube-scheduler gives up on a pod when it looks at node n-1, whatever other nodes have: a selector fails on device gpu.nvidia.com/n-1/gpu-0",
    ]);
    expect(messages(answer, "SelectorFault")[0]).toContain("No such key: model");
  });

  test("a selector that does not compile is named", () => {
    const answer = ask(dra(), claim(1, { selectors: ["device.nope == 1"] }));
    expect(answer.verdict).toBe("unknown");
    expect(messages(answer, "SelectorFault")[0]).toContain("No such key: nope");
  });

  test("more than 32 devices in one claim is never, whatever the supply", () => {
    const answer = ask(dra(), claim(33));
    expect(answer.verdict).toBe("never");
    expect(messages(answer, "LimitExceeded")[0]).toContain("at most 32");
  });

  test("an incomplete pool leaves the answer unknown by name", () => {
    const builder = cluster()
      .node("n-1")
      .object({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceSlice",
        metadata: { name: "s" },
        spec: {
          driver: "gpu.nvidia.com",
          nodeName: "n-1",
          pool: { name: "n-1", generation: 1, resourceSliceCount: 2 },
          devices: [{ name: "gpu-0" }],
        },
      });
    const answer = ask(builder, claim(1));
    expect(answer.verdict).toBe("unknown");
    expect(messages(answer, "DataMissing")[0]).toContain("device pool gpu.nvidia.com/n-1 is incomplete");
  });

  test("a cluster given without slices is unknown", () => {
    expect(messages(ask(cluster().node("n"), claim(1)), "DataMissing")[0]).toContain("without its ResourceSlices");
  });
});

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

  test("other capacity and other accelerators are offered where the platform can express them", () => {
    const builder = cluster()
      .node("h", (node) => node.gpus("h100", 8).capacityType("reserved"))
      .node("g", (node) => node.gpus("h200", 8).capacityType("on-demand"));
    const label = requirement("karpenter.k8s.aws/instance-gpu-name", "In", ["h100"]);
    const type = requirement("karpenter.sh/capacity-type", "In", ["on-demand"]);
    const answer = ask(builder, gang(1, { placement: {}, steps: [gpuStep(8, {}, [label, type])] }), {
      accelerators: new Map(["h100", "h200"].map((name) => [name, accelerator(name)])),
    });
    expect(answer.verdict).toBe("never");
    expect(answer.suggestions.map(({ change }) => change)).toEqual([
      "capacity.types: [on-demand, reserved]",
      "accelerator.classes: [h100, h200]",
    ]);
  });

  test("other capacity is offered where it has a label of its own in the platform", () => {
    const { dialect } = testPlatform;
    const reserved = { requirement: requirement("reservation", "In", ["yes"]), tolerations: [] };
    const platform = {
      ...testPlatform,
      dialect: { ...dialect, capacityTypes: { ...dialect.capacityTypes, reserved } },
    };
    const builder = cluster().node("h", (node) => node.gpus("h100", 8).label("reservation", "yes"));
    const type = requirement("karpenter.sh/capacity-type", "In", ["on-demand"]);
    const answer = ask(builder, gang(1, { placement: {}, steps: [gpuStep(8, {}, [type])] }), { platform });
    expect(answer.suggestions.map(({ change }) => change)).toEqual(["capacity.types: [on-demand, reserved]"]);
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
