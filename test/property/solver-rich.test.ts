import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Answer, Placement, Verdict } from "../../src/model/index.ts";
import { boardFor } from "../../src/solver/board.ts";
import { createBudget } from "../../src/solver/budget.ts";
import { fieldFor } from "../../src/solver/field.ts";
import { checkAssignment, checkLimits, solve } from "../../src/solver/index.ts";
import { kindsFor } from "../../src/solver/scaleup.ts";
import { worldFor } from "../../src/solver/world.ts";
import { type RichCase, richCase, richNode, richWorld, wildCase } from "../support/rich.ts";
import { runs, tally } from "../support/runs.ts";

/** From better to worse, where everything is known. */
const ORDER: readonly Verdict[] = ["fits", "scaleUp", "busy", "undecided", "unknown", "never"];
const rank = (verdict: Verdict): number => ORDER.indexOf(verdict);
const seen = tally();

function answerTo(one: RichCase, nameOf?: (index: number) => string) {
  const { topology, demand, context } = richWorld(one, nameOf);
  return solve(topology, demand, context);
}

/** What is taken away from a world, and never makes it worse. */
const EASED: Readonly<Record<string, (one: RichCase) => Partial<RichCase>>> = {
  quota: () => ({ quota: undefined }),
  "a quota's use": ({ quota }) => (quota === undefined ? {} : { quota: { ...quota, used: 0 } }),
  queue: () => ({ queue: undefined }),
  "a queue's use": ({ queue }) => (queue === undefined ? {} : { queue: { ...queue, used: 0 } }),
  holds: () => ({ held: undefined }),
  claim: () => ({ claim: undefined }),
  constraint: ({ claim }) => (claim === undefined ? {} : { claim: { ...claim, bond: "none" } }),
  "fabric devices": () => ({ wantsFabric: false }),
  window: ({ pools }) => ({ pools: pools.map((pool) => ({ ...pool, hours: undefined })) }),
  "the run's length": ({ runHours }) => (runHours === undefined ? {} : { runHours: 1 }),
  maximum: ({ pools }) => ({ pools: pools.map((pool) => ({ ...pool, maxNodes: pool.maxNodes + 1 })) }),
  level: ({ worker }) => ({ worker: { ...worker, level: undefined } }),
};

/** What lets new nodes in. Where their pools do not say what they share, or a label, nobody knows it, and the law is of what is known. */
const ADMITTING = new Set(["holds", "claim", "window", "the run's length", "maximum"]);

/** Of a driver that no pool declares nobody knows what it publishes on new nodes: that is held against brute force elsewhere. */
const known = (one: RichCase): RichCase => ({
  ...one,
  wantsFabric: false,
  pools: one.pools.map((pool) => ({ ...pool, together: true, labelled: true })),
});

describe("laws where devices, quotas, queues, holds, pools and windows are there at once", () => {
  test("what fits passes its check, and a second look answers the same", () => {
    fc.assert(
      fc.property(fc.oneof(richCase, wildCase), (one) => {
        const { topology, demand, context } = richWorld(one);
        const answer = solve(topology, demand, context);
        seen.add(answer.verdict);
        if (one.worker.spread !== "none") seen.add(`${answer.verdict} with spreading`);
        if (one.claim?.requests.some(({ count }) => count === "all")) seen.add(`${answer.verdict} with all`);
        for (const what of ["quota", "queue", "held", "claim"] as const)
          if (one[what] !== undefined) seen.add(`${answer.verdict} with ${what}`);
        const assignment = answer.chosen?.assignment;
        expect(assignment !== undefined).toBe(answer.verdict === "fits" || answer.verdict === "scaleUp");
        expect(answer.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "CheckFailed"))).toBe(false);
        if (assignment !== undefined) {
          expect(checkAssignment(topology, demand, answer.rungs, assignment, context)).toEqual([]);
          expect(checkLimits(topology, demand, answer.rungs, assignment, context)).toEqual([]);
        }
        expect(JSON.stringify(answerTo(one))).toBe(JSON.stringify(answer));
      }),
      runs(240),
    );
    expect(seen.least("fits with spreading", "fits with all", "never with all", "busy with all")).toBeGreaterThan(1);
    expect(seen.least("fits", "scaleUp", "busy", "never")).toBeGreaterThan(3);
    expect(seen.least("fits with quota", "fits with queue", "fits with held", "fits with claim")).toBeGreaterThan(3);
  });

  test("a node more never makes the verdict worse", () => {
    fc.assert(
      fc.property(richCase, richNode, (one, more) => {
        const after = answerTo({ ...one, nodes: [...one.nodes, more] });
        expect(rank(after.verdict)).toBeLessThanOrEqual(rank(answerTo(one).verdict));
      }),
      runs(80),
    );
  });

  test("a constraint less never makes the verdict worse", () => {
    fc.assert(
      fc.property(fc.oneof(richCase, wildCase), fc.constantFrom(...Object.keys(EASED)), (drawn, what) => {
        const one = ADMITTING.has(what) ? known(drawn) : drawn;
        const eased = answerTo({ ...one, ...EASED[what]?.(one) });
        // Whoever has the room of a node keeps the scheduler from looking at its devices, where it might give up on the pod.
        if (eased.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"))) return;
        expect(rank(eased.verdict)).toBeLessThanOrEqual(rank(answerTo(one).verdict));
      }),
      runs(280),
    );
  });

  test("a level that is only preferred decides nothing but where: the verdict is that of no level, in one domain where that would hold", () => {
    const met = tally();
    fc.assert(
      fc.property(fc.oneof(richCase, wildCase), (one) => {
        const { topology, demand, context } = richWorld(one);
        const placed = (change: Partial<Placement>): Answer => {
          const podSets = demand.podSets.map((set) => {
            const { within: _, ...placement } = set.placement;
            return { ...set, placement: { ...placement, separate: false, ...change } };
          });
          return solve(topology, { ...demand, podSets }, { ...context, skipSuggestions: true });
        };
        const soft = placed({ mode: "preferred" });
        expect(soft.verdict).toBe(placed({ unit: "pod", level: undefined }).verdict);
        met.add(soft.verdict);
        const strict = placed({ mode: "required" });
        if (strict.verdict !== "fits" || soft.verdict !== "fits") return;
        for (const { name, placement } of demand.podSets) {
          const level = topology.levels.find((each) => each.level.name === placement.level);
          if (level === undefined || placement.unit !== "podSet") continue;
          const nodes = soft.chosen?.assignment?.placed.filter(({ podSet }) => podSet === name) ?? [];
          const domains = nodes.map(({ node }) => level.domainOf[topology.nodeIndex.get(node) ?? -1]);
          expect(new Set(domains).size).toBe(Math.min(1, nodes.length));
          met.add("in one domain");
        }
      }),
      runs(240),
    );
    expect(met.least("fits", "scaleUp", "busy", "never", "in one domain")).toBeGreaterThan(5);
  });

  test("other names for the nodes change nothing but names", () => {
    fc.assert(
      fc.property(fc.oneof(richCase, wildCase), (one) => {
        const [a, b] = [answerTo(one), answerTo(one, (index) => `z${one.nodes.length - index}`)];
        expect(b.verdict).toBe(a.verdict);
        expect(b.chosen?.holds).toEqual(a.chosen?.holds);
        const counts = (answer: typeof a) =>
          answer.chosen?.exclusions.map(({ constraint, nodes }) => `${constraint}: ${nodes}`);
        expect(counts(b)).toEqual(counts(a));
      }),
      runs(160),
    );
  });

  test("what is put down and taken up again leaves room, devices and ledger as they were, on new nodes too", () => {
    fc.assert(
      fc.property(fc.oneof(richCase, wildCase), (one) => {
        const { topology, demand, context } = richWorld(one);
        const world = worldFor(topology, demand, context);
        const shapes = demand.podSets.flatMap((set) => set.ladder.steps.map((each) => world.shape(set, each)));
        const kinds = kindsFor(world.growth, shapes, { waitMs: Number.POSITIVE_INFINITY, unpromised: false });
        const field = fieldFor(world.index, world.usage, shapes, kinds, { nominal: false, hopeful: false });
        const board = boardFor(field, shapes, createBudget(100_000));
        const ledger = JSON.stringify([[...topology.ledger.used], [...topology.ledger.devices]]);
        const read = () =>
          JSON.stringify([shapes.map((_, number) => [...board.cap(number)]), board.rows.map((row) => board.look(row))]);
        // Before the first move a row has no load at all.
        const bare = (text: string) => text.replaceAll(/0:0/g, "");
        for (const number of shapes.keys()) board.put(number, []);
        const before = read();
        const moves = shapes.flatMap((_, number) =>
          [...board.cap(number).entries()].flatMap(([row, room]) => (room > 0 ? [{ number, row }] : [])),
        );
        const done: typeof moves = [];
        for (const move of moves) {
          if ((board.cap(move.number)[move.row] ?? 0) === 0) continue;
          board.put(move.number, [{ row: move.row, pods: 1 }]);
          done.push(move);
        }
        if (done.length > 0) expect(read()).not.toBe(before);
        if (done.some(({ row }) => row >= field.existing)) seen.add("put on a new node");
        for (const { number, row } of done.reverse()) board.take(number, [{ row, pods: 1 }]);
        expect(bare(read())).toBe(bare(before));
        expect(JSON.stringify([[...topology.ledger.used], [...topology.ledger.devices]])).toBe(ledger);
      }),
      runs(60),
    );
    expect(seen.least("put on a new node")).toBeGreaterThan(5);
  });
});
