import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Reason, RungAnswer } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { namedIn } from "../support/named.ts";
import { runs, tally } from "../support/runs.ts";
import { emptied, type NodeCase, nodeCase, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

/** What is told of two sets that stand together is taken out of the way, for both or for the one of which it is told. */
interface Asked {
  readonly nodes: readonly NodeCase[];
  readonly head: SetCase;
  readonly worker: SetCase;
}

const seen = tally();
const asked: fc.Arbitrary<Asked> = fc.record({
  nodes: fc.array(nodeCase(true), { minLength: 2, maxLength: 4 }),
  head: setCase(3),
  worker: setCase(3),
});

function answerOf({ nodes, head, worker }: Asked): RungAnswer {
  const demand = demandOf(setOf("head", head), setOf("worker", worker));
  const { chosen } = solve(topologyOf(nodes), demand, contextOf({ skipSuggestions: true }));
  if (chosen === undefined) throw new Error("there is one rung");
  return chosen;
}

const both = ({ nodes, head, worker }: Asked, change: Partial<SetCase>): Asked => ({
  nodes,
  head: { ...head, ...change },
  worker: { ...worker, ...change },
});
/** Without what all pods of a set, or of the workload, share; what groups share among themselves stays. */
const scattered = (one: SetCase): SetCase =>
  one.unit === "group" ? { ...one, within: undefined } : { ...one, level: undefined };
/** What can never be is told of the nodes as they are when nothing runs there. */
const toldOf = (one: Asked, { verdict }: RungAnswer): Asked =>
  verdict === "never" ? { ...one, nodes: emptied(one.nodes) } : one;
const verdictOf = (one: Asked) => answerOf(one).verdict;
const jointly = ({ message }: Reason): boolean => message.includes("each fit by themselves, but not all together");

/** Each thing that may be told to keep them apart, and the workload without it. */
const LIFTS: readonly (readonly [RegExp, (one: Asked) => Asked])[] = [
  [/cpu(?:,| and|$| runs| run)/, (one) => both(one, { cpu: 0 })],
  [/example.com.dev/, (one) => both(one, { devices: 0 })],
  [/host port 8080/, (one) => both(one, { port: false })],
  [/ share one /, (one) => ({ ...one, head: scattered(one.head), worker: scattered(one.worker) })],
  [/ of its own/, (one) => both(one, { separate: false })],
];

describe("sets that each fit by themselves", () => {
  test("what is told to run out, or to keep them apart, is enough to make them fit once it is lifted; what is not told is not", () => {
    fc.assert(
      fc.property(asked, (one) => {
        const before = answerOf(one);
        const told = before.reasons.find(jointly);
        if (told === undefined || before.verdict === "fits") return;
        seen.add("joint");
        const standing = toldOf(one, before);
        const { together } = namedIn(told.message);
        // What would have to be there together is not enough by itself.
        const single = together.length === 0 ? told.message : told.message.replace(/(?:, then |: )[^:]+$/, "");
        for (const [text, lift] of LIFTS) {
          const fits = verdictOf(lift(standing)) === "fits";
          expect(text.test(single), `${text}: ${told.message}`).toBe(fits);
          if (fits) seen.add(String(text));
        }
        if (together.length === 0) return;
        const lifts = together.map(
          (name) => LIFTS.find(([text]) => text.test(`${name} runs out`))?.[1] ?? expect.fail(),
        );
        expect(verdictOf(lifts.reduce((all, lift) => lift(all), standing)), told.message).toBe("fits");
        seen.add("both");
      }),
      runs(900),
    );
    expect(seen.least("joint")).toBeGreaterThan(30);
    expect(seen.least("both")).toBeGreaterThan(1);
    expect(
      seen.least(...LIFTS.filter(([text]) => /cpu|dev|share one/.test(String(text))).map(([text]) => String(text))),
    ).toBeGreaterThan(5);
  });

  test("so many pods of the one beside the other fit, and not one more", () => {
    fc.assert(
      fc.property(asked, (one) => {
        const answer = answerOf(one);
        const { podSet, have } = answer.reasons.find(jointly)?.data ?? {};
        if (podSet !== "head" && podSet !== "worker") return;
        const at = (pods: number) => verdictOf({ ...toldOf(one, answer), [podSet]: { ...one[podSet], pods } });
        if (Number(have) > 0) expect(at(Number(have))).toBe("fits");
        expect(at(Number(have) + 1)).not.toBe("fits");
        seen.add(Number(have) > 0 ? "some" : "none");
      }),
      runs(900),
    );
    expect(seen.least("some", "none")).toBeGreaterThan(10);
  });
});
