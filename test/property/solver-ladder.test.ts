import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type CapacityPool, type Demand, type Rung, requirement, rungText, type Step } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { existsAssignment, type Site, sitesOf } from "../support/brute.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet, pool, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { growths } from "../support/solver-cases.ts";

/** Ladders of one or two pod sets on a handful of nodes and pools, each of one accelerator (x or y) and capacity type. */
const MINUTE = 60_000;
const kindCase = fc.record({
  accelerator: fc.constantFrom("x", "x", "y"),
  capacityType: fc.constantFrom("on-demand" as const, "on-demand" as const, "spot" as const),
});
const nodeCase = fc.record({
  kind: kindCase,
  cpu: fc.integer({ min: 1, max: 3 }),
  used: fc.integer({ min: 0, max: 2 }),
});
const poolCase = fc.record({
  kind: kindCase,
  cpu: fc.integer({ min: 1, max: 3 }),
  maxNodes: fc.integer({ min: 1, max: 2 }),
  startup: fc.constantFrom(5, 10, 20),
});
const setCase = fc.record({
  pods: fc.integer({ min: 1, max: 2 }),
  cpu: fc.constantFrom(1, 1, 2),
  accelerators: fc.constantFrom(["x", "y"], ["x", "y"], ["y", "x"], ["x"]),
  types: fc.constantFrom(["on-demand"], ["spot", "on-demand"], ["spot", "on-demand"], ["on-demand", "spot"]),
  waits: fc.constantFrom(4, 10, 15),
});
type SetCase = typeof setCase extends fc.Arbitrary<infer T> ? T : never;
type NodeCase = typeof nodeCase extends fc.Arbitrary<infer T> ? T : never;
type PoolCase = typeof poolCase extends fc.Arbitrary<infer T> ? T : never;

/** As a class would have it: accelerators, then capacity types, then existing before new; spot for sets called overflow only. */
function setOf(name: string, { pods, cpu, accelerators, types, waits }: SetCase) {
  const steps = accelerators.flatMap((accelerator) =>
    types.flatMap((type) =>
      (["existing", "new"] as const).map((source): Step => {
        const rung: Rung = { accelerator, capacityType: type as Rung["capacityType"], source };
        const kept = type === "spot" && name !== "overflow";
        return step(rung, {
          selection: [requirement("kind", "In", [accelerator]), requirement("cap", "In", [type])],
          ...(kept
            ? { skipped: { code: "RungSkipped", severity: "info", message: `${rungText(rung)} is skipped: no spot.` } }
            : {}),
        });
      }),
    ),
  );
  return podSet(name, { required: pods, requests: { cpu: cpu * 1000 }, steps, maxProvisioningMs: waits * MINUTE });
}

function topologyOf(nodes: readonly NodeCase[]): Topology {
  const builder = cluster();
  for (const [index, { kind, cpu, used }] of nodes.entries()) {
    builder.node(`n${index}`, (node) => {
      node.cpu(cpu).memory("64Gi").zone("a").label("kind", kind.accelerator).label("cap", kind.capacityType);
    });
    if (used > 0)
      builder.pod(`busy-${index}`, (pod) => pod.namespace("other").on(`n${index}`).cpu(Math.min(used, cpu)));
  }
  return builder.topology();
}

function poolOf({ kind, cpu, maxNodes, startup }: PoolCase, index: number): CapacityPool {
  return pool(`p${index}`, {
    ...kind,
    maxNodes,
    startupMs: startup * MINUTE,
    node: {
      allocatable: { cpu: cpu * 1000, memory: 2 ** 36, pods: 110 },
      labels: { pool: `p${index}`, kind: kind.accelerator, cap: kind.capacityType },
      taints: [],
    },
  });
}

/** Every combination of steps that may be taken, in lexicographic order. */
function combinations(demand: Demand): readonly (readonly Step[])[] {
  return demand.podSets.reduce<readonly (readonly Step[])[]>(
    (all, { ladder }) => all.flatMap((some) => ladder.steps.map((one) => [...some, one])),
    [[]],
  );
}

const textOf = (steps: readonly Step[]): string => steps.map(({ rung }) => rungText(rung)).join(" + ");

/** What enumeration says of a combination. */
function bruteVerdict(topology: Topology, demand: Demand, grown: readonly (readonly Site[])[], steps: readonly Step[]) {
  if (steps.some(({ skipped }) => skipped !== undefined)) return "no";
  const now = sitesOf(topology, demand, false);
  if (existsAssignment(topology, now, demand, steps)) return "fits";
  return grown.some((more) => existsAssignment(topology, [...now, ...more], demand, steps)) ? "scaleUp" : "no";
}

const patient = (demand: Demand, ms: number): Demand => ({
  ...demand,
  podSets: demand.podSets.map((set) => ({
    ...set,
    ladder: { ...set.ladder, maxProvisioningMs: Math.max(ms, set.ladder.maxProvisioningMs) },
  })),
});

const without = (demand: Demand, skip: readonly string[]): Demand => ({
  ...demand,
  podSets: demand.podSets.map((set) => ({
    ...set,
    ladder: { ...set.ladder, steps: set.ladder.steps.filter(({ rung }) => !skip.includes(rungText(rung))) },
  })),
});

const seen = tally();

function agrees(nodes: readonly NodeCase[], pools: readonly PoolCase[], sets: readonly SetCase[]): void {
  const topology = topologyOf(nodes);
  const demand = demandOf(...sets.map((one, index) => setOf(index === 0 ? "base" : "overflow", one)));
  const list = pools.map(poolOf);
  const context = contextOf({ pools: list });
  const answer = solve(topology, demand, context);
  expect(answer.ladder.map(({ verdict }) => verdict)).not.toContain("undecided");
  const grown = growths(list);
  const all = combinations(demand);
  const verdicts = new Map(all.map((steps) => [steps, bruteVerdict(topology, demand, grown, steps)]));
  const holding = all.find((steps) => verdicts.get(steps) !== "no");
  const chosenText = (one = answer): string =>
    demand.podSets.map(({ name }) => rungText(one.rungs[name] as Rung)).join(" + ");
  if (holding === undefined) {
    expect(["busy", "never"]).toContain(answer.verdict);
    seen.add("none holds");
    return;
  }
  expect(`${answer.verdict} on ${chosenText()}`).toBe(`${verdicts.get(holding)} on ${textOf(holding)}`);
  expect(answer.rungs["base"]?.capacityType).not.toBe("spot");
  seen.add(`${sets.length} ${answer.verdict}`);
  if (answer.rungs["overflow"]?.capacityType === "spot") seen.add("overflow on spot");

  const fallback = answer.choice.find(({ code }) => code === "FallbackFits");
  const later = all.find(
    (steps) => verdicts.get(steps) === "fits" && steps.every(({ rung }) => rung.source === "existing"),
  );
  expect(fallback !== undefined).toBe(answer.verdict === "scaleUp" && later !== undefined);
  if (fallback !== undefined && later !== undefined) {
    // Whoever skips what it says gets what it says.
    const skip = String(fallback.data?.["skip"]).split(",");
    const instead = solve(topology, without(demand, skip), context);
    expect(`${instead.verdict} on ${chosenText(instead)}`).toBe(`fits on ${textOf(later)}`);
    const lead = Math.max(
      ...(answer.chosen?.assignment?.newNodes ?? []).map(
        (one) => list.find(({ name }) => name === one.pool)?.startupMs ?? 0,
      ),
    );
    expect(fallback.data?.["waitMs"]).toBe(lead);
    seen.add(`${sets.length} fallback`);
  }

  const passed = answer.choice.find(({ code }) => code === "PreferredTooSlow");
  const leads = [...new Set(list.map(({ startupMs }) => startupMs))].sort((a, b) => a - b);
  const before = all.slice(0, all.indexOf(holding));
  const slow = leads.find((ms) =>
    before.some((steps) => bruteVerdict(topology, patient(demand, ms), grown, steps) !== "no"),
  );
  expect(passed?.data?.["change"]).toBe(slow === undefined ? undefined : `capacity.maxProvisioning: ${slow / MINUTE}m`);
  if (passed !== undefined) seen.add(`${sets.length} passed`);
}

describe("the ladder against brute force", () => {
  test("one pod set: the first rung that fits, or is there in time; what that gives up is told, and true", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase, { minLength: 1, maxLength: 4 }),
        fc.array(poolCase, { minLength: 1, maxLength: 2 }),
        setCase,
        (nodes, pools, one) => agrees(nodes, pools, [one]),
      ),
      runs(300),
    );
  });

  test("two pod sets with ladders of their own: the first combination, spot for overflow only", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase, { minLength: 1, maxLength: 4 }),
        fc.array(poolCase, { minLength: 1, maxLength: 2 }),
        setCase,
        setCase,
        (nodes, pools, one, two) => agrees(nodes, pools, [one, two]),
      ),
      runs(200),
    );
  });

  test("each outcome was met often enough to mean something", () => {
    expect(seen.least("none holds", "1 fits", "1 scaleUp", "2 fits", "2 scaleUp", "overflow on spot")).toBeGreaterThan(
      10,
    );
    expect(seen.least("1 fallback", "1 passed", "2 fallback", "2 passed")).toBeGreaterThan(3);
  });
});
