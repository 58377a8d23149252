import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, PodSetDemand } from "../../src/model/index.ts";
import { allowsLabels, tolerates } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { type Site, sitesOf } from "../support/brute.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { nodeCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

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
