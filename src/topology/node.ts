import { arrayAt, type JsonObject, stringAt, valueAt } from "../model/index.ts";
import { type AmountReader, type Faults, labelsAt, resourcesAt, taintsAt } from "./fields.ts";
import type { NodeFacts } from "./types.ts";

/**
 * A core/v1 Node. `allocatable` stands in for a missing `capacity` and the reverse, as the kubelet's own default does.
 * A node without any Ready condition (a hand-written one) counts as ready: the scheduler goes by taints.
 */
export function readNode(object: JsonObject, name: string, amounts: AmountReader, problems: Faults): NodeFacts {
  const capacity = resourcesAt(object, ["status", "capacity"], amounts, problems);
  const allocatable = resourcesAt(object, ["status", "allocatable"], amounts, problems);
  const ready = arrayAt(object, ["status", "conditions"]).find((one) => stringAt(one, ["type"]) === "Ready");
  const has = (list: object) => Object.keys(list).length > 0;
  return {
    name,
    labels: labelsAt(object, ["metadata", "labels"], amounts, problems),
    taints: amounts.shared(taintsAt(object, ["spec", "taints"], problems)),
    cordoned: valueAt(object, ["spec", "unschedulable"]) === true,
    ready: ready === undefined || stringAt(ready, ["status"]) === "True",
    capacity: has(capacity) ? capacity : allocatable,
    allocatable: has(allocatable) ? allocatable : capacity,
  };
}
