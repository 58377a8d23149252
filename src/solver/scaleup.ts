import {
  allows,
  type CapacityPool,
  intersect,
  isEmpty,
  type Requirement,
  type Requirements,
  type Rung,
  type Taint,
} from "../model/index.ts";
import type { Ceiling, Charge, Charges } from "./ceilings.ts";
import { NODES } from "./ceilings.ts";
import type { PoolRoom } from "./rooms.ts";
import { ruleKeys, type Shape } from "./shape.ts";

/** Every node gets these from the cloud or the kubelet; a pool that does not declare them may still meet a selection on them. */
const UNDECLARED = new Set([
  "kubernetes.io/arch",
  "node.kubernetes.io/instance-type",
  "topology.kubernetes.io/region",
  "beta.kubernetes.io/arch",
]);

/** Nodes that a pool could add in one zone, all alike. */
export interface Kind {
  readonly pool: CapacityPool;
  readonly zone: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Labels whose value is open: what it may be. */
  readonly open: Requirements;
  readonly taints: readonly Taint[];
  readonly members: readonly number[];
  /** Existing nodes that its pool's rows stand for, since they are on their way. */
  readonly starting: readonly number[];
  readonly rows: number;
  /** Of the rows those that stand for nodes on their way: they take of no ceiling what these have already. */
  readonly free: number;
  /** What each row takes of what bounds several kinds. */
  readonly charges: readonly Charge[];
  /** From now until a new node is ready. */
  readonly leadMs: number;
  /** Pod sets wait so long, however short their classes' patience is. */
  readonly waitMs: number;
  /** Is the pool too slow for some pod set that wants it. */
  readonly slow: boolean;
}

/** Does the pool offer what the rung names. */
export function supplies(pool: CapacityPool, { accelerator, capacityType, source }: Rung): boolean {
  if (source !== "new" || pool.capacityType !== capacityType) return false;
  return accelerator === "none" || accelerator === "any" || pool.accelerator === accelerator;
}

export function offers(pool: CapacityPool, { step }: Shape): boolean {
  return supplies(pool, step.rung);
}

/** Does a new node take longer than the shape's class waits, or than `waitMs` if that is longer. */
export function isSlow({ leadMs: lead }: Pick<PoolRoom, "leadMs">, shape: Shape, waitMs = 0): boolean {
  return lead > Math.max(shape.set.ladder.maxProvisioningMs, waitMs);
}

/** Does a reservation end before the shape's run on a new node would. */
function isOutlasted({ name }: CapacityPool, shape: Shape): boolean {
  return shape.outlasts.some(({ pool }) => pool === name);
}

/** What pools may add, and what bounds them together: as it is now, and as if nothing were promised or in use by others. */
export interface Growth {
  readonly rooms: readonly PoolRoom[];
  readonly charges: { readonly now: Charges; readonly nominal: Charges };
  taintsOf(pool: CapacityPool): readonly Taint[];
}

/**
 * The kinds of new nodes for these shapes: pools without accelerators before others, then cheaper ones, then by name. `waitMs`: as if each
 * class waited so long at least; `unpromised`: as if nodes promised to others were not, and as if nodes that bound it could go.
 */
export function kindsFor(
  { rooms, charges, taintsOf }: Growth,
  shapes: readonly Shape[],
  how: { readonly waitMs: number; readonly unpromised: boolean },
): readonly Kind[] {
  const kinds: Kind[] = [];
  const sorted = [...rooms].sort((a, b) => comparePools(a.pool, b.pool));
  for (const one of sorted) {
    const { pool, members, starting } = one;
    const wanting = shapes.filter((shape) => offers(pool, shape) && !isOutlasted(pool, shape));
    const timely = wanting.filter((shape) => !isSlow(one, shape));
    const users = wanting.filter((shape) => !isSlow(one, shape, how.waitMs));
    const wanted = users.reduce((total, shape) => total + nodesWanted(pool, shape), 0);
    if (wanted === 0) continue;
    const ceiling = poolCeiling(one, how.unpromised);
    const taints = taintsOf(pool);
    const debt = how.unpromised || one.owed === 0 ? [] : [{ ceiling: coming(one), amount: 1, starting: 1 }];
    for (const { zone, labels, starting: here, unclaimed } of one.zones) {
      const free = how.unpromised ? here : unclaimed;
      const others = (how.unpromised ? charges.nominal : charges.now)(pool, labels);
      const list: readonly Charge[] = [{ ceiling, amount: 1, starting: 0 }, ...debt, ...others];
      const rows = Math.min(wanted, mostRows(free, list));
      const slow = timely.length < wanting.length;
      const { leadMs } = one;
      const { waitMs } = how;
      if (rows > 0)
        kinds.push({
          pool,
          zone,
          labels,
          open: one.open,
          taints,
          members,
          starting,
          rows,
          free,
          charges: list,
          leadMs,
          waitMs,
          slow,
        });
    }
  }
  return kinds;
}

function poolCeiling(room: PoolRoom, unpromised: boolean): Ceiling {
  const { pool, members, most } = room;
  const left = unpromised ? room.unpromised : room.fresh;
  const promised = room.unpromised - room.fresh;
  return { what: `pool ${pool.name}`, resource: NODES, most, used: members.length, promised, left, rows: new Map() };
}

/** Nodes on their way that are left once others have theirs, where more is promised than can be. */
function coming(room: PoolRoom): Ceiling {
  const { pool, members, most, unpromised, fresh } = room;
  const left = openIn(room);
  return {
    what: `pool ${pool.name}`,
    resource: NODES,
    most,
    used: members.length,
    promised: unpromised - fresh,
    left,
    rows: new Map(),
  };
}

/** Nodes that the pool may still add, and those on their way, without what is promised to others. */
export function openIn({ fresh, zones, owed }: PoolRoom): number {
  return fresh + Math.max(0, zones.reduce((sum, { unclaimed }) => sum + unclaimed, 0) - owed);
}

/** How many rows of a kind every one of these leaves room for. */
export function mostRows(free: number, charges: readonly Charge[]): number {
  return charges.reduce((most, { ceiling: { left }, amount, starting }) => {
    const forFree = starting === 0 ? free : Math.min(free, Math.floor(left / starting));
    return Math.min(most, forFree < free ? forFree : free + Math.floor((left - free * starting) / amount));
  }, Number.POSITIVE_INFINITY);
}

/**
 * More nodes than this help no pod of the set: one a pod, or fewer where several surely share a node, since nothing but amounts says how many. Of
 * groups each has as many as it needs by itself.
 */
export function nodesWanted({ node }: CapacityPool, shape: Shape, pods = shape.peak): number {
  const { set, ports, devices, needs, extended, unit, level, groupSize } = shape;
  if (set.perNode) return 1;
  if (ruleKeys(shape).length > 0 || ports.length > 0 || devices.length > 0 || node.numa !== undefined) return pods;
  let each = pods;
  for (const { resource, amount } of needs) {
    const have = node.allocatable[resource] ?? (resource === "pods" ? 110 : 0);
    if (have === 0 && extended.some((one) => one.resource === resource)) return pods;
    each = Math.min(each, Math.floor(have / amount));
  }
  // None holds a pod: one row is there to say why.
  if (each <= 0) return 1;
  const whole = Math.ceil(pods / each);
  if (unit !== "group" || level === undefined) return whole;
  return Math.max(whole, Math.ceil(pods / groupSize) * Math.ceil(groupSize / each));
}

function comparePools(a: CapacityPool, b: CapacityPool): number {
  return (
    Number(a.accelerator !== undefined) - Number(b.accelerator !== undefined) ||
    (a.pricePerHour ?? Number.POSITIVE_INFINITY) - (b.pricePerHour ?? Number.POSITIVE_INFINITY) ||
    (a.name < b.name ? -1 : 1)
  );
}

/** Does a selection ask for labels that new nodes get, but the pool does not declare. */
export function undeclaredLabels(kind: Kind, shape: Shape): readonly string[] {
  const missing = new Set<string>();
  for (const term of shape.selection)
    for (const one of term.values()) if (mayCarry(kind, one) && !one.absent) missing.add(one.key);
  return [...missing].sort();
}

/** May it have a label by which the requirement holds, though none is declared. */
export function mayCarry({ labels, open }: Kind, asked: Requirement): boolean {
  if (Object.hasOwn(labels, asked.key)) return false;
  const left = open.get(asked.key);
  return left === undefined ? UNDECLARED.has(asked.key) : !isEmpty(intersect(left, asked));
}

/** Its labels meet the requirement, whatever value its NodePool chooses for one that is open: a pod that forbids such a label has no value left. */
export function meets({ labels, open }: Kind, asked: Requirement): boolean {
  const { key } = asked;
  const left = Object.hasOwn(labels, key) ? undefined : open.get(key);
  return (
    allows(asked, Object.hasOwn(labels, key) ? labels[key] : undefined) && !(left && isEmpty(intersect(left, asked)))
  );
}

/** `known`: the labels are taken as they are; otherwise undeclared ones count as fitting. */
export function selectsKind(kind: Kind, shape: Shape, known: boolean): boolean {
  return shape.selection.some((term) =>
    [...term.values()].every((one) => (!known && mayCarry(kind, one)) || meets(kind, one)),
  );
}
