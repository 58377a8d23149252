import { isFree, type Layer } from "./layers.ts";

/** States looked at before it is left open. */
const MOST_STATES = 3000;

/**
 * How few pods may come to stand under several spread rules, each pod on any row that every rule allows at that moment: rules tie domains
 * together, so that pods put down early may close the rows that later ones need. Undefined: too many states to tell.
 */
export function fewestUnder(
  layers: readonly Layer[],
  rows: readonly number[],
  room: Int32Array,
  wanted: number,
): number | undefined {
  const rules = layers.flatMap(({ rule, domains, counts }) =>
    rule.kind === "spread" ? [{ rule, domains, counts }] : [],
  );
  const cells = new Map<string, { readonly at: readonly number[]; room: number }>();
  for (const row of rows) {
    const at = rules.map(({ domains }) => domains.of[row] ?? -1);
    if ((room[row] ?? 0) === 0 || at.includes(-1)) continue;
    const cell = cells.get(at.join()) ?? { at, room: 0 };
    cell.room += room[row] ?? 0;
    cells.set(at.join(), cell);
  }
  const list = [...cells.values()];
  const standing = list.map(() => 0);
  const sums = rules.map(
    ({ counts }) => new Map([...counts.keys()].filter((one) => counts[one] === 2).map((one) => [one, 0])),
  );
  const seen = new Set<string>();
  const walk = (placed: number): number | undefined => {
    if (placed >= wanted) return wanted;
    const key = standing.join();
    if (seen.has(key)) return wanted;
    if (seen.size >= MOST_STATES) return undefined;
    seen.add(key);
    const least = rules.map(({ rule }, index) => {
      const values = [...(sums[index]?.values() ?? [])];
      return values.length < rule.minDomains ? 0 : Math.min(...values);
    });
    let fewest: number | undefined;
    for (const [index, cell] of list.entries()) {
      const allowed = rules.every(
        ({ rule }, at) =>
          isFree(rule, cell.at[at] ?? -1) ||
          (sums[at]?.get(cell.at[at] ?? -1) ?? 0) + 1 - (least[at] ?? 0) <= rule.maxSkew,
      );
      if (!allowed || (standing[index] ?? 0) >= cell.room) continue;
      move(index, 1);
      const next = walk(placed + 1);
      move(index, -1);
      if (next === undefined || next < wanted) return next;
      fewest = next;
    }
    return fewest ?? placed;
  };
  const move = (index: number, by: number): void => {
    standing[index] = (standing[index] ?? 0) + by;
    for (const [at, sum] of sums.entries()) {
      const domain = list[index]?.at[at] ?? -1;
      const pods = (sum.get(domain) ?? 0) + by;
      // One of new nodes counts for as long as there is one.
      if (pods === 0 && rules[at]?.counts[domain] !== 2) sum.delete(domain);
      else sum.set(domain, pods);
    }
  };
  return walk(0);
}
