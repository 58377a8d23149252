import {
  arrayAt,
  type ClusterQueueFacts,
  type CohortFacts,
  type FlavorFacts,
  type FlavorGroup,
  type FlavorQuota,
  type Json,
  type JsonObject,
  type LocalQueueFacts,
  labelSelector,
  objectAt,
  type Path,
  podTolerations,
  type Resources,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { type AmountReader, type Faults, labelsAt, listAt, shown, taintsAt, textAt } from "./fields.ts";

/** kueue.x-k8s.io LocalQueue. */
export function readLocalQueue(object: JsonObject, _name: string, problems: Faults): LocalQueueFacts {
  return {
    clusterQueue: textAt(object, ["spec", "clusterQueue"], problems),
    stop: stringAt(object, ["spec", "stopPolicy"]) ?? "None",
  };
}

/** kueue.x-k8s.io ResourceFlavor. */
export function readFlavor(object: JsonObject, name: string, problems: Faults, amounts: AmountReader): FlavorFacts {
  return {
    name,
    labels: labelsAt(object, ["spec", "nodeLabels"], amounts, problems),
    taints: taintsAt(object, ["spec", "nodeTaints"], problems),
    tolerations: podTolerations(objectAt(object, ["spec"])),
  };
}

/** kueue.x-k8s.io Cohort. */
export function readCohort(object: JsonObject, name: string, problems: Faults, amounts: AmountReader): CohortFacts {
  return {
    name,
    parent: stringAt(object, ["spec", "parentName"]) || undefined,
    groups: groupsOf(object, amounts, problems),
  };
}

/** kueue.x-k8s.io ClusterQueue; its cohort is `cohortName` from v1beta2 on, and was `cohort` before. */
export function readClusterQueue(
  object: JsonObject,
  name: string,
  problems: Faults,
  amounts: AmountReader,
): ClusterQueueFacts {
  const selector = valueAt(object, ["spec", "namespaceSelector"]) ?? undefined;
  const namespaces = selector === undefined ? undefined : labelSelector(selector);
  if (selector !== undefined && namespaces === undefined)
    problems.add(["spec", "namespaceSelector"], "is not a label selector");
  const reserved = arrayAt(object, ["status", "flavorsReservation"]);
  return {
    name,
    cohort: stringAt(object, ["spec", "cohortName"]) || stringAt(object, ["spec", "cohort"]) || undefined,
    namespaces,
    stop: stringAt(object, ["spec", "stopPolicy"]) ?? "None",
    sparesCohort: stringAt(object, ["spec", "flavorFungibility", "whenCanBorrow"]) === "TryNextFlavor",
    groups: groupsOf(object, amounts, problems),
    used: usageOf(reserved.length > 0 ? reserved : arrayAt(object, ["status", "flavorsUsage"]), amounts, problems),
  };
}

function groupsOf(object: JsonObject, amounts: AmountReader, problems: Faults): readonly FlavorGroup[] {
  return listAt(object, ["spec", "resourceGroups"], problems).map((group, index) => ({
    covered: listAt(group, ["coveredResources"], problems, ["spec", "resourceGroups", index]).filter(
      (one) => typeof one === "string",
    ),
    flavors: listAt(group, ["flavors"], problems, ["spec", "resourceGroups", index]).map((flavor, number) => {
      const path = ["spec", "resourceGroups", index, "flavors", number] as const;
      const quotas: Record<string, FlavorQuota> = Object.create(null);
      for (const [at, entry] of listAt(flavor, ["resources"], problems, path).entries())
        quotas[textAt(entry, ["name"], problems, [...path, "resources", at])] = quotaOf(
          entry,
          [...path, "resources", at],
          amounts,
          problems,
        );
      return { name: textAt(flavor, ["name"], problems, path), quotas };
    }),
  }));
}

function quotaOf(entry: Json, path: Path, amounts: AmountReader, problems: Faults): FlavorQuota {
  const resource = stringAt(entry, ["name"]) ?? "";
  const amount = (key: string): number | undefined => {
    const value = valueAt(entry, [key]) ?? undefined;
    if (value === undefined) return undefined;
    const units = amounts.units(resource, value);
    if (units === undefined) problems.add([...path, key], `must be a resource quantity, not ${shown(value)}`);
    else if (units < 0) problems.add([...path, key], `must not be negative, but is ${shown(value)}`);
    return units;
  };
  const [borrowing, lending] = [amount("borrowingLimit"), amount("lendingLimit")];
  return {
    nominal: amount("nominalQuota") ?? 0,
    ...(borrowing === undefined ? {} : { borrowing }),
    ...(lending === undefined ? {} : { lending }),
  };
}

function usageOf(
  flavors: readonly Json[],
  amounts: AmountReader,
  problems: Faults,
): Readonly<Record<string, Resources>> {
  const result: Record<string, Resources> = Object.create(null);
  for (const [index, flavor] of flavors.entries()) {
    const used: Record<string, number> = Object.create(null);
    for (const entry of arrayAt(flavor, ["resources"])) {
      const name = textAt(entry, ["name"], problems, ["status", "flavorsReservation", index]);
      used[name] = amounts.units(name, valueAt(entry, ["total"]) ?? 0) ?? 0;
    }
    result[textAt(flavor, ["name"], problems, ["status", "flavorsReservation", index])] = used;
  }
  return result;
}
