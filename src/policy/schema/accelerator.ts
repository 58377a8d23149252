import type { FromSchema } from "json-schema-to-ts";
import { choice, count, documentSchema, domain, flag, key, labelValue, list, name, quantity, text } from "./parts.ts";

const spec = {
  type: "object",
  description: "How to recognise the kind of device, and what a workload that wants it must write.",
  properties: {
    description: text("report", "One sentence about the device."),
    vendor: name("report", "Who makes it: nvidia, amd ..."),
    architecture: name("report", "Its generation: hopper, ampere, cdna3 ..."),
    memory: quantity(
      "report",
      "Memory of one device as its DRA driver publishes it (81152Mi for an H100 of nominally 80 GB).",
    ),
    sharing: choice(
      "report",
      ["exclusive", "partition", "time-sliced"],
      "Does a workload get a whole device, a hardware partition, or a time slice. Default: exclusive.",
    ),
    resourceName: key(
      "emit",
      "Extended resource under which a device plugin counts it: nvidia.com/gpu, amd.com/gpu, nvidia.com/mig-1g.10gb.",
    ),
    labels: {
      type: "array",
      maxItems: 32,
      description:
        "Node labels that tell this device, one entry for each label key. A workload selects by the first key that the platform's dialect names.",
      items: {
        type: "object",
        properties: {
          key: key("emit", "Label key."),
          values: list("emit", labelValue("emit", "Label value."), "Values that this device is written as.", 1),
          beforeNode: flag(
            "solve",
            "Is the label known before the node exists (a cloud's or a pool's own), or written by an agent on the node (false). Default: true.",
          ),
        },
        required: ["key", "values"],
        additionalProperties: false,
      },
    },
    device: {
      type: "object",
      description: "How dynamic resource allocation publishes it. Default: no driver does.",
      properties: {
        driver: domain("solve", "DRA driver: gpu.nvidia.com.", 63),
        deviceClassName: domain("emit", "DeviceClass by which a claim asks for it."),
        selectors: list(
          "emit",
          { type: "string", minLength: 1, maxLength: 10240 },
          "CEL expressions over device, all of which must hold.",
        ),
      },
      required: ["driver", "deviceClassName"],
      additionalProperties: false,
    },
    interconnect: {
      type: "object",
      description: "The domain inside which its devices share a fast interconnect (NVLink, xGMI). Default: none.",
      properties: {
        level: name("solve", "Level of a TopologyLayout, or host."),
        devices: count("report", "Devices in one such domain.", 1),
      },
      required: ["level", "devices"],
      additionalProperties: false,
    },
    alignment: {
      type: "object",
      description: "Attributes that the driver really publishes to align devices by. Default: none.",
      properties: {
        numa: key("emit", "Attribute that carries the NUMA node: resource.kubernetes.io/numaNode."),
        pcie: key("emit", "Attribute that carries the PCIe root: resource.kubernetes.io/pcieRoot."),
      },
      additionalProperties: false,
    },
  },
  required: ["vendor", "architecture", "memory", "resourceName", "labels"],
  additionalProperties: false,
} as const;

export const acceleratorClassSchema = documentSchema("AcceleratorClass", "A named kind of device.", spec);
export type AcceleratorClassSpec = FromSchema<typeof spec>;
