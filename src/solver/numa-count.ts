import { type Count, type MovingCount, movingCount } from "./count.ts";
import type { Amounts } from "./feasible.ts";
import type { Field } from "./field.ts";
import type { NumaLook } from "./numa-looks.ts";
import type { NumaRoom } from "./numa-room.ts";
import type { NumaMoment } from "./numa-rules.ts";
import type { Shape } from "./shape.ts";
import type { Screen } from "./topology-index.ts";

/** Room of one shape on existing nodes, as their kubelets admit it, before anything stands anywhere. */
export interface NumaCount {
  readonly count: Count;
  /** Rows of which it is not known how many pods their kubelet admits, and why. */
  readonly unsure: ReadonlyMap<number, string>;
  /** Rows whose kubelet may turn pods away for which there is room by count. */
  readonly refused: ReadonlySet<number>;
}

/** Follows the ledger and the objects of the nodes. */
export interface KeptNumaCount {
  readonly rooms: Rooms;
  at: NumaMoment;
}

interface Rooms {
  readonly count: MovingCount;
  readonly unsure: Map<number, string>;
  readonly refused: Set<number>;
}

/** Of so many pods on rows of one look those that are admitted; it may be another where the shape is not alone. */
export type RoomOn = (look: NumaLook, most: number) => NumaRoom;

/**
 * Each row is judged once, and again when it may have changed: workloads that ask for the same find it counted. Undefined where the amounts of
 * existing nodes are not all there is to it.
 */
export function numaCount(
  field: Field,
  shape: Shape,
  screened: Screen,
  each: Amounts,
  limit: number,
  { alone, roomOn }: { readonly alone: boolean; readonly roomOn: RoomOn },
): NumaCount | undefined {
  const { counted, numa, hopeful } = field;
  const kept = numa?.kept;
  if (numa === undefined || kept === undefined || counted === undefined) return undefined;
  const { rules, looks, touched } = kept;
  const put = (rooms: Rooms, row: number, look: NumaLook | undefined, most: number): void => {
    const {
      least,
      most: top,
      doubt,
    } = look === undefined || most === 0 ? { least: most, most, doubt: "" } : roomOn(look, most);
    if (top > least) rooms.unsure.set(row, doubt);
    else rooms.unsure.delete(row);
    if (least < most) rooms.refused.add(row);
    else rooms.refused.delete(row);
    rooms.count.set(row, hopeful ? top : least);
  };
  const { cap } = counted(screened, shape.screen(), each, limit);
  const { needs, containers } = shape;
  const text = JSON.stringify([hopeful, alone, limit, needs, containers, kept.text, shape.screen()]);
  let known = rules.counts.get(text);
  const moved = known === undefined ? undefined : rules.moved(known.at);
  if (known === undefined || moved === undefined) {
    const rooms = { count: movingCount(cap.slice()), unsure: new Map(), refused: new Set<number>() };
    for (const [row, most] of cap.entries()) if (most > 0) put(rooms, row, looks.of(row), most);
    known = rules.counts.set(text, { rooms, at: rules.moment() });
  } else {
    for (const row of moved) put(known.rooms, row, looks.of(row), cap[row] ?? 0);
    known.at = rules.moment();
  }
  if (touched.size === 0) return known.rooms;
  const { rooms } = known;
  const own = { count: rooms.count.copy(), unsure: new Map(rooms.unsure), refused: new Set(rooms.refused) };
  const seen = field.count(screened, shape.screen(), each, limit).cap;
  for (const row of touched) put(own, row, numa.look(row), seen[row] ?? 0);
  return own;
}
