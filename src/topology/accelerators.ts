import type { ObjectKey } from "../model/index.ts";
import { compareText } from "./order.ts";
import { sameObject } from "./owner.ts";
import type { Topology } from "./types.ts";

const RESOURCES: ReadonlySet<string> = new Set([
  "nvidia.com/gpu",
  "nvidia.com/gpu.shared",
  "amd.com/gpu",
  "gpu.intel.com/i915",
  "gpu.intel.com/xe",
  "habana.ai/gaudi",
  "google.com/tpu",
  "aws.amazon.com/neuron",
  "aws.amazon.com/neurondevice",
  "huawei.com/Ascend910",
]);

/** Does a device plugin count accelerators, whole or in MIG partitions, under this extended resource. */
export function isAcceleratorResource(name: string): boolean {
  return RESOURCES.has(name) || name.startsWith("nvidia.com/mig-");
}

/** Does a DRA driver of this name publish accelerators (and not network cards or channels): `gpu.nvidia.com`, `neuron.aws.com`. */
export function isAcceleratorDriver(driver: string): boolean {
  return /^(?:gpu|tpu|npu|neuron|gaudi)\./.test(driver);
}

/** Accelerators that each tenant holds on nodes now, by tenant name: extended resources of its pods and devices of its claims. `except` leaves one workload out. */
export function acceleratorsByTenant(topology: Topology, except?: ObjectKey): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const add = (tenant: string, amount: number) => {
    if (amount > 0) counts.set(tenant, (counts.get(tenant) ?? 0) + amount);
  };
  const names = topology.resources.filter(isAcceleratorResource);
  for (const pods of topology.podsOn) {
    for (const pod of pods) {
      if (except !== undefined && sameObject(pod.root, except)) continue;
      for (const name of names) add(pod.tenant, pod.requests[name] ?? 0);
    }
  }
  for (const claim of topology.claims) {
    if (claim.adminAccess || (except !== undefined && claim.root !== undefined && sameObject(claim.root, except)))
      continue;
    add(
      claim.tenant,
      claim.devices.filter((device) => isAcceleratorDriver(device.slice(0, device.indexOf("/")))).length,
    );
  }
  return new Map([...counts].sort(([a], [b]) => compareText(a, b)));
}
