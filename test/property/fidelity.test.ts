import { describe, expect, test } from "vitest";
import { draw } from "../e2e/fidelity/draw.ts";

const CASES = 100;
const VERSION = "1.37";

/** The same cases that `npm run fidelity` plays on a real control plane; here the replay of its choices stands for it. */
describe("the engine agrees with a replay of every choice that kube-scheduler could make", () => {
  const disagreements = (seed: number) =>
    [...draw(seed, CASES, VERSION)].flatMap(({ one, comparison }) =>
      comparison.faults.map((fault) => `${one.name}: ${fault}`),
    );

  test("on the cases of a fixed seed, of every outcome", () => {
    const outcomes = new Set(
      [...draw(31, CASES, VERSION)].map(({ comparison }) => comparison.decided.expected.outcome),
    );
    expect([...outcomes].sort()).toEqual(["busy", "certain", "never", "order-dependent"]);
    expect(disagreements(31)).toEqual([]);
  });

  test("on the cases of a seed of the day", () => {
    expect(disagreements(Math.floor(Math.random() * 1e6))).toEqual([]);
  });
});
