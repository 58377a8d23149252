import { endOf, entriesSince } from "../model/index.ts";
import type { Ledger } from "../topology/index.ts";
import { carry, type DeviceTable, firstNumbers, UNKNOWN } from "./device-table.ts";

/** Devices in use by the ledger, and which of them may have changed since a moment; undefined: any. */
export interface UsedDevices {
  readonly ledger: Ledger;
  /** By device number: 1 where an allocated claim has it. Not to be written to. */
  now(): Uint8Array;
  moment(): number;
  moved(since: number): readonly number[] | undefined;
}

/** Devices that changed, told one by one. */
const MOST_CHANGED = 4096;

/** Where the ledger logs what changed, only that is looked at again; of an earlier table's on the same ledger only other devices are. */
export function followDevices(
  ledger: Ledger,
  table: DeviceTable,
  before?: { readonly used: UsedDevices; readonly table: DeviceTable },
): UsedDevices {
  let known: { readonly used: Uint8Array; readonly of: Ledger["devices"]; next: number } | undefined;
  let [start, changed]: [number, number[]] = [0, []];
  const end = (): number => (ledger.log === undefined ? 0 : endOf(ledger.log));
  if (before !== undefined && ledger.log !== undefined && isSameLedger(before.used.ledger, ledger)) {
    const used = carry(table.pools, before.used.now(), firstNumbers(table.pools, before.table));
    for (let id = used.indexOf(UNKNOWN); id !== -1; id = used.indexOf(UNKNOWN, id + 1)) {
      const key = table.keys[id] ?? "";
      // Of devices of one name the last counts.
      used[id] = ledger.devices.has(key) && table.numberOf(key) === id ? 1 : 0;
    }
    known = { used, of: ledger.devices, next: end() };
  }
  const catchUp = (): Uint8Array => {
    const { log } = ledger;
    if (known === undefined || known.of !== ledger.devices || known.next < (log?.start ?? 0)) {
      known = { used: new Uint8Array(table.devices.length), of: ledger.devices, next: end() };
      for (const key of ledger.devices.keys()) mark(known.used, table.numberOf(key), 1);
      [start, changed] = [start + changed.length + 1, []];
    }
    for (const key of (log === undefined ? undefined : entriesSince(log, known.next)) ?? []) {
      const id = table.numberOf(key);
      mark(known.used, id, ledger.devices.has(key) ? 1 : 0);
      if (id !== undefined) changed.push(id);
    }
    if (changed.length > MOST_CHANGED) [start, changed] = [start + changed.length, []];
    known.next = end();
    return known.used;
  };
  return {
    ledger,
    now: catchUp,
    moment: () => start + changed.length,
    moved: (since) => (since < start ? undefined : changed.slice(since - start)),
  };
}

export function isSameLedger(a: Ledger, b: Ledger): boolean {
  return a.devices === b.devices && a.log !== undefined && a.log === b.log;
}

function mark(used: Uint8Array, id: number | undefined, value: 0 | 1): void {
  if (id !== undefined) used[id] = value;
}
