import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand, Verdict } from "../../src/model/index.ts";
import { indexTopology, solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom } from "../../src/topology/index.ts";
import { testLayout } from "../support/cluster.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { runs } from "../support/runs.ts";
import { nodeCase, objectsOf, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

/** From better to worse, where everything is known. */
const ORDER: readonly Verdict[] = ["fits", "scaleUp", "busy", "undecided", "unknown", "never"];
const rank = (verdict: Verdict): number => ORDER.indexOf(verdict);
const plain = (one: SetCase): SetCase => ({ ...one, spread: "none" });
const nodes = fc.array(nodeCase(true), { minLength: 1, maxLength: 6 });
const verdictOf = (demand: Demand, cases: Parameters<typeof topologyOf>[0]): Verdict =>
  solve(topologyOf(cases), demand, contextOf({ skipSuggestions: true })).verdict;

describe("laws of the solver", () => {
  test("a node more never makes the verdict worse (without spreading, which may count it as an empty domain)", () => {
    fc.assert(
      fc.property(nodes, nodeCase(true), setCase(4), (some, more, one) => {
        const demand = demandOf(setOf("main", plain(one)));
        expect(rank(verdictOf(demand, [...some, more]))).toBeLessThanOrEqual(rank(verdictOf(demand, some)));
      }),
      runs(150),
    );
  });

  test("a constraint less never makes the verdict worse", () => {
    fc.assert(
      fc.property(
        nodes,
        setCase(4),
        fc.constantFrom("level", "spread", "selection", "ports", "pod"),
        (some, one, what) => {
          const set = setOf("main", one);
          const eased: PodSetDemand =
            what === "level"
              ? { ...set, placement: { ...set.placement, level: undefined } }
              : what === "pod"
                ? { ...set, required: set.required - 1 }
                : {
                    ...set,
                    pod: {
                      ...set.pod,
                      // A wider selection makes more nodes count for spreading, so the two are eased together.
                      ...(what === "ports" ? { hostPorts: [] } : { spread: [] }),
                      ...(what === "selection" ? { selection: [new Map()] } : {}),
                    },
                  };
          // One pod less may tear groups and even spreading apart; without those it may not.
          if (what === "pod" && (set.pod.spread.length > 0 || set.placement.unit === "group")) return;
          expect(rank(verdictOf(demandOf(eased), some))).toBeLessThanOrEqual(rank(verdictOf(demandOf(set), some)));
        },
      ),
      runs(200),
    );
  });

  test("other names for the nodes change nothing but names", () => {
    fc.assert(
      fc.property(nodes, setCase(4), (some, one) => {
        const demand = demandOf(setOf("main", one));
        const [a, b] = [topologyOf(some), topologyOf(some, (index) => `z${some.length - index}`)].map((topology) =>
          solve(topology, demand, contextOf({ skipSuggestions: true })),
        );
        expect(b?.verdict).toBe(a?.verdict);
        expect(b?.chosen?.holds).toEqual(a?.chosen?.holds);
        expect(b?.chosen?.exclusions.map(({ constraint, nodes: count }) => [constraint, count])).toEqual(
          a?.chosen?.exclusions.map(({ constraint, nodes: count }) => [constraint, count]),
        );
      }),
      runs(150),
    );
  });

  test("the same input gives the same answer, whatever the order of objects, with or without a shared index, and is not changed", () => {
    fc.assert(
      fc.property(nodes, setCase(3), setCase(2), fc.nat(), (some, one, two, turn) => {
        const objects = [...objectsOf(some)];
        const topology = buildTopology(inventoryFrom(objects).value ?? expect.fail(), testLayout);
        const before = [topology.generation, JSON.stringify([...topology.ledger.used])];
        const demand = demandOf(setOf("head", two), setOf("worker", one));
        const first = solve(topology, demand, contextOf());
        const again = solve(topology, demand, contextOf({ index: indexTopology(topology) }));
        const turned = [...objects.slice(turn % objects.length), ...objects.slice(0, turn % objects.length)].reverse();
        const other = solve(
          buildTopology(inventoryFrom(turned).value ?? expect.fail(), testLayout),
          demand,
          contextOf(),
        );
        expect(JSON.stringify(again)).toBe(JSON.stringify(first));
        expect(JSON.stringify(other)).toBe(JSON.stringify(first));
        expect([topology.generation, JSON.stringify([...topology.ledger.used])]).toEqual(before);
      }),
      runs(60),
    );
  });

  test("fewer steps never give another answer, only none", () => {
    fc.assert(
      fc.property(nodes, setCase(4), setCase(2), fc.integer({ min: 1, max: 40 }), (some, one, two, maxSteps) => {
        const demand = demandOf(setOf("head", two), setOf("worker", one));
        const topology = topologyOf(some);
        const full = solve(topology, demand, contextOf({ skipSuggestions: true })).verdict;
        const { verdict } = solve(topology, demand, contextOf({ skipSuggestions: true, maxSteps }));
        if (verdict !== "undecided") expect(verdict).toBe(full);
      }),
      runs(200),
    );
  });

  test("ending at the first rung that holds gives the same decision", () => {
    fc.assert(
      fc.property(nodes, setCase(4), setCase(2), fc.boolean(), (some, one, two, several) => {
        const demand = several ? demandOf(setOf("head", two), setOf("worker", one)) : demandOf(setOf("worker", one));
        const topology = topologyOf(some);
        const whole = solve(topology, demand, contextOf({ skipSuggestions: true }));
        const first = solve(topology, demand, contextOf({ skipSuggestions: true, stopAtFirst: true }));
        expect([first.verdict, first.rungs, first.chosen]).toEqual([whole.verdict, whole.rungs, whole.chosen]);
      }),
      runs(200),
    );
  });
});
