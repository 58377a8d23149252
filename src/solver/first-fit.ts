import type { Option, PodDevices } from "./ask.ts";
import { bondsOf, isFresh } from "./bonds.ts";
import type { Budget } from "./budget.ts";
import { MAX_DEVICES } from "./shape.ts";
import { leftText, type State, type Stock, stateOf } from "./stock.ts";

/** How the scheduler's allocator fares with one pod on one node. `abort`: it gives up on the pod, whatever other nodes have. */
export type Turn =
  | { readonly kind: "served" }
  | { readonly kind: "none" }
  | { readonly kind: "out" }
  | { readonly kind: "abort"; readonly why: string };

/**
 * The scheduler's allocator (structured allocator of Kubernetes 1.36 and later) on one node, pod after pod: claims, requests and
 * alternatives in order, devices in its order, the first whole solution. It goes back within one pod, and never takes from a pod what it has.
 * `rank` is the place of a device in its order.
 */
export function allocator(stock: Stock, rank: (device: string) => number, budget: Budget): (ask: PodDevices) => Turn {
  const free = stock.groups
    .flatMap(({ devices }, group) => devices.map((device) => ({ group, rank: rank(device), device })))
    .sort((a, b) => a.rank - b.rank);
  const taken = free.map(() => false);
  const state = stateOf(stock);
  const served = new Set<string>();
  return (ask) => {
    const slots = ask.slots.filter(({ claim }) => {
      const one = ask.claims[claim];
      return one?.shared !== true || !served.has(one.name);
    });
    const early = validated(stock, slots);
    if (early !== undefined) return early;
    const turn = serve(stock, ask, slots, free, taken, state, budget);
    if (turn.kind === "served") for (const { name, shared } of ask.claims) if (shared) served.add(name);
    return turn;
  };
}

/** What is refused before any device is looked at. */
function validated(stock: Stock, slots: PodDevices["slots"]): Turn | undefined {
  const least = new Map<number, number>();
  for (const { claim, options } of slots) {
    let fewest = Number.POSITIVE_INFINITY;
    for (const { number, request } of options) {
      if (request.count !== "all") {
        fewest = Math.min(fewest, request.count);
        continue;
      }
      if (stock.broken !== undefined) return { kind: "abort", why: stock.broken };
      const failing = stock.groups.find(({ faulty }) => faulty.includes(number));
      if (failing !== undefined) return { kind: "abort", why: faultText(failing.devices[0]) };
      fewest = Math.min(fewest, stock.alls.get(number)?.groups.length ?? 0);
    }
    const sum = (least.get(claim) ?? 0) + fewest;
    if (sum > MAX_DEVICES)
      return {
        kind: "abort",
        why: `a claim would get ${sum} devices, and at most ${MAX_DEVICES} are allocated to one`,
      };
    least.set(claim, sum);
  }
  return undefined;
}

const faultText = (device: string | undefined): string => `a selector fails on device ${device ?? ""}`;

function serve(
  stock: Stock,
  ask: PodDevices,
  slots: PodDevices["slots"],
  free: readonly { readonly group: number; readonly device: string }[],
  taken: boolean[],
  state: State,
  budget: Budget,
): Turn {
  const bonds = bondsOf(stock, ask);
  const sizes = ask.claims.map(() => 0);
  let failure: Turn | undefined;
  const give = (why: string): false => {
    failure ??= { kind: "abort", why };
    return false;
  };

  const fresh = slots.map((_, at) => at > 0 && isFresh(ask, slots, at));
  const dead = new Set<string>();

  /** To an administrator's claim it is all the same what earlier ones of the pod have. */
  const slot = (at: number): boolean => {
    if (!ask.admin || at === 0 || slots[at]?.claim === slots[at - 1]?.claim) return within(at);
    const lent = taken.flatMap((one, index) => (one ? [index] : []));
    const lend = (devices: 1 | -1): void => {
      for (const index of lent) {
        taken[index] = devices === -1;
        state.lend(free[index]?.group ?? -1, devices);
      }
    };
    lend(1);
    const found = within(at);
    lend(-1);
    return found;
  };

  /** Goes where the allocator goes, but never a second time from what led nowhere. */
  const within = (at: number): boolean => {
    const one = slots[at];
    if (one === undefined) return true;
    if (fresh[at] !== true) return served(at, one);
    const key = `${at}|${sizes.join(",")}|${leftText(stock, state)}`;
    if (dead.has(key)) return false;
    if (served(at, one)) return true;
    if (failure === undefined && !budget.exhausted) dead.add(key);
    return false;
  };

  const served = (at: number, one: PodDevices["slots"][number]): boolean => {
    for (const option of one.options) {
      const all = option.request.count === "all" ? stock.alls.get(option.number) : undefined;
      const count = option.request.count === "all" ? (all?.groups.length ?? 0) : option.request.count;
      const size = sizes[one.claim] ?? 0;
      if ((option.request.count === "all" && count === 0) || size + count > MAX_DEVICES) continue;
      sizes[one.claim] = size + count;
      const found = all === undefined ? pick(at, option, 0, count) : every(at, option, all.groups, 0);
      if (found) return true;
      sizes[one.claim] = size;
      if (failure !== undefined) return false;
    }
    return false;
  };

  const attempt = (index: number, option: Option, next: () => boolean): boolean => {
    const group = free[index]?.group ?? -1;
    const shared = stock.groups[group]?.shares !== undefined;
    state.take(group, option.number);
    if (!shared) taken[index] = true;
    if (next()) {
      // Nothing is taken from anybody for administrators.
      if (ask.admin) {
        state.give(group, option.number);
        taken[index] = false;
      }
      return true;
    }
    if (!shared) taken[index] = false;
    state.give(group, option.number);
    bonds.drop(group, option.number);
    return false;
  };

  /** All devices in order; the first that cannot be had ends it, and one that a constraint forbids ends the pod's attempt. */
  const every = (at: number, option: Option, groups: readonly number[], from: number): boolean => {
    const group = groups[from];
    if (group === undefined) return slot(at + 1);
    if (group === -1) return false;
    const index = free.findIndex((one, place) => one.group === group && taken[place] !== true);
    if (index === -1 || !state.counted(group)) return false;
    if (!budget.spend()) return false;
    if (!bonds.add(group, option.number))
      return give(`request ${option.label} wants all devices, and they do not meet the claim's constraints`);
    if (!state.can(group, option.number)) {
      bonds.drop(group, option.number);
      return false;
    }
    return attempt(index, option, () => every(at, option, groups, from + 1));
  };

  const pick = (at: number, option: Option, from: number, remaining: number): boolean => {
    if (remaining === 0) return slot(at + 1);
    const tried = new Set<number>();
    for (let index = from; index < free.length; index += 1) {
      const group = free[index]?.group ?? -1;
      if (taken[index] === true || tried.has(group)) continue;
      if (stock.groups[group]?.faulty.includes(option.number) === true) return give(faultText(free[index]?.device));
      if (!state.can(group, option.number)) continue;
      if (!budget.spend()) return false;
      if (!bonds.add(group, option.number)) continue;
      if (attempt(index, option, () => pick(at, option, index + 1, remaining - 1))) return true;
      if (failure !== undefined || budget.exhausted) return false;
      // Nothing tells another device of the group apart.
      tried.add(group);
    }
    return false;
  };

  if (slot(0)) return { kind: "served" };
  return failure ?? { kind: budget.exhausted ? "out" : "none" };
}

/** How many equal pods, at most `limit`, are served one after another. Undefined where the budget ran out. */
export function servedInTurn(
  stock: Stock,
  ask: PodDevices,
  limit: number,
  rank: (device: string) => number,
  budget: Budget,
): number | undefined {
  const next = allocator(stock, rank, budget);
  for (let served = 0; served < limit; served += 1) {
    const { kind } = next(ask);
    if (kind === "out") return undefined;
    if (kind !== "served") return served;
  }
  return limit;
}
