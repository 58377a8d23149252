import {
  type Answer,
  type Demand,
  durationText,
  isArray,
  type Json,
  type Placement,
  type PodSetDemand,
  type RungAnswer,
  type Suggestion,
} from "../model/index.ts";
import type { SolveContext } from "./context.ts";
import { walk } from "./ladder.ts";
import { looserAlignment, otherAccelerators, otherCapacity, type Variant } from "./other-steps.ts";
import { sizeText } from "./text.ts";
import { firstOf, holdsNow } from "./verdicts.ts";
import { type World, worldFor } from "./world.ts";

const MOST = 3;
/** Numbers of pods that are tried for one set. */
const MOST_COUNTS = 4;
/** Rungs that all walks for suggestions may look at, each of which costs passes over the nodes that no budget counts. */
const MAX_RUNGS = 480;

/** A demand changed in one way. */
interface Change {
  /** The field of the class that would be written otherwise, and how; undefined: the workload's own. */
  readonly sets: { readonly field: string; readonly value: Json } | undefined;
  readonly text: string;
  readonly demand: Demand;
}

/**
 * Up to three changes under which the workload fits, the smallest first: a wider level, a longer wait, other capacity, another
 * accelerator, network devices less near, less spreading, fewer pods. Each is solved over the whole ladder before it is offered.
 */
export function suggest(
  world: World,
  answer: Pick<Answer, "ladder">,
): { readonly suggestions: readonly Suggestion[]; readonly steps: number } {
  const suggestions: Suggestion[] = [];
  const offered = new Set<string>();
  let steps = 0;
  let rungs = 0;
  const context: SolveContext = {
    ...world.context,
    index: world.index,
    maxSteps: Math.ceil(world.context.maxSteps / 8),
    skipSuggestions: true,
  };
  for (const { kind, changes } of changesFor(world, answer)) {
    if (suggestions.length >= MOST) break;
    for (const change of changes) {
      if (offered.has(kind)) break;
      rungs += change.demand.podSets.reduce((sum, { ladder }) => sum + ladder.steps.length, 0);
      if (rungs > MAX_RUNGS) return { suggestions, steps };
      const walked = walk(worldFor(world.topology, change.demand, context));
      steps += walked.steps;
      const chosen = firstOf(walked.ladder);
      if (chosen === undefined || !holdsNow(chosen.verdict)) continue;
      offered.add(kind);
      const how = chosen.verdict === "fits" ? "fits" : "fits after a scale-up";
      suggestions.push({
        change: change.text,
        verdict: chosen.verdict,
        who: mayChange(world.context, change) ? "workload" : "platform",
        message: `${how} with ${change.text} (${resultText(chosen)})`,
      });
    }
  }
  return { suggestions, steps };
}

function resultText({ reasons, rungs, assignment }: RungAnswer): string {
  const first = reasons[0]?.message ?? "";
  return Object.keys(rungs).length < 2 || assignment === undefined ? first : `${sizeText(assignment)} in all`;
}

function mayChange({ mayOverride }: SolveContext, { sets }: Change): boolean {
  return sets === undefined || mayOverride?.(sets.field, sets.value) === true;
}

/** `topology.level: block` */
const setting = (field: string, value: Json): Pick<Change, "sets" | "text"> => ({
  sets: { field, value },
  text: `${field}: ${isArray(value) ? `[${value.join(", ")}]` : value}`,
});

/** Kinds of change in the order in which they are tried; of one kind only the first that works is offered. */
function* changesFor(
  world: World,
  answer: Pick<Answer, "ladder">,
): Generator<{ kind: string; changes: Iterable<Change> }> {
  yield { kind: "level", changes: widerLevels(world) };
  yield { kind: "within", changes: widerWithin(world) };
  yield { kind: "domains", changes: sharedDomains(world) };
  yield { kind: "wait", changes: longerWaits(world) };
  yield { kind: "capacity", changes: written(otherCapacity(world)) };
  yield { kind: "accelerator", changes: written(otherAccelerators(world)) };
  yield { kind: "alignment", changes: written(looserAlignment(world)) };
  yield { kind: "spread", changes: softerSpread(world) };
  yield { kind: "count", changes: fewerPods(world, answer) };
}

function changed(demand: Demand, change: (set: PodSetDemand) => PodSetDemand): Demand {
  return { ...demand, podSets: demand.podSets.map(change) };
}

/** What a class would say otherwise, as it would write it; of some roles only, which no workload can write by itself. */
function* written(variants: Iterable<Variant>): Generator<Change> {
  for (const { field, value, podSets, demand } of variants) {
    const { sets, text } = setting(field, value);
    if (podSets === undefined) yield { sets, text, demand };
    else yield { sets: { field, value: null }, text: `${text} for ${podSets.join(", ")}`, demand };
  }
}

/** Each wider level in turn for the sets that require the narrowest one, then no required level. */
function widerLevels({ demand, topology }: World): readonly Change[] {
  const names = topology.layout.levels.map(({ name }) => name);
  const levels = demand.podSets
    .filter(({ placement, perNode }) => placement.unit !== "pod" && placement.mode === "required" && !perNode)
    .map(({ placement }) => names.indexOf(placement.level ?? ""));
  const narrowest = Math.max(-1, ...levels);
  const from = names[narrowest];
  if (from === undefined) return [];
  const at = (set: PodSetDemand): boolean => set.placement.level === from && set.placement.mode === "required";
  const wider = names
    .slice(0, narrowest)
    .reverse()
    .map(
      (level): Change => ({
        ...setting("topology.level", level),
        demand: changed(demand, (set) => (at(set) ? { ...set, placement: widened(set.placement, level, names) } : set)),
      }),
    );
  const preferred: Change = {
    ...setting("topology.mode", "preferred"),
    demand: changed(demand, (set) => (at(set) ? { ...set, placement: { ...set.placement, mode: "preferred" } } : set)),
  };
  return [...wider, preferred];
}

/** What all units share as well falls away once it is no wider than what one unit shares. */
function widened({ within, ...placement }: Placement, level: string, names: readonly string[]): Placement {
  const wider = within !== undefined && names.indexOf(within) < names.indexOf(level);
  return { ...placement, level, ...(wider ? { within } : {}) };
}

/** Each wider level in turn, then none, for what all units of the workload share. */
function widerWithin({ demand, topology }: World): readonly Change[] {
  const names = topology.layout.levels.map(({ name }) => name);
  const asked = demand.podSets.map(({ placement }) => names.indexOf(placement.within ?? ""));
  const narrowest = Math.max(-1, ...asked);
  if (narrowest === -1) return [];
  const at = ({ placement }: PodSetDemand): boolean => placement.within === names[narrowest];
  const wider = names
    .slice(0, narrowest)
    .reverse()
    .map(
      (within): Change => ({
        ...setting("topology.within", within),
        demand: changed(demand, (set) => (at(set) ? { ...set, placement: { ...set.placement, within } } : set)),
      }),
    );
  const without: Change = {
    sets: { field: "topology.within", value: null },
    text: "no topology.within",
    demand: changed(demand, (set) => {
      const { within: _within, ...placement } = set.placement;
      return at(set) ? { ...set, placement } : set;
    }),
  };
  return [...wider, without];
}

/** Units that may share a domain with others. */
function sharedDomains({ demand }: World): readonly Change[] {
  if (demand.podSets.every(({ placement }) => placement.separate !== true)) return [];
  return [
    {
      ...setting("topology.domains", "shared"),
      demand: changed(demand, (set) => ({ ...set, placement: { ...set.placement, separate: false } })),
    },
  ];
}

/** As long as some pool takes that the class does not wait for. */
function longerWaits({ demand, growth: { rooms } }: World): readonly Change[] {
  const shortest = Math.min(...demand.podSets.map(({ ladder }) => ladder.maxProvisioningMs));
  const waits = [...new Set(rooms.map(({ leadMs }) => leadMs))].filter((ms) => ms > shortest).sort((a, b) => a - b);
  return waits.map((ms) => ({
    ...setting("capacity.maxProvisioning", durationText(ms)),
    demand: changed(demand, (set) => ({
      ...set,
      ladder: { ...set.ladder, maxProvisioningMs: Math.max(ms, set.ladder.maxProvisioningMs) },
    })),
  }));
}

function softerSpread({ demand }: World): readonly Change[] {
  if (demand.podSets.every(({ placement }) => placement.spread?.mode !== "required")) return [];
  return [
    {
      ...setting("topology.spread.mode", "preferred"),
      demand: changed(demand, (set) =>
        set.placement.spread === undefined
          ? set
          : { ...set, placement: { ...set.placement, spread: { ...set.placement.spread, mode: "preferred" } } },
      ),
    },
  ];
}

/** As many pods of one set as hold on some rung, by itself or beside the others. */
function fewerPods({ demand }: World, { ladder }: Pick<Answer, "ladder">): readonly Change[] {
  return demand.podSets.flatMap((set): readonly Change[] => {
    if (set.perNode) return [];
    // A queue lets all pods in or none, so there it is all of them of which there may be too many.
    const full = demand.queue?.whole === true ? set.count : set.required;
    const counts = ladder.flatMap(({ holds, reasons }) => [
      Object.hasOwn(holds, set.name) ? (holds[set.name] ?? 0) : 0,
      ...reasons.flatMap(({ data }) =>
        data?.["podSet"] === set.name && data["resource"] === undefined ? Number(data["have"] ?? 0) : [],
      ),
    ]);
    const fewer = counts.map((count) => Math.min(count, full - 1)).filter((count) => count > 0);
    const distinct = [...new Set(fewer)].sort((a, b) => b - a);
    return someOf(distinct).flatMap((less) => withPods(demand, set, less));
  });
}

/** The first, the last and what lies evenly between: of many rungs each may come near with another number. */
function someOf(counts: readonly number[]): readonly number[] {
  if (counts.length <= MOST_COUNTS) return counts;
  const step = (counts.length - 1) / (MOST_COUNTS - 1);
  return Array.from({ length: MOST_COUNTS }, (_, at) => counts[Math.round(at * step)] ?? 0);
}

function withPods(demand: Demand, set: PodSetDemand, less: number): readonly Change[] {
  const { floor, classMinimum } = set;
  const only = (change: Partial<PodSetDemand>): Demand =>
    changed(demand, (one) => (one.name === set.name ? { ...one, ...change } : one));
  if (floor !== undefined && less < floor.pods) {
    // Fewer than the class's minimum are the class's to allow, whatever the manifest says.
    const replicas = Math.floor((less * floor.replicas) / floor.pods);
    const pods = (replicas * floor.pods) / floor.replicas;
    return replicas < 1 ? [] : [{ ...setting("demand.replicas.min", replicas), demand: only({ required: pods }) }];
  }
  const { queueMinimum: _, ...rest } = set;
  const kept = set.queueMinimum !== undefined && set.queueMinimum < less ? { queueMinimum: set.queueMinimum } : {};
  const fewer = { ...rest, ...kept, required: Math.min(less, set.required), count: less, peak: less };
  const text = `${less} instead of ${set.count} pods${demand.podSets.length === 1 ? "" : ` of ${set.name}`}`;
  const change = { demand: changed(demand, (one) => (one.name === set.name ? fewer : one)) };
  if (classMinimum === undefined || less >= classMinimum.pods) return [{ ...change, sets: undefined, text }];
  const minimum = setting("demand.replicas.min", classMinimum.replicas - classMinimum.pods + less);
  return [{ ...change, ...minimum, text: `${text} and ${minimum.text}` }];
}
