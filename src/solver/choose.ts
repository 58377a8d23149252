import type { Room } from "./count.ts";
import type { Field } from "./field.ts";
import { rowsWithin } from "./members.ts";
import type { Domains } from "./topology-index.ts";

/** A domain that may hold the pods, with its rows that have room. */
export interface Candidate {
  readonly domain: number;
  readonly rows: readonly number[];
}

/**
 * Domains in which every one of these demands has room when counted by itself, best fit first: those that need no new node, then the
 * fullest, then by name. A hopeful field lends every domain the rows whose domain is not known. Rows are looked up domain by domain.
 */
export function* candidates(
  field: Field,
  domains: Domains,
  rooms: readonly { readonly cap: Int32Array; readonly room: Room; readonly required: number }[],
): Generator<Candidate> {
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
  const caps = rooms.map(({ cap }) => cap);
  const unplaced = field.hopeful ? rowsWithin(domains, -1, caps) : [];
  for (const { domain } of fitting) {
    const rows = rowsWithin(domains, domain, caps);
    yield { domain, rows: field.hopeful ? [...rows, ...unplaced] : rows };
  }
  if (field.hopeful && fitting.length === 0 && rooms.every(({ room, required }) => room.unplaced >= required))
    yield { domain: -1, rows: unplaced };
}
