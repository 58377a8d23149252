import {
  type AcceleratorClass,
  type CapacityPool,
  type CapacityType,
  type Dialect,
  type Requirement,
  requirement,
  type Source,
  type Toleration,
} from "../model/index.ts";
import type { Catalogue } from "./types.ts";

/** What the class adds to a pod so that it lands on one kind of capacity, or why that cannot be said here. */
export type Selected =
  | { readonly selection: readonly Requirement[]; readonly tolerations: readonly Toleration[] }
  | { readonly reason: string };

/**
 * Selects an accelerator by one label key: the first of the dialect's that tells it. For nodes that are still to be made, only a
 * key that is there before the node counts: the cloud's own, or one that every pool of this accelerator and capacity type stamps.
 */
export function selectAccelerator(
  accelerator: AcceleratorClass,
  type: CapacityType,
  source: Source,
  { platform, pools }: Catalogue,
): Selected {
  const { dialect } = platform;
  const suppliers = pools.filter((pool) => pool.accelerator === accelerator.name && pool.capacityType === type);
  const told = dialect.acceleratorKeys.flatMap((key) => accelerator.labels.filter((label) => label.key === key));
  if (told.length === 0) {
    return {
      reason: `no label that dialect ${dialect.name} selects by tells ${accelerator.name} (it knows ${dialect.acceleratorKeys.join(", ")})`,
    };
  }
  const usable = told.find(
    ({ key, values, beforeNode }) => source === "existing" || beforeNode || stampedBy(suppliers, key, values),
  );
  if (usable === undefined) {
    return {
      reason: `${told.map(({ key }) => key).join(", ")} appears only once a node is up, so no autoscaler can make a node for ${accelerator.name} by it`,
    };
  }
  return {
    selection: [requirement(usable.key, "In", usable.values)],
    tolerations: acceleratorTolerations(accelerator.resourceName, dialect, [...allResources(pools)]),
  };
}

/** Selects a capacity type by the dialect's label, and reserved capacity also by the reservations of the pools that have it. */
export function selectCapacity(
  type: CapacityType,
  accelerator: string | undefined,
  { platform, pools }: Catalogue,
): Selected {
  const { dialect } = platform;
  const known = Object.hasOwn(dialect.capacityTypes, type) ? dialect.capacityTypes[type] : undefined;
  const reserved = type === "reserved" ? reservationOf(pools, accelerator) : undefined;
  if (known === undefined && reserved === undefined) {
    const how = type === "reserved" ? ", and no pool names a label of its reservation" : "";
    return { reason: `dialect ${dialect.name} has no label for ${type} capacity${how}` };
  }
  const selection = [known?.requirement, reserved].filter((one) => one !== undefined);
  return { selection, tolerations: known?.tolerations ?? [] };
}

/**
 * Tolerations for accelerator nodes of one extended resource: those of the dialect whose key is in the resource's domain, or in the
 * domain of no accelerator at all (a pool taint such as `sku`).
 */
export function acceleratorTolerations(
  resourceName: string,
  dialect: Dialect,
  others: readonly string[],
): readonly Toleration[] {
  const foreign = new Set([...others, "nvidia.com/gpu", "amd.com/gpu"].map(domainOf));
  foreign.delete(domainOf(resourceName));
  return dialect.acceleratorTolerations.filter(
    ({ key }) => key === undefined || !key.includes("/") || !foreign.has(domainOf(key)),
  );
}

/** One label key under which the reservations of these pools are told apart; undefined where a pool has none, or they differ in key. */
function reservationOf(pools: readonly CapacityPool[], accelerator: string | undefined): Requirement | undefined {
  const reserved = pools.filter(
    (pool) => pool.capacityType === "reserved" && (accelerator === undefined || pool.accelerator === accelerator),
  );
  const labels = reserved.map((pool) => pool.reservation?.label);
  const [first] = labels;
  if (first === undefined || labels.some((label) => label?.key !== first.key)) return undefined;
  return requirement(
    first.key,
    "In",
    labels.flatMap((label) => (label === undefined ? [] : [label.value])),
  );
}

function stampedBy(pools: readonly CapacityPool[], key: string, values: readonly string[]): boolean {
  return (
    pools.length > 0 &&
    pools.every(({ node }) => Object.hasOwn(node.labels, key) && values.includes(node.labels[key] ?? ""))
  );
}

function* allResources(pools: readonly CapacityPool[]): Iterable<string> {
  for (const { node } of pools) yield* Object.keys(node.allocatable).filter((name) => name.includes("/"));
}

const domainOf = (key: string) => key.slice(0, Math.max(0, key.indexOf("/")));
