import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand, Taint } from "../../src/model/index.ts";
import { allowsLabels, tolerates } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { existsAssignment, type Site, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

const answerTo = (topology: Topology, demand: Demand) => solve(topology, demand, contextOf({ skipSuggestions: true }));

/** Pods of the set that a node takes beside what runs there. */
function roomOn({ usable, free, taints, labels, ports }: Site, { pod }: PodSetDemand): number {
  const stays = taints.every(
    (taint) => taint.effect === "PreferNoSchedule" || pod.tolerations.some((one) => tolerates(one, taint)),
  );
  const selected = pod.selection.some((term) => allowsLabels(term, labels));
  if (!usable || !stays || !selected || pod.hostPorts.some((port) => ports.has(port))) return 0;
  const rooms = Object.entries(pod.requests).flatMap(([name, amount]) =>
    amount > 0 ? [Math.floor((free[name] ?? 0) / amount)] : [],
  );
  return Math.max(0, Math.min(...rooms, pod.hostPorts.length > 0 ? 1 : Number.POSITIVE_INFINITY));
}

describe("packing keeps large domains whole", () => {
  test("a gang in one domain takes the one with the least room of those that would hold it", () => {
    const met = tally();
    const nodes = fc.array(nodeCase(true), { minLength: 3, maxLength: 9 });
    const set = fc.tuple(setCase(5), fc.constantFrom("zone" as const, "rack" as const, "host" as const));
    fc.assert(
      fc.property(nodes, set, fc.boolean(), (some, [one, level], preferred) => {
        const topology = topologyOf(some);
        const gang = setOf("main", {
          ...one,
          unit: "podSet",
          level,
          within: undefined,
          separate: false,
          spread: "none",
        });
        const mode = preferred ? "preferred" : "required";
        const demand = demandOf({ ...gang, placement: { ...gang.placement, mode } });
        const { verdict, chosen } = answerTo(topology, demand);
        if (verdict !== "fits") return;
        const sites = sitesOf(topology, demand, false);
        const rooms = new Map<string, number>();
        for (const site of sites) {
          const domain = site.domains[level];
          if (domain !== undefined) rooms.set(domain, (rooms.get(domain) ?? 0) + roomOn(site, gang));
        }
        const holding = [...rooms.values()].filter((room) => room >= one.pods).sort((a, b) => a - b);
        const used = new Set(
          chosen?.assignment?.placed.map(({ node }) => sites[topology.nodeIndex.get(node) ?? -1]?.domains[level]),
        );
        if (holding.length === 0) {
          expect(preferred).toBe(true);
          met.add("wider");
          return;
        }
        expect(used.size).toBe(1);
        const [domain] = used;
        expect(rooms.get(domain ?? "")).toBe(holding[0]);
        met.add(holding.length > 1 && holding.at(-1) !== holding[0] ? `${level} of several` : "the only one");
      }),
      runs(600),
    );
    expect(met.least("zone of several", "rack of several", "host of several", "wider")).toBeGreaterThan(20);
  });
});

/** The nodes that a DaemonSet's pods are made for, but for what they have room for. */
const eligible = (site: Site, set: PodSetDemand): boolean =>
  roomOn({ ...site, free: { cpu: 1e9, memory: 1e18, pods: 1e9, "example.com/dev": 1e9 }, ports: new Set() }, set) > 0;

describe("one pod on each node", () => {
  test("fits where every node that it may stand on has room, beside a gang that takes what is left", () => {
    const met = tally();
    const nodes = fc.array(nodeCase(true), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(nodes, setCase(1), fc.option(setCase(3), { nil: undefined }), (some, one, other) => {
        const topology = topologyOf(some);
        const daemon = { ...setOf("daemon", { ...one, level: undefined, spread: "none" }), perNode: true };
        const gang = other === undefined ? [] : [setOf("gang", { ...other, separate: false })];
        const demand = demandOf(daemon, ...gang);
        const holds = (nominal: boolean): boolean => {
          const sites = sitesOf(topology, demand, nominal).map((site, index) => ({
            site: { ...site, taints: site.taints.filter(isHeeded), usable: site.usable || nodeAt(some, index).ready },
            gang: site,
          }));
          const targets = sites.filter(({ site }) => eligible(site, daemon));
          if (targets.length === 0 || targets.some(({ site }) => roomOn(site, daemon) === 0)) return false;
          const left = sites.map((both): Site => {
            if (!targets.includes(both)) return both.gang;
            const free = { ...both.gang.free };
            for (const [name, amount] of Object.entries(daemon.pod.requests)) free[name] = (free[name] ?? 0) - amount;
            return { ...both.gang, free, ports: new Set([...both.gang.ports, ...daemon.pod.hostPorts]) };
          });
          return gang.length === 0 || existsAssignment(topology, left, demandOf(...gang), [step()]);
        };
        const expected = holds(false) ? "fits" : holds(true) ? "busy" : "never";
        const answer = answerTo(topology, demand);
        expect(answer.verdict).toBe(expected);
        met.add(`${gang.length} ${expected}`);
        if (expected !== "fits") return;
        const assignment = answer.chosen?.assignment ?? expect.fail();
        expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
      }),
      runs(1000),
    );
    for (const verdict of ["fits", "busy", "never"])
      expect(met.least(`0 ${verdict}`, `1 ${verdict}`)).toBeGreaterThan(20);
  });
});

/** The controller lets its pods onto nodes that are cordoned. */
const isHeeded = ({ key }: Taint): boolean => key !== "node.kubernetes.io/unschedulable";

const nodeAt = (nodes: readonly NodeCase[], index: number): NodeCase => nodes[index] ?? expect.fail();
