import { CLASS_ANNOTATION, INTENT_ANNOTATION, objectAt, stringAt } from "../model/index.ts";
import type { Draft } from "./draft.ts";
import { type Addition, type Edit, placeEdits } from "./edit.ts";
import type { ExpandInput } from "./expand.ts";
import { valueHash } from "./hash.ts";
import { type EditRecord, type SetRecords, supersede } from "./records.ts";
import { childPath } from "./undo.ts";

export interface Copied {
  readonly sets: ReadonlyMap<string, SetRecords>;
  readonly child: SetRecords | undefined;
  readonly added: readonly Addition[];
}

/** A maker of workloads is judged and not expanded: class and intent go to where the made object takes its annotations from. */
export function copyClass(input: ExpandInput, document: Draft): Copied {
  const { base, intents } = input;
  const path = childPath(base);
  const className =
    stringAt(base.object, ["metadata", "annotations", CLASS_ANNOTATION]) ?? [...intents.values()][0]?.className;
  const copies = [
    [CLASS_ANNOTATION, className],
    [INTENT_ANNOTATION, stringAt(base.object, ["metadata", "annotations", INTENT_ANNOTATION])],
  ] as const;
  const records: Omit<EditRecord, "from">[] = [];
  const added: Addition[] = [];
  const sets = new Map<string, SetRecords>();
  const copiesItself = path?.join(".") === "metadata.annotations";
  for (const [key, value] of copies) {
    if (value === undefined || path === undefined || copiesItself || objectAt(base.object, path)[key] !== undefined)
      continue;
    const made = document.ensure(path, "object");
    if (made === undefined) continue;
    document.set([...path, key], value);
    records.push({
      slot: "child",
      key,
      hash: valueHash(value) ?? "",
      made: made.count,
      was: made.wasNull ? "null" : undefined,
    });
    added.push({
      podSet: base.podSets[0]?.name ?? "",
      path: [...path, key],
      text: `annotation ${key} for the objects that it makes`,
    });
  }
  if (path === undefined && base.kind.life === "templateOnly") {
    for (const set of base.podSets) {
      const theirs = (key: string) => Object.hasOwn(set.pod.annotations, key);
      const list = copies.flatMap(([key, value]): Edit[] =>
        value === undefined || theirs(key) ? [] : [{ slot: "annotation", key, value, text: `annotation ${key}` }],
      );
      const result = placeEdits(document, set, list, () => undefined);
      added.push(...result.added);
      if (result.records.length > 0)
        sets.set(set.name, supersede(input.old?.undone.records.sets.get(set.name), result.records));
    }
  }
  const child = records.length === 0 ? undefined : supersede(input.old?.undone.records.child, records);
  return { sets, child, added };
}
