/** What changed, oldest first. The first entry has number `start`; what came before it is forgotten. */
export interface ChangeLog<Entry> {
  readonly start: number;
  readonly entries: readonly Entry[];
}

/** Between so many and twice as many are remembered. */
const LOGGED = 4096;

export function createLog<Entry>(): { readonly log: ChangeLog<Entry>; note(entry: Entry): void } {
  const log = { start: 0, entries: [] as Entry[] };
  return {
    log,
    note(entry) {
      if (log.entries.length >= 2 * LOGGED) {
        log.entries = log.entries.slice(LOGGED);
        log.start += LOGGED;
      }
      log.entries.push(entry);
    },
  };
}

/** The number of the next entry. */
export const endOf = ({ start, entries }: ChangeLog<unknown>): number => start + entries.length;

/** What changed since the entry of that number; undefined: it is forgotten. */
export function entriesSince<Entry>({ start, entries }: ChangeLog<Entry>, since: number): readonly Entry[] | undefined {
  return since < start ? undefined : entries.slice(since - start);
}
