import { isAcceleratorDriver, type ObjectKey, type Resources } from "../model/index.ts";
import { compareText } from "./order.ts";
import { sameObject } from "./owner.ts";
import type { ClaimFacts, Topology } from "./types.ts";

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

/** The implicit extended resource of a DeviceClass; classes of whole devices are called as their driver is. */
const IMPLICIT = "deviceclass.resource.kubernetes.io/";

/** Accelerators among what a pod requests. */
export function acceleratorsIn(requests: Resources): number {
  let sum = 0;
  for (const name of Object.keys(requests)) {
    const served = name.startsWith(IMPLICIT) && isAcceleratorDriver(name.slice(IMPLICIT.length));
    if (served || isAcceleratorResource(name)) sum += Math.max(0, requests[name] ?? 0);
  }
  return sum;
}

/** Accelerators among the devices of a claim, but for one that serves what its pod's requests count already. */
export function acceleratorsOfClaim({ devices, extended }: ClaimFacts): number {
  if (extended === true) return 0;
  return devices.filter((device) => isAcceleratorDriver(device.slice(0, device.indexOf("/")))).length;
}

/** Accelerators that each tenant holds on nodes now, by tenant name: extended resources of its pods and devices of its claims. `workload` is left out. */
export function acceleratorsByTenant(topology: Topology, workload?: ObjectKey): ReadonlyMap<string, number> {
  const { lookups } = topology;
  const except = workload === undefined ? undefined : { ...workload, namespace: workload.namespace || "default" };
  const counts = new Map<string, number>(lookups?.accelerators());
  const add = (tenant: string, amount: number) => {
    const sum = (counts.get(tenant) ?? 0) + amount;
    if (sum === 0) counts.delete(tenant);
    else counts.set(tenant, sum);
  };
  const isExcept = (root: ObjectKey | undefined) =>
    except !== undefined && root !== undefined && sameObject(root, except);
  if (lookups === undefined) {
    for (const pods of topology.podsOn)
      for (const pod of pods) if (!isExcept(pod.root)) add(pod.tenant, acceleratorsIn(pod.requests));
    for (const claim of topology.claims)
      if (!claim.adminAccess && !isExcept(claim.root)) add(claim.tenant, acceleratorsOfClaim(claim));
  } else if (except !== undefined) {
    for (const pod of lookups.podsOfRoot(except))
      if (pod.node !== undefined && topology.nodeIndex.has(pod.node)) add(pod.tenant, -acceleratorsIn(pod.requests));
    for (const claim of lookups.claimsOfRoot(except))
      if (!claim.adminAccess) add(claim.tenant, -acceleratorsOfClaim(claim));
  }
  return new Map([...counts].sort(([a], [b]) => compareText(a, b)));
}
