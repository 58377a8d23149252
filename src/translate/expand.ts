/**
 * From a decision to the object that carries it.
 *
 * How admission uses it:
 *
 *   const own = undo(object, kinds);                    // the object of the review
 *   const base = readWorkload(own.base, kinds, ...);    // what its user wrote
 *   CREATE: expand({ base, undone: own, intents, decision, catalogue, facts })
 *   UPDATE: const was = undo(oldObject, kinds);
 *           const before = readWorkload(was.base, kinds, ...);
 *           expand({ ..., old: { workload: before, undone: was }, standing: [names of the sets that stand] })
 *
 * - `undone` lets edits that stay keep their place in lists. Without it they are appended.
 * - A set in `standing` gets the edits and records of the old object back, word for word, whatever catalogue and
 *   platform say; so does a set in mode audit. It needs an entry in `decision`, which is stamped as it is.
 * - What the kind makes immutable (`editable`, asked of the old object) keeps what stands there; where the class would
 *   now write something else, that is the finding `ImmutableTemplate`, with the pod set and path.
 * - A set without an entry in `decision` loses its edits, save where they are immutable.
 * - The history of superseded edits is taken from `old`, never from the object of the review.
 */
import {
  type ClusterFacts,
  type Decision,
  type Diagnostic,
  type Intent,
  type JsonObject,
  jsonEqual,
  objectAt,
  rungText,
  stringAt,
  toText,
} from "../model/index.ts";
import { buildLadder, type Catalogue, tenantOf } from "../policy/index.ts";
import { type PodSet, readWorkload, type Workload } from "../workloads/index.ts";
import { cannotExpress, join, NOTHING, type Part, type SetContext, says } from "./context.ts";
import { devices } from "./devices.ts";
import { disruption } from "./disruption.ts";
import { type Draft, draft } from "./draft.ts";
import { type Addition, type Edit, type PlacedEdits, placeEdits, type TraceOf } from "./edit.ts";
import { again, frozenEdits, immutable, inOrder, isFrozen, isTaken } from "./frozen.ts";
import { gang } from "./group.ts";
import { copyClass } from "./maker.ts";
import { grace, ownershipLabels, priority } from "./ownership.ts";
import { level } from "./placement.ts";
import { provisioning } from "./provisioning.ts";
import { type EditRecord, type SetRecords, supersede, without } from "./records.ts";
import { nodeSelection, pinned } from "./selection.ts";
import { slotOf } from "./slots.ts";
import { spread } from "./spread.ts";
import { writeStamps } from "./stamp.ts";
import { tolerations } from "./tolerations.ts";
import type { FoundEdit, Undone } from "./undo.ts";

export interface ExpandInput {
  /** The workload as its user wrote it: edits undone, without stamps. */
  readonly base: Workload;
  readonly intents: ReadonlyMap<string, Intent>;
  readonly decision: Decision;
  readonly catalogue: Catalogue;
  readonly facts: ClusterFacts;
  /** Of the object in hand. */
  readonly undone?: Undone;
  /** Of an update: the object before it, undone. */
  readonly old?: { readonly workload: Workload; readonly undone: Undone };
  readonly standing?: readonly string[];
}

export interface Expansion {
  readonly object: JsonObject;
  /** Claim templates and pod templates before what names them. */
  readonly companions: readonly JsonObject[];
  readonly diagnostics: readonly Diagnostic[];
  /** Every edit in words. */
  readonly added: readonly Addition[];
  /** The stamps do not fit into the object's annotations: `object` is then the base, and nothing was expanded. */
  readonly tooLarge: boolean;
}

export function expand(input: ExpandInput): Expansion {
  const { base, decision, old } = input;
  const document = draft(base.object);
  if (base.kind.life === "templateOnly" || base.kind.life === "derived") {
    const { added, ...records } = copyClass(input, document);
    return stamped(input, document, records, { companions: [], diagnostics: [], added });
  }
  const added: Addition[] = [];
  const diagnostics: Diagnostic[] = [];
  const companions: JsonObject[] = [];
  const placed = new Map<string, Omit<EditRecord, "from">[]>();
  const verbatim = new Map<string, SetRecords>();
  const fresh: SetContext[] = [];
  const standing = new Set(input.standing ?? []);

  for (const set of base.podSets) {
    const entry = Object.hasOwn(decision, set.name) ? decision[set.name] : undefined;
    const before = old?.undone.sets.get(set.name);
    const records = old?.undone.records.sets.get(set.name);
    const stands = entry !== undefined && (standing.has(set.name) || entry.audit === true);
    const frozen = frozenEdits(old, set);
    const context = contextOf(input, set);
    const part = context === undefined ? NOTHING : wanted(context);
    if (stands || context === undefined) {
      const stood = stands ? (before?.found ?? []) : frozen;
      const back = stood.filter((edit) => !isTaken(base.object, set, edit, old));
      const taken = stood.filter((edit) => !back.includes(edit)).map(({ record }) => record);
      const result = place(document, set, back.map(again), input);
      added.push(...result.added);
      const kept = taken.length === 0 ? records : without(records, taken);
      if (stands && kept !== undefined) verbatim.set(set.name, kept);
      if (stands && entry.audit !== true) companions.push(...part.companions.filter((one) => isNamed(one, back)));
      if (stands && entry.audit === true && context !== undefined) diagnostics.push(...part.diagnostics);
      continue;
    }
    const free = part.edits.filter((edit) => !isFrozen(old, set, edit.slot));
    diagnostics.push(...part.diagnostics, ...immutable(set, part.edits, free, frozen));
    companions.push(...part.companions);
    const result = place(document, set, inOrder(part.edits, free, frozen), input);
    added.push(...result.added);
    diagnostics.push(...result.diagnostics);
    placed.set(set.name, [...result.records]);
    fresh.push(context);
  }

  const expanded = (): Workload | undefined =>
    readWorkload(document.result(), input.catalogue.kinds, { namespace: base.key.namespace });
  for (const [name, part] of provisioning(fresh, expanded)) {
    const set = base.podSets.find((one) => one.name === name);
    if (set === undefined) continue;
    const free = part.edits.filter((edit) => !isFrozen(old, set, edit.slot));
    diagnostics.push(...part.diagnostics);
    if (free.length < part.edits.length) continue;
    companions.push(...part.companions);
    const result = place(document, set, free, input);
    added.push(...result.added);
    placed.get(name)?.push(...result.records);
  }

  const sets = new Map<string, SetRecords>(verbatim);
  for (const [name, records] of placed) {
    const previous = without(old?.undone.records.sets.get(name), input.undone?.sets.get(name)?.theirs ?? []);
    sets.set(name, supersede(previous, records));
  }
  return stamped(input, document, { sets, child: undefined }, { companions, diagnostics, added });
}

function stamped(
  input: ExpandInput,
  document: Draft,
  records: { readonly sets: ReadonlyMap<string, SetRecords>; readonly child: SetRecords | undefined },
  rest: Pick<Expansion, "companions" | "diagnostics" | "added">,
): Expansion {
  if (
    Object.keys(input.decision).length > 0 &&
    !writeStamps(document, input.decision, { ...records, made: 0, madeFromNull: false })
  ) {
    const diagnostic: Diagnostic = {
      code: "StampsTooLarge",
      severity: "error",
      path: ["metadata", "annotations"],
      message: "the record of the edits does not fit: all annotations of an object together may take 256 KiB",
      hint: "Apply with kubectl apply --server-side, which keeps no copy of the manifest in the annotations.",
    };
    return {
      object: input.base.object,
      companions: [],
      added: [],
      diagnostics: [...rest.diagnostics, diagnostic],
      tooLarge: true,
    };
  }
  return { ...rest, object: document.result(), companions: ordered(rest.companions), tooLarge: false };
}

function contextOf(input: ExpandInput, set: PodSet): SetContext | undefined {
  const { base, intents, decision, catalogue, facts } = input;
  const intent = intents.get(set.name);
  const entry = Object.hasOwn(decision, set.name) ? decision[set.name] : undefined;
  if (intent === undefined || entry === undefined) return undefined;
  const { rung } = entry;
  const { steps } = rung === "none" ? { steps: [] } : buildLadder(base, set, intent, catalogue, facts);
  const found = rung === "none" ? undefined : steps.find((one) => rungText(one.rung) === rungText(rung));
  const step = found?.skipped === undefined ? found : undefined;
  const peers =
    rung === "none"
      ? []
      : steps.filter(
          (one) =>
            one.skipped === undefined && one.rung.accelerator === rung.accelerator && one.rung.source === rung.source,
        );
  return {
    workload: base,
    set,
    intent,
    entry,
    step,
    withoutRung:
      rung === "none" || step !== undefined ? undefined : (found?.skipped?.message ?? "its ladder has no such rung."),
    peers: step === undefined || peers.includes(step) ? peers : [step, ...peers],
    accelerator: rung === "none" ? undefined : catalogue.accelerators.get(rung.accelerator),
    catalogue,
    platform: catalogue.platform,
    layout: catalogue.layout,
    facts,
    tenant: tenantOf(base.key.namespace, facts),
  };
}

/** Everything that the class wants for the set, in the order in which it is written. Concerns that want the same label get it once. */
function wanted(context: SetContext): Part {
  if (!context.set.present && context.set.entry.creatable !== true) return join(lost(context), templateless(context));
  const parts = [ownershipLabels(context), priority(context), grace(context), disruption(context)];
  if (context.step === undefined) parts.push(lost(context));
  else {
    parts.push(nodeSelection(context, pinned(context)), tolerations(context), level(context));
    parts.push(spread(context), devices(context), gang(context));
  }
  const all = join(...parts);
  const seen = new Set<string>();
  const edits = all.edits.filter(({ slot, key }) => {
    const place = `${slot} ${key}`;
    return slotOf(slot).shape === "item" || (!seen.has(place) && seen.add(place) !== undefined);
  });
  return { ...all, edits };
}

/** A template written in part would replace the operator's own, so none is begun. Fatal only where the pods need devices. */
function templateless(context: SetContext): Part {
  const { set, step, intent } = context;
  const asks = (step?.devicesPerPod ?? 0) > 0;
  const why = `the manifest has no template for pod set ${set.name}, and its operator makes these pods from one of its own`;
  return says(
    cannotExpress(
      context,
      `what class ${intent.className} adds`,
      why,
      `Write ${toText(set.path)} in the manifest.`,
      asks,
    ),
  );
}

/** The rung that was decided is not one of today's class for this pod set. */
function lost({ entry, intent, set, withoutRung }: SetContext): Part {
  if (entry.rung === "none" || withoutRung === undefined) return NOTHING;
  return says({
    code: "RungNotAllowed",
    severity: "error",
    podSet: set.name,
    message: `class ${intent.className} does not allow rung ${rungText(entry.rung)} here: ${withoutRung}`,
    hint: "Renew the decision (annotation plimsoll.dev/renew).",
  });
}

function place(document: Draft, set: PodSet, edits: readonly Edit[], input: ExpandInput): PlacedEdits {
  const before = input.old?.undone.sets.get(set.name)?.traces;
  const now = input.undone?.sets.get(set.name)?.traces;
  const traceOf: TraceOf = (key, base) => {
    const known = before?.get(key);
    // The user's part of the list is what it was: the list is, too.
    if (known !== undefined && jsonEqual(known.rest, base)) return known.trace;
    return now?.get(key)?.trace;
  };
  return placeEdits(document, set, edits, traceOf);
}

/** Companions of a set that stands are those that its edits name; a disruption budget is named by nobody. */
function isNamed(companion: JsonObject, edits: readonly FoundEdit[]): boolean {
  if (companion["kind"] === "PodDisruptionBudget") return true;
  const name = stringAt(companion, ["metadata", "name"]);
  return edits.some(({ value }) => value === name || Object.values(objectAt(value, [])).includes(name));
}

const ORDER = ["ResourceClaimTemplate", "PodTemplate", "PodGroup", "ProvisioningRequest", "PodDisruptionBudget"];

/** Each once: what is named before what names it, by name within a kind. */
function ordered(companions: readonly JsonObject[]): readonly JsonObject[] {
  const rank = (one: JsonObject): string =>
    `${ORDER.indexOf(stringAt(one, ["kind"]) ?? "")} ${stringAt(one, ["metadata", "name"]) ?? ""}`;
  const unique = new Map(companions.map((one) => [rank(one), one]));
  return [...unique.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, one]) => one);
}
