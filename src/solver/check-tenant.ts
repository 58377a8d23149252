import { type Assignment, type Demand, isAcceleratorDriver } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Chosen } from "./check-limits.ts";
import { isOwn } from "./checker.ts";
import type { SolveContext } from "./context.ts";

const COUNTED =
  /^(?:nvidia\.com\/(?:gpu|gpu\.shared|mig-.*)|amd\.com\/gpu|gpu\.intel\.com\/(?:i915|xe)|habana\.ai\/gaudi|google\.com\/tpu|aws\.amazon\.com\/neuron(?:device)?|huawei\.com\/Ascend910)$/;
const IMPLICIT = "deviceclass.resource.kubernetes.io/";

/** Does the class's limit let its tenant have the accelerators of an assignment, beside what its other workloads hold and are promised. */
export function checkTenant(
  topology: Topology,
  demand: Demand,
  chosen: readonly Chosen[],
  { placed }: Assignment,
  { holds }: SolveContext,
): readonly string[] {
  const { acceleratorLimit: limit, tenant } = demand;
  if (limit === undefined) return [];
  let asked = 0;
  for (const { set, step } of chosen) {
    const pods = placed.reduce((sum, one) => sum + (one.podSet === set.name ? one.pods : 0), 0);
    asked += Math.min(pods, set.required) * step.devicesPerPod;
  }
  if (asked === 0) return [];
  let held = heldBy(topology, demand);
  for (const hold of holds)
    if (hold.tenant === tenant && !isOwn(hold.workload, demand))
      for (const one of hold.placed) held += one.pods * one.accelerators;
  return held + asked > limit
    ? [`tenant ${tenant} may have ${limit} accelerators: it holds ${held}, and ${asked} are placed`]
    : [];
}

/** What pods on nodes and claims of the tenant hold, without the workload's own. */
function heldBy(topology: Topology, demand: Demand): number {
  const { lookups, nodeIndex } = topology;
  const { tenant, workload } = demand;
  const inRequests = (requests: Readonly<Record<string, number>>): number =>
    Object.entries(requests).reduce((sum, [name, amount]) => {
      const byClass = name.startsWith(IMPLICIT) && isAcceleratorDriver(name.slice(IMPLICIT.length));
      return sum + (byClass || COUNTED.test(name) ? amount : 0);
    }, 0);
  const pods = (list: Topology["pods"]): number =>
    list
      .filter((pod) => pod.tenant === tenant && pod.node !== undefined && nodeIndex.has(pod.node))
      .reduce((sum, { requests }) => sum + inRequests(requests), 0);
  const claims = (list: Topology["claims"]): number =>
    list
      .filter((one) => one.tenant === tenant && !one.adminAccess && one.extended !== true)
      .flatMap(({ devices }) => devices)
      .filter((device) => isAcceleratorDriver(device.split("/")[0] ?? "")).length;
  if (lookups === undefined)
    return (
      pods(topology.podsOn.flat().filter(({ root }) => !isOwn(root, demand))) +
      claims(topology.claims.filter(({ root }) => root === undefined || !isOwn(root, demand)))
    );
  // A live topology keeps the sum, so that no solve walks all pods.
  const all = lookups.accelerators().get(tenant) ?? 0;
  return all - pods(lookups.podsOfRoot(workload)) - claims(lookups.claimsOfRoot(workload));
}
