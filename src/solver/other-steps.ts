import {
  type AcceleratorClass,
  CAPACITY_TYPES,
  type CapacityType,
  type Demand,
  type PodSetDemand,
  type Requirement,
  requirement,
  type Source,
  type Step,
} from "../model/index.ts";
import type { World } from "./world.ts";

interface Variant {
  /** What the class would list. */
  readonly list: readonly string[];
  readonly demand: Demand;
}

/**
 * Spot is no such type: a class that may stand on it says so in `interruption.spot` and then lists it, and to any other it would be a
 * contradiction.
 */
const OTHERS = CAPACITY_TYPES.filter((type) => type !== "spot");

/** Capacity types that the class does not list, each added after its own: the same steps with that type's labels and tolerations. */
export function otherCapacity({ demand, context }: World): readonly Variant[] {
  const { capacityTypes } = context.platform.dialect;
  const listed = typesOf(demand);
  return OTHERS.filter((type) => !listed.includes(type) && capacityTypes[type] !== undefined).map((type) => ({
    list: [...listed, type],
    demand: extended(demand, (set) =>
      firstPerKey(set.ladder.steps, ({ rung }) => `${rung.accelerator}/${rung.source}`).map((step) => {
        const own = capacityTypes[step.rung.capacityType]?.requirement?.key;
        const other = capacityTypes[type];
        const rest = step.selection.filter(({ key }) => key !== own && key !== other?.requirement?.key);
        return {
          ...step,
          rung: { ...step.rung, capacityType: type },
          selection: other?.requirement === undefined ? rest : [...rest, other.requirement],
          tolerations: [...step.tolerations, ...(other?.tolerations ?? [])],
        };
      }),
    ),
  }));
}

/** Accelerators that the class does not list and that are counted under the name that the manifest asks for. */
export function otherAccelerators({ demand, context }: World): readonly Variant[] {
  const listed = [...new Set(demand.podSets.flatMap(({ ladder }) => ladder.steps.map(({ rung }) => rung.accelerator)))];
  const classes = listed.filter((name) => context.accelerators.has(name));
  if (classes.length === 0) return [];
  const variants: Variant[] = [];
  for (const other of [...context.accelerators.values()].sort((a, b) => (a.name < b.name ? -1 : 1))) {
    if (listed.includes(other.name)) continue;
    let usable = false;
    const changed = extended(demand, (set) =>
      firstPerKey(set.ladder.steps, ({ rung }) => `${rung.capacityType}/${rung.source}`).flatMap((step) => {
        const own = context.accelerators.get(step.rung.accelerator);
        const added =
          own === undefined ? undefined : instead(step, own, other, context.platform.dialect.acceleratorKeys);
        if (added !== undefined) usable = true;
        return added ?? [];
      }),
    );
    if (usable) variants.push({ list: [...classes, other.name], demand: changed });
  }
  return variants;
}

/** The step for another accelerator; undefined where it would take another resource name, a claim, or labels that are not known. */
function instead(
  step: Step,
  own: AcceleratorClass,
  other: AcceleratorClass,
  keys: readonly string[],
): Step | undefined {
  if (step.mechanism !== "extended-resource" || step.resourceName !== other.resourceName) return undefined;
  const label = selecting(other, keys, step.rung.source);
  if (label === undefined) return undefined;
  const replaced = new Set([...keys, ...own.labels.map(({ key }) => key)]);
  return {
    ...step,
    rung: { ...step.rung, accelerator: other.name },
    selection: [...step.selection.filter(({ key }) => !replaced.has(key)), label],
  };
}

function selecting(other: AcceleratorClass, keys: readonly string[], source: Source): Requirement | undefined {
  for (const key of keys) {
    const label = other.labels.find((one) => one.key === key && (source === "existing" || one.beforeNode));
    if (label !== undefined) return requirement(key, "In", label.values);
  }
  return undefined;
}

function typesOf(demand: Demand): readonly CapacityType[] {
  return [...new Set(demand.podSets.flatMap(({ ladder }) => ladder.steps.map(({ rung }) => rung.capacityType)))];
}

/** The demand with more steps at the end of each ladder. */
function extended(demand: Demand, more: (set: PodSetDemand) => readonly Step[]): Demand {
  return {
    ...demand,
    podSets: demand.podSets.map((set) => ({
      ...set,
      ladder: { ...set.ladder, steps: [...set.ladder.steps, ...more(set)] },
    })),
  };
}

function firstPerKey(steps: readonly Step[], key: (step: Step) => string): readonly Step[] {
  const seen = new Set<string>();
  return steps.filter((step) => {
    if (step.skipped !== undefined || seen.has(key(step))) return false;
    seen.add(key(step));
    return true;
  });
}
