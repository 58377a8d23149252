import type { Meaning } from "./case.ts";
import type { ReplayClaim, ReplayPod } from "./pod.ts";

/** One device of a node, in the order in which the scheduler's allocator sees it. */
export interface ReplayDevice {
  readonly driver: string;
  readonly pool: string;
  readonly name: string;
  /** By qualified name. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

interface Slot {
  readonly claim: ReplayClaim;
  readonly request: string;
  readonly meanings: readonly Meaning[];
  readonly all: boolean;
}

/** Device sets are bit masks by place in the node's list. */
type Mask = number;

/**
 * Every way to serve one pod from the devices that are left, in the allocator's order: claim by claim, request by request, device by
 * device, always from the first on, going back where a constraint cannot be met. The first one is what the allocator takes.
 */
export function* allocations(devices: readonly ReplayDevice[], taken: Mask, pod: ReplayPod): Generator<Mask> {
  const slots: Slot[] = [];
  for (const claim of pod.claims)
    for (const { name, count, meanings } of claim.requests) {
      const matching = devices.filter((device) => selects(meanings, device)).length;
      // All of nothing is refused.
      if (count === "all" && matching === 0) return;
      const total = count === "all" ? matching : count;
      for (let index = 0; index < total; index += 1)
        slots.push({ claim, request: name, meanings, all: count === "all" });
    }
  const seen = new Set<Mask>();
  const place = function* (at: number, mask: Mask, values: ReadonlyMap<string, string | number>): Generator<Mask> {
    const slot = slots[at];
    if (slot === undefined) {
      if (!seen.has(mask)) {
        seen.add(mask);
        yield mask;
      }
      return;
    }
    for (const [index, device] of devices.entries()) {
      if ((mask & (1 << index)) !== 0 || !selects(slot.meanings, device)) continue;
      const next = bound(slot, device, values, pod.claims.indexOf(slot.claim));
      if (next !== undefined) yield* place(at + 1, mask | (1 << index), next);
    }
  };
  yield* place(0, taken, new Map());
}

function selects(meanings: readonly Meaning[], device: ReplayDevice): boolean {
  return meanings.every(
    ({ driver, attributes = {} }) =>
      (driver === undefined || driver === device.driver) &&
      Object.entries(attributes).every(([name, value]) => device.attributes[name] === value),
  );
}

function bound(
  slot: Slot,
  device: ReplayDevice,
  values: ReadonlyMap<string, string | number>,
  claim: number,
): ReadonlyMap<string, string | number> | undefined {
  let next = values;
  for (const [index, { attribute, requests }] of slot.claim.constraints.entries()) {
    if (requests.length > 0 && !requests.includes(slot.request)) continue;
    const value = device.attributes[attribute];
    const key = `${claim}/${index}`;
    if (value === undefined || (values.has(key) && values.get(key) !== value)) return undefined;
    next = new Map([...next, [key, value]]);
  }
  return next;
}

/**
 * What the scheduler's allocator does with one pod: the devices that are then taken; nothing where it passes the node over; `abort` where
 * it gives up on the pod, because all devices are wanted and a constraint forbids the next of them.
 */
export function firstFit(devices: readonly ReplayDevice[], taken: Mask, pod: ReplayPod): Mask | "abort" | undefined {
  const requests = pod.claims.flatMap((claim) => claim.requests.map((request) => ({ claim, request })));
  type Outcome = Mask | "abort" | undefined;
  const serve = (at: number, mask: Mask, values: ReadonlyMap<string, string | number>): Outcome => {
    const one = requests[at];
    if (one === undefined) return mask;
    const { claim, request } = one;
    const slot: Slot = { claim, request: request.name, meanings: request.meanings, all: request.count === "all" };
    const matching = [...devices.entries()].filter(([, device]) => selects(request.meanings, device));
    const wanted = request.count === "all" ? matching.length : request.count;
    if (wanted === 0) return undefined;
    const pick = (from: number, left: number, picked: Mask, bind: ReadonlyMap<string, string | number>): Outcome => {
      if (left === 0) return serve(at + 1, picked, bind);
      for (const [place, [index, device]] of matching.entries()) {
        if (place < from) continue;
        const free = (picked & (1 << index)) === 0;
        const next = free ? bound(slot, device, bind, pod.claims.indexOf(claim)) : undefined;
        if (slot.all && !free) return undefined;
        if (slot.all && next === undefined) return "abort";
        const done = next === undefined ? undefined : pick(place + 1, left - 1, picked | (1 << index), next);
        if (done !== undefined || slot.all) return done;
      }
      return undefined;
    };
    return pick(0, wanted, mask, values);
  };
  return serve(0, taken, new Map());
}

/** Most pods that the devices serve by any choice, not only the allocator's. */
export function mostPods(devices: readonly ReplayDevice[], taken: Mask, pod: ReplayPod, limit: number): number {
  if (pod.claims.length === 0) return limit;
  const known = new Map<Mask, number>();
  const most = (mask: Mask, left: number): number => {
    if (left === 0) return 0;
    const before = known.get(mask);
    if (before !== undefined) return Math.min(before, left);
    let best = 0;
    for (const next of allocations(devices, mask, pod)) best = Math.max(best, 1 + most(next, limit));
    known.set(mask, best);
    return Math.min(best, left);
  };
  return most(taken, limit);
}
