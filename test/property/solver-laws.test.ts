import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand, Verdict } from "../../src/model/index.ts";
import { boardFor } from "../../src/solver/board.ts";
import { createBudget } from "../../src/solver/budget.ts";
import { fieldFor } from "../../src/solver/field.ts";
import { indexTopology, solve } from "../../src/solver/index.ts";
import { worldFor } from "../../src/solver/world.ts";
import { buildTopology, inventoryFrom } from "../../src/topology/index.ts";
import { cluster, testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
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

  const deviceSet = (pods: number, count: number, level: "rack" | undefined): PodSetDemand =>
    podSet("main", {
      required: pods,
      pod: { tolerations: [{ operator: "Exists" }], devices: [deviceRequest("gpu", count)] },
      placement: { level },
    });
  const deviceNodes = (sizes: readonly number[]) => {
    const builder = cluster();
    for (const [index, size] of sizes.entries())
      builder.node(`g${index}`, (node) =>
        node
          .cpu(8)
          .zone("a")
          .block("k")
          .rack(`r${index % 2}`)
          .dra("h100", size),
      );
    return builder.topology();
  };

  test("a node more never makes it worse for gangs of unlike sets in groups, apart or within a domain, nor for devices", () => {
    fc.assert(
      fc.property(nodes, nodeCase(true), setCase(3), setCase(3), fc.boolean(), (some, more, one, two, joint) => {
        const grouped = (set: PodSetDemand): PodSetDemand =>
          joint
            ? { ...set, required: 2, placement: { ...set.placement, unit: "group", groupSize: 1, joint: "" } }
            : set;
        const demand = demandOf(grouped(setOf("head", plain(one))), grouped(setOf("worker", plain(two))));
        expect(rank(verdictOf(demand, [...some, more]))).toBeLessThanOrEqual(rank(verdictOf(demand, some)));
      }),
      runs(120),
    );
    const size = fc.integer({ min: 1, max: 4 });
    fc.assert(
      fc.property(
        fc.array(size, { minLength: 1, maxLength: 4 }),
        size,
        size,
        size,
        fc.boolean(),
        (some, more, pods, count, level) => {
          const demand = demandOf(deviceSet(pods, count, level ? "rack" : undefined));
          const [less, all] = [some, [...some, more]].map(
            (sizes) => solve(deviceNodes(sizes), demand, contextOf({ skipSuggestions: true })).verdict,
          );
          expect(rank(all ?? "never")).toBeLessThanOrEqual(rank(less ?? "never"));
        },
      ),
      runs(30),
    );
  });

  test("units that need not be apart, nor within one domain, nor in groups, never fare worse", () => {
    fc.assert(
      fc.property(
        nodes,
        setCase(3),
        setCase(3),
        fc.constantFrom("separate", "within", "joint"),
        (some, one, two, what) => {
          const sets = [setOf("head", one), setOf("worker", two)].map(
            (set): PodSetDemand => ({
              ...set,
              placement: { ...set.placement, ...(what === "joint" ? { unit: "group", groupSize: 1, joint: "" } : {}) },
            }),
          );
          const eased = sets.map((set): PodSetDemand => {
            const { within, joint: _joint, ...placement } = set.placement;
            if (what === "separate") return { ...set, placement: { ...set.placement, separate: false } };
            if (what === "within") return { ...set, placement };
            // Pods of other sets in a group's domain are others to it once they are not of the group.
            const eased = { ...placement, separate: false };
            return { ...set, placement: within === undefined ? eased : { ...eased, within } };
          });
          expect(rank(verdictOf(demandOf(...eased), some))).toBeLessThanOrEqual(
            rank(verdictOf(demandOf(...sets), some)),
          );
        },
      ),
      runs(150),
    );
  });

  test("what is put down and taken up again leaves room, ledger and looks of every row as they were", () => {
    fc.assert(
      fc.property(nodes, setCase(4), setCase(3), (some, one, two) => {
        const topology = topologyOf(some);
        const demand = demandOf(setOf("head", two), setOf("worker", one));
        const world = worldFor(topology, demand, contextOf());
        const shapes = demand.podSets.flatMap((set) =>
          set.ladder.steps.slice(0, 1).map((each) => world.shape(set, each)),
        );
        const field = fieldFor(world.index, world.usage, shapes, [], { nominal: false, hopeful: false });
        const board = boardFor(field, shapes, createBudget(10_000));
        const read = () => [
          shapes.map((_, number) => [...board.cap(number)]),
          board.rows.map((row) => board.look(row)),
          [...topology.ledger.used],
        ];
        const counts = shapes.map((shape, number) =>
          [...board.cap(number).entries()]
            .flatMap(([row, room]) => (room > 0 && shape.required > 0 ? [{ row, pods: 1 }] : []))
            .slice(0, 1),
        );
        for (const number of shapes.keys()) {
          board.put(number, []);
          board.take(number, []);
        }
        const before = JSON.stringify(read());
        for (const [number, list] of counts.entries()) board.put(number, list);
        const during = JSON.stringify(read());
        if (counts.some((list) => list.length > 0)) expect(during).not.toBe(before);
        for (const [number, list] of [...counts.entries()].reverse()) board.take(number, list);
        expect(JSON.stringify(read()).replaceAll(/0:0/g, "")).toBe(before.replaceAll(/0:0/g, ""));
      }),
      runs(100),
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
