import { once } from "../model/index.ts";
import type { Domains } from "./topology-index.ts";

/** Rows by domain, ascending, one domain after another: domain d has those from start[d + 1] to start[d + 2]; first come rows without one. */
interface Members {
  readonly rows: Int32Array;
  readonly start: Int32Array;
}

const membersOf = once(({ of, names }: Domains): Members => {
  const start = new Int32Array(names.length + 2);
  for (const domain of of) start[domain + 2] = (start[domain + 2] ?? 0) + 1;
  for (let at = 1; at < start.length; at += 1) start[at] = (start[at] ?? 0) + (start[at - 1] ?? 0);
  const next = start.slice();
  const rows = new Int32Array(of.length);
  for (const [row, domain] of of.entries()) {
    const at = next[domain + 1] ?? 0;
    rows[at] = row;
    next[domain + 1] = at + 1;
  }
  return { rows, start };
});

/** Rows of a domain (-1: of none that is known) on which one of these has room, ascending. */
export function rowsWithin(domains: Domains, domain: number, caps: readonly Int32Array[]): number[] {
  const { rows, start } = membersOf(domains);
  const found: number[] = [];
  const end = start[domain + 2] ?? 0;
  for (let at = start[domain + 1] ?? 0; at < end; at += 1) {
    const row = rows[at] ?? 0;
    for (const cap of caps)
      if ((cap[row] ?? 0) > 0) {
        found.push(row);
        break;
      }
  }
  return found;
}
