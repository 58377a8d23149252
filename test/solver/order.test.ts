import { describe, expect, test } from "vitest";
import { type RungAnswer, rungText, type Step } from "../../src/model/index.ts";
import { newBetween } from "../../src/solver/order.ts";
import { demandOf, podSet, step } from "../support/demand.ts";

const on = (accelerator: string, source: "existing" | "new", extra: Partial<Step> = {}): Step =>
  step({ accelerator, source }, extra);
const answer = (rungs: Readonly<Record<string, Step>>): RungAnswer => ({
  rungs: Object.fromEntries(Object.entries(rungs).map(([set, { rung }]) => [set, rung])),
  verdict: "fits",
  reasons: [],
  exclusions: [],
  holds: {},
  steps: 0,
});

describe("which rungs that add nodes stand between two choices", () => {
  const [a, b, c] = [on("a", "new"), on("b", "existing"), on("c", "new")];
  const skipped = on("s", "new", { skipped: { code: "NoPool", severity: "info", message: "no pool serves it" } });
  const between = (head: readonly Step[], worker: readonly Step[], from: readonly Step[], to: readonly Step[]) => {
    const sets = [podSet("head", { steps: head }), podSet("worker", { steps: worker })].slice(0, to.length);
    const [first, second] = [from, to].map((steps) =>
      answer(Object.fromEntries(sets.map(({ name }, at) => [name, steps[at] ?? expect.fail()]))),
    );
    return newBetween(demandOf(...sets), first ?? expect.fail(), second ?? expect.fail()).map(({ rung }) =>
      rungText(rung),
    );
  };
  const text = (...steps: readonly Step[]) => steps.map(({ rung }) => rungText(rung));

  test.each<[string, readonly string[], readonly string[]]>([
    ["of one set those between the two", between([a, b, c], [], [a], [b]), text(a)],
    ["and none that is skipped", between([skipped, a, b], [], [skipped], [b]), text(a)],
    [
      "of several what comes before in the first, and with that all of the second",
      between([a, b], [a, b, c], [a, a], [b, b]),
      text(a, a, c),
    ],
    ["what is skipped in the first is no choice before", between([skipped, b], [a, b, c], [b, a], [b, b]), text(a)],
    ["nor is what comes after in the first", between([b, a], [a, b, c], [b, a], [b, b]), text(a)],
  ])("%s", (_, found, wanted) => {
    expect(found).toEqual(wanted);
  });
});
