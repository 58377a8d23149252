import type { FromSchema } from "json-schema-to-ts";
import {
  choice,
  count,
  documentSchema,
  domain,
  duration,
  key,
  LABEL_VALUE_PATTERN,
  labelMap,
  labelValue,
  list,
  name,
  quantityMap,
  selector,
  text,
} from "./parts.ts";

const instant = (description: string) =>
  ({
    type: "string",
    pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})$",
    maxLength: 40,
    description,
    "x-effect": "solve",
  }) as const;

const attributes = (description: string) =>
  ({
    type: "object",
    description,
    "x-effect": "solve",
    additionalProperties: { type: ["string", "number", "boolean"], maxLength: 64 },
    maxProperties: 32,
  }) as const;

/** What a driver publishes of devices of one kind. */
const published = (devices: string) =>
  ({
    driver: domain("solve", "DRA driver.", 63),
    attributes: attributes("Attributes by name that all of them have. Default: none."),
    capacity: quantityMap("solve", "Capacities by name: memory."),
    groups: {
      type: "array",
      minItems: 1,
      maxItems: 128,
      description: `${devices} that differ in attributes, such as PCIe root and NUMA node, in their order; together as many as there are. Default: all alike.`,
      items: {
        type: "object",
        properties: {
          count: { ...count("solve", "How many are alike. Default: 1.", 1), maximum: 128 },
          attributes: attributes("Attributes by name that they have beside those of all."),
        },
        required: ["attributes"],
        additionalProperties: false,
      },
    },
  }) as const;

const node = {
  type: "object",
  description: "One new node, as the autoscaler would make it.",
  properties: {
    allocatable: quantityMap(
      "solve",
      "What pods may use of it: cpu, memory, ephemeral-storage, pods (default 110), extended resources.",
    ),
    capacity: quantityMap(
      "solve",
      "What it has in all, the share of the kubelet and the system included: limits of NodePools and CapacityQuotas count it. Default: what nodes of the pool have, else allocatable, in whole cpus.",
    ),
    labels: labelMap("solve", "Labels that it gets before it registers, without zone and host name."),
    taints: {
      type: "array",
      maxItems: 32,
      description: "Taints that it keeps. Default: none.",
      items: {
        type: "object",
        properties: {
          key: key("solve", "Taint key."),
          value: labelValue("solve", "Taint value. Default: empty."),
          effect: choice("solve", ["NoSchedule", "PreferNoSchedule", "NoExecute"], "Taint effect."),
        },
        required: ["key", "effect"],
        additionalProperties: false,
      },
    },
    mechanism: choice(
      "solve",
      ["device-plugin", "dra", "none"],
      "How its devices are handed out: counted by a device plugin, or published by a DRA driver. Default: dra where device is given, device-plugin where the pool has accelerators, else none.",
    ),
    numa: {
      type: "object",
      description:
        "Topology Manager of its kubelets, where it turns pods away: devices of a device plugin lie on the NUMA nodes in equal parts, and a pod whose container asks for several gets them from one (or as few as hold so many). CPU and memory are not counted by it. What a node's NodeResourceTopology says wins. Default: none, or a policy that admits every pod.",
      properties: {
        nodes: { ...count("solve", "NUMA nodes that its devices lie on.", 2), maximum: 8 },
        policy: choice(
          "solve",
          ["single-numa-node", "restricted"],
          "single-numa-node admits no pod whose devices take several; restricted admits it where so few as it takes are free.",
        ),
        scope: choice(
          "solve",
          ["container", "pod"],
          "Topology Manager scope: each container is aligned by itself, or all of a pod together. Default: container.",
        ),
      },
      required: ["nodes", "policy"],
      additionalProperties: false,
    },
    device: {
      type: "object",
      description: "What the DRA driver publishes for each device.",
      properties: published("Accelerators"),
      required: ["driver"],
      additionalProperties: false,
    },
    network: {
      type: "object",
      description:
        "Network devices that a DRA driver publishes on it, for claims that ask for them beside accelerators (accelerator.align.nics). Default: not known, so that no such claim is promised a new node.",
      properties: {
        ...published("Network devices"),
        count: { ...count("solve", "How many a node has.", 1), maximum: 128 },
      },
      required: ["driver", "count"],
      additionalProperties: false,
    },
  },
  required: ["allocatable"],
  additionalProperties: false,
} as const;

const spec = {
  type: "object",
  description: "Where nodes come from, whether they exist or not yet.",
  properties: {
    accelerator: name("solve", "AcceleratorClass of its nodes. Default: nodes without accelerators."),
    acceleratorsPerNode: count("solve", "Accelerators in one node. Default: 1 with an accelerator, else 0."),
    capacityType: choice("solve", ["reserved", "on-demand", "spot"], "How the capacity is bought."),
    node,
    zones: list(
      "solve",
      labelValue("solve", "Zone name."),
      "Zones in which it can make nodes. Default: one zone without a name.",
    ),
    members: selector("solve", "Labels of the nodes that belong to the pool."),
    maxNodes: count("solve", "Most nodes that the pool may have, members included. 0 for a pool that never grows."),
    startup: duration(
      "solve",
      "From the wish for a node to a node that is ready. Default: 10m, and answers that rest on it say that it is assumed.",
    ),
    pricePerHour: {
      type: "number",
      minimum: 0,
      description:
        "Price of one node an hour, in the currency of your choice: of pools that serve alike the cheaper adds the nodes. Default: not known, and dearer than any.",
      "x-effect": "solve",
    },
    reservation: {
      type: "object",
      description: "The reservation that backs it.",
      properties: {
        name: text("report", "Name or id of the reservation.", 253),
        label: {
          type: "object",
          description:
            "Node label by which a workload selects the reservation. Default: the capacity type's own label.",
          properties: {
            key: key("emit", "Label key."),
            value: {
              type: "string",
              pattern: LABEL_VALUE_PATTERN,
              maxLength: 63,
              description: "Label value.",
              "x-effect": "emit",
            },
          },
          required: ["key", "value"],
          additionalProperties: false,
        },
        nodes: count("solve", "Nodes of the reservation that are this pool's. Default: maxNodes."),
        start: instant("When it begins, RFC 3339: until then it has no nodes. Default: it has begun."),
        end: instant("When it ends, RFC 3339: a run that would last longer is not placed on it. Default: open-ended."),
        reclaim: duration(
          "solve",
          "How long before its end its nodes are taken back (drain of the autoscaler, then of the cloud). Default: 0s.",
        ),
      },
      required: ["name"],
      additionalProperties: false,
    },
    together: list(
      "solve",
      name("solve", "Level name."),
      "Levels of the layout of which all nodes of the pool share one domain (placement group, block). Default: none.",
    ),
  },
  required: ["capacityType", "node", "members", "maxNodes"],
  additionalProperties: false,
} as const;

export const capacityPoolSchema = documentSchema("CapacityPool", "Where nodes come from, present or not yet.", spec);
export type CapacityPoolSpec = FromSchema<typeof spec>;
