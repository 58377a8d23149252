import { CAPACITY_TYPES, type Demand, type Json, type PodSetDemand, type Step } from "../model/index.ts";
import type { World } from "./world.ts";

/** What a class would say otherwise of some pod sets, and the demand that it then makes. */
export interface Variant {
  readonly field: string;
  readonly value: Json;
  /** Undefined: of all of them. */
  readonly podSets: readonly string[] | undefined;
  readonly demand: Demand;
}

/**
 * Spot is no such type: a class that may stand on it says so in `interruption.spot` and then lists it, and to any other it would be a
 * contradiction.
 */
const OTHERS = CAPACITY_TYPES.filter((type) => type !== "spot");

/** Capacity types that the class does not list, each added after its own. */
export function* otherCapacity(world: World): Generator<Variant> {
  for (const { sets, listed } of byList(world.demand, ({ rung }) => rung.capacityType))
    for (const type of OTHERS)
      if (!listed.includes(type)) yield* variant(world, "capacity.types", [...listed, type], sets);
}

/** Accelerators that the class does not list, each added after its own. */
export function* otherAccelerators(world: World): Generator<Variant> {
  const { accelerators } = world.context;
  for (const { sets, listed } of byList(world.demand, ({ rung }) => rung.accelerator)) {
    // A class that takes none, or whatever the manifest asks for, lists none.
    if (!listed.some((name) => accelerators.has(name))) continue;
    for (const name of [...accelerators.keys()].sort())
      if (!listed.includes(name)) yield* variant(world, "accelerator.classes", [...listed, name], sets);
  }
}

/** Network devices less near, then wherever they are. */
export function* looserAlignment(world: World): Generator<Variant> {
  // Of sets that ask for none the class says nothing else then.
  yield* variant(world, "accelerator.align.nics.level", "numa");
  yield* variant(world, "accelerator.align.nics.mode", "preferred");
}

/** The change, where a class may say so and that gives the workload steps to try that it did not have. */
function* variant(
  { demand, context }: World,
  field: string,
  value: Json,
  podSets?: readonly string[],
): Generator<Variant> {
  const changed = context.demandIf?.(field, value, podSets ?? demand.podSets.map(({ name }) => name));
  if (changed !== undefined && addsSteps(demand, changed)) yield { field, value, podSets, demand: changed };
}

function addsSteps(demand: Demand, changed: Demand): boolean {
  return changed.podSets.some(({ ladder }, index) => {
    const before = new Set(demand.podSets[index]?.ladder.steps.map((step) => JSON.stringify(step)));
    return ladder.steps.some((step) => step.skipped === undefined && !before.has(JSON.stringify(step)));
  });
}

/** The pod sets by what their ladders list: roles of one class may list other things. */
function byList(
  { podSets }: Demand,
  of: (step: Step) => string,
): readonly { readonly sets: readonly string[] | undefined; readonly listed: readonly string[] }[] {
  const groups = new Map<string, { readonly sets: string[]; readonly listed: readonly string[] }>();
  for (const set of podSets) {
    const listed = listOf(set, of);
    const key = listed.join(" ");
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { sets: [set.name], listed });
    else group.sets.push(set.name);
  }
  const all = [...groups.values()];
  return all.length === 1 ? all.map(({ listed }) => ({ sets: undefined, listed })) : all;
}

function listOf({ ladder }: PodSetDemand, of: (step: Step) => string): readonly string[] {
  return [...new Set(ladder.steps.map(of))];
}
