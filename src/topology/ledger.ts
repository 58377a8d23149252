import type { ObjectKey } from "../model/index.ts";
import { sameObject } from "./owner.ts";
import type { ClaimFacts, Ledger, PodFacts, Topology } from "./types.ts";

/** What bound and nominated pods use on their nodes, and which claim holds each device. */
export function fillLedger(
  podsOn: readonly (readonly PodFacts[])[],
  columnOf: ReadonlyMap<string, number>,
  claims: readonly ClaimFacts[],
): Ledger {
  const width = columnOf.size;
  const used = new Float64Array(podsOn.length * width);
  for (const [row, pods] of podsOn.entries()) for (const pod of pods) chargeRow(used, row * width, pod, columnOf);
  const devices = new Map<string, string>();
  for (const claim of claims) {
    if (claim.adminAccess) continue;
    for (const device of claim.devices) devices.set(device, `${claim.namespace}/${claim.name}`);
  }
  return { used, devices };
}

/** Adds what a pod requests to the row that begins at `offset`. */
function chargeRow(used: Float64Array, offset: number, pod: PodFacts, columnOf: ReadonlyMap<string, number>): void {
  for (const name of Object.keys(pod.requests)) {
    const column = columnOf.get(name);
    if (column !== undefined) used[offset + column] = (used[offset + column] ?? 0) + (pod.requests[name] ?? 0);
  }
}

/** Pods whose root this is, bound and unbound. */
export function podsOfRoot({ lookups, pods }: Topology, root: ObjectKey): readonly PodFacts[] {
  return lookups?.podsOfRoot(root) ?? pods.filter((pod) => sameObject(pod.root, root));
}
