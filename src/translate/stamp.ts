import {
  type Aligned,
  APPLIED_ANNOTATION,
  canonicalJson,
  DECISION_ANNOTATION,
  type Decision,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  parseRung,
  quoted,
  rungText,
  type SetDecision,
  type Verdict,
} from "../model/index.ts";
import type { Draft } from "./draft.ts";
import { type AppliedRecords, encodeRecords, parseBounded, withoutHistory } from "./records.ts";

/** apimachinery validation.TotalAnnotationSizeLimitB: keys and values of one object together, in bytes. */
export const ANNOTATIONS_LIMIT = 256 * 1024;
const VERDICTS: ReadonlySet<string> = new Set(["fits", "scaleUp", "busy", "never", "unknown", "undecided"]);
const METADATA = ["metadata", "annotations"] as const;

/** Sorted compact JSON. Sets with equal entries share one: the later names refer to the first. */
export function encodeDecision(decision: Decision): string {
  const first = new Map<string, string>();
  const sets: string[] = [];
  for (const name of Object.keys(decision).sort()) {
    const entry = decision[name];
    if (entry === undefined) continue;
    const text = canonicalJson(encodeEntry(entry));
    const same = first.get(text);
    if (same === undefined) first.set(text, name);
    sets.push(`${quoted(name)}:${same === undefined ? text : quoted(same)}`);
  }
  return `{"sets":{${sets.join(",")}},"v":1}`;
}

function encodeEntry(entry: SetDecision): JsonObject {
  return {
    class: entry.className,
    classDigest: entry.classDigest,
    intentDigest: entry.intentDigest,
    demandDigest: entry.demandDigest,
    rung: entry.rung === "none" ? "none" : rungText(entry.rung),
    verdict: entry.verdict,
    id: entry.id,
    steer: entry.steer === undefined ? undefined : { ...entry.steer },
    outer: entry.outer,
    alignedAnyhow: entry.alignedAnyhow,
    audit: entry.audit === true ? true : undefined,
  };
}

/** Undefined for anything that `encodeDecision` could not have written. Names are own keys of the result, whatever they are. */
export function decodeDecision(text: string): Decision | undefined {
  const json = parseBounded(text, ANNOTATIONS_LIMIT);
  if (!isObject(json) || json["v"] !== 1 || !isObject(json["sets"])) return undefined;
  const sets = json["sets"];
  const entries: [string, SetDecision][] = [];
  for (const [name, value] of Object.entries(sets)) {
    const target = typeof value === "string" && Object.hasOwn(sets, value) ? sets[value] : value;
    const entry = decodeEntry(target);
    if (entry === undefined) return undefined;
    entries.push([name, entry]);
  }
  return Object.fromEntries(entries);
}

function decodeEntry(json: Json | undefined): SetDecision | undefined {
  if (!isObject(json)) return undefined;
  const {
    class: className,
    classDigest,
    intentDigest,
    demandDigest,
    verdict,
    id,
    steer,
    outer,
    alignedAnyhow,
    audit,
  } = json;
  const rung =
    json["rung"] === "none" ? "none" : typeof json["rung"] === "string" ? parseRung(json["rung"]) : undefined;
  if (typeof className !== "string" || typeof classDigest !== "string" || typeof intentDigest !== "string")
    return undefined;
  if (typeof demandDigest !== "string" || typeof verdict !== "string" || !VERDICTS.has(verdict) || rung === undefined)
    return undefined;
  if ((id !== undefined && typeof id !== "string") || (audit !== undefined && audit !== true)) return undefined;
  const anyhow = alignedAnyhow === undefined ? undefined : decodeAligned(alignedAnyhow);
  if (alignedAnyhow !== undefined && anyhow === undefined) return undefined;
  const domains = decodeSteer(steer);
  if (steer !== undefined && domains === undefined) return undefined;
  const around = decodeOuter(outer);
  if (outer !== undefined && around === undefined) return undefined;
  return {
    className,
    classDigest,
    intentDigest,
    demandDigest,
    rung,
    verdict: verdict as Verdict,
    ...(id === undefined ? {} : { id }),
    ...(domains === undefined ? {} : { steer: domains }),
    ...(around === undefined ? {} : { outer: around }),
    ...(anyhow === undefined ? {} : { alignedAnyhow: anyhow }),
    ...(audit === true ? { audit } : {}),
  };
}

function decodeAligned(json: Json): readonly Aligned[] | undefined {
  const found = (["gpus", "nics"] as const).filter((one) => isArray(json) && json.includes(one));
  return isArray(json) && json.length > 0 && json.length === found.length ? found : undefined;
}

function decodeSteer(json: Json | undefined): SetDecision["steer"] {
  if (!isObject(json) || typeof json["key"] !== "string") return undefined;
  const values = texts(json["values"]);
  const outer = json["outer"] === undefined ? undefined : lists(json["outer"]);
  if (values === undefined || (json["outer"] !== undefined && outer?.length !== values.length)) return undefined;
  return { key: json["key"], values, ...(outer === undefined ? {} : { outer }) };
}

function decodeOuter(json: Json | undefined): SetDecision["outer"] {
  if (!isObject(json)) return undefined;
  const keys = lists(Object.values(json).map((value) => value ?? null));
  return keys === undefined
    ? undefined
    : Object.fromEntries(Object.keys(json).map((key, index) => [key, keys[index] ?? []]));
}

function texts(json: Json | undefined): readonly string[] | undefined {
  return isArray(json) && json.every((one) => typeof one === "string") ? json : undefined;
}

function lists(json: Json): readonly (readonly string[])[] | undefined {
  if (!isArray(json)) return undefined;
  const all = json.flatMap((one) => {
    const list = texts(one);
    return list === undefined ? [] : [list];
  });
  return all.length === json.length ? all : undefined;
}

/**
 * Writes both stamps. Where all annotations would pass the API server's limit, the history goes first; where that is
 * not enough, nothing is written and the answer is false.
 */
export function writeStamps(document: Draft, decision: Decision, records: AppliedRecords): boolean {
  const made = document.ensure(METADATA, "object");
  if (made === undefined) return false;
  const stamped = { ...records, made: Math.min(made.count, 1), madeFromNull: made.wasNull };
  const decided = encodeDecision(decision);
  const others = textsOf(objectAt(document.get([]), METADATA));
  for (const history of [true, false]) {
    const applied = encodeRecords(history ? stamped : withoutHistory(stamped));
    if (!fits([...others, DECISION_ANNOTATION, decided, APPLIED_ANNOTATION, applied])) continue;
    document.set([...METADATA, APPLIED_ANNOTATION], applied);
    document.set([...METADATA, DECISION_ANNOTATION], decided);
    return true;
  }
  return false;
}

/** Keys and values beside our own stamps. */
function textsOf(annotations: JsonObject): readonly string[] {
  return Object.entries(annotations).flatMap(([key, value]) =>
    key === APPLIED_ANNOTATION || key === DECISION_ANNOTATION ? [] : [key, typeof value === "string" ? value : ""],
  );
}

/** No unit of a text takes more than three bytes, so most are told by their length. */
function fits(texts: readonly string[]): boolean {
  const units = texts.reduce((sum, text) => sum + text.length, 0);
  return 3 * units <= ANNOTATIONS_LIMIT || texts.reduce((sum, text) => sum + utf8Length(text), 0) <= ANNOTATIONS_LIMIT;
}

function utf8Length(text: string): number {
  let bytes = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // A surrogate pair is four bytes: two for each half.
    bytes += unit < 0x80 ? 1 : unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 2 : 3;
  }
  return bytes;
}
