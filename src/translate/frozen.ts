import { arrayAt, type Diagnostic, type Json, type JsonObject, jsonEqual, type Path, valueAt } from "../model/index.ts";
import { editable, type PodSet, type Workload } from "../workloads/index.ts";
import type { Edit } from "./edit.ts";
import { valueHash } from "./hash.ts";
import type { EditRecord } from "./records.ts";
import { locate, slotOf } from "./slots.ts";
import type { FoundEdit, Undone } from "./undo.ts";

/** The same edit, word for word. */
export const again = ({ record, value }: FoundEdit): Edit => ({
  slot: record.slot,
  key: record.key,
  value,
  text: `${record.slot} ${record.key} as it stands`.replace("  ", " "),
});

/** Has the user written a value of their own where the edit stood, or what it put into a list; then it is theirs from now on. */
export function isTaken(base: JsonObject, set: PodSet, { record, value }: FoundEdit, before?: Before): boolean {
  const place = locate(base, set, record.slot, record.key);
  if (place === undefined || record.was === "default") return false;
  if (place.name === undefined) {
    const times = (object: JsonObject): number =>
      itemsAt(object, place.container, record).filter((one) => jsonEqual(one, value)).length;
    return before !== undefined && times(base) > times(before.workload.object);
  }
  const now = valueAt(base, [...place.container, place.name]);
  return now !== undefined && now !== null;
}

/** The list that an edit adds to; for an expression of node affinity, those of all terms. */
function itemsAt(object: JsonObject, list: Path, { slot }: EditRecord): readonly Json[] {
  const items = arrayAt(object, list);
  return slot === "nodeExpression" ? items.flatMap((term) => arrayAt(term, ["matchExpressions"])) : items;
}

/** The object before the update, with its edits undone. */
export interface Before {
  readonly workload: Workload;
  readonly undone: Undone;
}

const POD_AFFINITY: ReadonlySet<string> = new Set(["podTerm", "podPreference", "podAntiTerm", "podAntiPreference"]);
const SELECTION: ReadonlySet<string> = new Set(["nodeSelector", "affinity"]);

/**
 * Does the API server forbid an update to change the slot, as the object stood before it. Of the affinity of a
 * stopped Job or gated pod only the node part is mutable, and a gated pod's selection may be narrowed but not
 * exchanged: once it has ours, it keeps them.
 */
export function isFrozen(before: Before | undefined, set: PodSet, slot: Edit["slot"]): boolean {
  const old = before?.workload.podSets.find((one) => one.name === set.name);
  if (before === undefined || old === undefined) return false;
  const { workload, undone } = before;
  const { field } = slotOf(slot);
  if (!editable(old, workload, field)) return true;
  const { builtin, mutability } = workload.kind;
  if (!builtin || mutability.template === "always") return false;
  if (POD_AFFINITY.has(slot)) return true;
  if (mutability.template !== "gated" || !SELECTION.has(field)) return false;
  return (undone.sets.get(set.name)?.found ?? []).some(({ record }) => SELECTION.has(slotOf(record.slot).field));
}

/** As the class wants them now, each immutable one where it stood in that order; those that it no longer wants come last. */
export function inOrder(all: readonly Edit[], free: readonly Edit[], frozen: readonly FoundEdit[]): readonly Edit[] {
  const left = frozen.map(again);
  const known = all.flatMap((edit): readonly Edit[] => {
    if (free.includes(edit)) return [edit];
    const at = left.findIndex(
      (one) => one.slot === edit.slot && one.key === edit.key && jsonEqual(one.value, edit.value),
    );
    return at < 0 ? [] : left.splice(at, 1);
  });
  return [...known, ...left];
}

/** Edits of the old object that an update may not change. */
export function frozenEdits(before: Before | undefined, set: PodSet): readonly FoundEdit[] {
  const found = before?.undone.sets.get(set.name)?.found ?? [];
  return found.filter(({ record }) => isFrozen(before, set, record.slot));
}

/** What the class wants, or no longer wants, and an update cannot do. */
export function immutable(
  set: PodSet,
  all: readonly Edit[],
  free: readonly Edit[],
  frozen: readonly FoundEdit[],
): readonly Diagnostic[] {
  const text = (slot: string, key: string, value: unknown): string =>
    `${slot} ${key} ${valueHash(value as Edit["value"]) ?? ""}`;
  const stand = new Set(frozen.map(({ record, value }) => text(record.slot, record.key, value)));
  const wish = all.filter((edit) => !free.includes(edit));
  const differ = wish.filter((edit) => !stand.has(text(edit.slot, edit.key, edit.value)));
  if (differ.length === 0 && wish.length === frozen.length) return [];
  return [
    {
      code: "ImmutableTemplate",
      severity: "warning",
      podSet: set.name,
      path: set.path,
      message: `the pod template cannot change any more, so ${differ.length === 0 ? "edits that the class no longer wants stay" : `these edits cannot be made: ${differ.map((edit) => edit.text).join(", ")}`}`,
      hint: "Delete the workload and create it again.",
    },
  ];
}
