import { describe, expect, test } from "vitest";
import { type Hold, requirement } from "../../src/model/index.ts";
import { ask, busy, gang, messages, racks } from "../support/asking.ts";
import { cluster } from "../support/cluster.ts";
import { demandOf, gpuStep, podSet, pool, testPlatform } from "../support/demand.ts";

describe("verdicts and the words for them", () => {
  test("a gang that has a rack to itself fits, in the rack that it fills best", () => {
    const builder = busy(busy(racks(), "r1-1", 8), "r2-1", 1);
    busy(builder, "r2-2", 1);
    const answer = ask(builder, gang(3));
    expect(answer.verdict).toBe("fits");
    expect(answer.chosen?.assignment?.placed.map(({ node }) => node)).toEqual(["r1-2", "r1-3", "r1-4"]);
    expect(messages(answer, "Fits")).toEqual(["3 pods fit on 3 nodes, all in rack a/b1/r1"]);
  });

  test("a node whose rack is not known may fit now where with every node ready it could not: cordoned ones do not count for spreading", () => {
    const builder = cluster()
      .node("bare", (node) => node.cpu(2).zone("a").block("k"))
      .node("b-1", (node) => node.cpu(2).zone("b").block("k").rack("r2"))
      .node("b-2", (node) => node.cpu(2).zone("b").block("k").rack("r2"))
      .node("gone", (node) => node.cpu(2).zone("b").block("k").rack("r1").cordoned());
    const over = (key: string) => ({ key, maxSkew: 1, minDomains: 1, ignoreTaints: false, ignoreSelection: false });
    const spread = ["topology.kubernetes.io/zone", "kubernetes.io/hostname"].map(over);
    const demand = demandOf(podSet("main", { required: 4, pod: { spread }, placement: { level: "rack" } }));
    expect(ask(builder, demand).verdict).toBe("unknown");
  });

  test("of a set that may have no pod, what is told is how many could be had", () => {
    const answer = ask(cluster().node("n"), demandOf(podSet("head"), podSet("worker", { required: 0, count: 2 })));
    expect(answer.verdict).toBe("fits");
    expect(messages(answer, "Fits")).toEqual(["1 pod of head fits on 1 node", "no pod of worker has to run at first"]);
    expect(messages(answer, "Count")).toEqual(["at full size, both pods of worker fit now"]);
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

  test("a rule under which pods spread is told with its numbers where it is what keeps them out", () => {
    const builder = cluster();
    for (const [zone, count] of [
      ["a", 3],
      ["b", 1],
    ] as const)
      builder.nodes(zone, count, (node) => node.gpus("h100", 8).zone(zone));
    const key = "topology.kubernetes.io/zone";
    const spread = [{ key, maxSkew: 1, minDomains: 2, ignoreTaints: true }];
    const answer = ask(builder, gang(4, { placement: { unit: "pod" }, pod: { spread } }));
    expect(messages(answer, "NearestMiss")).toEqual([
      `the cluster has room for 3 of the 4 pods once they spread over ${key} with maxSkew 1 and minDomains 2, then nvidia.com/gpu runs out`,
    ]);
  });

  test("nodes that lack the label of one of several rules do not keep the others from being counted", () => {
    const [zone, rack] = ["topology.kubernetes.io/zone", "topology.k8s.aws/network-node-layer-3"];
    const builder = cluster();
    for (const [at, name] of ["a", "a", "b", "b"].entries())
      builder.node(`n-${at}`, (node) => node.cpu(2).zone(name).rack(`r-${at}`));
    builder.node("no-rack", (node) => node.cpu(2).zone("a")).node("no-zone", (node) => node.cpu(2).rack("r-9"));
    const spread = [zone, rack].map((key) => ({ key, maxSkew: 1, ignoreTaints: true }));
    const answer = ask(
      builder,
      demandOf(podSet("main", { required: 2, count: 8, pod: { spread }, placement: { unit: "pod" } })),
    );
    expect(messages(answer, "Count")).toEqual(["at full size, all 8 pods fit now"]);
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
