import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

const seen = tally();
const GI = 2 ** 30;
const LEVELS = ["zone", "block", "rack", "host"];

function expected(topology: Topology, demand: Demand): "fits" | "busy" | "never" {
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
  if (existsAssignment(topology, sitesOf(topology, demand, false), demand, steps)) return "fits";
  return existsAssignment(topology, sitesOf(topology, demand, true), demand, steps) ? "busy" : "never";
}

function agrees(kind: string, nodes: readonly NodeCase[], demand: Demand): void {
  const topology = topologyOf(nodes);
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const verdict = expected(topology, demand);
  seen.add(`${kind} ${verdict}`);
  expect(answer.verdict).toBe(verdict);
  if (verdict !== "fits") return;
  const assignment = answer.chosen?.assignment ?? expect.fail();
  expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
}

const part = fc.record({ cpu: fc.constantFrom(0, 1, 2), devices: fc.integer({ min: 0, max: 2 }) });
const joint = fc.record({
  groups: fc.integer({ min: 1, max: 3 }),
  workers: fc.integer({ min: 1, max: 2 }),
  leader: part,
  worker: part,
  level: fc.constantFrom("zone", "rack", "rack", "host"),
  /** What the leader's groups share beside their level, and the worker's. */
  within: fc.constantFrom(
    [undefined, undefined],
    [undefined, undefined],
    ["zone", "zone"],
    ["zone", undefined],
    [undefined, "zone"],
  ),
  /** Whose groups stand apart: the leader's, the worker's. */
  separate: fc.constantFrom([true, true], [false, false], [false, true], [true, false]),
});

describe("units of a workload against brute force", () => {
  test("leader and workers of one group share a domain, group by group, exactly", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 5 }), joint, (nodes, one) => {
        const of = (
          name: "leader" | "worker",
          size: number,
          { cpu, devices }: { cpu: number; devices: number },
        ): PodSetDemand => {
          const part = name === "leader" ? 0 : 1;
          const within = one.level === "zone" ? undefined : one.within[part];
          return podSet(name, {
            required: one.groups * size,
            requests: { cpu: cpu * 1000, memory: GI, "example.com/dev": devices },
            pod: { tolerations: [{ key: "special", operator: "Exists" }] },
            placement: {
              unit: "group",
              groupSize: size,
              level: one.level,
              joint: "",
              separate: one.separate[part] === true,
              ...(within === undefined ? {} : { within }),
            },
          });
        };
        agrees("joint", nodes, demandOf(of("leader", 1, one.leader), of("worker", one.workers, one.worker)));
      }),
      runs(350),
    );
  });

  test("three sets, of which some share a wider domain and others do not", () => {
    const one = fc.record({
      pods: fc.integer({ min: 1, max: 2 }),
      cpu: fc.integer({ min: 1, max: 2 }),
      unit: fc.constantFrom("pod" as const, "podSet" as const, "group" as const),
      level: fc.constantFrom("rack", "host"),
      within: fc.constantFrom(undefined, "zone", "zone"),
      separate: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
    });
    // Nodes that look alike, and stand where they stand.
    const node = nodeCase(true).map(({ used, ...drawn }) => ({
      ...drawn,
      cpu: 2,
      devices: 0,
      label: undefined,
      tainted: false,
      used: used % 2,
    }));
    fc.assert(
      fc.property(fc.array(node, { minLength: 2, maxLength: 5 }), fc.tuple(one, one, one), (nodes, sets) => {
        const all = sets.map(
          ({ pods, cpu, unit, level, within, separate }, index): PodSetDemand =>
            podSet(`set-${index}`, {
              required: pods,
              requests: { cpu: cpu * 1000, memory: GI },
              placement: {
                unit,
                ...(unit === "pod"
                  ? {}
                  : { level, groupSize: 1, separate, ...(within === undefined ? {} : { within }) }),
              },
            }),
        );
        agrees("three", nodes, demandOf(...all));
      }),
      runs(350),
    );
  });

  test("a preferred level is kept as near as can be: the narrowest level outward in which all fit", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 6 }), setCase(5), (nodes, one) => {
        const level = one.level ?? "rack";
        const soft = setOf("main", { ...one, unit: "podSet", level, separate: false, within: undefined });
        const at = (asked: string | undefined): Demand =>
          demandOf({ ...soft, placement: { ...soft.placement, level: asked, mode: "required" } });
        const preferred = demandOf({ ...soft, placement: { ...soft.placement, level, mode: "preferred" } });
        const topology = topologyOf(nodes);
        const outward = [...LEVELS.slice(0, LEVELS.indexOf(level) + 1).reverse(), undefined];
        const nearest = outward.find((asked) => expected(topology, at(asked)) === "fits");
        const answer = solve(topology, preferred, contextOf({ skipSuggestions: true }));
        expect(answer.verdict).toBe(expected(topology, at(undefined)));
        seen.add(`preferred ${answer.verdict === "fits" ? (nearest ?? "anywhere") : "none"}`);
        if (answer.verdict !== "fits") return;
        const assignment = answer.chosen?.assignment ?? expect.fail();
        expect(checkAssignment(topology, at(nearest), answer.rungs, assignment, contextOf())).toEqual([]);
      }),
      runs(300),
    );
  });

  test("the class's own spread, with maxSkew and minDomains, over any level", () => {
    const spread = fc.record({
      level: fc.constantFrom("zone", "rack", "host"),
      maxSkew: fc.integer({ min: 1, max: 2 }),
      minDomains: fc.integer({ min: 1, max: 3 }),
      mode: fc.constant("required" as const),
    });
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 6 }), setCase(5), spread, (nodes, one, rule) => {
        const set = setOf("main", { ...one, spread: "none" });
        agrees("spread", nodes, demandOf({ ...set, placement: { ...set.placement, spread: rule } }));
      }),
      runs(300),
    );
  });

  test("each outcome was met often enough to mean something", () => {
    expect(seen.least("joint fits", "joint busy", "joint never")).toBeGreaterThan(15);
    expect(seen.least("three fits", "three busy", "three never")).toBeGreaterThan(15);
    expect(seen.least("spread fits", "spread busy", "spread never")).toBeGreaterThan(15);
    expect(seen.least("preferred rack", "preferred zone", "preferred anywhere", "preferred none")).toBeGreaterThan(8);
  });
});
