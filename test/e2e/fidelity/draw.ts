import type { Case } from "./case.ts";
import { type Comparison, compare } from "./compare.ts";
import type { Outcome } from "./expect.ts";
import { generate } from "./generate.ts";

/** No more than these shares of the cases drawn: what nothing can hold is easy to say. */
const SHARES: Readonly<Partial<Record<Outcome, number>>> = { "order-dependent": 0.1, never: 0.3 };

export interface Drawn {
  readonly one: Case;
  readonly comparison: Comparison;
}

/** Cases of a seed in their order, without those that have too many states or would make too many of one outcome. */
export function* draw(seed: number, cases: number, version: string): Generator<Drawn> {
  const counts = new Map<Outcome, number>();
  let drawn = 0;
  for (let number = 0; drawn < cases; number += 1) {
    const one = generate(seed, number, version);
    const comparison = compare(one);
    if (comparison === undefined) continue;
    const { outcome } = comparison.decided.expected;
    const before = counts.get(outcome) ?? 0;
    if (before + 1 > (SHARES[outcome] ?? 1) * Math.max(drawn + 1, cases / 4)) continue;
    counts.set(outcome, before + 1);
    drawn += 1;
    yield { one, comparison };
  }
}
