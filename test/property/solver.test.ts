import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand, Step } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf, podSet, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import {
  apartNodeCase,
  growths,
  type NodeCase,
  nodeCase,
  type PoolCase,
  poolCase,
  poolOf,
  promisedNodeCase,
  type SetCase,
  setCase,
  setOf,
  topologyOf,
} from "../support/solver-cases.ts";

function stepsOf(demand: Demand): readonly Step[] {
  return demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
}

const seen = tally();

describe("the solver against brute force", () => {
  const agrees = (topology: Topology, demand: Demand): void => {
    const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
    const steps = stepsOf(demand);
    const now = existsAssignment(topology, sitesOf(topology, demand, false), demand, steps);
    const expected = now
      ? "fits"
      : existsAssignment(topology, sitesOf(topology, demand, true), demand, steps)
        ? "busy"
        : "never";
    expect(answer.verdict).toBe(expected);
    seen.add(`${demand.podSets.length} ${expected}`);
    if (expected === "fits")
      expect(
        checkAssignment(
          topology,
          demand,
          answer.rungs,
          answer.chosen?.assignment ?? { placed: [], newNodes: [] },
          contextOf(),
        ),
      ).toEqual([]);
  };

  test("one pod set: fits, busy and never are exactly what enumeration says", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 6 }), setCase(5), (nodes, one) =>
        agrees(topologyOf(nodes), demandOf(setOf("main", one))),
      ),
      runs(900),
    );
  });

  test("two pod sets on shared nodes: all or nothing, exactly", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 4 }), setCase(3), setCase(3), (nodes, one, two) =>
        agrees(topologyOf(nodes), demandOf(setOf("head", one), setOf("worker", two))),
      ),
      runs(700),
    );
  });

  test("where pods that run keep some of them off, over nodes or zones", () => {
    const nodes = fc.array(apartNodeCase(true), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(nodes, setCase(3), setCase(3), (some, one, two) => {
        agrees(topologyOf(some), demandOf(setOf("main", { ...one, named: true })));
        agrees(topologyOf(some), demandOf(setOf("head", { ...one, named: true }), setOf("worker", two)));
      }),
      runs(200),
    );
  });

  test("where nodes are promised to pods of a higher, an equal or a lower priority", () => {
    const priority = fc.constantFrom(0, 100, 200);
    const nodes = fc.array(promisedNodeCase, { minLength: 1, maxLength: 4 });
    const ranked = (name: string, one: SetCase, rank: number): PodSetDemand => {
      const set = setOf(name, { ...one, named: true });
      return { ...set, pod: { ...set.pod, priority: rank } };
    };
    fc.assert(
      fc.property(nodes, setCase(3), setCase(2), priority, priority, (some, one, two, first, second) => {
        const demand = demandOf(ranked("head", one, first), ranked("worker", two, second));
        const alone = demandOf(ranked("main", one, first));
        const topology = topologyOf(some);
        agrees(topology, alone);
        agrees(topology, demand);
        const without = topologyOf(some.map((node) => ({ ...node, promised: undefined })));
        const verdict = (on: Topology) => solve(on, alone, contextOf({ skipSuggestions: true })).verdict;
        const promised = some.filter((node) => node.promised !== undefined);
        if (promised.some((node) => (node.promised?.priority ?? 0) < first) && verdict(topology) === "fits")
          seen.add("given way");
        if (verdict(topology) !== verdict(without)) seen.add("kept for others");
      }),
      runs(320),
    );
    expect(seen.least("given way", "kept for others")).toBeGreaterThan(10);
  });

  test("sets that share one domain of the workload's", () => {
    const levels = fc.constantFrom("zone" as const, "rack" as const, "host" as const);
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 2, maxLength: 5 }),
        setCase(2),
        setCase(2),
        levels,
        (nodes, one, two, level) => {
          const open = (set: SetCase): SetCase => ({
            ...set,
            unit: "workload",
            level,
            tolerates: true,
            select: undefined,
          });
          const demand = demandOf(setOf("head", open(one)), setOf("worker", open(two)));
          const topology = topologyOf(nodes);
          agrees(topology, demand);
          seen.add(`sharing ${solve(topology, demand, contextOf({ skipSuggestions: true })).verdict}`);
        },
      ),
      runs(150),
    );
    expect(seen.least("sharing fits", "sharing busy", "sharing never")).toBeGreaterThan(10);
  });

  test("nodes without a level's label never make a false fits, busy or never", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(false), { minLength: 1, maxLength: 5 }), setCase(4), (nodes, one) => {
        const topology = topologyOf(nodes);
        const demand = demandOf(setOf("main", one));
        const { verdict } = solve(topology, demand, contextOf({ skipSuggestions: true }));
        const steps = stepsOf(demand);
        const now = sitesOf(topology, demand, false);
        const fits = existsAssignment(topology, now, demand, steps);
        const nominal = sitesOf(topology, demand, true);
        // Any rack may turn out to be any other: the bound that decides between busy, never and unknown.
        const anywhere = {
          ...demand,
          podSets: demand.podSets.map((set) => ({ ...set, placement: { ...set.placement, unit: "pod" as const } })),
        };
        const busy = existsAssignment(topology, nominal, demand, steps);
        seen.add(`bare ${verdict}`);
        expect(verdict === "fits").toBe(fits);
        if (verdict === "never") expect(busy).toBe(false);
        if (verdict === "busy") expect(busy && !fits).toBe(true);
        // Spreading counts a node that is cordoned only once it no longer is: what could fit now may not fit then.
        const could = [now, nominal].some((sites) => existsAssignment(topology, sites, anywhere, steps));
        if (verdict === "unknown") expect(!fits && could).toBe(true);
      }),
      runs(300),
    );
  });

  const agreesWithPools = (
    nodes: readonly NodeCase[],
    pools: readonly PoolCase[],
    ...sets: readonly SetCase[]
  ): void => {
    const named = sets.map((one, index) => setOf(`set-${index}`, { ...one, terms: false }, step({ source: "new" })));
    growsTo("pools", nodes, pools, demandOf(...named));
  };

  const growsTo = (kind: string, nodes: readonly NodeCase[], pools: readonly PoolCase[], demand: Demand): void => {
    const topology = topologyOf(nodes);
    const list = pools.map((each, index) => poolOf(`p${index}`, each));
    const answer = solve(topology, demand, contextOf({ pools: list, skipSuggestions: true }));
    const steps = stepsOf(demand);
    const now = sitesOf(topology, demand, false);
    const nominal = sitesOf(topology, demand, true);
    const grown = growths(list);
    const any = (sites: typeof now) =>
      grown.some((more) => existsAssignment(topology, [...sites, ...more], demand, steps));
    const fits = existsAssignment(topology, now, demand, steps);
    const expected = fits ? "fits" : any(now) ? "scaleUp" : any(nominal) ? "busy" : "never";
    seen.add(`${kind} ${answer.verdict}`);
    if (expected === "fits" || expected === "scaleUp") {
      const assignment = answer.chosen?.assignment ?? { placed: [], newNodes: [] };
      expect(answer.verdict).toBe(expected);
      expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf({ pools: list }))).toEqual([]);
    }
    if (answer.verdict !== "unknown") expect(answer.verdict).toBe(expected);
    else {
      expect(["busy", "never"]).toContain(expected);
      expect(pools.some((each) => !each.together || !each.labelled)).toBe(true);
    }
  };

  test("new nodes of pools: fits before scaleUp, exactly, within rooms, zones and what the pools say", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 1, maxLength: 3 }),
        fc.array(poolCase, { minLength: 1, maxLength: 2 }),
        setCase(4),
        agreesWithPools,
      ),
      runs(300),
    );
  });

  test("new nodes of a zone that pods keep these off are none", () => {
    const nodes = fc.array(apartNodeCase(true), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(nodes, fc.array(poolCase, { minLength: 1, maxLength: 2 }), setCase(3), (some, pools, one) =>
        agreesWithPools(some, pools, { ...one, named: true }),
      ),
      runs(100),
    );
  });

  test("two pod sets on existing and new nodes together", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 1, maxLength: 2 }),
        fc.array(poolCase, { minLength: 1, maxLength: 1 }),
        setCase(2),
        setCase(2),
        agreesWithPools,
      ),
      runs(200),
    );
  });

  test("leader and workers in groups, and units within a domain or apart, on existing and new nodes together", () => {
    const part = fc.record({ cpu: fc.constantFrom(0, 1, 2), devices: fc.integer({ min: 0, max: 1 }) });
    const units = fc.record({
      groups: fc.integer({ min: 1, max: 2 }),
      workers: fc.integer({ min: 1, max: 2 }),
      level: fc.constantFrom("zone", "rack", "host", "host"),
      within: fc.boolean(),
      separate: fc.boolean(),
    });
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 1, maxLength: 2 }),
        fc.array(poolCase, { minLength: 1, maxLength: 1 }),
        part,
        part,
        units,
        (nodes, pools, leader, worker, { groups, workers, level, within, separate }) => {
          const of = (name: string, groupSize: number, { cpu, devices }: typeof leader): PodSetDemand =>
            podSet(name, {
              required: groups * groupSize,
              requests: { cpu: cpu * 1000, memory: 2 ** 30, "example.com/dev": devices },
              pod: { tolerations: [{ key: "special", operator: "Exists" }] },
              placement: {
                unit: "group",
                groupSize,
                level,
                joint: "",
                separate,
                ...(within && level !== "zone" ? { within: "zone" } : {}),
              },
              steps: [step({ source: "new" })],
            });
          growsTo("joint", nodes, pools, demandOf(of("leader", 1, leader), of("worker", workers, worker)));
        },
      ),
      runs(150),
    );
  });

  test("each verdict was met often enough to mean something", () => {
    expect(seen.least("1 fits", "1 busy", "1 never", "2 fits", "2 busy", "2 never")).toBeGreaterThan(50);
    expect(seen.least("bare fits", "bare busy", "bare never", "bare unknown")).toBeGreaterThan(10);
    expect(seen.least("pools fits", "pools scaleUp", "pools busy", "pools never", "pools unknown")).toBeGreaterThan(5);
    expect(seen.least("joint fits", "joint scaleUp", "joint busy", "joint never")).toBeGreaterThan(5);
  });
});
