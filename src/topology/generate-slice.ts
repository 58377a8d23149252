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

/** The ResourceSlice in which dranet publishes a node's network cards. */
export function makeNetworkSlice(shape: NodeShape, node: string): readonly JsonObject[] {
  if (shape.network.length === 0) return [];
  const devices = shape.network.map(({ pcieRoot, numaNode }, index) => ({
    name: `nic-${index}`,
    attributes: {
      "dra.net/rdma": { bool: true },
      ...(shape.cloud === "aws"
        ? { "dra.net/pciDevice": { string: EFA_DEVICE }, "dra.net/pciVendor": { string: "Amazon.com, Inc." } }
        : {}),
      ...(numaNode === undefined
        ? {}
        : { "dra.net/numaNode": { int: numaNode }, "resource.kubernetes.io/numaNode": { int: numaNode } }),
      ...(pcieRoot === undefined ? {} : { "resource.kubernetes.io/pcieRoot": { string: pcieRoot } }),
    },
  }));
  return [
    {
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: `${node}-${NETWORK_DRIVER}` },
      spec: {
        driver: NETWORK_DRIVER,
        nodeName: node,
        pool: { name: node, generation: 1, resourceSliceCount: 1 },
        devices,
      },
    },
  ];
}

export const NETWORK_DRIVER = "dra.net";
const EFA_DEVICE = "Elastic Fabric Adapter (EFA)";

/** The DeviceClass of a shape's network cards: that of AWS's chart, or the one of dranet's examples. */
export function networkClass(shape: NodeShape): { readonly name: string; readonly selector: string } {
  const driver = `device.driver == "${NETWORK_DRIVER}"`;
  return shape.cloud === "aws"
    ? {
        name: "efa.networking.k8s.aws",
        selector: `${driver} && device.attributes["${NETWORK_DRIVER}"].pciDevice == "${EFA_DEVICE}"`,
      }
    : { name: "dranet.net", selector: driver };
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

/** The DeviceClasses that the drivers' charts install. */
export function deviceClasses(
  shape: NodeShape,
  published: { readonly devices: boolean; readonly network: boolean },
): readonly JsonObject[] {
  const make = (name: string, expression: string, resource?: string): JsonObject => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "DeviceClass",
    metadata: { name },
    spec: {
      ...(resource === undefined ? {} : { extendedResourceName: resource }),
      selectors: [{ cel: { expression } }],
    },
  });
  const network = networkClass(shape);
  const cards = published.network && shape.network.length > 0 ? [make(network.name, network.selector)] : [];
  const { accelerator } = shape;
  if (accelerator === undefined || !published.devices) return cards;
  const { driver, vendor } = accelerator.model;
  const of = (type: string) => `device.driver == '${driver}' && device.attributes['${driver}'].type == '${type}'`;
  if (vendor === "amd") return [make("gpu.amd.com", `device.driver == '${driver}'`, "amd.com/gpu"), ...cards];
  return [make("gpu.nvidia.com", of("gpu"), "nvidia.com/gpu"), make("mig.nvidia.com", of("mig")), ...cards];
}
