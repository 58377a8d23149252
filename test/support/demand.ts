import {
  type AcceleratorClass,
  type CapacityPool,
  type Demand,
  type DeviceRequest,
  type Placement,
  type Platform,
  type PodSetDemand,
  type PodShape,
  type Requirement,
  type Rung,
  requirement,
  type Step,
  type Toleration,
} from "../../src/model/index.ts";
import type { SolveContext } from "../../src/solver/index.ts";

/** Demands and contexts for solver tests: small, spelled out, without a catalogue. */

export const gpuToleration: Toleration = { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" };

export function step(rung: Partial<Rung> = {}, extra: Partial<Step> = {}): Step {
  return {
    rung: { accelerator: "none", capacityType: "on-demand", source: "existing", ...rung },
    selection: [],
    tolerations: [],
    mechanism: "none",
    devicesPerPod: 0,
    addedRequests: {},
    addedDevices: [],
    ...extra,
  };
}

/** A rung for h100s that the manifest asks for as nvidia.com/gpu. */
export function gpuStep(devices: number, rung: Partial<Rung> = {}, selection: readonly Requirement[] = []): Step {
  return step(
    { accelerator: "h100", ...rung },
    {
      mechanism: "extended-resource",
      resourceName: "nvidia.com/gpu",
      devicesPerPod: devices,
      tolerations: [gpuToleration],
      selection,
    },
  );
}

export interface SetOptions {
  readonly count?: number;
  readonly required?: number;
  readonly perNode?: boolean;
  readonly runMs?: number;
  readonly requests?: Readonly<Record<string, number>>;
  readonly pod?: Partial<PodShape>;
  readonly placement?: Partial<Placement>;
  readonly steps?: readonly Step[];
  readonly maxProvisioningMs?: number;
}

export function podSet(name: string, options: SetOptions = {}): PodSetDemand {
  const required = options.required ?? options.count ?? 1;
  return {
    name,
    role: "worker",
    count: options.count ?? required,
    required,
    peak: options.count ?? required,
    perNode: options.perNode ?? false,
    ...(options.runMs === undefined ? {} : { runMs: options.runMs }),
    pod: {
      requests: { cpu: 1000, memory: 2 ** 30, pods: 1, ...options.requests },
      selection: [new Map()],
      tolerations: [],
      hostPorts: [],
      schedulerName: "default-scheduler",
      priority: 0,
      preempts: true,
      spread: [],
      devices: [],
      unknowns: [],
      ...options.pod,
    },
    placement: {
      unit: "podSet",
      groupSize: 1,
      level: undefined,
      mode: "required",
      spread: undefined,
      ...options.placement,
    },
    ladder: { steps: options.steps ?? [step()], maxProvisioningMs: options.maxProvisioningMs ?? 600_000 },
  };
}

export function demandOf(...podSets: readonly PodSetDemand[]): Demand {
  return {
    workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "train" },
    tenant: "team-t",
    podSets,
  };
}

export function deviceRequest(name: string, count: number | "all", extra: Partial<DeviceRequest> = {}): DeviceRequest {
  return {
    name,
    deviceClassName: "gpu.nvidia.com",
    selectors: ['device.driver == "gpu.nvidia.com"'],
    count,
    tolerations: [],
    matchAttributes: [],
    claim: "gpus",
    ...extra,
  };
}

export const testPlatform: Platform = {
  name: "test",
  digest: "0",
  kubernetes: { version: { major: 1, minor: 37, patch: 0 }, featureGates: {} },
  autoscaler: {
    kind: "karpenter",
    version: { major: 1, minor: 14, patch: 1 },
    provisioningRequests: false,
    claims: false,
    maxGracePeriodMs: undefined,
  },
  kueue: undefined,
  dialect: {
    name: "karpenter",
    acceleratorKeys: ["karpenter.k8s.aws/instance-gpu-name"],
    capacityTypes: {
      "on-demand": { requirement: requirement("karpenter.sh/capacity-type", "In", ["on-demand"]), tolerations: [] },
      spot: { requirement: requirement("karpenter.sh/capacity-type", "In", ["spot"]), tolerations: [] },
      reserved: { requirement: requirement("karpenter.sh/capacity-type", "In", ["reserved"]), tolerations: [] },
    },
    acceleratorTolerations: [gpuToleration],
  },
  layout: "eks",
  companions: {
    resourceClaimTemplates: true,
    podDisruptionBudgets: true,
    podTemplates: false,
    provisioningRequests: false,
    podGroups: false,
  },
  supply: { nodes: "complete", pools: "complete" },
  reclaimNoticeMs: {},
};

export function pool(
  name: string,
  options: Partial<Omit<CapacityPool, "node">> & { readonly node?: Partial<CapacityPool["node"]> } = {},
): CapacityPool {
  return {
    name,
    digest: "0",
    accelerator: "h100",
    acceleratorsPerNode: 8,
    capacityType: "on-demand",
    zones: ["a"],
    members: new Map([["pool", requirement("pool", "In", [name])]]),
    maxNodes: 4,
    startupMs: 300_000,
    together: [],
    ...options,
    node: {
      allocatable: { cpu: 64_000, memory: 512 * 2 ** 30, "ephemeral-storage": 2 ** 40, pods: 110, "nvidia.com/gpu": 8 },
      labels: { pool: name },
      taints: [{ key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" }],
      mechanism: "device-plugin",
      ...options.node,
    },
  };
}

export function accelerator(name: string, extra: Partial<AcceleratorClass> = {}): AcceleratorClass {
  return {
    name,
    description: "",
    digest: "0",
    vendor: "nvidia",
    architecture: "hopper",
    memoryBytes: 80 * 2 ** 30,
    sharing: "exclusive",
    resourceName: "nvidia.com/gpu",
    labels: [{ key: "karpenter.k8s.aws/instance-gpu-name", values: [name], beforeNode: true }],
    alignment: {},
    ...extra,
  };
}

export function contextOf(extra: Partial<SolveContext> = {}): SolveContext {
  return {
    platform: testPlatform,
    pools: [],
    accelerators: new Map([["h100", accelerator("h100")]]),
    holds: [],
    maxSteps: 200_000,
    nowMs: Date.UTC(2026, 0, 1),
    ...extra,
  };
}
