import { once } from "../model/index.ts";
import type { Option, PodDevices, Slot } from "./ask.ts";
import { type Bonds, bondsOf, isFresh } from "./bonds.ts";
import type { Budget } from "./budget.ts";
import { lacksBundles, lacksDevices } from "./bundles.ts";
import { MAX_DEVICES } from "./shape.ts";
import { leftText, type State, type Stock, stateOf } from "./stock.ts";

/** A device for one pod, and what it serves: `claim/request` or `claim/request/alternative`. */
export interface Given {
  readonly device: string;
  readonly label: string;
}

interface Pick {
  readonly group: number;
  readonly option: Option;
}

/**
 * Devices for each pod, or undefined where no choice holds (or the budget ran out). A claim that several pods share is served with the
 * first of them. Depth first over groups rather than devices; what is left before each pod, and before each request that no constraint ties to those
 * before it, is remembered where it led nowhere, parts that nothing tells apart count once, and of parts in equal states one is tried. Requests for administrators take nothing from
 * anybody, so such pods are judged one by one, and each of their claims may have what another has.
 */
export function packDevices(
  stock: Stock,
  pods: readonly PodDevices[],
  budget: Budget,
): readonly (readonly Given[])[] | undefined {
  const result: (readonly Given[])[] = pods.map(() => []);
  const plain = [...pods.keys()].filter((pod) => pods[pod]?.admin !== true);
  const taken = stock.groups.map(() => 0);
  const name = ({ group, option }: Pick): Given => {
    const { devices = [], shares } = stock.groups[group] ?? {};
    const at = taken[group] ?? 0;
    if (shares === undefined) taken[group] = at + 1;
    return { device: devices[shares === undefined ? at : 0] ?? "", label: option.label };
  };
  for (const pod of pods.keys()) {
    const ask = pods[pod];
    if (ask?.admin !== true) continue;
    const picked = chosen(stock, [ask], budget)?.[0];
    if (picked === undefined) return undefined;
    result[pod] = picked.map((one, at) => {
      if (one.option.request.claim !== picked[at - 1]?.option.request.claim) taken.fill(0);
      return name(one);
    });
    taken.fill(0);
  }
  const picked = chosen(
    stock,
    plain.map((pod) => pods[pod] ?? { claims: [], slots: [], bonds: [], admin: false }),
    budget,
  );
  if (picked === undefined) return undefined;
  for (const [index, pod] of plain.entries()) result[pod] = (picked[index] ?? []).map(name);
  return result;
}

function chosen(stock: Stock, pods: readonly PodDevices[], budget: Budget): readonly (readonly Pick[])[] | undefined {
  const state = stateOf(stock);
  const slots = openSlots(pods);
  // Claims of administrators have the same devices several times.
  const counts = pods.every(({ admin }) => !admin);
  if (counts && (lacksDevices(stock, slots) || lacksBundles(stock, pods, slots))) return undefined;
  const picked: Pick[][] = pods.map(() => []);
  const dead = new Set<string>();

  const place = (pod: number): boolean => {
    const ask = pods[pod];
    if (ask === undefined) return true;
    const key = `${pod}|${leftText(stock, state)}`;
    if (dead.has(key)) return false;
    const own = slots[pod] ?? [];
    const fresh = own.map((_, at) => at > 0 && isFresh(ask, own, at));
    const run = {
      pod,
      slots: own,
      fresh,
      bonds: bondsOf(stock, ask),
      sizes: ask.claims.map(() => 0),
      admin: ask.admin,
    };
    if (slot(run, 0)) return true;
    dead.add(key);
    return false;
  };

  const slot = (run: Run, at: number): boolean => {
    const before = run.slots[at - 1];
    if (!run.admin || before === undefined || run.slots[at]?.claim === before.claim) return within(run, at);
    const lent = (picked[run.pod] ?? []).filter(({ option }) =>
      before.options.some(({ request }) => request.claim === option.request.claim),
    );
    for (const { group } of lent) state.lend(group, 1);
    const found = within(run, at);
    for (const { group } of lent) state.lend(group, -1);
    return found;
  };

  const within = (run: Run, at: number): boolean => {
    const one = run.slots[at];
    if (one === undefined) return place(run.pod + 1);
    if (run.fresh[at] !== true) return options(run, at, one);
    const key = `${run.pod}/${at}|${run.sizes.join(",")}|${leftText(stock, state)}`;
    if (dead.has(key)) return false;
    if (options(run, at, one)) return true;
    if (!budget.exhausted) dead.add(key);
    return false;
  };

  const options = (run: Run, at: number, one: Slot): boolean =>
    one.options.some((option) => {
      const all = option.request.count === "all" ? stock.alls.get(option.number) : undefined;
      const count = option.request.count === "all" ? (all?.groups.length ?? 0) : option.request.count;
      if (option.request.count === "all" && (count === 0 || all?.blocked !== false)) return false;
      const size = run.sizes[one.claim] ?? 0;
      if (size + count > MAX_DEVICES) return false;
      run.sizes[one.claim] = size + count;
      const found = pick(run, at, option, 0, count);
      run.sizes[one.claim] = size;
      return found;
    });

  /** `remaining` devices for the slot at `at`, from this group on. */
  const pick = (run: Run, at: number, option: Option, from: number, remaining: number): boolean => {
    if (remaining === 0) return slot(run, at + 1);
    const tried = new Set<string>();
    for (let index = from; index < stock.groups.length; index += 1) {
      if (!state.can(index, option.number)) continue;
      const twin = twinText(stock, state, index);
      if (twin !== undefined && tried.has(twin)) continue;
      if (!budget.spend()) return false;
      if (!run.bonds.add(index, option.number)) continue;
      state.take(index, option.number);
      picked[run.pod]?.push({ group: index, option });
      // One request has a device once, however many claims may share it.
      const next = stock.groups[index]?.shares === undefined ? index : index + 1;
      if (pick(run, at, option, next, remaining - 1)) return true;
      picked[run.pod]?.pop();
      state.give(index, option.number);
      run.bonds.drop(index, option.number);
      if (budget.exhausted) return false;
      if (twin !== undefined) tried.add(twin);
    }
    return false;
  };

  return place(0) ? picked : undefined;
}

interface Run {
  readonly pod: number;
  readonly slots: readonly Slot[];
  /** By slot: no constraint ties it or a later one to those before it. */
  readonly fresh: readonly boolean[];
  readonly bonds: Bonds;
  /** Devices by claim. */
  readonly sizes: number[];
  /** What its earlier claims have, later ones may have as well. */
  readonly admin: boolean;
}

/** The slots of each pod without those of claims that an earlier one brought. */
export function openSlots(pods: readonly PodDevices[]): readonly (readonly Slot[])[] {
  const served = new Set<string>();
  return pods.map(({ claims, slots }) => {
    const open = slots.filter(({ claim }) => {
      const one = claims[claim];
      return one === undefined || !one.shared || !served.has(one.name);
    });
    for (const { name, shared } of claims) if (shared) served.add(name);
    return open;
  });
}

/** Equal for groups at one place of parts that are equal and of which the same is left; undefined where a part has no counters. */
function twinText(stock: Stock, state: State, group: number): string | undefined {
  const part = stock.partOf[group] ?? 0;
  const { type = "", groups = [], counters = [] } = stock.parts[part] ?? {};
  return counters.length === 0 ? undefined : `${groups.indexOf(group)}@${state.key(part)}@${type}`;
}

/** By option. What was counted before costs the steps that it took, so that the answer does not depend on what others asked. */
const counted = once((_stock: Stock) => new Map<number, { readonly most: number; readonly steps: number }>());

/** The most devices that one option can have at once, exactly. */
export function mostDevices(stock: Stock, option: number, budget: Budget): number {
  const known = counted(stock).get(option);
  if (known !== undefined && known.steps <= budget.left) {
    budget.spend(known.steps);
    return known.most;
  }
  const before = budget.spent;
  const most = mostByPart(stock, option, budget);
  if (!budget.exhausted) counted(stock).set(option, { most, steps: budget.spent - before });
  return most;
}

/** Part by part, since parts share nothing. */
function mostByPart(stock: Stock, option: number, budget: Budget): number {
  const state = stateOf(stock);
  const byText = new Map<string, number>();
  let most = 0;
  for (const [number, part] of stock.parts.entries()) {
    const serving = part.groups.filter((group) => stock.groups[group]?.serves[option] === true);
    if (serving.length === 0) continue;
    if (part.counters.length === 0) {
      for (const group of serving) most += stock.groups[group]?.devices.length ?? 0;
      continue;
    }
    const text = `${part.type}:${state.key(number)}`;
    const known = byText.get(text);
    const own = known ?? mostIn(state, serving, option, number, budget);
    byText.set(text, own);
    most += own;
  }
  return most;
}

function mostIn(state: State, groups: readonly number[], option: number, part: number, budget: Budget): number {
  const known = new Map<string, number>();
  const from = (at: number): number => {
    const group = groups[at];
    if (group === undefined || !budget.spend()) return 0;
    const key = `${at}|${state.key(part)}`;
    const before = known.get(key);
    if (before !== undefined) return before;
    let best = from(at + 1);
    if (state.can(group, option)) {
      state.take(group, option);
      best = Math.max(best, 1 + from(at));
      state.give(group, option);
    }
    known.set(key, best);
    return best;
  };
  return from(0);
}
