import type { Reason } from "../model/index.ts";
import { type Attempt, sharing } from "./attempt.ts";
import type { Board } from "./board.ts";
import { reaches } from "./node-stock.ts";
import { sharedClaims } from "./shape.ts";
import { joined, plural } from "./text.ts";

/** Rows that look alike are tried once; beyond so many that do not, a row counts as one without room for all. */
const MOST_LOOKS = 256;

/**
 * A claim that pods share is allocated on the node to which kube-scheduler binds the first of them, which may be any with room for one; all others
 * need room there. Says so where some such node has not room for all.
 */
export function followsFirst({ open, within, result }: Attempt): readonly Reason[] {
  if (open === undefined || result.kind !== "found") return [];
  const members = sharing(open.shapes);
  const sets = members.flatMap((number) => open.shapes[number] ?? []);
  const pods = sets.reduce((sum, { required }) => sum + required, 0);
  // What another scheduler chooses is not known.
  if (pods < 2 || sets.some(({ scheduler }) => scheduler !== undefined)) return [];
  const claims = joined([...new Set(sets.flatMap((shape) => [...sharedClaims(shape)]))].sort());
  const whose = sets.length === 1 ? (sets[0]?.of ?? "") : ` of ${joined(sets.map(({ name }) => name))}`;
  if (within !== undefined) {
    if (allReach(open, within)) return [];
    return [
      {
        code: "NotGuaranteed",
        message: `pods${whose} share ${claims}, for which kube-scheduler takes the first devices that serve the first of them: should these reach fewer nodes than all ${pods} need, the others find no place`,
        data: { podSet: sets[0]?.name ?? "", wanted: pods },
      },
    ];
  }
  const looks = new Map<string, boolean>();
  let [nodes, short] = [0, 0];
  for (let row = 0; row < open.field.existing; row += 1) {
    if (members.every((number) => (open.cap(number)[row] ?? 0) === 0)) continue;
    nodes += 1;
    const look = open.look(row);
    const holds = looks.get(look) ?? (looks.size < MOST_LOOKS && holdsAll(open, members, row));
    looks.set(look, holds);
    if (!holds) short += 1;
  }
  if (short === 0) return [];
  return [
    {
      code: "NotGuaranteed",
      message: `pods${whose} share ${claims}, which kube-scheduler allocates where the first of them goes, and ${short} of the ${plural(nodes, "node")} with room for one ${short === 1 ? "has" : "have"} no room for all ${pods}: have them select a node with room, or give each a claim of its own`,
      data: { podSet: sets[0]?.name ?? "", wanted: pods, open: nodes, short },
    },
  ];
}

/** Does every device of the pools from which the claim may be served reach all of these rows. */
function allReach({ field, devices }: Board, within: ReadonlySet<number>): boolean {
  return field.index.devices.devices.every((device) => {
    const { reach, driver, pool } = device;
    if (devices?.joint.has(`${driver}/${pool}`) !== true || "all" in reach) return true;
    return !("node" in reach) && [...within].every((row) => reaches(field, device, row));
  });
}

/** All required pods of the sets on one row. */
function holdsAll(open: Board, members: readonly number[], row: number): boolean {
  const put: (readonly [number: number, pods: number])[] = [];
  const holds = members.every((number) => {
    const pods = open.shapes[number]?.required ?? 0;
    if ((open.cap(number)[row] ?? 0) < pods) return false;
    open.put(number, [{ row, pods }]);
    put.push([number, pods]);
    return true;
  });
  for (const [number, pods] of put.reverse()) open.take(number, [{ row, pods }]);
  return holds;
}
