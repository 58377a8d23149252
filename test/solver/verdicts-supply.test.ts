import { describe, expect, test } from "vitest";
import type { CapacityPool, Demand, Hold, JsonObject } from "../../src/model/index.ts";
import { ask, gang, messages, racks } from "../support/asking.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { demandOf, deviceRequest, gpuStep, podSet, pool, step, testPlatform } from "../support/demand.ts";

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

  test("of pools that start too late those are told that would be taken", () => {
    const demand = gang(5, { ...rungs(60_000), steps: [gpuStep(8, { source: "new" })] });
    const slow = (...names: readonly string[]) =>
      messages(
        ask(racks(1), demand, {
          pools: [
            ...names.map((name, index) => pool(name, { pricePerHour: index + 1, startupMs: 300_000 })),
            pool("other", { accelerator: "a100" }),
            pool("soon", { startupMs: 30_000, maxNodes: 1 }),
          ],
        }),
        "TooSlow",
      );
    const of = (name: string) => `pool ${name} takes about 5m to start a node, and the class waits at most 1m`;
    expect(slow("p5", "p6")).toEqual([of("p5")]);
    expect(slow("p6", "p5")).toEqual([of("p6")]);
  });

  test("a pool of which it is not declared what its devices publish may have any, unless it has none", () => {
    const claims = (extra = {}) =>
      demandOf(
        podSet("main", {
          pod: { devices: [deviceRequest("gpu", 2, extra)] },
          steps: [step({ accelerator: "h100", source: "new" }, { tolerations: [{ operator: "Exists" }] })],
        }),
      );
    const dra = (acceleratorsPerNode: number, device?: CapacityPool["node"]["device"]) => ({
      pools: [
        pool("p5", { acceleratorsPerNode, node: { mechanism: "dra", ...(device === undefined ? {} : { device }) } }),
      ],
    });
    expect(ask(racks(1), claims(), dra(8)).verdict).toBe("unknown");
    expect(ask(racks(1), claims(), dra(0)).verdict).toBe("never");
    // Two that must differ in what is not declared may do so.
    const distinct = { distinctAttributes: [{ attribute: "gpu.nvidia.com/serial", requests: [] }] };
    const device = { driver: "gpu.nvidia.com", attributes: {}, capacity: {} };
    expect(ask(racks(1), claims(distinct), dra(8, device)).verdict).toBe("unknown");
    expect(ask(racks(1), claims(distinct), dra(1, device)).verdict).toBe("never");
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
    expect((answer.chosen?.reasons ?? []).filter(({ code }) => code === "NoPool")).toEqual([
      {
        code: "NoPool",
        message: "no pool offers h100 spot nodes",
        data: { accelerator: "h100", capacityType: "spot" },
      },
    ]);
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

  test("of nodes that are there those stay under a quota that share a block with what it lets come", () => {
    const quota = {
      apiVersion: "autoscaling.x-k8s.io/v1beta1",
      kind: "CapacityQuota",
      metadata: { name: "q" },
      spec: { selector: {}, limits: { resources: { cpu: 128 } } },
    };
    const builder = cluster().object(quota);
    for (const zone of ["a", "b"])
      builder
        .node(`old-${zone}`, (node) => node.gpus("h100", 8).cpu(64).zone(zone).block(`b-${zone}`))
        .pod(`on-${zone}`, (pod) => pod.namespace("team-x").on(`old-${zone}`).gpus(8));
    const sized = (zone: string, cpu: number) =>
      pool(`p-${zone}`, {
        zones: [zone],
        maxNodes: 1,
        node: {
          allocatable: { cpu, memory: 2 ** 40, pods: 110, "nvidia.com/gpu": 8 },
          labels: { "topology.k8s.aws/network-node-layer-2": `b-${zone}` },
        },
      });
    const answer = ask(
      builder,
      gang(2, { ...rungs(), steps: [gpuStep(8, { source: "new" })], placement: { level: "block" } }),
      {
        pools: [sized("a", 128_000), sized("b", 64_000)],
        platform: { ...testPlatform, autoscaler: { ...testPlatform.autoscaler, kind: "cluster-autoscaler" } },
      },
    );
    expect(answer.verdict).toBe("busy");
  });

  test("a zone in which there is no node yet need not get one to spread evenly", () => {
    const spread = { placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, mode: "required" } } } as const;
    const pools = [pool("p5", { zones: ["a", "b"], maxNodes: 2 })];
    const answer = ask(racks(1), gang(4, { ...rungs(), ...spread }), { pools });
    expect(answer.chosen?.assignment?.newNodes).toEqual([{ pool: "p5", zone: "a", count: 1 }]);
  });

  test("as many new nodes as it takes where claims serve an extended resource that they do not count", () => {
    const builder = cluster()
      .node("n")
      .deviceClass("gpu.nvidia.com", ['device.driver == "gpu.nvidia.com"'], "nvidia.com/gpu");
    const dra = pool("p5", {
      node: {
        allocatable: { cpu: 64_000, memory: 512 * 2 ** 30, pods: 110 },
        mechanism: "dra",
        device: { driver: "gpu.nvidia.com", attributes: {}, capacity: { memory: "80Gi" } },
      },
    });
    const answer = ask(builder, gang(3, { ...rungs(), steps: [gpuStep(8, { source: "new" })] }), { pools: [dra] });
    expect(answer.chosen?.assignment?.newNodes).toEqual([{ pool: "p5", zone: "a", count: 3 }]);
  });

  test("of limits by zone the one that lets the pool add most is told first", () => {
    const quota = (name: string, zone: string, nodes: number) => ({
      apiVersion: "autoscaling.x-k8s.io/v1beta1",
      kind: "CapacityQuota",
      metadata: { name },
      spec: { selector: { matchLabels: { "topology.kubernetes.io/zone": zone } }, limits: { resources: { nodes } } },
    });
    const told = (inA: number, inB: number) =>
      messages(
        ask(
          cluster()
            .node("n")
            .object(quota("qa", "a", inA), quota("qb", "b", inB)),
          gang(6, { ...rungs(), steps: [gpuStep(8, { source: "new" })] }),
          {
            pools: [pool("p5", { zones: ["a", "b"], maxNodes: 9 })],
            platform: { ...testPlatform, autoscaler: { ...testPlatform.autoscaler, kind: "cluster-autoscaler" } },
          },
        ),
        "PoolExhausted",
      );
    const limit = (name: string, most: number) =>
      `CapacityQuota ${name} allows only ${most === 1 ? "1 more node" : `${most} more nodes`} of pool p5: it has 0 of at most ${most} nodes`;
    expect(told(1, 2)).toEqual([limit("qb", 2), limit("qa", 1)]);
    expect(told(2, 1)).toEqual([limit("qa", 2), limit("qb", 1)]);
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

  /** One of so many slices of the node's pool, with one device. */
  const sliceOf = (node: string, resourceSliceCount = 1): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `slice-${node}` },
    spec: {
      driver: "gpu.nvidia.com",
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount },
      devices: [{ name: "gpu-0" }],
    },
  });

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
    // Whoever has devices of a node that is not there holds nothing that could be had.
    builder.object(sliceOf("gone")).claim("held-3", ["gpu.nvidia.com/gone/gpu-0"], undefined, "team-y");
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
    const builder = cluster().nodes("n", 2).object(sliceOf("n-1", 2), sliceOf("n-2", 2));
    const answer = ask(builder, claim(1));
    expect(answer.verdict).toBe("unknown");
    const told = messages(answer, "DataMissing").join();
    for (const name of ["n-1", "n-2"]) expect(told).toContain(`device pool gpu.nvidia.com/${name} is incomplete`);
  });

  test("a cluster given without slices is unknown, and the set that asks for devices is named", () => {
    const told = (demand: Demand) => messages(ask(cluster().node("n"), demand), "DataMissing")[0];
    expect(told(claim(1))).toContain("without its ResourceSlices, which list the devices that the workload asks for");
    const worker = podSet("worker", { pod: { devices: [deviceRequest("gpu", 1)] } });
    expect(told(demandOf(podSet("head"), worker))).toContain("which list the devices that worker asks for");
  });
});
