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
  for (const [row, pods] of podsOn.entries()) for (const pod of pods) chargeRow(used, row * width, pod, columnOf, 1);
  const devices = new Map<string, string>();
  for (const claim of claims) {
    if (claim.adminAccess) continue;
    for (const device of claim.devices) devices.set(device, `${claim.namespace}/${claim.name}`);
  }
  return { used, devices };
}

/** Adds what a pod requests to the row that begins at `offset`, or takes it away. */
function chargeRow(
  used: Float64Array,
  offset: number,
  pod: PodFacts,
  columnOf: ReadonlyMap<string, number>,
  sign: 1 | -1,
): void {
  for (const name of Object.keys(pod.requests)) {
    const column = columnOf.get(name);
    if (column !== undefined) used[offset + column] = (used[offset + column] ?? 0) + sign * (pod.requests[name] ?? 0);
  }
}

/** What one workload holds now. */
export interface Usage {
  /** Its pods on nodes of the topology. */
  readonly pods: readonly PodFacts[];
  readonly claims: readonly ClaimFacts[];
}

/** Pods whose root this is, bound and unbound. */
export function podsOfRoot({ lookups, pods }: Topology, root: ObjectKey): readonly PodFacts[] {
  return lookups?.podsOfRoot(root) ?? pods.filter((pod) => sameObject(pod.root, root));
}

/** Claims whose root this is. */
function claimsOfRoot({ lookups, claims }: Topology, root: ObjectKey): readonly ClaimFacts[] {
  return (
    lookups?.claimsOfRoot(root) ?? claims.filter((claim) => claim.root !== undefined && sameObject(claim.root, root))
  );
}

/** Everything whose root is `root`, by group, kind, namespace and name. */
export function usageOf(topology: Topology, root: ObjectKey): Usage {
  const isPlaced = (pod: PodFacts) => pod.node !== undefined && topology.nodeIndex.has(pod.node);
  return { pods: podsOfRoot(topology, root).filter(isPlaced), claims: claimsOfRoot(topology, root) };
}

/** A copy of the ledger without what one workload holds: the state in which that workload is judged anew. */
export function ledgerWithout(topology: Topology, root: ObjectKey): Ledger {
  const used = Float64Array.from(topology.ledger.used);
  const devices = new Map(topology.ledger.devices);
  const { pods, claims } = usageOf(topology, root);
  for (const pod of pods) {
    const row = topology.nodeIndex.get(pod.node ?? "");
    if (row !== undefined) chargeRow(used, row * topology.resources.length, pod, topology.resourceIndex, -1);
  }
  for (const claim of claims) {
    const name = `${claim.namespace}/${claim.name}`;
    for (const device of claim.devices) if (devices.get(device) === name) devices.delete(device);
  }
  return { used, devices };
}
