const TIMES = Number(process.env["PLIMSOLL_RUNS"] ?? "1");

/** Property runs: fixed and short by default; PLIMSOLL_RUNS multiplies them and PLIMSOLL_SEED draws others. */
export function runs(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  return { numRuns: Math.ceil(numRuns * TIMES), seed: Number(process.env["PLIMSOLL_SEED"] ?? "20261129") };
}

/** Counts what a property met, so that a test can tell that its cases were not all alike. */
export function tally() {
  const counts = new Map<string, number>();
  return {
    add(name: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    /** How often the rarest was met; a fraction of the runs, as mutation testing takes, is too few to ask for any. */
    least(...names: readonly string[]): number {
      if (TIMES < 1) return Number.POSITIVE_INFINITY;
      return Math.min(...names.map((name) => counts.get(name) ?? 0));
    },
    get counts(): ReadonlyMap<string, number> {
      return counts;
    },
  };
}
