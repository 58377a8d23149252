import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../../src/model/index.ts";
import { checkRules, type RuleInput, ruleRows, rulesDocument, skippedRules } from "../../../src/policy/index.ts";
import { readFixture, ruleInput } from "./fixture.ts";

const codes = (input: RuleInput) => checkRules(input).map((finding) => finding.code);
const message = (input: RuleInput, id: string) => checkRules(input).find((finding) => finding.code === id)?.message;

interface Parts {
  readonly className?: string;
  readonly spec?: JsonObject;
  readonly pod?: JsonObject;
  readonly container?: JsonObject;
  readonly annotations?: JsonObject;
  readonly kind?: string;
}

/** A Deployment (or another kind with spec.template) that breaks no rule of class serving. */
function deployment({
  className = "serving",
  spec = {},
  pod = {},
  container = {},
  annotations = {},
  kind = "Deployment",
}: Parts = {}): JsonObject {
  const server = {
    name: "server",
    image: "vllm/vllm-openai:v0.11.0",
    resources: { limits: { "nvidia.com/gpu": 1 } },
    ...container,
  };
  return {
    apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
    kind,
    metadata: { name: "llm", namespace: "prod", annotations: { "plimsoll.dev/workload-class": className } },
    spec: {
      ...(kind === "Job" ? {} : { replicas: 2 }),
      ...spec,
      template: { metadata: { labels: { app: "llm" }, annotations }, spec: { containers: [server], ...pod } },
    },
  };
}

describe("severity", () => {
  const fires = (rules: JsonObject) =>
    ruleInput(deployment({ spec: { replicas: 1 } }), [], { spec: { admission: { rules } } });

  test("is the rule's own unless the class says otherwise", () => {
    expect(checkRules(fires({}))).toMatchObject([{ code: "LT01", severity: "error" }]);
    expect(checkRules(fires({ LT01: "warn" }))).toMatchObject([{ code: "LT01", severity: "warning" }]);
    expect(checkRules(fires({ LT01: "info" }))).toMatchObject([{ code: "LT01", severity: "info" }]);
  });

  test("off silences the rule, which then stands among the skipped ones", () => {
    const input = fires({ LT01: "off" });
    expect(codes(input)).toEqual([]);
    expect(skippedRules(input)).toContainEqual({ id: "LT01", podSet: "pod", reason: "turned off by class serving" });
  });
});

describe("what cannot be decided is skipped with its reason, never passed in silence", () => {
  const claims = { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "gpu" }] };

  test("a claim template that was not read", () => {
    const input = ruleInput(deployment({ pod: claims, container: { resources: { claims: [{ name: "gpu" }] } } }));
    expect(skippedRules(input).map((one) => one.id)).toEqual(["AC01", "AC06", "AC07"]);
    expect(skippedRules(input)[0]).toEqual({
      id: "AC01",
      podSet: "pod",
      reason: "claim template gpu of namespace prod was not read",
    });
  });

  test("a device plugin beside a claim of unknown content", () => {
    expect(skippedRules(ruleInput(deployment({ pod: claims }))).map((one) => one.id)).toContain("CP21");
  });

  test("a namespace that was not read, where the class selects namespaces", () => {
    const changed = { spec: { tenancy: { namespaces: { matchLabels: { tier: "prod" } } } } };
    expect(skippedRules(ruleInput(deployment(), [], changed))).toEqual([
      { id: "TN08", reason: "namespace prod was not read, and class serving selects namespaces by label" },
    ]);
    const namespace = { apiVersion: "v1", kind: "Namespace", metadata: { name: "prod", labels: { tier: "prod" } } };
    expect(skippedRules(ruleInput(deployment(), [namespace], changed))).toEqual([]);
  });

  test("containers that KServe completes from another document", () => {
    const probes = { spec: { startup: { startupProbe: "required", readinessProbe: "required" } } };
    const service = {
      apiVersion: "serving.kserve.io/v1beta1",
      kind: "InferenceService",
      metadata: { name: "llm", namespace: "prod", annotations: { "plimsoll.dev/workload-class": "serving" } },
      spec: { predictor: { minReplicas: 2, model: { modelFormat: { name: "huggingface" } } } },
    };
    const input = ruleInput(service, [], probes);
    expect(codes(input)).toEqual([]);
    expect(skippedRules(input).map((one) => one.id)).toEqual(["RD01", "RD08"]);
  });
});

describe("what the class supplies is no finding, what contradicts it is", () => {
  const cases: readonly (readonly [string, Parts, JsonObject, readonly string[]])[] = [
    ["no priority class", {}, { tenancy: { priorityClassName: "serving" } }, []],
    ["no grace period", {}, { interruption: { drainTimeout: "5m" } }, []],
    [
      "the API server's own grace period of 30s",
      { pod: { terminationGracePeriodSeconds: 30 } },
      { interruption: { drainTimeout: "5m" } },
      [],
    ],
    [
      "a shorter grace period",
      { pod: { terminationGracePeriodSeconds: 31 } },
      { interruption: { drainTimeout: "5m" } },
      ["DR12"],
    ],
    ["no protection", {}, { interruption: { consolidation: false, minLifetime: "12h" } }, []],
    [
      "protection for long enough",
      { annotations: { "karpenter.sh/do-not-disrupt": "12h" } },
      { interruption: { consolidation: false, minLifetime: "12h" } },
      [],
    ],
    [
      "protection for less",
      { annotations: { "karpenter.sh/do-not-disrupt": "11h59m" } },
      { interruption: { consolidation: false, minLifetime: "12h" } },
      ["DR06"],
    ],
    ["no tolerations", {}, {}, []],
    ["no device", { container: { resources: {} } }, {}, []],
  ];
  test.each(cases)("%s", (_, parts, spec, expected) => {
    expect(codes(ruleInput(deployment(parts), [], { spec }))).toEqual(expected);
  });
});

describe("the numbers behind a rule", () => {
  const budget = (amount: JsonObject) => ({ spec: { interruption: { budget: amount } } });
  const allowed: readonly (readonly [JsonObject, number, boolean])[] = [
    [{ maxUnavailable: 1 }, 2, true],
    [{ maxUnavailable: "1%" }, 2, true],
    [{ minAvailable: 2 }, 3, true],
    [{ minAvailable: 2 }, 2, false],
    [{ minAvailable: "50%" }, 3, true],
    [{ minAvailable: "51%" }, 2, false],
    [{ minAvailable: "99%" }, 9, false],
    [{ minAvailable: "99%" }, 200, true],
  ];
  test.each(allowed)("budget %o of %i pods leaves room for an eviction: %s", (amount, replicas, room) => {
    expect(codes(ruleInput(deployment({ spec: { replicas } }), [], budget(amount))).includes("DR02")).toBe(!room);
  });

  test.each([
    [{ failureThreshold: 18, periodSeconds: 10 }, false],
    [{ failureThreshold: 17, periodSeconds: 10 }, true],
    [{ failureThreshold: 17, periodSeconds: 10, initialDelaySeconds: 10 }, false],
    [{ failureThreshold: 60 }, false],
    [{ periodSeconds: 60 }, false],
    [{}, true],
  ])("startup probe %o is too short for 3m: %s", (times, short) => {
    const container = { startupProbe: { httpGet: { path: "/health", port: 8000 }, ...times } };
    expect(codes(ruleInput(deployment({ container }))).includes("RD01")).toBe(short);
  });

  test("a liveness probe counts its delay", () => {
    const probe = (initialDelaySeconds: number) => ({
      container: { livenessProbe: { initialDelaySeconds, periodSeconds: 10 } },
    });
    expect(codes(ruleInput(deployment(probe(149))))).toEqual(["RD03"]);
    expect(codes(ruleInput(deployment(probe(150))))).toEqual([]);
  });

  test("a rollout without surge, or on a cluster that adds no nodes, needs no time for a node", () => {
    const late = { progressDeadlineSeconds: 200 };
    expect(codes(ruleInput(deployment({ spec: late })))).toEqual(["RD04"]);
    expect(codes(ruleInput(deployment({ spec: { ...late, strategy: { rollingUpdate: { maxSurge: 0 } } } })))).toEqual(
      [],
    );
    expect(codes(ruleInput(deployment({ spec: { ...late, strategy: { type: "Recreate" } } })))).toEqual([]);
    expect(codes(ruleInput(deployment({ spec: late }), [], { platform: { autoscaler: { kind: "none" } } }))).toEqual(
      [],
    );
  });

  test("devices are counted over all containers of a pod", () => {
    const two = [1, 2].map((n) => ({
      name: `c${n}`,
      image: "pause:3.10",
      resources: { limits: { "nvidia.com/gpu": 5 } },
    }));
    expect(message(ruleInput(deployment({ pod: { containers: two } })), "AC01")).toContain(
      "asks for 10 nvidia.com/gpu",
    );
  });
});

describe("kinds keep their own books", () => {
  test("the replicas of a LeaderWorkerSet are groups, not pods", () => {
    const lws = (replicas: number): JsonObject => ({
      apiVersion: "leaderworkerset.x-k8s.io/v1",
      kind: "LeaderWorkerSet",
      metadata: { name: "llm", namespace: "prod", annotations: { "plimsoll.dev/workload-class": "serving" } },
      spec: {
        replicas,
        leaderWorkerTemplate: {
          size: 4,
          workerTemplate: { spec: { containers: [{ name: "w", image: "pause:3.10" }] } },
        },
      },
    });
    expect(message(ruleInput(lws(1)), "LT01")).toContain("keeps 1 replica, but class serving needs 2");
    expect(codes(ruleInput(lws(2)))).toEqual([]);
  });

  test("KServe in Standard mode scales on cpu where nothing is written", () => {
    const service: JsonObject = {
      apiVersion: "serving.kserve.io/v1beta1",
      kind: "InferenceService",
      metadata: {
        name: "llm",
        namespace: "prod",
        annotations: { "plimsoll.dev/workload-class": "serving", "serving.kserve.io/deploymentMode": "Standard" },
      },
      spec: { predictor: { minReplicas: 2, maxReplicas: 4, model: { modelFormat: { name: "huggingface" } } } },
    };
    const changed = { spec: { demand: { signals: { forbidden: ["cpu"] } } } };
    expect(message(ruleInput(service, [], changed), "AS04")).toBe(
      "InferenceService llm scales on cpu (the default here), which class serving forbids.",
    );
  });

  test("a zero that an autoscaler of the kind may reach is AS01 with a latency objective, else DM04", () => {
    const job = readFixture("DM04", "fires");
    expect(codes(job)).toContain("DM04");
    expect(codes(job)).not.toContain("AS01");
  });

  test("a stopped Deployment is not below its floor", () => {
    expect(codes(ruleInput(deployment({ spec: { replicas: 0 } })))).toEqual([]);
  });

  test("Flink and Spark name the service account beside the template", () => {
    const flink = (serviceAccount?: string): JsonObject => ({
      apiVersion: "flink.apache.org/v1beta1",
      kind: "FlinkDeployment",
      metadata: { name: "lag", namespace: "prod", annotations: { "plimsoll.dev/workload-class": "serving" } },
      spec: {
        ...(serviceAccount === undefined ? {} : { serviceAccount }),
        jobManager: { replicas: 1, resource: { cpu: 1, memory: "2048m" } },
        taskManager: { replicas: 2, resource: { cpu: 1, memory: "2048m" } },
      },
    });
    const changed = { spec: { tenancy: { serviceAccount: "required" } } };
    expect(codes(ruleInput(flink(), [], changed))).toContain("TN06");
    expect(codes(ruleInput(flink("flink"), [], changed))).not.toContain("TN06");
  });
});

describe("selectors", () => {
  const terms = (...values: readonly string[]): JsonObject => ({
    affinity: {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: values.map((value) => ({
            matchExpressions: [{ key: "karpenter.sh/capacity-type", operator: "In", values: [value] }],
          })),
        },
      },
    },
  });

  test("spot as one of several alternatives is not a demand for spot", () => {
    expect(codes(ruleInput(deployment({ pod: terms("spot") })))).toEqual(["RS04"]);
    expect(codes(ruleInput(deployment({ pod: terms("spot", "on-demand") })))).toEqual([]);
  });

  test("a selector that leaves one accelerator of the class is no contradiction", () => {
    expect(codes(ruleInput(deployment({ pod: { nodeSelector: { "example.com/team": "a" } } })))).toEqual([]);
  });
});

test("rows stand sorted by id, and the document names each once", () => {
  const rows = ruleRows();
  const text = rulesDocument();
  for (const row of rows) expect(text.split(`\n| ${row.id} |`)).toHaveLength(2);
});
