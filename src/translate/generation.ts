import { arrayAt, type Json, objectAt, toPointer, valueAt } from "../model/index.ts";
import type { PodSet } from "../workloads/index.ts";
import { valueHash } from "./hash.ts";
import type { EditRecord, SetRecords } from "./records.ts";
import { locate } from "./slots.ts";

/**
 * The records that a template carries: those of its current generation, or of an older one where the template went
 * back (rollout undo) and every edit of that generation is in place. A template that has neither whole is taken for the
 * current one, in part: values that were ours once are never taken from the user on a guess.
 */
export function generationOf(object: Json | undefined, set: PodSet, records: SetRecords): readonly EditRecord[] {
  if (records.old.length === 0) return records.edits;
  const counts = new Map<string, ReadonlyMap<string, number>>();
  if (stands(object, set, records.edits, counts)) return records.edits;
  const oldest = Math.min(...records.old.map((record) => record.from));
  for (
    let generation = records.generation - 1;
    generation >= Math.max(oldest, records.generation - 10);
    generation -= 1
  ) {
    const expected = [...records.edits, ...records.old.filter((record) => generation < record.until)].filter(
      (record) => record.from <= generation,
    );
    if (expected.length > 0 && stands(object, set, expected, counts)) return expected;
  }
  return records.edits;
}

type Counts = Map<string, ReadonlyMap<string, number>>;

function stands(object: Json | undefined, set: PodSet, records: readonly EditRecord[], counts: Counts): boolean {
  const needed = new Map<string, number>();
  for (const record of records) {
    const place = locate(objectAt(object, []), set, record.slot, record.key);
    if (place === undefined) return false;
    if (place.name !== undefined) {
      if (valueHash(valueAt(object, [...place.container, place.name])) !== record.hash) return false;
      continue;
    }
    const pointer = `${record.slot} ${toPointer(place.container)}`;
    const list = counts.get(pointer) ?? hashesOf(arrayAt(object, place.container), record.slot === "nodeExpression");
    counts.set(pointer, list);
    const need = (needed.get(`${pointer} ${record.hash}`) ?? 0) + 1;
    if ((list.get(record.hash) ?? 0) < need) return false;
    needed.set(`${pointer} ${record.hash}`, need);
  }
  return true;
}

function hashesOf(items: readonly Json[], terms: boolean): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of terms ? items.flatMap((term) => arrayAt(term, ["matchExpressions"])) : items) {
    const hash = valueHash(item);
    if (hash !== undefined) counts.set(hash, (counts.get(hash) ?? 0) + 1);
  }
  return counts;
}
