import { readdirSync, readFileSync } from "node:fs";
import type { AdmissionContext } from "../../src/admission/index.ts";
import type { Json, JsonObject } from "../../src/model/index.ts";
import { type Catalogue, loadCatalogue, type PolicyFile } from "../../src/policy/index.ts";
import { indexTopology } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom } from "../../src/topology/index.ts";
import { ApiServer } from "./apiserver.ts";

type Fields = Readonly<Record<string, Json>>;

/** A class that asks for as little as the schema lets it; `fields` replace whole declarations. */
export function classFile(name: string, fields: Fields = {}): PolicyFile {
  const spec = {
    description: `Test class ${name}.`,
    latency: "none",
    demand: { shape: "batch" },
    state: { location: "none" },
    interruption: { spot: "never", consolidation: true },
    accelerator: { classes: ["h100", "h200"], perPod: { min: 1, max: 8, default: 1 } },
    tenancy: { isolation: "shared", networkPolicy: "none", serviceAccount: "any" },
    startup: { cost: "1m" },
    capacity: { types: ["reserved", "on-demand"], maxProvisioning: "30m" },
    roles: { head: { accelerator: "none" }, submitter: { accelerator: "none" } },
    admission: { mode: "enforce" },
    ...fields,
  };
  return policyFile(`classes/${name}.yaml`, "WorkloadClass", name, spec);
}

export interface PoolShape {
  readonly accelerator: "h100" | "h200";
  readonly capacityType: "reserved" | "on-demand" | "spot";
  readonly maxNodes: number;
}

/** Nodes of eight devices, as Karpenter on AWS would stamp them. */
export function poolFile(name: string, { accelerator, capacityType, maxNodes }: PoolShape): PolicyFile {
  return policyFile(`pools/${name}.yaml`, "CapacityPool", name, {
    accelerator,
    acceleratorsPerNode: 8,
    capacityType,
    node: {
      allocatable: { cpu: "190", memory: "1900Gi", "ephemeral-storage": "20Ti", pods: 110, "nvidia.com/gpu": 8 },
      labels: nodeLabels(name, accelerator, capacityType),
      taints: [TAINT],
      mechanism: "device-plugin",
    },
    zones: ["zone-a"],
    members: { matchLabels: { "karpenter.sh/nodepool": name } },
    maxNodes,
    startup: "5m",
  });
}

const TAINT = { key: "nvidia.com/gpu", value: "present", effect: "NoSchedule" };

function nodeLabels(pool: string, accelerator: string, capacityType: string): Record<string, string> {
  const type = accelerator === "h200" ? "p5en.48xlarge" : "p5.48xlarge";
  return {
    "karpenter.sh/nodepool": pool,
    "karpenter.sh/capacity-type": capacityType,
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/os": "linux",
    "node.kubernetes.io/instance-type": type,
    "karpenter.k8s.aws/instance-gpu-manufacturer": "nvidia",
    "karpenter.k8s.aws/instance-gpu-name": accelerator,
    "karpenter.k8s.aws/instance-gpu-memory": accelerator === "h200" ? "144384" : "81920",
    "karpenter.k8s.aws/instance-gpu-count": "8",
  };
}

export interface NodeShape {
  readonly accelerator?: "h100" | "h200";
  readonly capacityType?: "reserved" | "on-demand" | "spot";
  readonly zone?: string;
  readonly block?: string;
  readonly rack?: string;
  readonly gpus?: number;
}

export function gpuNode(name: string, shape: NodeShape = {}): JsonObject {
  const {
    accelerator = "h100",
    capacityType = "on-demand",
    zone = "zone-a",
    block = "block-1",
    rack = "rack-1",
    gpus = 8,
  } = shape;
  const amounts = {
    cpu: "190",
    memory: "1900Gi",
    "ephemeral-storage": "20Ti",
    pods: "110",
    "nvidia.com/gpu": String(gpus),
  };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        ...nodeLabels(`${accelerator}-${capacityType}`, accelerator, capacityType),
        "kubernetes.io/hostname": name,
        "topology.kubernetes.io/zone": zone,
        "topology.k8s.aws/network-node-layer-2": block,
        "topology.k8s.aws/network-node-layer-3": rack,
      },
    },
    spec: { taints: [TAINT] },
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: "Ready", status: "True" }] },
  };
}

/** A node without devices, where heads and plain pods go. */
export function plainNode(name: string): JsonObject {
  const amounts = { cpu: "64", memory: "256Gi", "ephemeral-storage": "1Ti", pods: "110" };
  return {
    apiVersion: "v1",
    kind: "Node",
    metadata: {
      name,
      labels: {
        "kubernetes.io/hostname": name,
        "karpenter.sh/capacity-type": "on-demand",
        "topology.kubernetes.io/zone": "zone-a",
      },
    },
    spec: {},
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: "Ready", status: "True" }] },
  };
}

export function namespace(name: string, labels: Readonly<Record<string, string>> = {}): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { "kubernetes.io/metadata.name": name, ...labels } },
  };
}

/** A bound pod that uses devices; `root` is the controller that it belongs to. */
export function boundPod(
  name: string,
  node: string,
  gpus: number,
  options: { root?: JsonObject; terminating?: boolean; namespace?: string } = {},
): JsonObject {
  const { root } = options;
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: options.namespace ?? "default",
      ...(options.terminating === true ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
      ...(root === undefined ? {} : { ownerReferences: [{ ...root, controller: true }] }),
    },
    spec: {
      nodeName: node,
      containers: [{ name: "main", image: "busybox:1.36", resources: { limits: { "nvidia.com/gpu": String(gpus) } } }],
    },
    status: { phase: "Running" },
  };
}

export interface WorldOptions {
  readonly classes?: readonly PolicyFile[];
  readonly pools?: readonly PolicyFile[];
  readonly platform?: Fields;
  readonly files?: readonly PolicyFile[];
}

const PLATFORM: Fields = {
  kubernetes: { version: "1.37" },
  autoscaler: { kind: "karpenter", version: "1.14" },
  dialect: "karpenter-aws",
  layout: "eks",
  companions: { resourceClaimTemplates: true, podDisruptionBudgets: true },
  supply: { nodes: "complete", pools: "complete" },
};

/** The shipped accelerators and layouts with the named classes and pools, as files of a policies folder. */
export function catalogueFiles(options: WorldOptions = {}): readonly PolicyFile[] {
  return [
    ...shipped("accelerators"),
    ...shipped("layouts"),
    policyFile("platform.yaml", "Platform", "test", { ...PLATFORM, ...options.platform }),
    ...(options.classes ?? [classFile("batch")]),
    ...(options.pools ?? []),
    ...(options.files ?? []),
  ];
}

/** A catalogue of `catalogueFiles`; throws where it does not load. */
export function catalogueOf(options: WorldOptions = {}): Catalogue {
  const { value, diagnostics } = loadCatalogue(catalogueFiles(options));
  if (value === undefined)
    throw new Error(diagnostics.map((one) => `${one.source?.file}: ${one.code} ${one.message}`).join("\n"));
  return value;
}

/** What the webhooks know of a cluster of these objects. */
export function contextOf(
  catalogue: Catalogue,
  objects: readonly JsonObject[] | undefined,
): Omit<AdmissionContext, "holds" | "nowMs"> {
  const inventory = objects === undefined ? undefined : inventoryFrom(objects).value;
  const topology = inventory === undefined ? undefined : buildTopology(inventory, catalogue.layout);
  return {
    catalogue,
    topology,
    ...(topology === undefined ? {} : { index: indexTopology(topology) }),
    maxSteps: 200_000,
  };
}

/** An API server in front of webhooks that know this catalogue and this cluster. */
export function serverOf(catalogue: Catalogue, objects: readonly JsonObject[] | undefined): ApiServer {
  return new ApiServer({ context: contextOf(catalogue, objects) });
}

function policyFile(path: string, kind: string, name: string, spec: Json): PolicyFile {
  return { path, text: JSON.stringify({ apiVersion: "plimsoll.dev/v1alpha1", kind, metadata: { name }, spec }) };
}

function shipped(folder: string): PolicyFile[] {
  const root = new URL(`../../policies/${folder}/`, import.meta.url);
  return readdirSync(root)
    .filter((name) => name.endsWith(".yaml"))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(new URL(name, root), "utf8") }));
}
