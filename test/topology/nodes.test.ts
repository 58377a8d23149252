import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { inventory, node, pod } from "../support/reading.ts";

describe("nodes", () => {
  test("everything that the scheduler looks at is read, in its units", () => {
    const [read] = inventory(
      node({
        metadata: { name: "a", labels: { zone: "z1" } },
        spec: { unschedulable: true, taints: [{ key: "nvidia.com/gpu", effect: "NoSchedule" }] },
        status: {
          capacity: { cpu: "4", memory: "8Gi", "nvidia.com/gpu": "8" },
          allocatable: { cpu: "3920m", memory: "7Gi", "nvidia.com/gpu": 8 },
          conditions: [{ type: "Ready", status: "Unknown" }],
        },
      }),
    ).nodes;
    expect(read).toMatchObject({
      name: "a",
      cordoned: true,
      ready: false,
      taints: [{ key: "nvidia.com/gpu", value: "", effect: "NoSchedule" }],
    });
    expect({ ...read?.labels }).toEqual({ zone: "z1" });
    expect({ ...read?.allocatable }).toEqual({ cpu: 3920, memory: 7 * 2 ** 30, "nvidia.com/gpu": 8 });
    expect(read?.capacity["cpu"]).toBe(4000);
  });

  test.each([
    ["no status at all: ready, and offers nothing", {}, { ready: true, allocatable: {} }],
    [
      "allocatable stands in for capacity",
      { status: { allocatable: { cpu: "1" } } },
      { ready: true, allocatable: { cpu: 1000 } },
    ],
    [
      "capacity stands in for allocatable",
      { status: { capacity: { cpu: "1" } } },
      { ready: true, allocatable: { cpu: 1000 } },
    ],
    [
      "other conditions do not matter",
      { status: { conditions: [{ type: "DiskPressure", status: "True" }] } },
      { ready: true, allocatable: {} },
    ],
  ])("%s", (_name, extra, expected) => {
    const [read] = inventory(node(extra)).nodes;
    expect(read?.ready).toBe(expected.ready);
    expect({ ...read?.allocatable }).toEqual(expected.allocatable);
    expect({ ...read?.capacity }).toEqual(expected.allocatable);
  });

  test.each([
    [
      "an amount that is no quantity",
      { status: { allocatable: { cpu: "lots" } } },
      'status.allocatable.cpu must be a resource quantity, not "lots"',
    ],
    [
      "an amount below nothing",
      { status: { allocatable: { cpu: "-1" } } },
      'status.allocatable.cpu must not be negative, but is "-1"',
    ],
    [
      "a label that is no string",
      { metadata: { name: "a", labels: { rack: 12 } } },
      "metadata.labels.rack must be a string, not 12",
    ],
    [
      "labels that are a list",
      { metadata: { name: "a", labels: [] } },
      "metadata.labels must be a mapping, not a list of 0",
    ],
    [
      "an unknown effect",
      { spec: { taints: [{ key: "k", effect: "Never" }] } },
      'spec.taints[0].effect must be one of NoSchedule, PreferNoSchedule, NoExecute, not "Never"',
    ],
    ["taints that are text", { spec: { taints: "none" } }, 'spec.taints must be a list, not "none"'],
  ])("%s: the node is left out, and nothing else", (_name, extra, message) => {
    const { nodes, diagnostics } = inventory(node(extra), node({ metadata: { name: "b" } }));
    expect(nodes.map((one) => one.name)).toEqual(["b"]);
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: "ClusterObject",
      severity: "warning",
      message: `Node a ([0]): ${message}; it is left out.`,
    });
  });

  const slice = (spec: JsonObject) => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: "x" },
    spec: { driver: "d", nodeName: "b", pool: { name: "b", generation: 1, resourceSliceCount: 1 }, ...spec },
  });
  const device = (extra: JsonObject) => slice({ devices: [{ name: "gpu-0", ...extra }] });
  const quota = (hard: JsonObject | string) => ({
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "x", namespace: "default" },
    spec: { hard },
  });
  const budget = (extra: JsonObject) => ({
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "x", namespace: "default" },
    ...extra,
  });
  const claim = (spec: JsonObject, status: JsonObject = {}) => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    metadata: { name: "x", namespace: "default" },
    spec,
    status,
  });
  const queue = (spec: JsonObject) => ({
    apiVersion: "kueue.x-k8s.io/v1beta2",
    kind: "ClusterQueue",
    metadata: { name: "x" },
    spec,
  });
  const flavor = (resources: JsonObject[]) => queue({ resourceGroups: [{ flavors: [{ name: "f", resources }] }] });

  test.each<readonly [string, JsonObject, string]>([
    ["devices that are text", slice({ devices: "many" }), 'spec.devices must be a list, not "many"'],
    ["counters that are text", slice({ sharedCounters: "x" }), 'spec.sharedCounters must be a list, not "x"'],
    ["taints of a device", device({ taints: "x" }), 'spec.devices[0].taints must be a list, not "x"'],
    [
      "attributes of a device",
      device({ attributes: [] }),
      "spec.devices[0].attributes must be a mapping, not a list of 0",
    ],
    ["what a device draws", device({ consumesCounters: 1 }), "spec.devices[0].consumesCounters must be a list, not 1"],
    ["a quota that is text", quota("x"), 'spec.hard must be a mapping, not "x"'],
    ["a quota below nothing", quota({ pods: "-1" }), 'spec.hard.pods must not be negative, but is "-1"'],
    [
      "a budget below nothing",
      budget({ status: { disruptionsAllowed: -1 } }),
      "status.disruptionsAllowed must not be negative, but is -1",
    ],
    ["groups that are text", queue({ resourceGroups: "x" }), 'spec.resourceGroups must be a list, not "x"'],
    [
      "a nominal quota below nothing",
      flavor([{ name: "cpu", nominalQuota: -5 }]),
      "spec.resourceGroups[0].flavors[0].resources[0].nominalQuota must not be negative, but is -5",
    ],
    ["devices of a claim that are text", claim({ devices: "x" }), 'spec.devices must be a mapping, not "x"'],
    [
      "a device of a claim without a driver",
      claim({}, { allocation: { devices: { results: [{ request: "r", pool: "p", device: "d" }] } } }),
      "status.allocation.devices.results.driver is missing",
    ],
    [
      "containers that are text",
      pod({ metadata: { name: "x" }, spec: { containers: "x" } }),
      'spec.containers must be a list, not "x"',
    ],
  ])("%s: the object is left out, and nothing else", (_name, object, message) => {
    const { nodes, diagnostics } = inventory(object, node({ metadata: { name: "b" } }));
    expect(nodes.map((one) => one.name)).toEqual(["b"]);
    expect(diagnostics.filter(({ code }) => code === "ClusterObject").map((one) => one.message)).toEqual([
      `${object["kind"]} x ([0]): ${message}; it is left out.`,
    ]);
  });

  test("a List whose items are no list is told", () => {
    const { diagnostics } = inventory({ apiVersion: "v1", kind: "List", items: "x" });
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "List ([0]) has items that are no list; it is left out.",
    ]);
  });

  test("the last of two nodes with one name counts, and it is said", () => {
    const { nodes, diagnostics } = inventory(node({ spec: {} }), node({ spec: { unschedulable: true } }));
    expect(nodes.map((one) => one.cordoned)).toEqual([true]);
    expect(diagnostics.map((one) => [one.code, one.severity])).toEqual([["ClusterDuplicate", "info"]]);
  });

  test("a Node of another API group is no node", () => {
    expect(inventory({ apiVersion: "example.com/v1", kind: "Node", metadata: { name: "a" } }).nodes).toEqual([]);
  });
});

describe("pods", () => {
  const spec = {
    nodeName: "a",
    containers: [{ name: "c", resources: { requests: { cpu: "2", "nvidia.com/gpu": "1" } } }],
    overhead: { cpu: "250m" },
  };

  test("requests come from the spec with its overhead, and take one pod slot", () => {
    const [read] = inventory(pod({ spec })).pods;
    expect({ ...read?.requests }).toEqual({ cpu: 2250, "nvidia.com/gpu": 1, pods: 1 });
    expect(read).toMatchObject({ node: "a", nominated: false, terminating: false, priority: 0, tenant: "team-a" });
  });

  test.each([
    ["bound", { spec }, "a", false],
    ["nominated", { spec: { ...spec, nodeName: "" }, status: { nominatedNodeName: "b" } }, "b", true],
    ["bound, whatever was nominated before", { spec, status: { nominatedNodeName: "b" } }, "a", false],
    ["pending", { spec: { containers: [] } }, undefined, false],
  ])("%s", (_name, extra, on, nominated) => {
    const [read] = inventory(pod(extra)).pods;
    expect([read?.node, read?.nominated]).toEqual([on, nominated]);
  });

  test.each(["Succeeded", "Failed"])("a pod that is %s holds nothing", (phase) => {
    const read = inventory(pod({ spec, status: { phase } }));
    expect(read.pods).toEqual([]);
    expect(read.known.has("Pod")).toBe(true);
  });

  test("a pod on its way out still holds what it has", () => {
    const [read] = inventory(pod({ spec }, { deletionTimestamp: "2026-01-01T00:00:00Z" })).pods;
    expect(read?.terminating).toBe(true);
  });

  test("priority is the resolved number, else that of its class, else that of the default class", () => {
    const classes: JsonObject[] = [
      { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "high" }, value: 1000 },
      {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "usual" },
        value: 7,
        globalDefault: true,
      },
      {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "also" },
        value: 9,
        globalDefault: true,
      },
    ];
    const priority = (extra: JsonObject) =>
      inventory(...classes, pod({ spec: { ...spec, ...extra } })).pods[0]?.priority;
    expect(priority({ priority: 5, priorityClassName: "high" })).toBe(5);
    expect(priority({ priorityClassName: "high" })).toBe(1000);
    expect(priority({})).toBe(7);
  });

  test("the tenant is the namespace's label, else the namespace", () => {
    const namespace: JsonObject = {
      apiVersion: "v1",
      kind: "Namespace",
      metadata: { name: "team-a", labels: { "plimsoll.dev/tenant": "alpha" } },
    };
    expect(inventory(pod({ spec }), namespace).pods[0]?.tenant).toBe("alpha");
    expect(inventory(pod({ spec })).pods[0]?.tenant).toBe("team-a");
  });

  test("a pod without spec is left out", () => {
    const { pods, diagnostics } = inventory(pod({ spec: "none" }));
    expect(pods).toEqual([]);
    expect(diagnostics[0]?.message).toBe('Pod p ([0]): spec must be a mapping, not "none"; it is left out.');
  });
});
