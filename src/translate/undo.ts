import {
  APPLIED_ANNOTATION,
  arrayAt,
  DECISION_ANNOTATION,
  type Decision,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  type Path,
  stringAt,
  toPointer,
  valueAt,
} from "../model/index.ts";
import { type KindTable, type PodSet, readWorkload, type Workload } from "../workloads/index.ts";
import { type Draft, draft } from "./draft.ts";
import { takeExpressions } from "./expressions.ts";
import { generationOf } from "./generation.ts";
import { valueHash } from "./hash.ts";
import { LAST_APPLIED_ANNOTATION } from "./keys.ts";
import { countHashes, type Trace, takeItems } from "./lists.ts";
import {
  type AppliedRecords,
  decodeRecords,
  type EditRecord,
  NO_RECORDS,
  parseBounded,
  type SetRecords,
} from "./records.ts";
import { type Location, locate, type SlotName, slotOf } from "./slots.ts";
import { ANNOTATIONS_LIMIT, decodeDecision } from "./stamp.ts";

const ANNOTATIONS: Path = ["metadata", "annotations"];
/** The API server's default where Plimsoll replaced it. */
export const GRACE_DEFAULT = 30;

/** An edit that stood in the object, with what it had put there. */
export interface FoundEdit {
  readonly record: EditRecord;
  readonly value: Json;
}

/**
 * What undoing found, by pod set: enough to put the very same edits back. `missing` are recorded edits that no longer
 * stand; those that belong to the user by now are in neither list.
 */
export interface UndoneSet {
  readonly found: readonly FoundEdit[];
  readonly missing: readonly EditRecord[];
  /** Recorded once, and the user's since: never to be recorded again. */
  readonly theirs: readonly EditRecord[];
  /** By slot and key: where in their lists the edits stood. */
  readonly traces: ReadonlyMap<string, { readonly trace: Trace; readonly rest: readonly Json[] }>;
}

export interface Undone {
  /** The object as its user wrote it: without stamps, and without every edit that still stands as recorded. */
  readonly base: JsonObject;
  /** What the stamp says; undefined where there is none or it is damaged. Never to be trusted without a check. */
  readonly decision: Decision | undefined;
  readonly records: AppliedRecords;
  readonly sets: ReadonlyMap<string, UndoneSet>;
  /** There was a stamp that could not be read: nothing was undone by it. */
  readonly damaged: boolean;
}

/**
 * Undoes recorded edits exactly: each only where the value is the one recorded, in one of the slots that Plimsoll
 * edits, inside the pod sets of the object's own kind. Never throws, whatever the stamps hold: an unreadable stamp
 * undoes nothing. What `kubectl apply` recorded as written by the user stays.
 */
export function undo(object: JsonObject, table: KindTable): Undone {
  return undoWith(object, table, true);
}

function undoWith(object: JsonObject, table: KindTable, askLastApplied: boolean): Undone {
  const annotations = objectAt(object, ANNOTATIONS);
  const applied = stringAt(annotations, [APPLIED_ANNOTATION]);
  const decided = stringAt(annotations, [DECISION_ANNOTATION]);
  const records = applied === undefined ? NO_RECORDS : decodeRecords(applied);
  const decision = decided === undefined ? undefined : decodeDecision(decided);
  const document = draft(object);
  document.remove([...ANNOTATIONS, APPLIED_ANNOTATION]);
  document.remove([...ANNOTATIONS, DECISION_ANNOTATION]);
  const sets = new Map<string, UndoneSet>();
  let kept = records ?? NO_RECORDS;
  const workload = kept.sets.size > 0 || kept.child !== undefined ? readWorkload(object, table) : undefined;
  if (workload !== undefined) {
    const written = askLastApplied ? lastApplied(annotations, table) : undefined;
    const left = new Map<string, SetRecords>();
    for (const [name, set, own] of matchSets(workload, kept)) {
      const theirs = writtenByUser(written, name);
      const mine: SetRecords = {
        ...own,
        edits: own.edits.filter((one) => !theirs(one)),
        old: own.old.filter((one) => !theirs(one)),
      };
      left.set(name, mine);
      sets.set(name, {
        ...undoSet(document, set, generationOf(document.get([]), set, mine)),
        theirs: [...own.edits, ...own.old].filter(theirs),
      });
    }
    const child = kept.child;
    const at = child === undefined ? undefined : childPath(workload);
    if (child !== undefined && at !== undefined) sets.set(CHILD, undoSet(document, at, child.edits));
    kept = { ...kept, sets: left };
  }
  if (applied !== undefined && kept.made > 0 && isEmpty(document.get(ANNOTATIONS))) {
    if (kept.madeFromNull) document.set(ANNOTATIONS, null);
    else document.remove(ANNOTATIONS);
  }
  return {
    base: document.result(),
    decision,
    records: kept,
    sets,
    damaged: (applied !== undefined && records === undefined) || (decided !== undefined && decision === undefined),
  };
}

/** The name under which `sets` holds what was copied for the object that a template-only kind makes. */
export const CHILD = "\u0000child";

/** Where the annotations stand that a made object will carry; undefined where the kind makes none, or copies its own. */
export function childPath(workload: Workload): Path | undefined {
  if (workload.kind.life !== "templateOnly") return undefined;
  const text = workload.kind.childAnnotations;
  return text === undefined ? undefined : text.split(".");
}

/**
 * Records and the pod set they belong to, by name. A set that is there no longer may have been renamed: its records
 * are tried on the sets that have none.
 */
function matchSets(workload: Workload, records: AppliedRecords): readonly (readonly [string, PodSet, SetRecords])[] {
  const named = workload.podSets.flatMap((set) => {
    const own = records.sets.get(set.name);
    return own === undefined ? [] : [[set.name, set, own] as const];
  });
  const present = new Set(workload.podSets.map((set) => set.name));
  const orphans = [...records.sets].filter(([name]) => !present.has(name));
  const renamed = workload.podSets.flatMap((set) => {
    if (records.sets.has(set.name)) return [];
    const orphan = orphans.find(([, own]) => own.edits.length > 0 && standsWhole(workload.object, set, own));
    return orphan === undefined ? [] : [[set.name, set, orphan[1]] as const];
  });
  return [...named, ...renamed];
}

function standsWhole(object: JsonObject, set: PodSet, own: SetRecords): boolean {
  const probe = draft(object);
  return undoSet(probe, set, generationOf(object, set, own)).missing.length === 0;
}

function undoSet(document: Draft, target: PodSet | Path, records: readonly EditRecord[]): UndoneSet {
  const found: FoundEdit[] = [];
  const missing: EditRecord[] = [];
  const touched = new Set<string>();
  const traces = new Map<string, { trace: Trace; rest: readonly Json[] }>();
  const where = (record: EditRecord): Location | undefined => locateRecord(document, target, record);

  // Elements before keys: taking an element moves those behind it, and no key lies inside one of ours.
  for (const [place, group] of byList(records, where)) {
    const { slot, key } = group[0] ?? { slot: "toleration" as const, key: "" };
    const list = valueAt(document.get([]), place);
    const taken = takeItems(isArray(list) ? list : [], countHashes(group.map((record) => record.hash)));
    const values = new Map<string, Json[]>();
    for (const { hash, value } of taken.values) values.set(hash, [...(values.get(hash) ?? []), value]);
    for (const record of group) {
      const value = values.get(record.hash)?.shift();
      if (value === undefined) missing.push(record);
      else found.push({ record, value });
    }
    if (taken.values.length > 0) {
      document.set(place, taken.rest);
      touch(touched, place);
      traces.set(traceKey(slot, key), { trace: taken.trace, rest: taken.rest });
    }
  }
  const expressions = records.filter((record) => record.slot === "nodeExpression");
  const terms = expressions[0] === undefined ? undefined : where(expressions[0])?.container;
  if (terms === undefined) missing.push(...expressions);
  else takeExpressions(document, terms, expressions, { found, missing, traces });

  for (const record of records) {
    if (slotOf(record.slot).shape === "item") continue;
    const place = where(record);
    const path = place === undefined ? undefined : [...place.container, place.name ?? ""];
    const value = path === undefined ? undefined : document.get(path);
    if (
      place === undefined ||
      path === undefined ||
      value === undefined ||
      valueHash(value) !== record.hash ||
      !mayUndo(record)
    ) {
      missing.push(record);
      continue;
    }
    found.push({ record, value });
    touch(touched, place.container);
    if (record.was === "default") document.set(path, GRACE_DEFAULT);
    else if (record.was === "null" && record.made === 0) document.set(path, null);
    else document.remove(path);
  }
  removeMadeParents(document, records, where, touched);
  const order = new Map(records.map((record, index) => [record, index]));
  found.sort((a, b) => (order.get(a.record) ?? 0) - (order.get(b.record) ?? 0));
  return { found, missing, theirs: [], traces };
}

const isPath = (target: PodSet | Path): target is Path => Array.isArray(target);

function locateRecord(document: Draft, target: PodSet | Path, record: EditRecord): Location | undefined {
  if (isPath(target)) return record.slot === "child" ? { container: target, name: record.key } : undefined;
  return locate(objectAt(document.get([]), []), target, record.slot, record.key);
}

/** In maps that users share with us, only keys that Plimsoll writes are ever taken back. */
function mayUndo({ slot, key }: EditRecord): boolean {
  const keys = slotOf(slot).keys;
  return keys === undefined || keys.has(key);
}

export const traceKey = (slot: SlotName, key: string): string => `${slot} ${key}`;

function byList(
  records: readonly EditRecord[],
  where: (record: EditRecord) => Location | undefined,
): readonly (readonly [Path, readonly EditRecord[]])[] {
  const groups = new Map<string, [Path, EditRecord[]]>();
  for (const record of records) {
    if (slotOf(record.slot).shape !== "item" || record.slot === "nodeExpression") continue;
    const place = where(record)?.container ?? [];
    const key = place.length === 0 ? `? ${traceKey(record.slot, record.key)}` : toPointer(place);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [place, [record]]);
    else group[1].push(record);
  }
  return [...groups.values()];
}

function touch(touched: Set<string>, path: Path): void {
  let pointer = "";
  for (const step of path) {
    pointer += toPointer([step]);
    touched.add(pointer);
  }
}

/** Parents that we made go when they are empty and something of ours was taken out of them; one made in place of null is null again. */
function removeMadeParents(
  document: Draft,
  records: readonly EditRecord[],
  where: (record: EditRecord) => Location | undefined,
  touched: ReadonlySet<string>,
): void {
  const parents = new Map<string, { path: Path; toNull: boolean }>();
  for (const record of records) {
    if (record.made === 0 || record.slot === "nodeExpression") continue;
    const container = where(record)?.container ?? [];
    for (let level = 0; level < record.made && level < container.length; level += 1) {
      const path = container.slice(0, container.length - level);
      parents.set(toPointer(path), { path, toNull: record.was === "null" && level === record.made - 1 });
    }
  }
  const deepestFirst = [...parents.entries()].sort(([, a], [, b]) => b.path.length - a.path.length);
  for (const [pointer, { path, toNull }] of deepestFirst) {
    if (!touched.has(pointer) || !isEmpty(document.get(path))) continue;
    if (toNull) document.set(path, null);
    else document.remove(path);
  }
}

const isEmpty = (value: Json | undefined): boolean =>
  isArray(value) ? value.length === 0 : isObject(value) && Object.keys(value).every((key) => value[key] === undefined);

/** What `kubectl apply` last wrote. Where that was an export of ours, its own stamps are undone first. */
function lastApplied(annotations: JsonObject, table: KindTable): Workload | undefined {
  const text = stringAt(annotations, [LAST_APPLIED_ANNOTATION]);
  const json = text === undefined ? undefined : parseBounded(text, ANNOTATIONS_LIMIT);
  return isObject(json) ? readWorkload(undoWith(json, table, false).base, table) : undefined;
}

function writtenByUser(written: Workload | undefined, name: string): (record: EditRecord) => boolean {
  const set = written?.podSets.find((one) => one.name === name);
  if (written === undefined || set === undefined) return () => false;
  const hashes = new Map<string, ReadonlySet<string>>();
  return (record) => {
    const place = locate(written.object, set, record.slot, record.key);
    if (place === undefined) return false;
    if (place.name !== undefined)
      return valueHash(valueAt(written.object, [...place.container, place.name])) === record.hash;
    const pointer = `${record.slot} ${toPointer(place.container)}`;
    let known = hashes.get(pointer);
    if (known === undefined) {
      const items = arrayAt(written.object, place.container);
      const all =
        record.slot === "nodeExpression" ? items.flatMap((term) => arrayAt(term, ["matchExpressions"])) : items;
      known = new Set(all.map((item) => valueHash(item) ?? ""));
      hashes.set(pointer, known);
    }
    return known.has(record.hash);
  };
}
