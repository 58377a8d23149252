import { describe, expect, test } from "vitest";
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { codes, gangJob, kinds, METADATA, POD, service, small } from "../support/expanding.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { job, pod, rayCluster, sparkApplication, workflow } from "../support/workloads.ts";

describe("spread", () => {
  const spreadOf = (object: JsonObject) => arrayAt(object, [...POD, "topologySpreadConstraints"]);
  test("selects as the workload does, within one revision", () => {
    const { object } = expandAs(service().build(), { catalogue: small });
    expect(spreadOf(object)).toEqual([
      {
        maxSkew: 1,
        topologyKey: "topology.kubernetes.io/zone",
        whenUnsatisfiable: "DoNotSchedule",
        labelSelector: { matchLabels: { app: "llm" } },
        matchLabelKeys: ["pod-template-hash"],
      },
    ]);
  });
  test("of the user over the same key stands; a looser one is reported", () => {
    const strict = { topologyKey: "topology.kubernetes.io/zone" };
    expect(codes(expandAs(service().spread(strict).build(), { catalogue: small }))).toEqual([]);
    const loose = { ...strict, whenUnsatisfiable: "ScheduleAnyway" };
    const { object, diagnostics } = expandAs(service().spread(loose).build(), { catalogue: small });
    expect(spreadOf(object)).toHaveLength(1);
    expect(codes({ diagnostics })).toEqual(["warning UserValueKept"]);
  });
  test("is refused where the kind has no place for it", () => {
    const parts = catalogue({
      classes: { gang: { topology: { unit: "pod", level: "host", spread: { level: "zone", mode: "required" } } } },
    });
    const { diagnostics } = expandAs(workflow("w").className("gang").build(), { catalogue: parts, rung: rung("h100") });
    expect(diagnostics.filter(({ message }) => message.includes("spread")).map(({ code }) => code)).toEqual([
      "BackendCannotExpress",
    ]);
  });
});

describe("priority and grace period", () => {
  test("are supplied where absent, also where the API server has filled in its default", () => {
    for (const manifest of [service().build(), service().grace(30).build()]) {
      const { object } = expandAs(manifest, { catalogue: small });
      expect(valueAt(object, [...POD, "priorityClassName"])).toBe("serving");
      expect(valueAt(object, [...POD, "terminationGracePeriodSeconds"])).toBe(300);
      expect(undo(object, small.kinds).base).toEqual(manifest);
    }
  });
  test("that the user set otherwise are kept and reported with both values", () => {
    const { object, diagnostics } = expandAs(service().priority("low").grace(60).build(), { catalogue: small });
    expect(valueAt(object, [...POD, "priorityClassName"])).toBe("low");
    expect(valueAt(object, [...POD, "terminationGracePeriodSeconds"])).toBe(60);
    expect(diagnostics.map(({ message }) => message.replace(/^spec\.template\.spec\./, ""))).toEqual([
      "priorityClassName is low, where class online would write serving; yours is kept",
      "terminationGracePeriodSeconds is 60, where class online would write 300; yours is kept",
    ]);
  });
  test("of a bare pod whose priority is resolved already are not touched", () => {
    const { object, diagnostics } = expandAs(pod("p").gpus(1).podSpec({ priority: 0 }).className("online").build(), {
      catalogue: small,
    });
    expect(valueAt(object, ["spec", "priorityClassName"])).toBeUndefined();
    expect(diagnostics.map(({ message }) => message)).toContain(
      "priority class serving cannot be expressed: a bare Pod has its priority resolved before webhooks see it",
    );
  });
});

describe("disruption", () => {
  const annotations = (object: JsonObject) => objectAt(object, [...METADATA, "annotations"]);
  const withInterruption = (interruption: JsonObject, version = "1.14") =>
    catalogue({ platform: { autoscaler: { kind: "karpenter", version } }, classes: { gang: { interruption } } });
  const cases: readonly (readonly [string, JsonObject, string, string | undefined])[] = [
    ["no consolidation is protection without end", { consolidation: false, minLifetime: undefined }, "1.14", "true"],
    [
      "a minimum lifetime is a duration from Karpenter 1.12 on",
      { consolidation: false, minLifetime: "12h" },
      "1.12",
      "12h",
    ],
    [
      "a minimum lifetime is for good before, where a duration would be ignored",
      { consolidation: false, minLifetime: "12h" },
      "1.11",
      "true",
    ],
  ];
  test.each(cases)("%s", (_, interruption, version, expected) => {
    const { object } = expandAs(gangJob().build(), {
      catalogue: withInterruption(interruption, version),
      rung: rung("h100"),
    });
    expect(annotations(object)["karpenter.sh/do-not-disrupt"]).toBe(expected);
    expect(annotations(object)["cluster-autoscaler.kubernetes.io/safe-to-evict"]).toBe("false");
  });
  test("a class that allows all of it writes nothing", () => {
    const parts = catalogue({ classes: { elastic: { interruption: { consolidation: true } } } });
    expect(annotations(expandAs(job("b").className("elastic").build(), { catalogue: parts }).object)).toEqual({});
  });
  test("an online workload with a budget gets a PodDisruptionBudget instead", () => {
    const expansion = expandAs(service().build(), {
      catalogue: catalogue({ classes: { online: { interruption: { consolidation: false } } } }),
    });
    expect(annotations(expansion.object)).toEqual({});
    expect(expansion.companions.map((one) => one["spec"])).toEqual([
      { maxUnavailable: 1, selector: { matchLabels: { app: "llm" } } },
    ]);
    expect(stringAt(expansion.companions[0], ["metadata", "name"])).toMatch(/^llm-[0-9a-f]{10}$/);
  });
  test("where nobody creates the budget, it is printed and the annotations protect", () => {
    const parts = catalogue({
      platform: { companions: { podDisruptionBudgets: false } },
      classes: { online: { interruption: { consolidation: false } } },
    });
    const expansion = expandAs(service().build(), { catalogue: parts });
    expect(kinds(expansion)).toEqual(["PodDisruptionBudget"]);
    expect(codes(expansion)).toEqual(["info CompanionNotCreated"]);
    expect(annotations(expansion.object)["karpenter.sh/do-not-disrupt"]).toBe("true");
  });
  test("pods without a scale subresource get a count that stays, in place of maxUnavailable", () => {
    const expansion = expandAs(rayCluster("r").replicas(4).gpus(1).className("online").build(), { catalogue: small });
    const budgets = expansion.companions
      .filter((one) => one["kind"] === "PodDisruptionBudget")
      .map((one) => valueAt(one, ["spec", "minAvailable"]));
    expect(budgets.sort()).toEqual([0, 3]);
    expect(codes(expansion)).toContain("warning BudgetNotQuantised");
  });
});

describe("devices", () => {
  const claims = (more: JsonObject = {}) =>
    catalogue({
      platform: {
        kubernetes: { version: "1.37" },
        companions: { resourceClaimTemplates: true, podDisruptionBudgets: true },
        ...more,
      },
    });
  const bare = () => job("train").replicas(2).className("gang");

  test("are extended resources where nobody creates claim templates", () => {
    const { object, companions } = expandAs(bare().build(), { catalogue: small, rung: rung("h100") });
    expect(valueAt(object, [...POD, "containers", 0, "resources"])).toEqual({
      requests: { "nvidia.com/gpu": "8" },
      limits: { "nvidia.com/gpu": "8" },
    });
    expect(companions).toEqual([]);
  });
  test("are a claim from a template named by its content where the platform carries it", () => {
    const { object, companions } = expandAs(bare().build(), { catalogue: claims(), rung: rung("h100") });
    const name = stringAt(companions[0], ["metadata", "name"]);
    expect(name).toMatch(/^plimsoll-[0-9a-f]{10}$/);
    expect(valueAt(object, [...POD, "resourceClaims"])).toEqual([
      { name: "accelerator", resourceClaimTemplateName: name },
    ]);
    expect(valueAt(object, [...POD, "containers", 0, "resources", "claims"])).toEqual([{ name: "accelerator" }]);
    const other = expandAs(job("other").replicas(9).className("gang").build(), {
      catalogue: claims(),
      rung: rung("h100"),
    });
    expect(other.companions).toEqual(companions);
  });
  test("are aligned pairwise within the claim by the attribute that the accelerator publishes", () => {
    const parts = catalogue({
      platform: { kubernetes: { version: "1.37" }, companions: { resourceClaimTemplates: true } },
      classes: { gang: { accelerator: { align: { gpus: { level: "pcie" } } } } },
    });
    const { companions } = expandAs(bare().build(), { catalogue: parts, rung: rung("h100") });
    expect(valueAt(companions[0], ["spec", "spec", "devices", "constraints"])).toEqual([
      { requests: ["accelerator"], matchAttribute: "resource.kubernetes.io/pcieRoot" },
    ]);
  });
  test("that share NVLink on their host anyway need no constraint", () => {
    const parts = catalogue({ classes: { gang: { accelerator: { align: { gpus: { level: "nvlink" } } } } } });
    expect(codes(expandAs(gangJob().build(), { catalogue: parts, rung: rung("h100") }))).not.toContain(
      "error BackendCannotExpress",
    );
  });
  test("preferred alignment that cannot be said is a warning", () => {
    const parts = catalogue({
      classes: { gang: { accelerator: { align: { gpus: { level: "pcie", mode: "preferred" } } } } },
    });
    expect(codes(expandAs(gangJob().build(), { catalogue: parts, rung: rung("h100") }))).toContain(
      "warning BackendCannotExpress",
    );
  });
  test("that the manifest asks for are left as they are", () => {
    const { object } = expandAs(gangJob().build(), { catalogue: claims(), rung: rung("h100") });
    expect(valueAt(object, [...POD, "containers", 0, "resources"])).toEqual({ limits: { "nvidia.com/gpu": "8" } });
  });
  test("of Spark stand beside its template", () => {
    const parts = catalogue({
      classes: { elastic: { accelerator: { classes: ["h100"], perPod: { min: 1, max: 2 } } } },
    });
    const manifest = sparkApplication("s").replicas(2).className("elastic").build();
    const { object } = expandAs(manifest, { catalogue: parts });
    expect(valueAt(object, ["spec", "executor", "gpu"])).toEqual({ name: "nvidia.com/gpu", quantity: 1 });
    expect(undo(object, parts.kinds).base).toEqual(manifest);
  });
});

describe("provisioning", () => {
  const CONSUME = "autoscaling.x-k8s.io/consume-provisioning-request";
  const autoscaler = catalogue({
    platform: {
      autoscaler: { kind: "cluster-autoscaler", version: "1.36", provisioningRequests: true },
      companions: { provisioningRequests: true, podTemplates: true, podDisruptionBudgets: true },
    },
    pools: { p5: { node: { labels: { "karpenter.k8s.aws/instance-gpu-name": "h100" } } } },
  });
  const up = { catalogue: autoscaler, rung: rung("h100", "on-demand", "new"), verdict: "scaleUp" as const };

  test("a request keeps its name when the API server has put its labels into a Job's template", () => {
    const job = gangJob().build();
    const mine = {
      "controller-uid": "u",
      "job-name": "n",
      "batch.kubernetes.io/controller-uid": "u",
      "batch.kubernetes.io/job-name": "n",
    };
    const template = objectAt(job, ["spec", "template"]);
    const labels = { ...objectAt(template, ["metadata", "labels"]), ...mine };
    const metadata = { ...objectAt(template, ["metadata"]), labels };
    const later = { ...job, spec: { ...objectAt(job, ["spec"]), template: { ...template, metadata } } };
    const names = [job, later].map((one) =>
      expandAs(one, up).companions.map((made) => stringAt(made, ["metadata", "name"])),
    );
    expect(names[1]).toEqual(names[0]);
  });

  test("asks for all pods in one piece, by a template of the pods as they will be", () => {
    const { object, companions } = expandAs(gangJob().build(), up);
    expect(companions.map((one) => one["kind"])).toEqual(["PodTemplate", "ProvisioningRequest"]);
    const [template, request] = companions;
    expect(valueAt(request, ["spec", "podSets"])).toEqual([
      { podTemplateRef: { name: stringAt(template, ["metadata", "name"]) }, count: 4 },
    ]);
    expect(valueAt(object, [...METADATA, "annotations", CONSUME])).toBe(stringAt(request, ["metadata", "name"]));
    for (const field of ["nodeSelector", "tolerations", "affinity", "containers"]) {
      expect(valueAt(template, ["template", "spec", field])).toEqual(valueAt(object, [...POD, field]));
    }
  });

  const never: readonly (readonly [string, () => JsonObject, object])[] = [
    ["on elastic kinds, whose pods would be frozen once it expires", () => service().build(), {}],
    ["where Kueue asks itself", () => gangJob().queue("q").build(), {}],
    [
      "without a name",
      () => job("x").generateName("train-").gpus(8).replicas(4).className("gang").build(),
      { entry: { id: "abc" } },
    ],
    ["where the pods fit on nodes that are there", () => gangJob().build(), { rung: rung("h100"), verdict: "fits" }],
    [
      "with claims, which Cluster Autoscaler never finds capacity for",
      () => job("c").replicas(4).claim("gpu", "theirs").className("gang").build(),
      {},
    ],
  ];
  test.each(never)("is never asked %s", (_, manifest, more) => {
    const { object, companions } = expandAs(manifest(), { ...up, ...more });
    expect(companions.filter((one) => one["kind"] === "ProvisioningRequest")).toEqual([]);
    expect(JSON.stringify(object)).not.toContain(CONSUME);
  });
});
