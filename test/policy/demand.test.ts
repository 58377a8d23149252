import { describe, expect, test } from "vitest";
import type { ClusterFacts, JsonObject, PodSetDemand } from "../../src/model/index.ts";
import { buildDemand, demandDigest, resolveIntents, tenantOf } from "../../src/policy/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { CLASS, deployment, facts, job, type Parts, rayCluster, read } from "./given.ts";

const gpu = { "nvidia.com/gpu": 8 };

function demandOf(object: JsonObject, own: JsonObject = {}, known: ClusterFacts = facts(), platform: JsonObject = {}) {
  const given = catalogue({ class: { topology: undefined, overrides: undefined, ...own }, platform });
  const workload = read(object, given);
  const { intents } = resolveIntents(workload, given, { creating: true });
  return buildDemand(workload, intents, given, known);
}

function setOf(object: JsonObject, own: JsonObject = {}, objects: readonly JsonObject[] = []): PodSetDemand {
  const [set] = demandOf(object, own, facts(objects)).podSets;
  if (set === undefined) throw new Error("no pod set has a class");
  return set;
}

const classed = (parts: Parts = {}): Parts => ({ annotations: { [CLASS]: "under-test" }, limits: gpu, ...parts });

describe("how long a run takes", () => {
  const timed = (spec: JsonObject, parts: Parts = {}): JsonObject => {
    const made = job(classed(parts));
    return { ...made, spec: { ...(made["spec"] as JsonObject), ...spec } };
  };
  const ray = (spec: JsonObject): JsonObject => ({
    ...rayCluster({ workers: classed() }, classed()),
    kind: "RayJob",
    spec: { rayClusterSpec: rayCluster({ workers: classed() })["spec"] ?? {}, ...spec },
  });
  test.each<[string, JsonObject, JsonObject, number | undefined]>([
    ["nothing says so", job(classed()), { shape: "gang" }, undefined],
    ["the class does", job(classed()), { shape: "gang", runTime: "12h" }, 43_200],
    ["the job does, which knows better", timed({ activeDeadlineSeconds: 60 }), { shape: "gang", runTime: "12h" }, 60],
    ["the pod does", job(classed({ spec: { activeDeadlineSeconds: 90 } })), { shape: "gang" }, 90],
    [
      "the shorter of two",
      timed({ activeDeadlineSeconds: 60 }, { spec: { activeDeadlineSeconds: 30 } }),
      { shape: "gang" },
      30,
    ],
    ["a RayJob does", ray({ activeDeadlineSeconds: 7200 }), { shape: "gang" }, 7200],
    ["a deadline of nought is none", timed({ activeDeadlineSeconds: 0 }), { shape: "gang" }, undefined],
  ])("%s", (_, object, demand, seconds) => {
    expect(setOf(object, { demand }).runMs).toBe(seconds === undefined ? undefined : seconds * 1000);
  });
});

describe("with how few pods Kueue may start a Job", () => {
  const minimum = (text: string | undefined, object = job(classed({ count: 4 }))) => {
    const metadata = object["metadata"] as JsonObject;
    const annotations = {
      ...(metadata["annotations"] as JsonObject),
      ...(text === undefined ? {} : { [MINIMUM]: text }),
    };
    const labels = { "kueue.x-k8s.io/queue-name": "ml" };
    const queued = { ...object, metadata: { ...metadata, labels, annotations } };
    return demandOf(queued, {}, facts(), { kueue: { version: "0.17" } }).podSets[0]?.queueMinimum;
  };
  const MINIMUM = "kueue.x-k8s.io/job-min-parallelism";
  test.each<[string, string | undefined, number | undefined]>([
    ["as its annotation says", "3", 3],
    ["with none less where there is none", undefined, undefined],
    ["with none less where it is no number", "some", undefined],
    ["with none less where it is as many as there are", "4", undefined],
  ])("%s", (_, text, expected) => expect(minimum(text)).toBe(expected));

  test("and no other kind", () => expect(minimum("1", deployment(classed({ count: 4 })))).toBeUndefined());
});

describe("what must hold together, by shape", () => {
  const daemonSet = { ...deployment(classed()), kind: "DaemonSet" };
  test.each<[string, JsonObject, JsonObject, number]>([
    ["a gang: all pods", job(classed({ count: 16 })), { demand: { shape: "gang" } }, 16],
    [
      "online: the class's minimum",
      deployment(classed({ count: 5 })),
      { demand: { shape: "online", replicas: { min: 2 } } },
      2,
    ],
    [
      "online: one, where the class has no minimum",
      deployment(classed({ count: 5 })),
      { demand: { shape: "online", scaleToZero: true } },
      1,
    ],
    [
      "online: never more than there are",
      deployment(classed({ count: 1 })),
      { demand: { shape: "online", replicas: { min: 4 } } },
      1,
    ],
    [
      "session: the class's minimum",
      deployment(classed({ count: 5 })),
      { demand: { shape: "session", replicas: { min: 3 } } },
      3,
    ],
    ["batch: one", job(classed({ count: 16 })), { demand: { shape: "batch" } }, 1],
    ["stream: one", deployment(classed({ count: 5 })), { demand: { shape: "stream" } }, 1],
    ["a set that is scaled to nothing: nothing", deployment(classed({ count: 0 })), { demand: { shape: "online" } }, 0],
    ["one pod a node: one", daemonSet, { demand: { shape: "gang" } }, 1],
  ])("%s", (_, object, own, required) => {
    const set = setOf(object, own);
    expect(set.required).toBe(required);
    expect(set.peak).toBeGreaterThanOrEqual(set.count);
  });

  test("the kind's own minimum counts for batch and stream", () => {
    const object = rayCluster(
      { small: { count: 3, limits: { "nvidia.com/gpu": 1 } } },
      { annotations: { [CLASS]: "under-test" } },
    );
    const sets = demandOf(object, { demand: { shape: "stream" }, roles: { head: { accelerator: "none" } } }).podSets;
    expect(sets.map(({ name, count, required }) => [name, count, required])).toEqual([
      ["head", 1, 1],
      ["small", 3, 1],
    ]);
  });

  test("only sets with a class are asked about, in the workload's order", () => {
    const object = rayCluster({
      b: { template: { [CLASS]: "under-test" } },
      a: { template: { [CLASS]: "under-test" } },
      c: {},
    });
    expect(demandOf(object).podSets.map(({ name }) => name)).toEqual(["b", "a"]);
  });
});

describe("placement", () => {
  test.each<[string, JsonObject, JsonObject]>([
    [
      "a gang without topology is one unit anywhere",
      {},
      { unit: "podSet", groupSize: 1, level: undefined, mode: "required", spread: undefined },
    ],
    [
      "online pods are units by themselves",
      { demand: { shape: "online" } },
      { unit: "pod", groupSize: 1, level: undefined, mode: "required", spread: undefined },
    ],
    [
      "what the class says",
      {
        topology: {
          unit: "group",
          groupSize: 4,
          level: "rack",
          mode: "preferred",
          spread: { level: "zone", maxSkew: 2, mode: "preferred" },
        },
      },
      {
        unit: "group",
        groupSize: 4,
        level: "rack",
        mode: "preferred",
        spread: { level: "zone", maxSkew: 2, mode: "preferred" },
      },
    ],
  ])("%s", (_, own, expected) => {
    expect(setOf(job(classed()), own).placement).toEqual(expected);
  });
});

describe("the shape of a pod", () => {
  test("is what the API server makes of it: LimitRange defaults and RuntimeClass", () => {
    const objects = [
      { apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a" } },
      {
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "l", namespace: "team-a" },
        spec: { limits: [{ type: "Container", default: { memory: "2Gi" }, defaultRequest: { cpu: "500m" } }] },
      },
      {
        apiVersion: "node.k8s.io/v1",
        kind: "RuntimeClass",
        metadata: { name: "kata" },
        overhead: { podFixed: { cpu: "250m" } },
        scheduling: { nodeSelector: { runtime: "kata" }, tolerations: [{ key: "kata", operator: "Exists" }] },
      },
    ];
    const { pod } = setOf(
      job(
        classed({
          spec: {
            runtimeClassName: "kata",
            nodeSelector: { disk: "ssd" },
            tolerations: [{ key: "own", operator: "Exists" }],
          },
        }),
      ),
      {},
      objects,
    );
    expect({ ...pod.requests }).toEqual({ cpu: 750, memory: 2 * 2 ** 30, "nvidia.com/gpu": 8, pods: 1 });
    expect(pod.selection.map((term) => [...term.keys()].sort())).toEqual([["disk", "runtime"]]);
    expect(pod.tolerations.map(({ key }) => key)).toEqual(["own", "kata"]);
    expect(pod.unknowns).toEqual([]);
  });

  test("a RuntimeClass that is not in the input is named", () => {
    expect(setOf(job(classed({ spec: { runtimeClassName: "kata" } }))).pod.unknowns).toEqual([
      "RuntimeClass kata is not in the input, so its overhead and node selector are not known",
    ]);
  });

  const priorities = [
    {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "high" },
      value: 1000,
      preemptionPolicy: "Never",
    },
    { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "low" }, value: 10 },
    {
      apiVersion: "scheduling.k8s.io/v1",
      kind: "PriorityClass",
      metadata: { name: "usual" },
      value: 100,
      globalDefault: true,
    },
  ];
  test.each<[string, JsonObject, JsonObject, number, boolean]>([
    ["the template's", { priorityClassName: "high" }, { tenancy: { priorityClassName: "low" } }, 1000, false],
    ["else the class's", {}, { tenancy: { priorityClassName: "low" } }, 10, true],
    ["else the default", {}, {}, 100, true],
    ["a system class", { priorityClassName: "system-node-critical" }, {}, 2_000_001_000, true],
    ["zero where it is not known", { priorityClassName: "gone" }, {}, 0, true],
  ])("priority: %s", (_, spec, own, priority, preempts) => {
    expect(setOf(job(classed({ spec })), own, priorities).pod).toMatchObject({ priority, preempts });
  });

  test("carries node name, scheduler, host ports and hard spread", () => {
    const spec = {
      nodeName: "n1",
      schedulerName: "volcano",
      hostNetwork: true,
      containers: [{ name: "main", ports: [{ containerPort: 8080 }] }],
      topologySpreadConstraints: [
        { topologyKey: "zone", maxSkew: 1, labelSelector: {}, whenUnsatisfiable: "DoNotSchedule" },
      ],
    };
    expect(setOf(job(classed({ spec }))).pod).toMatchObject({
      nodeName: "n1",
      schedulerName: "volcano",
      hostPorts: [8080],
      spread: [{ key: "zone", maxSkew: 1 }],
    });
  });
});

describe("devices of the manifest's own claims", () => {
  const template = (devices: JsonObject): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaimTemplate",
    metadata: { name: "t", namespace: "team-a" },
    spec: { spec: { devices } },
  });
  const deviceClass = {
    apiVersion: "resource.k8s.io/v1",
    kind: "DeviceClass",
    metadata: { name: "gpu.nvidia.com" },
    spec: { selectors: [{ cel: { expression: "of the class" } }] },
  };
  const claiming = job({
    annotations: { [CLASS]: "under-test" },
    spec: { resourceClaims: [{ name: "c", resourceClaimTemplateName: "t" }] },
  });

  test("are followed to their template, class selectors first", () => {
    const devices = {
      requests: [
        {
          name: "a",
          exactly: {
            deviceClassName: "gpu.nvidia.com",
            count: 2,
            selectors: [{ cel: { expression: "of the request" } }],
            tolerations: [{ key: "k", operator: "Exists" }],
          },
        },
        { name: "b", exactly: { deviceClassName: "gpu.nvidia.com", allocationMode: "All" } },
      ],
      constraints: [{ matchAttribute: "resource.kubernetes.io/pcieRoot" }, { matchAttribute: "x/y", requests: ["b"] }],
    };
    const { pod } = setOf(claiming, {}, [template(devices), deviceClass]);
    expect(pod.unknowns).toEqual([]);
    expect(pod.devices).toEqual([
      {
        name: "a",
        claim: "c",
        deviceClassName: "gpu.nvidia.com",
        selectors: ["of the class", "of the request"],
        count: 2,
        tolerations: [{ key: "k", operator: "Exists" }],
        matchAttributes: [{ attribute: "resource.kubernetes.io/pcieRoot", requests: ["a", "b"] }],
      },
      {
        name: "b",
        claim: "c",
        deviceClassName: "gpu.nvidia.com",
        selectors: ["of the class"],
        count: "all",
        tolerations: [],
        matchAttributes: [
          { attribute: "resource.kubernetes.io/pcieRoot", requests: ["a", "b"] },
          { attribute: "x/y", requests: ["b"] },
        ],
      },
    ]);
  });

  test.each<[string, readonly JsonObject[], RegExp]>([
    ["a template that is not in the input", [], /ResourceClaimTemplate t of namespace team-a is not in the input/],
    [
      "a device class that is not in the input",
      [template({ requests: [{ name: "a", exactly: { deviceClassName: "other" } }] })],
      /DeviceClass other, which ResourceClaimTemplate t asks for/,
    ],
  ])("%s makes the answer unknown and is named", (_, objects, unknown) => {
    const { unknowns } = setOf(claiming, {}, objects).pod;
    expect(unknowns).toHaveLength(1);
    expect(unknowns[0]).toMatch(unknown);
  });

  test("alternatives, differences, amounts and administrators are read", () => {
    const devices = {
      requests: [
        {
          name: "a",
          firstAvailable: [
            { name: "x", deviceClassName: "gpu.nvidia.com", count: 1 },
            { name: "y", deviceClassName: "gpu.nvidia.com", count: 2, capacity: { requests: { memory: "10Gi" } } },
          ],
        },
        { name: "b", exactly: { deviceClassName: "gpu.nvidia.com", adminAccess: true } },
      ],
      constraints: [{ distinctAttribute: "x/y", requests: ["a/x", "b"] }],
    };
    const { pod } = setOf(claiming, {}, [template(devices), deviceClass]);
    expect(pod.unknowns).toEqual([]);
    const [a, b] = pod.devices;
    const constraint = { attribute: "x/y", requests: ["a/x", "b"] };
    expect(a).toMatchObject({ name: "a", distinctAttributes: [constraint] });
    expect(a?.firstAvailable?.map(({ name, count }) => [name, count])).toEqual([
      ["x", 1],
      ["y", 2],
    ]);
    expect(a?.firstAvailable?.[1]?.capacity).toEqual({ memory: "10Gi" });
    expect(b).toMatchObject({ adminAccess: true, distinctAttributes: [constraint] });
  });

  const shared = job({
    annotations: { [CLASS]: "under-test" },
    spec: { resourceClaims: [{ name: "c", resourceClaimName: "one" }] },
  });
  const claim = (status: JsonObject): JsonObject => ({
    ...template({}),
    kind: "ResourceClaim",
    metadata: { name: "one", namespace: "team-a" },
    spec: { devices: { requests: [{ name: "a", exactly: { deviceClassName: "gpu.nvidia.com" } }] } },
    status,
  });

  test("a claim that several pods share is named, so that it is allocated once", () => {
    const { pod } = setOf(shared, {}, [claim({}), deviceClass]);
    expect(pod.unknowns).toEqual([]);
    expect(pod.devices.map(({ sharedClaim }) => sharedClaim)).toEqual(["team-a/one"]);
  });

  test("a claim that is allocated asks for nothing more, and binds its pods to its nodes", () => {
    const terms = [{ matchFields: [{ key: "metadata.name", operator: "In", values: ["n-1"] }] }];
    const allocation = { devices: { results: [] }, nodeSelector: { nodeSelectorTerms: terms } };
    const { pod } = setOf(shared, {}, [claim({ allocation }), deviceClass]);
    expect(pod.devices).toEqual([]);
    expect(pod.selection.map((term) => [...term.values()].map(({ values }) => [...(values ?? [])]))).toEqual([
      [["n-1"]],
    ]);
  });
});

describe("tenant and limit", () => {
  test("the namespace's label, else the namespace", () => {
    const namespace = (labels: JsonObject) =>
      facts([{ apiVersion: "v1", kind: "Namespace", metadata: { name: "team-a", labels } }]);
    expect(tenantOf("team-a", namespace({ "plimsoll.dev/tenant": "blue" }))).toBe("blue");
    expect(tenantOf("team-a", namespace({}))).toBe("team-a");
    expect(tenantOf("team-a", facts())).toBe("team-a");
    expect(tenantOf("", facts())).toBe("default");
  });

  test("the smallest limit of the workload's classes", () => {
    const limits = (accelerators: number) => ({ tenancy: { limits: { accelerators } } });
    const object = rayCluster({ a: { limits: gpu } }, { annotations: { [CLASS]: "under-test" } });
    expect(
      demandOf(object, { ...limits(64), roles: { head: { accelerator: "none", ...limits(8) } } }).acceleratorLimit,
    ).toBe(8);
    expect(demandOf(object).acceleratorLimit).toBeUndefined();
  });
});

describe("the demand's digest", () => {
  const digestOf = (parts: Parts, own: JsonObject = {}) => demandDigest(setOf(job(classed(parts)), own));
  const base = digestOf({});

  test.each<[string, Parts, JsonObject]>([
    ["the count", { count: 9 }, {}],
    ["the class", {}, { capacity: { types: ["on-demand"] }, tenancy: { priorityClassName: "x" } }],
    ["an image", { spec: { containers: [{ name: "main", image: "other:1", resources: { limits: gpu } }] } }, {}],
    ["labels and annotations of the template", { template: { a: "b" } }, {}],
    ["the class's run time", {}, { demand: { shape: "gang", runTime: "12h" } }],
    ["a deadline of nought, which is none", { spec: { activeDeadlineSeconds: 0 } }, {}],
  ])("stays with %s", (_, parts, own) => expect(digestOf(parts, own)).toBe(base));

  test.each<[string, Parts]>([
    ["device count", { limits: { "nvidia.com/gpu": 4 } }],
    ["cpu", { limits: { ...gpu, cpu: 4 } }],
    ["node selector", { spec: { nodeSelector: { a: "b" } } }],
    ["toleration", { spec: { tolerations: [{ key: "a", operator: "Exists" }] } }],
    ["scheduler", { spec: { schedulerName: "other" } }],
    ["deadline of the pod", { spec: { activeDeadlineSeconds: 60 } }],
    [
      "required affinity to pods",
      {
        spec: {
          affinity: {
            podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: "a", labelSelector: {} }] },
          },
        },
      },
    ],
  ])("changes with another %s", (_, parts) => expect(digestOf(parts)).not.toBe(base));

  test("changes with the deadline of the whole job, and back", () => {
    const timed = (seconds: number) => {
      const made = job(classed({}));
      return demandDigest(
        setOf({ ...made, spec: { ...(made["spec"] as JsonObject), activeDeadlineSeconds: seconds } }),
      );
    };
    expect(new Set([base, timed(60), timed(90), timed(60)]).size).toBe(3);
  });
});
