import {
  arrayAt,
  type DeviceRequest,
  driverAsked,
  isAcceleratorDriver,
  isObject,
  type JsonObject,
  once,
  podRequests,
} from "../model/index.ts";
import type { PodSet } from "../workloads/index.ts";
import type { Catalogue } from "./types.ts";

/** What device plugins call accelerators, after the vendor's domain. Network cards and other devices are none. */
const ACCELERATOR_NAME =
  /^[a-z0-9.-]+\/((pgpu|vgpu|gpu|tpu|npu|xpu|gaudi|qaic|neuron|neuroncore|neurondevice)([.-].*)?|(gpu|mig)-.+|ascend.*|i915|xe)$/i;

/** How a pod set asks for accelerators. */
export interface Asked {
  readonly form: "none" | "extended-resource" | "claim";
  /** The devices' amounts for one pod. */
  readonly resources: Readonly<Record<string, number>>;
  readonly claims: readonly JsonObject[];
}

/** Names under which the catalogue's accelerators are counted. */
export const knownResources: (catalogue: Catalogue) => ReadonlySet<string> = once(
  ({ accelerators }: Catalogue) => new Set([...accelerators.values()].map(({ resourceName }) => resourceName)),
);

/**
 * How a pod set asks for accelerators: under extended resources, by resource claims, or not at all. Names beyond the well-known
 * ones count where `known` lists them. A pod that does both counts as `extended-resource`.
 */
export function asksForDevice(set: PodSet, known: ReadonlySet<string> = NONE): Asked {
  return byPod(set.pod.spec)(known);
}

/** A review asks several times of one pod; the pod lives no longer than the review. */
const byPod = once((spec: JsonObject) => once((known: ReadonlySet<string>) => askedIn(spec, known)));

function askedIn(spec: JsonObject, known: ReadonlySet<string>): Asked {
  const resources: Record<string, number> = Object.create(null);
  for (const [name, amount] of Object.entries(podRequests(spec))) {
    if (amount > 0 && (known.has(name) || ACCELERATOR_NAME.test(name))) resources[name] = amount;
  }
  const claims = arrayAt(spec, ["resourceClaims"]).filter(isObject);
  const form = Object.keys(resources).length > 0 ? "extended-resource" : claims.length > 0 ? "claim" : "none";
  return { form, resources, claims };
}

/**
 * How many accelerators requests of claims come to. What is of another driver (a network card beside them) is none; where neither class nor selectors name
 * a driver, it may be one and counts. All devices of a node count as one: how many that is depends on the node.
 */
export function acceleratorsAmong(devices: readonly DeviceRequest[], { accelerators, platform }: Catalogue): number {
  const known = [...accelerators.values()].flatMap(({ device }) => device ?? []);
  const isAccelerator = (request: DeviceRequest): boolean => {
    const { deviceClassName } = request;
    if (known.some((one) => one.deviceClassName === deviceClassName)) return true;
    if (deviceClassName === platform.network?.deviceClassName) return false;
    const driver = driverAsked(request);
    return driver === undefined || isAcceleratorDriver(driver) || known.some((one) => one.driver === driver);
  };
  return devices.filter(isAccelerator).reduce((sum, { count }) => sum + (count === "all" ? 1 : count), 0);
}

const NONE: ReadonlySet<string> = new Set();
