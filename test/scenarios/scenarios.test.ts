import { describe, expect, test } from "vitest";
import { type Answer, rungText } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { runs } from "../support/runs.ts";
import { allScenarios, differences, type Played, play, type Scenario } from "../support/scenario/index.ts";

const { scenarios, faults } = allScenarios();
const done = new Map<Scenario, Played>();
const played = (scenario: Scenario): Played => {
  const one = done.get(scenario) ?? play(scenario);
  done.set(scenario, one);
  return one;
};

test("the files of scenarios have no faults", () => {
  expect(faults).toEqual([]);
});

describe("a cluster, a class, a workload, and the answer", () => {
  test.each(scenarios.map((one) => [one.name, one] as const))("%s", (_, scenario) => {
    expect(differences(scenario.expect, played(scenario)), `${scenario.where}: ${scenario.about}`).toEqual([]);
  });
});

/** The verdict on every rung, by the rung's name. */
const verdicts = ({ ladder }: Answer) =>
  ladder.map(({ rungs, verdict }) => {
    const names = Object.entries(rungs).map(([set, rung]) => `${set}=${rungText(rung)}`);
    return [names.join(", "), verdict] as const;
  });

/** Fewer steps than that: every number of a few, and less and less many of many. */
function fewer(steps: number): readonly number[] {
  const some: number[] = [];
  for (let one = 0; one < steps; one += 1 + Math.floor(one / 8)) some.push(one);
  return some;
}

test("with fewer steps than it takes, every rung is undecided or as before, and what is found holds", () => {
  const wrong: string[] = [];
  for (const scenario of scenarios.slice(0, runs(scenarios.length).numRuns)) {
    const { judgement, topology, context } = played(scenario);
    const { demand } = judgement;
    if (demand === undefined) continue;
    const full = solve(topology, demand, { ...context, skipSuggestions: true });
    const before = new Map(verdicts(full));
    const most = Math.max(0, ...full.ladder.map(({ steps }) => steps));
    for (const steps of fewer(most)) {
      const answer = solve(topology, demand, {
        ...context,
        skipSuggestions: true,
        maxSteps: steps * full.ladder.length,
      });
      for (const [rung, verdict] of verdicts(answer))
        if (verdict !== "undecided" && verdict !== before.get(rung))
          wrong.push(`${scenario.name}: ${rung} is ${verdict} with ${steps} steps, ${before.get(rung)} with ${most}`);
      for (const { rungs, assignment } of answer.ladder)
        if (assignment !== undefined) wrong.push(...checkAssignment(topology, demand, rungs, assignment, context));
    }
  }
  expect(wrong).toEqual([]);
});
