import { type Reason, requirementText, unitsText } from "../model/index.ts";
import { type Attempt, widest } from "./attempt.ts";
import type { Board } from "./board.ts";
import type { DeviceView } from "./devices.ts";
import { selectionText } from "./feasible.ts";
import type { Field } from "./field.ts";
import { misalignedNew } from "./misaligned.ts";
import { isSlow, type Kind, mayCarry, meets, offers, selectsKind } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { plural } from "./text.ts";
import type { World } from "./world.ts";

/** Pools that offer what the rung names and may add nodes, of which no new node would take a single pod: what stands in the way, pool by pool. */
export function poolMisfits(world: World, tried: Attempt): readonly Reason[] {
  const board = widest(tried);
  const { field, shapes } = board;
  return shapes.flatMap((shape, number): readonly Reason[] => {
    const cap = board.cap(number);
    const found = new Map<string, string | undefined>();
    for (let row = field.existing; row < field.rows; row += 1) {
      const kind = field.kinds[field.kindOf[row] ?? -1];
      const pool = kind?.pool;
      // Of one that takes too long that is told, where it would do.
      if (kind === undefined || pool === undefined || !offers(pool, shape) || isSlow(kind, shape, kind.waitMs))
        continue;
      // One zone that takes a pod is enough.
      if ((cap[row] ?? 0) > 0) found.set(pool.name, undefined);
      else if (!found.has(pool.name)) found.set(pool.name, obstacle(world, board, number, row));
    }
    return [...found].flatMap(([pool, why]): readonly Reason[] =>
      why === undefined
        ? []
        : [
            {
              code: "NoPool",
              message: `a new node of pool ${pool} takes no pod${shape.of}: ${why}`,
              data: { podSet: shape.name, pool },
            },
          ],
    );
  });
}

function obstacle(
  world: World,
  { devices, field, refused, screens, shapes }: Board,
  number: number,
  row: number,
): string | undefined {
  const code = screens[number]?.code[row] ?? 0;
  const shape = shapes[number];
  const kind = field.kinds[field.kindOf[row] ?? -1];
  if (shape === undefined || kind === undefined) return undefined;
  const text = code === 0 ? undefined : screens[number]?.texts[code];
  // Labels that it may have, though its pool does not declare them, are told as missing.
  if (code !== 0 && (text !== selectionText(shape) || !selectsKind(kind, shape, false)))
    return unmet(kind, shape) ?? text;
  const { pool } = kind;
  const width = field.columns.length;
  for (const { resource, amount } of shape.needs) {
    const have = field.free[row * width + field.columns.indexOf(resource)] ?? 0;
    if (have >= amount) continue;
    if (have > 0)
      return `it has ${unitsText(resource, have)} of the ${unitsText(resource, amount)} ${resource} that one needs`;
    const byClaim =
      pool.node.mechanism === "dra" && !world.context.platform.autoscaler.claims && isDevice(shape, resource);
    return byClaim
      ? `it gives its devices by claims, and this autoscaler makes no node for a pod with claims`
      : `it has no ${resource}`;
  }
  if (field.numa?.rule(row) !== undefined && refused[number]?.has(row) === true)
    return "the Topology Manager that it declares (node.numa) refuses it, as its devices would take too many NUMA nodes";
  if (shape.devices.length === 0 || code !== 0) return undefined;
  return (
    (devices?.doubts.size === 0 ? amiss(field, shape, kind, row, devices.short(row, number)) : undefined) ??
    "what it declares of its devices does not serve the pod's claims"
  );
}

/** What there is of devices there, all of which is known, and does not do. */
function amiss(
  field: Field,
  { devices }: Shape,
  { pool }: Kind,
  row: number,
  short: ReturnType<DeviceView["short"]>,
): string | undefined {
  const text = misalignedNew(field, row, pool, devices);
  if (text !== undefined) return text.startsWith("no ") ? `it has ${text}` : text;
  const [first] = short;
  return first === undefined
    ? undefined
    : `it has ${first.have} of the ${plural(first.need, "device")} for ${first.request}`;
}

/** The requirements that its labels do not meet, of a selection of one term. */
function unmet(kind: Kind, shape: Shape): string | undefined {
  const [only] = shape.selection;
  if (selectsKind(kind, shape, true) || shape.selection.length !== 1 || only === undefined) return undefined;
  const missed = [...only].filter(([, one]) => !mayCarry(kind, one) && !meets(kind, one));
  if (missed.length === 0) return undefined;
  return `label ${missed.map(([, one]) => requirementText(one)).join(", ")} does not hold`;
}

const isDevice = ({ step }: Shape, resource: string) => step.resourceName === resource;
