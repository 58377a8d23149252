import type { JsonObject } from "../../../src/model/index.ts";
import type { Random } from "../../../src/topology/random.ts";
import {
  ACCELERATOR_LABEL,
  CAPACITY_LABEL,
  FILLER_NAMESPACE,
  GENERATION_LABEL,
  GPU_DRIVER,
  MODEL,
  type Model,
  NIC_DRIVER,
  NUMA,
  PRIORITY_CLASS,
  RACK_LABEL,
  resourceOf,
  ZONE_LABEL,
} from "./case.ts";

export interface NodeDraft {
  readonly name: string;
  readonly accelerator: Model | undefined;
  readonly capacityType: "reserved" | "on-demand";
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly { readonly key: string; readonly value: string; readonly effect: string }[];
  readonly cordoned: boolean;
  readonly cpu: number;
  readonly memoryGi: number;
  readonly pods: number;
  readonly devices: number;
  readonly dra: boolean;
  /** NUMA node of each device. */
  readonly numa: readonly number[];
  readonly nics: readonly number[];
}

export interface ClusterShape {
  readonly models: readonly Model[];
  readonly dra: boolean;
  readonly nics: boolean;
  readonly capacityTypes: readonly ("reserved" | "on-demand")[];
  /** Does the device's model stand on each device alone, so that nodes may mix them. */
  readonly mixed: boolean;
  readonly busy: number;
  /** Few nodes with many devices, on which devices run out first. */
  readonly tight: boolean;
  /** Several racks with several nodes. */
  readonly racks: boolean;
}

export function draftNodes(random: Random, shape: ClusterShape): readonly NodeDraft[] {
  const racks = shape.racks ? random.pick([2, 2, 3]) : random.pick([1, 2, 2, 3]);
  const count = shape.racks ? 3 + random.below(3) : shape.tight ? 1 + random.below(2) : 2 + random.below(4);
  return Array.from({ length: count }, (_, index): NodeDraft => {
    const name = `n${index}`;
    const accelerator = random.chance(shape.racks ? 0 : 0.12)
      ? undefined
      : shape.models[random.below(shape.models.length)];
    const capacityType = shape.capacityTypes[random.below(shape.capacityTypes.length)] ?? "on-demand";
    const rack = random.below(racks);
    const numa = (count: number) => Array.from({ length: count }, () => random.below(2)).sort();
    const devices = accelerator === undefined ? 0 : shape.tight ? 4 : random.pick([1, 2, 2, 3, 4, 4]);
    const taints = accelerator === undefined ? [] : [{ key: resourceOf(accelerator), value: "", effect: "NoSchedule" }];
    if (random.chance(0.12)) taints.push({ key: "example.com/team", value: "x", effect: "NoSchedule" });
    if (random.chance(0.1)) taints.push({ key: "example.com/soft", value: "y", effect: "PreferNoSchedule" });
    return {
      name,
      accelerator,
      capacityType,
      taints,
      cordoned: random.chance(0.06),
      labels: {
        "kubernetes.io/hostname": name,
        "kubernetes.io/os": "linux",
        "kubernetes.io/arch": "amd64",
        [CAPACITY_LABEL]: capacityType,
        [ZONE_LABEL]: `z${rack % 2}`,
        [RACK_LABEL]: `r${rack}`,
        ...(accelerator === undefined ? {} : { [ACCELERATOR_LABEL]: accelerator }),
        ...(random.chance(0.7) ? { [GENERATION_LABEL]: random.pick(["1", "2"]) } : {}),
      },
      cpu: 4 + random.below(6),
      memoryGi: 8 + 4 * random.below(3),
      pods: random.chance(0.15) ? 2 + random.below(2) : 110,
      devices,
      dra: shape.dra,
      numa: numa(devices),
      nics: shape.nics && accelerator !== undefined ? numa(1 + random.below(3)) : [],
    };
  });
}

export function nodeObjects(node: NodeDraft, random: Random, shape: ClusterShape): readonly JsonObject[] {
  const amounts: JsonObject = {
    cpu: String(node.cpu),
    memory: `${node.memoryGi}Gi`,
    pods: String(node.pods),
    ...(node.accelerator === undefined || node.dra ? {} : { [resourceOf(node.accelerator)]: String(node.devices) }),
  };
  const object: JsonObject = {
    apiVersion: "v1",
    kind: "Node",
    metadata: { name: node.name, labels: node.labels },
    spec: { taints: node.taints.map((taint) => ({ ...taint })), ...(node.cordoned ? { unschedulable: true } : {}) },
    status: { capacity: amounts, allocatable: amounts, conditions: [{ type: "Ready", status: "True" }] },
  };
  const slices: JsonObject[] = [];
  if (node.dra && node.accelerator !== undefined) {
    const { accelerator } = node;
    const devices = node.numa.map((numa, index) => ({
      name: `gpu-${index}`,
      attributes: {
        [MODEL.split("/")[1] ?? ""]: { string: shape.mixed && random.chance(0.4) ? other(accelerator) : accelerator },
        ...(random.chance(0.05) ? {} : { [NUMA]: { int: numa } }),
      },
    }));
    slices.push(slice(node.name, GPU_DRIVER, devices));
  }
  if (node.nics.length > 0)
    slices.push(
      slice(
        node.name,
        NIC_DRIVER,
        node.nics.map((numa, index) => ({ name: `nic-${index}`, attributes: { [NUMA]: { int: numa } } })),
      ),
    );
  return [object, ...slices];
}

const other = (model: Model): Model => (model === "alpha" ? "beta" : "alpha");

function slice(node: string, driver: string, devices: readonly JsonObject[]): JsonObject {
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceSlice",
    metadata: { name: `${node}-${driver}` },
    spec: {
      driver,
      nodeName: node,
      pool: { name: node, generation: 1, resourceSliceCount: 1 },
      devices: [...devices],
    },
  };
}

/** Bound pods of another namespace that use a part of the node, and an allocated claim for devices in use. */
export function fillerOn(node: NodeDraft, random: Random, busy: number): readonly JsonObject[] {
  if (!random.chance(busy)) return [];
  const cpu = random.below(node.cpu);
  const memory = random.chance(0.4) ? random.below(node.memoryGi) : 0;
  const used = random.below(node.devices + 1);
  const counted = node.accelerator === undefined || node.dra ? 0 : used;
  const requests: JsonObject = {
    ...(cpu > 0 ? { cpu: String(cpu) } : {}),
    ...(memory > 0 ? { memory: `${memory}Gi` } : {}),
    ...(counted > 0 && node.accelerator !== undefined ? { [resourceOf(node.accelerator)]: String(counted) } : {}),
  };
  const claim = `filler-${node.name}`;
  const held = !node.dra ? [] : node.numa.flatMap((_, index) => (random.chance(used / node.devices) ? [index] : []));
  const claims = held.length === 0 ? [] : [allocated(claim, node.name, held)];
  return [
    ...claims,
    {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: claim, namespace: FILLER_NAMESPACE },
      spec: {
        nodeName: node.name,
        priorityClassName: PRIORITY_CLASS,
        tolerations: [{ operator: "Exists" }],
        ...(claims.length === 0 ? {} : { resourceClaims: [{ name: "held", resourceClaimName: claim }] }),
        containers: [
          {
            name: "main",
            image: "pause:3.10",
            resources: {
              requests,
              limits: requests,
              ...(claims.length === 0 ? {} : { claims: [{ name: "held" }] }),
            },
          },
        ],
      },
      status: { phase: "Running" },
    },
  ];
}

function allocated(name: string, node: string, devices: readonly number[]): JsonObject {
  const request = { name: "held", exactly: { deviceClassName: GPU_DRIVER, count: devices.length } };
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    metadata: { name, namespace: FILLER_NAMESPACE },
    spec: { devices: { requests: [request] } },
    status: {
      allocation: {
        devices: {
          results: devices.map((index) => ({
            request: "held",
            driver: GPU_DRIVER,
            pool: node,
            device: `gpu-${index}`,
          })),
        },
      },
      reservedFor: [{ resource: "pods", name, uid: `uid-${name}` }],
    },
  };
}
