import type { Reason } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import type { Board } from "./board.ts";
import { roomByDomain } from "./choose.ts";
import { levelAt } from "./layers.ts";
import type { Shape } from "./shape.ts";
import { plural } from "./text.ts";
import type { World } from "./world.ts";

/**
 * Feasible is not the same as reachable: kube-scheduler neither looks ahead nor goes back. Required pod affinity (without a PodGroup or
 * Kueue) lets the first pod go to any domain, and says in how many it could get stuck; devices go to whoever comes first, in the
 * allocator's own order, and what that leaves may serve nobody.
 */
export function notGuaranteed(world: World, { board, stage }: Attempt): readonly Reason[] {
  const { platform } = world.context;
  const together = platform.companions.podGroups || platform.kueue !== undefined;
  return board.shapes.flatMap((shape, number): readonly Reason[] => {
    const level = shape.soft ? undefined : levelAt(shape, stage);
    const unit = shape.unit === "group" ? Math.min(shape.groupSize, shape.required) : shape.required;
    const cap = board.cap(number);
    const served = servedInTurn(board, number, cap);
    if (level === undefined || unit < 2) {
      const sum = served.reduce((total, pods) => total + pods, 0);
      return sum < shape.required ? [devicesGone(shape, sum, shape.required)] : [];
    }
    const domains = board.field.level(level);
    const { total } = roomByDomain(board.field, domains, cap);
    const reached = served === cap ? total : roomByDomain(board.field, domains, served).total;
    const large = [...total.keys()].filter((domain) => (total[domain] ?? 0) >= unit);
    const left = large.map((domain) => reached[domain] ?? 0);
    const worst = together ? Math.max(...left) : Math.min(...left);
    const open = total.filter((room) => room > 0).length;
    const short = together ? 0 : open - large.length;
    const name = board.field.index.topology.levels[level]?.level.name ?? "domain";
    return [
      ...(short === 0 ? [] : [stuck(shape, name, short, open, unit)]),
      ...(worst < unit ? [devicesGone(shape, worst, unit)] : []),
    ];
  });
}

function stuck(shape: Shape, level: string, short: number, open: number, unit: number): Reason {
  return {
    code: "NotGuaranteed",
    message: `kube-scheduler places the first pod${shape.of} without looking ahead, and ${short} of the ${plural(open, level)} with room for it ${short === 1 ? "has" : "have"} no room for all ${unit}`,
    data: { podSet: shape.name, level, short, open },
  };
}

function devicesGone(shape: Shape, served: number, wanted: number): Reason {
  return {
    code: "NotGuaranteed",
    message: `kube-scheduler gives each pod${shape.of} the first devices that serve it, and in that order they last for ${served} of ${plural(wanted, "pod")}`,
    data: { podSet: shape.name, served, wanted },
  };
}

/** Room on each row where the devices are handed out in the allocator's order. */
function servedInTurn({ devices }: Board, number: number, cap: Int32Array): Int32Array {
  return devices === undefined ? cap : cap.map((room, row) => (room === 0 ? 0 : devices.inTurn(row, number, room)));
}
