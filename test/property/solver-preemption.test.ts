import fc from "fast-check";
import { expect, test } from "vitest";
import type { PodSetDemand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

const rank = fc.constantFrom(0, 100, 200);
const node: fc.Arbitrary<NodeCase> = fc
  .tuple(nodeCase(true), rank)
  .map(([one, at]) => ({ ...one, rank: at, used: one.used + 1, tainted: false }));
const nodes = fc.array(node, { minLength: 1, maxLength: 4 });

test("what is busy is preempted exactly where the pods fit without those of a lower priority", () => {
  const seen = tally();
  const agrees = (
    some: readonly NodeCase[],
    preempts: boolean,
    ...sets: readonly (SetCase & { readonly rank: number })[]
  ): void => {
    const demand = demandOf(
      ...sets.map((one, index): PodSetDemand => {
        const set = setOf(`set-${index}`, { ...one, spread: "none", level: sets.length > 1 ? undefined : one.level });
        return { ...set, pod: { ...set.pod, priority: one.rank, preempts } };
      }),
    );
    const answer = solve(topologyOf(some), demand, contextOf({ skipSuggestions: true }));
    if (answer.verdict !== "busy") return;
    const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
    const makes = (priority: number): boolean => {
      const left = topologyOf(
        some.map((one) => ((one.rank ?? 0) < priority ? { ...one, used: 0, usedDevices: 0, port: false } : one)),
      );
      return existsAssignment(left, sitesOf(left, demand, false), demand, steps);
    };
    const ranks = sets.map((one) => one.rank);
    const made = preempts && makes(Math.min(...ranks));
    // Who may preempt what for whom is not judged.
    const open = preempts && !made && makes(Math.max(...ranks));
    // Where no pod of others could give way nothing is said.
    const told = answer.chosen?.reasons.find(({ code }) => code === "Preemption");
    const wanted = made ? "yes" : open ? "unknown" : "no";
    expect(told?.data?.["preempts"] ?? (wanted === "yes" ? undefined : "no"), told?.message).toBe(wanted);
    seen.add(`${sets.length} ${made ? "makes room" : open ? "open" : preempts ? "does not help" : "never preempts"}`);
  };
  const ranked = (most: number) => fc.tuple(setCase(most), rank).map(([one, at]) => ({ ...one, rank: at }));
  fc.assert(
    fc.property(nodes, ranked(4), fc.integer({ min: 0, max: 4 }), (some, one, mild) => agrees(some, mild > 0, one)),
    runs(400),
  );
  fc.assert(
    fc.property(nodes, ranked(2), ranked(2), (some, one, two) => agrees(some, true, one, two)),
    runs(300),
  );
  expect(
    seen.least("1 makes room", "1 does not help", "1 never preempts", "2 makes room", "2 does not help", "2 open"),
    JSON.stringify([...seen.counts]),
  ).toBeGreaterThan(8);
});
