import { allowsLabels } from "../model/index.ts";
import type { AttributeValue } from "../topology/index.ts";
import type { Budget } from "./budget.ts";
import type { Field } from "./field.ts";
import { servedInTurn } from "./first-fit.ts";
import { kindStock } from "./kind-devices.ts";
import { type PodDevices, packDevices, type Stock } from "./pack.ts";
import type { Shape } from "./shape.ts";
import { isTolerated } from "./shape.ts";

/** Pods of some shapes on one row. */
export type Load = readonly { readonly shape: number; readonly pods: number }[];

/** What the devices of each row allow, for the shapes of one attempt. */
export interface DeviceView {
  /** Most pods of one shape beside a load, at most `limit`. */
  most(row: number, shape: number, limit: number, beside: Load): number;
  /** Device names for each pod of the load, in its order; undefined where they do not hold together. */
  allocate(row: number, load: Load): readonly (readonly string[])[] | undefined;
  /** Most pods of the shape, at most `limit`, that the scheduler's allocator serves there in its own order. */
  inTurn(row: number, shape: number, limit: number): number;
  /** Rows with equal signatures have devices that nothing tells apart. */
  signature(row: number): string;
  /** Selectors that fail or do not compile, as whole sentences. Filled while rows are looked at. */
  readonly faults: ReadonlySet<string>;
  /** What would have to be known, filled where doubtful devices match. */
  readonly doubts: ReadonlySet<string>;
}

/** Undefined where no shape asks for devices. */
export function deviceView(field: Field, shapes: readonly Shape[], budget: Budget): DeviceView | undefined {
  if (shapes.every((shape) => shape.devices.length === 0)) return undefined;
  const faults = new Set<string>();
  const doubts = new Set<string>();
  const requests = shapes.flatMap((shape, index) => shape.devices.map((request) => ({ shape: index, request })));
  const asks: readonly PodDevices[] = shapes.map((shape) =>
    podDevices(shape, (request) => requests.findIndex((one) => one.request === request)),
  );
  const table = field.index.devices;
  for (const id of table.detached)
    for (const { request } of requests)
      if (selects(field, id, request.selectors, faults))
        doubts.add(doubtText("detached", table.devices[id]?.driver ?? "", table.devices[id]?.pool ?? ""));
  const stocks = new Map<number, Stock>();
  const stockOf = (row: number): Stock => {
    const kind = field.kindOf[row] ?? -1;
    const at = kind === -1 ? row : field.existing + kind;
    const known = stocks.get(at);
    if (known !== undefined) return known;
    const fresh =
      kind === -1
        ? nodeStock(field, row, requests, asks, faults, doubts)
        : kindStock(field, kind, requests, asks, doubts);
    stocks.set(at, fresh);
    return fresh;
  };
  const memo = new Map<string, number>();
  const podsOf = (load: Load) =>
    load.flatMap(({ shape, pods }) => Array.from({ length: pods }, () => asks[shape] ?? NO_DEVICES));
  return {
    faults,
    doubts,
    most(row, shape, limit, beside) {
      const ask = asks[shape];
      if (ask === undefined || ask.requests.length === 0) return limit;
      const stock = stockOf(row);
      const others = beside.filter((one) => one.pods > 0 && (asks[one.shape]?.requests.length ?? 0) > 0);
      const [only] = ask.requests;
      if (
        others.length === 0 &&
        ask.requests.length === 1 &&
        ask.constraints.length === 0 &&
        only !== undefined &&
        only.count !== "all"
      ) {
        let matching = 0;
        for (const group of stock.groups)
          if ((group.mask & (1 << only.request)) !== 0) matching += group.devices.length;
        return Math.min(limit, Math.floor(matching / only.count));
      }
      const key = `${stock.signature}#${shape}#${others.map((one) => `${one.shape}x${one.pods}`).join(",")}`;
      const known = memo.get(key);
      if (known !== undefined && known < limit) return known;
      let most = 0;
      const standing = podsOf(others);
      while (most < limit) {
        const pods = [...standing, ...Array.from({ length: most + 1 }, () => ask)];
        if (packDevices(stock, pods, budget) === undefined) break;
        most += 1;
      }
      if (most < limit && !budget.exhausted) memo.set(key, most);
      return most;
    },
    signature: (row) => stockOf(row).signature,
    inTurn(row, shape, limit) {
      const ask = asks[shape];
      // One request that binds nothing leaves nothing over that another order would not; new devices are all alike.
      const simple = ask === undefined || (ask.requests.length < 2 && ask.constraints.length === 0);
      if (simple || row >= field.existing) return limit;
      const rank = (device: string): number => table.number.get(device) ?? 0;
      return servedInTurn(stockOf(row), ask, limit, rank, budget) ?? limit;
    },
    allocate(row, load) {
      return packDevices(stockOf(row), podsOf(load), budget);
    },
  };
}

const NO_DEVICES: PodDevices = { requests: [], constraints: [] };

/** The requests of one pod with their numbers, and its constraints by the numbers of the requests that they bind. */
function podDevices(shape: Shape, numberOf: (request: Shape["devices"][number]) => number): PodDevices {
  const constraints = new Map<string, { attribute: string; requests: Set<number> }>();
  for (const request of shape.devices) {
    for (const { attribute, requests } of request.matchAttributes) {
      const bound = shape.devices.filter(
        (one) => one.claim === request.claim && (requests.length === 0 || requests.includes(one.name)),
      );
      const key = `${request.claim}|${attribute}|${[...requests].sort().join(",")}`;
      constraints.set(key, { attribute, requests: new Set(bound.map(numberOf)) });
    }
  }
  return {
    requests: shape.devices.map((request) => ({ request: numberOf(request), count: request.count })),
    constraints: [...constraints.values()].filter(({ requests }) => requests.size > 0),
  };
}

/** Free devices of a node in groups that no request or constraint tells apart. */
function nodeStock(
  field: Field,
  row: number,
  requests: readonly { readonly shape: number; readonly request: Shape["devices"][number] }[],
  asks: readonly PodDevices[],
  faults: Set<string>,
  doubts: Set<string>,
): Stock {
  const table = field.index.devices;
  const attributes = [...new Set(asks.flatMap((ask) => ask.constraints.map(({ attribute }) => attribute)))];
  const groups = new Map<string, { mask: number; values: readonly (string | undefined)[]; devices: string[] }>();
  const totals = new Map<number, number>();
  const blocked = new Set<number>();
  const { topology } = field.index;
  const labels = topology.nodes[row]?.labels ?? {};
  // Devices that several nodes reach only ever count as a hope; each node may hope for all of them.
  const detached = !field.hopeful
    ? []
    : table.detached.filter((id) => {
        const reach = table.devices[id]?.reach;
        if (reach === undefined || "node" in reach) return false;
        return "all" in reach || allowsLabels(reach.selection, labels);
      });
  for (const id of [...table.onNode(row), ...detached]) {
    const device = table.devices[id];
    if (device === undefined) continue;
    const doubt = table.doubt[id] ?? ("node" in device.reach ? undefined : "detached");
    let mask = 0;
    for (const [number, { request }] of requests.entries()) {
      if (!selects(field, id, request.selectors, faults)) continue;
      if (doubt !== undefined) doubts.add(doubtText(doubt, device.driver, device.pool));
      if (request.count === "all") {
        totals.set(number, (totals.get(number) ?? 0) + 1);
        if ((doubt !== undefined && !field.hopeful) || (!field.nominal && field.deviceUsed[id] === 1))
          blocked.add(number);
      }
      if (!field.nominal && device.taints.some((taint) => !isTolerated(request.tolerations, taint))) continue;
      mask |= 1 << number;
    }
    if (mask === 0 || (doubt !== undefined && !field.hopeful)) continue;
    if (!field.nominal && field.deviceUsed[id] === 1) continue;
    const values = attributes.map((name) => attributeText(device.driver, device.attributes, name));
    const key = `${mask}|${values.join("|")}`;
    const group = groups.get(key) ?? { mask, values, devices: [] };
    group.devices.push(table.keys[id] ?? device.name);
    groups.set(key, group);
  }
  return finish(groups, attributes, totals, blocked);
}

export function finish(
  groups: ReadonlyMap<string, { mask: number; values: readonly (string | undefined)[]; devices: readonly string[] }>,
  attributes: readonly string[],
  totals: ReadonlyMap<number, number>,
  blocked: ReadonlySet<number>,
): Stock {
  const sorted = [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
  const all = [...totals].map(([request, total]) => `${request}:${blocked.has(request) ? "x" : total}`).join(",");
  return {
    groups: sorted.map(([, group]) => group),
    attributes,
    totals: new Map([...totals].filter(([request]) => !blocked.has(request))),
    signature: `${sorted.map(([key, group]) => `${key}*${group.devices.length}`).join(";")}!${all}`,
  };
}

/** Enough to tell; every device of a driver may fail in the same way. */
const MAX_FAULTS = 3;

/** Every selector in order, so that a later one that fails is not reached where an earlier one says no. */
function selects(field: Field, id: number, selectors: readonly string[], faults: Set<string>): boolean {
  const table = field.index.devices;
  for (const expression of selectors) {
    const selected = table.selected(expression);
    if (selected.selector === undefined) {
      faults.add(selected.fault ?? "a selector does not compile");
      if (!field.hopeful) return false;
      continue;
    }
    const result = selected.of[id] ?? 0;
    if (result === 2 && field.hopeful) continue;
    if (result === 2 && faults.size < MAX_FAULTS) {
      const device = table.devices[id];
      const outcome = device === undefined ? true : selected.selector.matches(device);
      const why = typeof outcome === "boolean" ? "it fails" : outcome.fault;
      faults.add(
        `the selector ${short(expression)} fails on device ${table.keys[id]} (${why}), and the scheduler then gives up on the pod: guard it with has() or in`,
      );
    }
    if (result !== 1) return false;
  }
  return true;
}

function doubtText(doubt: string, driver: string, pool: string): string {
  const which = `device pool ${driver}/${pool}`;
  switch (doubt) {
    case "incomplete":
      return `${which} is incomplete: not all of its ResourceSlices are there`;
    case "invalid":
      return `${which} is invalid, so the scheduler leaves it out`;
    case "counters":
      return `${which} holds partitions of shared cards, whose counters are not judged yet`;
    case "shared":
      return `${which} holds devices that several claims may share, which is not judged yet`;
    default:
      return `${which} is reached from several nodes, which is not judged yet`;
  }
}

export function short(expression: string): string {
  const line = expression.replaceAll(/\s+/g, " ").trim();
  return line.length > 80 ? `${line.slice(0, 77)}...` : line;
}

/** A qualified name; one without a domain belongs to the driver's. List values agree where they are equal. */
export function attributeText(
  driver: string,
  attributes: Readonly<Record<string, Readonly<Record<string, AttributeValue>>>>,
  name: string,
): string | undefined {
  const slash = name.indexOf("/");
  const [domain, id] = slash === -1 ? [driver, name] : [name.slice(0, slash), name.slice(slash + 1)];
  const values = Object.hasOwn(attributes, domain) ? attributes[domain] : undefined;
  return values !== undefined && Object.hasOwn(values, id) ? JSON.stringify(values[id]) : undefined;
}
