import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { sitesOf } from "../support/brute.ts";
import { someOrderMisses } from "../support/brute-order.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import {
  clusterOf,
  type NodeCase,
  nodeCase,
  type SetCase,
  setCase,
  setOf,
  topologyOf,
} from "../support/solver-cases.ts";

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

  test("one set, and pods of others that wait for the same devices and are tried first or between", () => {
    const other = fc.record({ pods: fc.integer({ min: 1, max: 2 }), devices: fc.integer({ min: 1, max: 2 }) });
    const rank = fc.constantFrom(0, 0, 100);
    fc.assert(
      fc.property(nodes(4), setCase(3), other, rank, (some, drawn, { pods, devices }, priority) => {
        const one: SetCase = { ...drawn, devices: Math.max(1, drawn.devices), cpu: 1, port: false, spread: "none" };
        const builder = clusterOf(some);
        for (let number = 0; number < pods; number += 1)
          builder.pod(`waits-${number}`, (pod) =>
            pod.namespace("other").resource("example.com/dev", devices).priority(priority).phase("Pending"),
          );
        const topology = builder.topology();
        const demand = demandOf(setOf("main", one));
        const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
        if (answer.verdict !== "fits") return;
        const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
        const waiting: PodSetDemand = {
          ...setOf("waiting", { ...one, unit: "pod", level: undefined, pods, tolerates: true, terms: false }),
          required: 0,
          count: pods,
          pod: {
            ...podSet("any").pod,
            requests: { "example.com/dev": devices },
            tolerations: [{ operator: "Exists" }],
          },
        };
        const sites = sitesOf(topology, demand, false);
        const misses = someOrderMisses(sites, demandOf(...demand.podSets, waiting), [
          ...steps,
          ...steps.map((each) => ({ ...each, selection: [] })),
        ]);
        if (misses === undefined) return;
        const told = answer.chosen?.reasons.some(({ code }) => code === "NotGuaranteed") === true;
        if (misses) expect(told).toBe(true);
        seen.add(`waiting ${misses ? "missed" : told ? "falsely warned" : "certain"}`);
      }),
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
    // Each pod that waits is taken to cost as much as it could on the row where it costs most.
    expect(seen.least("waiting missed", "waiting certain")).toBeGreaterThan(15);
    expect(share("waiting")).toBeLessThan(0.5);
  });
});
