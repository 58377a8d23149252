import { describe, expect, test } from "vitest";
import { conjunction, type JsonObject, requirement } from "../../src/model/index.ts";
import { inventoryFrom } from "../../src/topology/index.ts";
import { inventory } from "../support/reading.ts";

describe("the objects beside nodes", () => {
  const namespace: JsonObject = {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: "n", labels: { tier: "prod" } },
  };

  test("a namespace carries its labels, container limits and quotas", () => {
    const { facts } = inventory(
      namespace,
      {
        apiVersion: "v1",
        kind: "LimitRange",
        metadata: { name: "l", namespace: "n" },
        spec: {
          limits: [
            { type: "Pod", max: { cpu: "8" } },
            { type: "Container", default: { cpu: 1 }, defaultRequest: { cpu: "500m" } },
          ],
        },
      },
      {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "q", namespace: "n" },
        spec: { hard: { "requests.cpu": "9" } },
        status: { hard: { "requests.cpu": "2", "requests.nvidia.com/gpu": "8" }, used: { "requests.cpu": "500m" } },
      },
    );
    const read = facts.namespace("n");
    expect(read?.labels).toEqual({ "kubernetes.io/metadata.name": "n", tier: "prod" });
    expect(read?.containerLimits).toEqual([{ defaults: { cpu: "1" }, defaultRequests: { cpu: "500m" } }]);
    expect(read?.quotas.map((one) => ({ ...one, hard: { ...one.hard }, used: { ...one.used } }))).toEqual([
      {
        name: "q",
        hard: { "requests.cpu": 2000, "requests.nvidia.com/gpu": 8 },
        used: { "requests.cpu": 500 },
        scopes: [],
      },
    ]);
    expect(facts.namespace("other")).toBeUndefined();
  });

  test("a PodDisruptionBudget selects nothing without a selector, and allows nothing before a controller has counted", () => {
    const budget = (name: string, spec: JsonObject, status?: JsonObject): JsonObject => ({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: { name, namespace: "n" },
      spec,
      ...(status === undefined ? {} : { status }),
    });
    const { facts } = inventory(
      budget(
        "b",
        { selector: { matchLabels: { app: "web" } } },
        { disruptionsAllowed: 2, disruptedPods: { "web-0": "2026-01-01T00:00:00Z" } },
      ),
      budget("a", { selector: {} }),
      budget("c", { selector: { matchExpressions: [{ key: "app", operator: "Near" }] } }, { disruptionsAllowed: 1 }),
    );
    expect(
      facts
        .disruptionBudgets?.("n")
        .map(({ name, selector, allowed, disrupted }) => [name, selector?.size, allowed, disrupted]),
    ).toEqual([
      ["a", undefined, 0, []],
      ["b", 1, 2, ["web-0"]],
      ["c", undefined, 1, []],
    ]);
    expect(facts.disruptionBudgets?.("other")).toEqual([]);
  });

  test("many budgets of one namespace cost no more each than a few", () => {
    const budgets = (count: number): JsonObject[] =>
      Array.from({ length: count }, (_, index) => ({
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: `b${index}`, namespace: "n" },
        spec: { selector: { matchLabels: { app: `a${index}` } } },
      }));
    const { facts } = inventory(...budgets(50_000));
    expect(facts.disruptionBudgets?.("n")).toHaveLength(50_000);
  });

  test("a LimitRange is completed as the API server completes it", () => {
    const limits = [
      {
        type: "Container",
        max: { cpu: "4", memory: "8Gi" },
        default: { cpu: "2" },
        min: { cpu: "100m", "ephemeral-storage": "1Gi" },
      },
    ];
    const { facts } = inventory(namespace, {
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "l", namespace: "n" },
      spec: { limits },
    });
    expect(facts.namespace("n")?.containerLimits).toEqual([
      {
        defaults: { cpu: "2", memory: "8Gi" },
        defaultRequests: { cpu: "2", memory: "8Gi", "ephemeral-storage": "1Gi" },
      },
    ]);
  });

  test("limits of a namespace that is not part of the input are said to be left out", () => {
    const { facts, diagnostics } = inventory({
      apiVersion: "v1",
      kind: "LimitRange",
      metadata: { name: "l", namespace: "n" },
      spec: { limits: [] },
    });
    expect(facts.namespace("n")).toBeUndefined();
    expect(diagnostics.map((one) => one.code)).toEqual(["ClusterNamespace"]);
  });

  test("runtime, priority and device classes", () => {
    const { facts, known } = inventory(
      {
        apiVersion: "node.k8s.io/v1",
        kind: "RuntimeClass",
        metadata: { name: "kata" },
        handler: "kata",
        overhead: { podFixed: { cpu: "250m" } },
        scheduling: { nodeSelector: { kata: "yes" }, tolerations: [{ key: "kata", operator: "Exists" }] },
      },
      {
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name: "low" },
        value: -5,
        preemptionPolicy: "Never",
      },
      {
        apiVersion: "resource.k8s.io/v1beta1",
        kind: "DeviceClass",
        metadata: { name: "gpu" },
        spec: { extendedResourceName: "nvidia.com/gpu", selectors: [{ cel: { expression: "true" } }] },
      },
    );
    expect(facts.runtimeClass("kata")?.overhead["cpu"]).toBe(250);
    expect(facts.runtimeClass("kata")?.tolerations).toEqual([{ key: "kata", operator: "Exists" }]);
    expect(facts.priorityClass("low")).toMatchObject({ value: -5, preemptionPolicy: "Never" });
    expect(facts.deviceClass("gpu")).toEqual({
      name: "gpu",
      selectors: ["true"],
      extendedResourceName: "nvidia.com/gpu",
    });
    expect([...known].sort()).toEqual(["DeviceClass", "PriorityClass", "RuntimeClass"]);
  });

  test("claims and templates of v1beta1 read as those of v1", () => {
    const devices = {
      requests: [
        { name: "gpu", deviceClassName: "gpu.nvidia.com", count: 2 },
        { name: "or", firstAvailable: [{ name: "x" }] },
      ],
    };
    const { facts } = inventory(
      {
        apiVersion: "resource.k8s.io/v1beta1",
        kind: "ResourceClaimTemplate",
        metadata: { name: "t", namespace: "n" },
        spec: { spec: { devices } },
      },
      {
        apiVersion: "resource.k8s.io/v1beta1",
        kind: "ResourceClaim",
        metadata: { name: "c", namespace: "n" },
        spec: { devices },
      },
    );
    const expected = {
      requests: [
        { name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com", count: 2 } },
        { name: "or", firstAvailable: [{ name: "x" }] },
      ],
    };
    expect(facts.claimTemplate("n", "t")).toEqual(expected);
    expect(facts.claim("n", "c")).toEqual(expected);
    expect(facts.claim("other", "c")).toBeUndefined();
  });

  test("a Karpenter NodePool says what bounds and marks its nodes; one of another group is none", () => {
    const pool: JsonObject = {
      apiVersion: "karpenter.sh/v1",
      kind: "NodePool",
      metadata: { name: "gpu" },
      spec: {
        limits: { nodes: "8", cpu: "1500m", "nvidia.com/gpu": 16 },
        template: {
          metadata: { labels: { tier: "gold" } },
          spec: {
            requirements: [
              { key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] },
              { key: "topology.kubernetes.io/zone", operator: "In", values: ["a", "b"], minValues: 1 },
              { key: "karpenter.k8s.aws/instance-cpu", operator: "Gte", values: ["8"] },
              { key: "karpenter.k8s.aws/instance-cpu", operator: "Lte", values: ["96"] },
              { key: "karpenter.k8s.aws/instance-generation", operator: "AtLeast", values: ["5"] },
            ],
            taints: [{ key: "a", effect: "NoSchedule" }],
            startupTaints: [{ key: "b", effect: "NoExecute" }],
          },
        },
      },
      status: { resources: { cpu: "1", nodes: "2" }, conditions: [{ type: "Ready", status: "Unknown" }] },
    };
    const bare: JsonObject = { apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "fixed" } };
    const fixed = { ...bare, spec: { replicas: 3 }, status: { conditions: [{ type: "Ready", status: "False" }] } };
    const { nodePools } = inventory(pool, { ...pool, apiVersion: "hypershift.openshift.io/v1beta1" }, fixed);
    expect(nodePools).toEqual([
      {
        ...{
          name: "fixed",
          limits: {},
          used: {},
          replicas: 3,
          ready: false,
          labels: {},
          requirements: new Map(),
          taints: [],
          startupTaints: [],
        },
      },
      {
        name: "gpu",
        limits: { nodes: 8, cpu: 1500, "nvidia.com/gpu": 16 },
        used: { cpu: 1000, nodes: 2 },
        replicas: undefined,
        labels: { tier: "gold", "karpenter.sh/capacity-type": "spot" },
        requirements: conjunction([
          requirement("tier", "In", ["gold"]),
          requirement("karpenter.sh/capacity-type", "In", ["spot"]),
          requirement("topology.kubernetes.io/zone", "In", ["a", "b"]),
          requirement("karpenter.k8s.aws/instance-cpu", "Gt", ["7"]),
          requirement("karpenter.k8s.aws/instance-cpu", "Lt", ["97"]),
        ]),
        ready: true,
        taints: [{ key: "a", value: "", effect: "NoSchedule" }],
        startupTaints: [{ key: "b", value: "", effect: "NoExecute" }],
      },
    ]);
    const broken = { ...bare, metadata: { name: "x" }, spec: { replicas: "many" } };
    expect(inventoryFrom([broken]).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining('spec.replicas must be a whole number, not "many"'),
    ]);
  });

  test("a CapacityQuota counts every node without a selector, and whole cpus", () => {
    const quota = (name: string, spec: JsonObject, status: JsonObject = {}): JsonObject => ({
      ...{ apiVersion: "autoscaling.x-k8s.io/v1beta1", kind: "CapacityQuota", metadata: { name }, spec, status },
    });
    const valid = (status: string) => ({ conditions: [{ type: "cluster-autoscaler.kubernetes.io/valid", status }] });
    const { capacityQuotas } = inventory(
      quota("all", { limits: { resources: { cpu: "1500m", memory: "1Gi", nodes: 3 } } }, valid("True")),
      quota("zone", { selector: { matchLabels: { zone: "a" } }, limits: { resources: { t4: 2 } } }, valid("False")),
    );
    expect(capacityQuotas).toEqual([
      { name: "all", selector: new Map(), limits: { cpu: 2000, memory: 2 ** 30, nodes: 3 }, enforced: true },
      {
        name: "zone",
        selector: new Map([["zone", requirement("zone", "In", ["a"])]]),
        limits: { t4: 2 },
        enforced: false,
      },
    ]);
    const faulty = quota("bad", { selector: { matchExpressions: [{ key: "a", operator: "Near" }] } });
    expect(inventoryFrom([faulty]).diagnostics.map(({ message }) => message)).toEqual([
      expect.stringContaining("spec.selector is not a label selector"),
    ]);
  });

  test("Secrets and ConfigMaps leave no trace, whatever they hold", () => {
    const { value, diagnostics } = inventoryFrom([
      { apiVersion: "v1", kind: "Secret", metadata: { name: 5 }, data: { token: "c2VjcmV0" } },
      { apiVersion: "v1", kind: "SecretList", items: [{ metadata: { name: "s" }, data: { token: "c2VjcmV0" } }] },
      { apiVersion: "v1", kind: "ConfigMap", data: { a: "b" } },
    ]);
    expect(diagnostics).toEqual([]);
    expect(value?.known.size).toBe(0);
    expect(JSON.stringify(value)).not.toContain("c2VjcmV0");
  });

  test.each([
    ["no kind", { apiVersion: "v1", metadata: { name: "x" } }, "object x ([0]) has no kind"],
    ["no apiVersion", { kind: "Node", metadata: { name: "x" } }, "Node x ([0]) has no apiVersion"],
    [
      "a version of the device API that is gone",
      { apiVersion: "resource.k8s.io/v1alpha3", kind: "ResourceSlice", metadata: { name: "x" } },
      "ResourceSlice x ([0]) is of version v1alpha3",
    ],
    [
      "a priority that is no number",
      { apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name: "x" }, value: "high" },
      "value must be a whole number",
    ],
    [
      "a quota that is no quantity",
      { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "x" }, spec: { hard: { pods: "many" } } },
      "must be a resource quantity",
    ],
    [
      "a budget that allows no number",
      {
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { name: "x" },
        status: { disruptionsAllowed: "one" },
      },
      "disruptionsAllowed must be a whole number",
    ],
  ])("%s", (_name, object, message) => {
    const { diagnostics } = inventory(object);
    expect(diagnostics[0]?.message).toContain(message);
  });
});
