import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { allowsLabels, type PodSetDemand, tolerates } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { existsAssignment, type Site, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { apartNodeCase, type NodeCase, type SetCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

const seen = tally();
const UNSCHEDULABLE = { key: "node.kubernetes.io/unschedulable", operator: "Exists", effect: "NoSchedule" } as const;

/** One pod on each node that the set selects and tolerates, cordoned ones among them; no level, no spreading. */
const daemonOf = (one: SetCase): PodSetDemand => {
  const set = setOf("agents", { ...one, unit: "pod", level: undefined, spread: "none", pods: 1 });
  return { ...set, perNode: true };
};

/** Sites on which its pods have to run. */
function wanted(sites: readonly Site[], { pod }: PodSetDemand, nominal: boolean): readonly number[] {
  const tolerations = [...pod.tolerations, UNSCHEDULABLE];
  return [...sites.keys()].filter((place) => {
    const { labels, taints } = sites[place] ?? expect.fail();
    const passing = (key: string) => nominal && key.startsWith("node.kubernetes.io/");
    return (
      pod.selection.some((term) => allowsLabels(term, labels)) &&
      taints.every((taint) => passing(taint.key) || tolerations.some((one) => tolerates(one, taint)))
    );
  });
}

function expected(nodes: readonly NodeCase[], daemon: PodSetDemand, beside: PodSetDemand | undefined): string {
  const topology = topologyOf(nodes);
  const fits = (nominal: boolean): boolean => {
    const demand = beside === undefined ? demandOf(daemon) : demandOf(beside);
    const sites = sitesOf(topology, demand, nominal);
    const places = wanted(sites, daemon, nominal);
    if (places.length === 0) return false;
    const left = sites.map((site, place): Site | undefined => {
      if (!places.includes(place)) return site;
      const free = Object.fromEntries(
        Object.entries(site.free).map(([name, amount]) => [name, amount - (daemon.pod.requests[name] ?? 0)]),
      );
      const asked = Object.entries(daemon.pod.requests).filter(([, amount]) => amount > 0);
      const clash = daemon.pod.hostPorts.some((port) => site.ports.has(port));
      const ports = new Set([...site.ports, ...daemon.pod.hostPorts]);
      return clash || asked.some(([name]) => (free[name] ?? -1) < 0) ? undefined : { ...site, free, ports };
    });
    if (left.includes(undefined)) return false;
    const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
    return (
      beside === undefined ||
      existsAssignment(
        topology,
        left.flatMap((one) => one ?? []),
        demand,
        steps,
      )
    );
  };
  return fits(false) ? "fits" : fits(true) ? "busy" : "never";
}

function agrees(kind: string, nodes: readonly NodeCase[], daemon: PodSetDemand, beside?: PodSetDemand): void {
  const topology = topologyOf(nodes);
  const demand = beside === undefined ? demandOf(daemon) : demandOf(daemon, beside);
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const verdict = expected(nodes, daemon, beside);
  expect(answer.verdict).toBe(verdict);
  seen.add(`${kind} ${verdict}`);
  if (verdict !== "fits") return;
  if (nodes.some(({ cordoned }) => cordoned)) seen.add(`${kind} beside cordoned`);
  const assignment = answer.chosen?.assignment ?? expect.fail();
  expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
}

describe("pods of a DaemonSet against brute force", () => {
  const nodes = fc.array(apartNodeCase(true), { minLength: 1, maxLength: 4 });

  test("one on each node that is selected, or not at all", () => {
    fc.assert(
      fc.property(nodes, setCase(1), (some, one) => agrees("alone", some, daemonOf(one))),
      runs(300),
    );
  });

  test("and another set that needs what they leave", () => {
    fc.assert(
      fc.property(nodes, setCase(1), setCase(3), (some, one, two) =>
        agrees("beside", some, daemonOf({ ...one, cpu: 1 }), setOf("worker", { ...two, separate: false })),
      ),
      runs(300),
    );
  });

  test("each outcome was met often enough to mean something", () => {
    const each = (kind: string) => ["fits", "busy", "never"].map((one) => `${kind} ${one}`);
    expect(seen.least(...each("alone"), "alone beside cordoned")).toBeGreaterThan(10);
    expect(seen.least(...each("beside"), "beside beside cordoned")).toBeGreaterThan(3);
  });
});
