import {
  allowsLabels,
  atLeast,
  type CapacityPool,
  type ContainerNeeds,
  type PodSetDemand,
  podSetFingerprint,
  type Step,
} from "../model/index.ts";
import type { PodFacts, Topology } from "../topology/index.ts";
import type { Host, Laid } from "./checker.ts";
import type { SolveContext } from "./context.ts";

/** Free amounts by resource, then by zone. */
type Free = ReadonlyMap<string, readonly number[]>;
type Bounds = readonly { readonly low: number; readonly high: number }[];

/** Ways that are listed; a node that has more is left to the search. */
const MOST_WAYS = 20_000;

const total = (list: readonly number[]): number => list.reduce((sum, one) => sum + one, 0);

/**
 * Nodes whose kubelet turns pods away by NUMA node: do the pods that are placed there get in, however what is not known turns out and in whatever
 * order they come. Every way in which what is free may lie is tried, and from each every order, pod by pod.
 */
export function checkNuma(
  topology: Topology,
  { platform, pools }: SolveContext,
  host: Host,
  laid: readonly Laid[],
  {
    others,
    promised,
  }: { readonly others: readonly PodFacts[]; readonly promised: SolveContext["holds"][number]["placed"] },
  faults: string[],
): void {
  const told = host.node === undefined ? undefined : topology.facts.numa?.get(host.name);
  const declared = (host.pool ?? pools.find((pool) => pool.node.numa !== undefined && belongs(pool, host)))?.node.numa;
  const policy = told?.policy ?? declared?.policy;
  if ((told === undefined && declared === undefined) || policy === "none" || policy === "best-effort") return;
  const pods = laid.flatMap(({ set, step, placed }) => {
    const count = placed.reduce((sum, one) => sum + (one.host === host ? one.pods : 0), 0);
    return count === 0 ? [] : [{ name: set.name, count, containers: containersOf(set, step) }];
  });
  const say = (what: string): void => void faults.push(`${host.name} ${what}`);
  const all = host.node === undefined ? [] : (topology.podsOn[topology.nodeIndex.get(host.name) ?? -1] ?? []);
  // Kubelets before 1.34 list pods that have ended as well.
  const comparable = told?.pods !== undefined && (!told.pods.ended || atLeast(platform.kubernetes.version, 1, 34));
  const outdated =
    comparable && podSetFingerprint(all.filter(({ nominated }) => !nominated)) !== told.pods?.fingerprint;
  const bounds = new Map<
    string,
    { readonly bounds: Bounds; readonly sizes: readonly number[]; readonly free: number }
  >();
  for (const name of new Set(pods.flatMap((one) => one.containers.flatMap(({ requests }) => Object.keys(requests))))) {
    const device = name.includes("/");
    const offered = (host.node?.allocatable ?? host.pool?.node.allocatable)?.[name] ?? 0;
    const of = (pod: PodFacts): number => (device ? pod.requests[name] : pod.pinned?.[name]) ?? 0;
    const [held, kept] = [total(all.map(of)), total(others.map(of))];
    const less = total(promised.map((one) => (one.requests[name] ?? 0) * one.pods));
    if (told === undefined) {
      const parts = declared?.nodes ?? 1;
      const sizes = Array.from({ length: parts }, (_, zone) => Math.ceil((offered - zone) / parts));
      if (device)
        bounds.set(name, { sizes, bounds: sizes.map((high) => ({ low: 0, high })), free: offered - kept - less });
      continue;
    }
    const zones = told.zones.map(({ resources }) => resources[name] ?? { capacity: 0, allocatable: 0, available: 0 });
    const [sizes, top, open] = [
      zones.map((one) => one.capacity),
      zones.map((one) => one.allocatable),
      zones.map((one) => one.available),
    ];
    if (total(sizes) === 0 || (!device && total(top) === 0)) continue;
    const fresh = held === total(top) - total(open) && (held === 0 || !outdated);
    const own = held - kept;
    if (told.faults.length > 0 || (device ? total(top) !== offered : !fresh || own > 0 || promised.length > 0)) {
      say(`does not tell on which NUMA nodes ${name} is free`);
      return;
    }
    bounds.set(name, {
      sizes,
      bounds: top.map((high, zone) => ({
        low: fresh ? Math.max(0, (open[zone] ?? 0) - less) : 0,
        high: fresh ? Math.min(high, (open[zone] ?? 0) + own) : high,
      })),
      free: device ? offered - kept - less : total(open),
    });
  }
  const ways = waysOf(bounds);
  if (bounds.size === 0 || ways === undefined) return;
  const scopes =
    told !== undefined && told.scope === undefined && declared === undefined
      ? ["container", "pod"]
      : [told?.scope ?? declared?.scope ?? "container"];
  const policies = policy === undefined ? ["single-numa-node", "restricted"] : [policy];
  const without = [...bounds.keys()].every((name) => name.includes("/")) ? [false] : [false, true];
  for (const scope of scopes)
    for (const one of policies)
      for (const onlyDevices of without) {
        const asked = pods.map(({ containers, ...pod }) => ({
          ...pod,
          asks: (scope === "pod" ? [atOnce(containers)] : containers).map(({ kind, requests }) => ({
            kind,
            amounts: Object.entries(requests).filter(
              ([name]) => bounds.has(name) && (name.includes("/") || !onlyDevices),
            ),
          })),
        }));
        const sizes = new Map([...bounds].map(([name, { sizes: list }]) => [name, list]));
        const turned = firstRefused(ways, asked, { single: one === "single-numa-node", sizes });
        if (turned !== undefined) {
          say(`may have no NUMA node with ${turned}`);
          return;
        }
      }
}

const belongs = ({ members }: CapacityPool, host: Host): boolean =>
  host.node !== undefined && members.size > 0 && allowsLabels(members, host.labels);

function containersOf({ name, pod }: PodSetDemand, step: Step): readonly ContainerNeeds[] {
  const devices = Object.entries(pod.requests).filter(([key]) => key.includes("/"));
  const list = pod.containers ?? [{ name, kind: "main" as const, requests: Object.fromEntries(devices) }];
  const main = list.find(({ kind }) => kind === "main");
  return list.map((one) => (one === main ? { ...one, requests: { ...one.requests, ...step.addedRequests } } : one));
}

/** App containers and sidecars, or an init container beside the sidecars before it. */
function atOnce(containers: readonly ContainerNeeds[]): ContainerNeeds {
  const requests: Record<string, number> = {};
  for (const [at, { kind, requests: own }] of containers.entries())
    for (const name of Object.keys(own)) {
      const beside = containers.filter(
        (one, other) => one.kind === "sidecar" || (kind === "main" && one.kind === "main" && other !== at),
      );
      const before =
        kind === "init"
          ? beside.filter((one) => containers.indexOf(one) < at)
          : beside.filter((one) => containers.indexOf(one) !== at);
      requests[name] = Math.max(
        requests[name] ?? 0,
        (own[name] ?? 0) + total(before.map((one) => one.requests[name] ?? 0)),
      );
    }
  return { name: "", kind: "main", requests };
}

/** Every way in which what is free may lie; undefined: too many. */
function waysOf(
  bounds: ReadonlyMap<string, { readonly bounds: Bounds; readonly free: number }>,
): readonly Free[] | undefined {
  let ways: Free[] = [new Map()];
  for (const [name, { bounds: zones, free }] of bounds) {
    let lists: (readonly number[])[] = [[]];
    const room = total(zones.map(({ high }) => high));
    const rest = Math.max(0, Math.min(free, room));
    for (const [at, { low, high }] of zones.entries()) {
      const later = zones.slice(at + 1);
      lists = lists.flatMap((list) => {
        const left = rest - total(list);
        const least = Math.max(low, left - total(later.map((one) => one.high)));
        const most = Math.min(high, left - total(later.map((one) => one.low)));
        return Array.from({ length: Math.max(0, most - least + 1) }, (_, more) => [...list, least + more]);
      });
      if (lists.length * ways.length > MOST_WAYS) return undefined;
    }
    ways = ways.flatMap((way) => lists.map((list) => new Map([...way, [name, list]])));
  }
  return ways;
}

interface Pod {
  readonly name: string;
  readonly count: number;
  readonly asks: readonly Ask[];
}
interface Ask {
  readonly kind: ContainerNeeds["kind"];
  readonly amounts: readonly (readonly [string, number])[];
}
interface Machine {
  readonly single: boolean;
  readonly sizes: Free;
}

/** What a pod asks for that some order and some way of lying leave without a place. */
function firstRefused(ways: readonly Free[], pods: readonly Pod[], machine: Machine): string | undefined {
  const [alike] = pods.flatMap(({ asks }) => asks.flatMap(({ amounts }) => amounts));
  if (alike !== undefined && pods.every((pod) => isUniform(pod, alike))) {
    const [name, amount] = alike;
    if (smallest(machine.sizes.get(name) ?? [], amount) === 1) {
      const wanted = total(
        pods.map(({ count, asks }) => count * asks.filter(({ amounts }) => amounts.length > 0).length),
      );
      const worst = Math.min(
        ...ways.map((free) => total((free.get(name) ?? []).map((one) => Math.floor(one / amount)))),
      );
      return wanted > worst ? wordsOf(pods[0]) : undefined;
    }
  }
  const seen = new Set<string>();
  const text = (free: Free, left: readonly number[]): string => JSON.stringify([[...free], left]);
  const open = ways.map((free) => ({ free, left: pods.map(({ count }) => count) }));
  for (let next = open.pop(); next !== undefined && seen.size < MOST_WAYS; next = open.pop()) {
    const { free, left } = next;
    for (const [index, pod] of pods.entries()) {
      if ((left[index] ?? 0) === 0 || pod.asks.every(({ amounts }) => amounts.length === 0)) continue;
      const rest = left.map((count, at) => (at === index ? count - 1 : count));
      const afterwards = placed(free, pod.asks, machine);
      if (afterwards === undefined) return wordsOf(pod);
      for (const after of afterwards) {
        const key = text(after, rest);
        if (!seen.has(key)) open.push({ free: after, left: rest });
        seen.add(key);
      }
    }
  }
  return undefined;
}

function wordsOf(pod: Pod | undefined): string {
  const asks = (pod?.asks ?? []).filter(({ amounts }) => amounts.length > 0);
  const each = asks.map(({ amounts }) => amounts.map(([name, amount]) => `${amount} ${name}`).join(" and "));
  return `${each.join(", then ")} free for ${pod?.name}`;
}

/** Asks each container of the pod for just this, or for nothing; what an init container leaves is not to be taken up. */
function isUniform({ asks }: Pod, [name, amount]: readonly [string, number]): boolean {
  const asking = asks.filter(({ amounts }) => amounts.length > 0);
  return (
    asking.every(({ amounts }) => amounts.length === 1 && amounts[0]?.[0] === name && amounts[0][1] === amount) &&
    (asking.length < 2 || asking.every(({ kind }) => kind !== "init"))
  );
}

/** How things may lie when the containers have got theirs one by one; undefined: one of them may get nothing. */
function placed(free: Free, asks: readonly Ask[], { single, sizes }: Machine): readonly Free[] | undefined {
  let states: { free: Free; spare: Free }[] = [{ free, spare: new Map() }];
  for (const { kind, amounts } of asks) {
    if (amounts.length === 0) continue;
    const next: { free: Free; spare: Free }[] = [];
    for (const state of states) {
      const spareOf = (name: string): readonly number[] => state.spare.get(name) ?? [];
      const needs = amounts.map(([name, amount]) => smallest(sizes.get(name) ?? [], amount));
      const width = needs[0] ?? 0;
      if (needs.some((one) => one !== width) || (single && width > 1)) return undefined;
      const groups = groupsOf(sizes.get(amounts[0]?.[0] ?? "")?.length ?? 0, width).filter((group) =>
        amounts.every(([name, amount]) => {
          const there = total(group.map((zone) => (state.free.get(name)?.[zone] ?? 0) + (spareOf(name)[zone] ?? 0)));
          const kept = total(group.map((zone) => spareOf(name)[zone] ?? 0));
          return there >= amount && kept === total(spareOf(name));
        }),
      );
      if (groups.length === 0) return undefined;
      // The kubelet takes the first zone; of several together those that lie closest, which is not told.
      for (const group of width === 1 ? groups.slice(0, 1) : groups) next.push(...given(state, group, kind, amounts));
    }
    states = next;
  }
  return states.map((state) => state.free);
}

/** Every way to give a container its amounts out of a group of zones, what init containers left first. */
function given(
  state: { readonly free: Free; readonly spare: Free },
  group: readonly number[],
  kind: ContainerNeeds["kind"],
  amounts: Ask["amounts"],
): { free: Free; spare: Free }[] {
  let states = [state];
  for (const [name, amount] of amounts)
    states = states.flatMap((one) => {
      const spare = one.spare.get(name) ?? [];
      const free = one.free.get(name) ?? [];
      const again = Math.min(amount, total(spare));
      return splits(
        spare,
        spare.map((_, zone) => zone),
        again,
      ).flatMap((back) =>
        splits(free, group, amount - again).map((taken) => {
          const left = free.map(
            (_, zone) => (spare[zone] ?? 0) + (kind === "init" ? (taken[zone] ?? 0) : -(back[zone] ?? 0)),
          );
          return {
            free: new Map([
              ...one.free,
              [name, free.map((amountFree, zone) => amountFree - (taken[zone] ?? 0))] as const,
            ]),
            spare: new Map([...one.spare, [name, left] as const]),
          };
        }),
      );
    });
  return states;
}

/** So much out of some zones, in every way; memory and CPUs of several zones as evenly as not to be followed: all of it, or from the first ones. */
function splits(free: readonly number[], zones: readonly number[], amount: number): readonly (readonly number[])[] {
  const [zone, ...others] = zones;
  if (zone === undefined) return amount === 0 ? [[]] : [];
  const rest = total(others.map((one) => free[one] ?? 0));
  const [least, most] = [Math.max(0, amount - rest), Math.min(amount, free[zone] ?? 0)];
  const steps =
    most - least > 64 ? [most] : Array.from({ length: Math.max(0, most - least + 1) }, (_, more) => least + more);
  return steps.flatMap((here) =>
    splits(free, others, amount - here).map((list) => {
      const taken = free.map((_, at) => list[at] ?? 0);
      taken[zone] = here;
      return taken;
    }),
  );
}

/** How few zones could hold the amount, were they empty. */
function smallest(sizes: readonly number[], amount: number): number {
  const sorted = [...sizes].sort((a, b) => b - a);
  const count = sorted.findIndex((_, at) => total(sorted.slice(0, at + 1)) >= amount);
  return count === -1 ? Number.POSITIVE_INFINITY : count + 1;
}

/** Groups of so many zones, the first zones first. */
function groupsOf(zones: number, width: number, from = 0): readonly (readonly number[])[] {
  if (width === 0) return [[]];
  if (width > zones - from) return [];
  return Array.from({ length: zones - from }, (_, at) => from + at).flatMap((first) =>
    groupsOf(zones, width - 1, first + 1).map((others) => [first, ...others]),
  );
}
