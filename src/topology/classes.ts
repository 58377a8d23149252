import {
  arrayAt,
  type ContainerLimits,
  type DeviceClassFacts,
  type DisruptionBudgetFacts,
  integerAt,
  isObject,
  type JsonObject,
  labelSelector,
  objectAt,
  type Path,
  type PriorityClassFacts,
  podTolerations,
  type QuotaFacts,
  type QuotaScope,
  type RuntimeClassFacts,
  stringAt,
  TENANT_LABEL,
  valueAt,
} from "../model/index.ts";
import { readCapacityQuota, readNodePool } from "./capacity.ts";
import { claimDevices } from "./claim.ts";
import { type AmountReader, type Faults, mapAt, quantityAt, resourcesAt, shown, stringsAt, textAt } from "./fields.ts";
import { readNuma } from "./numa.ts";
import { readClusterQueue, readCohort, readFlavor, readLocalQueue } from "./queues.ts";
import { readTaintRule } from "./taint-rule.ts";

/** Labels of a core/v1 Namespace, with the one that the API server sets. */
export function readNamespaceLabels(
  object: JsonObject,
  name: string,
  problems: Faults,
): Readonly<Record<string, string>> {
  return { "kubernetes.io/metadata.name": name, ...stringsAt(object, ["metadata", "labels"], problems) };
}

/** The tenant of a namespace, by its labels where it is known. */
export function tenantIn(namespace: string, labels: Readonly<Record<string, string>> = {}): string {
  return (Object.hasOwn(labels, TENANT_LABEL) ? labels[TENANT_LABEL] : undefined) || namespace;
}

/** node.k8s.io RuntimeClass. */
function readRuntimeClass(
  object: JsonObject,
  name: string,
  amounts: AmountReader,
  problems: Faults,
): RuntimeClassFacts {
  return {
    name,
    overhead: resourcesAt(object, ["overhead", "podFixed"], amounts, problems),
    nodeSelector: stringsAt(object, ["scheduling", "nodeSelector"], problems),
    tolerations: podTolerations(objectAt(object, ["scheduling"])),
  };
}

/** scheduling.k8s.io PriorityClass. */
function readPriorityClass(
  object: JsonObject,
  name: string,
  problems: Faults,
): PriorityClassFacts & { readonly globalDefault: boolean } {
  const value = integerAt(object, ["value"]);
  if (value === undefined) problems.add(["value"], `must be a whole number, not ${shown(valueAt(object, ["value"]))}`);
  const policy = stringAt(object, ["preemptionPolicy"]) === "Never" ? "Never" : "PreemptLowerPriority";
  return {
    name,
    value: value ?? 0,
    preemptionPolicy: policy,
    globalDefault: valueAt(object, ["globalDefault"]) === true,
  };
}

/** resource.k8s.io DeviceClass. */
function readDeviceClass(object: JsonObject, name: string, problems: Faults): DeviceClassFacts {
  const selectors = arrayAt(object, ["spec", "selectors"]).map((entry, index) =>
    textAt(entry, ["cel", "expression"], problems, ["spec", "selectors", index]),
  );
  const resource = stringAt(object, ["spec", "extendedResourceName"]);
  const created = stringAt(object, ["metadata", "creationTimestamp"]);
  return {
    name,
    selectors,
    ...(resource === undefined || resource === "" ? {} : { extendedResourceName: resource }),
    ...(resource === undefined || resource === "" || created === undefined ? {} : { created }),
  };
}

/**
 * The container items of a LimitRange, completed as the API server does on write: a maximum is also the default limit, a default limit the default
 * request, and what is left the minimum.
 */
function readLimitRange(object: JsonObject, problems: Faults): readonly ContainerLimits[] {
  return arrayAt(object, ["spec", "limits"]).flatMap((entry, index) => {
    if (stringAt(entry, ["type"]) !== "Container") return [];
    const texts = (key: string) => {
      const result: Record<string, string> = Object.create(null);
      for (const [name, value] of Object.entries(objectAt(entry, [key]))) {
        if (quantityAt(value) === undefined)
          problems.add(["spec", "limits", index, key, name], `must be a resource quantity, not ${shown(value)}`);
        else result[name] = String(value);
      }
      return result;
    };
    const defaults = { ...texts("max"), ...texts("default") };
    return [{ defaults, defaultRequests: { ...texts("min"), ...defaults, ...texts("defaultRequest") } }];
  });
}

/** A ResourceQuota: the enforced status where there is one, else the spec. Amounts of `requests.cpu` and `limits.cpu` are millicores too. */
function readQuota(object: JsonObject, name: string, amounts: AmountReader, problems: Faults): QuotaFacts {
  const enforced = isObject(valueAt(object, ["status", "hard"]));
  const hard = quotaAmounts(object, [enforced ? "status" : "spec", "hard"], amounts, problems);
  const used = quotaAmounts(object, ["status", "used"], amounts, problems);
  return { name, hard, used, scopes: quotaScopes(object, problems) };
}

/** policy/v1 PodDisruptionBudget. One that no controller has looked at yet allows nothing. */
function readDisruptionBudget(object: JsonObject, name: string, problems: Faults): DisruptionBudgetFacts {
  const given = valueAt(object, ["status", "disruptionsAllowed"]) ?? 0;
  const allowed = integerAt(object, ["status", "disruptionsAllowed"]);
  if (allowed === undefined && given !== 0)
    problems.add(["status", "disruptionsAllowed"], `must be a whole number, not ${shown(given)}`);
  else if (allowed !== undefined && allowed < 0)
    problems.add(["status", "disruptionsAllowed"], `must not be negative, but is ${allowed}`);
  const selector = labelSelector(valueAt(object, ["spec", "selector"]));
  return {
    name,
    selector: selector === undefined || selector.size === 0 ? undefined : selector,
    allowed: allowed ?? 0,
    disrupted: Object.keys(objectAt(object, ["status", "disruptedPods"])).sort(),
  };
}

const OPERATORS: readonly string[] = ["In", "NotIn", "Exists", "DoesNotExist"];

function quotaScopes(object: JsonObject, problems: Faults): readonly QuotaScope[] {
  const scopes: QuotaScope[] = arrayAt(object, ["spec", "scopes"]).map((scope) => ({
    scope: typeof scope === "string" ? scope : "",
    operator: "Exists",
    values: [],
  }));
  for (const [index, entry] of arrayAt(object, ["spec", "scopeSelector", "matchExpressions"]).entries()) {
    const path = ["spec", "scopeSelector", "matchExpressions", index] as const;
    const operator = textAt(entry, ["operator"], problems, path);
    if (!OPERATORS.includes(operator))
      problems.add([...path, "operator"], `must be one of ${OPERATORS.join(", ")}, not ${shown(operator)}`);
    scopes.push({
      scope: textAt(entry, ["scopeName"], problems, path),
      operator: operator as QuotaScope["operator"],
      values: arrayAt(entry, ["values"]).filter((one) => typeof one === "string"),
    });
  }
  return scopes;
}

function quotaAmounts(
  object: JsonObject,
  path: Path,
  amounts: AmountReader,
  problems: Faults,
): Readonly<Record<string, number>> {
  const result: Record<string, number> = Object.create(null);
  for (const [key, value] of Object.entries(mapAt(object, path, problems))) {
    const units = amounts.units(key.replace(/^(?:requests|limits)\./, ""), value);
    if (units === undefined) problems.add([...path, key], `must be a resource quantity, not ${shown(value)}`);
    else if (units < 0) problems.add([...path, key], `must not be negative, but is ${shown(value)}`);
    else result[key] = units;
  }
  return result;
}

export type Reader<T> = (object: JsonObject, name: string, problems: Faults, amounts: AmountReader) => T;
const reader = <T>(read: Reader<T>): Reader<T> => read;

/** Kinds whose objects are read by themselves; what problems are found in is not to be used. */
export const READERS = {
  LimitRange: reader((object, _name, problems) => readLimitRange(object, problems)),
  ResourceQuota: reader((object, name, problems, amounts) => readQuota(object, name, amounts, problems)),
  PodDisruptionBudget: reader(readDisruptionBudget),
  RuntimeClass: reader((object, name, problems, amounts) => readRuntimeClass(object, name, amounts, problems)),
  PriorityClass: reader(readPriorityClass),
  DeviceClass: reader(readDeviceClass),
  DeviceTaintRule: reader(readTaintRule),
  ResourceClaimTemplate: reader((object, _name, problems, amounts) =>
    amounts.shared(claimDevices(object, ["spec", "spec", "devices"], problems)),
  ),
  NodePool: reader(readNodePool),
  CapacityQuota: reader(readCapacityQuota),
  LocalQueue: reader(readLocalQueue),
  ClusterQueue: reader(readClusterQueue),
  Cohort: reader(readCohort),
  ResourceFlavor: reader(readFlavor),
  NodeResourceTopology: reader(readNuma),
};
