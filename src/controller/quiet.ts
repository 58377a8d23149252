import type { Clock, Tell } from "./types.ts";

const MAX_LINES = 1_000;

/** The same line is logged once in a while and not at every retry. */
export function quiet(tell: Tell, clock: Clock, quietMs = 600_000): Tell {
  const said = new Map<string, number>();
  return {
    event: (note) => tell.event(note),
    log(level, line) {
      const now = clock.nowMs();
      const before = said.get(line);
      if (before !== undefined && now - before < quietMs) return;
      said.delete(line);
      said.set(line, now);
      const [oldest] = said.keys();
      if (said.size > MAX_LINES && oldest !== undefined) said.delete(oldest);
      tell.log(level, line);
    },
  };
}
