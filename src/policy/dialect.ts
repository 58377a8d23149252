import { type CapacityType, type Dialect, type Requirement, requirement, type Toleration } from "../model/index.ts";
import { given } from "./contract.ts";
import type { ExplicitDialect, PlatformSpec, PRESETS } from "./schema/platform.ts";

type Preset = (typeof PRESETS)[number];

/** Stamped by whoever makes the pool, for what no label of a cloud tells (card and profile of a MIG slice). */
const STAMPED = "plimsoll.dev/accelerator";
const INSTANCE_TYPE = "node.kubernetes.io/instance-type";
/** Written by feature discovery on any cloud, but only once the node is up. */
const DISCOVERED = ["nvidia.com/gpu.product", "amd.com/gpu.product-name"];
/** The cloud's own names first, of the device or (a100 is two devices) of the machine; then the instance type. */
const keys = (...clouds: readonly string[]): readonly string[] => [STAMPED, ...clouds, INSTANCE_TYPE, ...DISCOVERED];
const GPU_TAINTS: readonly Toleration[] = [
  { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" },
  { key: "amd.com/gpu", operator: "Exists", effect: "NoSchedule" },
];

const plain = { requirement: undefined, tolerations: [] };
const labelled = (key: string, value: string, tolerations: readonly Toleration[] = []) => ({
  requirement: requirement(key, "In", [value]),
  tolerations,
});
const unlabelled = (one: Requirement) => ({ requirement: one, tolerations: [] });
const karpenterTypes = {
  reserved: labelled("karpenter.sh/capacity-type", "reserved"),
  "on-demand": labelled("karpenter.sh/capacity-type", "on-demand"),
  spot: labelled("karpenter.sh/capacity-type", "spot"),
};

/**
 * Which labels and taints say what, by cloud and provisioner. Where reserved capacity carries no label of its own (GKE, AKS), only a
 * pool's reservation label can select it.
 */
const DIALECTS: Readonly<Record<Preset, Dialect>> = {
  gke: {
    name: "gke",
    acceleratorKeys: keys("cloud.google.com/gke-accelerator"),
    capacityTypes: {
      "on-demand": unlabelled(requirement("cloud.google.com/gke-spot", "DoesNotExist")),
      spot: labelled("cloud.google.com/gke-spot", "true", [
        { key: "cloud.google.com/gke-spot", operator: "Equal", value: "true", effect: "NoSchedule" },
      ]),
    },
    acceleratorTolerations: GPU_TAINTS,
  },
  eks: {
    name: "eks",
    acceleratorKeys: keys("k8s.amazonaws.com/accelerator"),
    capacityTypes: {
      reserved: labelled("eks.amazonaws.com/capacityType", "CAPACITY_BLOCK"),
      "on-demand": labelled("eks.amazonaws.com/capacityType", "ON_DEMAND"),
      spot: labelled("eks.amazonaws.com/capacityType", "SPOT"),
    },
    acceleratorTolerations: GPU_TAINTS,
  },
  "eks-auto": {
    name: "eks-auto",
    acceleratorKeys: keys("eks.amazonaws.com/instance-gpu-name", "eks.amazonaws.com/instance-family"),
    capacityTypes: karpenterTypes,
    acceleratorTolerations: GPU_TAINTS,
  },
  "karpenter-aws": {
    name: "karpenter-aws",
    acceleratorKeys: keys("karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-family"),
    capacityTypes: karpenterTypes,
    acceleratorTolerations: GPU_TAINTS,
  },
  aks: {
    name: "aks",
    acceleratorKeys: keys("karpenter.azure.com/sku-gpu-name"),
    capacityTypes: {
      "on-demand": unlabelled(requirement("kubernetes.azure.com/scalesetpriority", "NotIn", ["spot"])),
      spot: labelled("kubernetes.azure.com/scalesetpriority", "spot", [
        { key: "kubernetes.azure.com/scalesetpriority", operator: "Equal", value: "spot", effect: "NoSchedule" },
      ]),
    },
    acceleratorTolerations: [...GPU_TAINTS, { key: "sku", operator: "Equal", value: "gpu", effect: "NoSchedule" }],
  },
  gfd: {
    name: "gfd",
    acceleratorKeys: [STAMPED, ...DISCOVERED],
    // Machines of one's own: no label tells reserved from on-demand, and there is no spot.
    capacityTypes: { reserved: plain, "on-demand": plain },
    acceleratorTolerations: GPU_TAINTS,
  },
};

/** Notice of spot reclaim by the dialect's cloud. */
const SPOT_NOTICE_MS: Readonly<Partial<Record<string, number>>> = {
  eks: 120_000,
  "eks-auto": 120_000,
  "karpenter-aws": 120_000,
  gke: 30_000,
  aks: 30_000,
};

export function spotNoticeMs(dialect: Dialect): number | undefined {
  return Object.hasOwn(SPOT_NOTICE_MS, dialect.name) ? SPOT_NOTICE_MS[dialect.name] : undefined;
}

/** A preset, or what the platform file spells out (its name is then `explicit`). */
export function dialectOf(spec: PlatformSpec["dialect"]): Dialect {
  if (typeof spec === "string") return DIALECTS[spec];
  const types: Partial<
    Record<CapacityType, { requirement: Requirement | undefined; tolerations: readonly Toleration[] }>
  > = {};
  for (const type of ["reserved", "on-demand", "spot"] as const) {
    const one = spec.capacityTypes[type];
    if (one === undefined) continue;
    const { selection } = one;
    types[type] = {
      requirement:
        selection === undefined
          ? undefined
          : requirement(selection.key, selection.operator ?? "In", selection.values ?? []),
      tolerations: (one.tolerations ?? []).map(tolerationOf),
    };
  }
  return {
    name: "explicit",
    acceleratorKeys: spec.acceleratorKeys,
    capacityTypes: types,
    acceleratorTolerations: (spec.acceleratorTolerations ?? []).map(tolerationOf),
  };
}

type TolerationSpec = NonNullable<ExplicitDialect["acceleratorTolerations"]>[number];

function tolerationOf({ key, operator, value, effect }: TolerationSpec): Toleration {
  const how = operator ?? (value === undefined ? "Exists" : "Equal");
  return { key, operator: how, ...(how === "Equal" ? { value: value ?? "" } : {}), ...given("effect", effect) };
}
