import type { JsonObject } from "../model/index.ts";
import type { Faults } from "./fields.ts";
import { comparePools, joinPools } from "./pools.ts";
import { readSlice, type SliceFacts } from "./slice.ts";
import type { DevicePool } from "./types.ts";

/** Slices, and the pools that they join into; only pools of which a slice changed are joined again. */
export interface SliceKeeper {
  /** Nothing is changed where faults are found. */
  set(object: JsonObject, name: string, problems: Faults): void;
  remove(name: string): void;
  /** The same list as long as nothing changed. */
  pools(): readonly DevicePool[];
  readonly size: number;
}

export function createSlices(moved: () => void): SliceKeeper {
  const slices = new Map<string, SliceFacts>();
  const byPool = new Map<string, Map<string, SliceFacts>>();
  const joined = new Map<string, DevicePool>();
  const touched = new Set<string>();
  let pools: readonly DevicePool[] = [];

  const remove = (name: string): void => {
    const slice = slices.get(name);
    if (slice === undefined) return;
    slices.delete(name);
    const id = poolId(slice);
    const group = byPool.get(id);
    group?.delete(name);
    if (group?.size === 0) byPool.delete(id);
    touched.add(id);
    moved();
  };
  return {
    remove,
    set(object, name, problems) {
      const slice = readSlice(object, name, problems);
      if (problems.found.length > 0) return;
      const before = slices.get(name);
      if (before !== undefined && textOf(before) === textOf(slice)) return;
      remove(name);
      slices.set(name, slice);
      const id = poolId(slice);
      byPool.set(id, (byPool.get(id) ?? new Map<string, SliceFacts>()).set(name, slice));
      touched.add(id);
      moved();
    },
    pools() {
      if (touched.size === 0) return pools;
      for (const id of touched) {
        const [pool] = joinPools([...(byPool.get(id)?.values() ?? [])]);
        if (pool === undefined) joined.delete(id);
        else joined.set(id, pool);
      }
      touched.clear();
      pools = [...joined.values()].sort(comparePools);
      return pools;
    },
    get size() {
      return slices.size;
    },
  };
}

function poolId(slice: SliceFacts): string {
  return `${slice.driver}/${slice.pool}`;
}

function textOf(slice: SliceFacts): string {
  return JSON.stringify(slice, (_key, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value instanceof Map ? [...value] : value,
  );
}
