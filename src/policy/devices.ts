import { arrayAt, isObject, type JsonObject, podRequests } from "../model/index.ts";
import type { PodSet } from "../workloads/index.ts";

/** What device plugins call accelerators, after the vendor's domain. Network cards and other devices are none. */
const ACCELERATOR_NAME =
  /^[a-z0-9.-]+\/((pgpu|vgpu|gpu|tpu|npu|xpu|gaudi|qaic|neuron|neuroncore|neurondevice)([.-].*)?|(gpu|mig)-.+|ascend.*|i915|xe)$/i;

/**
 * How a pod set asks for accelerators: under extended resources, by resource claims, or not at all. `resources` are the device's amounts
 * for one pod; names beyond the well-known ones count where `known` lists them. A pod that does both counts as `extended-resource`.
 */
export function asksForDevice(
  set: PodSet,
  known: ReadonlySet<string> = NONE,
): {
  readonly form: "none" | "extended-resource" | "claim";
  readonly resources: Readonly<Record<string, number>>;
  readonly claims: readonly JsonObject[];
} {
  const resources: Record<string, number> = Object.create(null);
  for (const [name, amount] of Object.entries(podRequests(set.pod.spec))) {
    if (amount > 0 && (known.has(name) || ACCELERATOR_NAME.test(name))) resources[name] = amount;
  }
  const claims = arrayAt(set.pod.spec, ["resourceClaims"]).filter(isObject);
  const form = Object.keys(resources).length > 0 ? "extended-resource" : claims.length > 0 ? "claim" : "none";
  return { form, resources, claims };
}

const NONE: ReadonlySet<string> = new Set();
