/** One accelerator model: what its driver, GPU feature discovery and the clouds call it. Memory differs by who reports it. */
export interface AcceleratorModel {
  readonly name: string;
  readonly vendor: "nvidia" | "amd";
  /** The extended resource of its device plugin. */
  readonly resource: string;
  readonly driver: string;
  /** DRA attribute productName. */
  readonly product: string;
  /** DRA attribute architecture. */
  readonly architecture: string;
  /** GFD's family label. */
  readonly family: string;
  readonly compute: string;
  /** Mebibytes of DRA's capacity `memory`, of GFD's label, and of Karpenter's label. */
  readonly memoryMi: number;
  readonly gfdMemory: number;
  readonly karpenterMemory: number;
  /** Value of karpenter.k8s.aws/instance-gpu-name. */
  readonly karpenter: string;
  readonly mig: boolean;
}

function nvidia(
  name: string,
  product: string,
  [architecture, compute]: readonly [string, string],
  [memoryMi, gfdMemory, karpenterMemory]: readonly [number, number, number],
  karpenter = name,
): AcceleratorModel {
  const family = architecture.toLowerCase().replaceAll(" ", "-");
  const mig = ["Ampere", "Hopper", "Blackwell"].includes(architecture) && name !== "a10g";
  const common = { vendor: "nvidia", resource: "nvidia.com/gpu", driver: "gpu.nvidia.com" } as const;
  return {
    ...common,
    name,
    product,
    architecture,
    family,
    compute,
    memoryMi,
    gfdMemory,
    karpenterMemory,
    karpenter,
    mig,
  };
}

const MODELS: readonly AcceleratorModel[] = [
  nvidia("a100-40gb", "NVIDIA A100-SXM4-40GB", ["Ampere", "8.0.0"], [40320, 40960, 40960], "a100"),
  nvidia("a100-80gb", "NVIDIA A100-SXM4-80GB", ["Ampere", "8.0.0"], [81920, 81920, 81920], "a100"),
  nvidia("h100", "NVIDIA H100 80GB HBM3", ["Hopper", "9.0.0"], [81152, 81559, 81920]),
  nvidia("h200", "NVIDIA H200", ["Hopper", "9.0.0"], [143360, 143771, 144384]),
  nvidia("b200", "NVIDIA B200", ["Blackwell", "10.0.0"], [182784, 183359, 183359]),
  nvidia("gb200", "NVIDIA GB200", ["Blackwell", "10.0.0"], [189471, 189471, 189471]),
  nvidia("l40s", "NVIDIA L40S", ["Ada Lovelace", "8.9.0"], [46068, 46068, 45776]),
  nvidia("l4", "NVIDIA L4", ["Ada Lovelace", "8.9.0"], [23034, 23034, 22888]),
  nvidia("a10g", "NVIDIA A10G", ["Ampere", "8.6.0"], [23028, 23028, 22888]),
  nvidia("t4", "Tesla T4", ["Turing", "7.5.0"], [15360, 15360, 16384]),
  {
    name: "mi300x",
    vendor: "amd",
    resource: "amd.com/gpu",
    driver: "gpu.amd.com",
    product: "AMD_Instinct_MI300X_VF",
    architecture: "CDNA3",
    family: "AI",
    compute: "9.4.2",
    memoryMi: 196592,
    gfdMemory: 196592,
    karpenterMemory: 196592,
    karpenter: "mi300x",
    mig: false,
  },
];

const BY_NAME: ReadonlyMap<string, AcceleratorModel> = new Map(MODELS.map((model) => [model.name, model]));

export function findModel(name: string): AcceleratorModel | undefined {
  return BY_NAME.get(name);
}
