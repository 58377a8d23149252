import { type Assignment, type PodCharges, type QuotaFacts, type QuotaScope, unitsText } from "../model/index.ts";
import { chargedClaim, chargeOf, type PodCharge, type QuotaKey, quotaKey } from "./charges.ts";
import { isSameWorkload, namespaceOf } from "./context.ts";
import { type Limit, roomBeside } from "./limits.ts";
import { needing, type Shape } from "./shape.ts";
import { list } from "./text.ts";
import type { World } from "./world.ts";

const UNCHARGED: PodCharges = {
  limits: {},
  terminating: false,
  bestEffort: false,
  crossNamespace: false,
  unset: {},
};

/**
 * The namespace's ResourceQuotas against what the required pods of these shapes, and the claims made for them, are charged: `never` where the
 * whole quota is too small, or refuses a pod that leaves out what it counts; `busy` where others use it up.
 */
export function quotaLimits(
  world: World,
  shapes: readonly Shape[],
  assignment: Assignment | undefined,
): readonly Limit[] {
  const { facts } = world.topology;
  const quotas = facts.namespace(namespaceOf(world.demand.workload))?.quotas ?? [];
  if (quotas.length === 0) return [];
  const charges = new Map(shapes.map((shape) => [shape, chargeOf(shape, assignment)]));
  return quotas.flatMap((quota) => {
    const counted = shapes.filter((shape) => quota.scopes.every((scope) => isIn(scope, shape)));
    return Object.keys(quota.hard).flatMap((key): readonly Limit[] => {
      const read = quotaKey(key, facts);
      if (read === undefined || (read.claims && quota.scopes.length > 0)) return [];
      const missing = read.claims ? [] : refusedBy(world, quota, key, counted);
      if (missing.length > 0) return missing;
      const needed = counted.reduce((sum, shape) => {
        const charge = charges.get(shape);
        return sum + (charge === undefined ? 0 : shape.required * read.of(charge));
      }, 0);
      const who = needing(world.demand, shapes);
      return needed === 0 ? [] : overdrawn(world, quota, key, read, { needed, who }, counted, charges);
    });
  });
}

function overdrawn(
  world: World,
  quota: QuotaFacts,
  key: string,
  read: QuotaKey,
  { needed, who }: { readonly needed: number; readonly who: string },
  counted: readonly Shape[],
  charges: ReadonlyMap<Shape, PodCharge>,
): readonly Limit[] {
  const hard = quota.hard[key] ?? 0;
  const namespace = namespaceOf(world.demand.workload);
  const text = (units: number) => unitsText(read.resource, units);
  const own = ownCharges(world, counted, charges).reduce((sum, charge) => sum + read.of(charge), 0);
  // Which pods a scope covers is not kept with what is promised; the API server looks again.
  const soon = quota.scopes.length > 0 ? 0 : promised(world, read);
  const used = Math.max(0, (quota.used[key] ?? 0) - own) + soon;
  const room = roomBeside(counted, hard - used, (shape) => {
    const charge = charges.get(shape);
    return charge === undefined ? 0 : read.of(charge);
  });
  if (needed > hard)
    return [
      {
        verdict: "never",
        room,
        reason: {
          code: "QuotaExceeded",
          message: `quota ${quota.name} of namespace ${namespace} allows ${text(hard)} ${key} in all, and ${who} needs ${text(needed)}${used > 0 ? ` beside the ${text(used)} in use` : ""}`,
          data: { quota: quota.name, resource: key, hard, needed },
        },
      },
    ];
  if (used + needed <= hard) return [];
  return [
    {
      verdict: "busy",
      room,
      reason: {
        code: "QuotaExceeded",
        message: `quota ${quota.name} of namespace ${namespace} has ${text(Math.max(0, hard - used))} of ${text(hard)} ${key} left, and ${who} needs ${text(needed)}`,
        data: { quota: quota.name, resource: key, hard, used, needed },
      },
    },
  ];
}

/** Does the quota count pods of the shape. */
function isIn({ scope, operator, values }: QuotaScope, { set }: Shape): boolean {
  const charges = set.pod.charges ?? UNCHARGED;
  switch (scope) {
    case "Terminating":
      return charges.terminating;
    case "NotTerminating":
      return !charges.terminating;
    case "BestEffort":
      return charges.bestEffort;
    case "NotBestEffort":
      return !charges.bestEffort;
    case "CrossNamespacePodAffinity":
      return charges.crossNamespace;
    case "PriorityClass": {
      const { priorityClass } = charges;
      if (operator === "Exists") return priorityClass !== undefined;
      if (operator === "DoesNotExist") return priorityClass === undefined;
      const listed = priorityClass !== undefined && values.includes(priorityClass);
      return operator === "In" ? listed : !listed;
    }
    default:
      return false;
  }
}

/** A quota on cpu or memory refuses pods with a container that does not say how much it wants. */
function refusedBy({ demand }: World, quota: QuotaFacts, key: string, shapes: readonly Shape[]): readonly Limit[] {
  const full = key === "cpu" || key === "memory" ? `requests.${key}` : key;
  return shapes.flatMap((shape): readonly Limit[] => {
    const containers = (shape.set.pod.charges ?? UNCHARGED).unset[full] ?? [];
    if (containers.length === 0 || shape.required === 0) return [];
    const message = `quota ${quota.name} of namespace ${namespaceOf(demand.workload)} counts ${key}, so it refuses pods${shape.of} in which ${list(containers)} ${containers.length === 1 ? "says" : "say"} no ${full}`;
    return [
      { verdict: "never", reason: { code: "QuotaExceeded", message, data: { quota: quota.name, resource: key } } },
    ];
  });
}

/** What pods and claims that the workload has already are charged. Of a pod that runs only the requests are kept, so its limits count as its set's. */
function ownCharges(
  { index, demand, topology }: World,
  shapes: readonly Shape[],
  charges: ReadonlyMap<Shape, PodCharge>,
): readonly PodCharge[] {
  const limits: Record<string, number> = Object.create(null);
  for (const shape of shapes)
    for (const [name, amount] of Object.entries(charges.get(shape)?.limits ?? {}))
      limits[name] = Math.max(limits[name] ?? 0, amount);
  const pods = index
    .podsOfRoot(demand.workload)
    .map(({ requests }): PodCharge => ({ pods: 1, requests, limits, charged: {}, delegated: {}, claims: 0 }));
  const claims = index.claimsOfRoot(demand.workload).map(({ namespace, name, extended }): PodCharge => {
    const charged = chargedClaim(topology.facts.claim(namespace, name));
    const sort = extended === true ? { charged: {}, delegated: charged } : { charged, delegated: {} };
    return { pods: 0, requests: {}, limits: {}, ...sort, claims: 1 };
  });
  return [...pods, ...claims];
}

/** What is promised to others in the namespace is charged soon. */
function promised({ demand, context }: World, read: QuotaKey): number {
  const { workload } = demand;
  return context.holds
    .filter((hold) => namespaceOf(hold.workload) === namespaceOf(workload) && !isSameWorkload(hold.workload, workload))
    .flatMap((hold) => hold.placed)
    .reduce((sum, { pods, requests, charged }) => {
      return sum + pods * read.of({ pods: 1, requests, limits: {}, charged, delegated: {}, claims: 0 });
    }, 0);
}
