import { mkdtemp, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { run } from "../../src/cli/index.ts";
import { connect, snapshotYaml, takeSnapshot } from "../../src/kube/index.ts";
import type { JsonObject } from "../../src/model/index.ts";
import { inventoryFrom, readInventory } from "../../src/topology/index.ts";
import { liveCluster, PRIVATE, SERVED, told } from "./cluster.ts";
import { type Behaviour, type FakeServer, fakeServer } from "./fakeserver.ts";

const servers: FakeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
async function serve(behaviour: Partial<Behaviour>): Promise<FakeServer> {
  const server = await fakeServer({ objects: [], served: SERVED, ...behaviour });
  servers.push(server);
  return server;
}
async function snapshotOf(behaviour: Partial<Behaviour>) {
  const server = await serve(behaviour);
  const kube = await connect({ kubeconfig: server.kubeconfig });
  const snapshot = await takeSnapshot(kube);
  kube.close();
  const text = snapshotYaml(snapshot.objects);
  const { value: inventory, diagnostics } = readInventory([{ file: "snapshot.yaml", text }]);
  if (inventory === undefined) throw new Error("an inventory is always there");
  return { server, snapshot, text, inventory, diagnostics };
}

const ALL_KINDS = [
  "CapacityQuota",
  "ClusterQueue",
  "Cohort",
  "DeviceClass",
  "DeviceTaintRule",
  "LimitRange",
  "LocalQueue",
  "Namespace",
  "Node",
  "NodePool",
  "NodeResourceTopology",
  "Pod",
  "PodDisruptionBudget",
  "PriorityClass",
  "ResourceClaim",
  "ResourceClaimTemplate",
  "ResourceFlavor",
  "ResourceQuota",
  "ResourceSlice",
  "RuntimeClass",
];
const node = (name: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name },
  status: { allocatable: { cpu: "4" } },
});

describe("a snapshot of a live cluster", () => {
  test("read back, it is the inventory of the cluster's own objects", async () => {
    const cluster = liveCluster();
    const { inventory, diagnostics, snapshot } = await snapshotOf({ objects: cluster, pageSize: 7 });
    const original = inventoryFrom(cluster).value;
    if (original === undefined) throw new Error("an inventory is always there");
    expect(diagnostics).toEqual([]);
    expect(snapshot.notes).toEqual([]);
    const found = told(inventory, cluster);
    expect(found).toEqual(told(original, cluster));
    expect(found.pods.length).toBeGreaterThan(20);
    expect(found.devicePools.length).toBeGreaterThan(2);
    expect(found.claims).toHaveLength(2);
    expect(found.answers.length).toBeGreaterThan(10);
  });

  test("carries no images, commands, environments, annotations or addresses, and asks for no Secret or ConfigMap", async () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "s", namespace: "team-a" },
      data: { k: PRIVATE },
    };
    const { text, server } = await snapshotOf({ objects: [...liveCluster(), secret] });
    expect(text).not.toContain(PRIVATE);
    expect(text).not.toMatch(/annotations|managedFields|image|env:|command|volume/);
    expect(server.requests.filter(({ url }) => /secrets|configmaps/.test(url.pathname))).toEqual([]);
  });

  test("climbs from pods to their workloads by metadata alone, and keeps only owners that a pod names", async () => {
    const { inventory, text, server } = await snapshotOf({ objects: liveCluster() });
    const rootOf = (name: string) => inventory.pods.find(({ key }) => key.name === name)?.root;
    expect(rootOf("chat-large-5d9f8c7b6d-0")).toMatchObject({ kind: "Deployment", name: "chat-large" });
    expect(rootOf("rollouts-0")).toMatchObject({ kind: "RayJob", name: "rollouts-job" });
    expect(text).not.toContain("chat-large-old");
    const asked = server.requests.find(({ url }) => url.pathname === "/apis/apps/v1/replicasets");
    expect(asked?.accept).toContain("PartialObjectMetadataList");
    expect(server.requests.filter(({ url }) => url.pathname === "/apis/apps/v1/replicasets")).toHaveLength(1);
  });

  test("an empty kind is known to be empty, and so is one that the server does not have", async () => {
    const { "/apis/resource.k8s.io/v1": _devices, "/apis/karpenter.sh/v1": _pools, ...served } = SERVED;
    const { inventory, diagnostics, server } = await snapshotOf({ objects: [node("a")], served });
    expect([...inventory.known].sort()).toEqual(ALL_KINDS);
    expect(inventory.nodes.map(({ name }) => name)).toEqual(["a"]);
    expect(diagnostics).toEqual([]);
    expect(server.requests.filter(({ url }) => /resource\.k8s\.io|karpenter/.test(url.pathname))).toEqual([]);
  });

  test.each(["v1", "v1beta2", "v1beta1"])(
    "devices are read in %s where that is the best version served",
    async (version) => {
      const { "/apis/resource.k8s.io/v1": devices, ...others } = SERVED;
      const served = {
        ...others,
        "/apis/resource.k8s.io/v1alpha3": devices,
        [`/apis/resource.k8s.io/${version}`]: devices,
      };
      const slice = {
        apiVersion: `resource.k8s.io/${version}`,
        kind: "ResourceSlice",
        metadata: { name: "s" },
        spec: {
          driver: "gpu.example",
          pool: { name: "a", generation: 1, resourceSliceCount: 1 },
          nodeName: "a",
          devices: [{ name: "gpu-0", ...(version === "v1beta1" ? { basic: { attributes: {} } } : { attributes: {} }) }],
        },
      };
      const { inventory, text } = await snapshotOf({ objects: [node("a"), slice], served });
      expect(inventory.devicePools.map(({ devices: list }) => list.map(({ name }) => name))).toEqual([["gpu-0"]]);
      expect(text).toContain(`apiVersion: resource.k8s.io/${version}\n  kind: ResourceSlice\n`);
    },
  );

  test("a kind that may not be listed is noted and stays unknown", async () => {
    const { inventory, snapshot } = await snapshotOf({ objects: liveCluster(), forbidden: ["/api/v1/pods"] });
    expect([...inventory.known].sort()).toEqual(ALL_KINDS.filter((kind) => kind !== "Pod"));
    expect(snapshot.notes).toMatchObject([{ code: "ClusterForbidden", severity: "warning" }]);
    expect(snapshot.notes[0]?.message).toContain('User "tester" cannot list it');
    expect(snapshot.notes[0]?.hint).toContain("the verb list on pods at cluster scope");
  });

  test("owners that may not be listed are noted, and pods count as their own controller's", async () => {
    const { inventory, snapshot } = await snapshotOf({
      objects: liveCluster(),
      forbidden: ["/apis/ray.io/v1/rayclusters"],
    });
    expect(snapshot.notes).toMatchObject([{ code: "ClusterForbidden", severity: "info" }]);
    expect(inventory.pods.find(({ key }) => key.name === "rollouts-0")?.root).toMatchObject({ kind: "RayCluster" });
  });

  test("where discovery is forbidden, versions are tried in order", async () => {
    const { "/apis/resource.k8s.io/v1": devices, ...others } = SERVED;
    const served = { ...others, "/apis/resource.k8s.io/v1beta1": devices };
    const deviceClass = {
      apiVersion: "resource.k8s.io/v1beta1",
      kind: "DeviceClass",
      metadata: { name: "gpu" },
      spec: {},
    };
    const { inventory, server } = await snapshotOf({ objects: [deviceClass], served, forbidden: ["/apis"] });
    expect(inventory.facts.deviceClass("gpu")).toEqual({ name: "gpu", selectors: [] });
    expect(server.requests.map(({ url }) => url.pathname).filter((path) => path.endsWith("/deviceclasses"))).toEqual(
      ["v1", "v1beta2", "v1beta1"].map((version) => `/apis/resource.k8s.io/${version}/deviceclasses`),
    );
  });

  test("pods that have ended do not travel", async () => {
    const { text, server } = await snapshotOf({ objects: liveCluster() });
    expect(text).not.toContain("nightly-0");
    const asked = server.requests.find(({ url }) => url.pathname === "/api/v1/pods");
    expect(asked?.url.searchParams.get("fieldSelector")).toBe("status.phase!=Succeeded,status.phase!=Failed");
  });
});

describe("plimsoll snapshot", () => {
  async function command(...args: string[]) {
    let [out, err] = ["", ""];
    const status = await run(["snapshot", ...args], {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      readStandardInput: async () => "",
      colour: false,
    });
    return { status, out, err };
  }

  test("prints one List and says on standard error what it read", async () => {
    const server = await serve({ objects: [node("a"), node("b")] });
    const { status, out, err } = await command("--kubeconfig", server.kubeconfig);
    expect(status).toBe(0);
    expect(out.startsWith("apiVersion: v1\nkind: List\nitems:\n- ")).toBe(true);
    expect(readInventory([{ file: "-", text: out }]).value?.nodes).toHaveLength(2);
    expect(err).toBe(`Read 2 Node from ${server.address}.\n`);
  });

  test("writes the file that -o names", async () => {
    const server = await serve({ objects: [node("a")] });
    const file = join(await mkdtemp(join(tmpdir(), "plimsoll-kube-")), "cluster.yaml");
    const { status, out } = await command("--kubeconfig", server.kubeconfig, "--context", "test", "-o", file);
    expect({ status, out }).toEqual({ status: 0, out: "" });
    expect(readInventory([{ file, text: await readFile(file, "utf8") }]).value?.nodes).toHaveLength(1);
  });

  test("where nothing may be read, nothing is written and the status is 2", async () => {
    const forbidden = Object.entries(SERVED).flatMap(([base, kinds]) =>
      Object.keys(kinds).map((plural) => `${base}/${plural}`),
    );
    const server = await serve({ forbidden });
    const { status, out, err } = await command("--kubeconfig", server.kubeconfig);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toContain("nothing could be read");
  });

  test.each<[string, (server: FakeServer) => Promise<string[]>, RegExp]>([
    [
      "a refused token",
      async (one) => ["--kubeconfig", await one.writeKubeconfig({ token: "other" })],
      /with 401: it does not take the credentials of context test$/,
    ],
    [
      "a context that is not there",
      async (one) => ["--kubeconfig", one.kubeconfig, "--context", "prod"],
      /has no context prod; it has test$/,
    ],
    ["a kubeconfig that is not there", async () => ["--kubeconfig", "absent/config"], /^absent\/config: ENOENT/],
  ])("%s is said in one line, with status 2", async (_name, args, message) => {
    const server = await serve({});
    const { status, out, err } = await command(...(await args(server)));
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err.trimEnd()).toMatch(message);
    expect(err.trimEnd()).not.toContain("\n");
  });
});
