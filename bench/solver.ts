import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import {
  type Answer,
  CAPACITY_TYPES,
  type CapacityType,
  type Demand,
  isArray,
  type Json,
  type JsonObject,
  requirement,
} from "../src/model/index.ts";
import { indexTopology, solve } from "../src/solver/index.ts";
import { buildTopology, createLive, type Topology } from "../src/topology/index.ts";
import { testLayout } from "../test/support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, step } from "../test/support/demand.ts";
import { migRequest } from "../test/support/mig.ts";
import { claimCluster, inventoryOf, pluginCluster } from "./solver-clusters.ts";
import { title } from "./table.ts";

const SIZES = [1000, 5000, 12_500];
/** V8 has compiled what a solve takes only after some hundreds of them; where solves are slow, after as long as this. */
const WARM_UPS = 400;
const WARM_MS = 1500;
const ROUNDS = 300;
/** Where machines are slow, fewer rounds; never fewer than these. */
const LONGEST_MS = 3000;
const FEWEST = 20;
/** With an index of its own each, so that nothing is at hand. */
const ANEW = 9;
const NAME_WIDTH = 42;
const onP5 = [requirement("node.kubernetes.io/instance-type", "In", ["p5.48xlarge"])];

const gang = (pods: number, level: string, mode: "required" | "preferred" = "required"): Demand =>
  demandOf(
    podSet("main", {
      required: pods,
      requests: { "nvidia.com/gpu": 8, cpu: 16_000 },
      placement: { level, mode },
      steps: [gpuStep(8, {}, onP5), gpuStep(8, { source: "new" }, onP5)],
    }),
  );

const head = podSet("head", {
  requests: { cpu: 4000 },
  placement: { unit: "workload", level: "rack" },
  steps: [step({}, { tolerations: gpuStep(0).tolerations })],
});
const workers = podSet("worker", {
  required: 8,
  requests: { "nvidia.com/gpu": 8 },
  placement: { unit: "workload", level: "rack" },
  steps: [gpuStep(8, {}, onP5)],
});
const claims = (pods: number, level: string): Demand =>
  demandOf(
    podSet("main", {
      required: pods,
      placement: { level },
      pod: { devices: [deviceRequest("gpus", 8)], tolerations: gpuStep(0).tolerations },
    }),
  );

/** Workloads of which none asks for what another did: other amounts, sizes, levels and labels. */
function unlike(number: number): Demand {
  const gpus = [1, 2, 4, 8][number % 4] ?? 8;
  const [zone, other] = [`zone-${"abc"[number % 3]}`, `zone-${"abc"[(number + 1) % 3]}`];
  const selection = [...onP5, requirement("topology.kubernetes.io/zone", "NotIn", [zone, `${other}-${number}`])];
  return demandOf(
    podSet("main", {
      required: 2 + (number % 15),
      requests: { "nvidia.com/gpu": gpus, cpu: 1000 + number, memory: (1 + (number % 11)) * 2 ** 30 },
      placement: { level: ["rack", "block", "zone"][number % 3] },
      steps: [gpuStep(gpus, {}, selection), gpuStep(gpus, { source: "new" }, selection)],
    }),
  );
}

/** The impossible gang of a class that lists more capacity types. */
function moreTypes(field: string, value: Json): Demand | undefined {
  if (field !== "capacity.types" || !isArray(value)) return undefined;
  const { podSets, ...rest } = gang(64, "rack");
  const types = value.filter((type) => CAPACITY_TYPES.includes(type as CapacityType)) as readonly CapacityType[];
  const steps = types.flatMap((capacityType) =>
    (["existing", "new"] as const).map((source) => gpuStep(8, { capacityType, source }, onP5)),
  );
  return { ...rest, podSets: podSets.map((set) => ({ ...set, ladder: { ...set.ladder, steps } })) };
}

interface Case {
  readonly name: string;
  /** By round. */
  readonly demand: Demand | ((round: number) => Demand);
  readonly suggestions?: boolean;
}

const PLUGIN: readonly Case[] = [
  { name: "16 x 8 in one rack", demand: gang(16, "rack") },
  { name: "2-16 x 1-8, no two alike", demand: unlike },
  {
    name: "1 x 1 anywhere",
    demand: demandOf(podSet("main", { requests: { "nvidia.com/gpu": 1 }, steps: [gpuStep(1)] })),
  },
  { name: "64 x 8 in one block", demand: gang(64, "block") },
  { name: "1 x 1 with MIG", demand: demandOf(podSet("main", { pod: { devices: [migRequest("1g.10gb")] } })) },
  { name: "512 x 8, rack preferred", demand: gang(512, "rack", "preferred") },
  { name: "head + 8 x 8 in one rack", demand: demandOf(head, workers) },
  { name: "impossible gang, reasons", demand: gang(64, "rack") },
  { name: "impossible gang, suggestions too", demand: gang(64, "rack"), suggestions: true },
];
const CLAIMS: readonly Case[] = [{ name: "16 x 8 by claim, in one rack", demand: claims(16, "rack") }];

interface Result {
  readonly p50: number;
  readonly p99: number;
  /** With nothing at hand for the topology. */
  readonly anew?: number;
  readonly steps: number | undefined;
  readonly verdict: string | undefined;
}

/**
 * Solves of the whole ladder with the topology indexed, one watch event, and the memory of the model, by size of cluster and from size to size. To be run
 * as it is shipped (`shipped.ts`).
 */
async function benchSolver(): Promise<void> {
  title(
    "solver: ms for the whole ladder, reasons and check of the assignment; racks of 32 nodes, 8 GPUs each, 70 % busy; anew: the index too",
  );
  const before = new Map<string, number>();
  for (const nodes of SIZES) {
    for (const [make, cases] of [
      [pluginCluster, PLUGIN],
      [claimCluster, CLAIMS],
    ] as const) {
      const { topology, bytes } = model(make, nodes);
      const context = contextOf({ index: indexTopology(topology) });
      for (const one of cases) {
        const run = (round: number, index = context.index) =>
          solve(topology, typeof one.demand === "function" ? one.demand(round) : one.demand, {
            ...context,
            ...(index === undefined ? {} : { index }),
            skipSuggestions: !one.suggestions,
            demandIf: moreTypes,
          });
        const result = measure(run);
        say(nodes, one.name, { ...result, anew: middle(ANEW, (round) => run(round, indexTopology(topology))) }, before);
        // Lets pending output out between cases.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const name = make === pluginCluster ? "model, extended resources" : "model, claims";
      process.stdout.write(`${String(nodes).padStart(6)}  ${name.padEnd(NAME_WIDTH)}  ${mebibytes(bytes)}\n`);
    }
    event(nodes, before);
    nodeEvents(nodes, before);
  }
}

/** A topology and what it and the facts that it was built of keep on the heap. */
function model(make: (nodes: number) => readonly JsonObject[], nodes: number): { topology: Topology; bytes: number } {
  const empty = heap();
  const topology = buildTopology(inventoryOf(make(nodes)), testLayout);
  indexTopology(topology);
  return { topology, bytes: heap() - empty };
}

/** A pod that comes to a node and goes again, told to the topology that follows the watches; and the first solve after it. */
function event(nodes: number, before: Map<string, number>): void {
  const live = createLive({ layout: testLayout });
  for (const [kind, objects] of byKind(pluginCluster(nodes)))
    live.apply({ type: "relisted", apiVersion: String(objects[0]?.["apiVersion"]), kind, objects });
  const index = indexTopology(live.topology());
  const demand = gang(16, "rack");
  let count = 0;
  const next = (): void => {
    count += 1;
    live.apply({ type: "set", object: passingPod(count) });
    live.topology();
  };
  say(nodes, "one watch event of a pod", measure(next), before);
  const answer = () => solve(live.topology(), demand, contextOf({ index, skipSuggestions: true }));
  say(nodes, "16 x 8 in one rack after it", measure(answer, next), before);
}

/**
 * A node that is cordoned and let in again, one that goes and comes, and a device that is tainted and heals, each told to the topology that
 * follows the watches: how long the next solve takes, with all that it has to make anew.
 */
function nodeEvents(nodes: number, before: Map<string, number>): void {
  const live = createLive({ layout: testLayout });
  const kinds = byKind(claimCluster(nodes));
  for (const [kind, objects] of kinds)
    live.apply({ type: "relisted", apiVersion: String(objects[0]?.["apiVersion"]), kind, objects });
  const [node, slice] = [kinds.get("Node")?.[17] ?? {}, kinds.get("ResourceSlice")?.[17] ?? {}];
  let index = indexTopology(live.topology());
  const demand = claims(16, "rack");
  const answer = () => {
    const topology = live.topology();
    if (index.topology !== topology) index = indexTopology(topology, index);
    return solve(topology, demand, contextOf({ index, skipSuggestions: true }));
  };
  let count = 0;
  const set = (object: JsonObject, spec: JsonObject): void => {
    const metadata = { ...(object["metadata"] as JsonObject), resourceVersion: String(count) };
    live.apply({ type: "set", object: { ...object, metadata, spec: { ...(object["spec"] as JsonObject), ...spec } } });
  };
  const events: Readonly<Record<string, () => void>> = {
    "a node is cordoned": () => set(node, { unschedulable: count % 2 === 0 }),
    "a node comes or goes": () => {
      const { name } = node["metadata"] as { readonly name: string };
      if (count % 2 !== 0) set(node, {});
      else live.apply({ type: "deleted", apiVersion: "v1", kind: "Node", namespace: "", name });
    },
    "a device is tainted": () => {
      const [first = {}, ...rest] = (slice["spec"] as { readonly devices: readonly JsonObject[] }).devices;
      const taints = count % 2 === 0 ? [{ key: "gpu.nvidia.com/xid", effect: "NoSchedule" }] : [];
      set(slice, { devices: [{ ...first, taints }, ...rest] });
    },
  };
  for (const [name, happen] of Object.entries(events)) {
    const next = (): void => {
      count += 1;
      happen();
    };
    say(nodes, `16 x 8 by claim after ${name}`, measure(answer, next), before);
  }
}

/** Every second time it is bound. */
const passingPod = (count: number): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { namespace: "team-a", name: "passing", resourceVersion: String(count) },
  spec: {
    ...(count % 2 === 0 ? { nodeName: "p5-48xlarge-1" } : {}),
    containers: [{ name: "main", resources: { requests: { cpu: "1" } } }],
  },
});

function byKind(objects: readonly JsonObject[]): ReadonlyMap<string, JsonObject[]> {
  const kinds = new Map<string, JsonObject[]>();
  for (const object of objects) {
    const kind = String(object["kind"]);
    const list = kinds.get(kind);
    if (list === undefined) kinds.set(kind, [object]);
    else list.push(object);
  }
  return kinds;
}

/** Milliseconds of `run`, without what comes before each time. */
function measure(run: (round: number) => unknown, first?: () => void): Result {
  const times: number[] = [];
  let last: unknown;
  let round = 0;
  const time = (): number => {
    first?.();
    const start = performance.now();
    last = run(round);
    round += 1;
    return performance.now() - start;
  };
  for (const began = performance.now(); round < WARM_UPS && performance.now() - began < WARM_MS; ) time();
  for (const began = performance.now(); times.length < ROUNDS; ) {
    if (times.length >= FEWEST && performance.now() - began > LONGEST_MS) break;
    times.push(time());
  }
  const answer = (last ?? {}) as Partial<Answer>;
  return { p50: share(times, 0.5), p99: share(times, 0.99), steps: answer.steps, verdict: answer.verdict };
}

function share(times: readonly number[], part: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

function middle(rounds: number, run: (round: number) => unknown): number {
  const times = Array.from({ length: rounds }, (_, round) => {
    const start = performance.now();
    run(round);
    return performance.now() - start;
  });
  return share(times, 0.5);
}

/** `growth`: the median against that of the size before, beside how much larger the cluster is. */
function say(nodes: number, name: string, result: Result, before: Map<string, number>): void {
  const { p50, p99, anew, steps, verdict } = result;
  const known = before.get(name);
  before.set(name, p50);
  const larger = nodes / (SIZES[SIZES.indexOf(nodes) - 1] ?? nodes);
  const columns = [
    String(nodes).padStart(6),
    name.padEnd(NAME_WIDTH),
    `p50 ${p50.toFixed(2).padStart(7)}`,
    `p99 ${p99.toFixed(2).padStart(7)}`,
    (anew === undefined ? "" : `anew ${anew.toFixed(1).padStart(5)}`).padEnd(11),
    (steps === undefined ? "" : `steps ${steps}`).padEnd(11),
    (verdict ?? "").padEnd(8),
    known === undefined ? "" : `x${(p50 / known).toFixed(1)} for x${larger.toFixed(1)} nodes`,
  ];
  process.stdout.write(`${columns.join("  ").trimEnd()}\n`);
}

setFlagsFromString("--expose-gc");
const collect = runInNewContext("gc") as () => void;

function heap(): number {
  // What a collection finds at the end of its work the next one frees.
  for (let times = 0; times < 3; times += 1) collect();
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers;
}

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

await benchSolver();
