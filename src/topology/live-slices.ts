import type { JsonObject } from "../model/index.ts";
import type { Faults } from "./fields.ts";
import { compareText } from "./order.ts";
import { comparePools, joinPools } from "./pools.ts";
import { readSlice, type SliceFacts } from "./slice.ts";
import { readTaintRule, type TaintRule, tainted } from "./taint-rule.ts";
import type { DevicePool } from "./types.ts";

/** Slices and rules for their taints, and the pools that they join into; only pools of which a slice or a rule changed are joined again. */
export interface SliceKeeper {
  /** Nothing is changed where faults are found. */
  set(object: JsonObject, name: string, problems: Faults): void;
  remove(name: string): void;
  setRule(object: JsonObject, name: string, problems: Faults): void;
  removeRule(name: string): void;
  /** The same list as long as nothing changed. */
  pools(): readonly DevicePool[];
  readonly size: number;
}

export function createSlices(moved: () => void): SliceKeeper {
  const slices = new Map<string, SliceFacts>();
  const byPool = new Map<string, Map<string, SliceFacts>>();
  const rules = new Map<string, TaintRule>();
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
  const replaceRule = (name: string, next: TaintRule | undefined): void => {
    const before = rules.get(name);
    if (textOf(before) === textOf(next)) return;
    if (next === undefined) rules.delete(name);
    else rules.set(name, next);
    for (const selector of [before?.selector, next?.selector])
      for (const [id, group] of selector === undefined ? [] : byPool)
        for (const { driver, pool } of group.values())
          if ((selector?.driver ?? driver) === driver && (selector?.pool ?? pool) === pool) touched.add(id);
    moved();
  };
  return {
    remove,
    setRule(object, name, problems) {
      const rule = readTaintRule(object, name, problems);
      if (problems.found.length === 0) replaceRule(name, rule);
    },
    removeRule: (name) => replaceRule(name, undefined),
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
      const sorted = [...rules].sort(([a], [b]) => compareText(a, b)).map(([, rule]) => rule);
      for (const id of touched) {
        const [pool] = joinPools([...(byPool.get(id)?.values() ?? [])]);
        if (pool === undefined) joined.delete(id);
        else joined.set(id, tainted(pool, sorted));
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

function textOf(facts: SliceFacts | TaintRule | undefined): string | undefined {
  return JSON.stringify(facts, (_key, value: unknown) =>
    typeof value === "bigint" ? `${value}n` : value instanceof Map ? [...value] : value,
  );
}
