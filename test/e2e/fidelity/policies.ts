import type { JsonObject } from "../../../src/model/index.ts";
import type { PolicyFile } from "../../../src/policy/index.ts";
import {
  ACCELERATOR_LABEL,
  CAPACITY_LABEL,
  GPU_DRIVER,
  MODEL,
  MODELS,
  type Model,
  NUMA,
  PRIORITY_CLASS,
  RACK_LABEL,
  resourceOf,
  ZONE_LABEL,
} from "./case.ts";
import type { NodeDraft } from "./nodes.ts";

export interface ClassShape {
  readonly demand: "gang" | "online" | "batch";
  readonly min: number;
  readonly models: readonly Model[] | "any" | "none";
  readonly perPod: number;
  readonly align: "required" | "preferred" | undefined;
  readonly level:
    | { readonly name: "rack" | "zone" | "host"; readonly mode: "required" | "preferred"; readonly pin: boolean }
    | undefined;
  readonly spread: { readonly level: "rack" | "zone" | "host"; readonly maxSkew: number } | undefined;
  readonly capacityTypes: readonly ("reserved" | "on-demand")[];
}

export const modelSelector = (model: Model): string =>
  `device.driver == "${GPU_DRIVER}" && device.attributes["${GPU_DRIVER}"].model == "${model}"`;

/** A small catalogue as a platform team would write it: every file is read by the real loader. */
export function policyFiles(shape: ClassShape, nodes: readonly NodeDraft[], version: string): readonly PolicyFile[] {
  const dra = nodes.some((node) => node.dra);
  const files = [platform(version), layout(), workloadClass(shape)];
  for (const model of MODELS) files.push(accelerator(model, dra));
  for (const accelerated of [...MODELS, undefined])
    for (const type of ["reserved", "on-demand"] as const) {
      const members = nodes.filter((node) => node.accelerator === accelerated && node.capacityType === type);
      if (members.length > 0) files.push(pool(accelerated, type, members));
    }
  return files;
}

function platform(version: string): PolicyFile {
  const type = (value: string) => ({ selection: { key: CAPACITY_LABEL, values: [value] } });
  return file("platform.yaml", "Platform", "fidelity", {
    kubernetes: { version },
    dialect: {
      acceleratorKeys: [ACCELERATOR_LABEL],
      capacityTypes: { reserved: type("reserved"), "on-demand": type("on-demand") },
      acceleratorTolerations: MODELS.map((model) => ({
        key: resourceOf(model),
        operator: "Exists",
        effect: "NoSchedule",
      })),
    },
    layout: "racks",
    companions: { resourceClaimTemplates: true },
    supply: { nodes: "complete", pools: "complete" },
  });
}

function layout(): PolicyFile {
  return file("layouts/racks.yaml", "TopologyLayout", "racks", {
    levels: [
      { name: "zone", key: ZONE_LABEL },
      { name: "rack", key: RACK_LABEL },
      { name: "host", key: "kubernetes.io/hostname" },
    ],
  });
}

function accelerator(model: Model, dra: boolean): PolicyFile {
  return file(`accelerators/${model}.yaml`, "AcceleratorClass", model, {
    vendor: "example",
    architecture: model,
    memory: "40Gi",
    resourceName: resourceOf(model),
    labels: [{ key: ACCELERATOR_LABEL, values: [model] }],
    ...(dra
      ? {
          device: { driver: GPU_DRIVER, deviceClassName: GPU_DRIVER, selectors: [modelSelector(model)] },
          alignment: { numa: NUMA },
        }
      : {}),
  });
}

/** A pool that has all the nodes that it may have: nothing can be added. */
function pool(model: Model | undefined, type: string, members: readonly NodeDraft[]): PolicyFile {
  const name = `${model ?? "plain"}-${type}`;
  const [first] = members;
  const labels: JsonObject = {
    [CAPACITY_LABEL]: type,
    ...(model === undefined ? {} : { [ACCELERATOR_LABEL]: model }),
  };
  const matchExpressions = [
    { key: CAPACITY_LABEL, operator: "In", values: [type] },
    model === undefined
      ? { key: ACCELERATOR_LABEL, operator: "DoesNotExist" }
      : { key: ACCELERATOR_LABEL, operator: "In", values: [model] },
  ];
  return file(`pools/${name}.yaml`, "CapacityPool", name, {
    ...(model === undefined ? {} : { accelerator: model, acceleratorsPerNode: Math.max(1, first?.devices ?? 1) }),
    capacityType: type,
    node: {
      allocatable: {
        cpu: String(first?.cpu ?? 4),
        memory: `${first?.memoryGi ?? 8}Gi`,
        ...(model === undefined || first?.dra === true ? {} : { [resourceOf(model)]: first?.devices ?? 1 }),
      },
      labels,
      ...(model !== undefined && first?.dra === true
        ? { mechanism: "dra", device: { driver: GPU_DRIVER, attributes: { [MODEL.split("/")[1] ?? ""]: model } } }
        : {}),
    },
    members: { matchExpressions },
    maxNodes: members.length,
  });
}

function workloadClass(shape: ClassShape): PolicyFile {
  const { level, spread } = shape;
  const topology: JsonObject = {
    ...(level === undefined
      ? {}
      : { unit: "podSet", level: level.name, mode: level.mode, ...(level.pin ? { pin: "domain" } : {}) }),
    ...(spread === undefined ? {} : { spread: { level: spread.level, maxSkew: spread.maxSkew, mode: "required" } }),
  };
  return file("classes/tested.yaml", "WorkloadClass", "tested", {
    description: "A class of a random case.",
    latency: "none",
    demand: { shape: shape.demand, replicas: { min: shape.min } },
    state: { location: "none" },
    interruption: { spot: "never", consolidation: true },
    accelerator:
      typeof shape.models === "string"
        ? shape.models
        : {
            classes: [...shape.models],
            perPod: { min: 1, max: 8, default: shape.perPod },
            ...(shape.align === undefined ? {} : { align: { gpus: { level: "numa", mode: shape.align } } }),
          },
    tenancy: { priorityClassName: PRIORITY_CLASS },
    startup: { cost: "1m" },
    ...(Object.keys(topology).length === 0 ? {} : { topology }),
    capacity: { types: [...shape.capacityTypes], maxProvisioning: "30m" },
    admission: { mode: "enforce" },
  });
}

function file(path: string, kind: string, name: string, spec: JsonObject): PolicyFile {
  return {
    path,
    text: JSON.stringify({ apiVersion: "plimsoll.dev/v1alpha1", kind, metadata: { name }, spec }, undefined, 1),
  };
}
