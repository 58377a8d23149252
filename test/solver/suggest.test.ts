import { expect, test } from "vitest";
import type { RungAnswer } from "../../src/model/index.ts";
import { suggest } from "../../src/solver/suggest.ts";
import { worldFor } from "../../src/solver/world.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";

/** Answers that each came near with another number of pods, though none of them holds. */
function stepsAfter(numbers: number, data: Readonly<Record<string, string>> = {}): number {
  const sets = ["a", "b", "c"].map((name) => podSet(name, { required: 900, requests: { cpu: 64_000 } }));
  const world = worldFor(
    cluster()
      .nodes("n", 3, (node) => node.cpu(4))
      .topology(),
    demandOf(...sets),
    contextOf(),
  );
  const ladder = Array.from({ length: numbers }, (_, at): RungAnswer => {
    const reasons = sets.map(({ name }) => ({
      code: "NearestMiss" as const,
      message: "",
      data: { podSet: name, have: at + 1, need: 900, ...data },
    }));
    return { rungs: {}, verdict: "never", reasons, exclusions: [], holds: {}, steps: 0 };
  });
  return suggest(world, { ladder }).steps;
}

test("however many rungs come near with different numbers of pods, few numbers are tried", () => {
  expect(stepsAfter(4)).toBeGreaterThan(stepsAfter(0));
  expect(stepsAfter(300)).toBe(stepsAfter(4));
});

test("what a node lacks of a resource is no number of pods", () => {
  expect(stepsAfter(4, { resource: "nvidia.com/gpu" })).toBe(stepsAfter(0));
});
