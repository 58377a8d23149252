import { arrayAt, type Json, type JsonObject, objectAt, type Path } from "../model/index.ts";
import type { Draft } from "./draft.ts";
import { valueHash } from "./hash.ts";
import { countHashes, type Trace, takeItems } from "./lists.ts";
import type { EditRecord } from "./records.ts";

/** Groups of records that one table may have before terms are searched the plain way: a forged stamp costs no more. */
const SIGNATURES = 8;

interface Sink {
  readonly found: { record: EditRecord; value: Json }[];
  readonly missing: EditRecord[];
  readonly traces: Map<string, { trace: Trace; rest: readonly Json[] }>;
}

/** The name of a user's term in records: the hash of the term without our expressions. */
export function termHash(term: Json | undefined): string | undefined {
  const { matchExpressions, ...rest } = objectAt(term, []);
  const expressions = arrayAt({ matchExpressions }, ["matchExpressions"]);
  return valueHash(expressions.length === 0 ? rest : { ...rest, matchExpressions: expressions });
}

/**
 * Takes our expressions out of the user's node affinity terms. A term is known by what is left of it, so that terms
 * which the user put before it, or copies of it, change nothing; what a user changed since is searched by value.
 */
export function takeExpressions(document: Draft, terms: Path, records: readonly EditRecord[], sink: Sink): void {
  const pending = new Map<string, EditRecord[]>();
  for (const record of records) {
    const group = pending.get(record.key);
    if (group === undefined) pending.set(record.key, [record]);
    else group.push(record);
  }
  const signatures = new Map<string, ReadonlyMap<string, number>>();
  for (const group of pending.values()) {
    const counts = countHashes(new Set(group.map((record) => record.hash)));
    signatures.set([...counts.keys()].sort().join(" "), counts);
  }
  const count = arrayAt(document.get([]), terms).length;
  if (signatures.size <= SIGNATURES) {
    for (let index = 0; index < count; index += 1)
      takeKnown(document, [...terms, index], [...signatures.values()], pending, sink);
  }
  const left = [...pending.values()].flat();
  if (left.length === 0) return;
  for (let index = 0; index < count && left.length > 0; index += 1) takeAny(document, [...terms, index], left, sink);
  sink.missing.push(...left);
}

function takeKnown(
  document: Draft,
  path: Path,
  signatures: readonly ReadonlyMap<string, number>[],
  pending: Map<string, EditRecord[]>,
  sink: Sink,
): void {
  const term = objectAt(document.get(path), []);
  const list = arrayAt(term, ["matchExpressions"]);
  for (const wanted of signatures) {
    const taken = takeItems(list, wanted);
    if (taken.values.length < wanted.size) continue;
    const key = termHash({ ...term, matchExpressions: taken.rest });
    const group = key === undefined ? undefined : pending.get(key);
    if (key === undefined || group === undefined) continue;
    const own: EditRecord[] = [];
    for (const { hash } of taken.values) {
      const at = group.findIndex((record) => record.hash === hash);
      if (at >= 0) own.push(...group.splice(at, 1));
    }
    if (own.length < taken.values.length) {
      group.push(...own);
      continue;
    }
    if (group.length === 0) pending.delete(key);
    finish(document, path, term, taken.rest, own);
    taken.values.forEach(({ value }, index) => {
      const record = own[index];
      if (record !== undefined) sink.found.push({ record, value });
    });
    sink.traces.set(`nodeExpression ${key}`, { trace: taken.trace, rest: taken.rest });
    return;
  }
}

function takeAny(document: Draft, path: Path, left: EditRecord[], sink: Sink): void {
  const term = objectAt(document.get(path), []);
  const taken = takeItems(arrayAt(term, ["matchExpressions"]), countHashes(new Set(left.map((record) => record.hash))));
  if (taken.values.length === 0) return;
  const own: EditRecord[] = [];
  for (const { hash, value } of taken.values) {
    const at = left.findIndex((record) => record.hash === hash);
    const record = left[at];
    if (record === undefined) continue;
    left.splice(at, 1);
    own.push(record);
    sink.found.push({ record, value });
  }
  finish(document, path, term, taken.rest, own);
  const key = termHash({ ...term, matchExpressions: taken.rest });
  if (key !== undefined) sink.traces.set(`nodeExpression ${key}`, { trace: taken.trace, rest: taken.rest });
}

/** A list that we made goes with our last expression, or is null again. */
function finish(
  document: Draft,
  path: Path,
  term: JsonObject,
  rest: readonly Json[],
  own: readonly EditRecord[],
): void {
  const maker = own.find((record) => record.made > 0);
  if (rest.length > 0 || maker === undefined) document.set([...path, "matchExpressions"], rest);
  else if (maker.was === "null") document.set([...path, "matchExpressions"], null);
  else if (Object.hasOwn(term, "matchExpressions")) document.remove([...path, "matchExpressions"]);
}
