import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type CapacityPool,
  type Demand,
  type PodSetDemand,
  requirement,
  type Step,
  type Toleration,
} from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { existsAssignment, type Site, sitesOf } from "../support/brute.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet, pool, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

const GI = 2 ** 30;
const tolerateAll: Toleration = { operator: "Exists" };

interface NodeCase {
  readonly cpu: number;
  readonly devices: number;
  readonly zone: string | undefined;
  readonly rack: string | undefined;
  readonly tainted: boolean;
  readonly cordoned: boolean;
  readonly ready: boolean;
  readonly label: string | undefined;
  readonly used: number;
  readonly usedDevices: number;
  readonly port: boolean;
  readonly own: boolean;
}

/** True once in so many. */
const rarely = (times: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: times }).map((one) => one === times);

const nodeCase = (labelled: boolean): fc.Arbitrary<NodeCase> =>
  fc.record({
    cpu: fc.integer({ min: 2, max: 5 }),
    devices: fc.integer({ min: 0, max: 4 }),
    zone: fc.constantFrom("a", "b"),
    rack: labelled ? fc.constantFrom("r1", "r2") : fc.constantFrom("r1", "r2", undefined),
    tainted: rarely(3),
    cordoned: rarely(8),
    ready: rarely(8).map((one) => !one),
    label: fc.constantFrom("x", "y", undefined),
    used: fc.integer({ min: 0, max: 2 }),
    usedDevices: fc.integer({ min: 0, max: 2 }),
    port: rarely(5),
    own: rarely(6),
  });

function topologyOf(nodes: readonly NodeCase[]): Topology {
  const builder = cluster();
  for (const [index, one] of nodes.entries()) {
    const name = `n${index}`;
    builder.node(name, (node) => {
      node.cpu(one.cpu).memory("64Gi").resource("example.com/dev", one.devices);
      if (one.zone !== undefined) node.zone(one.zone);
      node.block("k");
      if (one.rack !== undefined) node.rack(one.rack);
      if (one.tainted) node.taint("special", "yes", "NoSchedule");
      if (one.label !== undefined) node.label("kind", one.label);
      if (one.cordoned) node.cordoned();
      if (!one.ready) node.notReady();
    });
    const [cpu, devices] = [Math.min(one.used, one.cpu), Math.min(one.usedDevices, one.devices)];
    if (cpu + devices > 0 || one.port)
      builder.pod(`busy-${index}`, (pod) => {
        pod
          .namespace(one.own ? "default" : "other")
          .on(name)
          .cpu(cpu)
          .resource("example.com/dev", devices);
        if (one.own) pod.owner("Job", "train");
        if (one.port) pod.hostPort(8080);
      });
  }
  return builder.topology();
}

interface SetCase {
  readonly pods: number;
  readonly cpu: number;
  readonly devices: number;
  readonly tolerates: boolean;
  readonly select: string | undefined;
  readonly terms: boolean;
  readonly port: boolean;
  readonly unit: "pod" | "podSet" | "group" | "workload";
  readonly level: "zone" | "rack" | "host" | undefined;
  readonly groupSize: number;
  readonly spread: "none" | "zone" | "host" | "kind" | "both";
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honour: boolean;
}

const setCase = (most: number): fc.Arbitrary<SetCase> =>
  fc.record({
    pods: fc.integer({ min: 1, max: most }),
    cpu: fc.constantFrom(1, 1, 2),
    devices: fc.constantFrom(0, 0, 1, 2),
    tolerates: rarely(4).map((one) => !one),
    select: fc.constantFrom("x", undefined, undefined, undefined, undefined),
    terms: rarely(4),
    port: rarely(8),
    unit: fc.constantFrom("pod", "podSet", "podSet", "group", "workload"),
    level: fc.constantFrom("zone", "rack", "rack", "host", undefined, undefined),
    groupSize: fc.integer({ min: 2, max: 3 }),
    spread: fc.constantFrom("none", "none", "none", "none", "zone", "host", "kind", "both"),
    maxSkew: fc.integer({ min: 1, max: 2 }),
    minDomains: fc.integer({ min: 1, max: 3 }),
    honour: fc.boolean(),
  });

const KEYS = { zone: "topology.kubernetes.io/zone", host: "kubernetes.io/hostname", kind: "kind" } as const;

function setOf(name: string, one: SetCase, rung: Step = step()): PodSetDemand {
  const keys = one.spread === "none" ? [] : one.spread === "both" ? [KEYS.zone, KEYS.host] : [KEYS[one.spread]];
  const selected = one.select === undefined ? [] : [requirement("kind", "In", [one.select])];
  const term = new Map(selected.map((each) => [each.key, each]));
  return podSet(name, {
    required: one.pods,
    requests: { cpu: one.cpu * 1000, memory: GI, "example.com/dev": one.devices },
    pod: {
      selection: one.terms ? [new Map([["kind", requirement("kind", "In", ["y"])]]), term] : [term],
      tolerations: one.tolerates ? [tolerateAll].map((each) => ({ ...each, key: "special" })) : [],
      hostPorts: one.port ? [8080] : [],
      spread: keys.map((key) => ({ key, maxSkew: one.maxSkew, minDomains: one.minDomains, ignoreTaints: !one.honour })),
    },
    placement: { unit: one.unit, level: one.level, groupSize: one.groupSize },
    steps: [rung],
  });
}

function stepsOf(demand: Demand): readonly Step[] {
  return demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
}

interface PoolCase {
  readonly cpu: number;
  readonly devices: number;
  readonly zones: readonly string[];
  readonly maxNodes: number;
  readonly together: boolean;
  readonly labelled: boolean;
  readonly tainted: boolean;
}

const poolCase: fc.Arbitrary<PoolCase> = fc.record({
  cpu: fc.integer({ min: 1, max: 4 }),
  devices: fc.integer({ min: 0, max: 3 }),
  zones: fc.subarray(["a", "b", "c"], { minLength: 1, maxLength: 2 }),
  maxNodes: fc.integer({ min: 0, max: 3 }),
  together: fc.boolean(),
  labelled: fc.boolean(),
  tainted: fc.boolean(),
});

function poolOf(name: string, one: PoolCase): CapacityPool {
  return pool(name, {
    accelerator: undefined,
    acceleratorsPerNode: 0,
    zones: one.zones,
    maxNodes: one.maxNodes,
    together: one.together ? ["rack"] : [],
    node: {
      allocatable: { cpu: one.cpu * 1000, memory: 64 * GI, pods: 110, "example.com/dev": one.devices },
      labels: { pool: name, ...(one.labelled ? { kind: "x" } : {}) },
      taints: one.tainted ? [{ key: "special", value: "yes", effect: "NoSchedule" }] : [],
    },
  });
}

/** Every number of new nodes that the pools may add, by pool and zone. */
function growths(pools: readonly CapacityPool[]): readonly (readonly Site[])[] {
  let all: readonly (readonly Site[])[] = [[]];
  for (const one of pools) {
    const own: (readonly Site[])[] = [];
    const grow = (zones: readonly string[], left: number, sites: readonly Site[]): void => {
      const [zone, ...rest] = zones;
      if (zone === undefined) own.push(sites);
      else
        for (let count = 0; count <= left; count += 1)
          grow(rest, left - count, [...sites, ...newSites(one, zone, count)]);
    };
    grow(one.zones, one.maxNodes, []);
    all = all.flatMap((sites) => own.map((more) => [...sites, ...more]));
  }
  return all;
}

function newSites(one: CapacityPool, zone: string, count: number): readonly Site[] {
  return Array.from({ length: count }, (_, index) => {
    const name = `${one.name}/${zone}/${index}`;
    const rack = one.together.includes("rack") ? `${one.name} in ${zone}` : undefined;
    return {
      labels: { ...one.node.labels, [KEYS.zone]: zone, [KEYS.host]: name },
      taints: one.node.taints,
      usable: true,
      free: one.node.allocatable,
      ports: new Set<number>(),
      fresh: true,
      domains: { zone, block: rack, rack, host: name },
    };
  });
}

const seen = tally();

describe("the solver against brute force", () => {
  const agrees = (topology: Topology, demand: Demand): void => {
    const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
    const steps = stepsOf(demand);
    const now = existsAssignment(topology, sitesOf(topology, demand, false), demand, steps);
    const expected = now
      ? "fits"
      : existsAssignment(topology, sitesOf(topology, demand, true), demand, steps)
        ? "busy"
        : "never";
    expect(answer.verdict).toBe(expected);
    seen.add(`${demand.podSets.length} ${expected}`);
    if (expected === "fits")
      expect(
        checkAssignment(
          topology,
          demand,
          answer.rungs,
          answer.chosen?.assignment ?? { placed: [], newNodes: [] },
          contextOf(),
        ),
      ).toEqual([]);
  };

  test("one pod set: fits, busy and never are exactly what enumeration says", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 6 }), setCase(5), (nodes, one) =>
        agrees(topologyOf(nodes), demandOf(setOf("main", one))),
      ),
      runs(900),
    );
  });

  test("two pod sets on shared nodes: all or nothing, exactly", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(true), { minLength: 1, maxLength: 4 }), setCase(3), setCase(3), (nodes, one, two) =>
        agrees(topologyOf(nodes), demandOf(setOf("head", one), setOf("worker", two))),
      ),
      runs(700),
    );
  });

  test("nodes without a level's label never make a false fits, busy or never", () => {
    fc.assert(
      fc.property(fc.array(nodeCase(false), { minLength: 1, maxLength: 5 }), setCase(4), (nodes, one) => {
        const topology = topologyOf(nodes);
        const demand = demandOf(setOf("main", one));
        const { verdict } = solve(topology, demand, contextOf({ skipSuggestions: true }));
        const steps = stepsOf(demand);
        const now = sitesOf(topology, demand, false);
        const fits = existsAssignment(topology, now, demand, steps);
        const nominal = sitesOf(topology, demand, true);
        // Any rack may turn out to be any other: the bound that decides between busy, never and unknown.
        const anywhere = {
          ...demand,
          podSets: demand.podSets.map((set) => ({ ...set, placement: { ...set.placement, unit: "pod" as const } })),
        };
        const busy = existsAssignment(topology, nominal, demand, steps);
        seen.add(`bare ${verdict}`);
        expect(verdict === "fits").toBe(fits);
        if (verdict === "never") expect(busy).toBe(false);
        if (verdict === "busy") expect(busy && !fits).toBe(true);
        if (verdict === "unknown") expect(!fits && existsAssignment(topology, nominal, anywhere, steps)).toBe(true);
      }),
      runs(300),
    );
  });

  const agreesWithPools = (
    nodes: readonly NodeCase[],
    pools: readonly PoolCase[],
    ...sets: readonly SetCase[]
  ): void => {
    const topology = topologyOf(nodes);
    const demand = demandOf(
      ...sets.map((one, index) => setOf(`set-${index}`, { ...one, terms: false }, step({ source: "new" }))),
    );
    const list = pools.map((each, index) => poolOf(`p${index}`, each));
    const answer = solve(topology, demand, contextOf({ pools: list, skipSuggestions: true }));
    const steps = stepsOf(demand);
    const now = sitesOf(topology, demand, false);
    const nominal = sitesOf(topology, demand, true);
    const grown = growths(list);
    const any = (sites: typeof now) =>
      grown.some((more) => existsAssignment(topology, [...sites, ...more], demand, steps));
    const fits = existsAssignment(topology, now, demand, steps);
    const expected = fits ? "fits" : any(now) ? "scaleUp" : any(nominal) ? "busy" : "never";
    seen.add(`pools ${answer.verdict}`);
    if (answer.verdict !== "unknown") expect(answer.verdict).toBe(expected);
    else {
      expect(["busy", "never"]).toContain(expected);
      expect(pools.some((each) => !each.together || !each.labelled)).toBe(true);
    }
  };

  test("new nodes of pools: fits before scaleUp, exactly, within rooms, zones and what the pools say", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 1, maxLength: 3 }),
        fc.array(poolCase, { minLength: 1, maxLength: 2 }),
        setCase(4),
        agreesWithPools,
      ),
      runs(300),
    );
  });

  test("two pod sets on existing and new nodes together", () => {
    fc.assert(
      fc.property(
        fc.array(nodeCase(true), { minLength: 1, maxLength: 2 }),
        fc.array(poolCase, { minLength: 1, maxLength: 1 }),
        setCase(2),
        setCase(2),
        agreesWithPools,
      ),
      runs(200),
    );
  });

  test("each verdict was met often enough to mean something", () => {
    expect(seen.least("1 fits", "1 busy", "1 never", "2 fits", "2 busy", "2 never")).toBeGreaterThan(50);
    expect(seen.least("bare fits", "bare busy", "bare never", "bare unknown")).toBeGreaterThan(10);
    expect(seen.least("pools fits", "pools scaleUp", "pools busy", "pools never", "pools unknown")).toBeGreaterThan(5);
  });
});
