import { describe, expect, test } from "vitest";
import { allScenarios, differences, play } from "../support/scenario/index.ts";

const { scenarios, faults } = allScenarios();

test("the files of scenarios have no faults", () => {
  expect(faults).toEqual([]);
});

describe("a cluster, a class, a workload, and the answer", () => {
  test.each(scenarios.map((one) => [one.name, one] as const))("%s", (_, scenario) => {
    expect(differences(scenario.expect, play(scenario)), `${scenario.where}: ${scenario.about}`).toEqual([]);
  });
});
