import { choice, count, duration, flag, list, name, selector, text } from "./parts.ts";

const CAPACITY = ["reserved", "on-demand", "spot"] as const;
const STRICTNESS = ["required", "preferred"] as const;
const REACTION = ["deny", "warn", "admit"] as const;

const latency = {
  description: "Latency objective, or none for work that nobody waits for.",
  "x-effect": "rule",
  anyOf: [
    { type: "string", enum: ["none"] },
    {
      type: "object",
      properties: {
        objective: {
          description: "The objective, or none.",
          anyOf: [
            { type: "string", enum: ["none"] },
            {
              type: "object",
              properties: {
                metric: text("report", "What is measured: ttft, tpot, e2e, checkpoint ...", 63),
                percentile: {
                  type: "number",
                  exclusiveMinimum: 0,
                  maximum: 100,
                  description: "Which percentile of it.",
                  "x-effect": "report",
                },
                target: duration(
                  "rule",
                  "What it must stay under. Startup cost and scale to zero are checked against it.",
                ),
              },
              additionalProperties: false,
            },
          ],
        },
      },
      additionalProperties: false,
    },
  ],
} as const;

const demand = {
  type: "object",
  description: "How much runs, and what must hold together.",
  properties: {
    shape: choice(
      "solve",
      ["gang", "online", "session", "batch", "stream"],
      "What must fit at once: gang all pods; online and session the replica minimum; batch and stream one pod, or the kind's own minimum.",
    ),
    signals: {
      type: "object",
      description: "What an autoscaler of this class may scale on.",
      properties: {
        allowed: list(
          "rule",
          { type: "string", minLength: 1, maxLength: 63 },
          "Signals that may drive scaling. Default: all that are not forbidden.",
        ),
        forbidden: list(
          "rule",
          { type: "string", minLength: 1, maxLength: 63 },
          "Signals that must not drive scaling. Default: none.",
        ),
      },
      additionalProperties: false,
    },
    replicas: {
      type: "object",
      description: "Bounds of the pod count.",
      properties: {
        min: count("solve", "Fewest pods. Default: 1 for online and session unless scaleToZero, else 0."),
        max: count("rule", "Most pods. Default: no bound.", 1),
      },
      additionalProperties: false,
    },
    scaleToZero: flag("rule", "May it scale to no pods at all. Default: false."),
    runTime: duration(
      "solve",
      "How long a run lasts at most, where the manifest has no activeDeadlineSeconds: what ends sooner, such as a capacity block, is passed over. Default: not known.",
    ),
    holdWhileSuspended: flag("solve", "Does it keep its capacity while suspended. Default: false."),
  },
  additionalProperties: false,
} as const;

const state = {
  type: "object",
  description: "Where state lives that a lost pod would take along.",
  properties: {
    location: choice(
      "rule",
      ["none", "local", "volume", "external"],
      "none: stateless. local: on the node. volume: in persistent volumes. external: in a store elsewhere.",
    ),
    checkpointInterval: duration("report", "How often work is saved: what an interruption costs at most."),
  },
  additionalProperties: false,
} as const;

const interruption = {
  type: "object",
  description: "What may interrupt it.",
  properties: {
    spot: choice(
      "solve",
      ["never", "allowed", "overflow"],
      "Spot capacity: never; allowed; or overflow, only for a pod set that is called, or whose role is called, overflow or ...-overflow, in kinds with several pod sets (for every other set it means never). Must agree with capacity.types. Default: never.",
    ),
    minLifetime: duration(
      "emit",
      "How long a pod is protected from voluntary disruption once it runs. Default: no protection in time.",
    ),
    consolidation: flag(
      "emit",
      "May a node autoscaler move it to save nodes. Default: false with minLifetime, else true.",
    ),
    scaleDown: choice(
      "emit",
      ["any", "application-drain-only"],
      "Who may remove nodes under it: anyone, or nobody before the application has drained. Default: any.",
    ),
    drainTimeout: duration("emit", "Grace period that it needs to drain. Default: what the manifest says."),
    budget: {
      type: "object",
      description: "Disruption budget for kinds with several pods; one of the two. Default: none.",
      properties: {
        maxUnavailable: {
          type: ["integer", "string"],
          minimum: 0,
          pattern: "^[0-9]{1,3}%$",
          description: "Most pods down at once: a number or a percentage.",
          "x-effect": "emit",
        },
        minAvailable: {
          type: ["integer", "string"],
          minimum: 0,
          pattern: "^[0-9]{1,3}%$",
          description: "Fewest pods up at once: a number or a percentage.",
          "x-effect": "emit",
        },
      },
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const align = (description: string) =>
  ({
    type: "object",
    description,
    properties: {
      level: choice("solve", ["nvlink", "numa", "pcie"], "What the devices of one pod must share."),
      mode: choice(
        "solve",
        STRICTNESS,
        "required refuses where the platform cannot express it; preferred warns. Default: required.",
      ),
    },
    additionalProperties: false,
  }) as const;

const nics = {
  type: "object",
  description: "Network devices that a pod gets beside its accelerators, as the platform's network declares them.",
  properties: {
    level: choice(
      "solve",
      ["numa", "pcie"],
      "What an accelerator and its network devices must share, by the attributes that AcceleratorClass and platform name.",
    ),
    mode: choice(
      "solve",
      STRICTNESS,
      "required refuses where they cannot be asked for together; preferred asks for them near each other first and else wherever they are, and warns where a claim cannot say so. Default: required.",
    ),
    count: count("solve", "How many. Default: 1.", 1),
    per: choice(
      "solve",
      ["gpu", "pod"],
      "gpu: so many for each accelerator. pod: so many in all, dealt to the accelerators in equal parts; where there are fewer, several accelerators share one. Default: gpu.",
    ),
  },
  additionalProperties: false,
} as const;

const accelerator = {
  description:
    "Which devices it runs on: none, any (what the manifest asks for, as it stands), or a list of AcceleratorClasses.",
  "x-effect": "solve",
  anyOf: [
    { type: "string", enum: ["none", "any"] },
    {
      type: "object",
      properties: {
        classes: list(
          "solve",
          name("solve", "Name of an AcceleratorClass."),
          "AcceleratorClasses in order of preference.",
          1,
        ),
        perPod: {
          type: "object",
          description: "Devices of one pod.",
          properties: {
            min: count("rule", "Fewest. Default: 1.", 1),
            max: count("rule", "Most. Default: the greater of min and default.", 1),
            default: count("emit", "What a pod gets that asks for no device. Default: min.", 1),
          },
          additionalProperties: false,
        },
        align: {
          type: "object",
          description: "How the devices of one pod stand to each other.",
          properties: { gpus: align("Accelerators among each other."), nics },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
  ],
} as const;

const tenancy = {
  type: "object",
  description: "Who may use the class, and what separates tenants.",
  properties: {
    namespaces: selector("rule", "Namespaces that may use the class, by their labels. Default: all."),
    isolation: choice("rule", ["shared", "dedicated"], "May nodes be shared with other tenants. Default: shared."),
    networkPolicy: choice(
      "rule",
      ["default-deny", "none"],
      "What the namespace's network policy must be. Default: none.",
    ),
    serviceAccount: choice(
      "rule",
      ["required", "any"],
      "Must the pod name a service account of its own. Default: any.",
    ),
    priorityClassName: {
      type: "string",
      pattern: "^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$",
      maxLength: 253,
      description: "PriorityClass of the pods. Default: what the manifest says.",
      "x-effect": "emit",
    },
    limits: {
      type: "object",
      description: "Limits of one tenant.",
      properties: {
        accelerators: count(
          "solve",
          "Most accelerators that the workloads of one tenant may hold together. Default: no limit.",
        ),
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const startup = {
  type: "object",
  description: "What it costs to start a pod.",
  properties: {
    cost: duration("rule", "From container start to ready: image, weights, warm-up."),
    readinessProbe: choice("rule", ["required", "optional"], "Must each pod tell when it is ready. Default: optional."),
    startupProbe: choice(
      "rule",
      ["required", "optional"],
      "Must each pod have a startup probe that outlasts the cost. Default: optional.",
    ),
    warmCapacity: {
      type: "object",
      description: "Capacity that is kept warm.",
      properties: { replicas: count("rule", "Pods that are kept ready beyond demand. Default: 0.") },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const topology = {
  type: "object",
  description: "How near its pods must be to each other. Default: anywhere.",
  properties: {
    unit: choice(
      "solve",
      ["pod", "podSet", "group", "workload"],
      "What shares one domain of the level: each pod by itself, a pod set, a group of groupSize pods, or the whole workload. Default: podSet for gangs, else pod.",
    ),
    groupSize: count("solve", "Pods in each group, for unit group.", 1),
    within: name(
      "solve",
      "A wider level of which all units of the workload share one domain, for units podSet and group: racks of one block. Default: none.",
    ),
    domains: choice(
      "solve",
      ["shared", "separate"],
      "May other pods of the workload stand in the domain of a unit, or has each unit, podSet or group, one of its own. Default: shared.",
    ),
    level: name("solve", "Level of the platform's TopologyLayout that the unit shares: zone, block, rack, host ..."),
    mode: choice("solve", STRICTNESS, "required or preferred. Default: required."),
    pin: choice(
      "emit",
      ["none", "domain"],
      "domain: pin run-once work to the domain that was found, so that it rather waits than moves. Default: none.",
    ),
    spread: {
      type: "object",
      description: "Spread of a pod set's pods over domains. Default: none.",
      properties: {
        level: name("solve", "Level of the platform's TopologyLayout to spread over."),
        maxSkew: count("solve", "Largest difference of pods between two domains. Default: 1.", 1),
        minDomains: count(
          "solve",
          "Domains that there must be before one may be filled beyond maxSkew, for mode required. Default: 1.",
          1,
        ),
        mode: choice("solve", STRICTNESS, "required or preferred. Default: required."),
      },
      additionalProperties: false,
    },
  },
  additionalProperties: false,
} as const;

const capacity = {
  type: "object",
  description: "What capacity it may run on.",
  properties: {
    types: list(
      "solve",
      choice("solve", CAPACITY, "Capacity type."),
      "Capacity types in order of preference. Default: reserved, on-demand, and spot last where interruption.spot is allowed or overflow.",
      1,
    ),
    maxProvisioning: duration(
      "solve",
      "Longest wait for new nodes; a pool that starts slower is not offered. Default: 15m.",
    ),
  },
  additionalProperties: false,
} as const;

const admission = {
  type: "object",
  description: "How admission answers.",
  properties: {
    mode: choice(
      "rule",
      ["enforce", "warn", "audit"],
      "enforce expands and denies, warn expands and warns, audit reports and edits nothing. Default: enforce.",
    ),
    whenNever: choice("rule", REACTION, "What happens to a workload that can never run. Default: deny."),
    whenBusy: choice(
      "rule",
      REACTION,
      "What happens to one that would fit if capacity in use came free. Default: warn.",
    ),
    whenUnknown: choice("rule", REACTION, "What happens where data is missing. Default: warn."),
    whenUndecided: choice("rule", REACTION, "What happens where the step budget ran out. Default: warn."),
    whenScaleUp: choice("rule", REACTION, "What happens to one that needs new nodes. Default: admit."),
    rules: {
      type: "object",
      description: "Severity by rule id, where it differs from the rule's own: deny, warn, info or off.",
      "x-effect": "rule",
      propertyNames: { type: "string", pattern: "^[A-Z]{2,4}[0-9]{2,3}$" },
      additionalProperties: { type: "string", enum: ["deny", "warn", "info", "off"] },
      maxProperties: 128,
    },
  },
  additionalProperties: false,
} as const;

/** The fields of a contract, as a class, one of its roles or an intent annotation writes them. */
export const contractProperties = {
  latency,
  demand,
  state,
  interruption,
  accelerator,
  tenancy,
  startup,
  topology,
  capacity,
  admission,
} as const;
