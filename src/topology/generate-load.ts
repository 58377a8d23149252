import type { JsonObject } from "../model/index.ts";
import type { GeneratedNode } from "./generate-node.ts";
import { makePod, type Workload } from "./generate-pod.ts";
import type { Random } from "./random.ts";
import type { NodeShape } from "./shapes.ts";

export interface LoadOptions {
  readonly tenants: readonly string[];
  readonly fill: number;
  readonly random: Random;
}

/** Cores of one pod on shapes without devices, which are then what fills up. */
const CORES_PER_POD = 4;

/**
 * Busy pods of Jobs, Deployments and RayClusters until exactly the asked share of units (devices, or groups of four cores) is taken. About two thirds
 * run on whole nodes, in racks side by side as gangs would; the small ones gather on nodes that are already in use, as a packing scheduler would leave them.
 */
export function makeLoad(
  shape: NodeShape,
  nodes: readonly GeneratedNode[],
  options: LoadOptions,
): readonly JsonObject[] {
  const perNode = shape.accelerator?.count ?? Math.floor((shape.cpu - 1) / CORES_PER_POD);
  const [firstTenant, ...otherTenants] = options.tenants;
  if (perNode < 1 || nodes.length === 0 || firstTenant === undefined) return [];
  const { random } = options;
  const objects: JsonObject[] = [];
  const usedOn = new Int32Array(nodes.length);
  const free = new Set(nodes.keys());
  const partial = new Set<number>();
  let left = Math.round(options.fill * perNode * nodes.length);

  const take = (node: number, units: number, workload: Workload, ordinal: number) => {
    const generated = nodes[node];
    if (generated === undefined) return;
    const first = usedOn[node] ?? 0;
    usedOn[node] = first + units;
    left -= units;
    free.delete(node);
    if (first + units < perNode) partial.add(node);
    else partial.delete(node);
    objects.push(
      ...makePod(shape, generated, workload, {
        ordinal,
        units,
        firstDevice: first,
        coresPerUnit: CORES_PER_POD,
        perNode,
      }),
    );
  };

  while (left > 0) {
    const namespace = random.pick([firstTenant, ...otherTenants]);
    const whole = left >= perNode && free.size > 0 && random.chance(0.66);
    if (whole) {
      const most = Math.min(Math.floor(left / perNode), 16);
      const size = 1 + random.below(most);
      const kind = random.pick<Workload["kind"]>(["Job", "Job", "RayCluster"]);
      const workload: Workload = {
        kind,
        namespace,
        name: `${kind === "Job" ? "train" : "ray"}-${random.suffix(5)}`,
        hash: random.suffix(10),
      };
      const start = random.below(nodes.length);
      let placed = 0;
      for (let step = 0; step < nodes.length && placed < size; step += 1) {
        const node = (start + step) % nodes.length;
        if (free.has(node)) take(node, perNode, workload, placed++);
      }
      continue;
    }
    const units = Math.min(left, perNode, random.pick([1, 1, 2, 4]));
    const replicas = 1 + random.below(Math.min(6, Math.floor(left / units)));
    const workload: Workload = {
      kind: "Deployment",
      namespace,
      name: `serve-${random.suffix(5)}`,
      hash: random.suffix(10),
    };
    for (let ordinal = 0; ordinal < replicas; ordinal += 1) {
      const node = roomFor(units, perNode, usedOn, partial, free, random);
      if (node === undefined) break;
      take(node, units, workload, ordinal);
    }
    // Only crumbs are free: one unit always finds a place while units are left.
    if (units > 1 && roomFor(units, perNode, usedOn, partial, free, random) === undefined) {
      const node = roomFor(1, perNode, usedOn, partial, free, random);
      if (node === undefined) break;
      take(node, 1, { ...workload, name: `batch-${random.suffix(5)}` }, 0);
    }
  }
  return objects;
}

/** The first node in use with room, else an unused one by lot. */
function roomFor(
  units: number,
  perNode: number,
  usedOn: Int32Array,
  partial: ReadonlySet<number>,
  free: ReadonlySet<number>,
  random: Random,
): number | undefined {
  let looked = 0;
  for (const node of partial) {
    if (perNode - (usedOn[node] ?? 0) >= units) return node;
    looked += 1;
    if (looked >= 64 && free.size > 0) break;
  }
  if (free.size === 0) return undefined;
  const start = random.below(usedOn.length);
  for (let step = 0; step < usedOn.length; step += 1) {
    const node = (start + step) % usedOn.length;
    if (free.has(node)) return node;
  }
  return undefined;
}
