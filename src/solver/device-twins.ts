import type { DeviceFacts } from "../topology/index.ts";
import type { Moves } from "./device-moves.ts";
import { json, partOf } from "./device-parts.ts";
import type { DeviceTable } from "./device-table.ts";
import { attributeText } from "./node-stock.ts";

/** What of a device can matter to a set of requests, beside whether it is in use. */
export interface Interest {
  readonly selectors: readonly string[];
  readonly attributes: readonly string[];
  readonly capacity: boolean;
}

export const interestText = ({ selectors, attributes, capacity }: Interest): string =>
  JSON.stringify([selectors, attributes, capacity]);

/** Nodes compared by their devices. */
export interface Layouts {
  readonly interest: Interest;
  /** Row -> a number that is equal for nodes whose devices allow the same while the same of them are in use; -1: the node is not like others. */
  readonly of: Int32Array;
  readonly kinds: Numbering;
  readonly numbers: Numbering;
}

/** Numbers that no row has any more are forgotten when there are this many times as many as rows. */
const STALE = 4;

/**
 * Compares nodes by their devices, in the allocator's order: what selectors say of each, the attributes that must agree or differ, taints, and
 * counters. Names do not count. A node of which some device is doubtful, fails a selector or is within reach of other nodes stands alone.
 * Equal numbers mean the same as they did in `before`, of which rows that are as they were are taken over.
 */
export function layoutsOf(
  table: DeviceTable,
  rows: number,
  interest: Interest,
  before?: Layouts,
  moves?: Moves,
): Layouts {
  const taken = before !== undefined && moves !== undefined && before.numbers.size() <= STALE * rows;
  const kinds = taken ? before.kinds : numbering();
  const numbers = taken ? before.numbers : numbering();
  const of = new Int32Array(rows).fill(-1);
  if (table.detached.length > 0) return { interest, of, kinds, numbers };
  const selected = interest.selectors.map((expression) => table.selected(expression));
  const layoutOf = (row: number): number => {
    let text = "";
    let pool = -1;
    for (const id of table.onNode(row)) {
      const device = table.devices[id];
      if (device === undefined || table.doubt[id] !== undefined || table.joint[id] === true) return -1;
      const results = selected.map((one) => one.of[id] ?? 0);
      if (results.includes(2)) return -1;
      const own = table.poolOf[id] ?? -1;
      const facts = table.pools[own];
      if (own !== pool) text += `/${kinds.of(facts === undefined ? "" : partOf(facts).counters)}`;
      pool = own;
      text += `,${kinds.of(`${results.join("")}${kindText(device, interest)}`)}`;
    }
    return numbers.of(text);
  };
  for (let row = 0; row < rows; row += 1) {
    const was = taken ? (moves.rows[row] ?? -1) : -1;
    of[row] = was === -1 ? layoutOf(row) : (before?.of[was] ?? -1);
  }
  return { interest, of, kinds, numbers };
}

function kindText(device: DeviceFacts, { attributes, capacity }: Interest): string {
  const { driver, taints, consumesCounters, allowMultipleAllocations: shared } = device;
  let text = `|${driver}|${shared}`;
  for (const name of attributes) text += `|${attributeText(driver, device.attributes, name) ?? ""}`;
  if (capacity || shared) text += `|${json([device.capacity, device.capacities])}`;
  if (taints.length > 0) text += `|t${json(taints)}`;
  if (consumesCounters.length > 0) text += `|c${json(consumesCounters)}`;
  return text;
}

/** Equal texts have one number. */
export interface Numbering {
  of(text: string): number;
  size(): number;
}

export function numbering(): Numbering {
  const known = new Map<string, number>();
  return {
    of(text) {
      const found = known.get(text);
      if (found !== undefined) return found;
      known.set(text, known.size);
      return known.size - 1;
    },
    size: () => known.size,
  };
}

/** Which of a node's devices are in use, as text. */
export function usedText(ids: readonly number[], used: Uint8Array): string {
  let text = "";
  let bits = 0;
  for (const [index, id] of ids.entries()) {
    bits = (bits << 1) | (used[id] ?? 0);
    if (index % 15 === 14) {
      text += String.fromCharCode(bits);
      bits = 0;
    }
  }
  return text + String.fromCharCode(bits);
}
