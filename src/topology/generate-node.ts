import type { JsonObject } from "../model/index.ts";
import type { GenerateOptions, LabelLayout } from "./generate.ts";
import { type NodeShape, nodeAmounts } from "./shapes.ts";

/** Where a node stands; zone from 0, the others from 1. `rackIndex` counts over the whole cluster. */
export interface NodePlace {
  readonly zone: number;
  readonly block: number;
  readonly rack: number;
  readonly slot: number;
  readonly rackIndex: number;
}

export interface GeneratedNode {
  readonly name: string;
  readonly object: JsonObject;
  /** Are its devices published by DRA. */
  readonly dra: boolean;
  /** Are its network cards. */
  readonly draNetwork: boolean;
}

type Labels = Record<string, string>;
const POD_SLOTS = 110;

/** A core/v1 Node as cloud, autoscaler, GPU feature discovery and topology agent would label it. */
export function makeNode(
  shape: NodeShape,
  place: NodePlace,
  options: GenerateOptions & { readonly dra: boolean },
): GeneratedNode {
  const named = options.zoneNames?.[place.zone];
  const zoneLetter = named?.at(-1) ?? letterOf(place.zone);
  const zone = named ?? zoneName(shape.cloud, zoneLetter);
  const prefix = options.prefix ?? shapeText(shape);
  const name = `${prefix}-${zoneLetter}${place.block}-r${place.rack}-${String(place.slot).padStart(2, "0")}`;
  const pool = options.nodePool ?? shapeText(shape);
  const capacityType = options.capacityType ?? "on-demand";
  const { accelerator } = shape;
  const labels: Labels = {
    "kubernetes.io/hostname": name,
    "kubernetes.io/os": "linux",
    "kubernetes.io/arch": shape.arch,
    "node.kubernetes.io/instance-type": shape.name,
    "topology.kubernetes.io/region": zone.replace(/-?[a-z0-9]$/, ""),
    "topology.kubernetes.io/zone": zone,
    ...cloudLabels(shape, pool, capacityType, options.dra),
    ...levelLabels(options.layout ?? defaultLayout(shape), zoneLetter, place, shape.rackNvlink),
    ...(accelerator === undefined ? {} : discoveryLabels(shape, zoneLetter, place)),
  };
  const { capacity, allocatable } = nodeAmounts(shape, POD_SLOTS);
  if (accelerator !== undefined && !options.dra) {
    capacity[accelerator.model.resource] = String(accelerator.count);
    allocatable[accelerator.model.resource] = String(accelerator.count);
  }
  const draNetwork = options.network === "dra" && shape.network.length > 0;
  if (shape.nics !== undefined && !draNetwork) {
    capacity[shape.nics.resource] = String(shape.nics.count);
    allocatable[shape.nics.resource] = String(shape.nics.count);
  }
  const taints = [
    ...(accelerator === undefined ? [] : [{ key: accelerator.model.resource, value: "present", effect: "NoSchedule" }]),
    ...(shape.arch === "arm64" ? [{ key: "kubernetes.io/arch", value: "arm64", effect: "NoSchedule" }] : []),
  ];
  const object = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name, labels },
    spec: taints.length === 0 ? {} : { taints },
    status: { capacity, allocatable, conditions: [{ type: "Ready", status: "True" }] },
  };
  return { name, object, dra: options.dra && accelerator !== undefined, draNetwork };
}

function shapeText(shape: NodeShape): string {
  return shape.name
    .toLowerCase()
    .replace(/^standard_/, "")
    .replaceAll(/[._]/g, "-");
}

/** a to z, then a1, b1 ... */
function letterOf(zone: number): string {
  return String.fromCharCode(97 + (zone % 26)) + (zone < 26 ? "" : String(Math.floor(zone / 26)));
}

function zoneName(cloud: NodeShape["cloud"], letter: string): string {
  if (cloud === "aws") return `us-east-1${letter}`;
  return cloud === "gcp" ? `us-central1-${letter}` : `eastus-${letter}`;
}

function defaultLayout(shape: NodeShape): LabelLayout {
  return shape.cloud === "aws" ? "eks" : shape.cloud === "gcp" ? "gke" : "topograph";
}

function cloudLabels(shape: NodeShape, pool: string, capacityType: string, dra: boolean): Labels {
  const { accelerator } = shape;
  if (shape.cloud === "gcp") {
    return {
      "cloud.google.com/gke-nodepool": pool,
      "cloud.google.com/machine-family": shape.name.split("-")[0] ?? "",
      ...(shape.gke === undefined
        ? {}
        : {
            "cloud.google.com/gke-accelerator": shape.gke,
            "cloud.google.com/gke-accelerator-count": String(accelerator?.count ?? 0),
          }),
      ...(capacityType === "spot" ? { "cloud.google.com/gke-spot": "true" } : {}),
      ...(dra ? { "gke-nvidia-gpu-dra-driver": "true", "gke-no-default-nvidia-gpu-device-plugin": "true" } : {}),
    };
  }
  if (shape.cloud === "azure") {
    return {
      "kubernetes.azure.com/agentpool": pool,
      "kubernetes.azure.com/scalesetpriority": capacityType === "spot" ? "spot" : "regular",
      ...(accelerator === undefined ? {} : { accelerator: accelerator.model.vendor }),
    };
  }
  const [family = "", size = ""] = shape.name.split(".");
  return {
    "karpenter.sh/nodepool": pool,
    "karpenter.sh/capacity-type": capacityType,
    "karpenter.k8s.aws/instance-family": family,
    "karpenter.k8s.aws/instance-size": size,
    ...(accelerator === undefined
      ? {}
      : {
          "karpenter.k8s.aws/instance-gpu-manufacturer": accelerator.model.vendor,
          "karpenter.k8s.aws/instance-gpu-name": accelerator.model.karpenter,
          "karpenter.k8s.aws/instance-gpu-count": String(accelerator.count),
          "karpenter.k8s.aws/instance-gpu-memory": String(accelerator.model.karpenterMemory),
        }),
  };
}

/** Values are unique over the whole cluster, as those of switches are. */
function levelLabels(layout: LabelLayout, zone: string, place: NodePlace, rackNvlink: boolean): Labels {
  const spine = `spine-${zone}`;
  const block = `block-${zone}${place.block}`;
  const rack = `rack-${zone}${place.block}-${place.rack}`;
  switch (layout) {
    case "eks":
      return {
        "topology.k8s.aws/network-node-layer-1": spine,
        "topology.k8s.aws/network-node-layer-2": block,
        "topology.k8s.aws/network-node-layer-3": rack,
      };
    case "gke":
      return {
        "cloud.google.com/gce-topology-block": block,
        "cloud.google.com/gce-topology-subblock": rack,
        "cloud.google.com/gce-topology-host": `${rack}-${place.slot}`,
      };
    case "topograph":
      return {
        "fabric.topograph.run/tier-2": spine,
        "fabric.topograph.run/tier-1": block,
        "fabric.topograph.run/tier-0": rack,
        ...(rackNvlink ? { "accelerator.topograph.run/domain": cliqueOf(zone, place) } : {}),
      };
    case "plain":
      return {};
  }
}

/** What GPU feature discovery (NVIDIA) or the node labeller (AMD) writes once the node runs. */
function discoveryLabels(shape: NodeShape, zone: string, place: NodePlace): Labels {
  const { accelerator } = shape;
  if (accelerator === undefined) return {};
  const { model, count } = accelerator;
  if (model.vendor === "amd")
    return {
      "amd.com/gpu.product-name": model.product,
      "amd.com/gpu.device-id": "74b5",
      "amd.com/gpu.family": model.family,
    };
  const [major = "", minor = ""] = model.compute.split(".");
  return {
    "nvidia.com/gpu.present": "true",
    "nvidia.com/gpu.product": model.product.replaceAll(" ", "-"),
    "nvidia.com/gpu.count": String(count),
    "nvidia.com/gpu.memory": String(model.gfdMemory),
    "nvidia.com/gpu.family": model.family,
    "nvidia.com/gpu.compute.major": major,
    "nvidia.com/gpu.compute.minor": minor,
    "nvidia.com/gpu.replicas": "1",
    "nvidia.com/gpu.sharing-strategy": "none",
    "nvidia.com/mig.capable": String(model.mig),
    ...(shape.rackNvlink ? { "nvidia.com/gpu.clique": cliqueOf(zone, place) } : {}),
  };
}

/** `<ClusterUUID>.<CliqueID>` of the NVLink domain, which is the rack. */
function cliqueOf(zone: string, place: NodePlace): string {
  const digits = [zone.charCodeAt(0), place.block, place.rack]
    .map((part) => part.toString(16).padStart(4, "0"))
    .join("");
  return `00000000-0000-4000-8000-${digits}.0`;
}
