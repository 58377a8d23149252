import {
  arrayAt,
  conjunction,
  type Json,
  type JsonObject,
  labelSelector,
  objectAt,
  type Requirement,
  type Requirements,
  type Resources,
  requirement,
  selectorExpression,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { type AmountReader, type Faults, resourcesAt, shown, taintsAt } from "./fields.ts";
import type { CapacityQuotaFacts, NodePoolFacts } from "./types.ts";

/** karpenter.sh NodePool. */
export function readNodePool(object: JsonObject, name: string, problems: Faults, amounts: AmountReader): NodePoolFacts {
  const replicas = valueAt(object, ["spec", "replicas"]) ?? undefined;
  const count = typeof replicas === "number" && replicas >= 0 ? replicas : undefined;
  if (replicas !== undefined && count === undefined)
    problems.add(["spec", "replicas"], `must be a whole number, not ${shown(replicas)}`);
  const template = ["spec", "template", "spec"];
  const requirements = templateRequirements(object);
  return {
    name,
    limits: resourcesAt(object, ["spec", "limits"], amounts, problems),
    used: resourcesAt(object, ["status", "resources"], amounts, problems),
    replicas: count,
    ready: condition(object, "Ready") !== "False",
    labels: onlyValues(requirements),
    requirements,
    taints: taintsAt(object, [...template, "taints"], problems),
    startupTaints: taintsAt(object, [...template, "startupTaints"], problems),
  };
}

/** Labels of the template are requirements too. An operator that is not known here asks nothing. */
function templateRequirements(object: JsonObject): Requirements {
  const labels = Object.entries(objectAt(object, ["spec", "template", "metadata", "labels"])).flatMap(([key, value]) =>
    typeof value === "string" && key !== "" ? [requirement(key, "In", [value])] : [],
  );
  const asked = arrayAt(object, ["spec", "template", "spec", "requirements"]).flatMap(
    (one) => selectorExpression(one, true) ?? inclusive(one) ?? [],
  );
  return conjunction([...labels, ...asked]);
}

/** Karpenter's Gte and Lte, which node affinity does not have. */
function inclusive(one: Json): Requirement | undefined {
  const operator = stringAt(one, ["operator"]);
  const [bound] = arrayAt(one, ["values"]);
  if ((operator !== "Gte" && operator !== "Lte") || typeof bound !== "string" || !/^\d{1,15}$/.test(bound))
    return undefined;
  const least = operator === "Gte";
  const values = [String(Number(bound) + (least ? -1 : 1))];
  return selectorExpression({ key: stringAt(one, ["key"]) ?? "", operator: least ? "Gt" : "Lt", values }, true);
}

function onlyValues(requirements: Requirements): Readonly<Record<string, string>> {
  const labels: Record<string, string> = {};
  for (const { key, complement, values } of requirements.values()) {
    const [only] = values;
    if (!complement && values.length === 1 && only !== undefined) labels[key] = only;
  }
  return labels;
}

/** autoscaling.x-k8s.io CapacityQuota. Without a selector it counts every node. */
export function readCapacityQuota(
  object: JsonObject,
  name: string,
  problems: Faults,
  amounts: AmountReader,
): CapacityQuotaFacts {
  const json = valueAt(object, ["spec", "selector"]) ?? undefined;
  const selector = json === undefined ? new Map() : labelSelector(json);
  if (selector === undefined) problems.add(["spec", "selector"], "is not a label selector");
  return {
    name,
    selector: selector ?? new Map(),
    limits: wholeAmounts(resourcesAt(object, ["spec", "limits", "resources"], amounts, problems)),
    enforced: condition(object, "cluster-autoscaler.kubernetes.io/valid") !== "False",
  };
}

/** Cluster Autoscaler counts whole cpus, and rounds up what is not whole. */
function wholeAmounts(limits: Resources): Resources {
  const cpu = limits["cpu"];
  return cpu === undefined ? limits : { ...limits, cpu: Math.ceil(cpu / 1000) * 1000 };
}

function condition(object: JsonObject, type: string): string | undefined {
  const found = arrayAt(object, ["status", "conditions"]).find((one) => stringAt(one, ["type"]) === type);
  return found === undefined ? undefined : stringAt(found, ["status"]);
}
