import { expect, test } from "vitest";
import type { CapacityPool, DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet, pool, step } from "../support/demand.ts";

const FABRIC = "fabric.example.com";

/** Nodes of four cores that all reach one network device. */
const fabric = (taken: boolean): ClusterBuilder => {
  const builder = cluster().nodes("n", 2, (node) => node.cpu(4));
  if (taken) builder.pod("a", (pod) => pod.on("n-1").cpu(4)).pod("b", (pod) => pod.on("n-2").cpu(4));
  const slice: JsonObject = {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: "fabric" },
    spec: {
      driver: FABRIC,
      pool: { name: "rack-1", generation: 1, resourceSliceCount: 1 },
      perDeviceNodeSelection: true,
      devices: [{ name: "nic-0", allNodes: true }],
    },
  };
  return builder.object(slice);
};
const onFabric = (taken: boolean, extra: Partial<DeviceRequest>) => {
  const nic = deviceRequest("nic", 1, {
    selectors: [`device.driver == "${FABRIC}"`],
    sharedClaim: "default/one",
    ...extra,
  });
  const main = podSet("main", { required: 2, requests: { cpu: 4000 }, pod: { devices: [nic] } });
  const answer = solve(fabric(taken).topology(), demandOf(main), contextOf({ skipSuggestions: true }));
  return {
    verdict: answer.verdict,
    messages: answer.ladder.flatMap(({ reasons }) => reasons.map((one) => one.message)),
  };
};

test("what is not judged of a claim that pods share is not called impossible for that nodes are full", () => {
  expect(onFabric(true, {}).verdict).toBe("busy");
  const unjudged =
    "devices of pool fabric.example.com/rack-1 are reached from several nodes, and which of them may share a claim is not judged yet";
  for (const taken of [false, true]) {
    const { verdict, messages } = onFabric(taken, { count: "all" });
    expect(verdict).toBe("unknown");
    expect(messages[0]).toBe(unjudged);
  }
});

test("nodes away from which the pods are kept for their claim are not counted as nodes that lack devices", () => {
  expect(onFabric(false, { count: "all" }).messages.slice(1)).toEqual([
    "the cluster has room for 1 of the 2 pods, then cpu runs out",
  ]);
});

const some = (name: string, cpu: number, startupMs: number, device?: CapacityPool["node"]["device"]): CapacityPool =>
  pool(name, {
    startupMs,
    node: {
      taints: [],
      mechanism: "dra",
      allocatable: { cpu, memory: 2 ** 40, pods: 110 },
      ...(device === undefined ? {} : { device }),
    },
  });
const onNew = (...pools: readonly CapacityPool[]) => {
  const gpu = deviceRequest("gpu", 1, { sharedClaim: "default/one" });
  const main = podSet("main", {
    required: 2,
    requests: { cpu: 3000 },
    steps: [step({ accelerator: "h100", source: "new" })],
    pod: { devices: [gpu] },
  });
  const topology = cluster()
    .node("n-1", (node) => node.cpu(1))
    .topology();
  const answer = solve(topology, demandOf(main), contextOf({ skipSuggestions: true, pools }));
  return {
    verdict: answer.verdict,
    messages: answer.ladder.flatMap(({ reasons }) => reasons.map((one) => one.message)),
  };
};
const DECLARED = { driver: "gpu.nvidia.com", attributes: {}, capacity: {} };
const SLOW = 100 * 3_600_000;

test("what another pool leaves open counts for pods that share a claim, though theirs is looked at on one row alone", () => {
  const silent = "pool b does not declare what its devices publish, which the selectors of request gpu read";
  for (const pools of [[some("a", 4000, 0, DECLARED), some("b", 8000, SLOW)], [some("b", 8000, SLOW)]]) {
    const { verdict, messages } = onNew(...pools);
    expect(verdict).toBe("unknown");
    expect(messages[0]).toBe(silent);
    // Of a pool that declares no devices it is not told that its nodes have none.
    expect(messages.filter((one) => one.includes("it has no device"))).toEqual([]);
  }
});

test("a pool of which a node takes one of the pods is not told as one that takes none", () => {
  const { verdict, messages } = onNew(some("a", 4000, 0, DECLARED), some("c", 4000, 0, DECLARED));
  expect(verdict).toBe("never");
  expect(messages.filter((one) => one.includes("takes no pod"))).toEqual([]);
});
