import type { Assignment, Demand, PodSetDemand, Rung, Step } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { checkQueue } from "./check-queue.ts";
import { checkQuota } from "./check-quota.ts";
import { checkTenant } from "./check-tenant.ts";
import type { SolveContext } from "./context.ts";

/** One pod set with the step of its rung. */
export interface Chosen {
  readonly set: PodSetDemand;
  readonly step: Step;
}

/**
 * Do the limits that are counted apart from nodes let an assignment in: the namespace's ResourceQuotas, the class's limit for its tenant, the quota
 * of its queue. Shares nothing with the search. Each violation is one sentence.
 */
export function checkLimits(
  topology: Topology,
  demand: Demand,
  rungs: Readonly<Record<string, Rung>>,
  assignment: Assignment,
  context: SolveContext,
): readonly string[] {
  const chosen = demand.podSets.flatMap((set): readonly Chosen[] => {
    const rung = Object.hasOwn(rungs, set.name) ? rungs[set.name] : undefined;
    const step = set.ladder.steps.find(
      (one) =>
        one.rung.accelerator === rung?.accelerator &&
        one.rung.capacityType === rung.capacityType &&
        one.rung.source === rung.source,
    );
    return step === undefined ? [] : [{ set, step }];
  });
  return [
    ...checkQuota(topology, demand, chosen, assignment, context),
    ...checkTenant(topology, demand, chosen, assignment, context),
    ...checkQueue(topology, demand, chosen),
  ];
}
