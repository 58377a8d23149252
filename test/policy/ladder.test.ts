import { describe, expect, test } from "vitest";
import { type JsonObject, requirementText, rungText, type Step } from "../../src/model/index.ts";
import { asksForDevice, buildLadder } from "../../src/policy/index.ts";
import { type CatalogueParts, catalogue } from "../support/catalogue.ts";
import { CLASS, deployment, facts, first, job, type Parts, rayCluster, read } from "./given.ts";

const gpu = { "nvidia.com/gpu": 8 };

function steps(
  parts: CatalogueParts,
  podParts: Parts = { limits: gpu },
  objects: readonly JsonObject[] = [],
  make: (parts: Parts) => JsonObject = job,
): readonly Step[] {
  const given = catalogue(parts);
  const { workload, set, intent } = first(make({ annotations: { [CLASS]: "under-test" }, ...podParts }), given);
  return buildLadder(workload, set, intent, given, facts(objects)).steps;
}

const selected = (step: Step | undefined) => step?.selection.map(requirementText);
const rungs = (list: readonly Step[]) =>
  list.map(({ rung, skipped }) => `${rungText(rung)}${skipped === undefined ? "" : " skipped"}`);

describe("the order of rungs", () => {
  test("is accelerators, then capacity types, then existing before new", () => {
    expect(rungs(steps({ class: {} }))).toEqual([
      "h100/reserved/existing",
      "h100/reserved/new",
      "h100/on-demand/existing",
      "h100/on-demand/new",
      "a100-80gb/reserved/existing",
      "a100-80gb/reserved/new",
      "a100-80gb/on-demand/existing",
      "a100-80gb/on-demand/new",
    ]);
  });

  test("has one accelerator, called none or any, where the class lists none", () => {
    const types = { capacity: { types: ["on-demand"] }, overrides: undefined };
    expect(rungs(steps({ class: { accelerator: "any", ...types } }))).toEqual([
      "any/on-demand/existing",
      "any/on-demand/new",
    ]);
    expect(rungs(steps({ class: { accelerator: "none", ...types } }))).toEqual([
      "none/on-demand/existing",
      "none/on-demand/new",
    ]);
  });

  test("counts on the capacity types before it as well, where the template lists them all", () => {
    const capacity = (list: readonly Step[]) =>
      list
        .filter(({ rung }) => rung.accelerator === "h100" && rung.source === "existing")
        .map((step) => selected(step)?.find((text) => text.startsWith("karpenter.sh/capacity-type")));
    expect(capacity(steps({ class: {} }))).toEqual([
      "karpenter.sh/capacity-type = reserved",
      "karpenter.sh/capacity-type = on-demand",
    ]);
    expect(capacity(steps({ class: {} }, { limits: gpu }, [], deployment))).toEqual([
      "karpenter.sh/capacity-type = reserved",
      "karpenter.sh/capacity-type in (on-demand, reserved)",
    ]);
  });

  test("carries the class's wait", () => {
    const given = catalogue({ class: {} });
    const { workload, set, intent } = first(job({ annotations: { [CLASS]: "under-test" } }), given);
    expect(buildLadder(workload, set, intent, given, facts()).maxProvisioningMs).toBe(1_800_000);
  });
});

describe("what selects a rung, by dialect", () => {
  const labels = {
    h100: {
      labels: [
        { key: "karpenter.k8s.aws/instance-gpu-name", values: ["h100"] },
        { key: "eks.amazonaws.com/instance-gpu-name", values: ["h100"] },
        { key: "k8s.amazonaws.com/accelerator", values: ["nvidia-h100"] },
        { key: "cloud.google.com/gke-accelerator", values: ["nvidia-h100-80gb"] },
        { key: "node.kubernetes.io/instance-type", values: ["Standard_ND96isr_H100_v5"] },
        { key: "nvidia.com/gpu.product", values: ["NVIDIA-H100-80GB-HBM3"], beforeNode: false },
      ],
    },
  };
  const byDialect = (dialect: string, types: readonly string[]) =>
    steps({
      class: {
        accelerator: { classes: ["h100"] },
        interruption: { spot: types.includes("spot") ? "allowed" : "never" },
        capacity: { types },
        overrides: undefined,
      },
      accelerators: labels,
      platform: { dialect },
    });

  test.each<[string, string, readonly string[]]>([
    [
      "karpenter-aws",
      "reserved",
      ["karpenter.k8s.aws/instance-gpu-name = h100", "karpenter.sh/capacity-type = reserved"],
    ],
    ["karpenter-aws", "spot", ["karpenter.k8s.aws/instance-gpu-name = h100", "karpenter.sh/capacity-type = spot"]],
    ["eks-auto", "on-demand", ["eks.amazonaws.com/instance-gpu-name = h100", "karpenter.sh/capacity-type = on-demand"]],
    [
      "eks",
      "reserved",
      ["k8s.amazonaws.com/accelerator = nvidia-h100", "eks.amazonaws.com/capacityType = CAPACITY_BLOCK"],
    ],
    ["eks", "on-demand", ["k8s.amazonaws.com/accelerator = nvidia-h100", "eks.amazonaws.com/capacityType = ON_DEMAND"]],
    ["eks", "spot", ["k8s.amazonaws.com/accelerator = nvidia-h100", "eks.amazonaws.com/capacityType = SPOT"]],
    ["gke", "on-demand", ["cloud.google.com/gke-accelerator = nvidia-h100-80gb", "no cloud.google.com/gke-spot"]],
    ["gke", "spot", ["cloud.google.com/gke-accelerator = nvidia-h100-80gb", "cloud.google.com/gke-spot = true"]],
    [
      "aks",
      "on-demand",
      ["node.kubernetes.io/instance-type = Standard_ND96isr_H100_v5", "kubernetes.azure.com/scalesetpriority != spot"],
    ],
    [
      "aks",
      "spot",
      ["node.kubernetes.io/instance-type = Standard_ND96isr_H100_v5", "kubernetes.azure.com/scalesetpriority = spot"],
    ],
  ])("%s: %s", (dialect, type, expected) => {
    const [existing, fresh] = byDialect(dialect, [type]);
    expect(selected(existing)).toEqual(expected);
    expect(selected(fresh)).toEqual(expected);
  });

  test("spot nodes are tolerated where their taint is the cloud's own", () => {
    const tolerations = byDialect("aks", ["spot"])[0]?.tolerations ?? [];
    expect(tolerations).toContainEqual({
      key: "kubernetes.azure.com/scalesetpriority",
      operator: "Equal",
      value: "spot",
      effect: "NoSchedule",
    });
    expect(tolerations).toContainEqual({ key: "sku", operator: "Equal", value: "gpu", effect: "NoSchedule" });
    expect(tolerations).toContainEqual({ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" });
    expect(tolerations.every(({ key }) => key !== undefined && key !== "amd.com/gpu")).toBe(true);
  });

  test("a label that feature discovery writes selects existing nodes and never new ones", () => {
    const [existing, fresh] = byDialect("gfd", ["on-demand"]);
    expect(selected(existing)).toEqual(["nvidia.com/gpu.product = NVIDIA-H100-80GB-HBM3"]);
    expect(fresh?.skipped?.message).toMatch(/nvidia\.com\/gpu\.product appears only once a node is up/);
  });

  test("such a label selects new nodes too where every pool stamps it", () => {
    const stamped = { p5: { node: { labels: { "nvidia.com/gpu.product": "NVIDIA-H100-80GB-HBM3" } } } };
    const [, fresh] = steps({
      class: { capacity: { types: ["on-demand"] } },
      pools: stamped,
      platform: { dialect: "gfd" },
    });
    expect(selected(fresh)).toEqual(["nvidia.com/gpu.product = NVIDIA-H100-80GB-HBM3"]);
  });

  test("an accelerator that no key of the dialect tells is skipped with the keys", () => {
    const list = steps({
      class: {},
      platform: { dialect: "gke" },
      accelerators: { "a100-80gb": { labels: [{ key: "x", values: ["y"] }] } },
      pools: { p5: null },
    });
    expect(list.at(-1)?.skipped?.message).toMatch(
      /no label that dialect gke selects by tells a100-80gb \(it knows .*cloud\.google\.com\/gke-accelerator/,
    );
  });

  test("reserved capacity without a label of its own is selected by the reservation", () => {
    const parts = { class: { capacity: { types: ["reserved"] } }, accelerators: labels, platform: { dialect: "gke" } };
    expect(steps(parts)[0]?.skipped?.message).toMatch(
      /dialect gke has no label for reserved capacity, and no pool names a label of its reservation/,
    );
    const label = { key: "cloud.google.com/reservation-name", value: "block-7" };
    const reserved = { p5: { capacityType: "reserved", reservation: { name: "block-7", label } } };
    expect(selected(steps({ ...parts, pools: reserved })[0])).toEqual([
      "cloud.google.com/gke-accelerator = nvidia-h100-80gb",
      "cloud.google.com/reservation-name = block-7",
    ]);
  });

  test("a dialect spelled out in the platform file", () => {
    const dialect = {
      acceleratorKeys: ["example.com/gpu"],
      capacityTypes: {
        "on-demand": {
          selection: { key: "example.com/paid", operator: "DoesNotExist" },
          tolerations: [{ key: "example.com/paid" }],
        },
      },
      acceleratorTolerations: [{ key: "example.com/gpu", value: "yes", effect: "NoExecute" }],
    };
    const own = { h100: { labels: [{ key: "example.com/gpu", values: ["h100"] }] } };
    const [step] = steps({
      class: { accelerator: { classes: ["h100"] }, capacity: { types: ["on-demand"] }, overrides: undefined },
      accelerators: own,
      pools: { p5: null },
      platform: { dialect },
    });
    expect(selected(step)).toEqual(["example.com/gpu = h100", "no example.com/paid"]);
    expect(step?.tolerations).toEqual([
      { key: "example.com/gpu", operator: "Equal", value: "yes", effect: "NoExecute" },
      { key: "example.com/paid", operator: "Exists" },
    ]);
  });

  test("no toleration is a wildcard", () => {
    for (const dialect of ["gke", "eks", "eks-auto", "karpenter-aws", "aks", "gfd"]) {
      for (const { tolerations } of byDialect(dialect, ["on-demand"]))
        expect(tolerations.every(({ key }) => (key ?? "") !== "")).toBe(true);
    }
  });
});

describe("how the devices are asked for", () => {
  const claims = { companions: { resourceClaimTemplates: true }, autoscaler: { claims: true } };

  test("as the manifest does: an extended resource stays one", () => {
    expect(steps({ class: {}, platform: claims }, { limits: { "nvidia.com/gpu": 4 } })[0]).toMatchObject({
      mechanism: "extended-resource",
      resourceName: "nvidia.com/gpu",
      devicesPerPod: 4,
      addedRequests: {},
      addedDevices: [],
    });
  });

  test("a rung under another resource name is skipped", () => {
    const accelerators = { "a100-80gb": { resourceName: "nvidia.com/mig-1g.10gb" } };
    const list = steps({ class: {}, accelerators });
    expect(list.filter(({ skipped }) => skipped === undefined).every(({ rung }) => rung.accelerator === "h100")).toBe(
      true,
    );
    expect(list.at(-1)?.skipped).toMatchObject({ code: "RungSkipped", severity: "info" });
    expect(list.at(-1)?.skipped?.message).toMatch(
      /asks for nvidia\.com\/gpu, and a100-80gb is counted as nvidia\.com\/mig-1g\.10gb/,
    );
  });

  test("a claim of the manifest's own stays as it is, with the devices that its template asks for", () => {
    const template = {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaimTemplate",
      metadata: { name: "two", namespace: "team-a" },
      spec: {
        spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com", count: 2 } }] } },
      },
    };
    const spec = { resourceClaims: [{ name: "gpus", resourceClaimTemplateName: "two" }] };
    expect(steps({ class: {} }, { spec }, [template])[0]).toMatchObject({
      mechanism: "manifest",
      devicesPerPod: 2,
      addedRequests: {},
      addedDevices: [],
    });
  });

  test.each([
    ["by the platform's word", { network: { driver: "nic.example.com", deviceClassName: "rdma" } }, []],
    ["by the driver that its class selects", {}, [{ cel: { expression: 'device.driver == "dra.net"' } }]],
  ])("a network device in such a claim is no accelerator: %s", (_, platform, selectors) => {
    const requests = [
      { name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com", count: 2 } },
      { name: "nic", exactly: { deviceClassName: "rdma", count: 8 } },
    ];
    const template = {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceClaimTemplate",
      metadata: { name: "two", namespace: "team-a" },
      spec: { spec: { devices: { requests } } },
    };
    const deviceClass = {
      apiVersion: "resource.k8s.io/v1",
      kind: "DeviceClass",
      metadata: { name: "rdma" },
      spec: { selectors },
    };
    const spec = { resourceClaims: [{ name: "gpus", resourceClaimTemplateName: "two" }] };
    expect(steps({ class: {}, platform }, { spec }, [template, deviceClass])[0]?.devicesPerPod).toBe(2);
  });

  test("a manifest that asks for nothing gets the default count as an extended resource", () => {
    expect(steps({ class: {} }, {})[0]).toMatchObject({
      mechanism: "extended-resource",
      resourceName: "nvidia.com/gpu",
      devicesPerPod: 8,
      addedRequests: { "nvidia.com/gpu": 8 },
    });
  });

  test("or as a claim, where the whole platform can carry one", () => {
    const deviceClass = {
      apiVersion: "resource.k8s.io/v1",
      kind: "DeviceClass",
      metadata: { name: "gpu.nvidia.com" },
      spec: { selectors: [{ cel: { expression: 'device.driver == "gpu.nvidia.com"' } }] },
    };
    const [existing, fresh] = steps({ class: {}, platform: claims }, {}, [deviceClass]);
    expect(fresh?.mechanism).toBe("claim");
    expect(existing).toMatchObject({ mechanism: "claim", devicesPerPod: 8, addedRequests: {} });
    expect(existing?.addedDevices).toEqual([
      {
        name: "accelerator",
        claim: "accelerator",
        deviceClassName: "gpu.nvidia.com",
        selectors: [
          'device.driver == "gpu.nvidia.com"',
          'device.attributes["gpu.nvidia.com"].productName == "NVIDIA H100 80GB HBM3"',
        ],
        count: 8,
        tolerations: [],
        matchAttributes: [],
      },
    ]);
  });

  test.each<[string, JsonObject]>([
    ["nobody creates the template", { autoscaler: { claims: true } }],
    ["Kubernetes is older than 1.34", { ...claims, kubernetes: { version: "1.33" } }],
  ])("never as a claim where %s", (_, platform) => {
    expect(steps({ class: {}, platform }, {}).map(({ mechanism }) => mechanism)).not.toContain("claim");
  });

  test("on new nodes not at all where nothing adds any", () => {
    const found = steps({ class: {}, platform: { autoscaler: { kind: "none" } } }, {});
    const fresh = found.filter(({ rung }) => rung.source === "new");
    expect(fresh.length).toBeGreaterThan(0);
    for (const { skipped } of fresh) expect(JSON.stringify(skipped)).toContain("nothing adds nodes on this platform");
    expect(found.some(({ rung, skipped }) => rung.source === "existing" && skipped === undefined)).toBe(true);
  });

  test("on new nodes not as a claim where the autoscaler cannot provision for one", () => {
    const [existing, fresh] = steps({ class: {}, platform: { companions: { resourceClaimTemplates: true } } }, {});
    expect([existing?.mechanism, fresh?.mechanism]).toEqual(["claim", "extended-resource"]);
  });

  test("required alignment becomes a constraint of the claim, and skips what cannot say it", () => {
    const align = { accelerator: { align: { gpus: { level: "pcie" } } } };
    const [existing, fresh] = steps({ class: align, platform: { companions: { resourceClaimTemplates: true } } }, {});
    expect(existing?.addedDevices[0]?.matchAttributes).toEqual([
      { attribute: "resource.kubernetes.io/pcieRoot", requests: ["accelerator"] },
    ]);
    expect(fresh?.skipped?.message).toMatch(
      /the pcie alignment that the class requires can only be asked for in a resource claim/,
    );
    const numa = steps({ class: { accelerator: { align: { gpus: { level: "numa" } } } }, platform: claims }, {});
    expect(numa[0]?.skipped?.message).toMatch(/no driver publishes the numa position of h100/);
    const nvlink = steps({ class: { accelerator: { align: { gpus: { level: "nvlink" } } } } });
    expect(nvlink[0]?.skipped).toBeUndefined();
  });

  test("preferred alignment skips nothing, nor does one device", () => {
    const preferred = { accelerator: { align: { gpus: { level: "numa", mode: "preferred" } } } };
    expect(steps({ class: preferred }).some(({ skipped }) => skipped !== undefined)).toBe(false);
    const required = { accelerator: { align: { gpus: { level: "numa" } } } };
    expect(
      steps({ class: required }, { limits: { "nvidia.com/gpu": 1 } }).some(({ skipped }) => skipped !== undefined),
    ).toBe(false);
  });

  test("any takes what the manifest asks for, with its taints tolerated; none adds nothing", () => {
    const open = { overrides: undefined };
    expect(steps({ class: { accelerator: "any", ...open } }, { limits: { "nvidia.com/gpu": 2 } })[0]).toMatchObject({
      mechanism: "manifest",
      devicesPerPod: 2,
      tolerations: [{ key: "nvidia.com/gpu", operator: "Exists" }],
    });
    expect(steps({ class: { accelerator: "none", ...open } }, {})[0]).toMatchObject({
      mechanism: "none",
      devicesPerPod: 0,
      tolerations: [],
    });
  });
});

describe("spot", () => {
  const overflow = {
    interruption: { spot: "overflow" },
    capacity: { types: ["on-demand", "spot"] },
    accelerator: "any",
    topology: undefined,
    overrides: undefined,
  };

  test("overflow is for the set that is called so", () => {
    const given = catalogue({ class: overflow });
    const object = rayCluster({ base: {}, "spot-overflow": {} }, { annotations: { [CLASS]: "under-test" } });
    const workload = read(object, given);
    const bySet = workload.podSets.map((set) => {
      const intent = { ...first(object, given).intent, podSet: set.name };
      const spot = buildLadder(workload, set, intent, given, facts()).steps.filter(
        ({ rung }) => rung.capacityType === "spot",
      );
      return [set.name, spot.every(({ skipped }) => skipped === undefined)];
    });
    expect(bySet).toEqual([
      ["head", false],
      ["base", false],
      ["spot-overflow", true],
    ]);
  });

  test("overflow means never in a kind with one pod set", () => {
    const spot = steps({ class: overflow }, {}, [], deployment).filter(({ rung }) => rung.capacityType === "spot");
    expect(spot).toHaveLength(2);
    expect(spot[0]?.skipped?.message).toContain("for overflow only, and a Deployment has only one pod set");
  });
});

describe("what a pod set asks for", () => {
  test.each<[string, Parts, string, Readonly<Record<string, number>>]>([
    ["nothing", {}, "none", {}],
    ["devices of a plugin", { limits: { "nvidia.com/gpu": 2, cpu: 4 } }, "extended-resource", { "nvidia.com/gpu": 2 }],
    [
      "a slice of a device",
      { limits: { "nvidia.com/mig-1g.10gb": 1 } },
      "extended-resource",
      { "nvidia.com/mig-1g.10gb": 1 },
    ],
    ["a TPU", { limits: { "google.com/tpu": 4 } }, "extended-resource", { "google.com/tpu": 4 }],
    ["network cards, which are no accelerators", { limits: { "vpc.amazonaws.com/efa": 4 } }, "none", {}],
    ["zero devices", { limits: { "nvidia.com/gpu": 0 } }, "none", {}],
    ["a claim", { spec: { resourceClaims: [{ name: "a", resourceClaimTemplateName: "b" }] } }, "claim", {}],
  ])("%s", (_, parts, form, resources) => {
    const [set] = read(job(parts), catalogue()).podSets;
    if (set === undefined) throw new Error("no pod set");
    const asked = asksForDevice(set);
    expect(asked.form).toBe(form);
    expect({ ...asked.resources }).toEqual(resources);
  });
});

describe("ladders that several workloads share", () => {
  const rungsOf = (object: JsonObject, given = catalogue({ class: {} }), objects: readonly JsonObject[] = []) => {
    const { workload, set, intent } = first(object, given);
    return buildLadder(workload, set, intent, given, facts(objects));
  };
  const classed = (make: (parts: Parts) => JsonObject, parts: Parts = {}) =>
    make({ annotations: { [CLASS]: "under-test" }, limits: gpu, ...parts });
  const labelled = (object: JsonObject, labels: JsonObject): JsonObject => ({
    ...object,
    metadata: { ...(object["metadata"] as JsonObject), labels },
  });

  test("are what each would have by itself, whichever came first", () => {
    const given = catalogue({ class: {} });
    const queued = { "kueue.x-k8s.io/queue-name": "q" };
    const objects = [
      classed(job),
      classed(deployment),
      labelled(classed(job), queued),
      labelled(classed(deployment), queued),
      classed(job, { limits: {} }),
      classed(job, { limits: { "nvidia.com/gpu": 4 } }),
      classed(deployment, { limits: { "amd.com/gpu": 1 } }),
    ];
    for (const object of [...objects, ...objects.toReversed()])
      expect(rungsOf(object, given)).toEqual(rungsOf(object, catalogue({ class: {} })));
    expect(rungsOf(classed(job), given)).toBe(rungsOf(classed(job), given));
  });

  test("follow the catalogue: after a reload the same workload has the new one's", () => {
    const before = catalogue({ class: {} });
    const after = catalogue({ class: { capacity: { types: ["on-demand"] }, overrides: undefined } });
    const object = classed(job);
    const own = [before, after, before].map((given) => rungs(rungsOf(object, given).steps));
    expect(own[0]).toEqual(own[2]);
    expect(own[1]).not.toEqual(own[0]);
    expect(own[1]).toContain("h100/on-demand/existing");
  });

  test("follow the cluster: a device class that says something else changes the claims that are added", () => {
    const claims = { companions: { resourceClaimTemplates: true }, autoscaler: { claims: true } };
    const given = catalogue({ class: {}, platform: claims });
    const deviceClass = (expression: string): JsonObject => ({
      apiVersion: "resource.k8s.io/v1",
      kind: "DeviceClass",
      metadata: { name: "gpu.nvidia.com" },
      spec: { selectors: [{ cel: { expression } }] },
    });
    const selectors = (objects: readonly JsonObject[]) =>
      rungsOf(classed(job, { limits: {} }), given, objects).steps[0]?.addedDevices[0]?.selectors[0];
    expect(selectors([deviceClass("true")])).toBe("true");
    expect(selectors([deviceClass("1 == 1")])).toBe("1 == 1");
    expect(selectors([deviceClass("true")])).toBe("true");
    expect(selectors([])).not.toBe("true");
  });
});
