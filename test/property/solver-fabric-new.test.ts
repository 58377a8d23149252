import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { CapacityPool, DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet, pool, step } from "../support/demand.ts";
import { addFabric, COUNTERS, DRIVER, UNITS } from "../support/fabric-cases.ts";
import { runs, tally } from "../support/runs.ts";

/**
 * Devices that existing nodes and those of a pool reach, beside what a new node publishes of the same driver. n0 and new nodes of zone a, n1 and new nodes
 * of zone b are reached alike by zone; by name only nodes that exist are.
 */
const ZONE = "topology.kubernetes.io/zone";

type Reach = "all" | "a" | "b" | "named" | "n0";
const deviceCase = fc.record({
  reach: fc.constantFrom<Reach>("all", "all", "all", "a", "b", "named", "n0"),
  kind: fc.constantFrom("a", "a", "b"),
  used: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  tainted: fc.integer({ min: 0, max: 6 }).map((one) => one === 0),
  side: fc.constantFrom(0, 1, 0, 1, undefined),
  shared: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  draws: fc.integer({ min: 0, max: 2 }),
});
const ownCase = fc.record({ kind: fc.constantFrom("a", "b"), side: fc.constantFrom(0, 1) });
const worldCase = fc.record({
  devices: fc.array(deviceCase, { minLength: 1, maxLength: 4 }),
  counted: fc.boolean(),
  /** Pods that each node takes. */
  rooms: fc.tuple(fc.integer({ min: 0, max: 1 }), fc.integer({ min: 0, max: 1 })),
  own: fc.array(ownCase, { maxLength: 2 }),
  each: fc.integer({ min: 1, max: 2 }),
  maxNodes: fc.integer({ min: 0, max: 2 }),
});
const askCase = fc.record({
  requests: fc.array(
    fc.record({
      kind: fc.constantFrom("a", undefined),
      count: fc.constantFrom<1 | 2 | "all">(1, 1, 1, 2, "all"),
      units: fc.constantFrom(undefined, 1, 2, 3),
      tolerates: fc.boolean(),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  bond: fc.constantFrom("none", "none", "match", "distinct"),
  pods: fc.integer({ min: 1, max: 3 }),
  zone: fc.constantFrom(false, false, true),
  /** One claim for all pods. */
  shared: fc.constant<boolean>(false),
});
type World = typeof worldCase extends fc.Arbitrary<infer T> ? T : never;
type Ask = typeof askCase extends fc.Arbitrary<infer T> ? T : never;
type Device = Omit<World["devices"][number], "reach"> & { readonly reach: Reach | number };

function topologyOf({ devices, counted, rooms }: World) {
  const builder = cluster();
  for (const [index, zone] of ["a", "b"].entries())
    builder.node(`n${index}`, (node) => node.zone(zone).cpu(2 * (rooms[index] ?? 0) + 1));
  addFabric(builder, devices, counted, ({ reach }) => reachOf(reach));
  return builder.topology();
}

function reachOf(reach: Reach): JsonObject {
  if (reach === "all") return { allNodes: true };
  if (reach === "n0") return { nodeName: "n0" };
  const named = reach === "named";
  const key = named ? "kubernetes.io/hostname" : ZONE;
  const matchExpressions = [{ key, operator: "In", values: named ? ["n0", "n1"] : [reach] }];
  return { nodeSelector: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function poolOf({ own, each, maxNodes }: World): CapacityPool {
  const groups = own.map((attributes) => ({ count: 1, attributes }));
  return pool("p0", {
    maxNodes,
    zones: ["a", "b"],
    node: {
      taints: [],
      allocatable: { cpu: each * 2000, memory: 2 ** 40, pods: 110 },
      network: { driver: DRIVER, count: 0, attributes: {}, capacity: { units: String(UNITS) }, groups },
    },
  });
}

function requestsOf({ requests, bond, shared }: Ask): readonly DeviceRequest[] {
  const constraint = [{ attribute: `${DRIVER}/side`, requests: [] }];
  return requests.map((one, index) =>
    deviceRequest(`r${index}`, one.count, {
      selectors: [
        `device.driver == "${DRIVER}"`,
        ...(one.kind === undefined ? [] : [`device.attributes["${DRIVER}"].kind == "${one.kind}"`]),
      ],
      tolerations: one.tolerates ? [{ key: "sick", operator: "Exists" as const }] : [],
      ...(one.units === undefined ? {} : { capacity: { units: String(one.units) } }),
      ...(shared ? { sharedClaim: "default/one" } : {}),
      matchAttributes: bond === "match" ? constraint : [],
      ...(bond === "distinct" ? { distinctAttributes: constraint } : {}),
    }),
  );
}

interface Site {
  readonly zone: string;
  readonly name: string | undefined;
  readonly room: number;
}
interface Held {
  readonly device: number;
  readonly units: number;
}

/** Can all pods have a place and their devices on these nodes. */
function exists(world: World, asks: readonly Ask[], sites: readonly Site[], nominal: boolean): boolean {
  const { counted } = world;
  const fresh = sites.flatMap(({ name }, site) =>
    name !== undefined
      ? []
      : world.own.map((one): Device => ({ ...one, reach: site, used: false, tainted: false, shared: false, draws: 0 })),
  );
  const devices: readonly Device[] = [...world.devices, ...fresh];
  const inUse = (one: Device): boolean => !nominal && one.used;
  const reaches = ({ reach }: Device, at: number): boolean => {
    const site = sites[at];
    if (typeof reach === "number") return reach === at;
    if (reach === "named") return site?.name !== undefined;
    return reach === "all" || reach === site?.zone || reach === site?.name;
  };
  const holds = (held: readonly Held[]): boolean => {
    let drawn = 0;
    for (const [index, one] of devices.entries()) {
      const own = held.filter(({ device }) => device === index);
      if (!one.shared && own.length > (inUse(one) ? 0 : 1)) return false;
      const units = own.reduce((sum, each) => sum + each.units, one.shared && inUse(one) ? 2 : 0);
      if (one.shared && own.length > 0 && units > UNITS) return false;
      if (own.length > 0 || inUse(one)) drawn += one.draws;
    }
    const draws = held.some(({ device }) => {
      const one = devices[device] as Device;
      return one.draws > 0 && !(one.shared && inUse(one));
    });
    return !counted || !draws || drawn <= COUNTERS;
  };
  const place = (
    set: number,
    pod: number,
    held: readonly Held[],
    stands: readonly number[],
    home: string | undefined,
    claim: readonly Held[] = [],
  ): boolean => {
    const ask = asks[set];
    if (ask === undefined) return true;
    if (pod === ask.pods) return place(set + 1, 0, held, stands, undefined);
    return sites.some(({ zone, room }, site) => {
      if (ask.zone && home !== undefined && home !== zone) return false;
      if (stands.filter((one) => one === site).length >= room) return false;
      const serve = (at: number, own: readonly Held[], sides: readonly (number | undefined)[]): boolean => {
        const request = ask.requests[at];
        if (request === undefined) return place(set, pod + 1, [...held, ...own], [...stands, site], zone, own);
        const matching = [...devices.keys()].filter((index) => {
          const one = devices[index] as Device;
          return reaches(one, site) && (request.kind ?? one.kind) === one.kind;
        });
        const wanted = request.count === "all" ? matching.length : request.count;
        const pick = (
          from: number,
          left: number,
          mine: readonly Held[],
          values: readonly (number | undefined)[],
        ): boolean => {
          if (left === 0) return serve(at + 1, [...own, ...mine], values);
          for (let next = from; next < matching.length; next += 1) {
            const device = matching[next] ?? 0;
            const one = devices[device] as Device;
            if (!nominal && one.tainted && !request.tolerates) continue;
            const more = ask.bond === "none" ? values : [...values, one.side];
            if (more.includes(undefined)) continue;
            if (ask.bond === "match" && new Set(more).size > 1) continue;
            if (ask.bond === "distinct" && new Set(more).size < more.length) continue;
            const taken = [...mine, { device, units: one.shared ? (request.units ?? 1) : 0 }];
            if (!holds([...held, ...own, ...taken])) continue;
            if (pick(next + 1, left - 1, taken, more)) return true;
          }
          return false;
        };
        return wanted > 0 && pick(0, wanted, [], sides);
      };
      if (!ask.shared || pod === 0) return serve(0, [], []);
      return (
        claim.every(({ device }) => reaches(devices[device] as Device, site)) &&
        place(set, pod + 1, held, [...stands, site], zone, claim)
      );
    });
  };
  return place(0, 0, [], [], undefined);
}

/** The best verdict that some choice of new nodes gives. */
function wantedOf(world: World, asks: readonly Ask[]): "fits" | "scaleUp" | "busy" | "never" {
  const standing: readonly Site[] = [
    { zone: "a", name: "n0", room: world.rooms[0] },
    { zone: "b", name: "n1", room: world.rooms[1] },
  ];
  const news: readonly (readonly string[])[] = [["a"], ["b"], ["a", "a"], ["a", "b"], ["b", "b"]];
  const grown = news
    .filter((zones) => zones.length <= world.maxNodes)
    .map((zones) => [...standing, ...zones.map((zone) => ({ zone, name: undefined, room: world.each }))]);
  if (exists(world, asks, standing, false)) return "fits";
  if (grown.some((sites) => exists(world, asks, sites, false))) return "scaleUp";
  return [standing, ...grown].some((sites) => exists(world, asks, sites, true)) ? "busy" : "never";
}

const seen = tally();

function agrees(kind: string, world: World, asks: readonly Ask[]): void {
  const topology = topologyOf(world);
  const demand = demandOf(
    ...asks.map((ask, index) =>
      podSet(`set-${index}`, {
        required: ask.pods,
        requests: { cpu: 2000 },
        pod: { devices: requestsOf(ask) },
        placement: ask.zone ? { level: "zone" } : { unit: "pod" },
        steps: [step({ source: "new" })],
      }),
    ),
  );
  const context = contextOf({ pools: [poolOf(world)], skipSuggestions: true });
  const answer = solve(topology, demand, context);
  const wanted = wantedOf(world, asks);
  if (answer.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"))) {
    expect(asks.some(({ requests, bond }) => bond !== "none" && requests.some(({ count }) => count === "all"))).toBe(
      true,
    );
    expect(["busy", "never"]).toContain(answer.verdict);
    return;
  }
  expect(answer.verdict).toBe(wanted);
  const assignment = answer.chosen?.assignment;
  const given = (assignment?.placed ?? []).flatMap(({ node, devices = [] }) =>
    node.startsWith("p0/") ? devices.flat() : [],
  );
  for (const feature of [
    "any",
    ...(world.counted ? ["counters"] : []),
    ...(asks.some(({ bond }) => bond !== "none") ? ["bound"] : []),
    ...(world.devices.some(({ shared }) => shared) ? ["shared"] : []),
    ...(world.devices.some(({ tainted }) => tainted) ? ["tainted"] : []),
    ...(asks.some(({ requests }) => requests.some(({ count }) => count === "all")) ? ["all"] : []),
    ...(asks.some(({ zone }) => zone) ? ["zone"] : []),
    ...(given.some((key) => !key.includes("@")) ? ["wide"] : []),
    ...(new Set(assignment?.placed.map(({ node }) => node)).size > 1 ? ["several nodes"] : []),
    ...(given.some((key) => key.includes("@")) && given.some((key) => !key.includes("@")) ? ["both"] : []),
  ])
    seen.add(`${kind} ${feature} ${wanted}`);
  if (wanted !== "fits" && wanted !== "scaleUp") return;
  expect(checkAssignment(topology, demand, answer.rungs, assignment ?? expect.fail(), context)).toEqual([]);
}

describe("devices that existing and new nodes reach, against brute force", () => {
  test("one set", () => {
    fc.assert(
      fc.property(worldCase, askCase, (world, ask) => agrees("one", world, [ask])),
      runs(500),
    );
  });

  test("two sets", () => {
    fc.assert(
      fc.property(worldCase, askCase, askCase, (world, one, two) =>
        agrees("two", world, [
          { ...one, pods: Math.min(one.pods, 2) },
          { ...two, pods: 1 },
        ]),
      ),
      runs(300),
    );
  });

  test("one claim for all pods of a set", () => {
    fc.assert(
      fc.property(worldCase, askCase, (world, ask) => {
        const requests = ask.requests.map((one) => ({ ...one, count: one.count === "all" ? 1 : one.count }));
        agrees("shared", world, [{ ...ask, requests, pods: Math.max(2, ask.pods), shared: true }]);
      }),
      runs(400),
    );
  });

  test("each outcome was met often enough to mean something", () => {
    const each = (...kinds: readonly string[]) =>
      kinds.flatMap((kind) => ["scaleUp", "busy", "never"].map((verdict) => `${kind} ${verdict}`));
    expect(seen.least("one wide scaleUp", "one both scaleUp", "two wide scaleUp")).toBeGreaterThan(5);
    expect(
      seen.least(...each("one any", "one bound", "one counters", "one zone", "one shared", "one tainted")),
    ).toBeGreaterThan(2);
    expect(seen.least(...each("one all", "two any", "two bound", "two shared"))).toBeGreaterThan(1);
    expect(seen.least(...each("shared any", "shared bound", "shared zone"))).toBeGreaterThan(2);
    expect(seen.least("shared several nodes scaleUp", "shared several nodes fits")).toBeGreaterThan(5);
  });
});
