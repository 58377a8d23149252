import { readFile } from "node:fs/promises";
import { afterEach, describe, expect, test } from "vitest";
import { readPolicies } from "../../src/files.ts";
import { connect, detectPlatform } from "../../src/kube/index.ts";
import type { JsonObject } from "../../src/model/index.ts";
import { loadCatalogue, type PolicyFile } from "../../src/policy/index.ts";
import { type Behaviour, type FakeServer, fakeServer } from "./fakeserver.ts";

const servers: FakeServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const BASE = { "/api/v1": { pods: "Pod" }, "/apis/apps/v1": { deployments: "Deployment" } };
async function detect(version: JsonObject, behaviour: Partial<Behaviour> = {}) {
  const server = await fakeServer({
    objects: [],
    aggregated: true,
    instead: (path, response) => {
      if (path === "/version") response.end(JSON.stringify(version));
      return path === "/version";
    },
    ...behaviour,
    served: { ...BASE, ...behaviour.served },
  });
  servers.push(server);
  const kube = await connect({ kubeconfig: server.kubeconfig });
  try {
    return await detectPlatform(kube);
  } finally {
    kube.close();
  }
}
const deployment = (name: string, image: string, version?: string, args: string[] = []): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: {
    name,
    labels: {
      "app.kubernetes.io/name": name,
      ...(version === undefined ? {} : { "app.kubernetes.io/version": version }),
    },
  },
  spec: { template: { spec: { containers: [{ name: "main", image, args }] } } },
});
const V137 = { major: "1", minor: "37", gitVersion: "v1.37.2" };

describe("a platform that says of itself", () => {
  test("only its version is just that", async () => {
    expect(await detect(V137)).toEqual({
      spec: { kubernetes: { version: "1.37.2" } },
      components: [],
      deviceApis: [],
      notes: [],
    });
  });

  test.each([
    ["an emulated version counts as that", { ...V137, emulationMajor: "1", emulationMinor: "35" }, "1.35.0"],
    ["its own version emulated keeps its patch", { ...V137, emulationMajor: "1", emulationMinor: "37" }, "1.37.2"],
    ["a version with a cloud's suffix", { gitVersion: "v1.34.1-eks-abc" }, "1.34.1"],
  ])("%s", async (_name, version, expected) => {
    expect((await detect(version)).spec["kubernetes"]).toEqual({ version: expected });
  });

  test("Kueue, Karpenter, devices and pod groups are seen by what is served, versions by their Deployments", async () => {
    const detected = await detect(V137, {
      objects: [deployment("kueue", "registry/kueue:v0.17.0"), deployment("karpenter", "x@sha256:abc", "1.14.1")],
      served: {
        "/apis/kueue.x-k8s.io/v1beta2": { clusterqueues: "ClusterQueue" },
        "/apis/kueue.x-k8s.io/v1beta1": { clusterqueues: "ClusterQueue" },
        "/apis/karpenter.sh/v1": { nodepools: "NodePool" },
        "/apis/resource.k8s.io/v1": { resourceslices: "ResourceSlice" },
        "/apis/scheduling.k8s.io/v1beta1": { podgroups: "PodGroup", workloads: "Workload" },
      },
    });
    expect(detected).toEqual({
      spec: {
        kubernetes: { version: "1.37.2", featureGates: { GenericWorkload: true } },
        autoscaler: { kind: "karpenter", version: "1.14.1" },
        kueue: { version: "0.17.0" },
      },
      components: [
        { name: "Kueue", version: "0.17.0", apis: ["v1beta2", "v1beta1"] },
        { name: "Karpenter", version: "1.14.1", apis: ["v1"] },
      ],
      deviceApis: ["v1"],
      notes: [],
    });
  });

  test.each<[string, JsonObject, Partial<Behaviour>, JsonObject]>([
    ["GKE by its version", { gitVersion: "v1.34.1-gke.100" }, {}, { kind: "gke", provisioningRequests: false }],
    [
      "EKS Auto Mode by its node classes",
      V137,
      {
        served: {
          "/apis/karpenter.sh/v1": { nodepools: "NodePool" },
          "/apis/eks.amazonaws.com/v1": { nodeclasses: "NodeClass" },
        },
      },
      { kind: "eks-auto" },
    ],
    [
      "Cluster Autoscaler that serves ProvisioningRequests",
      V137,
      {
        objects: [deployment("cluster-autoscaler", "ca:v1.34.0", undefined, ["--enable-provisioning-requests=true"])],
        served: { "/apis/autoscaling.x-k8s.io/v1": { provisioningrequests: "ProvisioningRequest" } },
      },
      { kind: "cluster-autoscaler", version: "1.34.0", provisioningRequests: true },
    ],
    [
      "Cluster Autoscaler without the flag",
      V137,
      { served: { "/apis/autoscaling.x-k8s.io/v1": { provisioningrequests: "ProvisioningRequest" } } },
      { kind: "cluster-autoscaler", provisioningRequests: false },
    ],
  ])("the autoscaler: %s", async (_name, version, behaviour, expected) => {
    expect((await detect(version, behaviour)).spec["autoscaler"]).toEqual(expected);
  });

  test("NodeResourceTopologies are named, and that who reads them cannot be seen", async () => {
    const { components, notes } = await detect(V137, {
      served: { "/apis/topology.node.k8s.io/v1alpha2": { noderesourcetopologies: "NodeResourceTopology" } },
    });
    expect(components).toEqual([{ name: "NodeResourceTopology", version: undefined, apis: ["v1alpha2"] }]);
    expect(notes).toEqual([expect.stringContaining("scheduler.numaAware")]);
  });

  test("where Deployments may not be listed, that is noted, and Kueue counts as old", async () => {
    const detected = await detect(V137, {
      served: { "/apis/kueue.x-k8s.io/v1beta1": { clusterqueues: "ClusterQueue" } },
      forbidden: ["/apis/apps/v1/deployments"],
    });
    expect(detected.spec["kueue"]).toEqual({ version: "0.4.0" });
    expect(detected.notes).toHaveLength(2);
  });
});

describe("what is detected, under a platform file", () => {
  const platformFile = (spec: string): PolicyFile => ({
    path: "platform.yaml",
    text: `apiVersion: plimsoll.dev/v1alpha1\nkind: Platform\nmetadata: {name: p}\nspec: {dialect: eks, layout: eks${spec}}\n`,
  });
  const DETECTED = {
    kubernetes: { version: "1.36.3", featureGates: { GenericWorkload: true } },
    autoscaler: { kind: "karpenter", version: "1.14.1" },
    kueue: { version: "0.17.0" },
  };
  const load = async (spec: string, detected?: JsonObject) => {
    const files = await readPolicies("policies");
    const options = { platform: platformFile(spec), ...(detected === undefined ? {} : { detected }) };
    return loadCatalogue(files, options);
  };

  test("holds where the file is silent, also for what a file alone must say", async () => {
    expect((await load("")).value).toBeUndefined();
    const { value, diagnostics } = await load("", DETECTED);
    expect(diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
    expect(value?.platform).toMatchObject({
      kubernetes: { version: { major: 1, minor: 36, patch: 3 }, featureGates: { GenericWorkload: true } },
      autoscaler: { kind: "karpenter", version: { major: 1, minor: 14 } },
      kueue: { version: { major: 0, minor: 17 } },
    });
  });

  test("gives way to the file, field by field", async () => {
    const said = ", kubernetes: {version: '1.37', featureGates: {GenericWorkload: false}}, kueue: {version: '0.16'}";
    const { value } = await load(said, DETECTED);
    expect(value?.platform).toMatchObject({
      kubernetes: { version: { major: 1, minor: 37 }, featureGates: { GenericWorkload: false } },
      autoscaler: { kind: "karpenter" },
      kueue: { version: { minor: 16 } },
    });
  });

  test("an autoscaler of another kind takes nothing from the detected one", async () => {
    const { value } = await load(", autoscaler: {kind: cluster-autoscaler}", DETECTED);
    expect(value?.platform.autoscaler).toMatchObject({ kind: "cluster-autoscaler", version: undefined });
  });

  test("is part of the revision, and nothing is changed where nothing was detected", async () => {
    const file = await readFile("policies/platform.yaml", "utf8");
    const files = [
      ...(await readPolicies("policies")).filter(({ path }) => !path.endsWith("platform.yaml")),
      { path: "platform.yaml", text: file },
    ];
    const [alone, with1] = [loadCatalogue(files).value, loadCatalogue(files, { detected: DETECTED }).value];
    expect(with1?.revision).not.toBe(alone?.revision);
    expect(with1?.platform.kubernetes.version).toEqual(alone?.platform.kubernetes.version);
  });
});
