import { setTimeout as after } from "node:timers/promises";

/** Time and chance, passed in so that tests are exact. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** At least 0, below 1. */
  random(): number;
  /** Ends early, without a fault, when the signal aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const SYSTEM_CLOCK: Clock = {
  now: Date.now,
  random: Math.random,
  async sleep(ms, signal) {
    try {
      await after(ms, undefined, signal === undefined ? {} : { signal });
    } catch (fault) {
      if (signal?.aborted !== true) throw fault;
    }
  },
};

/** Between three quarters of `ms` and five quarters of it, so that what began together does not stay together. */
export function jittered(ms: number, clock: Clock): number {
  return Math.round(ms * (0.75 + clock.random() / 2));
}
