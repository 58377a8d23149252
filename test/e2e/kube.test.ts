import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connect, detectPlatform, type Feed, type Kube, KubeFault, startFeed } from "../../src/kube/index.ts";
import { arrayAt, type JsonObject, stringAt } from "../../src/model/index.ts";
import type { Change } from "../../src/topology/index.ts";
import { builtinKinds } from "../../src/workloads/index.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { anyKind } from "./support/crds.ts";
import { nameOf } from "./support/places.ts";

const CONFIGMAPS = "/api/v1/namespaces/default/configmaps";
const NODES = "/api/v1/nodes";
const CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

let plane: ControlPlane;
let kube: Kube;
beforeAll(async () => {
  // With all controllers off nothing writes on its own, so what is silent is silent for a reason.
  plane = await startControlPlane({ kwok: false, scheduler: false, controllerManager: false });
  kube = await connect({ kubeconfig: plane.kubeconfig });
}, 900_000);
afterAll(async () => {
  kube?.close();
  await plane?.stop();
});

const configMap = (name: string, data: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name },
  data,
});
const node = (name: string): JsonObject => ({ apiVersion: "v1", kind: "Node", metadata: { name } });
const jobSets = anyKind("jobset.x-k8s.io", "v1alpha2", "JobSet");

async function until(holds: () => boolean | Promise<boolean>, what: string, withinMs = 60_000): Promise<void> {
  for (const end = Date.now() + withinMs; Date.now() < end; ) {
    if (await holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`waited in vain until ${what}`);
}

describe("verbs", () => {
  test("create, read, replace, apply, mergePatch and remove do what they say", async () => {
    const created = await kube.create(CONFIGMAPS, configMap("verbs", { a: "→" }));
    const path = `${CONFIGMAPS}/verbs`;
    await expect(kube.create(CONFIGMAPS, configMap("verbs"))).rejects.toMatchObject({
      status: 409,
      reason: "AlreadyExists",
    });
    expect(await kube.read(path)).toEqual(created);
    expect(await kube.read(`${CONFIGMAPS}/absent`)).toBeUndefined();

    const replaced = await kube.replace(path, { ...created, data: { a: "2" } });
    await expect(kube.replace(path, { ...created, data: { a: "3" } })).rejects.toMatchObject({
      status: 409,
      reason: "Conflict",
    });
    expect(replaced["data"]).toEqual({ a: "2" });

    const applied = configMap("verbs", { a: "4", b: "5" });
    await expect(kube.apply(path, applied, { fieldManager: "one" })).rejects.toMatchObject({ status: 409 });
    expect((await kube.apply(path, applied, { fieldManager: "one", force: true }))["data"]).toEqual({ a: "4", b: "5" });
    const tried = await kube.apply(path, configMap("verbs", { b: "6" }), { fieldManager: "one", dryRun: true });
    expect(tried["data"]).toEqual({ b: "6" });
    expect((await kube.mergePatch(path, { data: { a: null } }))["data"]).toEqual({ b: "5" });

    await expect(kube.remove(path, { uid: "another" })).rejects.toMatchObject({ status: 409 });
    expect(await kube.remove(path, { dryRun: true })).toBe(true);
    const uid = stringAt(created, ["metadata", "uid"]) ?? "";
    expect(await kube.remove(path, { uid, propagation: "Background" })).toBe(true);
    expect(await kube.remove(path)).toBe(false);
  });

  test("a list of several pages is one list; a watch from it begins where it ended", async () => {
    for (let index = 0; index < 510; index += 30)
      await Promise.all(
        Array.from({ length: 30 }, (_, more) => kube.create(CONFIGMAPS, configMap(`page-${index + more}`))),
      );
    const { items, resourceVersion } = await kube.listFrom(CONFIGMAPS, nameOf);
    expect(items.filter((name) => name.startsWith("page-"))).toHaveLength(510);
    await kube.create(CONFIGMAPS, configMap("after"));
    const cut = new AbortController();
    const seen: string[] = [];
    const from = { resourceVersion, timeoutSeconds: 60, idleMs: 30_000, signal: cut.signal };
    for await (const { type, object } of kube.watch(CONFIGMAPS, from)) {
      seen.push(`${type} ${nameOf(object)}`);
      cut.abort();
    }
    expect(seen).toEqual(["ADDED after"]);
    const metadata = await kube.list(CONFIGMAPS, (item) => item, { metadataOnly: true });
    expect(metadata.every((item) => item["data"] === undefined)).toBe(true);
  });

  test("the platform is detected", async () => {
    const detected = await detectPlatform(kube);
    expect(detected.spec["kubernetes"]).toMatchObject({ version: expect.stringMatching(/^1\.37\./) });
    expect(detected.deviceApis).toContain("v1");
    expect(detected.notes).toEqual([]);
  });
});

describe("a feed", () => {
  let feed: Feed;
  const changes: Change[] = [];
  const known = new Map<string, Set<string>>();
  const idleMs = 5_000;

  beforeAll(async () => {
    const onChanges = (batch: readonly Change[]) => {
      for (const change of batch) {
        changes.push(change);
        if (change.type === "relisted") known.set(change.kind, new Set(change.objects.map(nameOf)));
        else if (change.type === "unserved") known.delete(change.kind);
        else if (change.type === "deleted") known.get(change.kind)?.delete(change.name);
        else known.get(String(change.object["kind"]))?.add(nameOf(change.object));
      }
    };
    const timings = { idleMs, maxBackoffMs: 2_000 };
    feed = startFeed(kube, { kinds: builtinKinds().entries, onChanges, timings });
    await until(() => feed.synced(), "the feed is synced");
  });
  afterAll(() => feed?.stop());
  const listsOfNodes = () => feed.status().kinds.find(({ kind }) => kind === "Node")?.lists;

  test("follows what is served, and knows what is not", async () => {
    expect(known.get("Node")).toEqual(new Set());
    expect(known.has("ResourceSlice")).toBe(true);
    expect(changes).toContainEqual({ type: "unserved", apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" });
    expect(feed.status().kinds.filter(({ fault }) => fault !== undefined)).toEqual([]);
    await kube.create(NODES, node("a"));
    await until(() => known.get("Node")?.has("a") === true, "the node is known");
    await kube.remove(`${NODES}/a`);
    await until(() => known.get("Node")?.has("a") === false, "the node is gone");
  });

  test("finds a kind whose definition comes later, and loses it with it", async () => {
    await kube.create(CRDS, jobSets);
    await until(() => known.has("JobSet"), "job sets are listed");
    await kube.create("/apis/jobset.x-k8s.io/v1alpha2/namespaces/default/jobsets", {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      metadata: { name: "one" },
    });
    await until(() => known.get("JobSet")?.has("one") === true, "the job set is known");
    await kube.remove(`${CRDS}/jobsets.jobset.x-k8s.io`);
    await until(() => !known.has("JobSet"), "the kind is gone");
    await kube.create(CRDS, jobSets);
    await until(() => known.has("JobSet"), "job sets are listed again");
  });

  test("notices that an API server hangs, and goes on where it was when it answers again", async () => {
    const lists = listsOfNodes();
    const server = plane.process("kube-apiserver");
    server.pause();
    try {
      await until(() => feed.ageMs(Date.now()) > 2 * idleMs, "the silence is told");
      await until(() => feed.status().kinds.some(({ fault }) => fault !== undefined), "the dead watches are given up");
    } finally {
      server.resume();
    }
    await kube.create(NODES, node("after-the-pause"));
    await until(() => known.get("Node")?.has("after-the-pause") === true, "the node is known");
    await until(() => feed.ageMs(Date.now()) < 2 * idleMs, "every kind is fresh again");
    expect(listsOfNodes()).toBe(lists);
  });

  test("survives a restart of the API server: nothing is forgotten, nothing missed", async () => {
    const before = changes.length;
    const server = plane.process("kube-apiserver");
    await server.restart();
    await until(async () => {
      try {
        await kube.create(NODES, node("after-the-restart"));
        return true;
      } catch (fault) {
        if (fault instanceof KubeFault) return false;
        throw fault;
      }
    }, "the server takes a node");
    await until(() => known.get("Node")?.has("after-the-restart") === true, "the node is known");
    expect(known.get("Node")).toContain("after-the-pause");
    await until(() => known.has("JobSet") && feed.ageMs(Date.now()) < 2 * idleMs, "every kind is fresh again");
    // Its watch cache begins where it started, so what was before is expired.
    const from = { resourceVersion: "1", timeoutSeconds: 60, idleMs: 30_000, signal: new AbortController().signal };
    const follow = async () => {
      for await (const event of kube.watch(CONFIGMAPS, from)) expect(event).toBeUndefined();
    };
    await expect(follow()).rejects.toMatchObject({ status: 410 });
    // The kinds that came as built in were known all the time.
    const lost = changes.slice(before).filter((change) => change.type === "unserved" && change.kind !== "JobSet");
    expect(lost).toEqual([]);
    expect(arrayAt(await kube.get(NODES), ["items"])).toHaveLength(known.get("Node")?.size ?? -1);
  });
});
