import type { Assignment, Reason } from "../model/index.ts";
import { isSameWorkload } from "./context.ts";
import { queueLimits } from "./queue.ts";
import { quotaLimits } from "./quota.ts";
import { needing, type Shape } from "./shape.ts";
import type { World } from "./world.ts";

/** A limit that stands in the way: `never` where it is too small by itself, `busy` where others use it up, `told` where nothing stands in the way and there is only something to say. */
export interface Limit {
  readonly verdict: "busy" | "never" | "unknown" | "told";
  readonly reason: Reason;
}

/** The namespace's quotas, the class's limit for its tenant and the quota of its queue, against what the required pods of these shapes ask. */
export function limitsOf(world: World, shapes: readonly Shape[], assignment: Assignment | undefined): readonly Limit[] {
  return [...quotaLimits(world, shapes, assignment), ...acceleratorLimit(world, shapes), ...queueLimits(world, shapes)];
}

function acceleratorLimit({ demand, context, index }: World, shapes: readonly Shape[]): readonly Limit[] {
  const limit = demand.acceleratorLimit;
  const needed = shapes.reduce((sum, { required, step }) => sum + required * step.devicesPerPod, 0);
  if (limit === undefined || needed === 0) return [];
  const who = needing(demand, shapes);
  if (needed > limit)
    return [
      {
        verdict: "never",
        reason: {
          code: "LimitExceeded",
          message: `the class allows tenant ${demand.tenant} ${limit} accelerators in all, and ${who} needs ${needed}`,
          data: { tenant: demand.tenant, limit, needed },
        },
      },
    ];
  const promised = context.holds
    .filter((hold) => hold.tenant === demand.tenant && !isSameWorkload(hold.workload, demand.workload))
    .flatMap((hold) => hold.placed)
    .reduce((sum, { pods, accelerators }) => sum + pods * accelerators, 0);
  const held = index.acceleratorsOf(demand.tenant, demand.workload) + promised;
  if (held + needed <= limit) return [];
  return [
    {
      verdict: "busy",
      reason: {
        code: "LimitExceeded",
        message: `tenant ${demand.tenant} holds ${held} of the ${limit} accelerators that the class allows it, and ${who} needs ${needed}`,
        data: { tenant: demand.tenant, held, limit, needed },
      },
    },
  ];
}
