import type { Budget } from "./budget.ts";
import { bind, type PodDevices, type Stock } from "./pack.ts";

/**
 * How many equal pods, at most `limit`, the scheduler's allocator serves one after another: it goes back within one pod, and never takes
 * from a pod what it has. `rank` is the place of a device in its order. Undefined where the budget ran out.
 */
export function servedInTurn(
  stock: Stock,
  ask: PodDevices,
  limit: number,
  rank: (device: string) => number,
  budget: Budget,
): number | undefined {
  const free = stock.groups
    .flatMap(({ devices }, group) => devices.map((device) => ({ group, rank: rank(device) })))
    .sort((a, b) => a.rank - b.rank)
    .map(({ group }) => group);
  const taken = free.map(() => false);

  const request = (at: number, bound: readonly (string | undefined)[]): boolean => {
    const one = ask.requests[at];
    if (one === undefined) return true;
    const count = one.count === "all" ? stock.totals.get(one.request) : one.count;
    return count !== undefined && count > 0 && pick(at, bound, 0, count);
  };
  const pick = (at: number, bound: readonly (string | undefined)[], from: number, left: number): boolean => {
    if (left === 0) return request(at + 1, bound);
    const number = ask.requests[at]?.request ?? 0;
    const tried = new Set<number>();
    for (let index = from; index < free.length; index += 1) {
      const group = stock.groups[free[index] ?? -1];
      if (group === undefined || taken[index] === true || tried.has(free[index] ?? -1)) continue;
      if ((group.mask & (1 << number)) === 0) continue;
      if (!budget.spend()) return false;
      const next = bind(stock, ask, number, group, bound);
      if (next === undefined) continue;
      taken[index] = true;
      if (pick(at, next, index + 1, left - 1)) return true;
      taken[index] = false;
      // Nothing tells another device of the group apart.
      tried.add(free[index] ?? -1);
    }
    return false;
  };

  for (let served = 0; served < limit; served += 1) {
    const before = [...taken];
    const unbound = ask.constraints.map(() => undefined);
    if (request(0, unbound)) continue;
    if (budget.exhausted) return undefined;
    for (const [index, was] of before.entries()) taken[index] = was;
    return served;
  }
  return limit;
}
