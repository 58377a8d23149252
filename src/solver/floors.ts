import type { Layer } from "./layers.ts";
import type { Cell, Forest } from "./nest.ts";

/** For each layer the least count of a domain, and the domains of new nodes that must come to be so that minDomains is met. */
export interface Floor {
  readonly least: readonly number[];
  readonly forced: readonly ReadonlySet<number>[];
}

const NOTHING: ReadonlySet<number> = new Set();

/** More ways than these to choose the domains that must come to be are not tried. */
const MAX_CHOICES = 256;

/** Every floor that could hold for `total` pods, those of even distributions first; `undefined` at the end says that some were left out. */
export function* floors(forest: Forest, total: number): Generator<Floor | undefined> {
  const choices = forest.layers.map((layer, depth) => forcedChoices(layer, forest.cells[depth] ?? new Map()));
  const highest = forest.layers.map((layer, depth) =>
    choices[depth]?.length === 0 ? 0 : highestLeast(layer, forest.cells[depth] ?? new Map(), total),
  );
  for (const least of countdown(highest)) {
    // Where the least count is 0, no domain has to come to be.
    for (const forced of product(choices.map((list, depth) => ((least[depth] ?? 0) > 0 ? list : [NOTHING]))))
      yield { least, forced };
  }
  if (choices.some((list) => list.length > MAX_CHOICES)) yield undefined;
}

function highestLeast(layer: Layer, cells: ReadonlyMap<number, Cell>, total: number): number {
  if (layer.rule.kind === "group") return 0;
  let most = total;
  let mandatory = 0;
  for (let domain = 0; domain < layer.counts.length; domain += 1) {
    if (layer.counts[domain] !== 2) continue;
    mandatory += 1;
    most = Math.min(most, cells.get(domain)?.room ?? 0);
  }
  return mandatory === 0 ? most : Math.min(most, Math.floor(total / mandatory));
}

/**
 * Sets of domains that new nodes have to make so that minDomains is met; none where it cannot be, and the scheduler then takes the
 * least count as 0. Inside one wider domain the roomiest ones do, since what stands in another may stand there too.
 */
function forcedChoices({ rule, counts }: Layer, cells: ReadonlyMap<number, Cell>): readonly ReadonlySet<number>[] {
  if (rule.kind === "group" || rule.minDomains < 2) return [NOTHING];
  const lacking = rule.minDomains - counts.reduce((sum, one) => sum + (one === 2 ? 1 : 0), 0);
  if (lacking <= 0) return [NOTHING];
  const byParent = new Map<number, Cell[]>();
  for (const cell of cells.values())
    if (counts[cell.domain] === 1 && cell.room > 0)
      byParent.set(cell.parent, [...(byParent.get(cell.parent) ?? []), cell]);
  const possible = [...byParent.values()].reduce((sum, list) => sum + list.length, 0);
  if (possible < lacking) return [];
  const groups = [...byParent.values()].map((list) => list.sort((a, b) => b.room - a.room || a.domain - b.domain));
  const choices: ReadonlySet<number>[] = [];
  const choose = (at: number, left: number, chosen: readonly number[]): void => {
    const group = groups[at];
    if (choices.length > MAX_CHOICES) return;
    if (left === 0) choices.push(new Set(chosen));
    else if (group !== undefined)
      for (let count = Math.min(left, group.length); count >= 0; count -= 1)
        choose(at + 1, left - count, [...chosen, ...group.slice(0, count).map(({ domain }) => domain)]);
  };
  choose(0, lacking, []);
  return choices;
}

/** Every vector up to `highest`, from high to low. */
function* countdown(highest: readonly number[]): Generator<readonly number[]> {
  const current = [...highest];
  for (;;) {
    yield [...current];
    let at = current.length - 1;
    while (at >= 0 && current[at] === 0) {
      current[at] = highest[at] ?? 0;
      at -= 1;
    }
    if (at < 0) return;
    current[at] = (current[at] ?? 0) - 1;
  }
}

/** Every choice of one of each list, the last list's changing first. Each costs no more than its length. */
function* product<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  if (lists.some((list) => list.length === 0)) return;
  for (const left of countdown(lists.map((list) => list.length - 1))) {
    const chosen: T[] = [];
    for (const [number, list] of lists.entries()) {
      const one = list[list.length - 1 - (left[number] ?? 0)];
      if (one !== undefined) chosen.push(one);
    }
    yield chosen;
  }
}
