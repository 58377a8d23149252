import { digest, type JsonObject, type TopologyLayout } from "../../src/model/index.ts";
import { buildTopology, type Inventory, inventoryFrom, type Topology } from "../../src/topology/index.ts";

/** The levels that `node().zone().block().rack()` write labels for. */
export const testLayout: TopologyLayout = layout("eks", {
  zone: "topology.kubernetes.io/zone",
  block: "topology.k8s.aws/network-node-layer-2",
  rack: "topology.k8s.aws/network-node-layer-3",
  host: "kubernetes.io/hostname",
});

export function layout(name: string, levels: Readonly<Record<string, string>>): TopologyLayout {
  const list = Object.entries(levels).map(([level, key]) => ({ name: level, key }));
  return { name, description: `levels ${Object.keys(levels).join(", ")}`, digest: digest(levels), levels: list };
}

interface Gpu {
  readonly karpenter: string;
  readonly product: string;
  readonly label: string;
  readonly architecture: string;
  readonly memory: string;
  readonly compute: string;
  readonly mebibytes: string;
}

const GPUS: Readonly<Record<string, Gpu>> = {
  h100: gpu("h100", "NVIDIA H100 80GB HBM3", "Hopper", "81152Mi", "9.0.0", "81920"),
  h200: gpu("h200", "NVIDIA H200", "Hopper", "143360Mi", "9.0.0", "144384"),
  b200: gpu("b200", "NVIDIA B200", "Blackwell", "182784Mi", "10.0.0", "183359"),
  a100: gpu("a100", "NVIDIA A100-SXM4-40GB", "Ampere", "40320Mi", "8.0.0", "40960"),
  "a100-80gb": gpu("a100", "NVIDIA A100-SXM4-80GB", "Ampere", "81920Mi", "8.0.0", "81920"),
  l40s: gpu("l40s", "NVIDIA L40S", "Ada Lovelace", "46068Mi", "8.9.0", "45776"),
  l4: gpu("l4", "NVIDIA L4", "Ada Lovelace", "23034Mi", "8.9.0", "22888"),
  t4: gpu("t4", "Tesla T4", "Turing", "15360Mi", "7.5.0", "16384"),
};

function gpu(
  karpenter: string,
  product: string,
  architecture: string,
  memory: string,
  compute: string,
  mebibytes: string,
): Gpu {
  return { karpenter, product, label: product.replaceAll(" ", "-"), architecture, memory, compute, mebibytes };
}

/** A cluster under construction. Every method returns the cluster; `objects`, `inventory` and `topology` read it out. */
export interface ClusterBuilder {
  node(name: string, describe?: (node: NodeBuilder) => unknown): ClusterBuilder;
  /** Nodes NAME-1 ... NAME-count. */
  nodes(name: string, count: number, describe?: (node: NodeBuilder, index: number) => unknown): ClusterBuilder;
  pod(name: string, describe?: (pod: PodBuilder) => unknown): ClusterBuilder;
  /** An allocated claim of devices `driver/pool/device`, used by a pod of the same namespace. */
  claim(name: string, devices: readonly string[], usedBy?: string, namespace?: string): ClusterBuilder;
  namespace(name: string, labels?: Readonly<Record<string, string>>): ClusterBuilder;
  deviceClass(name: string, selectors: readonly string[], extendedResourceName?: string): ClusterBuilder;
  priorityClass(name: string, value: number, extra?: JsonObject): ClusterBuilder;
  quota(
    namespace: string,
    hard: Readonly<Record<string, string>>,
    used?: Readonly<Record<string, string>>,
  ): ClusterBuilder;
  /** A PodDisruptionBudget over pods with these labels. */
  disruptionBudget(
    namespace: string,
    name: string,
    allowed: number,
    labels: Readonly<Record<string, string>>,
  ): ClusterBuilder;
  /** Any other object, as it is. */
  object(...objects: readonly JsonObject[]): ClusterBuilder;
  objects(): readonly JsonObject[];
  inventory(): Inventory;
  topology(layout?: TopologyLayout): Topology;
}

export interface NodeBuilder {
  cpu(cores: string | number): NodeBuilder;
  memory(amount: string): NodeBuilder;
  podSlots(count: number): NodeBuilder;
  /** Accelerators counted by the device plugin, with the labels of GFD and Karpenter, and the taint nvidia.com/gpu. */
  gpus(kind: string, count: number): NodeBuilder;
  /** Accelerators published by the DRA driver gpu.nvidia.com in a slice; `patch` changes one device before it is published. */
  dra(kind: string, count: number, patch?: (device: JsonObject, index: number) => JsonObject): NodeBuilder;
  resource(name: string, amount: string | number): NodeBuilder;
  zone(name: string): NodeBuilder;
  block(name: string): NodeBuilder;
  rack(name: string): NodeBuilder;
  capacityType(type: "reserved" | "on-demand" | "spot"): NodeBuilder;
  label(key: string, value: string): NodeBuilder;
  taint(key: string, value?: string, effect?: string): NodeBuilder;
  untainted(): NodeBuilder;
  cordoned(): NodeBuilder;
  notReady(): NodeBuilder;
}

export interface PodBuilder {
  namespace(name: string): PodBuilder;
  on(node: string): PodBuilder;
  nominatedTo(node: string): PodBuilder;
  cpu(cores: string | number): PodBuilder;
  memory(amount: string): PodBuilder;
  gpus(count: number, resource?: string): PodBuilder;
  resource(name: string, amount: string | number): PodBuilder;
  /** Its controller; apiVersion by kind. */
  owner(kind: string, name: string, apiVersion?: string): PodBuilder;
  label(key: string, value: string): PodBuilder;
  priority(value: number): PodBuilder;
  phase(phase: string): PodBuilder;
  terminating(): PodBuilder;
  started(at: string): PodBuilder;
  hostPort(port: number, how?: { readonly protocol?: string; readonly hostIP?: string }): PodBuilder;
  /** Keeps pods of these labels, in any namespace, off its domain of the label `key`. */
  keepsOff(key: string, matchLabels: JsonObject): PodBuilder;
}

export function cluster(): ClusterBuilder {
  const objects: JsonObject[] = [];
  const builder: ClusterBuilder = {
    node(name, describe) {
      const draft = nodeDraft(name);
      describe?.(draft.builder);
      objects.push(...draft.finish());
      return builder;
    },
    nodes(name, count, describe) {
      for (let index = 1; index <= count; index += 1)
        builder.node(`${name}-${index}`, (node) => describe?.(node, index));
      return builder;
    },
    pod(name, describe) {
      const draft = podDraft(name);
      describe?.(draft.builder);
      objects.push(draft.finish());
      return builder;
    },
    claim(name, devices, usedBy, namespace = "default") {
      const results = devices.map((path) => {
        const [driver = "", pool = "", device = ""] = path.split("/");
        return { request: "gpu", driver, pool, device };
      });
      return builder.object({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceClaim",
        metadata: { name, namespace },
        spec: {
          devices: {
            requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com", count: devices.length } }],
          },
        },
        status: {
          allocation: { devices: { results } },
          reservedFor: usedBy === undefined ? [] : [{ resource: "pods", name: usedBy, uid: `uid-${usedBy}` }],
        },
      });
    },
    namespace: (name, labels = {}) =>
      builder.object({ apiVersion: "v1", kind: "Namespace", metadata: { name, labels } }),
    deviceClass: (name, selectors, extendedResourceName) =>
      builder.object({
        apiVersion: "resource.k8s.io/v1",
        kind: "DeviceClass",
        metadata: { name },
        spec: {
          selectors: selectors.map((expression) => ({ cel: { expression } })),
          ...(extendedResourceName === undefined ? {} : { extendedResourceName }),
        },
      }),
    priorityClass: (name, value, extra = {}) =>
      builder.object({
        apiVersion: "scheduling.k8s.io/v1",
        kind: "PriorityClass",
        metadata: { name },
        value,
        ...extra,
      }),
    disruptionBudget: (namespace, name, disruptionsAllowed, matchLabels) =>
      builder.object({
        apiVersion: "policy/v1",
        kind: "PodDisruptionBudget",
        metadata: { namespace, name },
        spec: { selector: { matchLabels } },
        status: { disruptionsAllowed },
      }),
    quota: (namespace, hard, used = {}) =>
      builder.object({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "quota", namespace },
        spec: { hard },
        status: { hard, used },
      }),
    object(...more) {
      objects.push(...more);
      return builder;
    },
    objects: () => [...objects],
    inventory() {
      const { value, diagnostics } = inventoryFrom(objects);
      if (value === undefined || diagnostics.some((one) => one.severity !== "info"))
        throw new Error(`the test's cluster is malformed: ${diagnostics.map((one) => one.message).join(" ")}`);
      return value;
    },
    topology: (over = testLayout) => buildTopology(builder.inventory(), over),
  };
  return builder;
}

function nodeDraft(name: string) {
  const labels: Record<string, string> = { "kubernetes.io/hostname": name, "kubernetes.io/arch": "amd64" };
  const amounts: Record<string, string> = { cpu: "16", memory: "64Gi", "ephemeral-storage": "200Gi", pods: "110" };
  let taints: JsonObject[] = [];
  let cordoned = false;
  let ready = true;
  const slices: JsonObject[] = [];

  const accelerated = (kind: string, count: number): Gpu => {
    const found = GPUS[kind];
    if (found === undefined) throw new Error(`no test GPU ${kind}; there are ${Object.keys(GPUS).join(", ")}`);
    labels["nvidia.com/gpu.product"] = found.label;
    labels["nvidia.com/gpu.count"] = String(count);
    labels["karpenter.k8s.aws/instance-gpu-name"] = found.karpenter;
    labels["karpenter.k8s.aws/instance-gpu-count"] = String(count);
    labels["karpenter.k8s.aws/instance-gpu-memory"] = found.mebibytes;
    taints.push({ key: "nvidia.com/gpu", value: "true", effect: "NoSchedule" });
    if (amounts["cpu"] === "16" && count >= 4) {
      amounts["cpu"] = "192";
      amounts["memory"] = "2000Gi";
    }
    return found;
  };

  const builder: NodeBuilder = {
    cpu: (cores) => builder.resource("cpu", cores),
    memory: (amount) => builder.resource("memory", amount),
    podSlots: (count) => builder.resource("pods", count),
    gpus(kind, count) {
      accelerated(kind, count);
      return builder.resource("nvidia.com/gpu", count);
    },
    dra(kind, count, patch = (device) => device) {
      const found = accelerated(kind, count);
      const devices = Array.from({ length: count }, (_, index) => patch(draDevice(found, name, index), index));
      slices.push({
        apiVersion: "resource.k8s.io/v1",
        kind: "ResourceSlice",
        metadata: { name: `${name}-gpu.nvidia.com` },
        spec: {
          driver: "gpu.nvidia.com",
          nodeName: name,
          pool: { name, generation: 1, resourceSliceCount: 1 },
          devices,
        },
      });
      return builder;
    },
    resource(resource, amount) {
      amounts[resource] = String(amount);
      return builder;
    },
    zone: (value) => builder.label("topology.kubernetes.io/zone", value),
    block: (value) => builder.label("topology.k8s.aws/network-node-layer-2", value),
    rack: (value) => builder.label("topology.k8s.aws/network-node-layer-3", value),
    capacityType: (type) => builder.label("karpenter.sh/capacity-type", type),
    label(key, value) {
      labels[key] = value;
      return builder;
    },
    taint(key, value = "true", effect = "NoSchedule") {
      taints.push({ key, value, effect });
      return builder;
    },
    untainted() {
      taints = [];
      return builder;
    },
    cordoned() {
      cordoned = true;
      return builder.taint("node.kubernetes.io/unschedulable", "");
    },
    notReady() {
      ready = false;
      return builder.taint("node.kubernetes.io/not-ready", "");
    },
  };
  const finish = (): JsonObject[] => [
    {
      apiVersion: "v1",
      kind: "Node",
      metadata: { name, labels },
      spec: { ...(taints.length > 0 ? { taints } : {}), ...(cordoned ? { unschedulable: true } : {}) },
      status: {
        capacity: amounts,
        allocatable: amounts,
        conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
      },
    },
    ...slices,
  ];
  return { builder, finish };
}

/** PCIe roots as on a p5.48xlarge, one per device; NUMA node 0 for the first half of eight. */
function draDevice(found: Gpu, node: string, index: number): JsonObject {
  const root = ["44", "55", "66", "77", "88", "99", "aa", "bb"][index % 8] ?? "44";
  return {
    name: `gpu-${index}`,
    attributes: {
      type: { string: "gpu" },
      uuid: { string: `GPU-${node}-${index}` },
      productName: { string: found.product },
      brand: { string: "Nvidia" },
      architecture: { string: found.architecture },
      cudaComputeCapability: { version: found.compute },
      driverVersion: { version: "580.95.5" },
      "resource.kubernetes.io/pcieRoot": { string: `pci0000:${root}` },
      "resource.kubernetes.io/numaNode": { int: index % 8 < 4 ? 0 : 1 },
    },
    capacity: { memory: { value: found.memory } },
  };
}

const API_VERSIONS: Readonly<Record<string, string>> = {
  Job: "batch/v1",
  CronJob: "batch/v1",
  JobSet: "jobset.x-k8s.io/v1alpha2",
  RayCluster: "ray.io/v1",
  LeaderWorkerSet: "leaderworkerset.x-k8s.io/v1",
  PyTorchJob: "kubeflow.org/v1",
  Pod: "v1",
};

function podDraft(name: string) {
  let namespace = "default";
  const labels: Record<string, string> = {};
  const requests: Record<string, string> = {};
  const ports: JsonObject[] = [];
  let spec: JsonObject = {};
  let status: JsonObject = { phase: "Running" };
  let metadata: JsonObject = {};
  const builder: PodBuilder = {
    namespace(value) {
      namespace = value;
      return builder;
    },
    on(nodeName) {
      spec = { ...spec, nodeName };
      return builder;
    },
    nominatedTo(nominatedNodeName) {
      status = { ...status, phase: "Pending", nominatedNodeName };
      return builder;
    },
    cpu: (cores) => builder.resource("cpu", cores),
    memory: (amount) => builder.resource("memory", amount),
    gpus: (count, resource = "nvidia.com/gpu") => builder.resource(resource, count),
    resource(resource, amount) {
      requests[resource] = String(amount);
      return builder;
    },
    owner(kind, owner, apiVersion = API_VERSIONS[kind] ?? "apps/v1") {
      const reference = { apiVersion, kind, name: owner, uid: `uid-${owner}`, controller: true };
      metadata = { ...metadata, ownerReferences: [reference] };
      return builder;
    },
    label(key, value) {
      labels[key] = value;
      return builder;
    },
    priority(priority) {
      spec = { ...spec, priority };
      return builder;
    },
    phase(phase) {
      status = { ...status, phase };
      return builder;
    },
    terminating() {
      metadata = { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" };
      return builder;
    },
    started(startTime) {
      status = { ...status, startTime };
      return builder;
    },
    hostPort(hostPort, how = {}) {
      ports.push({ containerPort: hostPort, hostPort, ...how });
      return builder;
    },
    keepsOff(topologyKey, matchLabels) {
      const term = { topologyKey, labelSelector: { matchLabels }, namespaceSelector: {} };
      const affinity = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } };
      spec = { ...spec, affinity };
      return builder;
    },
  };
  const finish = (): JsonObject => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace, uid: `uid-${name}`, labels, ...metadata },
    spec: {
      ...spec,
      containers: [
        { name: "main", image: "pause:3.10", resources: { requests }, ...(ports.length > 0 ? { ports } : {}) },
      ],
    },
    status,
  });
  return { builder, finish };
}
