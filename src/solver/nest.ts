import type { Field } from "./field.ts";
import type { Layer } from "./layers.ts";
import type { Domains } from "./topology-index.ts";

/** A domain of one layer, with the domains of the next layer inside it. */
export interface Cell {
  readonly domain: number;
  /** The domain of the layer above; -1 in the widest. */
  readonly parent: number;
  readonly children: Cell[];
  /** Rows with room, of the finest layer. */
  readonly rows: number[];
  room: number;
}

/** Where the pods of one shape may go. */
export interface Spot {
  readonly field: Field;
  /** Most pods by row; the rows that the set may use. */
  readonly cap: Int32Array;
  readonly rows: readonly number[];
  readonly layers: readonly Layer[];
  /** From wide to narrow: inside which domains the pods should be near to each other. */
  readonly inside?: readonly Domains[];
  /** Of which domains those that are fullest are filled first. */
  readonly near?: Domains;
}

export interface Forest {
  /** Widest first. */
  readonly layers: readonly Layer[];
  readonly roots: Cell[];
  /** By layer, domain -> cell. */
  readonly cells: readonly ReadonlyMap<number, Cell>[];
}

/** Partitions from wide to narrow, each domain under the one that holds it; undefined where some domain lies in two. */
export function nest(spot: Spot): Forest | undefined {
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
        map.set(domain, { domain, parent: parents[depth]?.[domain] ?? -1, children: [], rows: [], room: 0 });
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
  return { layers, roots: [...(cells[0]?.values() ?? [])].sort(byRoom(field)), cells };
}

/** Fullest first, so that emptier domains stay whole; domains that need new nodes last. */
function byRoom(field: Field): (a: Cell, b: Cell) => number {
  const fresh = (cell: Cell): number => Number((cell.rows[0] ?? 0) >= field.existing);
  return (a, b) => fresh(a) - fresh(b) || a.room - b.room || a.domain - b.domain;
}
