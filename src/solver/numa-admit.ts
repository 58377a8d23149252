/** What a kubelet hands out by NUMA node: zones and resources by number, amounts whole. */
export interface NumaScene {
  readonly policy: "single-numa-node" | "restricted";
  /** By resource, then zone: all that there is. */
  readonly sizes: readonly (readonly number[])[];
  /** By resource: what is handed out at a time; 0: in any parts. */
  readonly units: readonly number[];
}

/** One container, or a whole pod where that is the scope, and how much it asks of each resource. */
export interface NumaAsk {
  readonly kind: "init" | "sidecar" | "main";
  readonly amounts: readonly number[];
}

/** What is free, by resource, then zone. Empty: not known any more. */
export type NumaState = readonly (readonly number[])[];

/** What becomes of a state when a pod comes: the states in which it may stand afterwards, and whether it may be refused. */
export interface NumaOutcome {
  readonly states: readonly NumaState[];
  readonly refused: boolean;
}

/** Ways to hand out one amount that are followed one by one. */
const MOST_WAYS = 64;
const MOST_STATES = 256;
const OPAQUE: NumaState = [];

interface Branch {
  readonly free: NumaState;
  /** Left by init containers, for the containers that come after them. */
  readonly reusable: NumaState;
}

const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

/**
 * A pod at a kubelet, as k8s.io/kubernetes/pkg/kubelet/cm/topologymanager and the device manager admit it:
 *
 * 1. each container in turn (or the pod at once) gets hints: sets of NUMA nodes with enough free, the smallest that could ever hold so
 *    much preferred; what an earlier init container left must be among them;
 * 2. a set that all resources prefer is taken, the one of the lowest numbers first; where there is none, the pod is refused
 *    (single-numa-node: also where it has more than one);
 * 3. what was left is handed out first, then what is free in the set, in any parts.
 *
 * `anyChoice`: whatever set it takes, for a bound.
 */
export function admitPod(
  scene: NumaScene,
  state: NumaState,
  asks: readonly NumaAsk[],
  anyChoice: boolean,
): NumaOutcome {
  if (asks.every(({ amounts }) => amounts.every((one) => one === 0))) return { states: [state], refused: false };
  if (state === OPAQUE) return { states: [OPAQUE], refused: true };
  let refused = false;
  let branches: Branch[] = [{ free: state, reusable: state.map((row) => row.map(() => 0)) }];
  for (const ask of asks) {
    const next = new Map<string, Branch>();
    for (const branch of branches) {
      const sets = preferredSets(scene, branch, ask);
      if (sets.length === 0) refused = true;
      // Of several NUMA nodes those that are closest may come first (prefer-closest-numa-nodes).
      const certain = sets.length < 2 || (!anyChoice && countOf(sets[0] ?? 0) === 1);
      for (const set of certain ? sets.slice(0, 1) : sets) {
        const after = handOut(scene, branch, ask, set);
        if (after === undefined) return { states: [OPAQUE], refused };
        for (const one of after) next.set(JSON.stringify([one.free, one.reusable]), one);
      }
    }
    branches = [...next.values()];
    if (branches.length > MOST_STATES) return { states: [OPAQUE], refused };
  }
  // CPUs and memory that init containers held come back when those end.
  const returns = asks.some(
    ({ kind, amounts }) => kind === "init" && amounts.some((one, at) => one > 0 && scene.units[at] !== 1),
  );
  if (returns && branches.length > 0) return { states: [OPAQUE], refused };
  return { states: branches.map(({ free }) => free), refused };
}

/** Sets of zones, as bits, that every resource asked for prefers: lowest numbers first. */
function preferredSets(
  { policy, sizes }: NumaScene,
  { free, reusable }: Branch,
  { amounts }: NumaAsk,
): readonly number[] {
  const asked = [...amounts.keys()].filter((one) => (amounts[one] ?? 0) > 0);
  if (asked.length === 0) return [0];
  const widths = new Set(asked.map((one) => fewest(sizes[one] ?? [], amounts[one] ?? 0)));
  const [width] = widths;
  if (width === undefined || widths.size > 1 || !Number.isFinite(width)) return [];
  if (policy === "single-numa-node" && width > 1) return [];
  const zones = sizes[0]?.length ?? 0;
  const sets: number[] = [];
  for (let set = 1; set < 1 << zones; set += 1) {
    if (countOf(set) !== width) continue;
    const serves = asked.every((one) => {
      let [room, outside] = [0, 0];
      for (let zone = 0; zone < zones; zone += 1) {
        const left = reusable[one]?.[zone] ?? 0;
        if ((set & (1 << zone)) === 0) outside += left;
        else room += left + (free[one]?.[zone] ?? 0);
      }
      return outside === 0 && room >= (amounts[one] ?? 0);
    });
    if (serves) sets.push(set);
  }
  return sets;
}

/** The fewest zones that could hold the amount, were they empty. */
export function fewest(sizes: readonly number[], amount: number): number {
  let left = amount;
  for (const [index, size] of [...sizes].sort((a, b) => b - a).entries()) {
    left -= size;
    if (left <= 0) return index + 1;
  }
  return Number.POSITIVE_INFINITY;
}

function countOf(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count += 1;
  return count;
}

/** Every way in which a container may get what it asks for; undefined: too many to follow. */
function handOut({ units }: NumaScene, branch: Branch, ask: NumaAsk, set: number): readonly Branch[] | undefined {
  let branches: readonly Branch[] = [branch];
  for (const [resource, amount] of ask.amounts.entries()) {
    if (amount === 0) continue;
    const next: Branch[] = [];
    for (const { free, reusable } of branches) {
      const left = reusable[resource] ?? [];
      const own = free[resource] ?? [];
      const again = Math.min(amount, sum(left));
      const unit = units[resource] ?? 0;
      const reused = ways(left, again, unit);
      const fresh = ways(
        own.map((one, zone) => ((set & (1 << zone)) === 0 ? 0 : one)),
        amount - again,
        unit,
      );
      if (reused === undefined || fresh === undefined) return undefined;
      for (const back of reused)
        for (const taken of fresh)
          next.push({
            free: replaced(free, resource, (one, zone) => one - (taken[zone] ?? 0)),
            reusable: replaced(reusable, resource, (one, zone) =>
              ask.kind === "init" ? one + (taken[zone] ?? 0) : one - (back[zone] ?? 0),
            ),
          });
    }
    branches = next;
  }
  return branches;
}

function replaced(state: NumaState, resource: number, change: (amount: number, zone: number) => number): NumaState {
  return state.map((row, at) => (at === resource ? row.map(change) : row));
}

/** Every way to take so much out of parts of these sizes; undefined: too many. */
function ways(parts: readonly number[], amount: number, unit: number): readonly (readonly number[])[] | undefined {
  if (amount === 0) return [parts.map(() => 0)];
  if (amount === sum(parts)) return [parts];
  const open = parts.filter((one) => one > 0).length;
  if (open === 1) return [parts.map((one) => (one > 0 ? amount : 0))];
  if (unit === 0) return undefined;
  const found: number[][] = [];
  const fill = (at: number, rest: number, taken: readonly number[]): boolean => {
    if (at === parts.length) {
      if (rest === 0) found.push([...taken]);
      return found.length <= MOST_WAYS;
    }
    for (let here = Math.min(parts[at] ?? 0, rest); here >= 0; here -= unit)
      if (!fill(at + 1, rest - here, [...taken, here])) return false;
    return true;
  };
  return fill(0, amount, []) ? found : undefined;
}
