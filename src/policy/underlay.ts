import { isObject, type Json, type JsonObject, stringAt } from "../model/index.ts";

/**
 * A Platform's spec with what was detected of the cluster (a fragment of such a spec) laid under it: what the file says holds, field by field; what
 * it leaves out is as detected. Facts about an autoscaler of another kind than the file's say nothing about that one. Pure.
 */
export function underlay(spec: JsonObject, detected: JsonObject): JsonObject {
  const kind = stringAt(spec, ["autoscaler", "kind"]);
  const { autoscaler, ...others } = detected;
  const same = kind === undefined || kind === stringAt(autoscaler, ["kind"]);
  return merged(spec, same ? detected : others);
}

/** Depth is bounded by the fragment, which is ours. */
function merged(over: JsonObject, under: JsonObject): JsonObject {
  const result: Record<string, Json | undefined> = { ...under, ...over };
  for (const [key, below] of Object.entries(under)) {
    const above = Object.hasOwn(over, key) ? over[key] : undefined;
    if (isObject(above) && isObject(below)) result[key] = merged(above, below);
    else if (above === undefined) result[key] = below;
  }
  return result;
}
