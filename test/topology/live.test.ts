import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { type Change, createLive, type Live, type PodFacts } from "../../src/topology/index.ts";
import { createDeviceLedger } from "../../src/topology/live-devices.ts";
import { testLayout } from "../support/cluster.ts";

const gpus = (count: number): JsonObject => ({ cpu: "8", memory: "16Gi", pods: "10", "nvidia.com/gpu": String(count) });
const node = (name: string, count = 8, labels: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels },
  status: { allocatable: gpus(count) },
});
const pod = (name: string, on: string | undefined, more: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name, namespace: "n", uid: `uid-${name}`, ...more },
  spec: {
    ...(on === undefined ? {} : { nodeName: on }),
    containers: [{ name: "main", resources: { requests: { "nvidia.com/gpu": "2" } } }],
  },
});
const owned = (kind: string, name: string, apiVersion = "apps/v1"): JsonObject => ({
  ownerReferences: [{ apiVersion, kind, name, uid: `uid-${name}`, controller: true }],
});
const replicaSet = (more: JsonObject = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "ReplicaSet",
  metadata: { name: "web-1", namespace: "n", ...more },
});
const slice = (
  name: string,
  generation: number,
  resourceSliceCount: number,
  devices: readonly string[],
): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name },
  spec: {
    driver: "gpu.nvidia.com",
    nodeName: "a",
    pool: { name: "a", generation, resourceSliceCount },
    devices: devices.map((device) => ({ name: device })),
  },
});
const claim = (name: string, device: string | undefined, more: JsonObject = {}): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceClaim",
  metadata: { name, namespace: "n", ...more },
  spec: {},
  status:
    device === undefined
      ? {}
      : { allocation: { devices: { results: [{ driver: "gpu.nvidia.com", pool: "a", device }] } } },
});
const set = (object: JsonObject): Change => ({ type: "set", object });
const gone = (kind: string, name: string, namespace = "", apiVersion = "v1"): Change => ({
  ...{ type: "deleted", apiVersion, kind, namespace, name },
});

function told(...changes: readonly Change[]): Live {
  const live = createLive({ layout: testLayout });
  for (const change of changes) {
    live.apply(change);
    // Asked for at every step, so that each change meets a tree that stands.
    live.topology();
  }
  return live;
}

function used(live: Live, name: string): number | undefined {
  const { nodeIndex, resources, resourceIndex, ledger } = live.topology();
  const row = nodeIndex.get(name);
  const column = resourceIndex.get("nvidia.com/gpu");
  return row === undefined || column === undefined ? undefined : ledger.used[row * resources.length + column];
}
const rootOf = (live: Live, name: string) => live.rootOfPod("n", name)?.name;
const holders = (live: Live) => [...live.topology().ledger.devices];
const job = { apiVersion: "batch/v1", kind: "Job", namespace: "n", name: "job" };

describe("pods and nodes that come and go", () => {
  test.each<[string, readonly Change[], number | undefined]>([
    ["a pod on a node uses it", [set(node("a")), set(pod("p", "a"))], 2],
    ["a pod bound to a node that is not there yet counts once it is", [set(pod("p", "a")), set(node("a"))], 2],
    [
      "a node that went while its pod stayed, and came back, is used as before",
      [set(node("a")), set(pod("p", "a")), gone("Node", "a"), set(node("a"))],
      2,
    ],
    ["a node that went is used no more", [set(node("a")), set(pod("p", "a")), gone("Node", "a")], undefined],
    [
      "a second pod of one name counts in place of the first",
      [set(node("a")), set(pod("p", "a")), gone("Pod", "p", "n"), set(pod("p", "a", { uid: "other" }))],
      2,
    ],
    [
      "a second pod of one name whose deletion was missed counts once",
      [set(node("a")), set(pod("p", "a")), set(pod("p", "a", { uid: "other" }))],
      2,
    ],
    [
      "a pod that moved leaves the node where it was",
      [set(node("a")), set(node("b")), set(pod("p", "a")), set(pod("p", "b"))],
      0,
    ],
    [
      "a pod that ended frees its node",
      [set(node("a")), set(pod("p", "a")), set({ ...pod("p", "a"), status: { phase: "Succeeded" } })],
      0,
    ],
    [
      "a pod that became malformed is dropped, not kept as it was",
      [set(node("a")), set(pod("p", "a")), set({ ...pod("p", "a"), spec: "none" })],
      0,
    ],
    [
      "a list without a pod ends it",
      [set(node("a")), set(pod("p", "a")), { type: "relisted", apiVersion: "v1", kind: "Pod", objects: [] }],
      0,
    ],
  ])("%s", (_, changes, expected) => {
    expect(used(told(...changes), "a")).toBe(expected);
  });

  test("a malformed object is reported with its name, and only once it is", () => {
    const live = createLive({ layout: testLayout });
    expect(live.apply(set(node("a")))).toEqual([]);
    const [found] = live.apply(set({ ...node("a"), status: { allocatable: { cpu: "much" } } }));
    expect(found).toMatchObject({ code: "ClusterObject", severity: "warning" });
    expect(found?.message).toContain("Node a");
    expect(live.topology().nodes).toEqual([]);
  });

  test("pods of a root are there bound, unbound and terminating", () => {
    const live = told(
      set(node("a")),
      set(pod("p", "a", owned("Job", "job", "batch/v1"))),
      set(pod("q", undefined, owned("Job", "job", "batch/v1"))),
      set(pod("r", "a", { ...owned("Job", "job", "batch/v1"), deletionTimestamp: "2026-01-01T00:00:00Z" })),
      set(pod("s", "a", owned("Job", "other", "batch/v1"))),
    );
    expect(live.podsOf(job).map((one) => [one.key.name, one.node, one.terminating])).toEqual([
      ["p", "a", false],
      ["q", undefined, false],
      ["r", "a", true],
    ]);
    expect(live.stats.get("Pod")).toBe(4);
  });

  const amounts = { cpu: "2", memory: "1Gi" };
  const main = { name: "main", resources: { requests: amounts, limits: amounts } };
  const guaranteed = (
    container: JsonObject,
    spec: JsonObject = {},
    more: JsonObject = {},
    status: JsonObject = {},
  ) => ({
    ...pod("p", undefined, { ...owned("Job", "job", "batch/v1"), ...more }),
    spec: { nodeName: "a", priority: 1, containers: [container], ...spec },
    status,
  });
  const more = { ...amounts, "nvidia.com/gpu": "1" };
  const ports = [{ hostPort: 80, containerPort: 80 }];
  const at = "2026-01-01T00:00:00Z";
  test.each<[string, JsonObject, (one: PodFacts | undefined) => unknown, unknown]>([
    ["its uid", guaranteed(main, {}, { uid: "other" }), (one) => one?.key.uid, "other"],
    ["its node", guaranteed(main, { nodeName: "b" }), (one) => one?.node, "b"],
    [
      "being nominated",
      guaranteed(main, { nodeName: "" }, {}, { nominatedNodeName: "a" }),
      (one) => one?.nominated,
      true,
    ],
    ["its end", guaranteed(main, {}, { deletionTimestamp: at }), (one) => one?.terminating, true],
    ["its labels", guaranteed(main, {}, { labels: { app: "x" } }), (one) => one?.labels, { app: "x" }],
    [
      "its devices",
      guaranteed({ ...main, resources: { requests: more, limits: more } }),
      (one) => one?.requests["nvidia.com/gpu"],
      1,
    ],
    ["its limits", guaranteed({ ...main, resources: { requests: amounts } }), (one) => one?.pinned?.["cpu"], undefined],
    ["its ports", guaranteed({ ...main, ports }), (one) => one?.hostPorts, [80]],
    ["its priority", guaranteed(main, { priority: 2 }), (one) => one?.priority, 2],
    ["its start", guaranteed(main, {}, {}, { startTime: at }), (one) => one?.started, at],
    ["its owner", guaranteed(main, {}, owned("Job", "other", "batch/v1")), (one) => one?.root.name, "other"],
  ])("a pod of which nothing changes but %s is read anew", (_, after, read, wanted) => {
    const live = told(set(node("a")), set(node("b")), set(guaranteed(main)));
    expect(read(live.topology().pods[0])).not.toEqual(wanted);
    const { version } = live.topology();
    live.apply(set(after));
    expect(read(live.topology().pods[0])).toEqual(wanted);
    expect(live.topology().version).not.toBe(version);
    live.apply(set(after));
    expect(read(live.topology().pods[0])).toEqual(wanted);
  });

  test("a pod that is told again as it is changes nothing", () => {
    const live = told(set(node("a")), set(guaranteed(main)));
    const { version } = live.topology();
    live.apply(set(guaranteed(main)));
    expect(live.topology().version).toBe(version);
  });

  test("a tenant whose last accelerators go holds none, of pods and of claims", () => {
    const live = told(set(node("a")), set(pod("p", "a")), set(slice("s", 1, 1, ["x"])), set(claim("c", "x")));
    expect([...(live.topology().lookups?.accelerators() ?? [])]).toEqual([["n", 3]]);
    live.apply(gone("Pod", "p", "n"));
    expect([...(live.topology().lookups?.accelerators() ?? [])]).toEqual([["n", 1]]);
    live.apply(gone("ResourceClaim", "c", "n", "resource.k8s.io/v1"));
    expect([...(live.topology().lookups?.accelerators() ?? [])]).toEqual([]);
  });
});

describe("what is another topology and what is the same one, changed", () => {
  const base = () =>
    told(
      set(node("a", 8, { pick: "x" })),
      set(node("b")),
      set(slice("s", 1, 1, ["d0", "d1"])),
      set(pod("p", "a")),
      set(claim("held", "d1")),
    );
  test.each<[string, Change, { readonly same: boolean; readonly moved: boolean }]>([
    ["a pod", set(pod("q", "a")), { same: true, moved: true }],
    ["a pod deleted", gone("Pod", "p", "n"), { same: true, moved: true }],
    ["a claim allocated", set(claim("c", "d0")), { same: true, moved: true }],
    ["a heartbeat", set({ ...node("a", 8, { pick: "x" }), spec: {} }), { same: true, moved: false }],
    ["the same pod again", set(pod("p", "a")), { same: true, moved: false }],
    ["the same claim again", set(claim("held", "d1")), { same: true, moved: false }],
    ["a node cordoned", set({ ...node("b"), spec: { unschedulable: true } }), { same: false, moved: true }],
    ["amounts of a node", set(node("b", 4)), { same: false, moved: true }],
    ["a node more", set(node("c")), { same: false, moved: true }],
    ["a slice of another generation", set(slice("s", 2, 1, ["d0"])), { same: false, moved: true }],
  ])("%s", (_, change, { same, moved }) => {
    const live = base();
    const before = live.topology();
    const version = before.version;
    live.apply(change);
    const now = live.topology();
    expect(now === before).toBe(same);
    expect(now.version !== version).toBe(moved);
  });

  test("a node whose labels change without moving it keeps the tree around it", () => {
    const live = base();
    const before = live.topology();
    live.apply(set(node("a", 8, { pick: "y" })));
    expect(live.topology().nodes[0]?.labels).toEqual({ pick: "y" });
    expect(live.topology().levels).toBe(before.levels);
  });

  test("a burst of nodes is one tree", () => {
    const live = base();
    for (const name of ["c", "d", "e"]) live.apply(set(node(name)));
    const now = live.topology();
    expect(now.nodes).toHaveLength(5);
    expect(live.topology()).toBe(now);
  });
});

describe("owners that come late, leave and adopt", () => {
  const deployment = owned("Deployment", "web");
  const child = set(pod("p", "a", owned("ReplicaSet", "web-1")));
  test.each<[string, readonly Change[], string]>([
    ["without its ReplicaSet a pod belongs to that", [child], "web-1"],
    ["its ReplicaSet comes after it", [child, set(replicaSet(deployment))], "web"],
    ["its ReplicaSet is orphaned", [set(replicaSet(deployment)), child, set(replicaSet())], "web-1"],
    [
      "its ReplicaSet is adopted by another",
      [child, set(replicaSet(deployment)), set(replicaSet(owned("Deployment", "other")))],
      "other",
    ],
    [
      "its ReplicaSet is gone",
      [child, set(replicaSet(deployment)), gone("ReplicaSet", "web-1", "n", "apps/v1")],
      "web-1",
    ],
  ])("%s", (_, changes, root) => {
    expect(rootOf(told(...changes), "p")).toBe(root);
  });

  test("a reload that climbs no ReplicaSet ends below it", () => {
    const live = told(child, set(replicaSet(deployment)));
    live.setLayout(testLayout, ({ kind }) => kind === "ReplicaSet");
    expect(rootOf(live, "p")).toBe("web-1");
    live.setLayout(testLayout);
    expect(rootOf(live, "p")).toBe("web");
  });
});

describe("claims and devices", () => {
  test("a claim allocated before its pod is known belongs to the workload once it is", () => {
    const live = told(set(claim("c", "d0", owned("Pod", "p", "v1"))));
    expect(live.topology().claims[0]?.root).toMatchObject({ kind: "Pod", name: "p" });
    live.apply(set(pod("p", "a", owned("Job", "job", "batch/v1"))));
    expect(live.topology().claims[0]?.root).toMatchObject({ kind: "Job", name: "job" });
    live.apply(gone("Pod", "p", "n"));
    expect(live.topology().claims[0]?.root).toMatchObject({ kind: "Pod", name: "p" });
  });

  test("a device that two claims name is held by the other when one lets go", () => {
    const live = told(set(claim("c", "d0")), set(claim("e", "d0")));
    expect(holders(live)).toEqual([["gpu.nvidia.com/a/d0", "n/e"]]);
    live.apply(set(claim("e", undefined)));
    expect(holders(live)).toEqual([["gpu.nvidia.com/a/d0", "n/c"]]);
    live.apply(gone("ResourceClaim", "c", "n", "resource.k8s.io/v1"));
    expect(holders(live)).toEqual([]);
  });

  test("a new generation of which half the slices are here is incomplete, then complete", () => {
    const live = told(set(node("a")), set(slice("s1", 1, 2, ["d0"])), set(slice("s2", 1, 2, ["d1"])));
    const pool = () => live.topology().devicePools[0];
    expect(pool()).toMatchObject({ generation: 1, complete: true });
    live.apply(set(slice("s1", 2, 2, ["d0", "d2"])));
    expect(pool()).toMatchObject({ generation: 2, complete: false });
    live.apply(set(slice("s2", 2, 2, ["d1"])));
    expect(pool()).toMatchObject({ generation: 2, complete: true });
    expect(pool()?.devices.map(({ name }) => name)).toEqual(["d0", "d2", "d1"]);
  });
});

describe("queues", () => {
  const queue = (labels: JsonObject, used: string): JsonObject => ({
    apiVersion: "kueue.x-k8s.io/v1beta2",
    kind: "ClusterQueue",
    metadata: { name: "ml", resourceVersion: JSON.stringify([labels, used]) },
    spec: { namespaceSelector: { matchLabels: labels } },
    status: { flavorsReservation: [{ name: "h100", resources: [{ name: "cpu", total: used }] }] },
  });
  test("are followed: whom they take, and what is reserved", () => {
    const live = told();
    const found = () => live.topology().facts.queues?.clusterQueue("ml");
    live.apply(set(queue({ team: "a" }, "1")));
    expect([...(found()?.namespaces?.keys() ?? [])]).toEqual(["team"]);
    const before = live.topology().version;
    live.apply(set(queue({ tier: "b" }, "1")));
    expect([...(found()?.namespaces?.keys() ?? [])]).toEqual(["tier"]);
    expect(live.topology().version).not.toBe(before);
    live.apply(set(queue({ tier: "b" }, "2")));
    expect(found()?.used["h100"]?.["cpu"]).toBe(2000);
  });
});

describe("kinds that are known", () => {
  const quotas: Change = { type: "relisted", apiVersion: "v1", kind: "ResourceQuota", objects: [] };
  test("a kind that is not served is known to have no objects, as in a snapshot", () => {
    const live = told(quotas);
    expect(live.topology().known.has("ResourceSlice")).toBe(false);
    live.apply({ type: "unserved", apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice" });
    expect(live.topology().known.has("ResourceSlice")).toBe(true);
  });

  test("a version that is served no more ends nothing that another version listed", () => {
    const live = told({
      ...{ type: "relisted", apiVersion: "resource.k8s.io/v1", kind: "ResourceSlice" },
      objects: [slice("s", 1, 1, ["d0"])],
    });
    live.apply({ type: "unserved", apiVersion: "resource.k8s.io/v1beta1", kind: "ResourceSlice" });
    expect(live.topology().devicePools).toHaveLength(1);
  });

  test("a node of which only the capacity changes is read anew", () => {
    const live = createLive({ layout: testLayout });
    const sized = (capacity: number): JsonObject => ({
      ...node("a", 7),
      status: { allocatable: gpus(7), capacity: gpus(capacity) },
    });
    live.apply({ type: "set", object: sized(7) });
    const before = live.topology();
    const column = before.resourceIndex.get("nvidia.com/gpu") ?? -1;
    expect(before.capacity[column]).toBe(7);
    live.apply({ type: "set", object: sized(8) });
    expect(live.topology().capacity[column]).toBe(8);
  });

  test("an edit that is not read before the tree is made anew stays with its node", () => {
    const live = createLive({ layout: testLayout });
    live.apply({ type: "set", object: node("b") });
    live.topology();
    live.apply({ type: "set", object: { ...node("b"), spec: { unschedulable: true } } });
    live.apply({ type: "set", object: node("a") });
    const told = () => live.topology().nodes.map(({ name, cordoned }) => [name, cordoned]);
    expect(told()).toEqual([
      ["a", false],
      ["b", true],
    ]);
    expect(told()).toEqual([
      ["a", false],
      ["b", true],
    ]);
  });

  test("a claim that takes another part of a shared device is another", () => {
    const live = createLive({ layout: testLayout });
    const claim = (units: string): JsonObject => ({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: { name: "c", namespace: "n" },
      spec: {},
      status: {
        allocation: {
          devices: {
            results: [{ request: "r", driver: "d", pool: "p", device: "x", shareID: "u", consumedCapacity: { units } }],
          },
        },
      },
    });
    const taken = () =>
      live.topology().claims.flatMap(({ shares = [] }) => shares.map(({ consumed }) => consumed["units"]));
    live.apply({ type: "set", object: claim("1") });
    expect(taken()).toEqual([1_000_000_000n]);
    live.apply({ type: "set", object: claim("2") });
    expect(taken()).toEqual([2_000_000_000n]);
  });

  test("of several claims on one device the last by name holds it, whatever the order", () => {
    const ledger = createDeviceLedger();
    ledger.take(["d"], "n/b");
    ledger.take(["d"], "n/a");
    expect(ledger.holders.get("d")).toBe("n/b");
    ledger.release(["d"], "n/b");
    expect(ledger.holders.get("d")).toBe("n/a");
    ledger.release(["d"], "n/a");
    expect(ledger.holders.size).toBe(0);
  });
});
