import { type Kept, keep } from "../model/index.ts";
import type { DeviceTable } from "./device-table.ts";
import { type Interest, interestText, usedText } from "./device-twins.ts";
import type { Stock } from "./stock.ts";

/** Devices in use by the ledger, and which of them may have changed since a moment; undefined: any. */
export interface UsedDevices {
  /** By device number: 1 where an allocated claim has it. Not to be written to. */
  now(): Uint8Array;
  moment(): number;
  moved(since: number): readonly number[] | undefined;
}

/** Nodes whose devices allow the same as the ledger stands. */
export interface DeviceClasses {
  /** Row -> a number that is equal for such nodes; -1: not to be compared. */
  readonly of: Int32Array;
  /** What was found of the devices of a class: it stands as long as the class does. */
  readonly stocks: Kept<Stock>;
}

/** A number by node each. */
const KEPT_INTERESTS = 8;
/** Some kilobytes each. */
const KEPT_STOCKS = 256;
/** Numbers of classes that no node is in any more are forgotten when there are this many times as many as nodes. */
const STALE = 4;

/**
 * Nodes grouped by their devices and which of them are in use, for requests of one kind: made once, and kept up node by node as claims come and go. What
 * is left of devices that are shared is another matter.
 */
export function deviceClasses(
  table: () => DeviceTable,
  used: UsedDevices,
  rowOf: (device: number) => number,
  rows: number,
): (interest: Interest) => DeviceClasses {
  const kept = keep<DeviceClasses & { readonly numbers: Map<string, number>; at: number }>(KEPT_INTERESTS);
  return (interest) => {
    const text = interestText(interest);
    const layouts = table().layouts(interest);
    const now = used.now();
    const classOf = (numbers: Map<string, number>, row: number): number => {
      const layout = layouts[row] ?? -1;
      if (layout === -1) return -1;
      const look = `${layout}:${usedText(table().onNode(row), now)}`;
      const number = numbers.get(look) ?? numbers.size;
      if (number === numbers.size) numbers.set(look, number);
      return number;
    };
    const known = kept.get(text);
    const ids = known === undefined ? undefined : used.moved(known.at);
    if (known === undefined || ids === undefined || known.numbers.size > STALE * rows + 1) {
      const numbers = new Map<string, number>();
      const of = new Int32Array(rows);
      for (let row = 0; row < rows; row += 1) of[row] = classOf(numbers, row);
      return kept.set(text, { of, numbers, stocks: keep<Stock>(KEPT_STOCKS), at: used.moment() });
    }
    for (const row of new Set(ids.map(rowOf))) if (row !== -1) known.of[row] = classOf(known.numbers, row);
    known.at = used.moment();
    return known;
  };
}
