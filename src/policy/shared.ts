import { type Dialect, type Requirement, requirementText, type Step } from "../model/index.ts";

/**
 * Node selection for pods that may run on any of these steps: what all of them ask for, with the values of all of them. A key that some lack, or
 * whose values make no one list, is left out; capacity types that none of `allowed` has are then excluded by name.
 */
export function sharedSelection(
  step: Step,
  steps: readonly Step[],
  allowed: readonly Step[],
  dialect: Dialect,
): readonly Requirement[] {
  const shared = step.selection.flatMap((one) => {
    const same = steps.map((peer) => peer.selection.find((other) => other.key === one.key));
    const union = same.reduce<Requirement | undefined>(
      (all, other) => (all === undefined || other === undefined ? undefined : unite(all, other)),
      one,
    );
    return union ?? [];
  });
  const forbidden = Object.entries(dialect.capacityTypes).flatMap(([type, said]): readonly Requirement[] => {
    const one = said?.requirement;
    if (one === undefined || one.complement || one.absent || allowed.some((peer) => peer.rung.capacityType === type))
      return [];
    return shared.some((other) => other.key === one.key)
      ? []
      : [{ key: one.key, absent: true, complement: true, values: one.values }];
  });
  return [...shared, ...forbidden];
}

/** Undefined where the union allows everything, or is not one expression. */
function unite(a: Requirement, b: Requirement): Requirement | undefined {
  if (requirementText(a) === requirementText(b)) return a;
  if (a.complement || b.complement || a.absent || b.absent) return undefined;
  return { ...a, values: [...new Set([...a.values, ...b.values])].sort() };
}
