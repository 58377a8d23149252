import type { Reason } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import { roomByDomain } from "./choose.ts";
import { levelAt } from "./layers.ts";
import { plural } from "./text.ts";
import type { World } from "./world.ts";

/**
 * Feasible is not the same as reachable: without a PodGroup or Kueue, required pod affinity lets the first pod go to any domain, and
 * kube-scheduler neither looks ahead nor goes back. Says in how many domains it could get stuck.
 */
export function notGuaranteed(world: World, { board, stage }: Attempt): readonly Reason[] {
  const { platform } = world.context;
  if (platform.companions.podGroups || platform.kueue !== undefined) return [];
  return board.shapes.flatMap((shape, number): readonly Reason[] => {
    const level = levelAt(shape, stage);
    const unit = shape.unit === "group" ? Math.min(shape.groupSize, shape.required) : shape.required;
    if (level === undefined || shape.soft || unit < 2) return [];
    const domains = board.field.level(level);
    const { total } = roomByDomain(board.field, domains, board.cap(number));
    let [open, short] = [0, 0];
    for (const room of total) {
      if (room > 0) open += 1;
      if (room > 0 && room < unit) short += 1;
    }
    if (short === 0) return [];
    const name = board.field.index.topology.levels[level]?.level.name ?? "domain";
    return [
      {
        code: "NotGuaranteed",
        message: `kube-scheduler places the first pod${shape.of} without looking ahead, and ${short} of the ${plural(open, name)} with room for it ${short === 1 ? "has" : "have"} no room for all ${unit}`,
        data: { podSet: shape.name, level: name, short, open },
      },
    ];
  });
}
