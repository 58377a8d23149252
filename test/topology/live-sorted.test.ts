import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { comparePlaces, sortedList } from "../../src/topology/live-sorted.ts";
import { runs } from "../support/runs.ts";

interface One {
  readonly namespace: string;
  readonly name: string;
  facts: string | undefined;
  at: number;
}

describe("a list that stays sorted", () => {
  test("what goes and comes again before anybody asks is there once", () => {
    const list = sortedList<string, One>();
    const one: One = { namespace: "a", name: "x", facts: "first", at: -1 };
    list.add(one);
    expect(list.facts()).toEqual(["first"]);
    list.remove(one);
    one.facts = "second";
    list.add(one);
    expect(list.facts()).toEqual(["second"]);
  });

  test("has whatever came and did not go, in order, however often it is asked", () => {
    const names = ["a", "b", "c", "d"];
    const step = fc.record({
      name: fc.constantFrom(...names),
      facts: fc.option(fc.string({ maxLength: 2 })),
      asks: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const list = sortedList<string, One>();
        const all = new Map(
          names.map((name): [string, One] => [name, { namespace: "n", name, facts: undefined, at: -1 }]),
        );
        for (const { name, facts, asks } of steps) {
          const one = all.get(name) ?? expect.fail();
          const before = one.facts;
          one.facts = facts ?? undefined;
          if (before === undefined && one.facts !== undefined) list.add(one);
          else if (before !== undefined && one.facts === undefined) list.remove(one);
          else list.replaced(one);
          if (!asks) continue;
          const there = [...all.values()].sort(comparePlaces).flatMap((each) => each.facts ?? []);
          expect(list.facts()).toEqual(there);
        }
      }),
      runs(300),
    );
  });
});
