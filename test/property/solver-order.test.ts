import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { sitesOf } from "../support/brute.ts";
import { someOrderMisses } from "../support/brute-order.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

const seen = tally();

/** Where it fits: an order that misses is warned of; what no order misses is seldom warned of. */
function agrees(kind: string, nodes: readonly NodeCase[], demand: Demand): void {
  const topology = topologyOf(nodes);
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  if (answer.verdict !== "fits") return;
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
  const misses = someOrderMisses(sitesOf(topology, demand, false), demand, steps);
  if (misses === undefined) return;
  const told = answer.chosen?.reasons.filter(({ code }) => code === "NotGuaranteed") ?? [];
  if (misses) expect(told).not.toEqual([]);
  seen.add(`${kind} ${misses ? "missed" : told.length > 0 ? "falsely warned" : "certain"}`);
}

const nodes = (most: number) => fc.array(nodeCase(true), { minLength: 1, maxLength: most });

describe("every order in which kube-scheduler could choose", () => {
  test("one set: levels, groups and spreading", () => {
    fc.assert(
      fc.property(nodes(5), setCase(5), (some, one) => agrees("one", some, demandOf(setOf("main", one)))),
      runs(300),
    );
  });

  test("two sets that compete for the same nodes", () => {
    const free = (one: SetCase): SetCase => ({ ...one, unit: "podSet", level: undefined, spread: "none" });
    fc.assert(
      fc.property(nodes(4), setCase(3), setCase(3), (some, one, two) =>
        agrees("free", some, demandOf(setOf("head", free(one)), setOf("worker", free(two)))),
      ),
      runs(220),
    );
  });

  test("two sets with levels, groups and spreading of their own or shared", () => {
    fc.assert(
      fc.property(nodes(4), setCase(3), setCase(3), (some, one, two) =>
        agrees("two", some, demandOf(setOf("head", one), setOf("worker", two))),
      ),
      runs(300),
    );
  });

  test("each outcome was met, and false alarms are few", () => {
    expect(
      seen.least("one missed", "one certain", "free missed", "free certain", "two missed", "two certain"),
    ).toBeGreaterThan(5);
    const share = (kind: string): number =>
      (seen.counts.get(`${kind} falsely warned`) ?? 0) / (seen.counts.get(`${kind} certain`) ?? 1);
    expect(share("one")).toBeLessThan(0.02);
    expect(share("free")).toBeLessThan(0.02);
    // A set with several spread rules of its own is warned of wherever rivals could take some of its room.
    expect(share("two")).toBeLessThan(0.15);
  });
});
