import { type DeviceRequest, type Reason, unitsText } from "../model/index.ts";
import { isSameWorkload, namespaceOf } from "./context.ts";
import type { Shape } from "./shape.ts";
import type { World } from "./world.ts";

/** A limit that stands in the way: `never` where it is too small by itself, `busy` where others use it up. */
export interface Limit {
  readonly verdict: "busy" | "never";
  readonly reason: Reason;
}

/** The namespace's quotas and the class's limit for its tenant, against what the required pods of these shapes ask. */
export function limitsOf(world: World, shapes: readonly Shape[]): readonly Limit[] {
  return [...quotaLimits(world, shapes), ...acceleratorLimit(world, shapes)];
}

function quotaLimits(world: World, shapes: readonly Shape[]): readonly Limit[] {
  const { demand, topology } = world;
  const namespace = namespaceOf(demand.workload);
  const limits: Limit[] = [];
  // A scoped quota counts only some pods; which ones the pod template does not always tell, so it limits nothing here.
  for (const quota of topology.facts.namespace(namespace)?.quotas ?? []) {
    if (quota.scoped) continue;
    for (const [key, hard] of Object.entries(quota.hard)) {
      const amountOf = chargedBy(key);
      if (amountOf === undefined) continue;
      const needed = shapes.reduce((sum, shape) => sum + shape.required * amountOf(shape), 0);
      if (needed === 0) continue;
      const own = ownRequests(world, key);
      const used = Math.max(0, (quota.used[key] ?? 0) - own) + heldRequests(world, key);
      const text = (units: number) => unitsText(resourceOf(key), units);
      if (needed > hard)
        limits.push({
          verdict: "never",
          reason: {
            code: "QuotaExceeded",
            message: `quota ${quota.name} of namespace ${namespace} allows ${text(hard)} ${key} in all, and this needs ${text(needed)}`,
            data: { quota: quota.name, resource: key, hard, needed },
          },
        });
      else if (used + needed > hard)
        limits.push({
          verdict: "busy",
          reason: {
            code: "QuotaExceeded",
            message: `quota ${quota.name} of namespace ${namespace} has ${text(Math.max(0, hard - used))} of ${text(hard)} ${key} left, and this needs ${text(needed)}`,
            data: { quota: quota.name, resource: key, hard, used, needed },
          },
        });
    }
  }
  return limits;
}

/** Quota keys that requests are charged to: `cpu` and `requests.cpu` mean the same. */
function resourceOf(key: string): string {
  return key.startsWith("requests.") ? key.slice("requests.".length) : key;
}

const CLASS_QUOTA = ".deviceclass.resource.k8s.io/devices";
/** resource/v1: `All` is charged as many devices as a claim may have. */
const ALL_DEVICES = 32;

/** What one pod is charged under a key; undefined for keys that other objects, or limits, are charged to. */
function chargedBy(key: string): ((shape: Shape) => number) | undefined {
  if (key === "pods" || key === "count/pods") return () => 1;
  if (key.endsWith(CLASS_QUOTA)) {
    const name = key.slice(0, -CLASS_QUOTA.length);
    return (shape) =>
      shape.devices.reduce(
        (sum, { firstAvailable, sharedClaim, ...one }) =>
          // Claims that are there are charged already; of alternatives the dearest counts.
          sum + (sharedClaim === undefined ? Math.max(0, ...(firstAvailable ?? [one]).map(chargeOf(name))) : 0),
        0,
      );
  }
  const resource = resourceOf(key);
  const plain = key === "cpu" || key === "memory" || key === "ephemeral-storage";
  if (!plain && !key.startsWith("requests.")) return undefined;
  return (shape) => shape.needs.find((need) => need.resource === resource)?.amount ?? 0;
}

function chargeOf(className: string): (one: Pick<DeviceRequest, "deviceClassName" | "count">) => number {
  return ({ deviceClassName, count }) => (deviceClassName !== className ? 0 : count === "all" ? ALL_DEVICES : count);
}

/** What the workload's own pods are charged already. Nominated and terminating pods count as the API server counts them. */
function ownRequests(world: World, key: string): number {
  const resource = key === "count/pods" ? "pods" : resourceOf(key);
  return world.index.podsOfRoot(world.demand.workload).reduce((sum, pod) => sum + (pod.requests[resource] ?? 0), 0);
}

function heldRequests(world: World, key: string): number {
  const { workload } = world.demand;
  const resource = key === "count/pods" ? "pods" : resourceOf(key);
  return world.context.holds
    .filter((hold) => namespaceOf(hold.workload) === namespaceOf(workload) && !isSameWorkload(hold.workload, workload))
    .flatMap((hold) => hold.placed)
    .reduce((sum, placed) => sum + placed.pods * (placed.requests[resource] ?? 0), 0);
}

function acceleratorLimit(world: World, shapes: readonly Shape[]): readonly Limit[] {
  const { demand, context } = world;
  const limit = demand.acceleratorLimit;
  const needed = shapes.reduce((sum, { required, step }) => sum + required * step.devicesPerPod, 0);
  if (limit === undefined || needed === 0) return [];
  if (needed > limit)
    return [
      {
        verdict: "never",
        reason: {
          code: "LimitExceeded",
          message: `the class allows tenant ${demand.tenant} ${limit} accelerators in all, and this needs ${needed}`,
          data: { tenant: demand.tenant, limit, needed },
        },
      },
    ];
  const others = world.index.acceleratorsOf(demand.tenant, demand.workload);
  const names = new Set([...context.accelerators.values()].map(({ resourceName }) => resourceName));
  const promised = context.holds
    .filter((hold) => hold.tenant === demand.tenant && !isSameWorkload(hold.workload, demand.workload))
    .flatMap((hold) => hold.placed)
    .reduce((sum, placed) => {
      const counted = [...names].reduce((total, name) => total + placed.pods * (placed.requests[name] ?? 0), 0);
      return sum + counted + placed.devices.length;
    }, 0);
  const held = others + promised;
  if (held + needed <= limit) return [];
  return [
    {
      verdict: "busy",
      reason: {
        code: "LimitExceeded",
        message: `tenant ${demand.tenant} holds ${held} of the ${limit} accelerators that the class allows it, and this needs ${needed}`,
        data: { tenant: demand.tenant, held, limit, needed },
      },
    },
  ];
}
