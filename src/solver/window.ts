import { type CapacityPool, durationText } from "../model/index.ts";
import type { TopologyIndex } from "./topology-index.ts";

/** A reservation that a run would outlast: nodes of its pool are not for it. */
export interface Outlasted {
  readonly pool: string;
  /** Equal for equal pools, so that what is kept by it cannot be another's. */
  readonly key: string;
  /** For an exclusion. */
  readonly text: string;
  /** Nodes that exist. */
  readonly rows: readonly number[];
}

/** From now until a new node of the pool is ready: the reservation has to begin (told in whole minutes), then the node has to start. */
export function leadMs(pool: CapacityPool, nowMs: number | undefined): number {
  return waitMs(pool, nowMs) + pool.startupMs;
}

/** Until the pool's reservation begins. */
export function waitMs({ reservation }: CapacityPool, nowMs: number | undefined): number {
  if (reservation?.start === undefined || nowMs === undefined) return 0;
  return Math.max(0, toMinutes(Date.parse(reservation.start) - nowMs));
}

/** How long nodes of the pool can be used from now on; infinite without an end, or without a clock to measure by. */
function leftMs({ reservation }: CapacityPool, nowMs: number | undefined): number {
  if (reservation?.end === undefined) return Number.POSITIVE_INFINITY;
  const from = nowMs ?? (reservation.start === undefined ? undefined : Date.parse(reservation.start));
  if (from === undefined) return Number.POSITIVE_INFINITY;
  return Date.parse(reservation.end) - (reservation.reclaimMs ?? 0) - from;
}

/** Would a run that begins on a new node still be running, or the node not even be ready, when the reservation's nodes are taken back. */
function outlastsNew(pool: CapacityPool, runMs: number | undefined, nowMs: number | undefined): boolean {
  const lead = nowMs === undefined ? 0 : leadMs(pool, nowMs);
  const left = leftMs(pool, nowMs);
  return runMs === undefined ? lead >= left : lead + runMs > left;
}

/** The same of a node that is there. A run of unknown length is not judged by it. */
function outlastsStanding(pool: CapacityPool, runMs: number | undefined, nowMs: number | undefined): boolean {
  return runMs !== undefined && runMs > leftMs(pool, nowMs);
}

/** Reservations whose nodes, existing or new, a run of this length must not take. */
export function outlasted(
  index: TopologyIndex,
  pools: readonly CapacityPool[],
  runMs: number | undefined,
  nowMs: number | undefined,
): readonly Outlasted[] {
  return pools.flatMap((pool) => {
    if (pool.reservation?.end === undefined || !outlastsNew(pool, runMs, nowMs)) return [];
    const standing = pool.members.size > 0 && outlastsStanding(pool, runMs, nowMs);
    return [
      {
        pool: pool.name,
        key: `${pool.name} ${pool.digest}`,
        text: windowText(pool, runMs, nowMs),
        rows: standing ? index.matching(pool.members) : [],
      },
    ];
  });
}

/** `reservation cr-1 ends at 2026-01-01T00:00:00Z, in 3h: too soon for a run of 12h`. */
function windowText(pool: CapacityPool, runMs: number | undefined, nowMs: number | undefined): string {
  const { name, end = "", reclaimMs = 0 } = pool.reservation ?? { name: pool.name };
  const endMs = Date.parse(end);
  const drained = reclaimMs === 0 ? "" : `, and its nodes are drained ${durationText(reclaimMs)} earlier`;
  if (nowMs !== undefined && endMs <= nowMs) return `reservation ${name} ended at ${end}`;
  const when = nowMs === undefined ? "" : `, in ${durationText(toMinutes(endMs - nowMs))}`;
  const what = runMs === undefined ? "a new node" : `a run of ${durationText(runMs)}`;
  return `reservation ${name} ends at ${end}${when}${drained}: too soon for ${what}`;
}

/** Whole minutes, up: a duration of a clock is not worth its milliseconds. */
function toMinutes(ms: number): number {
  return Math.ceil(ms / 60_000) * 60_000;
}
