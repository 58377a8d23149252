import type { CapacityPool, DeviceConstraint, DeviceRequest } from "../model/index.ts";
import { valuesIn } from "./bonds.ts";
import { declaredOf } from "./declared.ts";
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
 * an attribute that is not told, values that never meet, fewer groups of one value than a pod needs, or fewer values than must differ. `texts` grows while rows are looked at.
 */
export function misaligned(
  field: Field,
  requests: readonly DeviceRequest[],
): { readonly texts: readonly string[]; of(row: number): number | undefined } {
  const single = singleRequests(requests);
  // The table of all devices is made for those who ask for some.
  if (single.length === 0) return { texts: [], of: () => undefined };
  const wants = wantsOf(single);
  const { groups, apart, wanted } = wants;
  const texts: string[] = [];
  const place = (text: string): number => (texts.includes(text) ? texts.indexOf(text) : texts.push(text) - 1);
  // In an order that does not depend on which row is looked at first.
  for (const one of wanted) place(lackText(one));
  for (const { attribute, members } of groups) {
    for (const member of members) place(silentText(attribute, members, member));
    place(apartText(attribute, members));
  }
  const find = (row: number): number | undefined => {
    const text = faultIn(wants, (one) => reached(field, row, one));
    return text === undefined ? undefined : place(text);
  };
  const layouts = field.index.deviceIndex.layouts({
    selectors: [...new Set(wanted.flatMap(({ selectors }) => selectors))],
    attributes: [...new Set([...groups, ...apart].map(({ attribute }) => attribute))],
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

/** The same of a new node: its own devices are as its pool declares them. */
export function misalignedNew(
  field: Field,
  row: number,
  pool: CapacityPool,
  requests: readonly DeviceRequest[],
): string | undefined {
  const single = singleRequests(requests);
  const { devices: table } = field.index;
  if (single.length === 0) return undefined;
  return faultIn(wantsOf(single), (one) => [
    ...reached(field, row, one),
    ...declaredOf(pool).flatMap(({ driver, groups }) =>
      groups
        .filter(({ input }) => one.selectors.every((text) => table.selected(text).selector?.matches(input) === true))
        .map(({ input, devices }) => ({
          value: (attribute: string) => attributeText(driver, input.attributes, attribute),
          count: devices.length,
        })),
    ),
  ]);
}

function reached(field: Field, row: number, { selectors }: Pick<DeviceRequest, "selectors">): readonly Aligned[] {
  const { devices: table } = field.index;
  return devicesOf(field, [row]).flatMap((id) => {
    const device = table.devices[id];
    if (device === undefined || !selectors.every((text) => table.selected(text).of[id] === 1)) return [];
    const value = (attribute: string) => attributeText(device.driver, device.attributes, attribute);
    return [{ value, count: device.allowMultipleAllocations ? Number.POSITIVE_INFINITY : 1 }];
  });
}

const singleRequests = (requests: readonly DeviceRequest[]): readonly DeviceRequest[] =>
  requests.filter(({ firstAvailable, count }) => firstAvailable === undefined && count !== "all");

interface Wants {
  readonly wanted: readonly DeviceRequest[];
  readonly groups: readonly Group[];
  /** Devices that must all differ. */
  readonly apart: readonly Group[];
}

const wantsOf = (single: readonly DeviceRequest[]): Wants => ({
  wanted: [...new Map(single.map((one) => [memberKey(one), one])).values()],
  groups: groupsOf(single, ({ matchAttributes }) => matchAttributes),
  apart: groupsOf(single, ({ distinctAttributes }) => distinctAttributes ?? []),
});

/** Devices that serve a request, what they tell of themselves, and how often each group can be had. */
interface Aligned {
  value(attribute: string): string | undefined;
  readonly count: number;
}

/** The first thing that is amiss. `served`: what serves requests of these selectors. */
function faultIn(
  { wanted, groups, apart }: Wants,
  served: (one: Pick<DeviceRequest, "selectors">) => readonly Aligned[],
): string | undefined {
  const none = wanted.find((one) => served(one).length === 0);
  if (none !== undefined) return lackText(none);
  for (const { attribute, members, wanted: count } of groups) {
    const values = members.map((member) => valuesOf(served(member), attribute));
    const silent = members[values.findIndex((one) => one.size === 0)];
    if (silent !== undefined) return silentText(attribute, members, silent);
    const shared = [...(values[0]?.keys() ?? [])].filter((value) => values.every((one) => one.has(value)));
    if (shared.length === 0) return apartText(attribute, members);
    const room = shared.reduce(
      (sum, value) =>
        sum + Math.min(...members.map(({ takes }, at) => Math.floor((values[at]?.get(value) ?? 0) / takes))),
      0,
    );
    if (room < count) return shortText(attribute, members, room, count);
  }
  for (const { attribute, members } of apart) {
    const values = new Set(members.flatMap((one) => [...valuesOf(served(one), attribute).keys()]));
    const takes = members.reduce((sum, one) => sum + one.takes, 0);
    if (values.size < takes) return alikeText(attribute, values.size, takes);
  }
  return undefined;
}

const lackText = ({ deviceClassName }: Pick<DeviceRequest, "deviceClassName">): string =>
  `no device of class ${deviceClassName} that the pod's claims select`;

const silentText = (attribute: string, members: readonly Member[], { deviceClassName }: Member): string =>
  `the ${members.length > 1 ? `${deviceClassName} ` : ""}devices there do not tell ${attribute}, by which they are to be aligned`;

const apartText = (attribute: string, members: readonly Member[]): string =>
  `the ${members.map(({ deviceClassName }) => deviceClassName).join(" and ")} devices there never share one ${attribute}`;

function shortText(attribute: string, members: readonly Member[], room: number, wanted: number): string {
  const group = joined(members.map(({ takes, deviceClassName }) => `${takes} ${deviceClassName}`));
  const made = room === 0 ? "no group" : plural(room, "group");
  const needs = wanted === 1 ? "" : `, and a pod needs ${wanted}`;
  return `the devices there make ${made} of ${group} with one ${attribute}${needs}`;
}

const alikeText = (attribute: string, values: number, takes: number): string =>
  `the devices there have ${values === 0 ? "no value" : plural(values, "value")} of ${attribute}, in which ${takes} of one pod must differ`;

const memberKey = ({ deviceClassName, selectors }: Pick<DeviceRequest, "deviceClassName" | "selectors">): string =>
  JSON.stringify([deviceClassName, selectors]);

/** Each constraint once, equal ones counted. */
function groupsOf(
  requests: readonly DeviceRequest[],
  constraintsOf: (request: DeviceRequest) => readonly DeviceConstraint[],
): readonly Group[] {
  const seen = new Set<string>();
  const groups = new Map<string, Group>();
  for (const request of requests)
    for (const { attribute, requests: names } of constraintsOf(request)) {
      const { claim } = request;
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
function valuesOf(devices: readonly Aligned[], attribute: string): ReadonlyMap<string, number> {
  const values = new Map<string, number>();
  for (const { value: told, count } of devices) {
    const text = told(attribute);
    for (const value of text === undefined ? [] : valuesIn(text)) values.set(value, (values.get(value) ?? 0) + count);
  }
  return values;
}
