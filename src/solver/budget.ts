/** Counts the steps of one solve. Deterministic: the same input spends the same. */
export interface Budget {
  readonly spent: number;
  readonly exhausted: boolean;
  /** Takes steps; false once there are none left. */
  spend(steps?: number): boolean;
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
    spend(steps = 1) {
      spent += steps;
      return spent <= maxSteps;
    },
  };
}
