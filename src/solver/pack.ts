import type { Budget } from "./budget.ts";

/** Devices of one row that nothing tells apart. */
export interface Group {
  /** Bit per request number: does it select these devices. */
  readonly mask: number;
  /** By `Stock.attributes`; undefined: not published, so a constraint on it never holds. */
  readonly values: readonly (string | undefined)[];
  readonly devices: readonly string[];
}

export interface Stock {
  readonly groups: readonly Group[];
  readonly attributes: readonly string[];
  /** Devices that each `all` request must get; absent where it cannot have them all. */
  readonly totals: ReadonlyMap<number, number>;
  /** Rows with equal signatures allow the same. */
  readonly signature: string;
}

/** What one pod asks for. */
export interface PodDevices {
  readonly requests: readonly { readonly request: number; readonly count: number | "all" }[];
  readonly constraints: readonly { readonly attribute: string; readonly requests: ReadonlySet<number> }[];
}

/**
 * Devices for each pod, or undefined where no choice holds (or the budget ran out). Depth first over groups rather than devices;
 * what is left after each pod is remembered where it led nowhere, so that equal pods are not tried in every order.
 */
export function packDevices(
  stock: Stock,
  pods: readonly PodDevices[],
  budget: Budget,
): readonly (readonly string[])[] | undefined {
  const left = stock.groups.map((group) => group.devices.length);
  const picked: number[][] = pods.map(() => []);
  const dead = new Set<string>();

  const place = (pod: number): boolean => {
    const ask = pods[pod];
    if (ask === undefined) return true;
    const key = `${pod}|${left.join(",")}`;
    if (dead.has(key)) return false;
    if (
      request(
        pod,
        ask,
        0,
        ask.constraints.map(() => undefined),
      )
    )
      return true;
    dead.add(key);
    return false;
  };

  const request = (pod: number, ask: PodDevices, at: number, bound: readonly (string | undefined)[]): boolean => {
    const one = ask.requests[at];
    if (one === undefined) return place(pod + 1);
    const count = one.count === "all" ? stock.totals.get(one.request) : one.count;
    if (count === undefined || count === 0) return false;
    return pick(pod, ask, at, bound, 0, count);
  };

  /** `remaining` devices for the request at `at`, from this group on. */
  const pick = (
    pod: number,
    ask: PodDevices,
    at: number,
    bound: readonly (string | undefined)[],
    from: number,
    remaining: number,
  ): boolean => {
    if (remaining === 0) return request(pod, ask, at + 1, bound);
    const number = ask.requests[at]?.request ?? 0;
    for (let index = from; index < stock.groups.length; index += 1) {
      const group = stock.groups[index];
      if (group === undefined || (left[index] ?? 0) === 0 || (group.mask & (1 << number)) === 0) continue;
      if (!budget.spend()) return false;
      const next = bind(stock, ask, number, group, bound);
      if (next === undefined) continue;
      left[index] = (left[index] ?? 0) - 1;
      picked[pod]?.push(index);
      if (pick(pod, ask, at, next, index, remaining - 1)) return true;
      picked[pod]?.pop();
      left[index] = (left[index] ?? 0) + 1;
    }
    return false;
  };

  if (!place(0)) return undefined;
  const taken = stock.groups.map(() => 0);
  return picked.map((indices) =>
    indices.map((index) => {
      const at = taken[index] ?? 0;
      taken[index] = at + 1;
      return stock.groups[index]?.devices[at] ?? "";
    }),
  );
}

/** The constraints' values once a device of the group serves the request; undefined where one would not hold. */
export function bind(
  stock: Stock,
  ask: PodDevices,
  number: number,
  group: Group,
  bound: readonly (string | undefined)[],
): readonly (string | undefined)[] | undefined {
  let next = bound;
  for (const [index, { attribute, requests }] of ask.constraints.entries()) {
    if (!requests.has(number)) continue;
    const value = group.values[stock.attributes.indexOf(attribute)];
    if (value === undefined || (bound[index] !== undefined && bound[index] !== value)) return undefined;
    if (bound[index] === undefined) next = next.map((one, at) => (at === index ? value : one));
  }
  return next;
}
