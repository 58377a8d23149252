import type { Board } from "./board.ts";
import { passCost } from "./budget.ts";
import type { Shape } from "./shape.ts";
import type { World } from "./world.ts";

/** kube-scheduler reckons pods that request nothing as requesting this much. */
const DEFAULTS: Readonly<Record<string, number>> = { cpu: 100, memory: 200 * 2 ** 20 };
/** Work beyond this (pods times rows) is not done for a word in a warning. */
const MOST_WORK = 200_000;

/**
 * Places the other sets of the workload as kube-scheduler would by the score of NodeResourcesFit over cpu and memory, each pod on the best
 * node, ties by name: does the shape then have too little room? Other scores and the real order of pods may make it otherwise. Undefined
 * where that is too much to follow.
 */
export function wouldMiss(world: World, board: Board, number: number): boolean | undefined {
  const { field, shapes } = board;
  const rivals = [...shapes.keys()].filter((one) => one !== number && shapes[one]?.set.perNode === false);
  const pods = rivals.reduce((sum, one) => sum + (shapes[one]?.count ?? 0), 0);
  if (pods * passCost(field.rows) * 16 > MOST_WORK) return undefined;
  const score = scores(world, board);
  const put: { shape: number; row: number }[] = [];
  for (const rival of rivals) {
    const shape = shapes[rival];
    for (let pod = 0; shape !== undefined && pod < shape.count; pod += 1) {
      const room = board.cap(rival);
      let best: { row: number; score: number } | undefined;
      for (const row of board.rows) {
        if ((room[row] ?? 0) === 0) continue;
        const own = score.of(row, shape);
        if (best === undefined || own > best.score + 1e-9) best = { row, score: own };
      }
      if (best === undefined) break;
      board.put(rival, [{ row: best.row, pods: 1 }]);
      score.add(best.row, shape, 1);
      put.push({ shape: rival, row: best.row });
    }
  }
  const left = board.cap(number).reduce((sum, room) => sum + room, 0);
  for (const { shape, row } of put.reverse()) board.take(shape, [{ row, pods: 1 }]);
  return left < (shapes[number]?.required ?? 0);
}

function scores(world: World, { field }: Board) {
  const { topology, usage, context } = world;
  const width = topology.resources.length;
  const most = context.platform.scoring === "MostAllocated";
  const added = new Map<string, number>();
  const wish = (shape: Shape, resource: string): number =>
    shape.needs.find((need) => need.resource === resource)?.amount ?? DEFAULTS[resource] ?? 0;
  const share = (row: number, shape: Shape, resource: string): number => {
    const pool = field.kinds[field.kindOf[row] ?? -1]?.pool;
    const at = row * width + (topology.resourceIndex.get(resource) ?? -1);
    const offered = pool === undefined ? (topology.allocatable[at] ?? 0) : (pool.node.allocatable[resource] ?? 0);
    const taken = (pool === undefined ? (usage.used[at] ?? 0) : 0) + (added.get(`${row}/${resource}`) ?? 0);
    return offered <= 0 ? 0 : (taken + wish(shape, resource)) / offered;
  };
  return {
    of(row: number, shape: Shape): number {
      const used = Object.keys(DEFAULTS).reduce((sum, resource) => sum + share(row, shape, resource), 0);
      return most ? used : -used;
    },
    add(row: number, shape: Shape, pods: number): void {
      for (const resource of Object.keys(DEFAULTS)) {
        const key = `${row}/${resource}`;
        added.set(key, (added.get(key) ?? 0) + pods * wish(shape, resource));
      }
    },
  };
}
