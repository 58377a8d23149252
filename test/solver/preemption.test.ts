import { describe, expect, test } from "vitest";
import type { PodSetDemand } from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { type ClusterBuilder, cluster, testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, pool } from "../support/demand.ts";

const told = (builder: ClusterBuilder, ...sets: readonly PodSetDemand[]): readonly string[] =>
  toldOn(builder.topology(), sets);
const toldOn = (
  topology: Topology,
  sets: readonly PodSetDemand[],
  context: Partial<SolveContext> = {},
): readonly string[] => {
  const answer = solve(topology, demandOf(...sets), contextOf({ skipSuggestions: true, ...context }));
  expect(answer.verdict).toBe("busy");
  return (answer.chosen?.reasons ?? []).filter(({ code }) => code === "Preemption").map(({ message }) => message);
};
const gpus = (name: string, pod: Partial<PodSetDemand["pod"]>, amount = 8): PodSetDemand =>
  podSet(name, { requests: { "nvidia.com/gpu": amount }, steps: [gpuStep(amount)], pod });
/** Budgets were asked for, and there are none unless a test adds some. */
const asked = (): ClusterBuilder =>
  cluster().object({ apiVersion: "policy/v1", kind: "PodDisruptionBudgetList", items: [] });
const one = (): ClusterBuilder => asked().node("n", (node) => node.gpus("h100", 8));

describe("would the scheduler preempt what holds the room", () => {
  test("pods of lower priority on nodes that could take the workload, and only those", () => {
    const builder = one().pod("low", (pod) => pod.namespace("team-x").on("n").gpus(8).priority(10));
    builder.node("cpu").pod("elsewhere", (pod) => pod.namespace("team-y").on("cpu").cpu(1).priority(0));
    expect(told(builder, gpus("main", { priority: 50 }))).toEqual([
      "kube-scheduler would preempt pods of a priority below 50 to make room (team-x has such pods)",
    ]);
    expect(told(builder, gpus("main", { priority: 10 }))).toEqual([
      "no pod there has a lower priority than this workload, so the scheduler preempts none",
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
    expect(told(builder, gpus("main", never))).toEqual(["the priority class of this workload never preempts"]);
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
    expect(told(held, claims)).toEqual(["the scheduler never preempts pods to free devices of claims"]);
    const crowded = builder().pod("low", (pod) => pod.on("d").cpu(10).priority(0).namespace("x"));
    expect(told(crowded, claims)[0]).toContain("would preempt pods of a priority below 50");
  });

  describe("where pods keep these off a whole zone", () => {
    const small = (name: string, priority: number) =>
      podSet(name, { requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8)], pod: { priority, labels: { app: "w" } } });
    /** A full node elsewhere, an empty one in the zone that a pod of a low priority closes. */
    const closed = (closer: string): ClusterBuilder =>
      asked()
        .node("full", (node) => node.gpus("h100", 8).zone("a"))
        .node("empty", (node) => node.gpus("h100", 8).zone("b"))
        .node("cpu", (node) => node.zone("b"))
        .pod("high", (pod) => pod.namespace("team-x").on("full").gpus(8).priority(200))
        .pod("closer", (pod) =>
          pod.namespace("team-y").on(closer).cpu(1).priority(0).keepsOff("topology.kubernetes.io/zone", { app: "w" }),
        );

    test("none is taken from a node that these cannot stand on, so it stays closed", () => {
      expect(told(closed("cpu"), small("main", 100))).toEqual([
        "no pod there has a lower priority than this workload, so the scheduler preempts none",
      ]);
    });

    test("what it does where they could stand on that node is not judged", () => {
      expect(told(closed("empty"), small("main", 100))[0]).toContain(
        "stand between these and more than their own nodes (required anti-affinity)",
      );
    });

    test("a PodGroup takes them from any node, which is not judged either", () => {
      const set = small("main", 100);
      const grouped = { ...set, placement: { ...set.placement, keptBy: "podGroup" as const } };
      expect(told(closed("cpu"), grouped)[0]).toContain("is not judged");
    });
  });

  test("only from nodes that open for the set that preempts: what another set alone could use is left", () => {
    const builder = asked()
      .node("gpu", (node) => node.gpus("h100", 8).cpu(8).untainted())
      .node("cpu", (node) => node.cpu(8))
      .pod("low", (pod) => pod.namespace("x").on("cpu").cpu(8).priority(0));
    const patient = podSet("patient", { requests: { cpu: 5000 }, pod: { priority: 100, preempts: false } });
    const eager = gpus("eager", { priority: 100, requests: { cpu: 5000, "nvidia.com/gpu": 8, pods: 1 } });
    expect(told(builder, patient, eager)[0]).toContain(
      "preempting the one pod of a priority below 100 there would not make enough room",
    );
  });

  test("not because a node might be in the domain that the pods share: whether it is, is not known", () => {
    // No NUMA node of the odd one has five devices; by count it takes a pod, and it lacks the label of its rack.
    const builder = asked()
      .nodes("n", 2, (node) => node.gpus("h100", 8).zone("z").block("b").rack("r"))
      .node("odd", (node) => node.gpus("h100", 8).zone("z").block("b").label("pool", "p5"))
      .pod("low", (pod) => pod.namespace("x").on("n-2").gpus(8).priority(10));
    const pair = podSet("main", {
      required: 2,
      requests: { "nvidia.com/gpu": 5 },
      steps: [gpuStep(5)],
      pod: { priority: 50 },
      placement: { level: "rack" },
    });
    const numa = { nodes: 2, policy: "single-numa-node", scope: "container" } as const;
    expect(toldOn(builder.topology(), [pair], { pools: [pool("p5", { node: { numa } })] })).toEqual([
      "kube-scheduler would preempt pods of a priority below 50 to make room (x has such pods)",
    ]);
  });

  test("not for a node that is cordoned", () => {
    const builder = cluster().node("n", (node) => node.gpus("h100", 8).cordoned());
    builder.pod("low", (pod) => pod.on("n").gpus(8).priority(0).namespace("x"));
    expect(told(builder, gpus("main", { priority: 50 }))).toEqual([
      "preempting the one pod of a priority below 50 there would not make enough room",
    ]);
  });
});

describe("the PodDisruptionBudgets of what it preempts", () => {
  const serving = (name: string, node: string, amount = 8) =>
    [
      name,
      (pod: Parameters<NonNullable<Parameters<ClusterBuilder["pod"]>[1]>>[0]) =>
        pod.namespace("x").on(node).gpus(amount).label("app", "serving"),
    ] as const;
  const two = (): ClusterBuilder => asked().nodes("n", 2, (node) => node.gpus("h100", 8));
  const high = { priority: 50 };
  const START = "kube-scheduler would preempt pods of a priority below 50 to make room (x has such pods)";
  const NONE = "x/serving (no disruption allowed now)";

  test("it keeps to them where one node offers a way", () => {
    const builder = two()
      .pod(...serving("a", "n-1"))
      .pod("b", (pod) => pod.namespace("x").on("n-2").gpus(8));
    builder.disruptionBudget("x", "serving", 0, { app: "serving" });
    expect(told(builder, gpus("main", high))).toEqual([START]);
  });

  test("where every node's pods are under a budget that is used up, it breaks one, by name", () => {
    const builder = two()
      .pod(...serving("a", "n-1"))
      .pod(...serving("b", "n-2"));
    builder.disruptionBudget("x", "serving", 0, { app: "serving" });
    expect(told(builder, gpus("main", high))).toEqual([
      `${START}, and cannot but break the PodDisruptionBudget ${NONE}, which does not keep it from doing so`,
    ]);
  });

  test("one pod reckons on the pods of each node by themselves", () => {
    const builder = two()
      .pod("a", (pod) => pod.namespace("x").on("n-1").gpus(4).label("app", "serving").priority(9))
      .pod("beside", (pod) => pod.namespace("x").on("n-1").gpus(4).label("app", "serving").priority(9))
      .pod(...serving("b", "n-2"))
      .disruptionBudget("x", "serving", 1, { app: "serving" });
    expect(told(builder, gpus("main", high))).toEqual([START]);
  });

  test("a budget allows so many of its pods, the most important first, on each node that is looked at", () => {
    const builder = (allowed: number) =>
      one()
        .pod("small", (pod) => pod.namespace("x").on("n").gpus(2).label("app", "serving").priority(9))
        .pod(...serving("big", "n", 6))
        .disruptionBudget("x", "serving", allowed, { app: "serving" });
    const six = gpus("main", high, 6);
    // Of the two, the first to be counted as allowed is the small one, which does not make room enough.
    expect(told(builder(1), six)[0]).toContain(
      "cannot but break the PodDisruptionBudget x/serving (1 disruption allowed now)",
    );
    expect(told(builder(2), six)).toEqual([START]);
    expect(told(builder(1), gpus("main", high, 2))).toEqual([START]);
  });

  test("among pods of one priority those that run longest count first", () => {
    const builder = (first: string, second: string) =>
      one()
        .pod("a", (pod) => pod.namespace("x").on("n").gpus(2).label("app", "serving").started(first))
        .pod("b", (pod) => pod.namespace("x").on("n").gpus(6).label("app", "serving").started(second))
        .disruptionBudget("x", "serving", 1, { app: "serving" });
    const [early, late] = ["2026-01-01T00:00:00Z", "2026-02-01T00:00:00Z"];
    expect(told(builder(late, early), gpus("main", high, 6))).toEqual([START]);
    expect(told(builder(early, late), gpus("main", high, 6))[0]).toContain("cannot but break");
  });

  test("pods that preempt one after another may break what each alone would keep; a PodGroup reckons once", () => {
    const builder = two()
      .pod(...serving("a", "n-1"))
      .pod(...serving("b", "n-2"));
    builder.disruptionBudget("x", "serving", 1, { app: "serving" });
    const pair = (placement: Partial<PodSetDemand["placement"]>): PodSetDemand =>
      podSet("main", { required: 2, requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8)], pod: high, placement });
    const name = "x/serving (1 disruption allowed now)";
    expect(told(builder, pair({}))).toEqual([`${START}, and may break the PodDisruptionBudget ${name} to do so`]);
    const group = { level: "block", keptBy: "podGroup" } as const;
    const placed = asked().nodes("n", 2, (node) => node.gpus("h100", 8).zone("z").block("b"));
    placed
      .pod(...serving("a", "n-1"))
      .pod(...serving("b", "n-2"))
      .disruptionBudget("x", "serving", 1, { app: "serving" });
    expect(told(placed, pair(group))[0]).toContain(`cannot but break the PodDisruptionBudget ${name}`);
  });

  test("what selects nothing, another namespace's, or a pod whose eviction is under way is no hindrance", () => {
    const builder = one().pod(...serving("a", "n"));
    builder.disruptionBudget("y", "serving", 0, { app: "serving" }).disruptionBudget("x", "all", 0, {});
    const spec = { selector: { matchLabels: { app: "serving" } } };
    const status = { disruptionsAllowed: 0, disruptedPods: { a: "2026-01-01T00:00:00Z" } };
    builder.object({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { namespace: "x", name: "gone" },
      spec,
      status,
    });
    expect(told(builder, gpus("main", high))).toEqual([START]);
  });

  test("a cluster that was given without them does not tell", () => {
    const builder = cluster()
      .node("n", (node) => node.gpus("h100", 8))
      .pod(...serving("a", "n"));
    expect(told(builder, gpus("main", high))).toEqual([
      `${START}; PodDisruptionBudgets were not given, so whether it breaks one is not known`,
    ]);
  });

  test("nor does one of which some could not be read", () => {
    const builder = one().pod(...serving("a", "n"));
    const odd = {
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { namespace: "x", name: "odd" },
      spec: { selector: { matchLabels: { app: "serving" } } },
      status: { disruptionsAllowed: "one" },
    };
    const { value } = inventoryFrom([...builder.objects(), odd]);
    const topology = buildTopology(value ?? expect.fail(), testLayout);
    expect(toldOn(topology, [gpus("main", high)])).toEqual([
      `${START}; a PodDisruptionBudget could not be read, so whether it breaks one is not known`,
    ]);
  });
});
