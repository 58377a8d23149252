import { type AcceleratorModel, findModel } from "./models.ts";

/**
 * A machine as a cloud sells it. Sources: the clouds' instance pages, Karpenter's scraped device data for AWS (PCIe roots of devices and network
 * cards), and NVIDIA's and AMD's platform guides for the NUMA layout.
 */
export interface NodeShape {
  readonly name: string;
  readonly cloud: "aws" | "gcp" | "azure";
  /** Hardware threads, memory, local disk. */
  readonly cpu: number;
  readonly memoryGi: number;
  readonly disk: string;
  readonly arch: "amd64" | "arm64";
  readonly accelerator: { readonly model: AcceleratorModel; readonly count: number } | undefined;
  /** PCIe root of each device, in order; empty where the platform publishes none. */
  readonly pcieRoots: readonly string[];
  /** NUMA nodes, over which devices spread evenly in order. */
  readonly numaNodes: number;
  /** Network cards that a device plugin counts. */
  readonly nics: { readonly resource: string; readonly count: number } | undefined;
  /** Network cards as a DRA driver publishes them, in order; empty where it is not known what it does. */
  readonly network: readonly NetworkCard[];
  /** Value of cloud.google.com/gke-accelerator. */
  readonly gke: string | undefined;
  /** Does NVLink span the nodes of a rack. */
  readonly rackNvlink: boolean;
}

export interface NetworkCard {
  readonly pcieRoot: string | undefined;
  /** The kernel tells none where there is one NUMA node. */
  readonly numaNode: number | undefined;
}

interface Extra {
  readonly disk?: string;
  readonly arch?: "amd64" | "arm64";
  readonly roots?: string;
  readonly numa?: number;
  readonly nics?: number;
  /** Roots of the network cards, `-` where none is published; `x4`: so many in a row; the NUMA nodes have equally many, or `c2@1`. */
  readonly cards?: string;
  readonly gke?: string;
  readonly rackNvlink?: boolean;
}

const EFA = "vpc.amazonaws.com/efa";
const P5_ROOTS = "44 55 66 77 88 99 aa bb";
const P5_CARDS = "44x4 55x4 66x4 77x4 88x4 99x4 aax4 bbx4";
const P4_ROOTS = "10 10 20 20 90 90 a0 a0";

function shape(
  cloud: NodeShape["cloud"],
  name: string,
  cpu: number,
  memoryGi: number,
  gpus?: readonly [string, number],
  extra: Extra = {},
): NodeShape {
  const model = gpus === undefined ? undefined : findModel(gpus[0]);
  return {
    name,
    cloud,
    cpu,
    memoryGi,
    disk: extra.disk ?? "180Gi",
    arch: extra.arch ?? "amd64",
    accelerator: model === undefined ? undefined : { model, count: gpus?.[1] ?? 0 },
    pcieRoots: (extra.roots ?? "").split(" ").filter(Boolean).map(rootName),
    numaNodes: extra.numa ?? 1,
    nics: extra.nics === undefined ? undefined : { resource: EFA, count: extra.nics },
    network: cardsOf(extra.cards ?? "", extra.numa ?? 1),
    gke: extra.gke,
    rackNvlink: extra.rackNvlink ?? false,
  };
}

const rootName = (root: string): string => (root.includes(":") ? root : `pci0000:${root}`);

function cardsOf(text: string, numaNodes: number): readonly NetworkCard[] {
  const entries = text.split(" ").filter(Boolean);
  const cards = entries.flatMap((entry) => {
    const [, root = "", times = "1", numa] = /^(.+?)(?:x(\d+))?(?:@(\d+))?$/.exec(entry) ?? [];
    return Array.from({ length: Number(times) }, () => ({ root, numa }));
  });
  return cards.map(({ root, numa }, index) => ({
    pcieRoot: root === "-" ? undefined : rootName(root),
    numaNode:
      numaNodes === 1 ? undefined : numa === undefined ? Math.floor((index * numaNodes) / cards.length) : Number(numa),
  }));
}

const aws = shape.bind(undefined, "aws");
const gcp = shape.bind(undefined, "gcp");
const azure = shape.bind(undefined, "azure");

const SHAPES: readonly NodeShape[] = [
  aws("p4d.24xlarge", 96, 1152, ["a100-40gb", 8], {
    disk: "7Ti",
    roots: P4_ROOTS,
    numa: 2,
    nics: 4,
    cards: "10 20 90 a0",
  }),
  aws("p4de.24xlarge", 96, 1152, ["a100-80gb", 8], {
    disk: "7Ti",
    roots: P4_ROOTS,
    numa: 2,
    nics: 4,
    cards: "10 20 90 a0",
  }),
  aws("p5.4xlarge", 16, 256, ["h100", 1], { disk: "3Ti", roots: "24", nics: 1, cards: "24" }),
  aws("p5.48xlarge", 192, 2048, ["h100", 8], { disk: "27Ti", roots: P5_ROOTS, numa: 2, nics: 32, cards: P5_CARDS }),
  aws("p5e.48xlarge", 192, 2048, ["h200", 8], { disk: "27Ti", roots: P5_ROOTS, numa: 2, nics: 32, cards: P5_CARDS }),
  aws("p5en.48xlarge", 192, 2048, ["h200", 8], {
    disk: "27Ti",
    roots: "44 44 5d 5d 76 76 8f 8f",
    numa: 2,
    nics: 16,
    cards: "44x4 5dx4 76x4 8fx4",
  }),
  aws("p6-b200.48xlarge", 192, 2048, ["b200", 8], {
    disk: "27Ti",
    roots: "44 44 55 55 66 66 79 79",
    numa: 2,
    nics: 8,
    cards: "44x2 55x2 66x2 79x2",
  }),
  aws("p6e-gb200.36xlarge", 144, 960, ["gb200", 4], {
    disk: "21Ti",
    arch: "arm64",
    roots: "pci0008:00 pci0009:00 pci0018:00 pci0019:00",
    numa: 2,
    nics: 4,
    cards: "pci0000:00 pci0002:00 pci0010:00 pci0012:00",
    rackNvlink: true,
  }),
  ...sizes("g6", "l4", 4, "4x1 8x1 16x1 32x1 48x4 64x1 96x4 192x8"),
  ...sizes("g6e", "l40s", 8, "4x1 8x1 16x1 32x1 48x4 64x1 96x4 192x8"),
  ...sizes("g5", "a10g", 4, "4x1 8x1 16x1 32x1 48x4 64x1 96x4 192x8"),
  ...sizes("g4dn", "t4", 4, "4x1 8x1 16x1 32x1 48x4 64x1"),
  aws("g4dn.metal", 96, 384, ["t4", 8], {
    disk: "1.5Ti",
    roots: "17 17 34 34 e6 e6 f3 f3",
    numa: 2,
    nics: 1,
    cards: "c2@1",
  }),
  aws("m7i.4xlarge", 16, 64),
  aws("m7i.24xlarge", 96, 384),
  aws("c7i.24xlarge", 96, 192),
  gcp("a2-highgpu-8g", 96, 680, ["a100-40gb", 8], { numa: 2, gke: "nvidia-tesla-a100" }),
  gcp("a2-ultragpu-8g", 96, 1360, ["a100-80gb", 8], { disk: "2.7Ti", numa: 2, gke: "nvidia-a100-80gb" }),
  gcp("a3-highgpu-8g", 208, 1872, ["h100", 8], { disk: "5Ti", numa: 2, gke: "nvidia-h100-80gb" }),
  gcp("a3-megagpu-8g", 208, 1872, ["h100", 8], { disk: "5Ti", numa: 2, gke: "nvidia-h100-mega-80gb" }),
  gcp("n2-standard-32", 32, 128),
  azure("Standard_ND96isr_H100_v5", 96, 1900, ["h100", 8], { disk: "25Ti", numa: 2 }),
  azure("Standard_ND96isr_MI300X_v5", 96, 1850, ["mi300x", 8], { disk: "25Ti", numa: 2, cards: "-x8" }),
];

/** A family of AWS's sizes, `CPUxDEVICES`: `4x1` is `.xlarge`, `8x1` `.2xlarge`. */
function sizes(family: string, model: string, memoryPerCpu: number, list: string): readonly NodeShape[] {
  const roots: Readonly<Record<string, string>> = {
    "g6e.12xlarge": "37 39 3b 3d",
    "g6e.24xlarge": "62 64 66 68",
    "g6e.48xlarge": "9d 9f a1 a3 c5 c7 c9 cb",
  };
  const cards: Readonly<Record<string, string>> = {
    "g6e.12xlarge": "24",
    "g6e.24xlarge": "44x2",
    "g6e.48xlarge": "84x2 a5x2",
    "g6.12xlarge": "24",
    "g6.24xlarge": "44",
    "g6.48xlarge": "84",
  };
  return list.split(" ").map((entry) => {
    const [cpu = 0, count = 0] = entry.split("x").map(Number);
    const name = `${family}.${cpu === 4 ? "" : cpu / 4}xlarge`;
    const virtual = family === "g5" || family === "g4dn" ? Array(count).fill("00").join(" ") : "";
    return aws(name, cpu, cpu * memoryPerCpu, [model, count], {
      disk: cpu >= 48 ? "3Ti" : "400Gi",
      roots: roots[name] ?? virtual,
      numa: cpu >= 96 ? 2 : 1,
      cards: cards[name] ?? (virtual !== "" && cpu >= 32 ? "00" : ""),
    });
  });
}

const BY_NAME: ReadonlyMap<string, NodeShape> = new Map(SHAPES.map((one) => [one.name, one]));

export function findShape(name: string): NodeShape | undefined {
  return BY_NAME.get(name);
}

/** All names, in the table's order. */
export function shapeNames(): readonly string[] {
  return SHAPES.map((one) => one.name);
}

/**
 * What pods may use after kubelet, system and eviction threshold: EKS's reservation for cpu (6 % of the first core, 1 %, 0.5 %
 * twice, then 0.25 %; no shape has fewer than four) and for memory (255Mi and 11Mi a pod, 100Mi threshold) below Karpenter's estimate of 7.5 % for the hypervisor.
 */
export function nodeAmounts(
  one: NodeShape,
  pods: number,
): { readonly capacity: Record<string, string>; readonly allocatable: Record<string, string> } {
  const reservedMillis = 80 + 2.5 * (one.cpu - 4);
  const visibleMi = one.memoryGi * 1024 * 0.925;
  return {
    capacity: {
      cpu: String(one.cpu),
      memory: `${Math.floor(visibleMi)}Mi`,
      "ephemeral-storage": one.disk,
      pods: String(pods),
    },
    allocatable: {
      cpu: `${Math.floor(one.cpu * 1000 - reservedMillis)}m`,
      memory: `${Math.floor(visibleMi - 255 - 11 * pods - 100)}Mi`,
      "ephemeral-storage": one.disk,
      pods: String(pods),
    },
  };
}
