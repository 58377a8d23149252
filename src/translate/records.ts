import { isArray, isObject, type Json, quoted } from "../model/index.ts";
import { isSlot, type SlotName } from "./slots.ts";

/**
 * What the annotation `plimsoll.dev/applied` says: every edit that was made, so that it can be undone exactly.
 *
 * Each pod set counts its generations: one more whenever its edits change. A record lives from generation `from` until
 * (not including) `until`. A template that went back to an older generation (rollout undo) is recognised by having all
 * edits of that generation in place, so a user's own value is never taken for one that was ours long ago.
 */
export interface AppliedRecords {
  readonly sets: ReadonlyMap<string, SetRecords>;
  /** Annotations copied to where a made object takes them from (CronJob). */
  readonly child: SetRecords | undefined;
  /** Parents made for the stamps themselves: 0, or 1 where the root had no annotations. */
  readonly made: number;
  readonly madeFromNull: boolean;
}

export interface SetRecords {
  readonly generation: number;
  /** In the order in which the edits were made. */
  readonly edits: readonly EditRecord[];
  /** Superseded edits of the last ten generations. */
  readonly old: readonly OldRecord[];
}

export interface EditRecord {
  readonly slot: SlotName;
  /** The key in a map, the container or the term that holds the list; empty where the slot needs none. */
  readonly key: string;
  readonly hash: string;
  /** Parents made for it. */
  readonly made: number;
  /** What stood there: null (of the outermost made parent, or of the value itself), or the API server's default. */
  readonly was: "null" | "default" | undefined;
  readonly from: number;
}

export interface OldRecord extends EditRecord {
  readonly until: number;
}

export const NO_RECORDS: AppliedRecords = { sets: new Map(), child: undefined, made: 0, madeFromNull: false };
const GENERATIONS = 10;
const TEXT_LIMIT = 256 * 1024;

/** The next state of a set's records. The generation stays where the edits are as they were. */
export function supersede(previous: SetRecords | undefined, edits: readonly Omit<EditRecord, "from">[]): SetRecords {
  const before = previous ?? { generation: 0, edits: [], old: [] };
  const left = new Map<string, EditRecord[]>();
  for (const record of before.edits) {
    const list = left.get(identity(record));
    if (list === undefined) left.set(identity(record), [record]);
    else list.push(record);
  }
  const kept = edits.map((edit) => ({
    edit,
    record: left.size === 0 ? undefined : left.get(identity(edit))?.shift(),
  }));
  const gone = [...left.values()].flat();
  const changed = previous === undefined || gone.length > 0 || kept.some(({ record }) => record === undefined);
  const generation = changed ? before.generation + 1 : before.generation;
  const old = [...gone.map((record) => ({ ...record, until: generation })), ...before.old].filter(
    (record) => record.until > generation - GENERATIONS,
  );
  return { generation, edits: kept.map(({ edit, record }) => ({ ...edit, from: record?.from ?? generation })), old };
}

/** Records less those that belong to the user by now. */
export function without(records: SetRecords | undefined, theirs: readonly EditRecord[]): SetRecords | undefined {
  if (records === undefined || theirs.length === 0) return records;
  const gone = new Set(theirs.map(identity));
  const keep = (record: EditRecord): boolean => !gone.has(identity(record));
  return { ...records, edits: records.edits.filter(keep), old: records.old.filter(keep) };
}

export function withoutHistory(records: AppliedRecords): AppliedRecords {
  const strip = (set: SetRecords): SetRecords => ({ ...set, old: [] });
  return {
    ...records,
    sets: new Map([...records.sets].map(([name, set]) => [name, strip(set)])),
    child: records.child === undefined ? undefined : strip(records.child),
  };
}

const identity = (record: Omit<EditRecord, "from">): string => `${record.slot} ${record.hash} ${record.key}`;

/** Sorted compact JSON. Sets with equal records share one: the later names refer to the first. */
export function encodeRecords(records: AppliedRecords): string {
  const sets: string[] = [];
  const first = new Map<string, string>();
  for (const [name, set] of [...records.sets].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const text = encodeSet(set);
    const same = first.get(text);
    if (same === undefined) first.set(text, name);
    sets.push(`${quoted(name)}:${same === undefined ? text : quoted(same)}`);
  }
  const child = records.child === undefined ? "" : `"child":${encodeSet(records.child)},`;
  const made = records.made === 0 ? "" : `"made":${records.madeFromNull ? -records.made : records.made},`;
  return `{${child}${made}"sets":{${sets.join(",")}},"v":1}`;
}

function encodeSet({ generation, edits, old }: SetRecords): string {
  const superseded = old.map((record) => `[${encodeRecord(record)},${record.until}]`);
  const history = old.length === 0 ? "" : `,"o":[${superseded.join(",")}]`;
  return `{"e":[${edits.map((record) => `[${encodeRecord(record)}]`).join(",")}],"g":${generation}${history}}`;
}

function encodeRecord({ slot, key, hash, made, was, from }: EditRecord): string {
  const note = `${made === 0 ? "" : made}${was === undefined ? "" : was[0]}`;
  return `"${slot}",${quoted(key)},"${hash}",${from},"${note}"`;
}

/**
 * Undefined for anything that `encodeRecords` could not have written: text too long, not JSON, another version, an
 * unknown slot. Nothing is repaired, since a half-read table could undo half an edit.
 */
export function decodeRecords(text: string): AppliedRecords | undefined {
  const json = parseBounded(text, TEXT_LIMIT);
  if (!isObject(json) || json["v"] !== 1 || !isObject(json["sets"])) return undefined;
  const sets = new Map<string, SetRecords>();
  const references: [string, string][] = [];
  for (const [name, value] of Object.entries(json["sets"])) {
    if (typeof value === "string") references.push([name, value]);
    else {
      const set = decodeSet(value);
      if (set === undefined) return undefined;
      sets.set(name, set);
    }
  }
  const resolved = references.map(([name, target]) => [name, sets.get(target)] as const);
  for (const [name, set] of resolved) {
    if (set === undefined) return undefined;
    sets.set(name, set);
  }
  const child = json["child"] === undefined ? undefined : decodeSet(json["child"]);
  if (json["child"] !== undefined && child === undefined) return undefined;
  const made = json["made"] ?? 0;
  if (made !== 0 && made !== 1 && made !== -1) return undefined;
  return { sets, child, made: Math.abs(made), madeFromNull: made < 0 };
}

function decodeSet(json: Json | undefined): SetRecords | undefined {
  if (!isObject(json) || !isCount(json["g"]) || !isArray(json["e"])) return undefined;
  const edits = json["e"].map((item) => decodeRecord(item, 5));
  const old = (isArray(json["o"]) ? json["o"] : []).map((item): OldRecord | undefined => {
    const record = decodeRecord(item, 6);
    const until = isArray(item) ? item[5] : undefined;
    return record !== undefined && isCount(until) ? { ...record, until } : undefined;
  });
  const whole = edits.every((record) => record !== undefined) && old.every((record) => record !== undefined);
  return whole
    ? { generation: json["g"], edits: edits.flatMap((one) => one ?? []), old: old.flatMap((one) => one ?? []) }
    : undefined;
}

function decodeRecord(json: Json, length: number): EditRecord | undefined {
  if (!isArray(json) || json.length !== length) return undefined;
  const [slot, key, hash, from, note] = json;
  if (
    typeof slot !== "string" ||
    !isSlot(slot) ||
    typeof key !== "string" ||
    typeof hash !== "string" ||
    !isCount(from)
  )
    return undefined;
  const parts = typeof note === "string" ? /^(\d{0,2})([nd]?)$/.exec(note) : null;
  if (parts === null || !/^[0-9a-f]{12}$/.test(hash)) return undefined;
  return {
    slot,
    key,
    hash,
    from,
    made: Number(parts[1] ?? 0),
    was: parts[2] === "n" ? "null" : parts[2] === "d" ? "default" : undefined,
  };
}

const isCount = (value: Json | undefined): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0;

/** Undefined for text that is too long or not JSON. */
export function parseBounded(text: string, limit: number): Json | undefined {
  if (text.length > limit) return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
