import { type CapacityPool, type Reason, unitsText } from "../model/index.ts";
import { type Charge, NODES } from "./ceilings.ts";
import { differences, missingMaker, nodePoolOf } from "./maker.ts";
import type { PoolRoom } from "./rooms.ts";
import { nodesWanted, offers, openIn } from "./scaleup.ts";
import type { Shape } from "./shape.ts";
import { plural } from "./text.ts";
import type { World } from "./world.ts";

/**
 * Why no pool helps on this rung, or not enough: none offers it, its reservation ends too soon, or it has as many nodes as it may, or nearly.
 * `misfits`: of which a new node takes no pod, whatever their number.
 */
export function poolReasons(world: World, shape: Shape, misfits: readonly Reason[]): readonly Reason[] {
  const { accelerator, capacityType, source } = shape.step.rung;
  if (source !== "new") return [];
  const offering = world.growth.rooms.filter(({ pool }) => offers(pool, shape));
  if (offering.length === 0) {
    const what = accelerator === "none" || accelerator === "any" ? "" : `${accelerator} `;
    return [
      { code: "NoPool", message: `no pool offers ${what}${capacityType} nodes`, data: { accelerator, capacityType } },
    ];
  }
  const differing = offering.flatMap(({ pool }) => poolDiffers(world, pool));
  const standing = offering.flatMap((room): readonly Reason[] => {
    const { pool } = room;
    const ends = shape.outlasts.find((one) => one.pool === pool.name);
    if (ends !== undefined)
      return [
        {
          code: "ReservationEnds",
          message: `pool ${pool.name}: ${ends.text}`,
          data: { pool: pool.name, reservation: pool.reservation?.name ?? "", end: pool.reservation?.end ?? "" },
        },
      ];
    const open = openIn(room);
    return open === 0 && room.zones.length > 0 ? [fullPool(room)] : bounded(world, room, shape, misfits);
  });
  return [...standing, ...differing];
}

/** Where the pool says otherwise than the NodePool that makes its nodes, which is the one that is right. */
export function poolDiffers({ topology }: World, pool: CapacityPool): readonly Reason[] {
  const found = differences(topology, pool);
  if (found.length === 0) return [];
  const message = `pool ${pool.name} declares ${found.join("; ")}: its new nodes are judged as the NodePool makes them`;
  return [{ code: "PoolDiffers", message, data: { pool: pool.name } }];
}

function fullPool({ pool, members, starting, most, unpromised }: PoolRoom): Reason {
  const { reservation } = pool;
  const covered = reservation?.nodes !== undefined && reservation.nodes === most;
  const of = covered ? `${most} that reservation ${reservation.name} covers` : `${most}`;
  const others = unpromised + starting.length;
  const promised = others === 0 ? "" : `, and the other ${others} are promised`;
  const there = members.length - starting.length;
  return {
    code: "PoolExhausted",
    message: `pool ${pool.name} may add no nodes: it has ${there} of its ${of}${promised}`,
    data: { pool: pool.name, members: members.length, maximum: most },
  };
}

/** It may add some nodes, and the required pods of the shape by themselves take more. */
function partlyOpen(room: PoolRoom, shape: Shape): readonly Reason[] {
  const { pool, members, starting, most, zones, promised } = room;
  const open = openIn(room);
  if (zones.length === 0 || open >= nodesWanted(pool, shape, shape.required)) return [];
  const { reservation } = pool;
  const of = reservation?.nodes === most ? `${most} that reservation ${reservation.name} covers` : `${most}`;
  const owed = promised.reduce((sum, { count }) => sum + count, 0);
  const soon = owed === 0 ? "" : `, and promises ${owed} more`;
  const coming = starting.length === 0 ? "" : `, ${starting.length} of them on the way`;
  const message = `pool ${pool.name} may add only ${plural(open, "more node")}: it has ${members.length} of its ${of}${coming}${soon}`;
  return [{ code: "PoolExhausted", message, data: { pool: pool.name, members: members.length, maximum: most } }];
}

/** The limits that let the pool add the fewest nodes in its zones, where these let it add fewer than its own maximum does. */
function bounded(
  { growth, topology }: World,
  room: PoolRoom,
  shape: Shape,
  misfits: readonly Reason[],
): readonly Reason[] {
  const { pool, fresh, zones } = room;
  const nodePool = nodePoolOf(topology, pool);
  const say = (code: Reason["code"], message: string, data: Reason["data"] = {}): readonly Reason[] => [
    { code, message, data: { pool: pool.name, ...data } },
  ];
  const missing = missingMaker(topology, pool);
  if (missing !== undefined)
    return say(
      "PoolExhausted",
      `NodePool ${missing}, of which pool ${pool.name} takes its nodes, is not in the cluster, so nothing makes them`,
      { limit: `NodePool ${missing}` },
    );
  if (nodePool?.replicas !== undefined)
    return say(
      "NoPool",
      `NodePool ${nodePool.name} stands at its ${plural(nodePool.replicas, "replica")}, so Karpenter adds no node of pool ${pool.name} for pods that wait`,
    );
  if (nodePool?.ready === false)
    return say(
      "PoolExhausted",
      `NodePool ${nodePool.name} is not ready, so Karpenter makes no nodes of pool ${pool.name}`,
    );
  // Its zones differ in what bounds them: one that nothing bounds is enough, else each of them may be what has to give.
  const bounds = zones.map(({ labels }) => tightest(growth.charges.now(pool, labels)));
  if (bounds.some((one) => one === undefined || one.nodes >= fresh))
    return misfits.some(({ data }) => data?.["pool"] === pool.name) ? [] : partlyOpen(room, shape);
  const most = bounds.flatMap((one) => one ?? []).sort((a, b) => b.nodes - a.nodes);
  const distinct = new Map(most.map((one) => [`${one.ceiling.what} ${one.ceiling.resource}`, one]));
  return [...distinct.values()].map((one) => limited(pool.name, one));
}

type Tightest = Charge & { readonly nodes: number };

function limited(pool: string, { ceiling, closed, amount, nodes }: Tightest): Reason {
  const { what, resource, most, used, promised } = ceiling;
  const text = (units: number): string => (resource === NODES ? String(units) : unitsText(resource, units));
  const named = resource === NODES ? "nodes" : resource;
  const each = resource === NODES || closed === true ? "" : `, and one node has ${text(amount)}`;
  const held = `it has ${text(used)} of at most ${text(most)} ${named}`;
  const soon = promised === 0 ? "" : ` and promises ${text(promised)}`;
  const more = nodes === 0 ? "no more nodes" : `only ${plural(nodes, "more node")}`;
  const message =
    closed !== true && amount > most
      ? `${what} allows ${text(most)} ${named} in all, and a node of pool ${pool} has ${text(amount)}`
      : `${what} allows ${more} of pool ${pool}: ${held}${soon}${each}`;
  return { code: "PoolExhausted", message, data: { pool, limit: what, resource, most, used, promised } };
}

function tightest(charges: readonly Charge[]): Tightest | undefined {
  return charges
    .map((one) => ({ ...one, nodes: Math.floor(one.ceiling.left / one.amount) }))
    .reduce<Tightest | undefined>((a, b) => (a === undefined || b.nodes < a.nodes ? b : a), undefined);
}
