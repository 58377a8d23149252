import type { DeviceRequest } from "../model/index.ts";
import { valuesIn } from "./bonds.ts";
import type { Field } from "./field.ts";
import { attributeText, devicesOf } from "./node-stock.ts";
import { joined, plural } from "./text.ts";

/** Devices that one constraint binds on a node, by the class that is asked for: what of each there is, and how many one group takes. */
interface Member {
  readonly deviceClassName: string;
  readonly selectors: readonly string[];
  readonly takes: number;
}

interface Group {
  readonly attribute: string;
  readonly members: readonly Member[];
  /** Equal groups of one pod. */
  wanted: number;
}

/**
 * Why the devices of a node can serve no pod of these requests whatever is free, as far as classes and constraints tell it: a class of which there is none,
 * an attribute that is not told, values that never meet, or fewer groups of one value than a pod needs. `texts` grows while rows are looked at.
 */
export function misaligned(
  field: Field,
  requests: readonly DeviceRequest[],
): { readonly texts: readonly string[]; of(row: number): number | undefined } {
  const single = requests.filter(({ firstAvailable, count }) => firstAvailable === undefined && count !== "all");
  // The table of all devices is made for those who ask for some.
  if (single.length === 0) return { texts: [], of: () => undefined };
  const { devices: table } = field.index;
  const groups = groupsOf(single);
  const wanted = [...new Map(single.map((one) => [memberKey(one), one])).values()];
  const texts: string[] = [];
  const place = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  const lacks = wanted.map((one) => place(`no device of class ${one.deviceClassName} that the pod's claims select`));
  const faults = groups.map(({ attribute, members }) => ({
    silent: members.map((member) =>
      place(
        members.length > 1
          ? `its ${member.deviceClassName} devices do not tell ${attribute}, by which they are to be aligned`
          : `its devices do not tell ${attribute}, by which they are to be aligned`,
      ),
    ),
    apart: place(
      `its ${members.map(({ deviceClassName }) => deviceClassName).join(" and ")} devices never share one ${attribute}`,
    ),
  }));
  const served = (row: number, { selectors }: Pick<DeviceRequest, "selectors">): readonly number[] =>
    devicesOf(field, [row]).filter((id) => selectors.every((text) => table.selected(text).of[id] === 1));
  const find = (row: number): number | undefined => {
    const none = wanted.findIndex((one) => served(row, one).length === 0);
    if (none !== -1) return lacks[none];
    for (const [index, { attribute, members, wanted: count }] of groups.entries()) {
      const values = members.map((member) => valuesOf(field, served(row, member), attribute));
      const silent = values.findIndex((one) => one.size === 0);
      if (silent !== -1) return faults[index]?.silent[silent];
      const shared = [...(values[0]?.keys() ?? [])].filter((value) => values.every((one) => one.has(value)));
      if (shared.length === 0) return faults[index]?.apart;
      const room = shared.reduce(
        (sum, value) =>
          sum + Math.min(...members.map(({ takes }, at) => Math.floor((values[at]?.get(value) ?? 0) / takes))),
        0,
      );
      if (room < count) return place(shortText(attribute, members, room, count));
    }
    return undefined;
  };
  const layouts = field.index.deviceIndex.layouts({
    selectors: [...new Set(wanted.flatMap(({ selectors }) => selectors))],
    attributes: [...new Set(groups.map(({ attribute }) => attribute))],
    capacity: false,
  });
  const known = new Map<number, number | undefined>();
  return {
    texts,
    of(row) {
      const layout = layouts[row] ?? -1;
      if (layout === -1) return find(row);
      if (!known.has(layout)) known.set(layout, find(row));
      return known.get(layout);
    },
  };
}

function shortText(attribute: string, members: readonly Member[], room: number, wanted: number): string {
  const group = joined(members.map(({ takes, deviceClassName }) => `${takes} ${deviceClassName}`));
  const made = room === 0 ? "no group" : plural(room, "group");
  const needs = wanted === 1 ? "" : `, and a pod needs ${wanted}`;
  return `its devices make ${made} of ${group} with one ${attribute}${needs}`;
}

const memberKey = ({ deviceClassName, selectors }: Pick<DeviceRequest, "deviceClassName" | "selectors">): string =>
  JSON.stringify([deviceClassName, selectors]);

/** Each constraint once, equal ones counted. */
function groupsOf(requests: readonly DeviceRequest[]): readonly Group[] {
  const seen = new Set<string>();
  const groups = new Map<string, Group>();
  for (const { claim, matchAttributes } of requests)
    for (const { attribute, requests: names } of matchAttributes) {
      const id = JSON.stringify([claim, attribute, names]);
      if (seen.has(id)) continue;
      seen.add(id);
      const bound = requests.filter(
        (one) => one.claim === claim && (names.length === 0 || names.includes(one.name)) && one.count !== "all",
      );
      const members = new Map<string, Member>();
      for (const one of bound) {
        const key = memberKey(one);
        const { deviceClassName, selectors } = one;
        const takes = (members.get(key)?.takes ?? 0) + Number(one.count);
        members.set(key, { deviceClassName, selectors, takes });
      }
      const key = JSON.stringify([attribute, [...members].sort(([a], [b]) => (a < b ? -1 : 1))]);
      const group = groups.get(key) ?? { attribute, members: [...members.values()], wanted: 0 };
      group.wanted += 1;
      groups.set(key, group);
    }
  return [...groups.values()].filter(({ members }) => members.length > 0);
}

/** How many devices have each value; one of a list of values counts for each, so that none is called short which is not. */
function valuesOf(field: Field, ids: readonly number[], attribute: string): ReadonlyMap<string, number> {
  const { devices: table } = field.index;
  const values = new Map<string, number>();
  for (const id of ids) {
    const device = table.devices[id];
    const text = device === undefined ? undefined : attributeText(device.driver, device.attributes, attribute);
    const uses = device?.allowMultipleAllocations === true ? Number.POSITIVE_INFINITY : 1;
    for (const value of text === undefined ? [] : valuesIn(text)) values.set(value, (values.get(value) ?? 0) + uses);
  }
  return values;
}
