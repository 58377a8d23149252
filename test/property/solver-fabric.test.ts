import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { addFabric, COUNTERS, DRIVER, UNITS } from "../support/fabric-cases.ts";
import { runs, tally } from "../support/runs.ts";

/** Devices of one pool that several nodes reach, with all that devices of one node may have. Nodes 0 and 1 are in one rack, node 2 in another. */
const NODES = [0, 1, 2];

const deviceCase = fc.record({
  reach: fc.constantFrom<readonly number[]>([0], [1], [0, 1], [1, 2], [0, 1, 2]),
  kind: fc.constantFrom("a", "a", "b"),
  used: fc.integer({ min: 0, max: 5 }).map((one) => one === 0),
  tainted: fc.integer({ min: 0, max: 6 }).map((one) => one === 0),
  side: fc.constantFrom(0, 1, 0, 1, undefined),
  shared: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
  draws: fc.integer({ min: 0, max: 2 }),
});
const requestCase = fc.record({
  kind: fc.constantFrom("a", undefined),
  count: fc.constantFrom<1 | 2 | "all">(1, 1, 1, 2, 2, "all"),
  units: fc.constantFrom(undefined, 1, 2, 3),
  tolerates: fc.boolean(),
});
const worldCase = fc.record({
  devices: fc.array(deviceCase, { minLength: 1, maxLength: 4 }),
  counted: fc.boolean(),
});
const askCase = fc.record({
  requests: fc.array(requestCase, { minLength: 1, maxLength: 2 }),
  bond: fc.constantFrom("none", "none", "match", "distinct"),
  pods: fc.integer({ min: 1, max: 3 }),
  rack: fc.constantFrom(false, false, true),
});
type World = typeof worldCase extends fc.Arbitrary<infer T> ? T : never;
type Ask = typeof askCase extends fc.Arbitrary<infer T> ? T : never;
type Device = World["devices"][number];

function topologyOf({ devices, counted }: World) {
  const builder = cluster();
  for (const index of NODES)
    builder.node(`n${index}`, (node) =>
      node
        .zone("z")
        .block("b")
        .rack(index < 2 ? "r0" : "r1"),
    );
  addFabric(builder, devices, counted, ({ reach }) => reachOf(reach));
  return builder.topology();
}

function reachOf(nodes: readonly number[]): JsonObject {
  const [only] = nodes;
  if (nodes.length === 1) return { nodeName: `n${only}` };
  if (nodes.length === 3) return { allNodes: true };
  const values = nodes.map((node) => `n${node}`);
  const matchExpressions = [{ key: "kubernetes.io/hostname", operator: "In", values }];
  return { nodeSelector: { nodeSelectorTerms: [{ matchExpressions }] } };
}

function requestsOf({ requests, bond }: Ask): readonly DeviceRequest[] {
  const constraint = [{ attribute: `${DRIVER}/side`, requests: [] }];
  return requests.map((one, index) =>
    deviceRequest(`r${index}`, one.count, {
      selectors: [
        `device.driver == "${DRIVER}"`,
        ...(one.kind === undefined ? [] : [`device.attributes["${DRIVER}"].kind == "${one.kind}"`]),
      ],
      tolerations: one.tolerates ? [{ key: "sick", operator: "Exists" as const }] : [],
      ...(one.units === undefined ? {} : { capacity: { units: String(one.units) } }),
      matchAttributes: bond === "match" ? constraint : [],
      ...(bond === "distinct" ? { distinctAttributes: constraint } : {}),
    }),
  );
}

interface Held {
  readonly device: number;
  readonly units: number;
}

/** Can all pods have their devices, wherever the rule on racks lets them stand. */
function exists({ devices, counted }: World, asks: readonly Ask[], nominal: boolean): boolean {
  const inUse = (one: Device): boolean => !nominal && one.used;
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
  const place = (set: number, pod: number, held: readonly Held[], home: string | undefined): boolean => {
    const ask = asks[set];
    if (ask === undefined) return true;
    if (pod === ask.pods) return place(set + 1, 0, held, undefined);
    return NODES.some((node) => {
      const rack = node < 2 ? "r0" : "r1";
      if (ask.rack && home !== undefined && home !== rack) return false;
      const serve = (at: number, own: readonly Held[], sides: readonly (number | undefined)[]): boolean => {
        const request = ask.requests[at];
        if (request === undefined) return place(set, pod + 1, [...held, ...own], rack);
        const matching = [...devices.keys()].filter((index) => {
          const one = devices[index] as Device;
          return one.reach.includes(node) && (request.kind ?? one.kind) === one.kind;
        });
        const usable = ({ tainted }: Device): boolean => nominal || !tainted || request.tolerates;
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
            if (!usable(one)) continue;
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
      return serve(0, [], []);
    });
  };
  return place(0, 0, [], undefined);
}

const seen = tally();

function agrees(kind: string, world: World, asks: readonly Ask[]): void {
  const topology = topologyOf(world);
  const demand = demandOf(
    ...asks.map((ask, index) =>
      podSet(`set-${index}`, {
        required: ask.pods,
        pod: { devices: requestsOf(ask) },
        placement: ask.rack ? { level: "rack" } : {},
      }),
    ),
  );
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const wanted = exists(world, asks, false) ? "fits" : exists(world, asks, true) ? "busy" : "never";
  if (answer.ladder.some(({ reasons }) => reasons.some(({ code }) => code === "AttemptAborted"))) {
    expect(asks.some(({ requests, bond }) => bond !== "none" && requests.some(({ count }) => count === "all"))).toBe(
      true,
    );
    expect(["busy", "never"]).toContain(answer.verdict);
    seen.add("aborted");
    return;
  }
  expect(answer.verdict).toBe(wanted);
  for (const feature of [
    "any",
    ...(world.counted ? ["counters"] : []),
    ...(asks.some(({ bond }) => bond !== "none") ? ["bound"] : []),
    ...(world.devices.some(({ shared }) => shared) ? ["shared"] : []),
    ...(world.devices.some(({ tainted }) => tainted) ? ["tainted"] : []),
    ...(asks.some(({ requests }) => requests.some(({ count }) => count === "all")) ? ["all"] : []),
    ...(asks.some(({ rack }) => rack) ? ["rack"] : []),
  ])
    seen.add(`${kind} ${feature} ${wanted}`);
  if (wanted !== "fits") return;
  const assignment = answer.chosen?.assignment ?? expect.fail();
  expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
}

describe("devices that several nodes reach, with counters, units, taints and constraints, against brute force", () => {
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

  test("each outcome was met often enough to mean something", () => {
    const each = (...kinds: readonly string[]) =>
      kinds.flatMap((kind) => ["fits", "busy", "never"].map((verdict) => `${kind} ${verdict}`));
    expect(
      seen.least(...each("one any", "one bound", "one counters", "one rack", "one shared", "one tainted")),
    ).toBeGreaterThan(5);
    expect(
      seen.least(...each("one all", "two any", "two bound", "two shared", "two tainted"), "aborted"),
    ).toBeGreaterThan(2);
  });
});
