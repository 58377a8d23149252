import { type Assignment, durationText, type Reason } from "../model/index.ts";
import type { Attempt } from "./attempt.ts";
import type { PoolRoom } from "./rooms.ts";
import { isSlow, type Kind, offers } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { joined, plural } from "./text.ts";
import { waitMs } from "./window.ts";
import type { World } from "./world.ts";

/** How long the slow ones of these new nodes take, the quickest first. */
export function slowLeads(kinds: readonly Kind[]): readonly number[] {
  const leads = kinds.flatMap(({ slow, leadMs }) => (slow ? [leadMs] : []));
  return [...new Set(leads)].sort((a, b) => a - b);
}

/** Pools that would do, but not in time: those that `late` takes nodes of, else all that are too slow. */
export function tooSlow(world: World, shapes: readonly Shape[], late: Attempt): readonly Reason[] {
  const { kinds, kindOf } = late.board.field;
  const uses = (pool: string, number: number): boolean =>
    late.result.kind === "found" &&
    (late.result.counts[number] ?? []).some(({ row }) => kinds[kindOf[row] ?? -1]?.pool.name === pool);
  const told = (only: boolean): readonly Reason[] =>
    shapes.flatMap((shape, number) =>
      world.growth.rooms
        .filter((room) => offers(room.pool, shape) && isSlow(room, shape) && (!only || uses(room.pool.name, number)))
        .map((room) => slowReason(world, room, shape)),
    );
  const used = told(true);
  return used.length > 0 ? used : told(false);
}

function slowReason({ context }: World, { pool, leadMs }: PoolRoom, shape: Shape): Reason {
  const { maxProvisioningMs } = shape.set.ladder;
  const wait = waitMs(pool, context.nowMs);
  const { name, start } = pool.reservation ?? {};
  const begins = wait === 0 ? "" : ` waits ${durationText(wait)} for reservation ${name} to begin at ${start}, then`;
  return {
    code: "TooSlow",
    message: `pool ${pool.name}${begins} takes about ${startupText(pool)} to start a node, and the class${shape.of} waits at most ${durationText(maxProvisioningMs)}`,
    data: { pool: pool.name, startupMs: leadMs, maxProvisioningMs },
  };
}

/** `8m`; where nobody declared it, that it is taken to be so. */
export function startupText({ startupMs, startupAssumed }: PoolRoom["pool"]): string {
  return `${durationText(startupMs)}${startupAssumed === true ? " (assumed, since the pool declares no startup)" : ""}`;
}

/** `2 new nodes of pool a and 1 of pool b`. */
export function newNodesText(nodes: readonly { readonly pool: string; readonly count: number }[]): string {
  const byPool = new Map<string, number>();
  for (const { pool, count } of nodes) byPool.set(pool, (byPool.get(pool) ?? 0) + count);
  return [...byPool]
    .map(([pool, count], index) => `${index === 0 ? plural(count, "new node") : count} of pool ${pool}`)
    .join(" and ");
}

/** What pools add, and until when: the slowest of them decides. */
export function growthReason(world: World, nodes: Assignment["newNodes"]): Reason {
  const parts = nodes.map(
    ({ pool, zone, count }) => `pool ${pool} adds ${plural(count, "node")}${zone === "" ? "" : ` in ${zone}`}`,
  );
  const used = world.growth.rooms.filter(({ pool }) => nodes.some((one) => one.pool === pool.name));
  const waitMs = Math.max(...used.map(({ leadMs }) => leadMs));
  const slowest = used.filter(({ leadMs }) => leadMs === waitMs);
  const total = nodes.reduce((sum, { count }) => sum + count, 0);
  const coming = nodes.reduce((sum, { pool, zone, count }) => {
    const there = used.find((one) => one.pool.name === pool)?.zones.find((one) => one.zone === zone);
    return sum + Math.min(count, there?.unclaimed ?? 0);
  }, 0);
  const how =
    slowest.length === used.length
      ? `which ${total === 1 ? "takes" : "take"} about ${durationText(waitMs)} to start`
      : `of which those of pool ${joined(slowest.map(({ pool }) => pool.name))} take longest, about ${durationText(waitMs)}`;
  const assumed = slowest.filter(({ pool }) => pool.startupAssumed === true).map(({ pool }) => pool.name);
  const guess =
    assumed.length === 0
      ? ""
      : ` (assumed, since pool ${joined(assumed)} ${assumed.length === 1 ? "declares" : "declare"} no startup)`;
  const begun = coming === 0 ? "" : `; ${coming} of them ${coming === 1 ? "is" : "are"} on the way already`;
  return {
    code: "ScaleUp",
    message: `${joined(parts)}, ${how}${guess}${begun}`,
    data: { nodes: total, startupMs: waitMs },
  };
}
