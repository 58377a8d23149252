import { describe, expect, test } from "vitest";
import { type Answer, type CapacityPool, type PodSetDemand, requirement } from "../../src/model/index.ts";
import { checkAssignment, indexTopology, type SolveContext, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, pool } from "../support/demand.ts";

const NOW = Date.UTC(2026, 0, 1);
const HOUR = 3_600_000;
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString().replace(".000Z", "Z");

const reserved = (reservation: Partial<NonNullable<CapacityPool["reservation"]>>, extra: Partial<CapacityPool> = {}) =>
  pool("block", { capacityType: "reserved", reservation: { name: "cb-1", ...reservation }, ...extra });

interface Run {
  readonly hours?: number;
  readonly source?: "existing" | "new";
  readonly waitMinutes?: number;
}

const demandFor = ({ hours, source = "new", waitMinutes = 10 }: Run) =>
  demandOf(
    podSet("main", {
      required: 2,
      requests: { "nvidia.com/gpu": 8 },
      steps: [gpuStep(8, { source, capacityType: "reserved" })],
      maxProvisioningMs: waitMinutes * 60_000,
      ...(hours === undefined ? {} : { runMs: hours * HOUR }),
    }),
  );

const ask = (nodes: ClusterBuilder, run: Run, block: CapacityPool, context: Partial<SolveContext> = {}): Answer =>
  solve(nodes.topology(), demandFor(run), contextOf({ pools: [block], nowMs: NOW, ...context }));
const said = (answer: Answer, code: string): readonly string[] =>
  (answer.chosen?.reasons ?? answer.ladder[0]?.reasons ?? [])
    .filter((reason) => reason.code === code)
    .map(({ message }) => message);
const empty = () => cluster().node("cpu-only", (node) => node.cpu(4));
const members = () => cluster().nodes("b", 2, (node) => node.gpus("h100", 8).label("pool", "block").cpu(64));

describe("reservations are windows in time", () => {
  const cases: readonly (readonly [string, Run, CapacityPool, string])[] = [
    ["a run that ends in time scales up", { hours: 4 }, reserved({ end: at(5) }), "scaleUp"],
    ["to the minute", { hours: 4 }, reserved({ end: at(4 + 5 / 60) }), "scaleUp"],
    ["a start that takes the last minutes does not", { hours: 4 }, reserved({ end: at(4 + 4 / 60) }), "never"],
    [
      "nor does a run that ends while nodes are drained",
      { hours: 4 },
      reserved({ end: at(5), reclaimMs: HOUR }),
      "never",
    ],
    ["a run of unknown length scales up", {}, reserved({ end: at(1) }), "scaleUp"],
    ["but not where the node would be gone before it is ready", {}, reserved({ end: at(4 / 60) }), "never"],
    ["nor where it would be gone at that moment", {}, reserved({ end: at(5 / 60) }), "never"],
    [
      "a window that begins within the wait scales up",
      { hours: 1, waitMinutes: 70 },
      reserved({ start: at(1) }),
      "scaleUp",
    ],
    ["one that begins later is busy", { hours: 1, waitMinutes: 60 }, reserved({ start: at(1) }), "busy"],
    [
      "a run is longer than the window whenever it begins",
      { hours: 4, waitMinutes: 9_000 },
      reserved({ start: at(24), end: at(26) }),
      "never",
    ],
    [
      "and fits into one that has not begun",
      { hours: 4, waitMinutes: 9_000 },
      reserved({ start: at(24), end: at(29) }),
      "scaleUp",
    ],
  ];
  test.each(cases)("%s", (_sentence, run, block, verdict) => {
    expect(ask(empty(), run, block).verdict).toBe(verdict);
  });

  test("each says which reservation, when, and for how long", () => {
    expect(
      said(ask(empty(), { hours: 12 }, reserved({ end: at(5), reclaimMs: 2_400_000 })), "ReservationEnds"),
    ).toEqual([
      "pool block: reservation cb-1 ends at 2026-01-01T05:00:00Z, in 5h, and its nodes are drained 40m earlier: too soon for a run of 12h",
    ]);
    expect(said(ask(empty(), {}, reserved({ end: at(1) })), "ReservationEnds")).toEqual([
      "reservation cb-1, on which it would run, ends at 2026-01-01T01:00:00Z, and nothing says how long the run takes",
    ]);
    const later = ask(empty(), { waitMinutes: 60 }, reserved({ start: at(1) }));
    expect(said(later, "TooSlow")).toEqual([
      "pool block waits 1h for reservation cb-1 to begin at 2026-01-01T01:00:00Z, then takes about 5m to start a node, and the class waits at most 1h",
    ]);
    expect(later.suggestions.map(({ change }) => change)).toContain("capacity.maxProvisioning: 1h5m");
    const soon = ask(empty(), { waitMinutes: 90 }, reserved({ start: at(1) }));
    expect(said(soon, "ScaleUp").at(-1)).toBe("pool block adds 2 nodes in a, which take about 1h5m to start");
  });

  test("the count of a reservation limits it, and the answer says how many there are", () => {
    const counted = ask(members(), { hours: 1 }, reserved({ nodes: 2 }, { maxNodes: 9 }));
    expect(counted.verdict).toBe("fits");
    const full = members();
    for (const node of ["b-1", "b-2"]) full.pod(`held-${node}`, (one) => one.namespace("other").on(node).gpus(8));
    expect(said(ask(full, { hours: 1 }, reserved({ nodes: 2 }, { maxNodes: 9 })), "PoolExhausted")).toEqual([
      "pool block may add no nodes: it has 2 of its 2 that reservation cb-1 covers",
    ]);
  });

  test("nodes that exist are not for a run that outlasts their reservation, and another pool's are", () => {
    const block = reserved({ end: at(3) });
    const existing = { source: "existing" } as const;
    expect(ask(members(), { ...existing, hours: 3 }, block).verdict).toBe("fits");
    const longer = ask(members(), { ...existing, hours: 4 }, block);
    expect(longer.verdict).toBe("never");
    expect(said(longer, "Excluded")).toEqual([
      "both nodes: reservation cb-1 ends at 2026-01-01T03:00:00Z, in 3h: too soon for a run of 4h",
    ]);
    const other = reserved({ end: at(3) }, { members: new Map([["pool", requirement("pool", "In", ["else"])]]) });
    expect(ask(members(), { ...existing, hours: 4 }, other).verdict).toBe("fits");
    expect(ask(members(), existing, block).verdict).toBe("fits");
  });

  test("sets that run too long share what is there, also where a shorter one gets new nodes", () => {
    const there = cluster().node("other", (node) => node.gpus("h100", 8).capacityType("reserved"));
    const verdict = (hours: number) => {
      const set = (name: string, runs: number) => ({ ...demandFor({ hours: runs }).podSets[0], name, required: 1 });
      const sets = [set("short", 1), set("long", hours), set("longer", hours)] as readonly PodSetDemand[];
      const context = contextOf({ pools: [reserved({ end: at(3) })], nowMs: NOW });
      return solve(there.topology(), demandOf(...sets), context).verdict;
    };
    expect([verdict(2), verdict(4)]).toEqual(["scaleUp", "never"]);
  });

  test("one index serves clocks and pools that differ", () => {
    const topology = members().topology();
    const run = demandFor({ source: "existing", hours: 2 });
    const verdicts = [0, 2, 0].map(
      (hours) =>
        solve(topology, run, contextOf({ pools: [reserved({ end: at(3) })], nowMs: NOW + hours * HOUR })).verdict,
    );
    expect(verdicts).toEqual(["fits", "never", "fits"]);
  });

  test("without a clock only a run longer than the whole window is ruled out", () => {
    const block = reserved({ start: at(-9), end: at(-5) });
    const { nowMs: _none, ...timeless } = contextOf({ pools: [block] });
    const verdict = (hours: number) => solve(empty().topology(), demandFor({ hours }), timeless).verdict;
    expect([verdict(4), verdict(5)]).toEqual(["scaleUp", "never"]);
  });

  test("the checker refuses what outlasts a reservation, on new nodes and on old ones", () => {
    const check = (run: Run, block: CapacityPool, node: string, added: number): readonly string[] =>
      checkAssignment(
        members().topology(),
        demandFor(run),
        { main: { accelerator: "h100", capacityType: "reserved", source: run.source ?? "new" } },
        {
          placed: [1, 2].map((number) => ({
            podSet: "main",
            node: node.replace("#", String(number - added / 2)),
            pods: 1,
          })),
          newNodes: added === 0 ? [] : [{ pool: "block", zone: "a", count: added }],
        },
        contextOf({ pools: [block], nowMs: NOW }),
      );
    const block = reserved({ end: at(3) });
    const ends = "the reservation of pool block ends before its run does";
    expect(check({ hours: 2 }, block, "block/#", 2)).toEqual([]);
    expect(check({ hours: 3 }, block, "block/#", 2)).toEqual([`main on block/0: ${ends}`, `main on block/1: ${ends}`]);
    expect(check({ hours: 3, source: "existing" }, block, "b-#", 0)).toEqual([]);
    expect(check({ hours: 4, source: "existing" }, block, "b-#", 0)).toEqual([
      `main on b-1: ${ends}`,
      `main on b-2: ${ends}`,
    ]);
    expect(check({ hours: 1 }, reserved({ start: at(1) }), "block/#", 2)).toEqual([
      "main on block/0: it starts too late",
      "main on block/1: it starts too late",
    ]);
  });

  test("what ends says when, and for what that is too soon", () => {
    const told = (run: Run, hours: number) => said(ask(empty(), run, reserved({ end: at(hours) })), "ReservationEnds");
    expect(told({ hours: 4 }, 0)).toEqual([`pool block: reservation cb-1 ended at ${at(0)}`]);
    expect(told({}, 1 / 60)).toEqual([
      `pool block: reservation cb-1 ends at ${at(1 / 60)}, in 1m: too soon for a new node`,
    ]);
    expect(told({ hours: 4 }, 1)).toEqual([
      `pool block: reservation cb-1 ends at ${at(1)}, in 1h: too soon for a run of 4h`,
    ]);
  });

  test("a pool that has other nodes than before closes those, also where the nodes were looked at before", () => {
    const builder = cluster()
      .nodes("b", 2, (node) => node.gpus("h100", 8).label("pool", "block").cpu(64))
      .nodes("c", 2, (node) => node.gpus("h100", 8).label("pool", "other").cpu(64));
    const topology = builder.topology();
    const index = indexTopology(topology);
    const nodesFor = (label: string): readonly string[] => {
      const members = new Map([["pool", requirement("pool", "In", [label])]]);
      const block = reserved({ end: at(1) }, { members, digest: label });
      const context = contextOf({ pools: [block], nowMs: NOW, index });
      const { chosen } = solve(topology, demandFor({ hours: 4, source: "existing" }), context);
      return (chosen?.assignment?.placed ?? []).map(({ node }) => node);
    };
    expect([nodesFor("block"), nodesFor("other")]).toEqual([
      ["c-1", "c-2"],
      ["b-1", "b-2"],
    ]);
  });
});
