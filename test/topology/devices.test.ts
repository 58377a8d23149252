import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { buildTopology, freeDevices, inventoryFrom } from "../../src/topology/index.ts";
import { cluster, testLayout } from "../support/cluster.ts";

const gpu = (name: string, extra: JsonObject = {}): JsonObject => ({
  name,
  attributes: { type: { string: "gpu" } },
  capacity: { memory: { value: "81152Mi" } },
  ...extra,
});
const slice = (name: string, spec: JsonObject, apiVersion = "resource.k8s.io/v1"): JsonObject => ({
  apiVersion,
  kind: "ResourceSlice",
  metadata: { name },
  spec: {
    driver: "gpu.nvidia.com",
    nodeName: "a",
    pool: { name: "a", generation: 1, resourceSliceCount: 1 },
    devices: [gpu("gpu-0")],
    ...spec,
  },
});
function pools(...objects: readonly JsonObject[]) {
  const { value, diagnostics } = inventoryFrom(objects);
  return { pools: value?.devicePools ?? [], faults: diagnostics.map((one) => one.message) };
}

describe("devices of a slice", () => {
  test("names stand under their domain, unqualified ones under the driver's", () => {
    const attributes = {
      type: { string: "gpu" },
      index: { int: 3 },
      ecc: { bool: true },
      driverVersion: { version: "580.95.5" },
      "resource.kubernetes.io/pcieRoot": { string: "pci0000:44" },
      "gpu.nvidia.com/brand": { string: "Nvidia" },
      "dra.net/lanes": { ints: [1, 2] },
    };
    const capacity = { memory: { value: "80Gi" }, "example.com/shares": "4" };
    const { pools: found, faults } = pools(slice("s", { devices: [{ name: "gpu-0", attributes, capacity }] }));
    expect(faults).toEqual([]);
    const device = found[0]?.devices[0];
    expect(JSON.parse(JSON.stringify(device?.attributes))).toEqual({
      "gpu.nvidia.com": { type: "gpu", index: 3, ecc: true, driverVersion: { version: "580.95.5" }, brand: "Nvidia" },
      "resource.kubernetes.io": { pcieRoot: "pci0000:44" },
      "dra.net": { lanes: [1, 2] },
    });
    expect(device?.capacity["gpu.nvidia.com"]?.["memory"]?.nano).toBe(80n * 2n ** 30n * 1_000_000_000n);
    expect(device?.capacity["example.com"]?.["shares"]?.nano).toBe(4_000_000_000n);
  });

  test("a slice of v1beta1 carries its devices under basic", () => {
    const { name, ...basic } = gpu("gpu-0", {
      taints: [
        { key: "sick", effect: "NoExecute" },
        { key: "note", effect: "None" },
        { key: "dim", effect: "PreferNoSchedule" },
        { key: "later", effect: "AddedLater" },
      ],
    });
    const { pools: found, faults } = pools(slice("s", { devices: [{ name, basic }] }, "resource.k8s.io/v1beta1"));
    expect(faults).toEqual([]);
    expect(found[0]?.devices[0]).toMatchObject({ name: "gpu-0", taints: [{ key: "sick", effect: "NoExecute" }] });
    expect(found[0]?.devices[0]?.taints).toHaveLength(1);
  });

  test("what an attribute lists as null is not there", () => {
    const { pools: found, faults } = pools(
      slice("s", { devices: [gpu("gpu-0", { attributes: { type: { string: "a", int: null } } })] }),
    );
    expect(faults).toEqual([]);
    expect(found[0]?.devices[0]?.attributes["gpu.nvidia.com"]?.["type"]).toBe("a");
  });

  const selector = { nodeSelectorTerms: [{ matchExpressions: [{ key: "rack", operator: "In", values: ["r1"] }] }] };
  test.each([
    ["by node name", { nodeName: "a" }, { node: "a" }],
    ["all nodes", { nodeName: undefined, allNodes: true }, { all: true }],
    [
      "per device",
      { nodeName: undefined, perDeviceNodeSelection: true, devices: [gpu("gpu-0", { nodeName: "b" })] },
      { node: "b" },
    ],
  ])("reach %s", (_name, spec, reach) => {
    const { pools: found, faults } = pools(slice("s", spec as JsonObject));
    expect(faults).toEqual([]);
    expect(found[0]?.devices[0]?.reach).toEqual(reach);
  });

  test("reach by node selector", () => {
    const { pools: found } = pools(slice("s", { nodeName: null, nodeSelector: selector }));
    const reach = found[0]?.devices[0]?.reach;
    expect(reach !== undefined && "selection" in reach ? [...reach.selection.keys()] : undefined).toEqual(["rack"]);
  });

  test.each([
    ["two ways to say which nodes", { allNodes: true }, "in exactly one way"],
    ["none", { nodeName: null }, "in exactly one way"],
    [
      "a selector of another field than the node's name",
      {
        nodeName: null,
        nodeSelector: {
          nodeSelectorTerms: [{ matchFields: [{ key: "metadata.uid", operator: "In", values: ["u"] }] }],
        },
      },
      "has an expression that the API server refuses",
    ],
    [
      "a selector of two terms",
      {
        nodeName: null,
        nodeSelector: { nodeSelectorTerms: [...selector.nodeSelectorTerms, ...selector.nodeSelectorTerms] },
      },
      "exactly one term",
    ],
    [
      "a selector with an operator that is none",
      { nodeName: null, nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Like" }] }] } },
      "API server refuses",
    ],
    [
      "an attribute of two types",
      { devices: [gpu("g", { attributes: { type: { string: "a", int: 1 } } })] },
      "spec.devices[0].attributes.type must hold one of",
    ],
    [
      "a capacity that is no quantity",
      { devices: [gpu("g", { capacity: { memory: { value: "much" } } })] },
      "must hold a quantity",
    ],
    [
      "a pool of no slices",
      { pool: { name: "a", generation: 1, resourceSliceCount: 0 } },
      "spec.pool.resourceSliceCount must be a number above 0, not 0",
    ],
    ["a device without name", { devices: [{}] }, "spec.devices[0].name is missing"],
    ["a slice count of none", { pool: { name: "a", generation: 1 } }, "resourceSliceCount must be a number above 0"],
  ])("%s: the slice is left out", (_name, spec, message) => {
    const { pools: found, faults } = pools(slice("s", spec as JsonObject));
    expect(found).toEqual([]);
    expect(faults[0]).toContain(message);
  });
});

describe("pools", () => {
  const pool = (generation: number, resourceSliceCount: number) => ({
    pool: { name: "a", generation, resourceSliceCount },
  });

  test("only the highest generation counts, and devices follow the names of their slices", () => {
    const { pools: found } = pools(
      slice("s2", { ...pool(2, 2), devices: [gpu("gpu-1")] }),
      slice("s1", { ...pool(2, 2), devices: [gpu("gpu-0")] }),
      slice("old", { ...pool(1, 1), devices: [gpu("gone")] }),
    );
    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({
      driver: "gpu.nvidia.com",
      name: "a",
      generation: 2,
      complete: true,
      invalid: undefined,
    });
    expect(found[0]?.devices.map((one) => one.name)).toEqual(["gpu-0", "gpu-1"]);
  });

  test("a pool with a slice missing is incomplete", () => {
    expect(pools(slice("s1", pool(3, 2))).pools[0]?.complete).toBe(false);
  });

  test("pools sort by driver, then name", () => {
    const { pools: found } = pools(
      slice("1", { pool: { name: "b", generation: 1, resourceSliceCount: 1 } }),
      slice("2", {}),
      slice("3", { driver: "dra.net" }),
    );
    expect(found.map((one) => `${one.driver}/${one.name}`)).toEqual([
      "dra.net/a",
      "gpu.nvidia.com/a",
      "gpu.nvidia.com/b",
    ]);
  });

  test.each([
    ["a device published twice", [slice("1", pool(1, 2)), slice("2", pool(1, 2))], "device gpu-0 is published twice"],
    [
      "a counter set that nothing publishes",
      [
        slice("1", {
          devices: [gpu("g", { consumesCounters: [{ counterSet: "c", counters: { m: { value: "1" } } }] })],
        }),
      ],
      "device g uses counter set c, which nothing publishes",
    ],
    [
      "a counter that its set lacks",
      [
        slice("1", {
          ...pool(1, 2),
          devices: [gpu("g", { consumesCounters: [{ counterSet: "c", counters: { m: { value: "1" } } }] })],
        }),
        slice("2", {
          ...pool(1, 2),
          devices: [],
          sharedCounters: [{ name: "c", counters: { other: { value: "1" } } }],
        }),
      ],
      "device g uses counter m, which set c lacks",
    ],
  ])("%s makes the pool invalid", (_name, slices, reason) => {
    expect(pools(...slices).pools[0]?.invalid).toBe(reason);
  });
});

describe("allocated claims", () => {
  const results = (...names: readonly string[]) =>
    names.map((device) => ({ request: "gpu", driver: "gpu.nvidia.com", pool: "a", device }));
  const claim = (status: JsonObject, metadata: JsonObject = {}): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    metadata: { name: "c", namespace: "n", ...metadata },
    spec: { devices: {} },
    status,
  });
  const pod: JsonObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name: "p",
      namespace: "n",
      ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "j", controller: true }],
    },
    spec: { nodeName: "a", containers: [] },
  };
  const read = (...objects: readonly JsonObject[]) => inventoryFrom(objects).value?.claims ?? [];

  test("the workload is that of the pod which uses it", () => {
    const [found] = read(
      pod,
      claim({
        allocation: { devices: { results: results("gpu-0", "gpu-1") } },
        reservedFor: [{ resource: "pods", name: "p", uid: "u" }],
      }),
    );
    expect(found).toMatchObject({
      devices: ["gpu.nvidia.com/a/gpu-0", "gpu.nvidia.com/a/gpu-1"],
      tenant: "n",
      adminAccess: false,
    });
    expect(found?.root).toMatchObject({ kind: "Job", name: "j" });
  });

  test.each([
    [
      "the pod it was made for, where nothing uses it yet",
      { ownerReferences: [{ apiVersion: "v1", kind: "Pod", name: "p", controller: true }] },
      { kind: "Job", name: "j" },
    ],
    [
      "another owner",
      { ownerReferences: [{ apiVersion: "example.com/v1", kind: "Domain", name: "d", controller: true }] },
      { kind: "Domain", name: "d" },
    ],
    [
      "another owner, where a group of pods uses it that is named as a pod is",
      { ownerReferences: [{ apiVersion: "example.com/v1", kind: "Domain", name: "d", controller: true }] },
      { kind: "Domain", name: "d" },
      [{ apiGroup: "scheduling.k8s.io", resource: "podgroups", name: "p", uid: "g" }],
    ],
  ])("else it is %s", (_name, metadata, expected, reservedFor: readonly JsonObject[] = []) => {
    const [found] = read(
      pod,
      claim({ allocation: { devices: { results: results("gpu-0") } }, reservedFor }, metadata as JsonObject),
    );
    expect(found?.root).toMatchObject(expected);
  });

  test("a claim without allocation holds nothing", () => {
    expect(read(claim({}))).toEqual([]);
  });

  test("adminAccess takes no device away", () => {
    const admin = results("gpu-0").map((one) => ({ ...one, adminAccess: true }));
    expect(read(claim({ allocation: { devices: { results: admin } } }))[0]).toMatchObject({ adminAccess: true });
    expect(read(claim({ allocation: { devices: { results: [...admin, ...results("gpu-1")] } } }))[0]).toMatchObject({
      adminAccess: false,
      devices: ["gpu.nvidia.com/a/gpu-1"],
    });
    const topology = buildTopology(
      inventoryFrom([claim({ allocation: { devices: { results: admin } } })]).value ?? cluster().inventory(),
      testLayout,
    );
    expect(topology.ledger.devices.size).toBe(0);
  });
});

describe("devices that are free", () => {
  const use = (memory: string) => ({
    consumesCounters: [{ counterSet: "card", counters: { memory: { value: memory } } }],
  });
  const card = [
    slice("counters", {
      pool: { name: "a", generation: 1, resourceSliceCount: 2 },
      devices: [],
      sharedCounters: [{ name: "card", counters: { memory: { value: "80Gi" } } }],
    }),
    slice("devices", {
      pool: { name: "a", generation: 1, resourceSliceCount: 2 },
      devices: [
        gpu("whole", use("80Gi")),
        gpu("half-0", use("40Gi")),
        gpu("half-1", use("40Gi")),
        gpu("extra", use("10Gi")),
      ],
    }),
  ];
  const free = (...taken: readonly string[]) => {
    const built = cluster().object(...card);
    if (taken.length > 0)
      built.claim(
        "c",
        taken.map((name) => `gpu.nvidia.com/a/${name}`),
      );
    const topology = built.topology();
    return topology.devicePools.flatMap((pool) => freeDevices(pool, topology.ledger)).map((one) => one.name);
  };

  test.each([
    ["nothing taken", [], ["whole", "half-0", "half-1", "extra"]],
    ["the whole card taken leaves no partition", ["whole"], []],
    ["one half taken leaves the other, and not the whole", ["half-0"], ["half-1", "extra"]],
    ["both halves taken leave nothing for a third", ["half-0", "half-1"], []],
  ])("%s", (_name, taken, expected) => {
    expect(free(...taken)).toEqual(expected);
  });

  test("a tainted device is not free, where the taint does more than to inform", () => {
    const taints = (effect: string): JsonObject => ({ taints: [{ key: "broken", effect }] });
    const built = cluster()
      .node("a")
      .object(
        slice("s", {
          nodeName: "a",
          driver: "gpu.nvidia.com",
          pool: { name: "a", generation: 1, resourceSliceCount: 1 },
          devices: [
            gpu("sound"),
            gpu("off", taints("NoSchedule")),
            gpu("out", taints("NoExecute")),
            gpu("told", taints("None")),
          ],
        }),
      );
    const topology = built.topology();
    const names = topology.devicePools.flatMap((pool) => freeDevices(pool, topology.ledger)).map((one) => one.name);
    expect(names).toEqual(["sound", "told"]);
  });
});
