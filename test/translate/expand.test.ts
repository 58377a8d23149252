import { describe, expect, test } from "vitest";
import { arrayAt, type Json, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { patchBetween, undo } from "../../src/translate/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { expandAs, rung } from "../support/expansion.ts";
import {
  deployment,
  flinkDeployment,
  inferenceService,
  job,
  jobSet,
  leaderWorkerSet,
  pod,
  rayCluster,
  rayJob,
  sparkApplication,
  statefulSet,
  workflow,
} from "../support/workloads.ts";

const POD = ["spec", "template", "spec"] as const;
const METADATA = ["spec", "template", "metadata"] as const;
const REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
const TERMS = ["affinity", "nodeAffinity", REQUIRED, "nodeSelectorTerms"] as const;
const GPU_KEY = "karpenter.k8s.aws/instance-gpu-name";
const TYPE_KEY = "karpenter.sh/capacity-type";

const small = catalogue();
const codes = (expansion: { readonly diagnostics: readonly { readonly code: string; readonly severity: string }[] }) =>
  expansion.diagnostics.map(({ code, severity }) => `${severity} ${code}`);
const kinds = (expansion: { readonly companions: readonly JsonObject[] }) =>
  expansion.companions.map((one) => String(one["kind"]));
const gangJob = () => job("train").replicas(4).gpus(8).className("gang");
const service = () => deployment("llm").replicas(3).gpus(1).className("online");

describe("node selection", () => {
  test("a run-once kind pins the rung: accelerator and capacity type", () => {
    const { object } = expandAs(gangJob().build(), { catalogue: small, rung: rung("a100-80gb", "reserved") });
    expect(objectAt(object, [...POD, "nodeSelector"])[TYPE_KEY]).toBe("reserved");
    expect(Object.keys(objectAt(object, [...POD, "nodeSelector"]))).toHaveLength(2);
    expect(arrayAt(object, [...POD, ...TERMS])).toEqual([]);
  });

  test("an elastic kind pins the accelerator and lists every capacity type that the class allows", () => {
    const parts = catalogue({
      classes: { online: { capacity: { types: ["reserved", "on-demand"], maxProvisioning: "5m" } } },
    });
    const { object, added } = expandAs(service().build(), { catalogue: parts });
    expect(valueAt(object, [...POD, "nodeSelector"])).toEqual({ [GPU_KEY]: "h100" });
    expect(arrayAt(object, [...POD, ...TERMS])).toEqual([
      { matchExpressions: [{ key: TYPE_KEY, operator: "In", values: ["on-demand", "reserved"] }] },
    ]);
    expect(added.map(({ text }) => text)).toContain(`node affinity ${TYPE_KEY} In [on-demand, reserved]`);
  });

  test("where the allowed types have no one expression, an elastic kind excludes the forbidden ones", () => {
    const parts = catalogue({
      platform: { dialect: "gke" },
      accelerators: { h100: { labels: [{ key: "cloud.google.com/gke-accelerator", values: ["nvidia-h100-80gb"] }] } },
      pools: {
        p5: {
          capacityType: "reserved",
          reservation: { name: "r", label: { key: "cloud.google.com/reservation-name", value: "r" } },
        },
      },
      classes: { online: { capacity: { types: ["reserved", "on-demand"], maxProvisioning: "5m" } } },
    });
    const { object } = expandAs(service().build(), { catalogue: parts, rung: rung("h100", "reserved") });
    expect(valueAt(object, [...POD, "nodeSelector"])).toEqual({
      "cloud.google.com/gke-accelerator": "nvidia-h100-80gb",
    });
    expect(arrayAt(object, [...POD, ...TERMS])).toEqual([
      { matchExpressions: [{ key: "cloud.google.com/gke-spot", operator: "NotIn", values: ["true"] }] },
    ]);
  });

  test("an In list goes into every term of the user's, since terms are alternatives", () => {
    const parts = catalogue({
      classes: { online: { capacity: { types: ["reserved", "on-demand"], maxProvisioning: "5m" } } },
    });
    const manifest = service()
      .set("pod", (pods) => pods.nodeTerm({ key: "a", operator: "Exists" }))
      .set("pod", (pods) => pods.nodeTerm({ key: "b", operator: "Exists" }))
      .build();
    const { object } = expandAs(manifest, { catalogue: parts });
    const ours = { key: TYPE_KEY, operator: "In", values: ["on-demand", "reserved"] };
    expect(arrayAt(object, [...POD, ...TERMS])).toEqual([
      { matchExpressions: [{ key: "a", operator: "Exists" }, ours] },
      { matchExpressions: [{ key: "b", operator: "Exists" }, ours] },
    ]);
  });

  test("two equal terms of the user's both get it", () => {
    const parts = catalogue({
      classes: { online: { capacity: { types: ["reserved", "on-demand"], maxProvisioning: "5m" } } },
    });
    const manifest = service()
      .set("pod", (pods) => pods.nodeTerm({ key: "a", operator: "Exists" }))
      .set("pod", (pods) => pods.nodeTerm({ key: "a", operator: "Exists" }))
      .build();
    const { object } = expandAs(manifest, { catalogue: parts });
    expect(arrayAt(object, [...POD, ...TERMS]).map((term) => arrayAt(term, ["matchExpressions"]).length)).toEqual([
      2, 2,
    ]);
    expect(undo(object, parts.kinds).base).toEqual(manifest);
  });

  test("a selection of the user's within the rung is left alone, and needs no record", () => {
    const { object, diagnostics } = expandAs(gangJob().nodeSelector(TYPE_KEY, "on-demand").build(), {
      catalogue: small,
      rung: rung("h100"),
    });
    expect(codes({ diagnostics })).not.toContain("warning UserValueKept");
    expect(stringAt(object, ["metadata", "annotations", "plimsoll.dev/applied"])).not.toContain(TYPE_KEY);
  });

  test("a selection of the user's that says otherwise is kept, and reported with both values", () => {
    const { object, diagnostics } = expandAs(gangJob().nodeSelector(TYPE_KEY, "spot").build(), {
      catalogue: small,
      rung: rung("h100"),
    });
    expect(valueAt(object, [...POD, "nodeSelector", TYPE_KEY])).toBe("spot");
    const kept = diagnostics.find(({ code }) => code === "UserValueKept");
    expect(kept?.message).toBe(
      `spec.template.spec.nodeSelector["${TYPE_KEY}"] is spot, where class gang would write ${TYPE_KEY} = on-demand; yours is kept`,
    );
  });

  test("under a queue the accelerator is pinned and the capacity type is Kueue's", () => {
    const { object } = expandAs(gangJob().queue("ml").build(), { catalogue: small, rung: rung("h100") });
    expect(valueAt(object, [...POD, "nodeSelector"])).toEqual({ [GPU_KEY]: "h100" });
  });
});

describe("tolerations", () => {
  const TAINT = { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" };
  const cases: readonly (readonly [string, Json[], Json[]])[] = [
    ["are appended", [{ key: "own", operator: "Exists" }], [{ key: "own", operator: "Exists" }, TAINT]],
    ["are left out where an equal one stands", [TAINT], [TAINT]],
    [
      "are left out where one of every effect covers them",
      [{ key: "nvidia.com/gpu", operator: "Exists" }],
      [{ key: "nvidia.com/gpu", operator: "Exists" }],
    ],
    ["are left out where the user tolerates everything", [{ operator: "Exists" }], [{ operator: "Exists" }]],
    ["stand beside one that ends", [{ ...TAINT, tolerationSeconds: 5 }], [{ ...TAINT, tolerationSeconds: 5 }, TAINT]],
    [
      "stand beside one of one value",
      [{ key: "nvidia.com/gpu", operator: "Equal", value: "x", effect: "NoSchedule" }],
      [{ key: "nvidia.com/gpu", operator: "Equal", value: "x", effect: "NoSchedule" }, TAINT],
    ],
  ];
  test.each(cases)("%s", (_, theirs, expected) => {
    const { object } = expandAs(gangJob().podSpec({ tolerations: theirs }).build(), {
      catalogue: small,
      rung: rung("h100"),
    });
    expect(arrayAt(object, [...POD, "tolerations"])).toEqual(expected);
  });

  test("of a kind whose operator merges lists by position, the common ones are repeated in front", () => {
    const manifest = flinkDeployment("f")
      .spec({ podTemplate: { spec: { tolerations: [{ key: "common", operator: "Exists" }] } } })
      .className("elastic")
      .build();
    const { object } = expandAs(manifest, {
      catalogue: catalogue({ classes: { elastic: { accelerator: { classes: ["h100"] } } } }),
    });
    expect(arrayAt(object, ["spec", "taskManager", "podTemplate", "spec", "tolerations"])).toEqual([
      { key: "common", operator: "Exists" },
      TAINT,
    ]);
    expect(undo(object, small.kinds).base).toEqual(manifest);
  });
});

describe("a required level", () => {
  const kueue = catalogue({ platform: { kueue: { version: "0.17" } } });
  const groups = catalogue({
    platform: {
      kubernetes: { version: "1.37", featureGates: { GenericWorkload: true, TopologyAwareWorkloadScheduling: true } },
      companions: { podGroups: true },
    },
  });
  const podAffinity = (object: JsonObject) => arrayAt(object, [...POD, "affinity", "podAffinity", REQUIRED]);
  const KUEUE = "kueue.x-k8s.io/podset-required-topology";

  test("is Kueue's annotation where the workload is queued", () => {
    const { object, diagnostics } = expandAs(gangJob().queue("ml").build(), { catalogue: kueue, rung: rung("h100") });
    expect(valueAt(object, [...METADATA, "annotations", KUEUE])).toBe("topology.k8s.aws/network-node-layer-3");
    expect(podAffinity(object)).toEqual([]);
    expect(codes({ diagnostics })).not.toContain("warning NotGuaranteed");
  });

  test("is a PodGroup where both gates are on, from 1.37", () => {
    const { object, companions, diagnostics } = expandAs(gangJob().build(), { catalogue: groups, rung: rung("h100") });
    expect(companions.map((one) => one["spec"])).toEqual([
      {
        schedulingPolicy: { gang: { minCount: 4 } },
        schedulingConstraints: { topology: [{ key: "topology.k8s.aws/network-node-layer-3" }] },
      },
    ]);
    expect(companions[0]?.["apiVersion"]).toBe("scheduling.k8s.io/v1beta1");
    expect(valueAt(object, [...POD, "schedulingGroup", "podGroupName"])).toBe(
      stringAt(companions[0], ["metadata", "name"]),
    );
    expect(podAffinity(object)).toEqual([]);
    expect(codes({ diagnostics })).toEqual([]);
  });

  test("is no PodGroup for pods that another scheduler places, nor is it said that nothing starts them together", () => {
    const manifest = gangJob().build();
    const spec = objectAt(manifest, ["spec"]);
    const template = objectAt(spec, ["template"]);
    const named = (schedulerName: string): JsonObject => ({
      ...manifest,
      spec: { ...spec, template: { ...template, spec: { ...objectAt(template, ["spec"]), schedulerName } } },
    });
    const other = expandAs(named("volcano"), { catalogue: groups, rung: rung("h100") });
    expect(other.companions.map(({ kind }) => kind)).not.toContain("PodGroup");
    expect(podAffinity(other.object)).toHaveLength(1);
    expect(codes(other)).not.toContain("warning GangNotGuaranteed");
    const profiles = catalogue({
      platform: {
        kubernetes: { version: "1.37", featureGates: { GenericWorkload: true, TopologyAwareWorkloadScheduling: true } },
        companions: { podGroups: true },
        scheduler: { profiles: ["default-scheduler", "packing"] },
      },
    });
    const own = expandAs(named("packing"), { catalogue: profiles, rung: rung("h100") });
    expect(own.companions.map(({ kind }) => kind)).toContain("PodGroup");
  });

  test.each([
    ["1.36", { GenericWorkload: true, TopologyAwareWorkloadScheduling: true }],
    ["1.37", { GenericWorkload: true }],
    ["1.37", {}],
  ])("is no PodGroup topology on %s with gates %j", (version, featureGates) => {
    const parts = catalogue({ platform: { kubernetes: { version, featureGates }, companions: { podGroups: true } } });
    const { object } = expandAs(gangJob().build(), { catalogue: parts, rung: rung("h100") });
    expect(podAffinity(object)).toHaveLength(1);
  });

  test("is pod affinity to itself by the kind's gang label, steered, and said not to be guaranteed", () => {
    const steer = { key: "topology.k8s.aws/network-node-layer-3", values: ["r1", "r2"] };
    const { object, diagnostics } = expandAs(gangJob().build(), {
      catalogue: small,
      rung: rung("h100"),
      entry: { steer },
    });
    expect(podAffinity(object)).toEqual([
      {
        labelSelector: { matchLabels: { "plimsoll.dev/class": "gang" } },
        matchLabelKeys: ["batch.kubernetes.io/controller-uid"],
        topologyKey: "topology.k8s.aws/network-node-layer-3",
      },
    ]);
    expect(valueAt(object, [...METADATA, "labels", "plimsoll.dev/class"])).toBe("gang");
    expect(
      arrayAt(object, [...POD, "affinity", "nodeAffinity", "preferredDuringSchedulingIgnoredDuringExecution"]),
    ).toEqual([
      { weight: 100, preference: { matchExpressions: [{ key: steer.key, operator: "In", values: ["r1", "r2"] }] } },
    ]);
    expect(codes({ diagnostics })).toContain("warning NotGuaranteed");
  });

  test("with pin: domain is the domain itself, for run-once kinds", () => {
    const parts = catalogue({ classes: { gang: { topology: { level: "rack", pin: "domain" } } } });
    const steer = { key: "topology.k8s.aws/network-node-layer-3", values: ["r1"] };
    const { object } = expandAs(gangJob().build(), { catalogue: parts, rung: rung("h100"), entry: { steer } });
    expect(valueAt(object, [...POD, "nodeSelector", steer.key])).toBe("r1");
  });

  test("of a kind without gang label selects by a label of ours that names the instance", () => {
    const manifest = inferenceService("m").replicas(3).gpus(8).className("gang").build();
    const { object } = expandAs(manifest, { catalogue: small, rung: rung("h100") });
    const term = arrayAt(object, ["spec", "predictor", "affinity", "podAffinity", REQUIRED])[0];
    const label = valueAt(object, ["spec", "predictor", "labels", "plimsoll.dev/instance"]);
    expect(label).toMatch(/^m-[0-9a-f]{10}$/);
    expect(valueAt(term, ["labelSelector", "matchLabels", "plimsoll.dev/instance"])).toBe(label);
  });

  test("for each group is the group's own label", () => {
    const parts = catalogue({ classes: { gang: { topology: { level: "rack", unit: "group", groupSize: 4 } } } });
    const { object } = expandAs(leaderWorkerSet("l", 4, true).replicas(2).gpus(8).className("gang").build(), {
      catalogue: parts,
      rung: rung("h100"),
    });
    for (const template of ["leaderTemplate", "workerTemplate"]) {
      const term = arrayAt(object, [
        "spec",
        "leaderWorkerTemplate",
        template,
        "spec",
        "affinity",
        "podAffinity",
        REQUIRED,
      ])[0];
      expect(valueAt(term, ["matchLabelKeys"])).toEqual(["leaderworkerset.sigs.k8s.io/group-key"]);
    }
  });

  test("for each group of a kind that has no such label is refused", () => {
    const parts = catalogue({ classes: { gang: { topology: { level: "rack", unit: "group", groupSize: 2 } } } });
    expect(codes(expandAs(gangJob().build(), { catalogue: parts, rung: rung("h100") }))).toContain(
      "error BackendCannotExpress",
    );
  });

  test("for each pod needs nothing", () => {
    const { object } = expandAs(gangJob().build(), {
      catalogue: catalogue({ classes: { gang: { topology: { unit: "pod", level: "host" } } } }),
      rung: rung("h100"),
    });
    expect(podAffinity(object)).toEqual([]);
  });

  test("that is only preferred is a preference", () => {
    const parts = catalogue({ classes: { gang: { topology: { level: "rack", mode: "preferred" } } } });
    const { object, diagnostics } = expandAs(gangJob().build(), { catalogue: parts, rung: rung("h100") });
    expect(podAffinity(object)).toEqual([]);
    expect(
      arrayAt(object, [...POD, "affinity", "podAffinity", "preferredDuringSchedulingIgnoredDuringExecution"]),
    ).toHaveLength(1);
    expect(codes({ diagnostics })).not.toContain("warning NotGuaranteed");
  });

  test("tells the sets of one workload apart", () => {
    const { object } = expandAs(rayCluster("r").replicas(4).gpus(8).className("gang").build(), {
      catalogue: small,
      rung: rung("h100"),
    });
    const worker = ["spec", "workerGroupSpecs", 0, "template"] as const;
    expect(valueAt(object, [...worker, "metadata", "labels", "plimsoll.dev/pod-set"])).toBe("workers");
    expect(arrayAt(object, [...worker, "spec", "affinity", "podAffinity", REQUIRED])[0]).toEqual({
      labelSelector: { matchLabels: { "plimsoll.dev/class": "gang", "plimsoll.dev/pod-set": "workers" } },
      matchLabelKeys: ["ray.io/cluster"],
      topologyKey: "topology.k8s.aws/network-node-layer-3",
    });
  });
});

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

describe("what stands", () => {
  test("mode audit edits nothing and is stamped", () => {
    const manifest = gangJob().build();
    const { object } = expandAs(manifest, { catalogue: small, rung: rung("h100"), entry: { audit: true } });
    expect(object["spec"]).toEqual(manifest["spec"]);
    expect(undo(object, small.kinds).decision?.["pod"]?.audit).toBe(true);
  });
  test("a rung that was not found leaves the edits that no rung decides", () => {
    const { object } = expandAs(service().build(), { catalogue: small, rung: "none" });
    expect(valueAt(object, [...POD, "priorityClassName"])).toBe("serving");
    expect(valueAt(object, [...POD, "nodeSelector"])).toBeUndefined();
    expect(valueAt(object, [...POD, "tolerations"])).toBeUndefined();
  });
  test("a rung that today's class does not have is an error with the reason", () => {
    expect(codes(expandAs(gangJob().build(), { catalogue: small, rung: rung("h100", "spot") }))).toContain(
      "error RungNotAllowed",
    );
  });
  test("a standing set gets the old edits back word for word, whatever the class says now", () => {
    const old = expandAs(gangJob().build(), { catalogue: small, rung: rung("h100") }).object;
    const other = catalogue({
      classes: { gang: { topology: { level: "block" }, tenancy: { priorityClassName: "other" } } },
    });
    const plain = gangJob().build();
    expect(expandAs(plain, { catalogue: other, old, standing: ["pod"] }).object).toEqual(old);
    expect(patchBetween(old, expandAs(old, { catalogue: other, old, standing: ["pod"] }).object)).toEqual([]);
  });
  test("a standing set keeps the order of its lists when one of our elements was taken out", () => {
    const manifest = service().toleration({ key: "own", operator: "Exists" }).build();
    const old = expandAs(manifest, { catalogue: small }).object;
    const list = arrayAt(old, [...POD, "tolerations"]);
    const cut = JSON.parse(JSON.stringify(old)) as { spec: { template: { spec: { tolerations: Json[] } } } };
    cut.spec.template.spec.tolerations = list.slice(0, 1) as Json[];
    expect(expandAs(cut as unknown as JsonObject, { catalogue: small, old, standing: ["pod"] }).object).toEqual(old);
  });
  test("an immutable template keeps what stands there, and says what could not be made", () => {
    const old = expandAs(gangJob().build(), { catalogue: small, rung: rung("h100") }).object;
    const { object, diagnostics } = expandAs(old, { catalogue: small, rung: rung("a100-80gb"), old });
    expect(valueAt(object, [...POD])).toEqual(valueAt(old, [...POD]));
    expect(codes({ diagnostics })).toContain("warning ImmutableTemplate");
  });
  test("of a stopped Job node selection follows the new rung, and pod affinity stays as it stands", () => {
    const old = expandAs(gangJob().suspended().build(), { catalogue: small, rung: rung("h100") }).object;
    const wider = catalogue({ classes: { gang: { topology: { level: "block" } } } });
    const { object, diagnostics } = expandAs(old, { catalogue: wider, rung: rung("h100", "reserved"), old });
    expect(valueAt(object, [...POD, "nodeSelector", TYPE_KEY])).toBe("reserved");
    expect(valueAt(object, [...POD, "affinity"])).toEqual(valueAt(old, [...POD, "affinity"]));
    expect(codes({ diagnostics })).toContain("warning ImmutableTemplate");
  });
  test("a gated pod that has a selection keeps it, since it may only be narrowed", () => {
    const manifest = pod("p").gpus(8).gate("example.com/wait").className("elastic").build();
    const parts = catalogue({ classes: { elastic: { accelerator: { classes: ["h100", "a100-80gb"] } } } });
    const old = expandAs(manifest, { catalogue: parts, rung: rung("h100") }).object;
    const { object } = expandAs(old, { catalogue: parts, rung: rung("a100-80gb"), old });
    expect(valueAt(object, ["spec", "nodeSelector"])).toEqual(valueAt(old, ["spec", "nodeSelector"]));
    const bare = expandAs(manifest, { catalogue: parts, rung: rung("h100"), old: manifest }).object;
    expect(valueAt(bare, ["spec", "nodeSelector"])).toEqual(valueAt(old, ["spec", "nodeSelector"]));
  });
  test("a class that is removed from a running Job drops only the stamps", () => {
    const old = expandAs(gangJob().build(), { catalogue: small, rung: rung("h100") }).object;
    const annotations = { ...objectAt(old, ["metadata", "annotations"]), "plimsoll.dev/workload-class": undefined };
    const unclassed = JSON.parse(
      JSON.stringify({ ...old, metadata: { ...objectAt(old, ["metadata"]), annotations } }),
    ) as JsonObject;
    const { object } = expandAs(unclassed, { catalogue: small, old });
    expect(object["spec"]).toEqual(old["spec"]);
    expect(valueAt(object, ["metadata", "annotations"])).toEqual({});
  });
  test("a class that is removed from a Deployment takes its edits with it", () => {
    const manifest = service().build();
    const old = expandAs(manifest, { catalogue: small }).object;
    const annotations = { ...objectAt(old, ["metadata", "annotations"]), "plimsoll.dev/workload-class": undefined };
    const unclassed = JSON.parse(
      JSON.stringify({ ...old, metadata: { ...objectAt(old, ["metadata"]), annotations } }),
    ) as JsonObject;
    expect(expandAs(unclassed, { catalogue: small, old }).object["spec"]).toEqual(manifest["spec"]);
  });
  test("edits that stay keep their place when the user puts something behind them", () => {
    const old = expandAs(service().build(), { catalogue: small }).object;
    const more = JSON.parse(JSON.stringify(old)) as {
      spec: { template: { spec: { tolerations: Json[]; containers: { image: string }[] } } };
    };
    more.spec.template.spec.tolerations.push({ key: "theirs", operator: "Exists" });
    const result = expandAs(more as unknown as JsonObject, { catalogue: small, old }).object;
    expect(result["spec"]).toEqual(more.spec);
  });
});

describe("pods whose template is the operator's own", () => {
  test("get nothing, since a template in part would replace it, and that is said", () => {
    const manifest = rayJob("r").replicas(2).gpus(8).className("gang").build();
    const parts = catalogue({ classes: { gang: { roles: { submitter: { accelerator: "none" } } } } });
    const { object, diagnostics } = expandAs(manifest, { catalogue: parts });
    expect(valueAt(object, ["spec", "submitterPodTemplate"])).toBeUndefined();
    const said = diagnostics.filter(({ podSet }) => podSet === "submitter");
    expect(said.map(({ severity, code, hint }) => [severity, code, hint])).toEqual([
      ["warning", "BackendCannotExpress", "Write spec.submitterPodTemplate in the manifest."],
    ]);
  });
});

describe("a maker of workloads", () => {
  test("is not expanded: class and intent go to where the made object takes its annotations from", async () => {
    const { cronJob } = await import("../support/workloads.ts");
    const manifest = cronJob("nightly").gpus(8).className("gang").intent("topology: {level: block}").build();
    const { object } = expandAs(manifest, { catalogue: small, rung: rung("h100") });
    expect(valueAt(object, ["spec", "jobTemplate", "metadata", "annotations"])).toEqual({
      "plimsoll.dev/workload-class": "gang",
      "plimsoll.dev/intent": "topology: {level: block}",
    });
    expect(valueAt(object, ["spec", "jobTemplate", "spec"])).toEqual(
      valueAt(manifest, ["spec", "jobTemplate", "spec"]),
    );
    expect(undo(object, small.kinds).base).toEqual(manifest);
  });
});

describe("jobs of several templates", () => {
  test("keep what each pod set got apart", () => {
    const { object } = expandAs(jobSet("j").replicas(4).gpus(8).className("gang").build(), {
      catalogue: small,
      rung: rung("h100"),
    });
    const template = ["spec", "replicatedJobs", 0, "template", "spec", "template"] as const;
    expect(valueAt(object, [...template, "spec", "affinity", "podAffinity", REQUIRED, 0, "matchLabelKeys"])).toEqual([
      "jobset.sigs.k8s.io/jobset-uid",
    ]);
  });
  test("a StatefulSet spreads by its selector", () => {
    const { object } = expandAs(statefulSet("s").replicas(3).gpus(1).className("online").build(), { catalogue: small });
    expect(valueAt(object, [...POD, "topologySpreadConstraints", 0, "labelSelector"])).toEqual({
      matchLabels: { app: "s" },
    });
  });
});
