import type { Option, PodDevices } from "./ask.ts";
import type { Field } from "./field.ts";
import { type Asked, kindStock, requestOf, type Served } from "./kind-devices.ts";
import { type Notes, nodeStock, type Wanted } from "./node-stock.ts";
import type { Shape } from "./shape.ts";
import { type All, finish, type Group, type Stock } from "./stock.ts";

/** What a new node publishes itself, in a stock of several rows: its options are numbered from `from` on. */
export interface OwnPart {
  readonly row: number;
  readonly stock: Stock;
  readonly from: number;
}

/** What pods of all shapes may come to ask for together. */
export interface Demanded {
  readonly shapes: readonly Shape[];
  /** By shape. */
  ask(shape: number): PodDevices;
}

/** Devices of a node that does not exist yet. */
export interface NewStock {
  /** Those that it publishes itself. */
  readonly own: Stock;
  /** Beside those that other nodes reach as well. */
  readonly all: Stock;
}

/**
 * A new node has what its pool declares, and reaches what drivers publish for nodes by their labels. Where the latter is enough for all pods, what the
 * pool does not declare of the same driver leaves no doubt.
 */
export function newStock(
  field: Field,
  row: number,
  asked: Asked,
  demanded: Demanded,
  notes: Notes,
  claim: ReadonlySet<number> | undefined,
): NewStock {
  const kind = field.kindOf[row] ?? -1;
  const { options, attributes, bonds } = asked;
  if (field.index.devices.detached.length === 0) {
    const own = kindStock(field, kind, asked, notes.doubts);
    return { own, all: own };
  }
  const wanted = options.map((option): Wanted => ({ row, option, number: option.number }));
  const shared = nodeStock(field, [row], wanted, attributes, notes, claim);
  const served: Served = {
    fully: (number) => !bonds.some((bond) => bond.options.has(number)) && suffices(shared, number, demanded),
    partly: (number) => (shared.alls.get(number)?.groups.length ?? 0) > 0,
    elsewhere: (number) => (claim?.size ?? 0) > 1 && options[number]?.request.sharedClaim !== undefined,
  };
  const own = kindStock(field, kind, asked, notes.doubts, served);
  const bare = shared.groups.length === 0 && shared.alls.size === 0 && shared.broken === undefined;
  return { own, all: bare ? own : joinStocks(field, shared, [{ row, stock: own, from: 0 }], options, notes) };
}

/** Are free devices that serve the option, and are had alone, as many as all pods ask for that may take one of them. */
function suffices({ groups }: Stock, option: number, { shapes, ask }: Demanded): boolean {
  const serving = groups.filter(
    ({ serves, shares, counters }) => serves[option] === true && shares === undefined && counters.length === 0,
  );
  let left = serving.reduce((sum, { devices }) => sum + devices.length, 0);
  for (const [number, { set, count, peak, required }] of shapes.entries()) {
    const pods = set.perNode ? Number.POSITIVE_INFINITY : Math.max(count, peak, required);
    for (const { options } of ask(number).slots) {
      if (!options.some((one) => serving.some(({ serves }) => serves[one.number] === true))) continue;
      const counts = options.map(({ request }) => (request.count === "all" ? Number.POSITIVE_INFINITY : request.count));
      left -= pods * Math.max(...counts);
    }
  }
  return serving.length > 0 && left >= 0;
}

/**
 * What several rows reach, and what new nodes of some of these publish themselves. A new node at which the scheduler may give up on a pod, for a selector
 * that fails on a device or for a pool that is not whole, serves no such request.
 */
export function joinStocks(
  field: Field,
  shared: Stock,
  parts: readonly OwnPart[],
  options: readonly Option[],
  notes: Notes,
): Stock {
  const groups: Group[] = [...shared.groups];
  const alls = new Map<number, All>(shared.alls);
  const closed = new Set<number>();
  for (const { row, stock, from } of parts) {
    const base = groups.length;
    const before = new Array<boolean>(from).fill(false);
    groups.push(...stock.groups.map((group) => ({ ...group, serves: [...before, ...group.serves] })));
    for (const [number, { groups: list, blocked }] of stock.alls) {
      const known = alls.get(from + number);
      alls.set(from + number, {
        groups: [...(known?.groups ?? []), ...list.map((at) => base + at)],
        blocked: blocked || known?.blocked === true,
      });
    }
    for (const { number, request, label } of options) {
      const why = field.hopeful ? undefined : givesUp(shared, from + number, request.count === "all");
      if (why === undefined) continue;
      closed.add(from + number);
      const pool = field.kinds[field.kindOf[row] ?? -1]?.pool.name ?? "";
      notes.doubts.add(
        `kube-scheduler may give up on a pod for request ${requestOf(label)} at a new node of pool ${pool}: ${why}`,
      );
    }
  }
  const open = groups.map((group) =>
    group.serves.some((one, number) => one && closed.has(number))
      ? { ...group, serves: group.serves.map((one, number) => one && !closed.has(number)) }
      : group,
  );
  for (const number of closed) alls.set(number, { groups: alls.get(number)?.groups ?? [], blocked: true });
  const extra = parts.map(({ row }) => field.kinds[field.kindOf[row] ?? -1]?.pool.name).join();
  return finish({ ...shared, groups: open, alls, extra });
}

function givesUp({ groups, broken }: Stock, number: number, whole: boolean): string | undefined {
  const failing = groups.find(({ faulty }) => faulty.includes(number));
  if (failing !== undefined) return `a selector fails on device ${failing.devices[0]}`;
  return whole ? broken : undefined;
}
