import type { DeviceFacts, DevicePool, Ledger } from "./types.ts";

/** What claims name a device by. */
export function deviceId(device: DeviceFacts): string {
  return `${device.driver}/${device.pool}/${device.name}`;
}

/**
 * Devices of a pool that no claim holds, no taint keeps claims off, and whose shared counters still suffice: a card of which one partition is taken is
 * not free as a whole. Each is free by itself; two partitions of one card may exclude each other.
 */
export function freeDevices(pool: DevicePool, ledger: Ledger): readonly DeviceFacts[] {
  const left = countersLeft(pool, ledger);
  return pool.devices.filter((device) => {
    if (ledger.devices.has(deviceId(device)) && !device.allowMultipleAllocations) return false;
    if (device.taints.length > 0) return false;
    return device.consumesCounters.every((use) => {
      const set = left.get(use.counterSet);
      return (
        set !== undefined && Object.entries(use.counters).every(([name, amount]) => (set.get(name) ?? 0n) >= amount)
      );
    });
  });
}

/** Shared counters of a pool after what its allocated devices use, by set and counter, in nano-units. */
export function countersLeft(pool: DevicePool, ledger: Ledger): ReadonlyMap<string, ReadonlyMap<string, bigint>> {
  const left = new Map<string, Map<string, bigint>>();
  for (const [set, counters] of Object.entries(pool.counterSets ?? {}))
    left.set(set, new Map(Object.entries(counters)));
  if (left.size === 0) return left;
  for (const device of pool.devices) {
    if (!ledger.devices.has(deviceId(device))) continue;
    for (const use of device.consumesCounters) {
      const set = left.get(use.counterSet);
      for (const [name, amount] of Object.entries(use.counters)) set?.set(name, (set.get(name) ?? 0n) - amount);
    }
  }
  return left;
}
