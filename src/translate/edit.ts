import {
  arrayAt,
  type Diagnostic,
  type Json,
  type JsonObject,
  jsonEqual,
  once,
  type Path,
  toText,
} from "../model/index.ts";
import type { PodSet } from "../workloads/index.ts";
import type { Draft } from "./draft.ts";
import { termHash } from "./expressions.ts";
import { valueHash } from "./hash.ts";
import { type Trace, weave } from "./lists.ts";
import type { EditRecord } from "./records.ts";
import { type Location, locate, type SlotName, slotOf } from "./slots.ts";
import { GRACE_DEFAULT, traceKey } from "./undo.ts";

/** One edit that is wanted: a value in a slot, and in words what it adds. */
export interface Edit {
  readonly slot: SlotName;
  /** As in the record: map key, container, container and resource, or hash of the term. */
  readonly key: string;
  readonly value: Json;
  readonly text: string;
}

export interface Addition {
  readonly podSet: string;
  readonly path: Path;
  readonly text: string;
}

export interface PlacedEdits {
  readonly records: readonly Omit<EditRecord, "from">[];
  readonly added: readonly Addition[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Where in a list the edits should stand: as an earlier reading of the same list found them. */
export type TraceOf = (key: string, base: readonly Json[]) => Trace | undefined;

/** Makes the edits of one pod set in the document, in order, and records each. */
export function placeEdits(document: Draft, set: PodSet, edits: readonly Edit[], traceOf: TraceOf): PlacedEdits {
  const records: Omit<EditRecord, "from">[] = [];
  const added: Addition[] = [];
  const diagnostics: Diagnostic[] = [];
  const done = new Set<Edit>();
  const hashOf = once(({ value }: Edit) => valueHash(value) ?? "");
  for (const edit of edits) {
    if (done.has(edit)) continue;
    const place = placeOf(document, set, edit);
    const shape = slotOf(edit.slot).shape;
    const made =
      place === undefined ? undefined : document.ensure(place.container, shape === "item" ? "array" : "object");
    if (place === undefined || made === undefined) {
      diagnostics.push(blocked(set, edit, place));
      continue;
    }
    const group = shape === "item" ? groupOf(edits, edit, done, hashOf) : [edit];
    for (const one of group) done.add(one);
    const path = place.name === undefined ? place.container : [...place.container, place.name];
    const before = place.name === undefined ? undefined : document.get(path);
    if (place.name === undefined)
      placeItems(
        document,
        place.container,
        group.map((one) => ({ hash: hashOf(one), value: one.value })),
        traceOf(traceKey(edit.slot, edit.key), arrayAt(document.get([]), place.container)),
      );
    else document.set(path, edit.value);
    group.forEach((one, index) => {
      const wasNull = index === 0 && (made.wasNull || before === null);
      const was = wasNull
        ? "null"
        : before !== undefined && jsonEqual(before, GRACE_DEFAULT) && one.slot === "grace"
          ? "default"
          : undefined;
      records.push({
        slot: one.slot,
        key: one.key,
        hash: hashOf(one),
        made: index === 0 ? made.count : 0,
        was,
      });
      added.push({ podSet: set.name, path, text: one.text });
    });
  }
  return { records, added, diagnostics };
}

/** Edits that go into one list. Equal terms share one key, so an expression that comes again belongs to the next of them. */
function groupOf(
  edits: readonly Edit[],
  first: Edit,
  done: ReadonlySet<Edit>,
  hashOf: (edit: Edit) => string,
): readonly Edit[] {
  const group = edits.filter((other) => other.slot === first.slot && other.key === first.key && !done.has(other));
  if (first.slot !== "nodeExpression") return group;
  const hashes = new Set<string>();
  return group.filter((other) => {
    const hash = hashOf(other);
    return hashes.has(hash) ? false : hashes.add(hash) !== undefined;
  });
}

function placeOf(document: Draft, set: PodSet, edit: Edit): Location | undefined {
  const place = locate(document.get([]) as JsonObject, set, edit.slot, edit.key);
  if (place === undefined || edit.slot !== "nodeExpression") return place;
  const index = arrayAt(document.get([]), place.container).findIndex((term) => termHash(term) === edit.key);
  return index < 0 ? undefined : { container: [...place.container, index, "matchExpressions"], name: undefined };
}

function placeItems(document: Draft, path: Path, items: Parameters<typeof weave>[1], trace: Trace | undefined): void {
  document.set(path, weave(arrayAt(document.get([]), path), items, trace));
}

/** The kind has the field, but what the user wrote there (a text where a map belongs) leaves no place for the edit. */
function blocked(set: PodSet, edit: Edit, place: Location | undefined): Diagnostic {
  const path = place?.container ?? set.path;
  return {
    code: "BackendCannotExpress",
    severity: "error",
    podSet: set.name,
    path,
    message: `${edit.text} cannot be added: ${toText(path)} is not of the shape that Kubernetes expects`,
    hint: "Correct that field; the API server would refuse it as well.",
  };
}
