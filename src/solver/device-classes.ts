import { type Kept, keep } from "../model/index.ts";
import type { Moves } from "./device-moves.ts";
import type { DeviceTable } from "./device-table.ts";
import {
  type Interest,
  interestText,
  type Layouts,
  layoutsOf,
  type Numbering,
  numbering,
  usedText,
} from "./device-twins.ts";
import type { UsedDevices } from "./device-used.ts";
import type { Stock } from "./stock.ts";

/** Nodes whose devices allow the same as the ledger stands. */
export interface DeviceClasses {
  /** Row -> a number that is equal for such nodes; -1: not to be compared. */
  readonly of: Int32Array;
  /** What was found of the devices of a class: it stands as long as the class does. */
  readonly stocks: Kept<Stock>;
}

/** Nodes grouped by their devices: alone, and by which of them are in use. */
export interface DeviceGroups {
  layouts(interest: Interest): Layouts;
  classes(interest: Interest): DeviceClasses;
  /** What was asked for lately. */
  readonly kept: { readonly layouts: Kept<Layouts>; readonly classes: Kept<Followed> };
}

interface Followed extends DeviceClasses {
  readonly interest: Interest;
  readonly numbers: Numbering;
  /** The moment of the ledger as of which it holds. */
  at: number;
}

/** What another topology may take over of the groups of an earlier one. */
export interface EarlierGroups {
  readonly groups: DeviceGroups;
  readonly table: DeviceTable;
  /** Undefined: the ledger is another. */
  readonly used: UsedDevices | undefined;
  readonly moves: Moves;
}

/** A number by node each. */
const KEPT_INTERESTS = 8;
/** Some kilobytes each. */
const KEPT_STOCKS = 256;
/** Numbers of classes that no node is in any more are forgotten when there are this many times as many as nodes. */
const STALE = 4;

/**
 * Nodes grouped by their devices and which of them are in use, for requests of one kind: made once, and kept up node by node as claims come and go, and
 * as nodes and pools do. What is left of devices that are shared is another matter.
 */
export function groupDevices(
  table: DeviceTable,
  used: UsedDevices,
  rows: number,
  earlier?: EarlierGroups,
): DeviceGroups {
  const kept = { layouts: keep<Layouts>(KEPT_INTERESTS), classes: keep<Followed>(KEPT_INTERESTS) };
  const layouts = (interest: Interest): Layouts => {
    const text = interestText(interest);
    return kept.layouts.get(text) ?? kept.layouts.set(text, layoutsOf(table, rows, interest));
  };
  /** The class of a row by the ledger of this moment. */
  const classing = (interest: Interest, numbers: Numbering): ((row: number) => number) => {
    const { of } = layouts(interest);
    const now = used.now();
    return (row) => {
      const layout = of[row] ?? -1;
      return layout === -1 ? -1 : numbers.of(`${layout}:${usedText(table.onNode(row), now)}`);
    };
  };
  const fresh = (interest: Interest): Followed => {
    const numbers = numbering();
    const classOf = classing(interest, numbers);
    const of = Int32Array.from({ length: rows }, (_, row) => classOf(row));
    return { interest, of, numbers, stocks: keep<Stock>(KEPT_STOCKS), at: used.moment() };
  };
  if (earlier !== undefined) takeOver(earlier);
  return {
    kept,
    layouts,
    classes(interest) {
      const text = interestText(interest);
      const known = kept.classes.get(text);
      used.now();
      const ids = known === undefined ? undefined : used.moved(known.at);
      if (known === undefined || ids === undefined || known.numbers.size() > STALE * rows + 1)
        return kept.classes.set(text, fresh(interest));
      const classOf = classing(interest, known.numbers);
      for (const row of new Set(ids.map(table.rowOf))) if (row !== -1) known.of[row] = classOf(row);
      known.at = used.moment();
      return known;
    },
  };

  function takeOver({ groups, moves, table: before, used: followed }: EarlierGroups): void {
    for (const [text, was] of groups.kept.layouts.entries())
      kept.layouts.set(text, layoutsOf(table, rows, was.interest, was, moves));
    for (const [text, was] of groups.kept.classes.entries()) {
      const changed = followed?.moved(was.at);
      const own = kept.layouts.get(text);
      // Other numbers of layouts make other classes.
      if (changed === undefined || own === undefined || own.numbers !== groups.kept.layouts.get(text)?.numbers)
        continue;
      const stale = new Set(changed.map(before.rowOf));
      const classOf = classing(was.interest, was.numbers);
      const of = Int32Array.from(moves.rows, (from, row) =>
        from === -1 || stale.has(from) ? classOf(row) : (was.of[from] ?? -1),
      );
      // They name devices, which are there as long as the pools are the same.
      const stocks = before.pools === table.pools ? was.stocks : keep<Stock>(KEPT_STOCKS);
      kept.classes.set(text, { ...was, of, stocks, at: used.moment() });
    }
  }
}
