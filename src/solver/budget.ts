/**
 * Counts the steps of one solve, each worth about two microseconds on a slow machine. Deterministic: the same input spends the same. What
 * every rung costs anyway (a fixed number of passes over the nodes) is free, so that a large cluster alone never leaves anything
 * undecided; whatever a search repeats is charged by the rows it touches.
 */
export interface Budget {
  readonly spent: number;
  readonly exhausted: boolean;
  readonly left: number;
  /** Takes steps; false once there are none left. */
  spend(steps?: number): boolean;
}

/** What a repeated pass over so many rows costs. */
export function passCost(rows: number): number {
  return 1 + (rows >> 4);
}

export function createBudget(maxSteps: number): Budget {
  let spent = 0;
  return {
    get spent() {
      return Math.min(spent, maxSteps);
    },
    get exhausted() {
      return spent > maxSteps;
    },
    get left() {
      return Math.max(0, maxSteps - spent);
    },
    spend(steps = 1) {
      spent += steps;
      return spent <= maxSteps;
    },
  };
}
