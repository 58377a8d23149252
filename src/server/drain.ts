const QUIET_MS = 2_000;

/** The time between the word to stop and the end of listening. */
interface Drain {
  readonly draining: boolean;
  /** A request came. */
  seen(): void;
  /** Settles when connections may be closed. */
  begin(): Promise<void>;
}

/**
 * Answers on for `drainMs`, in which clients learn to go elsewhere and every connection that is used is closed with its answer; then until
 * nothing came for a while, at most as long again. What is idle by then is closed without a word, and a request that is just being written to
 * such a connection is lost: the API server speaks HTTP/1.1 to webhooks and sends no POST again.
 */
export function createDrain(drainMs: number, now: () => number = () => performance.now()): Drain {
  const quietMs = Math.min(QUIET_MS, drainMs);
  let draining = false;
  let seenMs = Number.NEGATIVE_INFINITY;
  return {
    get draining() {
      return draining;
    },
    seen() {
      seenMs = now();
    },
    async begin() {
      draining = true;
      const begunMs = now();
      for (let untilMs = begunMs + drainMs; now() < untilMs; ) {
        await new Promise((resolve) => setTimeout(resolve, untilMs - now()));
        untilMs = Math.min(begunMs + 2 * drainMs, Math.max(untilMs, seenMs + quietMs));
      }
    },
  };
}
