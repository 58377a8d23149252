import type { Board } from "./board.ts";
import { type Budget, passCost } from "./budget.ts";
import type { Counts } from "./distribute.ts";
import type { Domains } from "./topology-index.ts";

/**
 * A set whose pods come only to where pods that match all terms of their own affinity are, of which some may be of other sets of the workload.
 * Each term asks by itself for one such pod in the same domain of its label.
 */
export interface Following {
  readonly number: number;
  /** Sets of such pods, itself among them where it matches its own terms. */
  readonly leaders: readonly number[];
  /** By label: its domains, and those in which such pods of others run. */
  readonly ways: readonly { readonly domains: Domains; readonly running: ReadonlySet<number> }[];
  /** Nobody such runs, and it matches its own terms: while there is no such pod, its first one goes anywhere that has the labels. */
  readonly starts: boolean;
}

/** Of these shapes, by number; a set that is looked at without those that it follows asks for the labels alone. */
export function followingsOf({ field, shapes }: Pick<Board, "field" | "shapes">): ReadonlyMap<number, Following> {
  const found = new Map<number, Following>();
  for (const [number, { company }] of shapes.entries()) {
    const { keys = [], places, follows } = company.near ?? {};
    if (follows === undefined) continue;
    const leaders = follows.map((name) => shapes.findIndex((shape) => shape.name === name));
    // On empty nodes whoever runs now may run anywhere.
    if (leaders.includes(-1) || (field.nominal && places !== undefined)) continue;
    const ways = keys.map((key) => {
      const domains = field.key(key);
      return { domains, running: numbersOf(domains, places?.get(key)) };
    });
    found.set(number, { number, leaders, ways, starts: places === undefined && leaders.includes(number) });
  }
  return found;
}

function numbersOf({ names }: Domains, values: ReadonlySet<string> | undefined): ReadonlySet<number> {
  const numbers = new Set<number>();
  if (values !== undefined) for (const [domain, name] of names.entries()) if (values.has(name)) numbers.add(domain);
  return numbers;
}

/** Is there room enough in as many domains as its leaders have pods, wherever they are: less than that no search makes more of. */
export function hasRoomBeside({ field, shapes, room }: Board, following: Following): boolean {
  const { number, leaders, ways, starts } = following;
  const shape = shapes[number];
  if (shape === undefined) return true;
  const others = leaders.filter((one) => one !== number).flatMap((one) => shapes[one] ?? []);
  if (others.some(({ set }) => set.perNode)) return true;
  const most = others.reduce((sum, { required }) => sum + required, starts ? 1 : 0);
  return ways.every(({ domains, running }) => {
    const { total, unplaced } = room(number, domains);
    let sum = field.hopeful ? unplaced : 0;
    const apart = total.slice();
    for (const domain of running) {
      sum += total[domain] ?? 0;
      apart[domain] = 0;
    }
    const left = shape.required - sum;
    const dearest = apart.reduce((max, one) => Math.max(max, one), 0);
    // One domain is enough, or as many of the roomiest are not: most often that settles it.
    if (left <= 0 || (most > 0 && dearest >= left)) return true;
    if (dearest * most < left) return false;
    return (
      apart
        .sort()
        .slice(-most)
        .reduce((all, one) => all + one, 0) >= left
    );
  });
}

/** Those that are followed before those that follow them, as far as they do not follow each other. */
export function leadersFirst(order: readonly number[], followings: ReadonlyMap<number, Following>): readonly number[] {
  if (followings.size === 0) return order;
  const left = [...order];
  const sorted: number[] = [];
  while (left.length > 0) {
    const isFree = (number: number): boolean =>
      (followings.get(number)?.leaders ?? []).every((one) => one === number || sorted.includes(one));
    const next = left.find(isFree) ?? left[0] ?? 0;
    sorted.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return sorted;
}

/** Rows that tell apart those near to pods that run from those that are not. */
export function runningRows({ ways }: Following): readonly Domains[] {
  return ways.flatMap(({ domains: { of }, running }) =>
    running.size === 0 ? [] : { of: of.map((domain) => (running.has(domain) ? 0 : -1)), names: [""] },
  );
}

/** Rows of `from` near to pods that run and to those of `before`; all of them where it may be the first, or its leaders come later. */
export function besideLeaders(
  { field }: Board,
  following: Following | undefined,
  before: readonly number[],
  counts: readonly Counts[],
  from: readonly number[],
): readonly number[] {
  if (following === undefined || following.starts) return from;
  const others = following.leaders.filter((one) => one !== following.number);
  if (!others.every((one) => before.includes(one))) return from;
  return nearRows(field.hopeful, following, others, counts, from);
}

/** Rows of `from` where pods of the set may come once these stand. */
export function nearRows(
  hopeful: boolean,
  { ways }: Following,
  leaders: readonly number[],
  counts: readonly Counts[],
  from: readonly number[],
): readonly number[] {
  const open = ways.map(({ domains: { of }, running }) => {
    const near = new Set(running);
    for (const leader of leaders) for (const { row } of counts[leader] ?? []) near.add(of[row] ?? -1);
    near.delete(-1);
    return { of, near };
  });
  const isNear = (row: number): boolean =>
    open.every(({ of, near }) => {
      const domain = of[row] ?? -1;
      // The label that a new node gets may be any.
      return domain === -1 ? hopeful : near.has(domain);
    });
  return from.filter(isNear);
}

/**
 * Is there an order in which each pod, when it comes, finds the company that it asks for.
 *
 * 1. first pods: those that may go first do so one after the other while no pod is there that they would have to follow; nothing that
 *    comes later lets another one go first, so these are all there are;
 * 2. the others: whatever stands near to what is there may come, until nothing more does: who comes takes no place from another.
 */
export function comesAbout(
  { field }: Board,
  followings: ReadonlyMap<number, Following>,
  counts: readonly Counts[],
  budget: Budget,
): boolean {
  const total = counts.reduce((sum, one) => sum + one.length, 0);
  const rowsOf = (number: number): readonly number[] => (counts[number] ?? []).map(({ row }) => row);
  const isDone = (first: ReadonlyMap<number, number>): boolean => {
    const here = counts.map((one, number) => (followings.has(number) ? [] : one));
    for (const [number, row] of first) here[number] = [{ row, pods: 1 }];
    for (let moved = true; moved; ) {
      moved = false;
      for (const following of followings.values()) {
        const { number, leaders } = following;
        const near = new Set(nearRows(field.hopeful, following, leaders, here, rowsOf(number)));
        const own = first.get(number);
        if (own !== undefined) near.add(own);
        if (near.size === (here[number] ?? []).length) continue;
        here[number] = (counts[number] ?? []).filter(({ row }) => near.has(row));
        moved = true;
      }
    }
    return here.every((one, number) => one.length === (counts[number] ?? []).length);
  };
  const from = (first: ReadonlyMap<number, number>): boolean => {
    if (!budget.spend(passCost(total * followings.size))) return false;
    if (isDone(first)) return true;
    for (const { number, leaders, ways, starts } of followings.values()) {
      // Who stands on nodes without any of the labels is near to nobody.
      const isMet = (row: number | undefined): boolean =>
        row !== undefined && ways.some(({ domains: { of } }) => of[row] !== -1);
      if (!starts || leaders.some((one) => isMet(first.get(one)))) continue;
      const tried = new Set<string>();
      for (const row of rowsOf(number)) {
        const place = ways.map(({ domains: { of } }) => of[row]).join();
        if (tried.has(place)) continue;
        tried.add(place);
        if (from(new Map([...first, [number, row]]))) return true;
        if (budget.exhausted) return false;
      }
    }
    return false;
  };
  return followings.size === 0 || from(new Map());
}
