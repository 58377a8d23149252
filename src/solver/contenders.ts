import { type ObjectKey, once, type Reason, type Resources } from "../model/index.ts";
import type { PodFacts } from "../topology/index.ts";
import type { Attempt } from "./attempt.ts";
import type { Board } from "./board.ts";
import { isSameWorkload } from "./context.ts";
import { amountsIn } from "./feasible.ts";
import { levelAt, type Stage } from "./layers.ts";
import type { Shape } from "./shape.ts";
import { list, plural } from "./text.ts";
import type { World } from "./world.ts";

/**
 * Pods of other workloads that wait for accelerators which these pods ask for by count. kube-scheduler tries those of a higher priority first, and of
 * an equal one those that came first; what they select is not known here, so each may take room wherever there is enough for it. Says so where what is left would not be
 * enough: without a level over all nodes, with one in some domain that has room now.
 */
export function contenders(world: World, { board, stage, result }: Attempt): readonly Reason[] {
  if (result.kind !== "found") return [];
  // What is promised to them is set aside already.
  const promised = world.context.holds.filter(({ placed, newNodes }) => placed.length + newNodes.length > 0);
  const known = new Map<string, ObjectKey[]>();
  for (const key of [world.demand.workload, ...promised.map(({ workload }) => workload)])
    known.set(key.name, [...(known.get(key.name) ?? []), key]);
  const waiting = [...world.index.contending()].filter(
    ({ root }) => known.get(root.name)?.some((one) => isSameWorkload(one, root)) !== true,
  );
  if (waiting.length === 0) return [];
  return board.shapes.flatMap((shape, number): readonly Reason[] => {
    // What another scheduler chooses is not known, and DaemonSets have a node each.
    if (shape.required === 0 || shape.set.perNode || shape.scheduler !== undefined) return [];
    const finds = placesFor(board, number);
    const ahead = waiting.filter(({ priority, requests }) => priority >= shape.set.pod.priority && finds(requests));
    for (const need of shape.needs) {
      if (!need.resource.includes("/")) continue;
      const others = ahead.filter(({ requests }) => (requests[need.resource] ?? 0) > 0);
      if (others.length === 0 || hasRoom(board, stage, number, lost(board.shapes, shape, need, others))) continue;
      return [told(shape, need.resource, others)];
    }
    return [];
  });
}

/** Amounts that are looked at; pods that ask for yet others count as if there were room for them. */
const MOST_LOOKS = 64;

/** Would pods with these requests find room on some row that has room for the shape: others wait for something else. */
function placesFor({ field, cap }: Board, number: number): (requests: Resources) => boolean {
  const rooms = cap(number);
  const width = field.columns.length;
  let looks = 0;
  return once((requests: Resources): boolean => {
    looks += 1;
    if (looks > MOST_LOOKS) return true;
    const wanted = field.columns.flatMap((resource, column) => {
      const amount = requests[resource] ?? 0;
      return amount > 0 ? [{ column, amount }] : [];
    });
    return rooms.some(
      (room, row) =>
        room > 0 && wanted.every(({ column, amount }) => (field.free[row * width + column] ?? 0) >= amount),
    );
  });
}

type Need = Shape["needs"][number];

/** Places for pods of the shape that pods of others, and of other sets of the workload, may take. */
function lost(shapes: readonly Shape[], own: Shape, { resource, amount }: Need, others: readonly PodFacts[]): number {
  const places = (taken: number): number => Math.ceil(taken / amount);
  const rivals = shapes.reduce((sum, shape) => {
    const need = shape === own ? undefined : shape.needs.find((one) => one.resource === resource);
    return sum + shape.count * places(need?.amount ?? 0);
  }, 0);
  return others.reduce((sum, { requests }) => sum + places(requests[resource] ?? 0), rivals);
}

/** Is there room for the required pods beside so many others, wherever kube-scheduler may begin. */
function hasRoom(board: Board, stage: Stage, number: number, beside: number): boolean {
  const shape = board.shapes[number];
  if (shape === undefined) return true;
  const rooms = roomsOf(board, shape, number);
  const level = shape.soft || shape.unit === "pod" || shape.required < 2 ? undefined : levelAt(shape, stage);
  if (level === undefined) return rooms.reduce((sum, room) => sum + room, 0) >= shape.required + beside;
  const { of, names } = board.field.level(level);
  const totals = names.map(() => 0);
  for (const [row, room] of rooms.entries()) {
    const domain = of[row] ?? -1;
    if (domain !== -1) totals[domain] = (totals[domain] ?? 0) + room;
  }
  /** First pods choose without looking ahead; a domain without room for all of them is told of wherever nobody else waits. */
  const anywhere = totals.every((room) => room < shape.required || room >= shape.required + beside);
  if (shape.unit !== "group") return anywhere;
  const unit = Math.min(shape.groupSize, shape.required);
  const whole = totals.reduce((sum, room) => sum + Math.floor(room / unit) * unit, 0);
  // A place less may be a group less.
  if (whole < shape.required + beside * unit) return false;
  const kept = shape.set.placement.keptBy;
  // All groups may begin in one domain, where nobody chooses for them at once.
  return anywhere || kept === "queue" || kept === "podGroup";
}

/** Room by row, also beyond what the workload itself would put there. */
function roomsOf({ field, cap }: Board, shape: Shape, number: number): readonly number[] {
  const { columns, amounts } = amountsIn(field, shape);
  const width = field.columns.length;
  return Array.from(cap(number), (room, row) => {
    if (room < shape.peak) return room;
    let most = Number.MAX_SAFE_INTEGER;
    for (const [index, column] of columns.entries()) {
      const amount = amounts[index] ?? 0;
      if (amount > 0) most = Math.min(most, Math.floor((field.free[row * width + column] ?? 0) / amount));
    }
    return Math.max(room, most);
  });
}

function told(shape: Shape, resource: string, others: readonly PodFacts[]): Reason {
  const amount = others.reduce((sum, { requests }) => sum + (requests[resource] ?? 0), 0);
  const tenants = list([...new Set(others.map(({ tenant }) => tenant))].sort());
  const one = others.length === 1;
  const { required } = shape;
  const pods = required === 1 ? "1 pod" : required === 2 ? "both pods" : `all ${required} pods`;
  return {
    code: "NotGuaranteed",
    message: `${plural(others.length, "pod")} of ${tenants} ${one ? "waits" : "wait"} for ${amount} ${resource} as well, and ${one ? "has" : "have"} at least the priority of these pods: kube-scheduler may bind ${one ? "it" : "them"} first, and then leave too little for ${pods}${shape.of}`,
    data: { podSet: shape.name, resource, pods: others.length, amount, priority: shape.set.pod.priority },
  };
}
