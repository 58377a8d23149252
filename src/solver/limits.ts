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
  /** By set: how many of its pods the limit leaves room for now, beside all of the others. */
  readonly room?: Readonly<Record<string, number>>;
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
  const promised = context.holds
    .filter((hold) => hold.tenant === demand.tenant && !isSameWorkload(hold.workload, demand.workload))
    .flatMap((hold) => hold.placed)
    .reduce((sum, { pods, accelerators }) => sum + pods * accelerators, 0);
  const held = index.acceleratorsOf(demand.tenant, demand.workload) + promised;
  const room = roomBeside(shapes, limit - held, ({ step }) => step.devicesPerPod);
  if (needed > limit)
    return [
      {
        verdict: "never",
        room,
        reason: {
          code: "LimitExceeded",
          message: `the class allows tenant ${demand.tenant} ${limit} accelerators in all, and ${who} needs ${needed}${held > 0 ? ` beside the ${held} that it holds` : ""}`,
          data: { tenant: demand.tenant, limit, needed },
        },
      },
    ];
  if (held + needed <= limit) return [];
  return [
    {
      verdict: "busy",
      room,
      reason: {
        code: "LimitExceeded",
        message: `tenant ${demand.tenant} holds ${held} of the ${limit} accelerators that the class allows it, and ${who} needs ${needed}`,
        data: { tenant: demand.tenant, held, limit, needed },
      },
    },
  ];
}

/** Of what is left of something that each pod of a set takes so much of: the pods of each that it is enough for, beside all of the others. */
export function roomBeside(
  shapes: readonly Shape[],
  left: number,
  each: (shape: Shape) => number,
): Readonly<Record<string, number>> {
  const total = shapes.reduce((sum, shape) => sum + shape.required * each(shape), 0);
  const room: Record<string, number> = Object.create(null);
  for (const shape of shapes) {
    const one = each(shape);
    if (one > 0) room[shape.name] = Math.max(0, Math.floor((left - total + shape.required * one) / one));
  }
  return room;
}
