import { expect, test } from "vitest";
import type { Assignment, Demand, Placed, PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, checkLimits, type SolveContext } from "../../src/solver/index.ts";
import type { ClusterBuilder } from "./cluster.ts";
import { contextOf, demandOf } from "./demand.ts";

/** A world and an assignment in it. */
export interface Case {
  readonly cluster: ClusterBuilder;
  readonly sets: readonly PodSetDemand[];
  readonly placed: readonly Placed[];
  readonly newNodes?: Assignment["newNodes"];
  readonly context?: Partial<SolveContext>;
  readonly demand?: Partial<Demand>;
  /** The step of the rung that every set stands on; the first where none is given. */
  readonly step?: number;
}

/** What holds, the one thing that is then changed, and what the checker says of it. */
export type Row = readonly [name: string, right: Case, broken: Partial<Case>, says: RegExp];

function faultsOf({
  cluster: builder,
  sets,
  placed,
  newNodes = [],
  context,
  demand: given,
  step = 0,
}: Case): readonly string[] {
  const topology = builder.topology();
  const demand = { ...demandOf(...sets), ...given };
  const rungs = Object.fromEntries(
    sets.map(({ name, ladder }) => [name, ladder.steps[step]?.rung ?? expect.fail("no step")]),
  );
  const assignment = { placed, newNodes };
  const around = contextOf(context);
  return [
    ...checkAssignment(topology, demand, rungs, assignment, around),
    ...checkLimits(topology, demand, rungs, assignment, around),
  ];
}

/** The checker accepts what is right, and says of each change what is wrong with it. */
export const refuses = (rows: readonly Row[]): void => {
  test.each(rows)("%s", (_name, right, broken, says) => {
    expect(faultsOf(right)).toEqual([]);
    const faults = faultsOf({ ...right, ...broken });
    expect(faults).not.toEqual([]);
    for (const fault of faults) expect(fault).toMatch(says);
  });
};
