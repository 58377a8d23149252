import type { ContainerLimits } from "./cluster.ts";
import { arrayAt, isObject, type Json, type JsonObject, objectAt, stringAt, valueAt } from "./json.ts";
import { containerLimits, containerRequests, podLimits } from "./requests.ts";
import type { Resources } from "./scheduling.ts";

/** What ResourceQuotas see of a pod beside its requests. */
export interface PodCharges {
  readonly limits: Resources;
  /** As the Priority admission plugin leaves it. */
  readonly priorityClass?: string;
  /** spec.activeDeadlineSeconds is set. */
  readonly terminating: boolean;
  readonly bestEffort: boolean;
  /** Some pod affinity looks into other namespaces. */
  readonly crossNamespace: boolean;
  /** Containers by the quota key (`limits.memory`) of which they say nothing: a quota on that key refuses the pod. */
  readonly unset: Readonly<Record<string, readonly string[]>>;
}

const COMPUTE = ["cpu", "memory"] as const;

/** A pod as its API server will finish it, for `pods` in k8s.io/kubernetes/pkg/quota/v1/evaluator/core. */
export function podCharges(
  spec: JsonObject,
  given: {
    readonly defaults: readonly ContainerLimits[];
    readonly overhead?: Resources;
    readonly priorityClass?: string | undefined;
  },
): PodCharges {
  const { defaults, priorityClass } = given;
  const containers = [...arrayAt(spec, ["containers"]), ...arrayAt(spec, ["initContainers"])].map((one) => ({
    name: stringAt(one, ["name"]) ?? "",
    requests: containerRequests(one, defaults),
    limits: containerLimits(one, defaults),
  }));
  const podLevel = isSetForPod(spec);
  const unset: Record<string, readonly string[]> = Object.create(null);
  for (const resource of podLevel ? [] : COMPUTE)
    for (const field of ["requests", "limits"] as const) {
      const names = containers.filter((one) => !one[field].has(resource)).map(({ name }) => name);
      if (names.length > 0) unset[`${field}.${resource}`] = names;
    }
  const counted = (field: "requests" | "limits") =>
    containers.some((one) => COMPUTE.some((resource) => (one[field].get(resource) ?? 0n) > 0n));
  return {
    limits: podLimits(spec, given),
    ...(priorityClass === undefined ? {} : { priorityClass }),
    terminating: typeof valueAt(spec, ["activeDeadlineSeconds"]) === "number",
    bestEffort: !podLevel && !counted("requests") && !counted("limits"),
    crossNamespace: looksElsewhere(objectAt(spec, ["affinity"])),
    unset,
  };
}

/** Has the pod CPU or memory of its own, beside those of its containers. */
export function isSetForPod(spec: JsonObject): boolean {
  return (["requests", "limits"] as const).some((field) =>
    COMPUTE.some((resource) => valueAt(spec, ["resources", field, resource]) !== undefined),
  );
}

function looksElsewhere(affinity: JsonObject): boolean {
  const far = (term: Json): boolean =>
    arrayAt(term, ["namespaces"]).length > 0 || isObject(valueAt(term, ["namespaceSelector"]));
  return (["podAffinity", "podAntiAffinity"] as const).some(
    (kind) =>
      arrayAt(affinity, [kind, "requiredDuringSchedulingIgnoredDuringExecution"]).some(far) ||
      arrayAt(affinity, [kind, "preferredDuringSchedulingIgnoredDuringExecution"]).some((one) =>
        far(valueAt(one, ["podAffinityTerm"]) ?? null),
      ),
  );
}
