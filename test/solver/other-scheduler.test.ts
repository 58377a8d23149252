import { expect, test } from "vitest";
import type { JsonObject, PodSetDemand, Reason } from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, testPlatform } from "../support/demand.ts";

const told = (builder: ClusterBuilder, sets: readonly PodSetDemand[], context: Partial<SolveContext> = {}) => {
  const answer = solve(builder.topology(), demandOf(...sets), contextOf({ skipSuggestions: true, ...context }));
  const reasons = (answer.chosen?.reasons ?? []).filter(
    ({ code }) => !["Fits", "Holder", "Excluded", "NearestMiss", "DataMissing"].includes(code),
  );
  return { verdict: answer.verdict, reasons: reasons.map(({ code, message }: Reason) => `${code}: ${message}`) };
};
const set = (name: string, gpus: number, pods: number, schedulerName: string, priority = 0): PodSetDemand =>
  podSet(name, {
    required: pods,
    requests: { "nvidia.com/gpu": gpus },
    steps: [gpuStep(gpus)],
    pod: { schedulerName, priority },
  });
/** A head of one device may take a node that the workers need whole. */
const tight = (): ClusterBuilder =>
  cluster()
    .nodes("n", 3, (node) => node.gpus("h100", 8))
    .pod("other", (pod) => pod.on("n-3").gpus(4));

test("what only kube-scheduler does is not said of pods that another scheduler places", () => {
  const pair = (head: string, worker: string) => [set("head", 1, 1, head), set("worker", 8, 2, worker)];
  const orders = told(tight(), pair("default-scheduler", "default-scheduler")).reasons;
  expect(orders).toHaveLength(1);
  expect(orders[0]).toContain("NotGuaranteed: kube-scheduler scores nodes LeastAllocated");
  expect(told(tight(), pair("volcano", "volcano")).reasons).toEqual([
    "OtherScheduler: pods are placed by scheduler volcano, not by kube-scheduler: whether it finds this room is for its own rules to say",
  ]);
  // Pods of the other scheduler may still stand in the way; by whose scores nobody knows.
  const [other, mixed] = told(tight(), pair("volcano", "default-scheduler")).reasons;
  expect(other).toContain("OtherScheduler: pods of head are placed by scheduler volcano");
  expect(mixed).toContain("NotGuaranteed: kube-scheduler looks at one pod at a time: pods of head may stand");
});

test("profiles of kube-scheduler are kube-scheduler", () => {
  const platform = { ...testPlatform, schedulerNames: ["default-scheduler", "packing"] };
  const pair = [set("head", 1, 1, "packing"), set("worker", 8, 2, "packing")];
  expect(told(tight(), pair, { platform }).reasons[0]).toContain("NotGuaranteed: kube-scheduler scores");
});

test("neither what it preempts nor its faults are known", () => {
  const full = cluster()
    .node("n", (node) => node.gpus("h100", 8))
    .pod("low", (pod) => pod.on("n").gpus(8).namespace("x"));
  expect(told(full, [set("main", 8, 1, "volcano", 50)])).toEqual({
    verdict: "busy",
    reasons: ["Preemption: what scheduler volcano preempts is for its own rules to say, and is not judged"],
  });
  const claims = (schedulerName: string): PodSetDemand =>
    podSet("main", { required: 2, pod: { schedulerName, devices: [deviceRequest("gpu", 1)] } });
  const dra = (): ClusterBuilder => cluster().nodes("d", 2, (node) => node.dra("h100", 2).untainted());
  const kubernetes = { version: { major: 1, minor: 35, patch: 2 }, featureGates: {} };
  const codes = (name: string) =>
    told(dra(), [claims(name)], { platform: { ...testPlatform, kubernetes } }).reasons.map((one) => one.split(":")[0]);
  expect(codes("default-scheduler")).toEqual(["KnownBug"]);
  expect(codes("kai-scheduler")).toEqual(["OtherScheduler"]);
});

test("where kube-scheduler gives up for certain, another may", () => {
  const builder = cluster().node("t", (node) =>
    node
      .dra("h100", 2, (device, index) =>
        index === 0
          ? { ...device, attributes: { ...(device["attributes"] as JsonObject), tier: { string: "a" } } }
          : device,
      )
      .untainted(),
  );
  const selectors = ['device.attributes["gpu.nvidia.com"].tier == "a"'];
  const tiered = (schedulerName: string): PodSetDemand =>
    podSet("main", { required: 2, pod: { schedulerName, devices: [deviceRequest("gpu", 1, { selectors })] } });
  expect(told(builder, [tiered("default-scheduler")]).verdict).toBe("never");
  const other = told(builder, [tiered("volcano")]);
  expect(other.verdict).not.toBe("fits");
  expect(other.reasons.join()).not.toContain("kube-scheduler gives up");
});
