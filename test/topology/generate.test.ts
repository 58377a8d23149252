import { describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import {
  buildTopology,
  checkGenerateOptions,
  findShape,
  type GenerateOptions,
  generateCluster,
  inventoryFrom,
  levelSummary,
  shapeNames,
} from "../../src/topology/index.ts";
import { layout, testLayout } from "../support/cluster.ts";
import { processorMs } from "../support/processor.ts";

function generated(options: GenerateOptions, over = testLayout) {
  const { value, diagnostics } = inventoryFrom(generateCluster(options));
  if (value === undefined) throw new Error("an inventory is always there");
  expect(diagnostics).toEqual([]);
  return { inventory: value, topology: buildTopology(value, over) };
}

describe("synthetic clusters", () => {
  const small: GenerateOptions = {
    shape: "p5.48xlarge",
    zones: 2,
    blocks: 2,
    racks: 2,
    nodesPerRack: 3,
    fill: 0.6,
    seed: 7,
  };

  test("the same seed gives the same objects, another one others", () => {
    const text = JSON.stringify(generateCluster(small));
    expect(JSON.stringify(generateCluster(small))).toBe(text);
    expect(JSON.stringify(generateCluster({ ...small, seed: 8 }))).not.toBe(text);
  });

  test("zones hold blocks, blocks hold racks, racks hold nodes", () => {
    const { topology } = generated(small);
    expect(topology.levels.map((level) => level.domains.length)).toEqual([2, 4, 8, 24]);
    expect(topology.levels[2]?.domains.every((domain) => domain.nodes.length === 3)).toBe(true);
    expect(topology.levels.every((level) => level.unlabelled.length === 0)).toBe(true);
  });

  test.each([
    ["nodes alone, in as many racks as they need", { nodes: 40, nodesPerRack: 16 }, [16, 16, 8]],
    ["nodes within racks that are given", { nodes: 5, racks: 2, nodesPerRack: 3 }, [3, 2]],
    ["never more nodes than the racks have room for", { nodes: 50, racks: 1, nodesPerRack: 3 }, [3]],
  ])("%s", (_name, options, sizes) => {
    const { topology } = generated({ shape: "p5.48xlarge", ...options });
    expect(topology.levels[2]?.domains.map((domain) => domain.nodes.length)).toEqual(sizes);
  });

  test.each([
    ["p5.48xlarge", 32, "pci0000:44", 0],
    ["p4d.24xlarge", 4, "pci0000:10", 0],
    ["g6e.48xlarge", 4, "pci0000:84", 0],
    ["g4dn.12xlarge", 1, "pci0000:00", undefined],
    ["g4dn.metal", 1, "pci0000:c2", 1],
    ["Standard_ND96isr_MI300X_v5", 8, undefined, 0],
  ])("network cards of %s are published instead of counted, where that is asked for", (shape, cards, root, numa) => {
    for (const mechanism of ["device-plugin", "dra"] as const) {
      const { topology, inventory } = generated({ shape, nodes: 3, fill: 1, mechanism, network: "dra" });
      const published = topology.devicePools.filter(({ driver }) => driver === "dra.net");
      expect(published.map(({ devices }) => devices.length)).toEqual([cards, cards, cards]);
      const [first] = published[0]?.devices ?? [];
      expect(first?.attributes["resource.kubernetes.io"]?.["pcieRoot"]).toBe(root);
      expect(Number(first?.attributes["resource.kubernetes.io"]?.["numaNode"] ?? -1)).toBe(numa ?? -1);
      expect(topology.resources).not.toContain("vpc.amazonaws.com/efa");
      // Whoever has all devices of a node has all its cards, and nobody else has any.
      const held = inventory.claims.filter(({ devices }) => devices.some((one) => one.startsWith("dra.net/")));
      expect(held.length).toBeGreaterThan(0);
      for (const { devices } of held) expect(devices).toHaveLength(cards);
    }
  });

  const mechanisms = ["device-plugin", "dra", "both"] as const;
  const fills = [0, 0.25, 0.7, 0.95, 1];
  test.each(mechanisms.flatMap((mechanism) => fills.map((fill) => [mechanism, fill] as const)))(
    "%s is filled to %d exactly",
    (mechanism, fill) => {
      for (const seed of [1, 2, 3]) {
        const { topology, inventory } = generated({ ...small, mechanism, fill, seed });
        const total = 24 * 8;
        const [zones] = levelSummary(topology, "nvidia.com/gpu");
        const free = zones?.domains.reduce((sum, domain) => sum + domain.freeDevices, 0);
        expect(zones?.domains.reduce((sum, domain) => sum + domain.devices, 0)).toBe(total);
        expect(free).toBe(total - Math.round(fill * total));
        for (const [at, used] of topology.ledger.used.entries())
          expect(used).toBeLessThanOrEqual(topology.allocatable[at] ?? 0);
        for (const claim of inventory.claims) expect(claim.root?.kind).toMatch(/^(Job|RayCluster|Deployment)$/);
      }
    },
  );

  test("no two claims hold one device", () => {
    const { inventory } = generated({ ...small, mechanism: "dra", fill: 1 });
    const devices = inventory.claims.flatMap((claim) => claim.devices);
    expect(devices).toHaveLength(24 * 8);
    expect(new Set(devices).size).toBe(devices.length);
  });

  test("busy pods belong to Jobs, Deployments and RayClusters of every tenant", () => {
    const { inventory } = generated({ ...small, nodesPerRack: 20, fill: 0.9, tenants: ["red", "blue"] });
    expect(new Set(inventory.pods.map((pod) => pod.root.kind))).toEqual(new Set(["Job", "Deployment", "RayCluster"]));
    expect(new Set(inventory.pods.map((pod) => pod.tenant))).toEqual(new Set(["red", "blue"]));
  });

  test.each(shapeNames())("every shape makes a cluster that reads without a fault: %s", (shape) => {
    for (const mechanism of ["device-plugin", "dra"] as const) {
      const { topology } = generated({ shape, nodes: 4, nodesPerRack: 2, fill: 0.5, mechanism });
      const known = findShape(shape);
      expect(topology.nodes).toHaveLength(4);
      const devices = known?.accelerator?.count ?? 0;
      const resource = known?.accelerator?.model.resource ?? "cpu";
      const plugin = topology.nodes[0]?.allocatable[resource] ?? 0;
      const published = topology.devicePools[0]?.devices.length ?? 0;
      if (devices > 0) expect([plugin, published]).toEqual(mechanism === "dra" ? [0, devices] : [devices, 0]);
      else expect(topology.ledger.used.some((used) => used > 0)).toBe(true);
    }
  });

  test("a p5.48xlarge publishes eight H100 on eight PCIe roots of two NUMA nodes", () => {
    const { inventory } = generated({ shape: "p5.48xlarge", nodes: 1, mechanism: "dra" });
    const devices = inventory.devicePools[0]?.devices ?? [];
    const roots = devices.map((device) => device.attributes["resource.kubernetes.io"]?.["pcieRoot"]);
    const numa = devices.map((device) => device.attributes["resource.kubernetes.io"]?.["numaNode"]);
    expect(new Set(roots).size).toBe(8);
    expect(numa).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
    expect(devices[0]?.attributes["gpu.nvidia.com"]).toMatchObject({
      productName: "NVIDIA H100 80GB HBM3",
      cudaComputeCapability: { version: "9.0.0" },
    });
    expect(devices[0]?.capacity["gpu.nvidia.com"]?.["memory"]?.nano).toBe(81152n * 2n ** 20n * 10n ** 9n);
  });

  test("a rack of GB200 is one NVLink domain, and arm64", () => {
    const { inventory, topology } = generated(
      { shape: "p6e-gb200.36xlarge", racks: 2, nodesPerRack: 18, layout: "topograph" },
      layout("nvl", {
        zone: "topology.kubernetes.io/zone",
        rack: "fabric.topograph.run/tier-0",
        nvlink: "accelerator.topograph.run/domain",
        host: "kubernetes.io/hostname",
      }),
    );
    expect(topology.levels[2]?.domains.map((domain) => domain.nodes.length)).toEqual([18, 18]);
    const cliques = new Set(inventory.nodes.map((node) => node.labels["nvidia.com/gpu.clique"]));
    expect(cliques.size).toBe(2);
    expect(inventory.nodes.every((node) => node.taints.some((taint) => taint.value === "arm64"))).toBe(true);
  });

  test.each([
    ["eks", "topology.k8s.aws/network-node-layer-3"],
    ["gke", "cloud.google.com/gce-topology-subblock"],
    ["topograph", "fabric.topograph.run/tier-0"],
  ] as const)("layout %s labels racks with %s", (name, key) => {
    const nodes = generateCluster({ shape: "p5.48xlarge", racks: 2, nodesPerRack: 1, layout: name }).filter(
      (one) => one["kind"] === "Node",
    );
    expect(nodes.map((one) => stringAt(one, ["metadata", "labels", key]))).toEqual(["rack-a1-1", "rack-a1-2"]);
  });

  /** Of the devices of a slice the first and the last: those between are alike. */
  const ends = (objects: readonly JsonObject[]): readonly JsonObject[] =>
    objects.map((one) => {
      const { devices, ...spec } = (one["spec"] ?? {}) as { readonly devices?: readonly JsonObject[] };
      return Array.isArray(devices) ? { ...one, spec: { ...spec, devices: [devices[0], devices.at(-1)] } } : one;
    });
  test.each<[string, GenerateOptions]>([
    ["aws-device-plugin", { shape: "p5.48xlarge", capacityType: "reserved", fill: 1 }],
    ["aws-dra-nvlink-racks", { shape: "p6e-gb200.36xlarge", mechanism: "dra", network: "dra", layout: "topograph" }],
    ["aws-cpu", { shape: "m7i.4xlarge", fill: 1 }],
    ["gcp-dra", { shape: "a3-highgpu-8g", mechanism: "dra", capacityType: "spot", fill: 1 }],
    ["azure-device-plugin", { shape: "Standard_ND96isr_H100_v5", capacityType: "spot" }],
    ["azure-amd-dra", { shape: "Standard_ND96isr_MI300X_v5", mechanism: "dra", nodePool: "amd", prefix: "n" }],
  ])("what the cloud and the drivers write: %s", async (name, options) => {
    const text = ends(generateCluster({ ...options, nodes: 1, tenants: ["team-a"] })).map((one) => stringify(one));
    await expect(text.join("---\n")).toMatchFileSnapshot(`../golden/generated/${name}.yaml`);
  });

  test("layout plain has no labels below the zone", () => {
    const { topology } = generated({ shape: "p5.48xlarge", nodes: 2, layout: "plain" });
    expect(topology.levels.map((level) => level.unlabelled.length)).toEqual([0, 2, 2, 0]);
  });

  test.each<[Partial<GenerateOptions>, string]>([
    [{ shape: "p9.huge" }, "There is no shape p9.huge."],
    [{ fill: 1.5 }, "fill must be a ratio from 0 to 1, not 1.5."],
    [{ fill: Number.NaN }, "fill must be a ratio from 0 to 1, not NaN."],
    [{ racks: 0 }, "racks must be a whole number above 0, not 0."],
    [{ nodesPerRack: 2.5 }, "nodesPerRack must be a whole number above 0, not 2.5."],
    [{ seed: 0.5 }, "seed must be a whole number, not 0.5."],
    [{ zones: 100, blocks: 100, racks: 100 }, "That is 16000000 nodes; at most 100000 are generated."],
  ])("%o is refused in words", (options, message) => {
    const all = { shape: "p5.48xlarge", ...options };
    expect(checkGenerateOptions(all).map((one) => one.message)).toEqual([message]);
    expect(() => generateCluster(all)).toThrow(RangeError);
  });
});

describe("size", () => {
  test("12,500 nodes and 10,000 pods load as JSON and stand as a tree within seconds", () => {
    const items = generateCluster({
      shape: "p5.48xlarge",
      zones: 5,
      blocks: 5,
      racks: 25,
      nodesPerRack: 20,
      fill: 0.7,
      seed: 7,
    });
    const text = JSON.stringify({ apiVersion: "v1", kind: "List", items });
    const start = processorMs();
    const { value } = inventoryFrom((JSON.parse(text) as { items: never[] }).items);
    expect(value?.nodes.length).toBe(12_500);
    expect(value?.pods.length).toBeGreaterThan(9_000);
    if (value === undefined) return;
    const read = processorMs();
    expect(buildTopology(value, testLayout).levels[2]?.domains.length).toBe(625);
    // Wide bounds: they catch a quadratic step, not a slow machine.
    expect(read - start).toBeLessThan(15_000);
    expect(processorMs() - read).toBeLessThan(4_000);
  });
});
