import type { Clock } from "../../src/controller/index.ts";

/** Time that a test moves. Timers run in order, and what they set off runs before the next one. */
export interface ManualClock extends Clock {
  advance(ms: number): Promise<void>;
}

/** `skewMs`: how far this machine's wall clock is off. */
export function manualClock(shared?: ManualClock, skewMs = 0): ManualClock {
  if (shared !== undefined)
    return { ...shared, nowMs: () => shared.nowMs() + skewMs, wallMs: () => shared.wallMs() + skewMs };
  let nowMs = 1_000;
  let serial = 0;
  const timers = new Map<number, { readonly atMs: number; readonly run: () => void }>();
  return {
    nowMs: () => nowMs,
    wallMs: () => Date.UTC(2026, 0, 1) + nowMs + skewMs,
    after(ms, run) {
      serial += 1;
      const id = serial;
      timers.set(id, { atMs: nowMs + ms, run });
      return () => timers.delete(id);
    },
    async advance(ms) {
      const end = nowMs + ms;
      await settle();
      for (;;) {
        const [next] = [...timers]
          .filter(([, { atMs }]) => atMs <= end)
          .sort(([a, x], [b, y]) => x.atMs - y.atMs || a - b);
        if (next === undefined) break;
        timers.delete(next[0]);
        nowMs = Math.max(nowMs, next[1].atMs);
        next[1].run();
        await settle();
      }
      nowMs = end;
      await settle();
    },
  };
}

/** Lets everything run that only waits for promises. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
