import type { JsonObject } from "../model/index.ts";
import type { NodeShape } from "./shapes.ts";

/** The ResourceSlice of a node whose whole devices a DRA driver publishes: one pool, one slice, named after the node. */
export function makeSlice(shape: NodeShape, node: string): readonly JsonObject[] {
  const { accelerator } = shape;
  if (accelerator === undefined) return [];
  const { model, count } = accelerator;
  const devices = Array.from({ length: count }, (_, index) => deviceObject(shape, node, index));
  return [
    {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: `${node}-${model.driver}` },
      spec: {
        driver: model.driver,
        nodeName: node,
        pool: { name: node, generation: 1, resourceSliceCount: 1 },
        devices,
      },
    },
  ];
}

/** One whole device with the attributes that its driver publishes. */
export function deviceObject(shape: NodeShape, node: string, index: number): JsonObject {
  const { accelerator } = shape;
  if (accelerator === undefined) return {};
  const { model, count } = accelerator;
  const root = shape.pcieRoots[index];
  const numaNode = Math.floor((index * shape.numaNodes) / count);
  const place = {
    ...(root === undefined ? {} : { "resource.kubernetes.io/pcieRoot": { string: root } }),
    "resource.kubernetes.io/numaNode": { int: numaNode },
  };
  const memory = { value: `${model.memoryMi}Mi` };
  if (model.vendor === "amd") {
    return {
      name: `gpu-${index}`,
      attributes: {
        type: { string: "amdgpu" },
        deviceID: { string: "0x74b5" },
        cardIndex: { int: index },
        family: { string: model.family },
        productName: { string: model.product },
        partitionProfile: { string: "spx_nps1" },
        driverVersion: { version: "6.12.12" },
        ...place,
      },
      capacity: { memory, computeUnits: { value: "304" }, simdUnits: { value: "1216" } },
    };
  }
  return {
    name: `gpu-${index}`,
    attributes: {
      type: { string: "gpu" },
      uuid: { string: `GPU-${node}-${index}` },
      productName: { string: model.product },
      brand: { string: "Nvidia" },
      architecture: { string: model.architecture },
      cudaComputeCapability: { version: model.compute },
      driverVersion: { version: "580.95.5" },
      cudaDriverVersion: { version: "13.0.0" },
      ...place,
    },
    capacity: { memory },
  };
}

/** The DeviceClasses that the driver's chart installs. */
export function deviceClasses(shape: NodeShape): readonly JsonObject[] {
  const make = (name: string, expression: string, resource?: string): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "DeviceClass",
    metadata: { name },
    spec: {
      ...(resource === undefined ? {} : { extendedResourceName: resource }),
      selectors: [{ cel: { expression } }],
    },
  });
  const driver = shape.accelerator?.model.driver ?? "";
  const of = (type: string) => `device.driver == '${driver}' && device.attributes['${driver}'].type == '${type}'`;
  if (shape.accelerator === undefined) return [];
  if (shape.accelerator.model.vendor === "amd")
    return [make("gpu.amd.com", `device.driver == '${driver}'`, "amd.com/gpu")];
  return [make("gpu.nvidia.com", of("gpu"), "nvidia.com/gpu"), make("mig.nvidia.com", of("mig"))];
}
