/** Property runs: fixed and short by default; PLIMSOLL_RUNS multiplies them and PLIMSOLL_SEED draws others. */
export function runs(numRuns: number): { readonly numRuns: number; readonly seed: number } {
  const times = Number(process.env["PLIMSOLL_RUNS"] ?? "1");
  return { numRuns: Math.ceil(numRuns * times), seed: Number(process.env["PLIMSOLL_SEED"] ?? "20261129") };
}

/** Counts what a property met, so that a test can tell that its cases were not all alike. */
export function tally() {
  const counts = new Map<string, number>();
  return {
    add(name: string): void {
      counts.set(name, (counts.get(name) ?? 0) + 1);
    },
    least(...names: readonly string[]): number {
      return Math.min(...names.map((name) => counts.get(name) ?? 0));
    },
    get counts(): ReadonlyMap<string, number> {
      return counts;
    },
  };
}
