import { admitPod, type NumaAsk, type NumaScene, type NumaState } from "./numa-admit.ts";

/** Pods that are looked at in one call. */
const MOST_STEPS = 4000;

/** Where pods of some shapes have been admitted, in any order: how things may stand, and whether in some case one was refused. */
interface Reached {
  readonly states: readonly NumaState[];
  readonly refused: boolean;
}

/**
 * How many pods of a shape are admitted beside those that stand, from any of the states at the start: `least` in every order and case,
 * `most` in some. Where that takes too long, `least` is what is certain so far, and `most` what was asked.
 */
export function admissions(
  scene: NumaScene,
  starts: readonly NumaState[],
  asks: readonly (readonly NumaAsk[])[],
  given: {
    readonly shape: number;
    readonly most: number;
    readonly standing: readonly number[];
    /** No pods of another kind will come. */
    readonly alone: boolean;
  },
): { readonly least: number; readonly most: number } {
  const { shape, most, standing, alone } = given;
  const budget = { left: MOST_STEPS };
  const counts = (pods: number): readonly number[] =>
    asks.map((list, at) => (list.length === 0 ? 0 : (standing[at] ?? 0) + (at === shape ? pods : 0)));
  const kubelet = walk(scene, starts, asks, false, budget);
  // With pods of several kinds a kubelet's own choice may be worse with fewer of them, so a bound takes any choice, also before others stand there.
  const any = alone ? kubelet : walk(scene, starts, asks, true, budget);
  let least: number | undefined;
  for (let pods = 1; pods <= most; pods += 1) {
    if (least === undefined && (kubelet(counts(pods))?.refused ?? true)) least = pods - 1;
    const reached = any(counts(pods));
    if (budget.left <= 0 || reached === undefined) return { least: least ?? pods - 1, most };
    if (reached.states.length === 0) return { least: Math.min(least ?? pods - 1, pods - 1), most: pods - 1 };
  }
  return { least: least ?? most, most };
}

/** Undefined where the budget is spent. */
function walk(
  scene: NumaScene,
  starts: readonly NumaState[],
  asks: readonly (readonly NumaAsk[])[],
  anyChoice: boolean,
  budget: { left: number },
): (counts: readonly number[]) => Reached | undefined {
  const known = new Map<string, Reached>();
  const reach = (counts: readonly number[]): Reached | undefined => {
    if (counts.every((one) => one === 0)) return { states: starts, refused: false };
    const key = counts.join();
    const found = known.get(key);
    if (found !== undefined) return found;
    const states = new Map<string, NumaState>();
    let refused = false;
    for (const [shape, pods] of counts.entries()) {
      if (pods === 0) continue;
      const before = reach(counts.map((one, at) => (at === shape ? one - 1 : one)));
      if (before === undefined) return undefined;
      if (before.refused) refused = true;
      for (const state of before.states) {
        budget.left -= 1;
        if (budget.left <= 0) return undefined;
        const outcome = admitPod(scene, state, asks[shape] ?? [], anyChoice);
        if (outcome.refused) refused = true;
        for (const one of outcome.states) states.set(JSON.stringify(one), one);
      }
    }
    const reached = { states: [...states.values()], refused };
    known.set(key, reached);
    return reached;
  };
  return reach;
}
