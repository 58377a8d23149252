import type { Assignment, Placed } from "../model/index.ts";
import type { Board } from "./board.ts";
import type { Load } from "./devices.ts";
import type { Given } from "./pack.ts";
import type { Found } from "./search.ts";
import type { Shape } from "./shape.ts";

/**
 * Names nodes and devices for what the search found. New nodes are called `POOL/INDEX`, and what is their own after them. Undefined where the
 * devices do not hold together after all (the budget ran out).
 */
export function assignmentOf(board: Board, found: Found): Assignment | undefined {
  const { field, shapes } = board;
  const loads = loadsOf(found);
  const rows = [...loads.keys()].sort((a, b) => a - b);
  const names = new Map<number, string>();
  const perPool = new Map<string, number>();
  const newNodes: { pool: string; zone: string; count: number }[] = [];
  for (const row of rows) {
    const kind = field.kinds[field.kindOf[row] ?? -1];
    if (kind === undefined) {
      names.set(row, field.index.topology.nodes[row]?.name ?? "");
      continue;
    }
    const number = perPool.get(kind.pool.name) ?? 0;
    perPool.set(kind.pool.name, number + 1);
    names.set(row, `${kind.pool.name}/${number}`);
    const entry = newNodes.find((one) => one.pool === kind.pool.name && one.zone === kind.zone);
    if (entry === undefined) newNodes.push({ pool: kind.pool.name, zone: kind.zone, count: 1 });
    else entry.count += 1;
  }
  const devices = new Map<number, readonly (readonly Given[])[]>();
  if (board.devices !== undefined) {
    const allocated = board.devices.allocate(loads);
    if (allocated === undefined) return undefined;
    for (const row of rows) {
      const named = (given: Given): Given =>
        given.device.endsWith("@") ? { ...given, device: `${given.device}${names.get(row)}` } : given;
      devices.set(
        row,
        (allocated.get(row) ?? []).map((pod) => pod.map(named)),
      );
    }
  }
  const placed: Placed[] = [];
  for (const [number, shape] of shapes.entries()) {
    const counts = [...(found.counts[number] ?? [])].sort((a, b) => a.row - b.row);
    for (const { row, pods } of counts) {
      const before = (loads.get(row) ?? []).reduce((sum, one) => sum + (one.shape < number ? one.pods : 0), 0);
      const own = devices.get(row)?.slice(before, before + pods);
      const node = names.get(row) ?? "";
      placed.push({
        podSet: shape.name,
        node,
        pods,
        ...(own === undefined || shape.devices.length + shape.extended.length === 0 ? {} : given(own, shape)),
      });
    }
  }
  return { placed, newNodes };
}

/** What each device serves is told where the requests' order and counts do not tell it. */
function given(pods: readonly (readonly Given[])[], shape: Shape): Pick<Placed, "devices" | "serves"> {
  const devices = pods.map((pod) => pod.map(({ device }) => device));
  const plain = shape.devices.every((one) => one.firstAvailable === undefined && one.sharedClaim === undefined);
  const vague = shape.devices.length > 1 && shape.devices.some(({ count }) => count === "all");
  const told = !plain || vague || shape.extended.length > 0;
  return { devices, ...(told ? { serves: pods.map((pod) => pod.map(({ label }) => label)) } : {}) };
}

/** What stands on each row, by shape in order. */
export function loadsOf(found: Pick<Found, "counts">): ReadonlyMap<number, Load> {
  const loads = new Map<number, { shape: number; pods: number }[]>();
  for (const [shape, counts] of found.counts.entries())
    for (const { row, pods } of counts) {
      const load = loads.get(row);
      if (load === undefined) loads.set(row, [{ shape, pods }]);
      else load.push({ shape, pods });
    }
  return loads;
}
