import { partOf } from "./device-parts.ts";
import type { DeviceTable } from "./device-table.ts";

/** Where the rows of a table stood in an earlier one. */
export interface Moves {
  /** Row -> its number before; -1: the node is new, or the devices that it reaches are others. */
  readonly rows: Int32Array;
}

export function movesOf(before: DeviceTable, after: DeviceTable): Moves {
  const rows = new Int32Array(after.nodeIndex.size).fill(-1);
  // Which nodes reach those devices their labels tell.
  if (before.detached.length > 0 || after.detached.length > 0) return { rows };
  for (const [node, row] of after.nodeIndex) rows[row] = before.nodeIndex.get(node) ?? -1;
  if (before.pools !== after.pools) {
    const [was, is] = [new Set(before.pools), new Set(after.pools)];
    const changed = [...before.pools.filter((pool) => !is.has(pool)), ...after.pools.filter((pool) => !was.has(pool))];
    for (const pool of changed)
      for (const node of partOf(pool).byNode.keys()) {
        const row = after.nodeIndex.get(node);
        if (row !== undefined) rows[row] = -1;
      }
  }
  return { rows };
}
