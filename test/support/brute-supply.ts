import fc from "fast-check";
import { type CapacityPool, type Demand, type Hold, type JsonObject, requirement } from "../../src/model/index.ts";
import type { SolveContext } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { existsAssignment, type Site, sitesOf } from "./brute.ts";
import { cluster, testLayout } from "./cluster.ts";
import { contextOf, demandOf, podSet, pool, step, testPlatform } from "./demand.ts";

/** Small worlds of pools that grow: what is on its way, what is promised, windows of reservations, limits over several pools. */

const HOUR = 3_600_000;
const NOW = Date.UTC(2026, 0, 1);
const ZONE = "topology.kubernetes.io/zone";
const MAKER = "karpenter.sh/nodepool";

export interface SupplyCase {
  readonly nodes: readonly { cpu: number; used: number; zone: string; pool: number; free: boolean }[];
  readonly coming: readonly { pool: number; zone: number }[];
  readonly pools: readonly {
    cpu: number;
    whole: number | undefined;
    zones: readonly string[];
    maxNodes: number;
    made: boolean;
    tier: string | undefined;
    startup: number;
    window: { start: number; end: number | undefined; reclaim: number; nodes: number | undefined } | undefined;
  }[];
  readonly promises: readonly { pool: number; zone: number; count: number }[];
  readonly limits: { cpu: number | undefined; nodes: number | undefined; status: number };
  /** What the NodePool stamps and requires, and whether there is another in its place. */
  readonly maker: { readonly zone: string | undefined; readonly tier: string | undefined; readonly missing: boolean };
  readonly asks: string | undefined;
  readonly quotas: readonly { zone: string | undefined; cpu: number | undefined; nodes: number | undefined }[];
  /** Of the namespace: what it allows, and what others use of it beside so many pods of the workload's own, of one cpu each. */
  readonly share:
    | {
        readonly cpu: number | undefined;
        readonly pods: number | undefined;
        readonly used: number;
        readonly own: number;
      }
    | undefined;
  readonly autoscaler: "karpenter" | "cluster-autoscaler";
  readonly pods: number;
  readonly each: number;
  readonly runs: number | undefined;
  readonly waits: number;
  readonly rule: "none" | "zone" | "spread";
}

const maybe = <T>(...values: readonly T[]) => fc.constantFrom<T | undefined>(undefined, ...values);
const zoneName = fc.constantFrom("a", "b", "c");

export const supplyCase: fc.Arbitrary<SupplyCase> = fc.record({
  nodes: fc.array(
    fc.record({
      cpu: fc.integer({ min: 1, max: 3 }),
      used: fc.integer({ min: 0, max: 3 }),
      zone: zoneName,
      pool: fc.integer({ min: 0, max: 1 }),
      free: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  coming: fc.array(fc.record({ pool: fc.integer({ min: 0, max: 1 }), zone: fc.nat({ max: 2 }) }), { maxLength: 2 }),
  pools: fc.array(
    fc.record({
      cpu: fc.integer({ min: 1, max: 2 }),
      whole: maybe(3),
      zones: fc.subarray(["a", "b", "c"], { minLength: 1 }),
      maxNodes: fc.integer({ min: 0, max: 4 }),
      made: fc.boolean(),
      tier: maybe("x", "y"),
      startup: fc.constantFrom(0, 0, 1),
      window: fc.option(
        fc.record({
          start: fc.constantFrom(-1, 0, 1),
          end: maybe(1, 2, 4),
          reclaim: fc.constantFrom(0, 1),
          nodes: maybe(1, 2),
        }),
        { nil: undefined, freq: 2 },
      ),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  promises: fc.array(
    fc.record({ pool: fc.integer({ min: 0, max: 1 }), zone: fc.nat({ max: 2 }), count: fc.constantFrom(1, 1, 2) }),
    { maxLength: 2 },
  ),
  limits: fc.record({ cpu: maybe(2, 4, 6, 9), nodes: maybe(1, 2, 3), status: fc.constantFrom(0, 0, 0, 3) }),
  maker: fc.record({
    zone: fc.constantFrom(undefined, undefined, "a", "b"),
    tier: fc.constantFrom(undefined, "x", "y"),
    missing: fc.integer({ min: 1, max: 8 }).map((draw) => draw === 8),
  }),
  asks: fc.constantFrom(undefined, undefined, undefined, "x"),
  quotas: fc.array(fc.record({ zone: maybe("a", "b"), cpu: maybe(2, 4, 7), nodes: maybe(1, 2, 3) }), { maxLength: 2 }),
  share: fc.option(
    fc.record({
      cpu: maybe(1, 3, 6, 9),
      pods: maybe(1, 3, 6),
      used: fc.integer({ min: 0, max: 4 }),
      own: fc.integer({ min: 0, max: 2 }),
    }),
    { nil: undefined, freq: 2 },
  ),
  autoscaler: fc.constantFrom("karpenter", "cluster-autoscaler"),
  pods: fc.integer({ min: 1, max: 4 }),
  each: fc.integer({ min: 1, max: 2 }),
  runs: maybe(1, 3),
  waits: fc.constantFrom(0.5, 1, 2),
  rule: fc.constantFrom("none", "none", "zone", "spread"),
});

export interface SupplyWorld {
  readonly topology: Topology;
  readonly demand: Demand;
  readonly context: SolveContext;
}

export function supplyWorld(one: SupplyCase): SupplyWorld {
  const builder = cluster();
  const names = one.pools.map((_, index) => `p${index}`);
  const label = (index: number): readonly (readonly [string, string])[] => [
    ["pool", names[index] ?? "other"],
    ...(one.pools[index]?.made === true ? [[MAKER, "np"] as const] : []),
  ];
  for (const [index, { cpu, used, zone, pool: of, free }] of one.nodes.entries()) {
    builder.node(`n${index}`, (node) => {
      node.cpu(cpu).memory("64Gi").zone(zone).block("k").rack("r");
      for (const [key, value] of free ? [] : label(of)) node.label(key, value);
    });
    if (used > 0)
      builder.pod(`busy-${index}`, (pod) => pod.namespace("other").on(`n${index}`).cpu(Math.min(used, cpu)));
  }
  for (const [index, { pool: of, zone }] of one.coming.entries()) {
    const zones = one.pools[of]?.zones ?? ["a"];
    builder.node(`z${index}`, (node) => {
      node.cpu(0).memory("64Gi").block("k").rack("r").notReady().taint("karpenter.sh/unregistered", "", "NoExecute");
      node.zone(zones[zone % zones.length] ?? "a");
      for (const [key, value] of label(of)) node.label(key, value);
    });
  }
  const object = (apiVersion: string, kind: string, name: string, rest: JsonObject): JsonObject => ({
    ...{ apiVersion, kind, metadata: { name } },
    ...rest,
  });
  const amounts = (list: { cpu: number | undefined; nodes: number | undefined }): JsonObject => ({
    ...(list.cpu === undefined ? {} : { cpu: String(list.cpu) }),
    ...(list.nodes === undefined ? {} : { nodes: String(list.nodes) }),
  });
  const objects = [
    { apiVersion: "v1", kind: "NodeList", items: [] },
    ...builder.objects(),
    object("karpenter.sh/v1", "NodePool", one.maker.missing ? "other" : "np", {
      spec: { limits: amounts(one.limits), template: templateOf(one.maker) },
      status: { resources: { cpu: String(one.limits.status) } },
    }),
    ...one.quotas.map(({ zone, ...limits }, index) =>
      object("autoscaling.x-k8s.io/v1beta1", "CapacityQuota", `q${index}`, {
        spec: {
          ...(zone === undefined ? {} : { selector: { matchLabels: { [ZONE]: zone } } }),
          limits: { resources: amounts(limits) },
        },
      }),
    ),
  ];
  const { share } = one;
  if (share !== undefined) {
    const { cpu, pods, used, own } = share;
    const list = (cpus: number | undefined, count: number | undefined): JsonObject => ({
      ...(cpus === undefined ? {} : { "requests.cpu": String(cpus) }),
      ...(count === undefined ? {} : { pods: String(count) }),
    });
    objects.push(
      object("v1", "Namespace", "default", {}),
      {
        ...{ apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "share", namespace: "default" } },
        spec: { hard: list(cpu, pods) },
        status: { hard: list(cpu, pods), used: list(used + own, used + own) },
      },
      // They wait, so they hold nothing but their charge.
      ...Array.from({ length: own }, (_, index) => ({
        ...{ apiVersion: "v1", kind: "Pod" },
        metadata: {
          name: `own-${index}`,
          namespace: "default",
          ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "train", uid: "u", controller: true }],
        },
        spec: { containers: [{ name: "main", resources: { requests: { cpu: "1" } } }] },
        status: { phase: "Pending" },
      })),
    );
  }
  const inventory = inventoryFrom(objects).value;
  if (inventory === undefined) throw new Error("no inventory");
  const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();
  const pools = one.pools.map(
    ({ cpu, whole, zones, maxNodes, made, tier, startup, window }, index): CapacityPool =>
      pool(`p${index}`, {
        accelerator: undefined,
        acceleratorsPerNode: 0,
        zones,
        maxNodes,
        startupMs: startup * HOUR,
        node: {
          allocatable: { cpu: cpu * 1000, memory: 64 * 2 ** 30, pods: 110 },
          labels: {
            ...{ pool: `p${index}`, ...(made ? { [MAKER]: "np" } : {}) },
            ...(tier === undefined ? {} : { tier }),
          },
          taints: [],
          ...(whole === undefined ? {} : { capacity: { cpu: whole * 1000 } }),
        },
        ...(window === undefined
          ? {}
          : {
              reservation: {
                name: "cr",
                start: at(window.start),
                reclaimMs: window.reclaim * HOUR,
                ...(window.end === undefined ? {} : { end: at(window.end) }),
                ...(window.nodes === undefined ? {} : { nodes: window.nodes }),
              },
            }),
      }),
  );
  const holds = one.promises.flatMap(({ pool: of, zone, count }, index): readonly Hold[] => {
    const zones = one.pools[of]?.zones;
    if (zones === undefined) return [];
    return [
      {
        workload: { apiVersion: "batch/v1", kind: "Job", namespace: "other", name: `w${index}` },
        tenant: "other",
        takenAtMs: 0,
        placed: [],
        newNodes: [{ pool: `p${of}`, zone: zones[zone % zones.length] ?? "", count }],
      },
    ];
  });
  const demand = demandOf(
    podSet("main", {
      required: one.pods,
      requests: { cpu: one.each * 1000 },
      ...(one.runs === undefined ? {} : { runMs: one.runs * HOUR }),
      maxProvisioningMs: one.waits * HOUR,
      pod: {
        ...(one.asks === undefined ? {} : { selection: [new Map([["tier", requirement("tier", "In", [one.asks])]])] }),
        spread: one.rule === "spread" ? [{ key: ZONE, maxSkew: 1, ignoreTaints: true }] : [],
      },
      placement: one.rule === "zone" ? { unit: "podSet", level: "zone" } : { unit: "pod" },
      steps: [step({ source: "new" })],
    }),
  );
  const platform = { ...testPlatform, autoscaler: { ...testPlatform.autoscaler, kind: one.autoscaler } };
  const context = contextOf({ pools, holds, platform, nowMs: NOW, skipSuggestions: true });
  return { topology: buildTopology(inventory, testLayout), demand, context };
}

function templateOf({ zone, tier }: SupplyCase["maker"]): JsonObject {
  return {
    ...(tier === undefined ? {} : { metadata: { labels: { tier } } }),
    spec: { requirements: zone === undefined ? [] : [{ key: ZONE, operator: "In", values: [zone] }] },
  };
}

/** What nodes and pools allow, and what is left of it under the namespace's quota. */
export function supplyVerdict(one: SupplyCase, world: SupplyWorld): string {
  const placed = placedVerdict(one, world);
  if (one.share === undefined) return placed;
  const { cpu = Number.POSITIVE_INFINITY, pods = Number.POSITIVE_INFINITY, used } = one.share;
  const needed = one.pods * one.each;
  if (needed > cpu || one.pods > pods) return "never";
  const short = used + needed > cpu || used + one.pods > pods;
  return short && (placed === "fits" || placed === "scaleUp") ? "busy" : placed;
}

/** By trying every number of new nodes in every zone, straight from what each rule says. */
function placedVerdict(one: SupplyCase, { topology, demand, context }: SupplyWorld): string {
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps);
  const run = one.runs;
  const span = (index: number) => {
    const { window, startup = 0 } = one.pools[index] ?? {};
    const lead = Math.max(0, window?.start ?? 0) + startup;
    const end = window?.end === undefined ? Number.POSITIVE_INFINITY : window.end - window.reclaim;
    return { timely: lead <= one.waits, serves: run === undefined ? lead < end : lead + run <= end, end };
  };
  const poolOf = (labels: Site["labels"]): number =>
    labels["pool"]?.startsWith("p") ? Number(labels["pool"].slice(1)) : -1;
  const sites = (nominal: boolean): readonly Site[] =>
    sitesOf(topology, demand, nominal).map((site) => {
      const of = poolOf(site.labels);
      const serves = of === -1 || one.pools[of] === undefined || run === undefined || run <= span(of).end;
      return { ...site, usable: site.usable && serves };
    });
  const size = (index: number): number => {
    const { cpu = 0, whole } = one.pools[index] ?? {};
    const seen = one.nodes.filter((node) => !node.free && node.pool === index).map((node) => node.cpu);
    return whole ?? Math.max(cpu, ...seen);
  };
  const declared = (index: number): readonly string[] => one.pools[index]?.zones ?? [];
  const isMade = (index: number): boolean => one.pools[index]?.made === true && !one.maker.missing;
  const zonesOf = (index: number): readonly string[] =>
    declared(index).filter((zone) => !isMade(index) || one.maker.zone === undefined || zone === one.maker.zone);
  const coming = (index: number, zone: string): number =>
    one.coming.filter((each) => each.pool === index && declared(index)[each.zone % declared(index).length] === zone)
      .length;
  // One that is promised a zone in which no node is made any more is promised the first.
  const owed = (index: number, zone: string): number =>
    one.promises
      .filter((each) => {
        const asked = declared(index)[each.zone % declared(index).length] ?? "";
        return each.pool === index && (zonesOf(index).includes(asked) ? asked : zonesOf(index)[0]) === zone;
      })
      .reduce((sum, { count }) => sum + count, 0);
  const members = (index: number): number =>
    one.nodes.filter((node) => !node.free && node.pool === index).length +
    one.coming.filter((each) => each.pool === index).length;

  type Growth = readonly { readonly pool: number; readonly zone: string; readonly count: number }[];
  const ceilings = [
    {
      most: one.maker.missing ? undefined : one.limits.cpu,
      each: (cpu: number) => cpu,
      covers: (labels: Site["labels"]) => labels[MAKER] === "np",
      status: one.limits.status,
    },
    {
      most: one.maker.missing ? undefined : one.limits.nodes,
      each: () => 1,
      covers: (labels: Site["labels"]) => labels[MAKER] === "np",
      status: 0,
    },
    ...(one.autoscaler === "karpenter" ? [] : one.quotas).flatMap(({ zone, cpu, nodes }) => {
      const covers = (labels: Site["labels"]) => zone === undefined || labels[ZONE] === zone;
      return [
        { most: cpu, each: (amount: number) => amount, covers, status: 0 },
        { most: nodes, each: () => 1, covers, status: 0 },
      ];
    }),
  ];
  const tierOf = (index: number): Site["labels"] => {
    const tier = (isMade(index) ? one.maker.tier : undefined) ?? one.pools[index]?.tier;
    return tier === undefined ? {} : { tier };
  };
  const labelsOf = (index: number, zone: string): Site["labels"] => ({
    [ZONE]: zone,
    pool: `p${index}`,
    ...(one.pools[index]?.made === true ? { [MAKER]: "np" } : {}),
    ...tierOf(index),
  });
  const standing = topology.nodes.map(({ labels, capacity, name }) => {
    const cpu = (capacity["cpu"] ?? 0) / 1000;
    const of = poolOf(labels);
    const starts = name.startsWith("z") && one.pools[of] !== undefined;
    return { labels, starts, cpu: starts ? Math.max(cpu, size(of)) : cpu };
  });

  /** As things are: what is promised and what is on its way counts. */
  const allowedNow = (growth: Growth): boolean => {
    const beyond = (index: number, zone: string, own: number): number =>
      Math.max(0, owed(index, zone) + own - coming(index, zone));
    const own = (index: number, zone: string): number =>
      growth.find((each) => each.pool === index && each.zone === zone)?.count ?? 0;
    const sum = (index: number, with_: boolean): number =>
      zonesOf(index).reduce((total, zone) => total + beyond(index, zone, with_ ? own(index, zone) : 0), 0);
    for (const index of one.pools.keys()) {
      const { maxNodes = 0, window } = one.pools[index] ?? {};
      const most = Math.max(members(index), Math.min(maxNodes, window?.nodes ?? maxNodes));
      const wanted = zonesOf(index).reduce((total, zone) => total + own(index, zone), 0);
      const promised = zonesOf(index).reduce((total, zone) => total + owed(index, zone), 0);
      const ready = members(index) - one.coming.filter((each) => each.pool === index).length;
      if (wanted === 0) continue;
      const grows = sum(index, true) > sum(index, false);
      if (one.maker.missing && one.pools[index]?.made === true && grows) return false;
      if (ready + promised + wanted > most) return false;
      if (members(index) + sum(index, true) > Math.max(most, members(index) + sum(index, false))) return false;
    }
    return ceilings.every(({ most, each, covers, status }) => {
      if (most === undefined) return true;
      let total = Math.max(
        status,
        standing.reduce((all, node) => all + (covers(node.labels) ? each(node.cpu) : 0), 0),
      );
      let grows = false;
      for (const index of one.pools.keys())
        for (const zone of zonesOf(index)) {
          if (!covers(labelsOf(index, zone))) continue;
          total += beyond(index, zone, own(index, zone)) * each(size(index));
          grows ||= beyond(index, zone, own(index, zone)) > beyond(index, zone, 0);
        }
      return !grows || total <= most;
    });
  };
  /** As if nothing were promised, and nodes that are not used could go, as far as a limit over several pools is concerned. */
  const allowedNominal = (growth: Growth, kept: readonly Site[]): boolean => {
    for (const index of one.pools.keys()) {
      const { maxNodes = 0, window } = one.pools[index] ?? {};
      const most = Math.max(members(index), Math.min(maxNodes, window?.nodes ?? maxNodes));
      const fresh = growth
        .filter((each) => each.pool === index)
        .reduce((sum, { zone, count }) => sum + Math.max(0, count - coming(index, zone)), 0);
      if (members(index) + fresh > most) return false;
    }
    return ceilings.every(({ most, each, covers }) => {
      if (most === undefined) return true;
      const added = growth.filter(({ pool: of, zone, count }) => count > 0 && covers(labelsOf(of, zone)));
      if (added.length === 0) return true;
      const total =
        added.reduce((sum, { pool: of, count }) => sum + count * each(size(of)), 0) +
        kept.reduce((sum, { labels, free }) => sum + (covers(labels) ? each((free["cpu"] ?? 0) / 1000) : 0), 0);
      return total <= most;
    });
  };
  const growths = (late: boolean): readonly Growth[] => {
    let all: readonly Growth[] = [[]];
    for (const index of one.pools.keys()) {
      const { serves, timely } = span(index);
      if (!serves || (!timely && !late)) continue;
      for (const zone of zonesOf(index))
        all = all
          .flatMap((growth) =>
            Array.from({ length: one.pods + 1 }, (_, count) => [...growth, { pool: index, zone, count }]),
          )
          .filter((growth) => growth.reduce((sum, { count }) => sum + count, 0) <= one.pods);
    }
    return all;
  };
  const made = (growth: Growth): readonly Site[] =>
    growth.flatMap(({ pool: index, zone, count }) =>
      Array.from({ length: count }, (_, number) => ({
        labels: { ...labelsOf(index, zone), "kubernetes.io/hostname": `${index}/${zone}/${number}` },
        taints: [],
        usable: true,
        free: context.pools[index]?.node.allocatable ?? {},
        ports: new Set<number>(),
        fresh: true,
        domains: { zone, block: undefined, rack: undefined, host: `${index}/${zone}/${number}` },
      })),
    );
  const stands = (list: readonly Site[], growth: Growth): boolean =>
    existsAssignment(topology, [...list, ...made(growth)], demand, steps);
  const now = sites(false);
  if (existsAssignment(topology, now, demand, steps)) return "fits";
  if (growths(false).some((growth) => allowedNow(growth) && stands(now, growth))) return "scaleUp";
  if (growths(true).some((growth) => allowedNow(growth) && stands(now, growth))) return "busy";
  // Which of the nodes that exist are used: the others stand there all the same, for spreading.
  const uses = sites(true).reduce<readonly (readonly Site[])[]>(
    (all, site) =>
      all.flatMap((some) => [
        [...some, site],
        [...some, { ...site, usable: false }],
      ]),
    [[]],
  );
  const ends = uses.some((list) => {
    const kept = list.filter(({ usable }) => usable);
    return growths(true).some((growth) => allowedNominal(growth, kept) && stands(list, growth));
  });
  return ends ? "busy" : "never";
}
