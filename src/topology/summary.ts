import { freeDevices } from "./free.ts";
import type { DeviceFacts, Topology } from "./types.ts";

/** One level of the tree, for people to look at. */
export interface LevelSummary {
  readonly level: string;
  readonly key: string;
  readonly domains: readonly DomainSummary[];
  /** Nodes that carry no label of this level. */
  readonly unlabelled: number;
}

export interface DomainSummary {
  readonly path: readonly string[];
  /** Index of the enclosing domain one level up; -1 for none. */
  readonly parent: number;
  readonly nodes: number;
  /** Nodes that offer the resource, and those of them that are ready, not cordoned and wholly unused. */
  readonly offering: number;
  readonly freeNodes: number;
  /** Units of the resource on all nodes, and free ones on nodes that are ready and not cordoned. */
  readonly devices: number;
  readonly freeDevices: number;
}

/**
 * Free and total per domain of every level. `resource` is an extended resource (`nvidia.com/gpu`) or any other column; whole devices that the vendor's
 * DRA driver publishes on a node (`gpu.nvidia.com`) count with those that its device plugin does, and may also be asked for by that name.
 */
export function levelSummary(topology: Topology, resource: string): readonly LevelSummary[] {
  const { total, free } = perNode(topology, resource);
  return topology.levels.map(({ level, domains, unlabelled }) => ({
    level: level.name,
    key: level.key,
    unlabelled: unlabelled.length,
    domains: domains.map(({ path, parent, nodes }) => {
      const sum = { offering: 0, freeNodes: 0, devices: 0, freeDevices: 0 };
      for (const node of nodes) {
        const devices = total[node] ?? 0;
        const unused = free[node] ?? 0;
        if (devices > 0) sum.offering += 1;
        if (devices > 0 && unused === devices) sum.freeNodes += 1;
        sum.devices += devices;
        sum.freeDevices += unused;
      }
      return { path, parent, nodes: nodes.length, ...sum };
    }),
  }));
}

function perNode(topology: Topology, resource: string): { readonly total: Float64Array; readonly free: Float64Array } {
  const { nodes, resources, resourceIndex, allocatable, ledger } = topology;
  const total = new Float64Array(nodes.length);
  const free = new Float64Array(nodes.length);
  const column = resourceIndex.get(resource);
  if (column !== undefined) {
    for (let node = 0; node < nodes.length; node += 1) {
      const at = node * resources.length + column;
      total[node] = allocatable[at] ?? 0;
      free[node] = Math.max(0, (allocatable[at] ?? 0) - (ledger.used[at] ?? 0));
    }
  }
  for (const pool of topology.devicePools) {
    if (pool.driver !== resource && driverOf(resource) !== pool.driver) continue;
    // Upstream allocates nothing from a pool that is incomplete or contradicts itself.
    const usable = pool.complete && pool.invalid === undefined ? freeDevices(pool, ledger) : [];
    for (const [devices, counts] of [
      [pool.devices, total],
      [usable, free],
    ] as const) {
      for (const device of devices) {
        const node = "node" in device.reach && isWhole(device) ? topology.nodeIndex.get(device.reach.node) : undefined;
        if (node !== undefined) counts[node] = (counts[node] ?? 0) + 1;
      }
    }
  }
  for (const [index, node] of nodes.entries()) if (node.cordoned || !node.ready) free[index] = 0;
  return { total, free };
}

/** `nvidia.com/gpu` -> `gpu.nvidia.com`: vendors name their drivers so. */
function driverOf(resource: string): string {
  const [domain = "", name = ""] = resource.split("/");
  return `${name}.${domain}`;
}

/** Not a partition of a device that is published beside it. */
function isWhole(device: DeviceFacts): boolean {
  const type = Object.hasOwn(device.attributes, device.driver) ? device.attributes[device.driver]?.["type"] : undefined;
  return type === undefined || type === "gpu" || type === "amdgpu";
}
