import {
  type AcceleratorNeed,
  type CapacityType,
  type Contract,
  isObject,
  type Json,
  type JsonObject,
  labelSelector,
  type NodeLabels,
  parseDuration,
  requirementText,
  type TopologyNeed,
} from "../model/index.ts";
import type { ContractSpec } from "./schema/class.ts";

type Choice<T> = Exclude<NonNullable<T>, string>;

/** `child` over `parent`: objects field by field, everything else (lists too) replaces. Depth is bounded by the schema. */
export function mergeSpecs(parent: Json | undefined, child: Json | undefined): Json | undefined {
  if (child === undefined) return parent;
  if (!isObject(parent) || !isObject(child)) return child;
  const merged: Record<string, Json | undefined> = { ...parent };
  for (const [key, value] of Object.entries(child))
    merged[key] = mergeSpecs(Object.hasOwn(parent, key) ? parent[key] : undefined, value);
  return merged;
}

/**
 * The normalised contract of a merged spec that passed its schema and carries the seven declarations; parts without what they need are left out. Defaults are those that the
 * schema's descriptions state.
 */
export function contractOf(spec: ContractSpec): Contract {
  const demand = spec.demand ?? {};
  const shape = demand.shape ?? "batch";
  const interruption = spec.interruption ?? {};
  const tenancy = spec.tenancy ?? {};
  const startup = spec.startup ?? {};
  const admission = spec.admission ?? {};
  const spot = interruption.spot ?? "never";
  const scaleToZero = demand.scaleToZero ?? false;
  const floor = (shape === "online" || shape === "session") && !scaleToZero ? 1 : 0;
  const minLifetimeMs = ms(interruption.minLifetime);
  return {
    latency: latencyOf(spec.latency),
    demand: {
      shape,
      signals: { ...given("allowed", demand.signals?.allowed), forbidden: demand.signals?.forbidden ?? [] },
      replicas: { min: demand.replicas?.min ?? floor, ...given("max", demand.replicas?.max) },
      scaleToZero,
      ...given("runTimeMs", ms(demand.runTime)),
      holdWhileSuspended: demand.holdWhileSuspended ?? false,
    },
    state: {
      location: spec.state?.location ?? "none",
      ...given("checkpointIntervalMs", ms(spec.state?.checkpointInterval)),
    },
    interruption: {
      spot,
      ...given("minLifetimeMs", minLifetimeMs),
      consolidation: interruption.consolidation ?? minLifetimeMs === undefined,
      scaleDown: interruption.scaleDown ?? "any",
      ...given("drainTimeoutMs", ms(interruption.drainTimeout)),
      ...given("budget", budgetOf(interruption.budget)),
    },
    accelerator: acceleratorOf(spec.accelerator),
    tenancy: {
      ...given("namespaces", selectorOf(tenancy.namespaces as JsonObject | undefined)),
      isolation: tenancy.isolation ?? "shared",
      networkPolicy: tenancy.networkPolicy ?? "none",
      serviceAccount: tenancy.serviceAccount ?? "any",
      ...given("priorityClassName", tenancy.priorityClassName),
      limits: { ...given("accelerators", tenancy.limits?.accelerators) },
    },
    startup: {
      costMs: ms(startup.cost) ?? 0,
      readinessProbe: startup.readinessProbe ?? "optional",
      startupProbe: startup.startupProbe ?? "optional",
      warmCapacity: { replicas: startup.warmCapacity?.replicas ?? 0 },
    },
    topology: spec.topology === undefined ? undefined : topologyOf(spec.topology, shape === "gang"),
    capacity: {
      types: spec.capacity?.types ?? defaultTypes(spot),
      maxProvisioningMs: ms(spec.capacity?.maxProvisioning) ?? 15 * 60_000,
    },
    admission: {
      mode: admission.mode ?? "enforce",
      whenNever: admission.whenNever ?? "deny",
      whenBusy: admission.whenBusy ?? "warn",
      whenUnknown: admission.whenUnknown ?? "warn",
      whenUndecided: admission.whenUndecided ?? "warn",
      whenScaleUp: admission.whenScaleUp ?? "admit",
      rules: Object.fromEntries(
        Object.entries(admission.rules ?? {}).map(([id, severity]) => [id, SEVERITY[severity]]),
      ),
    },
  };
}

/** A label selector with the text of it that messages show. Undefined where none is written or it is not well formed. */
export function selectorOf(json: JsonObject | undefined): NodeLabels | undefined {
  const requirements = labelSelector(json);
  if (requirements === undefined) return undefined;
  const text = [...requirements.values()].map(requirementText).join(", ");
  return { requirements, text: text === "" ? "all" : text };
}

const SEVERITY = { deny: "error", warn: "warning", info: "info", off: "off" } as const;

function defaultTypes(spot: "never" | "allowed" | "overflow"): readonly CapacityType[] {
  return spot === "never" ? ["reserved", "on-demand"] : ["reserved", "on-demand", "spot"];
}

function latencyOf(latency: ContractSpec["latency"]): Contract["latency"] {
  const objective = latency === undefined || latency === "none" ? "none" : latency.objective;
  if (objective === "none") return "none";
  const { metric, percentile, target } = objective ?? {};
  return metric === undefined || percentile === undefined ? "none" : { metric, percentile, targetMs: ms(target) ?? 0 };
}

function acceleratorOf(accelerator: ContractSpec["accelerator"]): AcceleratorNeed {
  if (accelerator === undefined || accelerator === "none") return { kind: "none" };
  if (accelerator === "any") return { kind: "any" };
  const { perPod, align } = accelerator;
  const min = perPod?.min ?? 1;
  const byDefault = perPod?.default ?? min;
  const { gpus, nics } = align ?? {};
  return {
    kind: "classes",
    classes: accelerator.classes ?? [],
    perPod: { min, max: perPod?.max ?? Math.max(min, byDefault), default: byDefault },
    ...(gpus?.level === undefined && nics?.level === undefined
      ? {}
      : {
          align: {
            ...(gpus?.level === undefined ? {} : { gpus: { level: gpus.level, mode: gpus.mode ?? "required" } }),
            ...(nics?.level === undefined
              ? {}
              : {
                  nics: {
                    level: nics.level,
                    mode: nics.mode ?? "required",
                    count: nics.count ?? 1,
                    per: nics.per ?? "gpu",
                  },
                }),
          },
        }),
  };
}

function topologyOf(topology: Choice<ContractSpec["topology"]>, gang: boolean): TopologyNeed {
  const { spread } = topology;
  return {
    unit: topology.unit ?? (gang ? "podSet" : "pod"),
    ...given("groupSize", topology.groupSize),
    ...given("level", topology.level),
    ...given("within", topology.within),
    ...given("domains", topology.domains),
    mode: topology.mode ?? "required",
    pin: topology.pin ?? "none",
    ...(spread?.level === undefined
      ? {}
      : {
          spread: {
            level: spread.level,
            maxSkew: spread.maxSkew ?? 1,
            ...given("minDomains", spread.minDomains),
            mode: spread.mode ?? "required",
          },
        }),
  };
}

function budgetOf(
  budget: { maxUnavailable?: unknown; minAvailable?: unknown } | undefined,
): Contract["interruption"]["budget"] {
  if (budget === undefined) return undefined;
  const amount = (value: unknown) => (typeof value === "number" || typeof value === "string" ? value : undefined);
  return {
    ...given("maxUnavailable", amount(budget.maxUnavailable)),
    ...given("minAvailable", amount(budget.minAvailable)),
  };
}

function ms(text: string | undefined): number | undefined {
  return text === undefined ? undefined : parseDuration(text);
}

/** `{key: value}`, or nothing where there is no value. */
export function given<const K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}
