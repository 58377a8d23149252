import { type Budget, passCost } from "./budget.ts";
import { fill } from "./fill.ts";
import { type Floor, floors } from "./floors.ts";
import { groupBounds, isFree, type Layer } from "./layers.ts";
import { type Cell, type Forest, nest, type Spot } from "./nest.ts";
import { addSums, clip, EMPTY, inGroups, largest, reaches, type Sums, smallestPart, unite, ZERO } from "./sums.ts";

/** Pods of one shape on rows. */
export type Counts = readonly { readonly row: number; readonly pods: number }[];

/** Totals without and with the one group that is not whole; above a group layer they count groups, else pods. */
interface Reach {
  readonly plain: Sums;
  readonly partial: Sums;
}

export type Distribution =
  | { readonly kind: "found"; readonly counts: Counts }
  /** Proven. */
  | { readonly kind: "none" }
  /** The partitions are not nested, so counting decides nothing. */
  | { readonly kind: "open" };

/**
 * Places `total` pods of one shape by counting, exactly: rows' room adds up through nested partitions, each spread rule cuts its
 * domains to [m, m + maxSkew] for every least count m that could be, and whole groups count as units. What is reachable is walked
 * back from the total to the rows.
 */
export function distribute(spot: Spot, total: number, budget: Budget): Distribution {
  if (total === 0) return { kind: "found", counts: [] };
  if (spot.layers.length === 0) {
    const counts = fill(spot, spot.rows, total);
    return counts === undefined ? { kind: "none" } : { kind: "found", counts };
  }
  if (roomOf(spot) < total) return { kind: "none" };
  const forest = nest(spot);
  if (forest === undefined) return { kind: "open" };
  const goal = goalOf(forest.layers, total);
  const pass = passCost(forest.cells.reduce((sum, cells) => sum + cells.size, 0));
  let cost = 1;
  for (const floor of floors(forest, total)) {
    if (floor === undefined || !budget.spend(cost)) return { kind: "open" };
    cost = pass;
    const reach = evaluate(forest, floor, total);
    if (reach === undefined || !reaches(goal.partial ? reach.partial : reach.plain, goal.units)) continue;
    const counts: { row: number; pods: number }[] = [];
    share(forest, floor, forest.roots, 0, goal.units, goal.partial, total, spot, counts);
    return { kind: "found", counts };
  }
  return { kind: "none" };
}

/** The most pods that can be placed, at most `limit`; undefined where partitions are not nested. */
export function mostOf(spot: Spot, limit: number, budget: Budget): number | undefined {
  const room = roomOf(spot);
  if (spot.layers.length === 0 || room === 0) return Math.min(limit, room);
  const forest = nest(spot);
  if (forest === undefined) return undefined;
  const size = groupSize(forest.layers);
  const rest = limit % size;
  let most = 0;
  const pass = passCost(forest.cells.reduce((sum, cells) => sum + cells.size, 0));
  let cost = 1;
  for (const floor of floors(forest, limit)) {
    if (floor === undefined || !budget.spend(cost)) break;
    cost = pass;
    const reach = evaluate(forest, floor, limit);
    if (reach === undefined) continue;
    const whole = largest(reach.plain);
    const broken = largest(reach.partial);
    if (whole !== undefined) most = Math.max(most, whole * size);
    if (broken !== undefined) most = Math.max(most, broken * size + rest);
  }
  return Math.min(limit, most);
}

/** What the rows take whatever the layers allow of it: without room there is nothing to count. */
function roomOf({ rows, cap }: Spot): number {
  let room = 0;
  for (const row of rows) room += cap[row] ?? 0;
  return room;
}

const groupSize = (layers: readonly Layer[]): number =>
  layers.reduce((size, { rule }) => (rule.kind === "group" ? rule.size : size), 1);

function goalOf(layers: readonly Layer[], total: number): { units: number; partial: boolean } {
  const size = groupSize(layers);
  return { units: Math.floor(total / size), partial: total % size !== 0 };
}

/** What all roots together reach, or undefined where some domain that counts cannot have its least count. */
function evaluate(forest: Forest, floor: Floor, total: number): Reach | undefined {
  return combine(forest, floor, forest.roots, 0, total).at(-1);
}

/** Prefix sums of the cells' reaches: entry i holds what the first i cells reach together. Empty where a cell fails. */
function combine(forest: Forest, floor: Floor, cells: readonly Cell[], depth: number, total: number): readonly Reach[] {
  const prefixes: Reach[] = [{ plain: ZERO, partial: EMPTY }];
  for (const cell of cells) {
    const reach = reachOf(forest, floor, cell, depth, total);
    const before = prefixes.at(-1);
    if (reach === undefined || before === undefined) return [];
    prefixes.push(add(before, reach, total));
  }
  return prefixes;
}

function add(a: Reach, b: Reach, total: number): Reach {
  const plain = addSums(a.plain, b.plain, total);
  if (a.partial.length === 0 && b.partial.length === 0) return { plain, partial: EMPTY };
  return { plain, partial: unite(addSums(a.partial, b.plain, total), addSums(a.plain, b.partial, total)) };
}

function reachOf(forest: Forest, floor: Floor, cell: Cell, depth: number, total: number): Reach | undefined {
  const layer = forest.layers[depth];
  if (layer === undefined) return undefined;
  const finest = depth === forest.layers.length - 1;
  const inner = finest
    ? { plain: [[0, Math.min(cell.room, total)]] as Sums, partial: EMPTY }
    : combine(forest, floor, cell.children, depth + 1, total).at(-1);
  if (inner === undefined) return undefined;
  const { rule } = layer;
  if (rule.kind === "group") {
    const rest = total % rule.size;
    const [least, most] = groupBounds(rule, cell.domain);
    return {
      plain: clip(inGroups(inner.plain, rule.size, 0), least, most),
      partial: rest === 0 ? EMPTY : clip(inGroups(inner.plain, rule.size, rest), least, most - 1),
    };
  }
  if (isFree(rule, cell.domain)) return inner;
  const size = groupBelow(forest, depth);
  const low = floor.least[depth] ?? 0;
  const high = low + rule.maxSkew;
  const rest = total % size;
  const cut: Reach = {
    plain: clip(inner.plain, Math.ceil(low / size), Math.floor(high / size)),
    partial: clip(inner.partial, Math.ceil((low - rest) / size), Math.floor((high - rest) / size)),
  };
  // A domain that only new nodes would make need not come to be.
  const optional = layer.counts[cell.domain] === 1 && !(low > 0 && floor.forced[depth]?.has(cell.domain) === true);
  if (optional) return { plain: unite(ZERO, cut.plain), partial: cut.partial };
  return cut.plain.length === 0 && cut.partial.length === 0 ? undefined : cut;
}

/** What one unit of the totals at this depth stands for. */
function groupBelow(forest: Forest, depth: number): number {
  for (let below = depth + 1; below < forest.layers.length; below += 1) {
    const rule = forest.layers[below]?.rule;
    if (rule?.kind === "group") return rule.size;
  }
  return 1;
}

/** Walks the total back: the last cells get as little as the first ones leave them. */
function share(
  forest: Forest,
  floor: Floor,
  cells: readonly Cell[],
  depth: number,
  units: number,
  partial: boolean,
  total: number,
  spot: Spot,
  counts: { row: number; pods: number }[],
): void {
  const prefixes = combine(forest, floor, cells, depth, total);
  let left = units;
  let broken = partial;
  for (let index = cells.length - 1; index >= 0; index -= 1) {
    const cell = cells[index];
    const before = prefixes[index];
    const reach = cell === undefined ? undefined : reachOf(forest, floor, cell, depth, total);
    if (cell === undefined || before === undefined || reach === undefined) continue;
    const whole = smallestPart(reach.plain, broken ? before.partial : before.plain, left);
    const own = whole === undefined && broken;
    const part = own ? smallestPart(reach.partial, before.plain, left) : whole;
    if (part === undefined) continue;
    left -= part;
    if (own) broken = false;
    if (part === 0 && !own) continue;
    const rule = forest.layers[depth]?.rule;
    const isGroup = rule?.kind === "group";
    const inside = isGroup ? part * rule.size + (own ? total % rule.size : 0) : part;
    if (depth === forest.layers.length - 1) counts.push(...(fill(spot, cell.rows, inside) ?? []));
    else share(forest, floor, cell.children, depth + 1, inside, own && !isGroup, total, spot, counts);
  }
}
