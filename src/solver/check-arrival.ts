import type { OwnTerm } from "../model/index.ts";
import type { Laid } from "./checker.ts";

type Host = Laid["placed"][number]["host"];

/** A set with an affinity of its own of which it is certain whom it selects. */
export interface Wish {
  readonly one: Laid;
  readonly terms: readonly OwnTerm[];
  /** Values by label where pods of others run that match all terms. */
  readonly running: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sets of the workload whose pods match all terms, itself among them if they do. */
  readonly fellows: readonly Laid[];
}

/** More beginnings than this are not followed up, and then nothing is claimed. */
const MOST_BEGINNINGS = 200;

/**
 * Can the pods come one by one, each to where those that it asks for are already? A pod may lead where none of these is there yet and it is one of
 * them. Every choice of leaders is tried, in every order: a leader has to be there before those of whom it is one.
 */
export function checkArrival(
  laid: readonly Laid[],
  wishes: readonly Wish[],
  labelOf: (host: Host, key: string) => string | undefined,
  faults: string[],
): void {
  if (wishes.length === 0) return;
  const bound = new Map(wishes.map((wish) => [wish.one, wish]));
  /** Hosts by set on which pods have come, once those without a wish have and nobody else can. */
  const fill = (leaders: ReadonlyMap<Laid, Host>): ReadonlyMap<Laid, ReadonlySet<Host>> => {
    const there = new Map(laid.map((one) => [one, new Set<Host>()]));
    /** By wish and label, the values where some pod that it asks for is. */
    const met = wishes.map(
      ({ terms, running }) => new Map(terms.map(({ key }) => [key, new Set(running.get(key) ?? [])])),
    );
    const come = (one: Laid, host: Host): void => {
      there.get(one)?.add(host);
      for (const [index, { fellows }] of wishes.entries())
        if (fellows.includes(one))
          for (const [key, values] of met[index] ?? []) {
            const value = labelOf(host, key);
            if (value !== undefined) values.add(value);
          }
    };
    for (const one of laid) if (!bound.has(one)) for (const { host } of one.placed) come(one, host);
    for (const [one, host] of leaders) come(one, host);
    for (let grown = true; grown; ) {
      grown = false;
      for (const [index, { one }] of wishes.entries())
        for (const { host } of one.placed) {
          if (there.get(one)?.has(host) === true) continue;
          const isMet = [...(met[index] ?? [])].every(([key, values]) => {
            const value = labelOf(host, key);
            return value !== undefined && values.has(value);
          });
          if (!isMet) continue;
          come(one, host);
          grown = true;
        }
    }
    return there;
  };
  const late = (there: ReadonlyMap<Laid, ReadonlySet<Host>>): readonly Wish[] =>
    wishes.filter(({ one }) => one.placed.some(({ host }) => there.get(one)?.has(host) !== true));
  let left = MOST_BEGINNINGS;
  const comes = (leaders: ReadonlyMap<Laid, Host>): boolean => {
    left -= 1;
    if (left < 0 || late(fill(leaders)).length === 0) return true;
    return wishes.some(({ one, terms, running, fellows }) => {
      if (running.size > 0 || !fellows.includes(one)) return false;
      // A leader on a node without any of the labels is near to nobody.
      const isMet = (host: Host | undefined): boolean =>
        host !== undefined && terms.some(({ key }) => labelOf(host, key) !== undefined);
      if (leaders.has(one) || fellows.some((other) => isMet(leaders.get(other)))) return false;
      const tried = new Set<string>();
      return one.placed.some(({ host }) => {
        const place = JSON.stringify(terms.map(({ key }) => labelOf(host, key)));
        if (tried.has(place)) return false;
        tried.add(place);
        return comes(new Map([...leaders, [one, host]]));
      });
    });
  };
  if (comes(new Map())) return;
  for (const { one, terms } of late(fill(new Map()))) {
    const keys = [...new Set(terms.map(({ key }) => key))].join(", ");
    faults.push(`${one.set.name}: in no order do its pods find those that they ask for over ${keys}`);
  }
}
