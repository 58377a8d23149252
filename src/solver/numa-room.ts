import { type ContainerNeeds, heldTogether } from "../model/index.ts";
import type { Field } from "./field.ts";
import { admitsAll, type NumaSetting } from "./numa.ts";
import { fewest, type NumaAsk, type NumaScene, type NumaState } from "./numa-admit.ts";
import type { NumaLook } from "./numa-looks.ts";
import { admissions } from "./numa-orders.ts";
import type { Laid } from "./numa-stock.ts";
import { isAlone, type Shape } from "./shape.ts";

/**
 * Pods beside those that stand: `least` are admitted whatever is not known and in whatever order they come, `most` in some case. `doubt` says
 * what is not known where they differ; `%` stands for the nodes.
 */
export interface NumaRoom {
  readonly least: number;
  readonly most: number;
  readonly doubt: string;
}

export interface NumaRooms {
  /** Of `most` pods of a shape on a row those that its kubelet admits. `standing`: pods by shape that stand there. */
  on(row: number, shape: number, most: number, standing: readonly number[] | undefined): NumaRoom;
  /** The same on a row of this look on which nothing stands. */
  of(look: NumaLook, shape: number, most: number): NumaRoom;
  /** Rows that look alike have equal texts. */
  look(row: number): string;
}

const ORDER_DOUBT = "whether every pod finds a NUMA node on % depends on which of them its kubelet admits first";
const MANAGER_DOUBT =
  "the NodeResourceTopology of % lists CPU or memory by NUMA node: if static managers hand them out, the kubelet refuses the pod";
const sum = (list: readonly number[]): number => list.reduce((total, one) => total + one, 0);

interface Resource {
  readonly name: string;
  readonly stock: Laid;
}

/** Undefined where no row has a rule. */
export function numaRooms(field: Field, shapes: readonly Shape[]): NumaRooms | undefined {
  const { numa } = field;
  if (numa === undefined) return undefined;
  const known = new Map<NumaLook, Map<string, NumaRoom>>();
  const roomBeside = (
    look: NumaLook,
    shape: number,
    most: number,
    standing: readonly number[] | undefined,
  ): NumaRoom => {
    const rooms = known.get(look) ?? new Map<string, NumaRoom>();
    known.set(look, rooms);
    const key = `${shape} ${most} ${standing?.join() ?? ""}`;
    const room = rooms.get(key) ?? roomOf(look, shapes, shape, most, standing ?? shapes.map(() => 0));
    rooms.set(key, room);
    return room;
  };
  return {
    look: (row) => numa.look(row)?.text ?? "",
    of: (look, shape, most) => roomBeside(look, shape, most, undefined),
    on(row, shape, most, standing) {
      const look = most === 0 ? undefined : numa.look(row);
      return look === undefined ? { least: most, most, doubt: "" } : roomBeside(look, shape, most, standing);
    },
  };
}

function roomOf(
  { rule, stocks }: NumaLook,
  shapes: readonly Shape[],
  shape: number,
  most: number,
  standing: readonly number[],
): NumaRoom {
  const here = [...shapes.keys()].filter((one) => one === shape || (standing[one] ?? 0) > 0);
  const asked = new Set(
    here.flatMap((one) => shapes[one]?.containers.flatMap(({ requests }) => Object.keys(requests)) ?? []),
  );
  const bearing = stocks.filter(([name, { kind }]) => kind !== "loose" && asked.has(name));
  if (bearing.length === 0) return { least: most, most, doubt: "" };
  const unclear = bearing.flatMap(([, stock]) => (stock.kind === "unclear" ? [stock.doubt] : []));
  const laid = bearing.flatMap(([name, stock]) => (stock.kind === "laid" ? [{ name, stock }] : []));
  // Whether a kubelet has static managers of CPU and memory is not told, only that it may.
  const devices = laid.filter(({ name }) => name.includes("/"));
  const cases = devices.length === laid.length ? [laid] : [laid, devices];
  const rooms = rule.settings.flatMap((setting) =>
    admitsAll(setting)
      ? [{ least: most, most }]
      : cases.map((resources) => roomUnder(setting, resources, shapes, here, shape, most, standing)),
  );
  const least = unclear.length > 0 ? 0 : Math.min(...rooms.map((one) => one.least));
  const bound = Math.max(...rooms.map((one) => one.most));
  const open = laid.find(({ stock }) => sum(stock.least) < stock.total && sum(stock.most) > stock.total);
  const doubt =
    unclear[0] ??
    (rule.settings.length > 1 ? rule.doubt : undefined) ??
    open?.stock.doubt ??
    (cases.length > 1 ? MANAGER_DOUBT : ORDER_DOUBT);
  return { least: Math.min(least, bound), most: bound, doubt };
}

function roomUnder(
  setting: NumaSetting,
  resources: readonly Resource[],
  shapes: readonly Shape[],
  here: readonly number[],
  shape: number,
  most: number,
  standing: readonly number[],
): { readonly least: number; readonly most: number } {
  if (resources.length === 0) return { least: most, most };
  const { policy, scope } = setting;
  if (policy !== "single-numa-node" && policy !== "restricted") return { least: most, most };
  const asks = shapes.map(({ containers }, number) =>
    here.includes(number) ? asksOf(containers, scope, resources) : [],
  );
  if (asks[shape]?.length === 0) return { least: most, most };
  // Zones without any of it are in no set that is preferred.
  const zones = [...(resources[0]?.stock.sizes ?? []).keys()].filter((zone) =>
    resources.some(({ stock }) => (stock.sizes[zone] ?? 0) > 0),
  );
  const only = (list: readonly number[]): readonly number[] => zones.map((zone) => list[zone] ?? 0);
  const stocks = resources.map(({ stock }) => ({
    ...stock,
    sizes: only(stock.sizes),
    least: only(stock.least),
    most: only(stock.most),
  }));
  const counted = stocks.length === 1 ? counting(policy, stocks[0] as Laid, asks, shape, standing) : undefined;
  if (counted !== undefined) return { least: Math.min(most, counted.least), most: Math.min(most, counted.most) };
  const units = resources.map(({ name }) => (name.includes("/") ? 1 : name === "cpu" ? 1000 : 0));
  const scene: NumaScene = { policy, sizes: stocks.map(({ sizes }) => sizes), units };
  const starts = layouts(stocks);
  if (starts === undefined) return { least: 0, most };
  return admissions(scene, starts, asks, { shape, most, standing, alone: isAlone(shapes) });
}

/** Container by container, or all at once. */
function asksOf(
  containers: readonly ContainerNeeds[],
  scope: NumaSetting["scope"],
  resources: readonly Resource[],
): readonly NumaAsk[] {
  const amounts = (requests: ContainerNeeds["requests"]): readonly number[] =>
    resources.map(({ name }) => requests[name] ?? 0);
  const asks: readonly NumaAsk[] =
    scope === "pod"
      ? [{ kind: "main", amounts: amounts(heldTogether(containers)) }]
      : containers.map(({ kind, requests }) => ({ kind, amounts: amounts(requests) }));
  return asks.filter(({ amounts: one }) => one.some((amount) => amount > 0));
}

/**
 * Every container asks for equally many of one resource, so that which zone it takes makes no difference to how many find one: the fewest and the most
 * over all ways in which what is free can lie. Undefined where that is not so.
 */
function counting(
  policy: NumaSetting["policy"],
  stock: Laid,
  asks: readonly (readonly NumaAsk[])[],
  shape: number,
  standing: readonly number[],
): { readonly least: number; readonly most: number } | undefined {
  const amounts = new Set(asks.flatMap((list) => list.map((ask) => ask.amounts[0] ?? 0)));
  const [each] = amounts;
  const own = asks[shape]?.length ?? 1;
  // What an init container leaves is taken up by those after it.
  const reuses = asks.some((list) => list.length > 1 && list.some(({ kind }) => kind === "init"));
  if (each === undefined || amounts.size > 1 || reuses) return undefined;
  const width = fewest(stock.sizes, each);
  const units = unitsIn(policy, stock, each, width);
  if (units === undefined) return undefined;
  const taken = standing.reduce((total, pods, at) => total + pods * (asks[at]?.length ?? 0), 0);
  const pods = (count: number): number => Math.max(0, Math.floor((count - taken) / own));
  return { least: pods(units.least), most: pods(units.most) };
}

function unitsIn(
  policy: NumaSetting["policy"],
  stock: Laid,
  each: number,
  width: number,
): { readonly least: number; readonly most: number } | undefined {
  if (width === 1) return extremes(stock, each);
  if (policy === "single-numa-node" || !Number.isFinite(width)) return { least: 0, most: 0 };
  // Where it takes all zones that have any, what is free may lie on whichever.
  const all = stock.sizes.filter((size) => size > 0).length;
  const units = Math.floor(stock.total / each);
  return width === all ? { least: units, most: units } : undefined;
}

/** The fewest and the most amounts of `each` that lie within one zone. */
function extremes({ least, most, total }: Laid, each: number): { least: number; most: number } {
  let fewestBySum = new Map([[0, 0]]);
  let mostBySum = new Map([[0, 0]]);
  for (const [zone, top] of most.entries()) {
    const [fewer, more] = [new Map<number, number>(), new Map<number, number>()];
    for (const [before, units] of fewestBySum) {
      const best = mostBySum.get(before) ?? 0;
      for (let here = least[zone] ?? 0; here <= top && before + here <= total; here += 1) {
        const own = Math.floor(here / each);
        fewer.set(before + here, Math.min(fewer.get(before + here) ?? Number.POSITIVE_INFINITY, units + own));
        more.set(before + here, Math.max(more.get(before + here) ?? 0, best + own));
      }
    }
    fewestBySum = fewer;
    mostBySum = more;
  }
  return { least: fewestBySum.get(total) ?? 0, most: mostBySum.get(total) ?? 0 };
}

/** Ways to lie that are followed one by one. */
const MOST_LAYOUTS = 400;

/** Every way in which what is free can lie; undefined: too many to follow. */
function layouts(stocks: readonly Laid[]): readonly NumaState[] | undefined {
  let states: NumaState[] = [[]];
  for (const stock of stocks) {
    const own = layoutsOf(stock);
    if (own === undefined || states.length * own.length > MOST_LAYOUTS) return undefined;
    states = states.flatMap((state) => own.map((free) => [...state, free]));
  }
  return states;
}

function layoutsOf({ least, most, total }: Laid): readonly (readonly number[])[] | undefined {
  const found: number[][] = [];
  const fill = (zone: number, rest: number, before: readonly number[]): boolean => {
    if (zone === least.length) {
      if (rest === 0) found.push([...before]);
      return found.length <= MOST_LAYOUTS;
    }
    const top = Math.min(most[zone] ?? 0, rest);
    for (let here = least[zone] ?? 0; here <= top; here += 1)
      if (!fill(zone + 1, rest - here, [...before, here])) return false;
    return true;
  };
  if (sum(least) === total) return [least];
  return fill(0, total, []) ? found : undefined;
}
