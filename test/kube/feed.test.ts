import { afterEach, describe, expect, test } from "vitest";
import { connect, type Feed, type Kube, startFeed } from "../../src/kube/index.ts";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import type { Change } from "../../src/topology/index.ts";
import { builtinKinds } from "../../src/workloads/index.ts";
import { liveCluster, PRIVATE, SERVED } from "./cluster.ts";
import { type LiveServer, liveServer, until } from "./liveserver.ts";

const PODS = "/api/v1/pods";
const NODES = "/api/v1/nodes";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
const SERVES_CRDS = { "/apis/apiextensions.k8s.io/v1": { customresourcedefinitions: "CustomResourceDefinition" } };
const BASE = { "/api/v1": { nodes: "Node", pods: "Pod" }, ...SERVES_CRDS };
const FAST = {
  backoffMs: 10,
  maxBackoffMs: 80,
  settledMs: 5_000,
  idleMs: 60_000,
  deniedMs: 50,
  followUpMs: [10, 20, 40],
};

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

interface Following {
  readonly server: LiveServer;
  readonly feed: Feed;
  readonly kube: Kube;
  readonly changes: Change[];
  /** Names of the objects of a kind that are known, in order; undefined: the kind is not known. */
  known(kind: string): readonly string[] | undefined;
  object(kind: string, name: string): JsonObject | undefined;
}

/** A feed over a server, and what somebody who follows it knows. */
async function follow(
  served: Record<string, Record<string, string>>,
  options: {
    readonly aggregated?: boolean;
    readonly timings?: object;
    readonly before?: (server: LiveServer) => void;
  } = {},
): Promise<Following> {
  const server = await liveServer(structuredClone(served), options);
  options.before?.(server);
  const kube = await connect({ kubeconfig: server.fake.kubeconfig });
  const changes: Change[] = [];
  const kinds = new Map<string, Map<string, JsonObject>>();
  const onChanges = (batch: readonly Change[]) => {
    for (const change of batch) {
      changes.push(change);
      if (change.type === "relisted")
        kinds.set(change.kind, new Map(change.objects.map((object) => [nameOf(object), object])));
      else if (change.type === "unserved") kinds.delete(change.kind);
      else if (change.type === "deleted") kinds.get(change.kind)?.delete(change.name);
      else kinds.get(String(change.object["kind"]))?.set(nameOf(change.object), change.object);
    }
  };
  const timings = { ...FAST, ...options.timings };
  const feed = startFeed(kube, { kinds: builtinKinds().entries, onChanges, timings });
  open.push(
    () => feed.stop(),
    () => kube.close(),
    () => server.close(),
  );
  return {
    server,
    feed,
    kube,
    changes,
    known: (kind) => {
      const objects = kinds.get(kind);
      return objects === undefined ? undefined : [...objects.keys()].sort();
    },
    object: (kind, name) => kinds.get(kind)?.get(name),
  };
}
const nameOf = (object: JsonObject) => stringAt(object, ["metadata", "name"]) ?? "";
const node = (name: string): JsonObject => ({ kind: "Node", metadata: { name } });
const pod = (name: string, phase = "Running", annotations: JsonObject = {}): JsonObject => ({
  kind: "Pod",
  metadata: { name, namespace: "a", annotations },
  spec: { nodeName: "n", containers: [{ name: "main", image: PRIVATE }] },
  status: { phase },
});

describe("a feed", () => {
  test.each([true, false])(
    "lists every kind that is served, then follows it (aggregated discovery: %s)",
    async (aggregated) => {
      const { server, feed, known, changes } = await follow(
        { ...SERVED, ...SERVES_CRDS },
        {
          aggregated,
          before: ({ put }) => {
            for (const object of liveCluster()) {
              const kind = String(object["kind"]);
              for (const [base, kinds] of Object.entries(SERVED))
                for (const [plural, one] of Object.entries(kinds)) if (one === kind) put(`${base}/${plural}`, object);
            }
          },
        },
      );
      expect(feed.synced()).toBe(false);
      expect(feed.ageMs(Date.now())).toBe(Number.POSITIVE_INFINITY);
      await until(() => feed.synced(), "the feed is synced");
      expect(known("Node")?.length).toBeGreaterThan(10);
      expect(known("ResourceSlice")?.length).toBeGreaterThan(2);
      expect(known("Deployment")).toContain("chat-large");
      expect(known("JobSet")).toBeUndefined();
      expect(changes).toContainEqual({ type: "unserved", apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" });
      expect(JSON.stringify(changes)).not.toContain(PRIVATE);
      expect(feed.ageMs(Date.now())).toBeLessThan(60_000);
      await until(() => server.watching(NODES) === 1, "nodes are watched");
      server.put(NODES, node("late"));
      await until(() => known("Node")?.includes("late") === true, "the new node is known");
      const asked = server.fake.requests.filter(({ url }) => /secrets|configmaps/.test(url.pathname));
      expect(asked).toEqual([]);
    },
  );

  test("keeps a workload of ours whole but for managedFields, and of others what links them", async () => {
    const path = "/apis/apps/v1/deployments";
    const { server, feed, object } = await follow({ ...BASE, "/apis/apps/v1": { deployments: "Deployment" } });
    await until(() => feed.synced() && server.watching(path) === 1, "deployments are watched");
    const deployment = (name: string, annotations: JsonObject, template: JsonObject = {}): JsonObject => ({
      kind: "Deployment",
      metadata: { name, namespace: "a", uid: "u", annotations, managedFields: [{ manager: "kubectl" }] },
      spec: { replicas: 3, template: { metadata: { annotations: template } } },
    });
    const decided = deployment("decided", { "plimsoll.dev/decision": "{}" });
    const classed = deployment("classed", {}, { "plimsoll.dev/workload-class": "batch" });
    for (const one of [decided, classed, deployment("other", { note: "x" })]) server.put(path, one);
    await until(() => object("Deployment", "other") !== undefined, "all three are known");
    expect(object("Deployment", "decided")).toMatchObject({ apiVersion: "apps/v1", spec: decided["spec"] });
    expect(object("Deployment", "classed")).toMatchObject({ spec: classed["spec"] });
    expect(JSON.stringify(object("Deployment", "decided"))).not.toContain("managedFields");
    expect(object("Deployment", "other")).toEqual({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "other", namespace: "a", uid: "u" },
    });
  });

  test("drops pods that end; a pod that was decided by itself is whole", async () => {
    const { server, feed, known, object } = await follow(BASE, { before: ({ put }) => put(PODS, pod("a")) });
    await until(() => feed.synced() && server.watching(PODS) === 1, "pods are watched");
    expect(known("Pod")).toEqual(["a"]);
    server.put(PODS, pod("b", "Pending", { "plimsoll.dev/decision": "{}", note: PRIVATE }));
    server.put(PODS, pod("c", "Pending", { "plimsoll.dev/workload-class": "batch", note: PRIVATE }));
    server.put(PODS, pod("a", "Succeeded"));
    await until(() => known("Pod")?.join() === "b,c", "the pod that ended is gone");
    expect(object("Pod", "b")?.["spec"]).toEqual(pod("b")["spec"]);
    expect(object("Pod", "c")).toEqual({
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "c", namespace: "a", annotations: { "plimsoll.dev/workload-class": "batch" } },
      spec: { nodeName: "n", containers: [{ name: "main" }] },
      status: { phase: "Pending" },
    });
  });

  test.each(["end", "destroy"] as const)("goes on after its watches are cut (%s), without a list", async (how) => {
    const { server, feed, known } = await follow(BASE);
    await until(() => feed.synced() && server.watching(NODES) === 1, "nodes are watched");
    server.cut(how);
    server.put(NODES, node("a"));
    await until(() => known("Node")?.length === 1, "what happened meanwhile is known");
    expect(server.requestsOf(NODES, false)).toHaveLength(1);
  });

  test("lists again when its place has expired meanwhile", async () => {
    const { server, feed, known, changes } = await follow(BASE, { before: ({ put }) => put(NODES, node("a")) });
    await until(() => feed.synced() && server.watching(NODES) === 1, "nodes are watched");
    server.put(PODS, pod("x"));
    server.mute(true);
    server.put(NODES, node("b"));
    server.remove(NODES, "a");
    server.compact();
    server.mute(false);
    server.cut("destroy");
    await until(() => known("Node")?.join() === "b", "the new list is known");
    // Never emptied in between.
    const lists = changes.filter((change) => change.type === "relisted" && change.kind === "Node");
    expect(lists.map((change) => (change.type === "relisted" ? change.objects.length : -1))).toEqual([1, 1]);
  });

  test("notices a watch on which nothing comes any more, grows stale meanwhile, and heals", async () => {
    const { server, feed, known } = await follow(BASE, { timings: { idleMs: 400 } });
    await until(() => feed.synced() && server.watching(NODES) === 1, "nodes are watched");
    server.mute(true);
    server.put(NODES, node("a"));
    await until(() => feed.ageMs(Date.now()) > 200, "the silence is told");
    expect(known("Node")).toEqual([]);
    server.mute(false);
    await until(() => known("Node")?.length === 1, "the silent watch is given up");
    expect(server.requestsOf(NODES, false)).toHaveLength(1);
  });

  test("bookmarks count as signs of life", async () => {
    const { server, feed } = await follow({ "/api/v1": { nodes: "Node" } });
    await until(() => feed.synced() && server.watching(NODES) === 1, "nodes are watched");
    const before = feed.ageMs(Date.now() + 1000);
    await new Promise((resolve) => setTimeout(resolve, 50));
    server.bookmark();
    await until(() => feed.ageMs(Date.now() + 1000) < before + 40, "the bookmark counts");
  });

  test("does not ask in a loop where watches end at once", async () => {
    const { server, feed } = await follow(BASE, { before: ({ endsAtOnce }) => endsAtOnce(true) });
    await until(() => feed.synced(), "the feed is synced");
    await new Promise((resolve) => setTimeout(resolve, 1000));
    // 10 + 20 + 40 + 80 + 80 …, each jittered by a quarter.
    expect(server.requestsOf(NODES, true).length).toBeLessThan(24);
    expect(server.requestsOf(NODES, false)).toHaveLength(1);
  });

  test("survives a restart of the server", async () => {
    const { server, feed, known } = await follow(BASE, { before: ({ put }) => put(NODES, node("a")) });
    await until(() => feed.synced() && server.watching(NODES) === 1, "nodes are watched");
    await server.restart();
    await until(() => server.watching(NODES) === 1, "nodes are watched again");
    server.put(NODES, node("b"));
    await until(() => known("Node")?.join() === "a,b", "both nodes are known");
    expect(feed.synced()).toBe(true);
  });

  test("reads what was forbidden once it is granted, and is not held up by it", async () => {
    const { server, feed, known } = await follow(BASE, {
      before: ({ put, forbidden }) => {
        put(NODES, node("a"));
        forbidden.push(NODES);
      },
    });
    await until(() => feed.synced(), "the feed is synced");
    expect(known("Node")).toBeUndefined();
    expect(feed.status().kinds.find(({ kind }) => kind === "Node")).toMatchObject({ forbidden: true, synced: false });
    server.forbidden.length = 0;
    await until(() => known("Node")?.length === 1, "nodes are known");
    expect(feed.status().kinds.find(({ kind }) => kind === "Node")).toMatchObject({
      forbidden: false,
      fault: undefined,
    });
  });

  test("a sink that fails is given the kind again", async () => {
    const server = await liveServer(structuredClone(BASE));
    server.put(NODES, node("a"));
    const kube = await connect({ kubeconfig: server.fake.kubeconfig });
    let refused = 0;
    const taken: Change[] = [];
    const onChanges = (batch: readonly Change[]) => {
      if (batch.some((change) => change.type === "relisted" && change.kind === "Node") && refused < 2) {
        refused += 1;
        throw new Error("no room");
      }
      taken.push(...batch);
    };
    const feed = startFeed(kube, { kinds: [], onChanges, timings: FAST });
    open.push(
      () => feed.stop(),
      () => kube.close(),
      () => server.close(),
    );
    await until(() => feed.synced(), "the feed is synced");
    expect(taken.filter((change) => change.type === "relisted" && change.kind === "Node")).toHaveLength(1);
  });

  test("is silent once it is stopped", async () => {
    const { server, feed, changes } = await follow(BASE);
    await until(() => feed.synced() && server.watching(NODES) === 1, "nodes are watched");
    feed.stop();
    const told = changes.length;
    await until(() => server.watching(NODES) === 0, "the watch is closed");
    server.put(NODES, node("a"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(changes).toHaveLength(told);
    expect(server.watching(NODES)).toBe(0);
  });
});

describe("kinds that come, go and change", () => {
  const JOBSETS = "/apis/jobset.x-k8s.io/v1alpha2/jobsets";
  const crd = { kind: "CustomResourceDefinition", metadata: { name: "jobsets.jobset.x-k8s.io" } };

  test("one whose definition appears is followed at once, and one that goes is told", async () => {
    const { server, feed, known } = await follow(BASE);
    await until(() => feed.synced() && server.watching(CRDS) === 1, "definitions are watched");
    expect(known("JobSet")).toBeUndefined();
    server.served["/apis/jobset.x-k8s.io/v1alpha2"] = { jobsets: "JobSet" };
    server.put(CRDS, crd);
    await until(() => known("JobSet") !== undefined, "job sets are listed");
    await until(() => server.watching(JOBSETS) === 1, "job sets are watched");
    server.put(JOBSETS, { kind: "JobSet", metadata: { name: "a", namespace: "a" } });
    await until(() => known("JobSet")?.length === 1, "the job set is known");
    server.remove(JOBSETS, "a");
    delete server.served["/apis/jobset.x-k8s.io/v1alpha2"];
    server.remove(CRDS, "jobsets.jobset.x-k8s.io");
    server.cut("end");
    await until(() => known("JobSet") === undefined, "the kind is gone");
    await until(() => feed.status().kinds.every(({ kind }) => kind !== "JobSet"), "the kind is not followed any more");
    expect(feed.synced()).toBe(true);
    server.served["/apis/jobset.x-k8s.io/v1alpha2"] = { jobsets: "JobSet" };
    server.put(CRDS, crd);
    await until(() => known("JobSet") !== undefined, "job sets are listed once more");
  });

  test("one without a definition (an aggregated API, a flag) is found by looking from time to time", async () => {
    const { server, feed, known } = await follow({ "/api/v1": { nodes: "Node" } }, { timings: { discoveryMs: 100 } });
    await until(() => feed.synced(), "the feed is synced");
    server.served["/apis/resource.k8s.io/v1beta1"] = { resourceslices: "ResourceSlice" };
    await until(() => known("ResourceSlice") !== undefined, "slices are listed");
  });

  test("one that changes its version is listed in the new one, and stays known meanwhile", async () => {
    const devices = { resourceslices: "ResourceSlice" };
    const { server, feed, known, object, changes } = await follow(
      { ...BASE, "/apis/resource.k8s.io/v1beta1": devices },
      {
        timings: { discoveryMs: 100 },
        before: ({ put }) =>
          put("/apis/resource.k8s.io/v1beta1/resourceslices", { kind: "ResourceSlice", metadata: { name: "s" } }),
      },
    );
    await until(() => feed.synced() && known("ResourceSlice")?.length === 1, "the slice is known");
    expect(object("ResourceSlice", "s")?.["apiVersion"]).toBe("resource.k8s.io/v1beta1");
    server.served["/apis/resource.k8s.io/v1"] = devices;
    await until(() => object("ResourceSlice", "s")?.["apiVersion"] === "resource.k8s.io/v1", "it is known in v1");
    expect(changes.filter((change) => change.type === "unserved" && change.kind === "ResourceSlice")).toEqual([]);
    expect(feed.status().kinds.filter(({ kind }) => kind === "ResourceSlice")).toHaveLength(1);
  });

  test("one that goes and comes between two looks is listed again with the next look", async () => {
    const { server, feed, known, changes } = await follow(
      { ...BASE, "/apis/resource.k8s.io/v1": { resourceslices: "ResourceSlice" } },
      { timings: { discoveryMs: 60_000, deniedMs: 60_000, followUpMs: [500, 500] } },
    );
    const slices = "/apis/resource.k8s.io/v1/resourceslices";
    await until(() => feed.synced() && server.watching(slices) === 1, "slices are watched");
    const devices = server.served["/apis/resource.k8s.io/v1"] ?? {};
    delete server.served["/apis/resource.k8s.io/v1"];
    server.cut("end");
    await until(() => known("ResourceSlice") === undefined, "it is told that they are not served");
    server.served["/apis/resource.k8s.io/v1"] = devices;
    await until(() => known("ResourceSlice") !== undefined, "they are listed again");
    expect(changes.filter((change) => change.type === "unserved" && change.kind === "ResourceSlice")).toHaveLength(1);
  });

  test("one that discovery lacks once, as after a restart, is not given up", async () => {
    const { server, feed, changes } = await follow(
      { ...BASE, "/apis/resource.k8s.io/v1": { resourceslices: "ResourceSlice" } },
      { timings: { discoveryMs: 100, followUpMs: [300] } },
    );
    const slices = "/apis/resource.k8s.io/v1/resourceslices";
    await until(() => feed.synced() && server.watching(slices) === 1, "slices are watched");
    const looks = () => server.requestsOf("/apis", false).length;
    const devices = server.served["/apis/resource.k8s.io/v1"] ?? {};
    delete server.served["/apis/resource.k8s.io/v1"];
    const before = looks();
    await until(() => looks() > before, "discovery was asked");
    server.served["/apis/resource.k8s.io/v1"] = devices;
    await until(() => looks() > before + 3, "discovery was asked again");
    expect(changes.filter((change) => change.type === "unserved" && change.kind === "ResourceSlice")).toEqual([]);
  });

  test("nothing is given up while discovery cannot be asked, and the reason is told", async () => {
    const { server, feed, known } = await follow(BASE, { timings: { discoveryMs: 50 } });
    await until(() => feed.synced(), "the feed is synced");
    server.forbidden.push("/apis");
    await until(() => feed.status().discovery.fault !== undefined, "the fault is told");
    expect(feed.status().discovery.fault).toContain("/apis is forbidden");
    expect(known("Node")).toEqual([]);
    server.forbidden.length = 0;
    await until(() => feed.status().discovery.fault === undefined, "the fault is over");
  });
});
