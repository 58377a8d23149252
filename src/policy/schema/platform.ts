import type { FromSchema } from "json-schema-to-ts";
import {
  choice,
  documentSchema,
  domain,
  duration,
  flag,
  key,
  labelValue,
  list,
  name,
  text,
  tolerations,
} from "./parts.ts";

export const PRESETS = ["gke", "eks", "eks-auto", "karpenter-aws", "aks", "gfd"] as const;

const version = (description: string) =>
  ({
    type: "string",
    pattern: "^v?[0-9]{1,5}\\.[0-9]{1,5}(\\.[0-9]{1,5})?([-+].*)?$",
    maxLength: 64,
    description,
    "x-effect": "emit",
  }) as const;

const capacityLabel = (description: string) =>
  ({
    type: "object",
    description,
    properties: {
      selection: {
        type: "object",
        description: "The node label that tells it. Default: no label does, every node counts as such.",
        properties: {
          key: key("emit", "Label key."),
          operator: choice(
            "emit",
            ["In", "NotIn", "Exists", "DoesNotExist"],
            "How the value is compared. Default: In.",
          ),
          values: list("emit", labelValue("emit", "Label value."), "Values for In and NotIn."),
        },
        required: ["key"],
        additionalProperties: false,
      },
      tolerations: tolerations("What a pod must tolerate to run there. Default: nothing."),
    },
    additionalProperties: false,
  }) as const;

const explicitDialect = {
  type: "object",
  properties: {
    acceleratorKeys: list(
      "emit",
      key("emit", "Label key."),
      "Label keys by which to select accelerators, in order of preference.",
      1,
    ),
    capacityTypes: {
      type: "object",
      description: "What selects each capacity type. One that is left out cannot be selected here.",
      properties: {
        reserved: capacityLabel("Reserved capacity."),
        "on-demand": capacityLabel("On-demand capacity."),
        spot: capacityLabel("Spot capacity."),
      },
      additionalProperties: false,
    },
    acceleratorTolerations: tolerations("What a pod must tolerate to run on accelerator nodes. Default: nothing."),
  },
  required: ["acceleratorKeys", "capacityTypes"],
  additionalProperties: false,
} as const;

const spec = {
  type: "object",
  description: "What this cluster is.",
  properties: {
    kubernetes: {
      type: "object",
      description: "The API server.",
      properties: {
        version: version("Its version: 1.34.1."),
        featureGates: {
          type: "object",
          description: "Feature gates that differ from the version's defaults.",
          "x-effect": "emit",
          propertyNames: { type: "string", pattern: "^[A-Z][A-Za-z0-9]*$", maxLength: 128 },
          additionalProperties: { type: "boolean" },
          maxProperties: 64,
        },
      },
      required: ["version"],
      additionalProperties: false,
    },
    autoscaler: {
      type: "object",
      description: "What adds nodes. Default: nothing does.",
      properties: {
        kind: choice("emit", ["none", "cluster-autoscaler", "karpenter", "gke", "eks-auto", "aks"], "Which one."),
        version: version("Its version. Default: not known."),
        provisioningRequests: flag("emit", "Does it serve ProvisioningRequest. Default: true for gke, else false."),
        claims: flag("solve", "Does it make nodes for pods with resource claims. Default: false."),
        maxGracePeriod: duration(
          "rule",
          "Longest grace period that it respects when it removes a node. Default: 10m for cluster-autoscaler, gke and aks, else no bound.",
        ),
      },
      required: ["kind"],
      additionalProperties: false,
    },
    scheduler: {
      type: "object",
      description: "kube-scheduler, where its configuration is known.",
      properties: {
        scoring: choice(
          "solve",
          ["LeastAllocated", "MostAllocated"],
          "scoringStrategy of NodeResourcesFit: which nodes small pods of a workload are drawn to. Default: not known, so LeastAllocated, as Kubernetes comes.",
        ),
        profiles: list(
          "solve",
          text("solve", "A schedulerName.", 253),
          "The schedulerName values that kube-scheduler serves; of pods with another one nothing is said that only kube-scheduler does. Default: default-scheduler.",
          1,
        ),
        numaAware: list(
          "solve",
          text("solve", "A schedulerName.", 253),
          "Of those the ones in which NodeResourceTopologyMatch of scheduler-plugins filters nodes. Default: none, and a warning where the kubelet may refuse what the scheduler binds.",
          1,
        ),
      },
      additionalProperties: false,
    },
    network: {
      type: "object",
      description:
        "How dynamic resource allocation publishes the network devices by which accelerators reach other nodes, for classes that ask for them (accelerator.align.nics). Default: no driver does.",
      properties: {
        driver: domain("solve", "DRA driver: dra.net, sriovnetwork.k8snetworkplumbingwg.io.", 63),
        deviceClassName: domain("emit", "DeviceClass by which a claim asks for one: efa.networking.k8s.aws."),
        selectors: list(
          "emit",
          { type: "string", minLength: 1, maxLength: 10240 },
          "CEL expressions over device, all of which must hold. Default: every device of the driver.",
          1,
        ),
        alignment: {
          type: "object",
          description:
            "Attributes by which the driver tells where a device is. Only attributes that the accelerator's driver publishes under the same name align anything. Default: none.",
          properties: {
            numa: key("emit", "Attribute that carries the NUMA node: resource.kubernetes.io/numaNode."),
            pcie: key("emit", "Attribute that carries the PCIe root: resource.kubernetes.io/pcieRoot."),
          },
          additionalProperties: false,
        },
      },
      required: ["driver", "deviceClassName"],
      additionalProperties: false,
    },
    kueue: {
      type: "object",
      description: "Kueue, where it is installed. Default: it is not.",
      properties: { version: version("Its version.") },
      required: ["version"],
      additionalProperties: false,
    },
    dialect: {
      description:
        "Which labels say what here: the name of a preset (gke, eks, eks-auto, karpenter-aws, aks, gfd), or spelled out.",
      "x-effect": "emit",
      anyOf: [{ type: "string", enum: PRESETS }, explicitDialect],
    },
    layout: name("solve", "TopologyLayout of this cluster."),
    companions: {
      type: "object",
      description:
        "Companion objects that someone here creates from what expand prints. A reference to any other kind is written only where the object is there. Default: none.",
      properties: {
        resourceClaimTemplates: flag("emit", "ResourceClaimTemplates. Default: false."),
        podDisruptionBudgets: flag("emit", "PodDisruptionBudgets. Default: false."),
        podTemplates: flag("emit", "PodTemplates for ProvisioningRequests. Default: false."),
        provisioningRequests: flag("emit", "ProvisioningRequests. Default: false."),
        podGroups: flag("emit", "PodGroups. Default: false."),
      },
      additionalProperties: false,
    },
    supply: {
      type: "object",
      description: "Is the declared supply all there is. The verdict never needs it.",
      properties: {
        nodes: choice("solve", ["complete", "partial"], "Are all nodes in the inventory. Default: partial."),
        pools: choice("solve", ["complete", "partial"], "Are all pools declared. Default: partial."),
      },
      additionalProperties: false,
    },
    reclaimNotice: {
      type: "object",
      description:
        "How long the cloud waits between notice and reclaim, by capacity type. Default: for spot 2m on AWS dialects, 30s on gke and aks.",
      properties: {
        reserved: duration("rule", "For reserved capacity."),
        "on-demand": duration("rule", "For on-demand capacity."),
        spot: duration("rule", "For spot capacity."),
      },
      additionalProperties: false,
    },
  },
  required: ["kubernetes", "dialect", "layout"],
  additionalProperties: false,
} as const;

export const platformSchema = documentSchema("Platform", "What this cluster is.", spec);
export type PlatformSpec = FromSchema<typeof spec>;
export type ExplicitDialect = FromSchema<typeof explicitDialect>;
