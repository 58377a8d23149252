import { once } from "../model/index.ts";
import type { Budget } from "./budget.ts";
import { type Count, countIn, MOST, movingCount, type Room } from "./count.ts";
import { type DeviceView, deviceView, type Load } from "./devices.ts";
import type { Counts } from "./distribute.ts";
import { type Amounts, amountsIn, screen } from "./feasible.ts";
import type { Field } from "./field.ts";
import { numaCount } from "./numa-count.ts";
import { numaRooms } from "./numa-room.ts";
import { isAlone, type Shape } from "./shape.ts";
import type { Domains, Screen } from "./topology-index.ts";

/** What a search moves: room by shape and row, and the pods that it has put down so far. `take` undoes `put` exactly. */
export interface Board {
  readonly field: Field;
  readonly shapes: readonly Shape[];
  readonly screens: readonly Screen[];
  readonly devices: DeviceView | undefined;
  readonly rows: readonly number[];
  /** Most pods of the shape on each row beside what stands there: to be asked for again after a `put`. Not to be written to. */
  cap(shape: number): Int32Array;
  /** The same in numbers that are kept while nothing stands. */
  count(shape: number): Count;
  /** The same by domain. */
  room(shape: number, domains: Domains): Room;
  put(shape: number, counts: Counts): void;
  take(shape: number, counts: Counts): void;
  /**
   * Why the scheduler gives up on pods of the shape, once it looks at some row that has room. Where that is certain to come before all required
   * pods stand, and nodes are as they are, no row has room.
   */
  aborted(shape: number): Aborted | undefined;
  /** Rows of which it is not known how many pods their kubelet admits, and why; `%` stands for the nodes. */
  readonly unsure: ReadonlyMap<number, string>;
  /** By shape: rows whose kubelet may turn pods away for which there is room by count. */
  readonly refused: readonly ReadonlySet<number>[];
  /** Rows that look alike to every shape have equal texts. */
  look(row: number): string;
}

export interface Aborted {
  readonly row: number;
  readonly why: string;
  /** After so many pods on the row. */
  readonly after: number;
  /** Whatever the order: every pod, or the last of those that are required. */
  readonly inevitable: boolean;
  /** Inevitable, and so few rows have room that kube-scheduler looks at all of them. */
  readonly certain: boolean;
}

/** All pods of these shapes stand on such rows: the one where their claim is, or those of the domain that they share. */
export interface Pin {
  readonly shapes: readonly number[];
  holds(row: number): boolean;
  /** It is for a claim that they share, of which the devices reach all of these rows. */
  readonly claim?: ReadonlySet<number>;
}

/** kube-scheduler looks at this many feasible nodes at least, if there are. */
const LOOKED_AT = 100;

/** Of as many as there are; existing nodes have one list for all fields. */
const rowsOf = once((kinds: Int32Array): readonly number[] => [...kinds.keys()]);

/** `open`: rows that may be used; absent: all. */
export function boardFor(
  field: Field,
  shapes: readonly Shape[],
  budget: Budget,
  open?: (row: number) => boolean,
  pins: readonly Pin[] = [],
): Board {
  const width = field.columns.length;
  const screens = shapes.map((shape) => screen(field, shape));
  const amounts = shapes.map((shape) => amountsIn(field, shape));
  const claim = pins.find((pin) => pin.claim !== undefined)?.claim;
  const devices = deviceView(field, shapes, budget, claim);
  /** Rows of `field.free` as they are once something stands there. */
  const left = new Map<number, Float64Array>();
  const leftOn = (row: number): Float64Array => left.get(row) ?? field.free.subarray(row * width, (row + 1) * width);
  const loads = new Map<number, number[]>();
  const barred = (row: number): boolean => open !== undefined && !open(row);
  const pinnedAway = (number: number, row: number): boolean =>
    pins.length > 0 && pins.some((pin) => pin.shapes.includes(number) && !pin.holds(row));
  const aborts = shapes.map((): Aborted | undefined => undefined);
  const abortOf = (number: number, cap: Int32Array): Aborted | undefined => {
    if (devices === undefined || field.hopeful) return undefined;
    const shape = shapes[number];
    const level = shape?.soft === true || shape?.unit === "group" ? undefined : shape?.level;
    const domains = level === undefined ? undefined : field.level(level);
    let open = 0;
    let first: { row: number; after: number; why: string } | undefined;
    const required = shape?.required ?? 0;
    /** What must share a level is kept off nodes without its label. */
    const mostOn = (row: number): number => (domains?.of[row] === -1 ? 0 : Math.min(cap[row] ?? 0, required));
    for (let row = 0; row < field.existing; row += 1) {
      const most = mostOn(row);
      if (most === 0) continue;
      open += 1;
      const abort = devices.abort(row, number, most);
      if (abort !== undefined && (first === undefined || abort.after < first.after)) first = { row, ...abort };
    }
    if (first === undefined) return undefined;
    // Pods that can stand before some row has nothing left but devices on which a selector fails.
    let before = 0;
    for (let row = 0; row < field.existing; row += 1) {
      const most = mostOn(row);
      if (most === 0) continue;
      const after = devices.abort(row, number, most)?.after;
      before += after === undefined ? devices.most(row, number, most, []) : Math.max(0, after - 1);
    }
    const inevitable = first.after === 0 || before + 1 < required;
    return { ...first, inevitable, certain: inevitable && open <= LOOKED_AT && shape?.scheduler === undefined };
  };
  const roomAt = (row: number, number: number): number => {
    const shape = shapes[number];
    if (aborts[number]?.certain === true && !field.nominal) return 0;
    if (shape === undefined || screens[number]?.code[row] !== 0 || barred(row) || pinnedAway(number, row)) return 0;
    const standing = loads.get(row);
    if (shape.set.perNode && (standing?.[number] ?? 0) > 0) return 0;
    const most = countIn(leftOn(row), 0, amounts[number] as Amounts, limitOf(shape));
    const held = onNuma(row, number, most);
    if (held === 0 || devices === undefined) return held;
    const beside: Load = (standing ?? []).map((pods, index) => ({ shape: index, pods }));
    return devices.most(row, number, held, beside);
  };
  const numa = numaRooms(field, shapes);
  /** Of `most` pods those that the kubelet of the row admits. */
  const onNuma = (row: number, number: number, most: number): number => {
    if (numa === undefined || most === 0) return most;
    const room = numa.on(row, number, most, loads.get(row));
    if (room.most > room.least) unsure.set(row, room.doubt);
    if (room.least < most) turnAway(number, row);
    return field.hopeful ? room.most : room.least;
  };
  /** How full a row is tells more than that it has room for all; where each pod is looked at, no more are than there may be. */
  const limitOf = ({ set, peak }: Shape): number =>
    set.perNode ? 1 : devices === undefined && numa === undefined ? MOST : peak;
  /** Before anything stands anywhere. */
  const counted = (number: number): Count => {
    const shape = shapes[number];
    const screened = screens[number];
    const each = amounts[number];
    if (shape === undefined || screened === undefined || each === undefined)
      return movingCount(new Int32Array(field.rows));
    const limit = limitOf(shape);
    const plain = field.count(screened, shape.screen(), each, limit);
    // On existing nodes without devices the amounts are all there is to it.
    if (field.rows === field.existing && devices === undefined && pins.length === 0) {
      if (numa === undefined) return plain;
      const admitted = numaCount(field, shape, screened, each, limit, {
        alone: isAlone(shapes),
        roomOn: (look, most) => numa.of(look, number, most),
      });
      if (admitted !== undefined) {
        for (const [row, doubt] of admitted.unsure) unsure.set(row, doubt);
        turned[number] = admitted.refused;
        return admitted.count;
      }
    }
    return movingCount(narrowed(number, shape, plain.cap.slice()));
  };
  const narrowed = (number: number, shape: Shape, cap: Int32Array): Int32Array => {
    const abort = shape.set.perNode ? undefined : abortOf(number, cap);
    aborts[number] = abort;
    if (abort?.certain === true && !field.nominal) return cap.fill(0);
    for (let row = 0; row < field.rows; row += 1) {
      const most = cap[row] ?? 0;
      if (most === 0) continue;
      if (barred(row) || pinnedAway(number, row)) cap[row] = 0;
      else {
        const held = onNuma(row, number, most);
        cap[row] = devices === undefined || held === 0 ? held : devices.most(row, number, held, []);
      }
    }
    return cap;
  };
  const unsure = new Map<number, string>();
  /** Not to be written to: those of existing nodes are kept. */
  const turned: ReadonlySet<number>[] = shapes.map(() => new Set<number>());
  /** Those that are this board's own, copied once. */
  const ownTurned = new Map<number, Set<number>>();
  const turnAway = (number: number, row: number): void => {
    if (turned[number]?.has(row) === true) return;
    const own = ownTurned.get(number) ?? new Set(turned[number]);
    ownTurned.set(number, own);
    turned[number] = own.add(row);
  };
  const counts: (Count | undefined)[] = shapes.map(() => undefined);
  const caps: (Int32Array | undefined)[] = shapes.map(() => undefined);
  let standing = 0;
  const countOf = (number: number): Count => {
    const known = counts[number] ?? counted(number);
    counts[number] = known;
    return known;
  };
  const capOf = (number: number): Int32Array => caps[number] ?? countOf(number).cap;
  const countNow = (number: number): Count => (standing === 0 ? countOf(number) : movingCount(capOf(number)));
  const move = (number: number, placed: Counts, sign: 1 | -1): void => {
    // Every shape's room is settled before the first change, and then kept up row by row.
    for (const index of shapes.keys()) caps[index] ??= countOf(index).cap.slice();
    const { columns, amounts: each } = amounts[number] as Amounts;
    for (const { row, pods } of placed) {
      const free = left.get(row) ?? leftOn(row).slice();
      left.set(row, free);
      for (let index = 0; index < columns.length; index += 1) {
        const at = columns[index] ?? 0;
        free[at] = (free[at] ?? 0) - sign * pods * (each[index] ?? 0);
      }
      const load = loads.get(row) ?? shapes.map(() => 0);
      load[number] = (load[number] ?? 0) + sign * pods;
      // What is empty again looks as if nothing had ever stood there.
      if (load.some((some) => some > 0)) loads.set(row, load);
      else loads.delete(row);
      standing += sign * pods;
      for (const [index, cap] of caps.entries()) if (cap !== undefined) cap[row] = roomAt(row, index);
    }
  };
  return {
    field,
    shapes,
    screens,
    devices,
    unsure,
    refused: turned,
    get rows() {
      return rowsOf(field.kindOf);
    },
    cap: capOf,
    count: countNow,
    room: (number, domains) => countNow(number).room(domains, field.existing),
    put: (number, counts) => move(number, counts, 1),
    take: (number, counts) => move(number, counts, -1),
    aborted(number) {
      capOf(number);
      return aborts[number];
    },
    look(row) {
      const free = leftOn(row);
      const parts: (string | number)[] = [field.kindOf[row] ?? -1];
      for (let column = 0; column < width; column += 1) parts.push(free[column] ?? 0);
      if (pins.length > 0) parts.push(shapes.map((_, number) => (pinnedAway(number, row) ? 0 : 1)).join(""));
      for (const one of screens) parts.push(one.code[row] === 0 ? 1 : 0, one.affine[row] ?? 0);
      if (numa !== undefined) parts.push(numa.look(row));
      parts.push(devices?.signature(row) ?? "", devices?.reach(row) ?? "", loads.get(row)?.join(":") ?? "");
      return parts.join(",");
    },
  };
}
