import { compareText } from "./order.ts";
import type { CounterSet, SliceFacts } from "./slice.ts";
import type { DeviceFacts, DevicePool } from "./types.ts";

/**
 * Slices joined into pools as the allocator of k8s.io/dynamic-resource-allocation does: by driver and pool name,
 * only the highest generation, complete once as many slices are there as each of them says. Pools sort by (driver, name) and slices
 * by name, which is the order in which the allocator tries devices.
 */
export function joinPools(slices: readonly SliceFacts[]): readonly DevicePool[] {
  const groups = new Map<string, SliceFacts[]>();
  for (const slice of slices) {
    const key = `${slice.driver}/${slice.pool}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [slice]);
    else group.push(slice);
  }
  const pools = [...groups.values()].flatMap((group) => {
    const generation = Math.max(...group.map((slice) => slice.generation));
    const current = group.filter((slice) => slice.generation === generation);
    current.sort((a, b) => compareText(a.name, b.name));
    const [first] = current;
    if (first === undefined) return [];
    const devices = current.flatMap((slice) => slice.devices);
    const sets = current.flatMap((slice) => slice.counterSets);
    const complete = current.every((slice) => slice.sliceCount === current.length);
    const pool: DevicePool = {
      driver: first.driver,
      name: first.pool,
      generation,
      complete,
      invalid: invalidity(devices, sets, complete),
      devices,
      counterSets: totals(sets),
    };
    return [pool];
  });
  return pools.sort(comparePools);
}

/** The order in which the allocator tries pools. */
export function comparePools(a: DevicePool, b: DevicePool): number {
  return compareText(a.driver, b.driver) || compareText(a.name, b.name);
}

function invalidity(
  devices: readonly DeviceFacts[],
  sets: readonly CounterSet[],
  complete: boolean,
): string | undefined {
  const names = new Set<string>();
  for (const { name } of devices) {
    if (names.has(name)) return `device ${name} is published twice`;
    names.add(name);
  }
  const counters = new Map<string, CounterSet>();
  for (const set of sets) {
    if (counters.has(set.name)) return `counter set ${set.name} is published twice`;
    counters.set(set.name, set);
  }
  // A slice that is not here yet may hold the counters.
  if (!complete) return undefined;
  for (const device of devices) {
    for (const use of device.consumesCounters) {
      const set = counters.get(use.counterSet);
      if (set === undefined) return `device ${device.name} uses counter set ${use.counterSet}, which nothing publishes`;
      const unknown = Object.keys(use.counters).find((counter) => !Object.hasOwn(set.counters, counter));
      if (unknown !== undefined) return `device ${device.name} uses counter ${unknown}, which set ${set.name} lacks`;
    }
  }
  return undefined;
}

function totals(sets: readonly CounterSet[]): NonNullable<DevicePool["counterSets"]> {
  const result: Record<string, Readonly<Record<string, bigint>>> = Object.create(null);
  for (const set of sets) result[set.name] = set.counters;
  return result;
}
