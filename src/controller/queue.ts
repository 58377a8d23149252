import type { Clock } from "./types.ts";

export interface QueueOptions {
  /** Brings what the key names to its wanted state. Answers after how many milliseconds to look again; undefined: when told. */
  readonly handle: (key: string) => Promise<number | undefined>;
  /** A key failed for the given time in a row, and will be tried again. */
  readonly failed: (key: string, fault: unknown, times: number) => void;
  readonly clock: Clock;
  readonly random: () => number;
  readonly concurrency: number;
  readonly minBackoffMs?: number;
  readonly maxBackoffMs?: number;
}

export interface Queue {
  /** A key that waits is not added twice; one that is being handled is handled once more afterwards. */
  add(key: string, afterMs?: number): void;
  /** Keys that wait for their turn, without those that wait for a time. */
  readonly waiting: number;
  /** Drops what waits; ends when nothing is being handled any more. */
  stop(): Promise<void>;
}

/**
 * Level-triggered: a key says only that something about it may have changed, and is read anew when its turn comes. Never two handlers of
 * one key at a time. A key whose handler throws is tried again after a time that doubles, with jitter (between half of it and all of it).
 */
export function createQueue(options: QueueOptions): Queue {
  const { handle, failed, clock, random, concurrency, minBackoffMs = 500, maxBackoffMs = 300_000 } = options;
  const ready = new Set<string>();
  const active = new Set<string>();
  const later = new Map<string, { readonly atMs: number; readonly cancel: () => void }>();
  const failures = new Map<string, number>();
  let stopped = false;
  let idle: (() => void) | undefined;

  const schedule = (key: string, ms: number): void => {
    const atMs = clock.nowMs() + ms;
    const before = later.get(key);
    if (before !== undefined && before.atMs <= atMs) return;
    before?.cancel();
    const cancel = clock.after(ms, () => {
      later.delete(key);
      add(key);
    });
    later.set(key, { atMs, cancel });
  };

  const add = (key: string, afterMs = 0): void => {
    if (stopped) return;
    if (afterMs > 0) schedule(key, afterMs);
    else {
      ready.add(key);
      pump();
    }
  };

  const pump = (): void => {
    for (const key of ready) {
      if (active.size >= concurrency) return;
      if (active.has(key)) continue;
      ready.delete(key);
      active.add(key);
      void run(key);
    }
  };

  const run = async (key: string): Promise<void> => {
    try {
      const again = await handle(key);
      failures.delete(key);
      if (again !== undefined && !stopped) schedule(key, again);
    } catch (fault) {
      const times = (failures.get(key) ?? 0) + 1;
      failures.set(key, times);
      if (!stopped) {
        failed(key, fault, times);
        const base = Math.min(maxBackoffMs, minBackoffMs * 2 ** Math.min(times - 1, 20));
        schedule(key, base * (0.5 + 0.5 * random()));
      }
    } finally {
      active.delete(key);
      if (!stopped) pump();
      else if (active.size === 0) idle?.();
    }
  };

  return {
    add,
    get waiting() {
      return ready.size;
    },
    async stop() {
      stopped = true;
      ready.clear();
      for (const { cancel } of later.values()) cancel();
      later.clear();
      if (active.size > 0)
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
    },
  };
}
