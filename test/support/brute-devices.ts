import { type ClaimCase, type DeviceCase, type NodeDevices, UNITS } from "./device-cases.ts";

/** One way to serve one request. */
interface Way {
  readonly kind: "a" | "b" | undefined;
  readonly count: 1 | 2 | "all";
  readonly units: number | undefined;
  readonly tolerates: boolean;
  readonly bound: boolean;
}

type Devices = NodeDevices["devices"];

function waysOf({ requests, bond, bindsFirst }: ClaimCase): readonly (readonly Way[])[] {
  return requests.map(({ second, otherKind, ...one }, index) => {
    const bound = bond !== "none" && (!bindsFirst || index === 0);
    const first: Way = { ...one, bound };
    const other: Way = {
      kind: otherKind,
      count: 1,
      units: undefined,
      tolerates: false,
      bound: bound && !bindsFirst,
    };
    return second ? [first, other] : [first];
  });
}

const units = (one: Devices[number]): number => (one.shared ? UNITS : one.kind === "a" ? 2 : 3);

function selects(way: Way, one: Devices[number]): boolean {
  return (way.kind === undefined || way.kind === one.kind) && (way.units === undefined || way.units <= units(one));
}

/** Picks of pods so far, as lists of device numbers with the units that each takes. */
interface Held {
  readonly device: number;
  readonly units: number;
}

const inUse = (node: NodeDevices, nominal: boolean): readonly boolean[] =>
  node.devices.map((one) => !nominal && one.used && (!one.shared || node.taken > 0));

/** Does the node have all of it at once: counted from nothing, whatever the order. */
function holds(node: NodeDevices, nominal: boolean, held: readonly Held[]): boolean {
  const used = inUse(node, nominal);
  const counters = [
    [0, 0],
    [0, 0],
  ];
  for (const [index, one] of node.devices.entries()) {
    const own = held.filter(({ device }) => device === index);
    if (!one.shared && own.length + Number(used[index]) > 1 && own.length > 0) return false;
    const sum = own.reduce((total, { units: some }) => total + some, used[index] && one.shared ? node.taken : 0);
    if (one.shared && own.length > 0 && sum > UNITS) return false;
    if (own.length === 0 && used[index] !== true) continue;
    const card = counters[one.card] ?? [];
    card[0] = (card[0] ?? 0) + one.slices[0];
    card[1] = (card[1] ?? 0) + one.slices[1];
  }
  // What is new and draws on counters needs every counter of the pool to suffice; a shared device in use has drawn already.
  const draws = held.some(({ device }) => !(node.devices[device]?.shared === true && used[device] === true));
  return !node.partitioned || !draws || counters.every(([a = 0, b = 0]) => a <= 2 && b <= 1);
}

/** Every way to give one pod its devices, beside what is held. */
function* servings(
  node: NodeDevices,
  nominal: boolean,
  claim: ClaimCase,
  held: readonly Held[],
): Generator<readonly Held[]> {
  const ways = waysOf(claim);
  const used = inUse(node, nominal);
  function* choose(
    at: number,
    own: readonly Held[],
    values: readonly DeviceCase["numa"][],
  ): Generator<readonly Held[]> {
    const options = ways[at];
    if (options === undefined) {
      yield own;
      return;
    }
    for (const way of options) {
      const matching = [...node.devices.keys()].filter((index) => selects(way, node.devices[index] as Devices[number]));
      const sets =
        way.count === "all"
          ? matching.length === 0
            ? []
            : [matching]
          : way.count === 1
            ? matching.map((one) => [one])
            : matching.flatMap((one, place) => matching.slice(place + 1).map((two) => [one, two]));
      for (const set of sets) {
        const usable = set.every((index) => {
          const one = node.devices[index] as Devices[number];
          if (!nominal && one.tainted && !way.tolerates) return false;
          return one.shared || used[index] !== true;
        });
        if (!usable) continue;
        const mine = set.map((device) => {
          const one = node.devices[device] as Devices[number];
          return { device, units: one.shared ? (way.units ?? 1) : 0 };
        });
        const next = way.bound ? [...values, ...set.map((index) => node.devices[index]?.numa)] : values;
        if (next.includes(undefined)) continue;
        const lists = next.map((one) => [one ?? []].flat());
        const sharing = [0, 1].map((numa) => lists.filter((list) => list.includes(numa)).length);
        if (claim.bond === "match" && lists.length > 0 && !sharing.includes(lists.length)) continue;
        if (claim.bond === "distinct" && sharing.some((count) => count > 1)) continue;
        if (!holds(node, nominal, [...held, ...own, ...mine])) continue;
        yield* choose(at + 1, [...own, ...mine], next);
      }
    }
  }
  yield* choose(0, [], []);
}

/** Can the node hold pods with these claims, each with one of its own. */
export function nodeHolds(
  node: NodeDevices,
  nominal: boolean,
  claims: readonly ClaimCase[],
  held: readonly Held[] = [],
): boolean {
  const [claim, ...rest] = claims;
  if (claim === undefined) return true;
  for (const own of servings(node, nominal, claim, held))
    if (nodeHolds(node, nominal, rest, [...held, ...own])) return true;
  return false;
}

/** Does the scheduler give up on a pod at this node: all devices are wanted, and a constraint forbids one of them. */
export function mayAbort(claim: ClaimCase): boolean {
  return claim.bond !== "none" && claim.requests.some(({ count }) => count === "all");
}
