import type { Board } from "./board.ts";

/** A set of the workload whose pods and those of another keep off each other over a node label. */
interface Keeper {
  readonly shape: number;
  readonly key: string;
}

/** Rows that are left once other sets stand where they close most of the room, and which sets these are. */
export interface Remainder {
  readonly rows: readonly number[];
  readonly by: readonly number[];
}

/** Whom the pods of the shape keep off, or who keeps off them: an anti-affinity holds both ways. */
export function keepersOf({ shapes }: Pick<Board, "shapes">, number: number): readonly Keeper[] {
  const own = shapes[number];
  if (own === undefined) return [];
  return shapes.flatMap((other, shape): readonly Keeper[] => {
    if (shape === number) return [];
    const keys = [
      ...own.company.keepsOff.filter(({ set }) => set === other.name),
      ...other.company.keepsOff.filter(({ set }) => set === own.name),
    ].map(({ key }) => key);
    return [...new Set(keys)].map((key) => ({ shape, key }));
  });
}

/** Each pod of another set closes one domain, at worst the one with most room for the shape: at most so much is lost, whatever the order. */
export function remainder(
  board: Board,
  number: number,
  keepers: readonly Keeper[],
  rows: readonly number[],
): Remainder | undefined {
  const own = board.cap(number);
  let left = rows;
  const by = new Set<number>();
  for (const { shape, key } of keepers) {
    const domains = board.field.key(key);
    const theirs = board.room(shape, domains).total;
    // Of these rows alone: it is asked for one domain after another.
    const rooms = new Map<number, number>();
    for (const row of left) {
      const domain = domains.of[row] ?? -1;
      const room = own[row] ?? 0;
      if (room > 0 && (theirs[domain] ?? 0) > 0) rooms.set(domain, (rooms.get(domain) ?? 0) + room);
    }
    if (rooms.size === 0) continue;
    const other = board.shapes[shape];
    const pods = other?.set.perNode === true ? rooms.size : (other?.count ?? 0);
    const dearest = [...rooms].sort(([a, roomA], [b, roomB]) => roomB - roomA || a - b).slice(0, pods);
    if (dearest.length === 0) continue;
    by.add(shape);
    const closed = new Set(dearest.map(([domain]) => domain));
    left = left.filter((row) => !closed.has(domains.of[row] ?? -1));
  }
  return by.size === 0 ? undefined : { rows: left, by: [...by] };
}
