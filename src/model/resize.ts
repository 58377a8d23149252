import { arrayAt, isObject, type Json, type JsonObject, objectAt, stringAt, valueAt } from "./json.ts";
import { isSidecar } from "./podspec.ts";
import { parseQuantity } from "./quantity.ts";

/**
 * The spec of a pod with the requests that its containers really have: while a resize in place is under way the most of what is asked for, what is set
 * up and what the kubelet has promised, and without what is asked for where the kubelet has found that it never fits (component-helpers
 * AggregateContainerRequests with UseStatusResources). The spec itself where nothing differs.
 */
export function actualSpec(spec: JsonObject, status: JsonObject): JsonObject {
  const pending = arrayAt(status, ["conditions"]).find((one) => stringAt(one, ["type"]) === "PodResizePending");
  const infeasible = pending !== undefined && stringAt(pending, ["reason"]) === "Infeasible";
  let changed = false;
  const actual = (list: readonly Json[], states: readonly Json[]): readonly Json[] =>
    list.map((container) => {
      const name = stringAt(container, ["name"]);
      const state = states.find((one) => stringAt(one, ["name"]) === name);
      const fresh = state === undefined ? container : actualContainer(container, state, infeasible);
      if (fresh !== container) changed = true;
      return fresh;
    });
  const containers = actual(arrayAt(spec, ["containers"]), arrayAt(status, ["containerStatuses"]));
  const initStates = arrayAt(status, ["initContainerStatuses"]);
  const initContainers = arrayAt(spec, ["initContainers"]).map(
    (container) => (isSidecar(container) ? actual([container], initStates)[0] : undefined) ?? container,
  );
  return changed ? { ...spec, containers, ...(initContainers.length === 0 ? {} : { initContainers }) } : spec;
}

function actualContainer(container: Json, state: Json, infeasible: boolean): Json {
  if (!isObject(container) || !isObject(valueAt(state, ["resources"]))) return container;
  const asked = objectAt(container, ["resources", "requests"]);
  const requests: Record<string, Json> = Object.create(null);
  if (!infeasible) Object.assign(requests, asked);
  for (const list of [objectAt(state, ["resources", "requests"]), objectAt(state, ["allocatedResources"])])
    for (const [name, amount] of Object.entries(list))
      if (amount !== undefined && nano(amount) > nano(requests[name])) requests[name] = amount;
  const names = new Set([...Object.keys(asked), ...Object.keys(requests)]);
  if ([...names].every((name) => nano(asked[name]) === nano(requests[name]))) return container;
  return { ...container, resources: { ...objectAt(container, ["resources"]), requests } };
}

/** What is no quantity is less than any. */
function nano(amount: Json | undefined): bigint {
  return (typeof amount === "string" || typeof amount === "number" ? parseQuantity(amount)?.nano : undefined) ?? -1n;
}
