import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, Placement, PodSetDemand } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

const seen = tally();
const LEVELS = ["zone", "block", "rack", "host"];

/** Levels by which preferences are widened, or that they are given up; then soft spreading as well. */
interface Stage {
  readonly widen: number | undefined;
  readonly spread: boolean;
}

/** The same set as it is asked for at a stage, where what is asked is required. */
function hardened(set: PodSetDemand, { widen, spread }: Stage): PodSetDemand {
  const { level, within, spread: rule, ...placement } = set.placement;
  const soft = set.placement.mode === "preferred" && set.placement.unit !== "pod";
  const at = level === undefined ? -1 : LEVELS.indexOf(level) - (soft ? (widen ?? LEVELS.length) : 0);
  const outer = within === undefined || at < LEVELS.indexOf(within) ? {} : { within };
  const rules = rule === undefined || (rule.mode === "preferred" && !spread) ? undefined : rule;
  return {
    ...set,
    placement: {
      ...placement,
      ...outer,
      mode: "required",
      level: LEVELS[at],
      spread: rules === undefined ? undefined : { ...rules, mode: "required" },
    },
  };
}

/** In the order in which preferences are given up. */
function stagesOf(demand: Demand): readonly Stage[] {
  const widths = demand.podSets.map(({ placement: { mode, unit, level } }) =>
    mode === "preferred" && unit !== "pod" && level !== undefined ? LEVELS.indexOf(level) : -1,
  );
  const deepest = Math.max(...widths);
  const stages: Stage[] = [{ widen: 0, spread: true }];
  for (let widen = 1; widen <= deepest; widen += 1) stages.push({ widen, spread: true });
  if (deepest >= 0) stages.push({ widen: undefined, spread: true });
  if (demand.podSets.some(({ placement }) => placement.spread?.mode === "preferred"))
    stages.push({ widen: deepest >= 0 ? undefined : 0, spread: false });
  return stages;
}

function agrees(kind: string, nodes: readonly NodeCase[], demand: Demand): void {
  const topology = topologyOf(nodes);
  const asked = stagesOf(demand).map((stage) => demandOf(...demand.podSets.map((set) => hardened(set, stage))));
  const fits = (one: Demand, nominal: boolean): boolean => {
    const steps = one.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
    return existsAssignment(topology, sitesOf(topology, one, nominal), one, steps);
  };
  const nearest = asked.findIndex((one) => fits(one, false));
  const loosest = asked.at(-1) ?? demand;
  const wanted = nearest !== -1 ? "fits" : fits(loosest, true) ? "busy" : "never";
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  seen.add(`${kind} ${wanted}`);
  expect(answer.verdict).toBe(wanted);
  if (wanted !== "fits") return;
  if (nearest > 0) seen.add(`${kind} widened`);
  if (nearest > 0 && nearest < asked.length - 1) seen.add(`${kind} widened in part`);
  const assignment = answer.chosen?.assignment ?? expect.fail();
  const kept = asked[nearest] ?? demand;
  expect(checkAssignment(topology, kept, answer.rungs, assignment, contextOf())).toEqual([]);
}

/** Nodes that are empty and open to all: what does not fit there is kept out by levels alone. */
const calm = (one: NodeCase): NodeCase => ({
  ...one,
  tainted: false,
  cordoned: false,
  ready: true,
  used: 0,
  usedDevices: 0,
  port: false,
});
const nodes = (most: number) =>
  fc
    .tuple(fc.array(nodeCase(true), { minLength: 1, maxLength: most }), fc.boolean())
    .map(([some, empty]) =>
      (empty ? some.map(calm) : some).map((one) => ({ ...one, block: one.label === "x" ? "k" : "m" })),
    );
/** Several pods, which domains and each other alone keep apart. */
const wide = (one: SetCase): SetCase => ({
  ...deep(one),
  select: undefined,
  port: false,
  devices: 0,
  pods: one.pods + 1,
});
const prefers = (set: PodSetDemand, placement: Partial<Placement> = {}): PodSetDemand => ({
  ...set,
  placement: { ...set.placement, mode: "preferred", ...placement },
});
const deep = (one: SetCase): SetCase => ({ ...one, level: one.level ?? "rack", terms: false, spread: "none" });

describe("preferences are kept as near as can be, against brute force", () => {
  test("two sets within one wider domain, apart, in groups or sharing one domain: each outward in step with the other", () => {
    fc.assert(
      fc.property(nodes(5), setCase(2), setCase(2), fc.boolean(), (some, one, two, both) => {
        const [head, worker] = [setOf("head", wide(one)), setOf("worker", wide(two))];
        agrees("two", some, demandOf(prefers(head), both ? prefers(worker) : worker));
      }),
      runs(220),
    );
  });

  test("two sets that share a wider domain share it until each is as wide, and no wider", () => {
    const size = fc.integer({ min: 1, max: 4 });
    const level = fc.constantFrom("rack", "rack", "block");
    fc.assert(
      fc.property(nodes(6), size, size, level, level, (some, a, b, one, two) => {
        const part = (name: string, pods: number, asked: string): PodSetDemand =>
          prefers(podSet(name, { required: pods }), { level: asked, within: "zone" });
        agrees("shared", some.map(calm), demandOf(part("head", a, one), part("worker", b, two)));
      }),
      runs(200),
    );
  });

  test("groups of one set, which are torn only where no wider domain holds them, and spread as the class would like", () => {
    const rule = fc.record({
      level: fc.constantFrom("zone", "rack"),
      maxSkew: fc.integer({ min: 1, max: 2 }),
      mode: fc.constant("preferred" as const),
    });
    fc.assert(
      fc.property(nodes(5), setCase(5), rule, fc.boolean(), (some, one, spread, spreads) => {
        const set = setOf("main", { ...deep(one), unit: "group" });
        agrees("groups", some, demandOf(prefers(set, spreads ? { spread } : {})));
      }),
      runs(160),
    );
  });

  test("leader and workers of joint groups", () => {
    fc.assert(
      fc.property(nodes(5), setCase(2), setCase(2), fc.integer({ min: 1, max: 3 }), (some, one, two, groups) => {
        const part = (name: string, each: SetCase, groupSize: number): PodSetDemand =>
          prefers(
            {
              ...setOf(name, { ...deep(each), unit: "group", level: one.level ?? "rack" }),
              required: groups * groupSize,
              count: groups * groupSize,
              peak: groups * groupSize,
            },
            { groupSize, joint: "" },
          );
        agrees("joint", some, demandOf(part("leader", one, 1), part("worker", two, two.pods)));
      }),
      runs(110),
    );
  });

  test("each outcome was met often enough to mean something", () => {
    expect(
      seen.least("two fits", "two busy", "two never", "groups fits", "groups busy", "groups never"),
    ).toBeGreaterThan(10);
    expect(seen.least("shared fits", "joint fits", "joint busy", "joint never")).toBeGreaterThan(8);
    expect(
      seen.least("shared widened in part", "two widened in part", "groups widened in part", "joint widened"),
    ).toBeGreaterThan(3);
  });
});
