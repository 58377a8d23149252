import { arrayAt, isArray, isObject, type Json, objectAt, stringAt, valueAt } from "./json.ts";
import { addTo, type Requirement, type Requirements, requirement } from "./requirement.ts";

/**
 * A metav1.LabelSelector. `{}` matches everything (an empty map). Undefined where it is absent or null, which in Kubernetes matches
 * nothing, or where the API server would refuse it.
 */
export function labelSelector(json: Json | undefined): Requirements | undefined {
  if (!isObject(json)) return undefined;
  let result: Requirements = new Map();
  const labels = valueAt(json, ["matchLabels"]) ?? {};
  if (!isObject(labels)) return undefined;
  for (const [key, value] of Object.entries(objectAt(json, ["matchLabels"]))) {
    if (typeof value !== "string" || key === "") return undefined;
    result = addTo(result, requirement(key, "In", [value]));
  }
  const expressions = valueAt(json, ["matchExpressions"]) ?? [];
  if (!isArray(expressions)) return undefined;
  for (const expression of arrayAt(json, ["matchExpressions"])) {
    const one = selectorExpression(expression, false);
    if (one === undefined) return undefined;
    result = addTo(result, one);
  }
  return result;
}

/** One `{key, operator, values}`; Gt and Lt only where `bounds` (node affinity). Undefined where the API server would refuse it. */
export function selectorExpression(json: Json, bounds: boolean): Requirement | undefined {
  const key = stringAt(json, ["key"]);
  const operator = stringAt(json, ["operator"]);
  const given = valueAt(json, ["values"]) ?? [];
  if (key === undefined || key === "" || !isArray(given)) return undefined;
  const values = given.filter((value) => typeof value === "string");
  if (values.length !== given.length) return undefined;
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length === 0 ? undefined : requirement(key, operator, values);
    case "Exists":
    case "DoesNotExist":
      return values.length === 0 ? requirement(key, operator) : undefined;
    case "Gt":
    case "Lt":
      return bounds && values.length === 1 && /^-?\d{1,15}$/.test(values[0] ?? "")
        ? requirement(key, operator, values)
        : undefined;
    default:
      return undefined;
  }
}
