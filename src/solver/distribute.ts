import type { Budget } from "./budget.ts";
import type { Field } from "./field.ts";
import type { Layer } from "./layers.ts";
import { addSums, clip, EMPTY, inGroups, largest, reaches, type Sums, smallestPart, unite, ZERO } from "./sums.ts";

/** Pods of one shape on rows. */
export type Counts = readonly { readonly row: number; readonly pods: number }[];

/** Totals without and with the one group that is not whole; above a group layer they count groups, else pods. */
interface Reach {
  readonly plain: Sums;
  readonly partial: Sums;
}

interface Cell {
  readonly domain: number;
  readonly children: Cell[];
  /** Rows with room, of the finest layer. */
  readonly rows: number[];
  room: number;
}

export interface Spot {
  readonly field: Field;
  /** Most pods by row; the rows that the set may use. */
  readonly cap: Int32Array;
  readonly rows: readonly number[];
  readonly layers: readonly Layer[];
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
  const forest = nest(spot);
  if (forest === undefined) return { kind: "open" };
  const goal = goalOf(forest.layers, total);
  for (const least of leastCounts(forest, total)) {
    if (!budget.spend()) return { kind: "open" };
    const reach = evaluate(forest, least, total);
    if (reach === undefined || !reaches(goal.partial ? reach.partial : reach.plain, goal.units)) continue;
    const counts: { row: number; pods: number }[] = [];
    share(forest, least, forest.roots, 0, goal.units, goal.partial, total, spot, counts);
    return { kind: "found", counts };
  }
  return { kind: "none" };
}

/** The most pods that can be placed, at most `limit`; undefined where partitions are not nested. */
export function mostOf(spot: Spot, limit: number, budget: Budget): number | undefined {
  if (spot.layers.length === 0) {
    let room = 0;
    for (const row of spot.rows) room += spot.cap[row] ?? 0;
    return Math.min(limit, room);
  }
  const forest = nest(spot);
  if (forest === undefined) return undefined;
  const size = groupSize(forest.layers);
  const rest = limit % size;
  let most = 0;
  for (const least of leastCounts(forest, limit)) {
    if (!budget.spend()) break;
    const reach = evaluate(forest, least, limit);
    if (reach === undefined) continue;
    const whole = largest(reach.plain);
    const broken = largest(reach.partial);
    if (whole !== undefined) most = Math.max(most, whole * size);
    if (broken !== undefined) most = Math.max(most, broken * size + rest);
  }
  return Math.min(limit, most);
}

interface Forest {
  /** Widest first. */
  readonly layers: readonly Layer[];
  readonly roots: Cell[];
  /** By layer, domain -> cell. */
  readonly cells: readonly ReadonlyMap<number, Cell>[];
  /** By layer: domains that new nodes must make so that minDomains is met. The roomiest, since what stands elsewhere may stand there. */
  readonly forced: readonly ReadonlySet<number>[];
}

/** Partitions from wide to narrow, each domain under the one that holds it; undefined where some domain lies in two. */
function nest(spot: Spot): Forest | undefined {
  const { field } = spot;
  const layers = [...spot.layers].sort((a, b) => a.domains.names.length - b.domains.names.length);
  const parents = layers.map((layer) => new Int32Array(layer.domains.names.length).fill(-1));
  for (let row = 0; row < field.rows; row += 1) {
    for (let depth = 1; depth < layers.length; depth += 1) {
      const domain = layers[depth]?.domains.of[row] ?? -1;
      const above = layers[depth - 1]?.domains.of[row] ?? -1;
      const known = parents[depth];
      if (domain === -1 || above === -1 || known === undefined) continue;
      if (known[domain] === -1) known[domain] = above;
      else if (known[domain] !== above) return undefined;
    }
  }
  const cells = layers.map((layer, depth) => {
    const map = new Map<number, Cell>();
    for (let domain = 0; domain < layer.domains.names.length; domain += 1)
      if ((depth === 0 || (parents[depth]?.[domain] ?? -1) !== -1) && (layer.counts[domain] ?? 0) > 0)
        map.set(domain, { domain, children: [], rows: [], room: 0 });
    return map;
  });
  for (const row of spot.rows) {
    const room = spot.cap[row] ?? 0;
    const path = layers.map((layer, depth) => cells[depth]?.get(layer.domains.of[row] ?? -1));
    if (room === 0 || path.some((cell) => cell === undefined)) continue;
    for (const cell of path) if (cell !== undefined) cell.room += room;
    path.at(-1)?.rows.push(row);
  }
  for (let depth = 1; depth < layers.length; depth += 1)
    for (const cell of cells[depth]?.values() ?? [])
      cells[depth - 1]?.get(parents[depth]?.[cell.domain] ?? -1)?.children.push(cell);
  for (const map of cells) for (const cell of map.values()) cell.children.sort(byRoom(field));
  const forced = layers.map((layer, depth) => forcedDomains(layer, cells[depth] ?? new Map()));
  return { layers, forced, roots: [...(cells[0]?.values() ?? [])].sort(byRoom(field)), cells };
}

function forcedDomains({ rule, counts }: Layer, cells: ReadonlyMap<number, Cell>): ReadonlySet<number> {
  if (rule.kind === "group" || rule.minDomains < 2) return new Set();
  const lacking = rule.minDomains - counts.reduce((sum, one) => sum + (one === 2 ? 1 : 0), 0);
  const roomy = [...cells.values()]
    .filter(({ domain, room }) => counts[domain] === 1 && room > 0)
    .sort((a, b) => b.room - a.room || a.domain - b.domain);
  return new Set(roomy.slice(0, Math.max(0, lacking)).map(({ domain }) => domain));
}

/** Fullest first, so that emptier domains stay whole; domains that need new nodes last. */
function byRoom(field: Field): (a: Cell, b: Cell) => number {
  const fresh = (cell: Cell): number => Number((cell.rows[0] ?? 0) >= field.existing);
  return (a, b) => fresh(a) - fresh(b) || a.room - b.room || a.domain - b.domain;
}

/** Every combination of least counts that could be, balanced ones first. */
function* leastCounts(forest: Forest, total: number): Generator<readonly number[]> {
  const highest = forest.layers.map((layer, depth) => {
    if (layer.rule.kind === "group") return 0;
    let most = total;
    let mandatory = 0;
    const cells = forest.cells[depth];
    for (let domain = 0; domain < layer.counts.length; domain += 1) {
      if (layer.counts[domain] !== 2) continue;
      mandatory += 1;
      most = Math.min(most, cells?.get(domain)?.room ?? 0);
    }
    // With fewer domains than minDomains the scheduler takes the least count as 0.
    if (mandatory + (forest.forced[depth]?.size ?? 0) < layer.rule.minDomains && layer.rule.minDomains > 1) return 0;
    return mandatory === 0 ? most : Math.min(most, Math.floor(total / mandatory));
  });
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

const groupSize = (layers: readonly Layer[]): number =>
  layers.reduce((size, { rule }) => (rule.kind === "group" ? rule.size : size), 1);

function goalOf(layers: readonly Layer[], total: number): { units: number; partial: boolean } {
  const size = groupSize(layers);
  return { units: Math.floor(total / size), partial: total % size !== 0 };
}

/** What all roots together reach, or undefined where some domain that counts cannot have its least count. */
function evaluate(forest: Forest, least: readonly number[], total: number): Reach | undefined {
  return combine(forest, least, forest.roots, 0, total).at(-1);
}

/** Prefix sums of the cells' reaches: entry i holds what the first i cells reach together. Empty where a cell fails. */
function combine(
  forest: Forest,
  least: readonly number[],
  cells: readonly Cell[],
  depth: number,
  total: number,
): readonly Reach[] {
  const prefixes: Reach[] = [{ plain: ZERO, partial: EMPTY }];
  for (const cell of cells) {
    const reach = reachOf(forest, least, cell, depth, total);
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

function reachOf(
  forest: Forest,
  least: readonly number[],
  cell: Cell,
  depth: number,
  total: number,
): Reach | undefined {
  const layer = forest.layers[depth];
  if (layer === undefined) return undefined;
  const finest = depth === forest.layers.length - 1;
  const inner = finest
    ? { plain: [[0, Math.min(cell.room, total)]] as Sums, partial: EMPTY }
    : combine(forest, least, cell.children, depth + 1, total).at(-1);
  if (inner === undefined) return undefined;
  const { rule } = layer;
  if (rule.kind === "group") {
    const rest = total % rule.size;
    return {
      plain: inGroups(inner.plain, rule.size, 0),
      partial: rest === 0 ? EMPTY : inGroups(inner.plain, rule.size, rest),
    };
  }
  const size = groupBelow(forest, depth);
  const low = least[depth] ?? 0;
  const high = low + rule.maxSkew;
  const rest = total % size;
  const cut: Reach = {
    plain: clip(inner.plain, Math.ceil(low / size), Math.floor(high / size)),
    partial: clip(inner.partial, Math.ceil((low - rest) / size), Math.floor((high - rest) / size)),
  };
  // A domain that only new nodes would make need not come to be.
  const optional = layer.counts[cell.domain] === 1 && !(low > 0 && forest.forced[depth]?.has(cell.domain) === true);
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
  least: readonly number[],
  cells: readonly Cell[],
  depth: number,
  units: number,
  partial: boolean,
  total: number,
  spot: Spot,
  counts: { row: number; pods: number }[],
): void {
  const prefixes = combine(forest, least, cells, depth, total);
  let left = units;
  let broken = partial;
  for (let index = cells.length - 1; index >= 0; index -= 1) {
    const cell = cells[index];
    const before = prefixes[index];
    const reach = cell === undefined ? undefined : reachOf(forest, least, cell, depth, total);
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
    else share(forest, least, cell.children, depth + 1, inside, own && !isGroup, total, spot, counts);
  }
}

/** Fills the fullest rows first, existing nodes before new ones; undefined where they have no room for all. */
export function fill(spot: Spot, rows: readonly number[], total: number): Counts | undefined {
  const buckets = new Map<number, number[]>();
  const fresh: number[] = [];
  let room = 0;
  for (const row of rows) {
    const cap = spot.cap[row] ?? 0;
    if (cap === 0) continue;
    room += cap;
    if (row >= spot.field.existing) fresh.push(row);
    else {
      const bucket = buckets.get(cap);
      if (bucket === undefined) buckets.set(cap, [row]);
      else bucket.push(row);
    }
  }
  if (room < total) return undefined;
  const order = [...buckets].sort(([a], [b]) => a - b).map(([, list]) => list);
  const counts: { row: number; pods: number }[] = [];
  let left = total;
  for (const list of [...order, fresh]) {
    for (const row of list) {
      if (left === 0) return counts;
      const pods = Math.min(left, spot.cap[row] ?? 0);
      counts.push({ row, pods });
      left -= pods;
    }
  }
  return counts;
}
