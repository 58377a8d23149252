import type { Field } from "./field.ts";
import type { Domains } from "./topology-index.ts";

/** A domain that may hold the pods, with its rows that have room. */
export interface Candidate {
  readonly domain: number;
  readonly rows: readonly number[];
}

/** Room of one shape in each domain, on existing nodes and in all. */
export interface Room {
  readonly existing: Float64Array;
  readonly total: Float64Array;
  /** On rows whose domain is not known. */
  readonly unplaced: number;
}

export function roomByDomain(field: Field, domains: Domains, cap: Int32Array): Room {
  const existing = new Float64Array(domains.names.length);
  const total = new Float64Array(domains.names.length);
  let unplaced = 0;
  for (let row = 0; row < field.rows; row += 1) {
    const pods = cap[row] ?? 0;
    if (pods === 0) continue;
    const domain = domains.of[row] ?? -1;
    if (domain === -1) unplaced += pods;
    else {
      total[domain] = (total[domain] ?? 0) + pods;
      if (row < field.existing) existing[domain] = (existing[domain] ?? 0) + pods;
    }
  }
  return { existing, total, unplaced };
}

/**
 * Domains in which every one of these demands has room when counted by itself, best fit first: those that need no new node, then the
 * fullest, then by name. A hopeful field lends every domain the rows whose domain is not known.
 */
export function candidates(
  field: Field,
  domains: Domains,
  rooms: readonly { readonly cap: Int32Array; readonly room: Room; readonly required: number }[],
): readonly Candidate[] {
  const fitting: { domain: number; fresh: boolean; room: number; name: string }[] = [];
  for (let domain = 0; domain < domains.names.length; domain += 1) {
    let fresh = false;
    let sum = 0;
    let holds = true;
    for (const { room, required } of rooms) {
      const total = room.total[domain] ?? 0;
      if ((room.existing[domain] ?? 0) < required) fresh = true;
      sum += total;
      holds &&= total + (field.hopeful ? room.unplaced : 0) >= required;
    }
    if (holds) fitting.push({ domain, fresh, room: sum, name: domains.names[domain] ?? "" });
  }
  fitting.sort((a, b) => Number(a.fresh) - Number(b.fresh) || a.room - b.room || (a.name < b.name ? -1 : 1));
  const rowsOf: number[][] = [];
  const unplaced: number[] = [];
  for (const { domain } of fitting) rowsOf[domain] = [];
  const caps = rooms.map(({ cap }) => cap);
  for (let row = 0; row < field.rows; row += 1) {
    const domain = domains.of[row] ?? -1;
    const rows = domain === -1 ? (field.hopeful ? unplaced : undefined) : rowsOf[domain];
    if (rows === undefined) continue;
    for (const cap of caps)
      if ((cap[row] ?? 0) > 0) {
        rows.push(row);
        break;
      }
  }
  const list = fitting.map(({ domain }) => {
    const rows = rowsOf[domain] ?? [];
    return { domain, rows: field.hopeful ? [...rows, ...unplaced] : rows };
  });
  const alone = field.hopeful && list.length === 0 && rooms.every(({ room, required }) => room.unplaced >= required);
  return alone ? [{ domain: -1, rows: unplaced }] : list;
}
