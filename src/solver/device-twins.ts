import type { DeviceFacts } from "../topology/index.ts";
import type { DeviceTable } from "./device-table.ts";
import { attributeText } from "./node-stock.ts";

/** What of a device can matter to a set of requests, beside whether it is in use. */
export interface Interest {
  readonly selectors: readonly string[];
  readonly attributes: readonly string[];
  readonly capacity: boolean;
}

/** Row -> a number that is equal for nodes whose devices allow the same while the same of them are in use; -1: the node is not like others. */
export type Layouts = Int32Array;

export const interestText = ({ selectors, attributes, capacity }: Interest): string =>
  JSON.stringify([selectors, attributes, capacity]);

/**
 * Compares nodes by their devices, in the allocator's order: what selectors say of each, the attributes that must agree or differ, taints, and
 * counters. Names do not count. A node of which some device is doubtful, fails a selector or is within reach of other nodes stands alone.
 */
export function layoutsOf(table: DeviceTable, nodes: number, interest: Interest): Layouts {
  const layouts = new Int32Array(nodes).fill(-1);
  if (table.detached.length > 0) return layouts;
  const selected = interest.selectors.map((expression) => table.selected(expression));
  const kinds = numbering();
  const numbers = numbering();
  for (let row = 0; row < nodes; row += 1) {
    const ids = table.onNode(row);
    let text = "";
    let pool = -1;
    let alone = false;
    for (const id of ids) {
      const device = table.devices[id];
      const results = selected.map(({ of }) => of[id] ?? 0);
      if (device === undefined || table.doubt[id] !== undefined || table.joint[id] === true || results.includes(2)) {
        alone = true;
        break;
      }
      const own = table.poolOf[id] ?? -1;
      if (own !== pool) text += `/${kinds(table.countersOf(own))}`;
      pool = own;
      text += `,${kinds(`${results.join("")}${kindText(device, interest)}`)}`;
    }
    layouts[row] = alone ? -1 : numbers(text);
  }
  return layouts;
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

function numbering(): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const found = known.get(text);
    if (found !== undefined) return found;
    known.set(text, known.size);
    return known.size - 1;
  };
}

export const json = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => (typeof one === "bigint" ? `${one}n` : one));

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
