import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { requirement } from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";
import { type Oracle, startOracle } from "../support/oracle.ts";
import { runs, tally } from "../support/runs.ts";

const GI = 2 ** 30;
const LEVELS = ["zone", "rack"] as const;
const ZONES = 2;
const RACKS = 3;

const nodeCase = fc.record({
  cpu: fc.integer({ min: 2, max: 12 }),
  devices: fc.integer({ min: 0, max: 8 }),
  zone: fc.nat(ZONES - 1),
  rack: fc.nat(RACKS - 1),
  kind: fc.constantFrom("x", "y", "y"),
});
const setCase = fc.record({
  share: fc.double({ min: 0.5, max: 2, noNaN: true }),
  cpu: fc.integer({ min: 1, max: 4 }),
  devices: fc.integer({ min: 0, max: 4 }),
  picky: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  unit: fc.constantFrom("pod", "podSet", "podSet", "workload"),
  level: fc.constantFrom(...LEVELS),
});
type NodeCase = typeof nodeCase extends fc.Arbitrary<infer T> ? T : never;
type SetCase = typeof setCase extends fc.Arbitrary<infer T> ? T : never;

/** So many pods that they come close to what there is: easy cases say nothing. */
function podsOf(
  nodes: readonly NodeCase[],
  { share, cpu, devices, picky, unit, level }: SetCase,
  sets: number,
): number {
  const rooms = nodes.map((node) =>
    picky && node.kind !== "x"
      ? 0
      : Math.min(Math.floor(node.cpu / cpu), devices === 0 ? node.cpu : Math.floor(node.devices / devices)),
  );
  const domainOf = ({ zone, rack }: NodeCase): number =>
    unit === "pod" ? 0 : level === "zone" ? zone : zone * RACKS + rack;
  const byDomain = new Map<number, number>();
  for (const [index, node] of nodes.entries())
    byDomain.set(domainOf(node), (byDomain.get(domainOf(node)) ?? 0) + (rooms[index] ?? 0));
  return Math.max(1, Math.round((Math.max(...byDomain.values()) * share) / Math.sqrt(sets)));
}

const seen = tally();

describe("the solver against an integer program on clusters too large to enumerate", () => {
  let oracle: Oracle;
  beforeAll(async () => {
    oracle = await startOracle();
  });

  test("fits exactly where HiGHS finds a place for all", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase, { minLength: 12, maxLength: 40 }),
        fc.array(setCase, { minLength: 1, maxLength: 3 }),
        (nodes, sets) => {
          const builder = cluster();
          for (const [index, one] of nodes.entries())
            builder.node(`n${String(index).padStart(2, "0")}`, (node) =>
              node
                .cpu(one.cpu)
                .memory("256Gi")
                .resource("example.com/dev", one.devices)
                .zone(`z${one.zone}`)
                .block(`b${one.zone}`)
                .rack(`z${one.zone}-r${one.rack}`)
                .label("kind", one.kind),
            );
          // One level for all that the workload shares.
          const shared = sets.find(({ unit }) => unit === "workload")?.level;
          const wanted = sets.map((set) => ({
            ...set,
            level: set.unit === "workload" ? (shared ?? set.level) : set.level,
          }));
          const counts = wanted.map((set) => podsOf(nodes, set, sets.length));
          const demand = demandOf(
            ...wanted.map((set, index) =>
              podSet(`set-${index}`, {
                required: counts[index] ?? 1,
                requests: { cpu: set.cpu * 1000, memory: GI, "example.com/dev": set.devices },
                pod: set.picky ? { selection: [new Map([["kind", requirement("kind", "In", ["x"])]])] } : {},
                placement: { unit: set.unit, level: set.unit === "pod" ? undefined : set.level },
              }),
            ),
          );
          const exists = oracle(
            nodes.map(({ cpu, devices, zone, rack }) => ({
              free: [cpu, devices],
              domains: [zone, zone * RACKS + rack],
            })),
            wanted.map((set, index) => ({
              pods: counts[index] ?? 1,
              needs: [set.cpu, set.devices],
              nodes: nodes.flatMap(({ kind }, at) => (set.picky && kind !== "x" ? [] : [at])),
              shares:
                set.unit === "pod"
                  ? undefined
                  : { name: set.unit === "workload" ? "all" : `own${index}`, level: LEVELS.indexOf(set.level) },
            })),
          );
          const { verdict } = solve(builder.topology(), demand, contextOf({ skipSuggestions: true }));
          seen.add(`${sets.length} ${verdict === "undecided" ? verdict : exists}`);
          if (verdict !== "undecided") expect(verdict === "fits", verdict).toBe(exists);
        },
      ),
      runs(160),
    );
  });

  test("both answers were met, and few were left open", () => {
    expect(seen.least("1 true", "1 false", "2 true", "2 false", "3 true", "3 false")).toBeGreaterThan(5);
    const open = [...seen.counts].filter(([name]) => name.endsWith("undecided")).reduce((sum, [, n]) => sum + n, 0);
    const all = [...seen.counts.values()].reduce((sum, n) => sum + n, 0);
    expect(open / all).toBeLessThan(0.1);
  });
});
