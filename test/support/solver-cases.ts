import fc from "fast-check";
import {
  type CapacityPool,
  type JsonObject,
  type Placement,
  type PodSetDemand,
  requirement,
  type Step,
  type Toleration,
} from "../../src/model/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import type { Site } from "./brute.ts";
import { cluster } from "./cluster.ts";
import { podSet, pool, step } from "./demand.ts";

/** Small random clusters, pod sets and pools for the solver's property tests. */
const GI = 2 ** 30;
const tolerateAll: Toleration = { operator: "Exists" };

export interface NodeCase {
  readonly cpu: number;
  readonly devices: number;
  readonly zone: string | undefined;
  /** One block in each zone where it is left out. */
  readonly block?: string;
  readonly rack: string | undefined;
  readonly tainted: boolean;
  readonly cordoned: boolean;
  readonly ready: boolean;
  readonly label: string | undefined;
  readonly used: number;
  readonly usedDevices: number;
  readonly port: boolean;
  readonly own: boolean;
  /** What the pod there keeps pods of the label `app: w` off. */
  readonly apart?: "zone" | "host" | undefined;
  /** The priority of the pod there. */
  readonly rank?: number;
  /** A pod that is promised the node and not bound yet. */
  readonly promised?: { readonly cpu: number; readonly priority: number; readonly port: boolean } | undefined;
  /** The label `app` of the pod there. */
  readonly app?: string | undefined;
}

/** True once in so many. */
const rarely = (times: number): fc.Arbitrary<boolean> => fc.integer({ min: 1, max: times }).map((one) => one === times);

export const nodeCase = (labelled: boolean): fc.Arbitrary<NodeCase> =>
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

/** The same nodes with nothing on them, ready and uncordoned: what an answer that says never speaks of. */
export const emptied = (nodes: readonly NodeCase[]): readonly NodeCase[] =>
  nodes.map(({ apart: _apart, ...node }) => ({
    ...node,
    ...{ ready: true, cordoned: false, used: 0, usedDevices: 0, port: false, own: false },
  }));

export function topologyOf(nodes: readonly NodeCase[], nameOf?: (index: number) => string): Topology {
  return clusterOf(nodes, nameOf).topology();
}

export function objectsOf(nodes: readonly NodeCase[], nameOf?: (index: number) => string): readonly JsonObject[] {
  return clusterOf(nodes, nameOf).objects();
}

export function clusterOf(nodes: readonly NodeCase[], nameOf = (index: number): string => `n${index}`) {
  const builder = cluster();
  for (const [index, one] of nodes.entries()) {
    const name = nameOf(index);
    builder.node(name, (node) => {
      node.cpu(one.cpu).memory("64Gi").resource("example.com/dev", one.devices);
      if (one.zone !== undefined) node.zone(one.zone);
      node.block(one.block ?? "k");
      if (one.rack !== undefined) node.rack(one.rack);
      if (one.tainted) node.taint("special", "yes", "NoSchedule");
      if (one.label !== undefined) node.label("kind", one.label);
      if (one.cordoned) node.cordoned();
      if (!one.ready) node.notReady();
    });
    const [cpu, devices] = [Math.min(one.used, one.cpu), Math.min(one.usedDevices, one.devices)];
    if (cpu + devices > 0 || one.port || one.app !== undefined)
      builder.pod(`busy-${index}`, (pod) => {
        pod
          .namespace(one.own ? "default" : "other")
          .on(name)
          .cpu(cpu)
          .resource("example.com/dev", devices);
        if (one.app !== undefined) pod.label("app", one.app);
        if (one.own) pod.owner("Job", "train");
        if (one.rank !== undefined) pod.priority(one.rank);
        if (one.port) pod.hostPort(8080);
        if (one.apart !== undefined) pod.keepsOff(KEYS[one.apart], { app: "w" });
      });
    const { promised } = one;
    if (promised !== undefined)
      builder.pod(`promised-${index}`, (pod) => {
        pod.namespace("other").nominatedTo(name).cpu(promised.cpu).priority(promised.priority);
        if (promised.port) pod.hostPort(8080);
        if (one.apart !== undefined) pod.keepsOff(KEYS[one.apart], { app: "w" });
      });
  }
  return builder;
}

/** The same where some pods keep others off. */
export const apartNodeCase = (labelled: boolean): fc.Arbitrary<NodeCase> =>
  fc
    .tuple(nodeCase(labelled), fc.constantFrom(undefined, undefined, "zone" as const, "host" as const))
    .map(([one, apart]) => ({ ...one, apart }));

/** The same where pods of several priorities are promised nodes, which some of them keep off others. */
export const promisedNodeCase: fc.Arbitrary<NodeCase> = fc
  .tuple(
    apartNodeCase(true),
    fc.option(
      fc.record({
        cpu: fc.integer({ min: 1, max: 4 }),
        priority: fc.constantFrom(0, 100, 200),
        port: fc.integer({ min: 0, max: 3 }).map((one) => one === 0),
      }),
      { freq: 2, nil: undefined },
    ),
  )
  .map(([one, promised]) => ({ ...one, promised }));

export interface SetCase {
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
  readonly within: "zone" | "rack" | undefined;
  readonly separate: boolean;
  readonly spread: "none" | "zone" | "host" | "kind" | "both";
  readonly maxSkew: number;
  readonly minDomains: number;
  readonly honour: boolean;
  readonly anyNode: boolean;
  /** Has it the label `app: w`. */
  readonly named?: boolean;
}

export const setCase = (most: number): fc.Arbitrary<SetCase> =>
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
    within: fc.constantFrom("zone", "rack", undefined, undefined),
    separate: rarely(3),
    spread: fc.constantFrom("none", "none", "none", "none", "zone", "host", "kind", "both"),
    maxSkew: fc.integer({ min: 1, max: 2 }),
    minDomains: fc.integer({ min: 1, max: 3 }),
    honour: fc.boolean(),
    anyNode: fc.boolean(),
  });

const KEYS = { zone: "topology.kubernetes.io/zone", host: "kubernetes.io/hostname", kind: "kind" } as const;

export function setOf(name: string, one: SetCase, rung: Step = step()): PodSetDemand {
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
      ...(one.named === true ? { labels: { app: "w" } } : {}),
      spread: keys.map((key) => ({
        key,
        maxSkew: one.maxSkew,
        minDomains: one.minDomains,
        ignoreTaints: !one.honour,
        ignoreSelection: one.anyNode,
      })),
    },
    placement: { unit: one.unit, level: one.level, groupSize: one.groupSize, ...unitsOf(one) },
    steps: [rung],
  });
}

const WIDTH = ["zone", "rack", "host"];

/** What units ask of each other, where the class could ask it. */
function unitsOf({ unit, level, within, separate }: SetCase): Pick<Placement, "within" | "separate"> {
  if (level === undefined || unit === "pod" || unit === "workload") return {};
  const wider = within !== undefined && WIDTH.indexOf(within) < WIDTH.indexOf(level);
  return { separate, ...(wider ? { within } : {}) };
}

export interface PoolCase {
  readonly cpu: number;
  readonly devices: number;
  readonly zones: readonly string[];
  readonly maxNodes: number;
  readonly together: boolean;
  readonly labelled: boolean;
  readonly tainted: boolean;
}

export const poolCase: fc.Arbitrary<PoolCase> = fc.record({
  cpu: fc.integer({ min: 1, max: 4 }),
  devices: fc.integer({ min: 0, max: 3 }),
  zones: fc.subarray(["a", "b", "c"], { minLength: 1, maxLength: 2 }),
  maxNodes: fc.integer({ min: 0, max: 3 }),
  together: fc.boolean(),
  labelled: fc.boolean(),
  tainted: fc.boolean(),
});

export function poolOf(name: string, one: PoolCase): CapacityPool {
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
export function growths(pools: readonly CapacityPool[]): readonly (readonly Site[])[] {
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
      readyMs: one.startupMs,
      domains: { zone, block: rack, rack, host: name },
    };
  });
}
