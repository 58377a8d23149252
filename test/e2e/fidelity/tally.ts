import type { Outcome } from "./expect.ts";

const WORDS: Readonly<Record<Outcome, string>> = {
  certain: "certain, said to fit and bound",
  busy: "infeasible now, said to be busy and not all bound",
  never: "infeasible even when empty, said to be never and not all bound",
  "order-dependent": "order-dependent, said to fit with a warning",
};

/** How many cases of each outcome agree. */
export interface Tally {
  add(outcome: Outcome, faults: readonly string[]): void;
  readonly agrees: boolean;
  /** `N of M agree`, an outcome a line. */
  lines(): readonly string[];
}

export function createTally(): Tally {
  const counts = new Map<Outcome, { agree: number; of: number }>();
  return {
    add(outcome, faults) {
      const count = counts.get(outcome) ?? { agree: 0, of: 0 };
      counts.set(outcome, { agree: count.agree + (faults.length === 0 ? 1 : 0), of: count.of + 1 });
    },
    get agrees() {
      return [...counts.values()].every(({ agree, of }) => agree === of);
    },
    lines: () =>
      Object.entries(WORDS).map(([outcome, words]) => {
        const { agree, of } = counts.get(outcome as Outcome) ?? { agree: 0, of: 0 };
        return `${agree} of ${of} agree: ${words}`;
      }),
  };
}
