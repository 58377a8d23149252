import fc from "fast-check";
import { type Demand, type Hold, type JsonObject, requirement, type Verdict } from "../../src/model/index.ts";
import type { SolveContext } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { existsAssignment, sitesOf } from "./brute.ts";
import { cluster, testLayout } from "./cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, step } from "./demand.ts";

/** Small worlds in which one or two pod sets meet a Kueue queue, a class's limit for its tenant and nodes of two tiers at once. */

const GPU = "nvidia.com/gpu";
const TIERS = ["a", "b"] as const;
export type Tier = (typeof TIERS)[number];

export interface FlavorCase {
  readonly nominal: number;
  readonly used: number;
  readonly borrowing: number | undefined;
  readonly lending: number | undefined;
  /** Of the other queue in the cohort. */
  readonly theirs: number;
  readonly theirUse: number;
}

export interface LimitsCase {
  readonly nodes: readonly { readonly gpus: number; readonly used: number; readonly tier: Tier }[];
  readonly sets: readonly {
    readonly pods: number;
    readonly more: number;
    readonly gpus: number;
    readonly tier: Tier | undefined;
  }[];
  readonly limit: number | undefined;
  /** What the tenant's other workloads hold and are promised. */
  readonly held: number;
  readonly promised: number;
  readonly queue:
    | {
        readonly a: FlavorCase;
        readonly b: FlavorCase;
        readonly order: readonly Tier[];
        readonly labelled: boolean;
        readonly spares: boolean;
        readonly whole: boolean;
        readonly pods: number | undefined;
      }
    | undefined;
}

const maybe = <T>(...values: readonly T[]) => fc.constantFrom<T | undefined>(undefined, ...values);
const tier = fc.constantFrom(...TIERS);
const flavorCase: fc.Arbitrary<FlavorCase> = fc.record({
  nominal: fc.integer({ min: 0, max: 6 }),
  used: fc.integer({ min: 0, max: 3 }),
  borrowing: maybe(0, 1, 3),
  lending: maybe(0, 2),
  theirs: fc.integer({ min: 0, max: 3 }),
  theirUse: fc.integer({ min: 0, max: 4 }),
});

export const limitsCase: fc.Arbitrary<LimitsCase> = fc.record({
  nodes: fc.array(fc.record({ gpus: fc.integer({ min: 1, max: 5 }), used: fc.integer({ min: 0, max: 2 }), tier }), {
    minLength: 1,
    maxLength: 3,
  }),
  sets: fc.array(
    fc.record({
      pods: fc.integer({ min: 1, max: 3 }),
      more: fc.integer({ min: 0, max: 2 }),
      gpus: fc.constantFrom(0, 1, 1, 2),
      tier: maybe(...TIERS),
    }),
    { minLength: 1, maxLength: 2 },
  ),
  limit: maybe(2, 3, 5, 8),
  held: fc.integer({ min: 0, max: 2 }),
  promised: fc.integer({ min: 0, max: 2 }),
  queue: fc.option(
    fc.record({
      a: flavorCase,
      b: flavorCase,
      order: fc.shuffledSubarray([...TIERS], { minLength: 1 }),
      labelled: fc.boolean(),
      spares: fc.boolean(),
      whole: fc.boolean(),
      pods: maybe(2, 4),
    }),
    { nil: undefined, freq: 4 },
  ),
});

/** A cohort that is overdrawn lets nothing in, not even what a queue keeps for itself: that is for the test of borrowing. */
export function isSound({ queue }: LimitsCase): boolean {
  if (queue === undefined) return true;
  return queue.order.every((name) => {
    const { nominal, used, borrowing, theirs, theirUse } = queue[name];
    return (
      shared(queue[name]) + theirs >= Math.max(0, used - kept(queue[name])) + theirUse &&
      (borrowing === undefined || used <= nominal + borrowing)
    );
  });
}

const kept = ({ nominal, lending }: FlavorCase): number => nominal - Math.min(nominal, lending ?? nominal);
const shared = ({ nominal, lending }: FlavorCase): number => Math.min(nominal, lending ?? nominal);

export interface LimitsWorld {
  readonly topology: Topology;
  readonly demand: Demand;
  readonly context: SolveContext;
}

export function limitsWorld(one: LimitsCase): LimitsWorld {
  const builder = cluster().namespace("default").namespace("theirs", { "plimsoll.dev/tenant": "team-t" });
  for (const [index, { gpus, used, tier: label }] of one.nodes.entries()) {
    builder.node(`n${index}`, (node) => node.gpus("h100", gpus).label("tier", label).untainted());
    if (used > 0)
      builder.pod(`busy-${index}`, (pod) => pod.namespace("other").on(`n${index}`).gpus(Math.min(used, gpus)));
  }
  if (one.held > 0) {
    builder.node("far", (node) => node.gpus("h100", 2).cordoned().taint("far"));
    builder.pod("held", (pod) => pod.namespace("theirs").on("far").gpus(one.held));
  }
  const { queue } = one;
  const { value } = inventoryFrom([
    { apiVersion: "v1", kind: "PodList", items: [] },
    ...builder.objects(),
    ...(queue === undefined ? [] : queueObjects(queue)),
  ]);
  if (value === undefined) throw new Error("no inventory");
  const holds: readonly Hold[] = [
    {
      workload: { apiVersion: "batch/v1", kind: "Job", namespace: "theirs", name: "promised" },
      tenant: "team-t",
      takenAtMs: 0,
      placed: [
        { podSet: "main", node: "gone", pods: 1, requests: {}, devices: [], accelerators: one.promised, charged: {} },
      ],
      newNodes: [],
    },
  ];
  const sets = one.sets.map(({ pods, more, gpus, tier: wanted }, index) =>
    podSet(`s${index}`, {
      required: pods,
      count: pods + more,
      requests: { cpu: 0, memory: 0, [GPU]: gpus },
      pod: { selection: [new Map(wanted === undefined ? [] : [["tier", requirement("tier", "In", [wanted])]])] },
      placement: { unit: "pod" },
      steps: [gpus === 0 ? step() : gpuStep(gpus)],
    }),
  );
  const demand: Demand = {
    ...demandOf(...sets),
    ...(one.limit === undefined ? {} : { acceleratorLimit: one.limit }),
    ...(queue === undefined ? {} : { queue: { name: "lq", whole: queue.whole } }),
  };
  const context = contextOf({ holds, skipSuggestions: true });
  return { topology: buildTopology(value, testLayout), demand, context };
}

function queueObjects(queue: NonNullable<LimitsCase["queue"]>): readonly JsonObject[] {
  const object = (kind: string, name: string, spec: JsonObject, extra: JsonObject = {}): JsonObject => ({
    ...{ apiVersion: "kueue.x-k8s.io/v1beta2", kind, metadata: { name }, spec },
    ...extra,
  });
  const quota = (name: string, amount: number, limits: Partial<FlavorCase> = {}): JsonObject => ({
    ...{ name, nominalQuota: amount },
    ...(limits.borrowing === undefined ? {} : { borrowingLimit: limits.borrowing }),
    ...(limits.lending === undefined ? {} : { lendingLimit: limits.lending }),
  });
  const clusterQueue = (
    name: string,
    groups: readonly JsonObject[],
    used: (tier: Tier) => number,
    more: JsonObject = {},
  ) =>
    object(
      "ClusterQueue",
      name,
      { namespaceSelector: {}, cohortName: "org", resourceGroups: [...groups], ...more },
      {
        status: {
          flavorsReservation: queue.order.map((one) => ({
            ...{ name: one, resources: [{ name: GPU, total: String(used(one)), borrowed: "0" }] },
          })),
        },
      },
    );
  const group = (of: (tier: Tier) => JsonObject): JsonObject => ({
    coveredResources: [GPU],
    flavors: queue.order.map((name) => ({ name, resources: [of(name)] })),
  });
  const counted: readonly JsonObject[] =
    queue.pods === undefined
      ? []
      : [{ coveredResources: ["pods"], flavors: [{ name: "all", resources: [quota("pods", queue.pods)] }] }];
  return [
    object("ResourceFlavor", "all", {}),
    ...TIERS.map((name) => object("ResourceFlavor", name, queue.labelled ? { nodeLabels: { tier: name } } : {})),
    { ...object("LocalQueue", "lq", { clusterQueue: "ml" }), metadata: { name: "lq", namespace: "default" } },
    clusterQueue(
      "ml",
      [group((name) => quota(GPU, queue[name].nominal, queue[name])), ...counted],
      (name) => queue[name].used,
      queue.spares ? { flavorFungibility: { whenCanBorrow: "TryNextFlavor" } } : {},
    ),
    clusterQueue("web", [group((name) => quota(GPU, queue[name].theirs))], (name) => queue[name].theirUse),
  ];
}

/** Straight from what each rule says: every way to place the pods, every way to give flavors. */
export function limitsVerdict(one: LimitsCase, { topology, demand }: LimitsWorld): Verdict {
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps);
  const placed = existsAssignment(topology, sitesOf(topology, demand, false), demand, steps)
    ? "fits"
    : existsAssignment(topology, sitesOf(topology, demand, true), demand, steps)
      ? "busy"
      : "never";
  const needed = one.sets.reduce((sum, { pods, gpus }) => sum + pods * gpus, 0);
  const limited =
    one.limit === undefined || needed === 0 || needed + one.held + one.promised <= one.limit
      ? "fits"
      : needed <= one.limit
        ? "busy"
        : "never";
  const found = [placed, limited, queueVerdict(one)];
  return found.includes("never") ? "never" : found.includes("busy") ? "busy" : "fits";
}

type Given = Readonly<Record<Tier, number>>;

function queueVerdict({ queue, sets }: LimitsCase): Verdict {
  if (queue === undefined) return "fits";
  const wanted = sets.map(({ pods, more, ...set }) => ({ ...set, pods: queue.whole ? pods + more : pods }));
  const total = wanted.reduce((sum, { pods }) => sum + pods, 0);
  if (queue.pods !== undefined && total > queue.pods) return "never";
  const suits = (tier: Tier, wish: Tier | undefined): boolean => !queue.labelled || wish === undefined || wish === tier;
  const options = wanted
    .filter(({ gpus }) => gpus > 0)
    .map(({ pods, gpus, tier: wish }) => ({
      amount: pods * gpus,
      tiers: queue.order.filter((one) => suits(one, wish)),
    }));
  if (options.some(({ tiers }) => tiers.length === 0)) return "never";
  // In order, each the first flavor that has room; and every way there is, were nothing in use.
  let given: Given = { a: 0, b: 0 };
  let now = true;
  for (const { amount, tiers } of options) {
    const fitting = tiers.filter((one) => mayTake(queue[one], given[one] + amount, true));
    const own = fitting.filter((one) => queue[one].used + given[one] + amount <= queue[one].nominal);
    const chosen = (queue.spares ? own[0] : undefined) ?? fitting[0];
    if (chosen === undefined) now = false;
    else given = { ...given, [chosen]: given[chosen] + amount };
  }
  if (now) return "fits";
  const ways = options.reduce<readonly Given[]>(
    (all, { amount, tiers }) => all.flatMap((way) => tiers.map((one) => ({ ...way, [one]: way[one] + amount }))),
    [{ a: 0, b: 0 }],
  );
  const ever = ways.some((way) => TIERS.every((one) => way[one] === 0 || mayTake(queue[one], way[one], false)));
  return ever ? "busy" : "never";
}

/** What the queue keeps comes first, then what it shares with the cohort and what the other lends, up to the borrowing limit. */
function mayTake(flavor: FlavorCase, amount: number, now: boolean): boolean {
  const { nominal, used, borrowing, theirs, theirUse } = flavor;
  const [own, others] = now ? [used, theirUse] : [0, 0];
  if (borrowing !== undefined && own + amount > nominal + borrowing) return false;
  return Math.max(0, own + amount - kept(flavor)) + others <= shared(flavor) + theirs;
}
