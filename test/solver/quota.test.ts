import { describe, expect, test } from "vitest";
import {
  type Answer,
  type DeviceRequest,
  type Hold,
  type JsonObject,
  podCharges,
  podLimits,
  podRequests,
} from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom } from "../../src/topology/index.ts";
import { cluster, testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, step } from "../support/demand.ts";

interface Given {
  readonly hard: JsonObject;
  readonly used?: JsonObject;
  readonly spec?: JsonObject;
  readonly objects?: readonly JsonObject[];
}

interface Asked {
  readonly container?: JsonObject;
  readonly spec?: JsonObject;
  readonly pods?: number;
  readonly devices?: readonly DeviceRequest[];
  readonly priorityClass?: string;
}

const quota = ({ hard, used = {}, spec = {} }: Given): JsonObject => ({
  apiVersion: "v1",
  kind: "ResourceQuota",
  metadata: { name: "q", namespace: "default" },
  spec: { hard, ...spec },
  status: { hard, used },
});

const classOf = (name: string, extendedResourceName?: string): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "DeviceClass",
  metadata: { name },
  spec: {
    selectors: [{ cel: { expression: 'device.driver == "gpu.nvidia.com"' } }],
    ...(extendedResourceName === undefined ? {} : { extendedResourceName }),
  },
});

/** Four nodes of eight devices, under one quota. */
function ask(given: Given, asked: Asked, context: Partial<SolveContext> = {}, dra = true): Answer {
  const nodes = cluster().namespace("default");
  nodes.nodes("n", 4, (node) => (dra ? node.dra("h100", 8) : node.gpus("h100", 8)).resource("hugepages-2Mi", "1Gi"));
  const objects = [...nodes.objects(), quota(given), ...(given.objects ?? [])];
  const { value } = inventoryFrom(objects);
  if (value === undefined) throw new Error("no inventory");
  const spec = { containers: [{ name: "main", resources: asked.container ?? {} }], ...asked.spec };
  const set = podSet("main", {
    required: asked.pods ?? 2,
    steps: [gpuStep(0)],
    pod: {
      requests: podRequests(spec),
      charges: podCharges(spec, { defaults: [], priorityClass: asked.priorityClass }),
      devices: asked.devices ?? [],
    },
  });
  return solve(buildTopology(value, testLayout), demandOf(set), contextOf(context));
}
const verdictOf = (...args: Parameters<typeof ask>) => ask(...args).verdict;
const said = (answer: Answer): readonly string[] =>
  (answer.chosen?.reasons ?? answer.ladder[0]?.reasons ?? [])
    .filter(({ code }) => code === "QuotaExceeded")
    .map(({ message }) => message);

const requests = (amounts: JsonObject): JsonObject => ({ requests: amounts });
const limits = (amounts: JsonObject): JsonObject => ({ requests: { cpu: "1", memory: "1Gi" }, limits: amounts });
const CLASS = "gpu.nvidia.com.deviceclass.resource.k8s.io/devices";

describe("what a quota counts", () => {
  const cases: readonly (readonly [string, Given, Asked, string])[] = [
    ["pods", { hard: { pods: "3" }, used: { pods: "2" } }, {}, "busy"],
    ["cpu means requests", { hard: { cpu: "4" }, used: { cpu: "2" } }, { container: requests({ cpu: "1" }) }, "fits"],
    ["in exact amounts", { hard: { cpu: "4" }, used: { cpu: "2001m" } }, { container: requests({ cpu: "1" }) }, "busy"],
    ["limits apart from requests", { hard: { "limits.cpu": "6" } }, { container: limits({ cpu: "3" }) }, "fits"],
    ["and more than they allow", { hard: { "limits.cpu": "6" } }, { container: limits({ cpu: "3001m" }) }, "never"],
    [
      "huge pages under either key",
      { hard: { "hugepages-2Mi": "4Mi" }, used: { "hugepages-2Mi": "2Mi" } },
      { container: requests({ "hugepages-2Mi": "2Mi" }) },
      "busy",
    ],
    ["devices of a class", { hard: { [CLASS]: "8" } }, { devices: [deviceRequest("g", 4)] }, "fits"],
    ["of which it asks for too many", { hard: { [CLASS]: "8" } }, { devices: [deviceRequest("g", 5)] }, "never"],
    [
      "of which others have some",
      { hard: { [CLASS]: "8" }, used: { [CLASS]: "1" } },
      { devices: [deviceRequest("g", 4)] },
      "busy",
    ],
    ["all of a node as 32", { hard: { [CLASS]: "63" } }, { devices: [deviceRequest("g", "all")] }, "never"],
    ["and no more than that", { hard: { [CLASS]: "64" } }, { devices: [deviceRequest("g", "all")] }, "fits"],
    [
      "of alternatives the dearest",
      { hard: { [CLASS]: "7" } },
      { devices: [deviceRequest("g", 1, { firstAvailable: [deviceRequest("a", 4), deviceRequest("b", 1)] })] },
      "never",
    ],
    [
      "claims that are made for it",
      { hard: { "count/resourceclaims.resource.k8s.io": "1" } },
      { devices: [deviceRequest("g", 1)] },
      "never",
    ],
    [
      "each claim once",
      { hard: { "count/resourceclaims.resource.k8s.io": "2" } },
      { devices: [deviceRequest("g", 1), deviceRequest("h", 1)] },
      "fits",
    ],
    ["nothing of what other objects are charged", { hard: { "count/services": "0", configmaps: "0" } }, {}, "fits"],
    [
      "a pod with a limit counts it as its request",
      { hard: { "requests.memory": "2Gi" } },
      { container: { limits: { memory: "2Gi" } } },
      "never",
    ],
    [
      "claims as the extended resource that their class serves",
      { hard: { "requests.example.com/gpu": "7" }, objects: [classOf("gpu.nvidia.com", "example.com/gpu")] },
      { devices: [deviceRequest("g", 4)] },
      "never",
    ],
    [
      "and under the class's own name for it",
      {
        hard: { "requests.deviceclass.resource.kubernetes.io/gpu.nvidia.com": "8" },
        used: { "requests.deviceclass.resource.kubernetes.io/gpu.nvidia.com": "4" },
        objects: [classOf("gpu.nvidia.com", "example.com/gpu")],
      },
      { devices: [deviceRequest("g", 4)] },
      "busy",
    ],
  ];
  test.each(cases)("%s", (_sentence, given, asked, verdict) => {
    expect(verdictOf(given, asked)).toBe(verdict);
  });

  test("an extended resource that claims serve is charged to the resource, and to the class once the scheduler makes the claim", () => {
    const objects = [classOf("gpu.nvidia.com", "nvidia.com/gpu")];
    const asked: Asked = { container: { limits: { "nvidia.com/gpu": "4" } } };
    const key = "requests.nvidia.com/gpu";
    expect(verdictOf({ hard: { [key]: "8" }, objects }, asked)).toBe("fits");
    expect(verdictOf({ hard: { [key]: "7" }, objects }, asked)).toBe("never");
    expect(verdictOf({ hard: { [CLASS]: "7" }, objects }, asked)).toBe("never");
    expect(verdictOf({ hard: { [CLASS]: "8", "count/resourceclaims.resource.k8s.io": "2" }, objects }, asked)).toBe(
      "fits",
    );
    expect(verdictOf({ hard: { "count/resourceclaims.resource.k8s.io": "1" }, objects }, asked)).toBe("never");
    // On nodes that count the resource themselves no claim is made.
    expect(verdictOf({ hard: { [CLASS]: "0" }, objects }, asked, {}, false)).toBe("fits");
  });

  test("it says which quota, how much is left of how much, and what is asked", () => {
    expect(
      said(
        ask(
          { hard: { "limits.memory": "8Gi" }, used: { "limits.memory": "3Gi" } },
          { container: limits({ memory: "3Gi" }) },
        ),
      ),
    ).toEqual(["quota q of namespace default has 5Gi of 8Gi limits.memory left, and this needs 6Gi"]);
    expect(said(ask({ hard: { [CLASS]: "8" }, used: { [CLASS]: "2" } }, { devices: [deviceRequest("g", 4)] }))).toEqual(
      [`quota q of namespace default has 6 of 8 ${CLASS} left, and this needs 8`],
    );
  });
});

describe("which pods a quota counts", () => {
  const scoped = (selector: JsonObject): Given => ({
    hard: { pods: "1" },
    spec: { scopeSelector: { matchExpressions: [selector] } },
  });
  const priority = (operator: string, values: readonly string[] = []): Given =>
    scoped({ scopeName: "PriorityClass", operator, ...(values.length === 0 ? {} : { values }) });
  const far: JsonObject = {
    affinity: {
      podAntiAffinity: {
        preferredDuringSchedulingIgnoredDuringExecution: [
          { weight: 1, podAffinityTerm: { topologyKey: "kubernetes.io/hostname", namespaces: ["other"] } },
        ],
      },
    },
  };
  const asks = requests({ cpu: "1" });
  const cases: readonly (readonly [string, Given, Asked, "counts" | "passes"])[] = [
    ["PriorityClass In", priority("In", ["high", "low"]), { priorityClass: "high" }, "counts"],
    ["PriorityClass In, another", priority("In", ["low"]), { priorityClass: "high" }, "passes"],
    ["PriorityClass In, none", priority("In", ["low"]), {}, "passes"],
    ["PriorityClass NotIn", priority("NotIn", ["low"]), { priorityClass: "high" }, "counts"],
    ["PriorityClass NotIn, none", priority("NotIn", ["low"]), {}, "counts"],
    ["PriorityClass Exists", priority("Exists"), { priorityClass: "high" }, "counts"],
    ["PriorityClass Exists, none", priority("Exists"), {}, "passes"],
    ["PriorityClass DoesNotExist", priority("DoesNotExist"), {}, "counts"],
    ["BestEffort", { hard: { pods: "1" }, spec: { scopes: ["BestEffort"] } }, {}, "counts"],
    [
      "BestEffort, of a pod that asks for cpu",
      { hard: { pods: "1" }, spec: { scopes: ["BestEffort"] } },
      { container: asks },
      "passes",
    ],
    ["NotBestEffort", { hard: { pods: "1" }, spec: { scopes: ["NotBestEffort"] } }, { container: asks }, "counts"],
    [
      "Terminating",
      { hard: { pods: "1" }, spec: { scopes: ["Terminating"] } },
      { spec: { activeDeadlineSeconds: 9 } },
      "counts",
    ],
    [
      "NotTerminating",
      { hard: { pods: "1" }, spec: { scopes: ["NotTerminating"] } },
      { spec: { activeDeadlineSeconds: 9 } },
      "passes",
    ],
    [
      "CrossNamespacePodAffinity",
      scoped({ scopeName: "CrossNamespacePodAffinity", operator: "Exists" }),
      { spec: far },
      "counts",
    ],
    [
      "CrossNamespacePodAffinity, without any",
      scoped({ scopeName: "CrossNamespacePodAffinity", operator: "Exists" }),
      {},
      "passes",
    ],
    ["a scope that nobody knows", scoped({ scopeName: "Weather", operator: "Exists" }), {}, "passes"],
    [
      "all scopes at once",
      { hard: { pods: "1" }, spec: { scopes: ["NotBestEffort", "NotTerminating"] } },
      { spec: { activeDeadlineSeconds: 9 }, container: asks },
      "passes",
    ],
  ];
  test.each(cases)("%s: %s", (_sentence, given, asked, what) => {
    expect(verdictOf(given, asked)).toBe(what === "counts" ? "never" : "fits");
  });

  test("a quota on cpu or memory refuses a pod with a container that leaves it out, unless the pod says it as a whole", () => {
    const two: JsonObject = { containers: [{ name: "main", resources: requests({ cpu: "1" }) }, { name: "log" }] };
    const answer = ask({ hard: { "requests.cpu": "100", "limits.memory": "100Gi" } }, { spec: two });
    expect(answer.verdict).toBe("never");
    expect(said(answer)).toEqual([
      "quota q of namespace default counts requests.cpu, so it refuses pods in which log says no requests.cpu",
      "quota q of namespace default counts limits.memory, so it refuses pods in which main, log say no limits.memory",
    ]);
    const whole: JsonObject = { ...two, resources: { requests: { cpu: "2" }, limits: { memory: "1Gi" } } };
    expect(verdictOf({ hard: { "requests.cpu": "100", "limits.memory": "100Gi" } }, { spec: whole })).toBe("fits");
  });
});

describe("who is charged already", () => {
  const hold = (charged: Readonly<Record<string, number>>, accelerators = 0): Hold => ({
    workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "other" },
    tenant: "team-t",
    takenAtMs: 0,
    placed: [
      {
        podSet: "main",
        node: "n-1",
        pods: 2,
        requests: { "nvidia.com/gpu": 4 },
        devices: ["a", "b"],
        accelerators,
        charged,
      },
    ],
    newNodes: [],
  });

  test("claims that are promised to others in the namespace count, class by class", () => {
    const given: Given = { hard: { [CLASS]: "12" } };
    const asked: Asked = { devices: [deviceRequest("g", 4)] };
    expect(verdictOf(given, asked, { holds: [hold({ "gpu.nvidia.com": 2 })] })).toBe("fits");
    expect(verdictOf(given, asked, { holds: [hold({ "gpu.nvidia.com": 3 })] })).toBe("busy");
    expect(verdictOf(given, asked, { holds: [hold({ "mig.nvidia.com": 9 })] })).toBe("fits");
  });

  test("of what is promised a quota with scopes counts nothing, since which pods it covers is not kept", () => {
    const scoped: Given = { hard: { pods: "3" }, spec: { scopes: ["NotTerminating"] } };
    expect(verdictOf({ hard: { pods: "3" } }, {}, { holds: [hold({})] })).toBe("busy");
    expect(verdictOf(scoped, {}, { holds: [hold({})] })).toBe("fits");
  });

  test("pods of the workload that the quota does not count yet give nothing to others", () => {
    const own: JsonObject = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: {
        name: "train-0",
        namespace: "default",
        ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "train", uid: "u", controller: true }],
      },
      spec: { nodeName: "n-1", containers: [{ name: "main" }] },
    };
    expect(verdictOf({ hard: { pods: "3" }, objects: [own] }, {}, { holds: [hold({})] })).toBe("busy");
    expect(verdictOf({ hard: { pods: "4" }, objects: [own] }, {}, { holds: [hold({})] })).toBe("fits");
  });

  test("the workload's own claims do not count twice", () => {
    const claim = (index: number): JsonObject => ({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: {
        name: `c-${index}`,
        namespace: "default",
        ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "train", uid: "u", controller: true }],
      },
      spec: { devices: { requests: [{ name: "g", exactly: { deviceClassName: "gpu.nvidia.com", count: 4 } }] } },
      status: {
        allocation: {
          devices: { results: [{ request: "g", driver: "gpu.nvidia.com", pool: "n-1", device: `gpu-${index}` }] },
        },
      },
    });
    const given = (objects: readonly JsonObject[]): Given => ({
      hard: { [CLASS]: "8" },
      used: { [CLASS]: "8" },
      objects,
    });
    expect(verdictOf(given([claim(0), claim(1)]), { devices: [deviceRequest("g", 4)] })).toBe("fits");
    expect(verdictOf(given([claim(0)]), { devices: [deviceRequest("g", 4)] })).toBe("busy");
  });

  test("the class's limit counts a promise once, however its devices are served", () => {
    const demand = { ...demandOf(podSet("main", { required: 1, steps: [gpuStep(4)] })), acceleratorLimit: 12 };
    const topology = cluster()
      .nodes("n", 2, (node) => node.gpus("h100", 8))
      .topology();
    expect(solve(topology, demand, contextOf({ holds: [hold({}, 4)] })).verdict).toBe("fits");
    expect(solve(topology, demand, contextOf({ holds: [hold({}, 5)] })).verdict).toBe("busy");
  });

  test("a claim that the scheduler made for an extended resource is no second accelerator", () => {
    const claim = (annotations: JsonObject): JsonObject => ({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaim",
      metadata: { name: "held", namespace: "team-t", annotations, ownerReferences: [] },
      spec: {
        devices: {
          requests: [{ name: "container-0-request-0", exactly: { deviceClassName: "gpu.nvidia.com", count: 2 } }],
        },
      },
      status: {
        allocation: {
          devices: {
            results: [0, 1].map((index) => ({
              request: "r",
              driver: "gpu.nvidia.com",
              pool: "n-1",
              device: `gpu-${index}`,
            })),
          },
        },
        reservedFor: [{ resource: "pods", name: "held", uid: "x" }],
      },
    });
    const pod: JsonObject = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "held", namespace: "team-t" },
      spec: { nodeName: "n-1", containers: [{ name: "main", resources: { limits: { "nvidia.com/gpu": "2" } } }] },
      status: { phase: "Running" },
    };
    const held = (annotations: JsonObject): string | undefined => {
      const objects = [
        ...cluster()
          .nodes("n", 2, (node) => node.dra("h100", 8))
          .objects(),
        pod,
        claim(annotations),
      ];
      const { value } = inventoryFrom(objects);
      if (value === undefined) throw new Error("no inventory");
      const demand = {
        ...demandOf(podSet("main", { required: 1, steps: [step({}, { devicesPerPod: 10 })] })),
        acceleratorLimit: 11,
      };
      const { ladder } = solve(buildTopology(value, testLayout), demand, contextOf());
      return ladder[0]?.reasons.find(({ code }) => code === "LimitExceeded")?.message;
    };
    expect(held({ "resource.kubernetes.io/extended-resource-claim": "true" })).toMatch(/^tenant team-t holds 2 of/);
    expect(held({})).toMatch(/^tenant team-t holds 4 of/);
  });
});

test("the limits of a pod: containers and sidecars, or the largest init container, or what the pod says as a whole", () => {
  const at = (cpu: string, extra: JsonObject = {}): JsonObject => ({
    name: cpu,
    resources: { limits: { cpu } },
    ...extra,
  });
  const containers = [at("1"), at("500m"), { name: "none" }];
  expect({ ...podLimits({ containers }) }).toEqual({ cpu: 1500 });
  expect({ ...podLimits({ containers, initContainers: [at("2"), at("250m", { restartPolicy: "Always" })] }) }).toEqual({
    cpu: 2000,
  });
  expect({ ...podLimits({ containers, initContainers: [at("250m", { restartPolicy: "Always" }), at("2")] }) }).toEqual({
    cpu: 2250,
  });
  expect({ ...podLimits({ containers, resources: { limits: { cpu: "4" } } }) }).toEqual({ cpu: 4000 });
  const defaults = [{ defaults: { cpu: "3", memory: "1Gi" }, defaultRequests: {} }];
  expect({ ...podLimits({ containers }, { defaults, overhead: { cpu: 100, "example.com/x": 1 } }) }).toEqual({
    cpu: 4600,
    memory: 3 * 2 ** 30,
  });
});
