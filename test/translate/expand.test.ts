import { describe, expect, test } from "vitest";
import { arrayAt, type Json, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { catalogue } from "../support/catalogue.ts";
import {
  codes,
  GPU_KEY,
  gangJob,
  METADATA,
  POD,
  REQUIRED,
  service,
  small,
  TERMS,
  TYPE_KEY,
} from "../support/expanding.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { flinkDeployment, inferenceService, leaderWorkerSet, rayCluster } from "../support/workloads.ts";

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
