import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { type Answer, type Demand, type JsonObject, requirement } from "../src/model/index.ts";
import { indexTopology, solve } from "../src/solver/index.ts";
import { buildTopology, createLive, type Topology } from "../src/topology/index.ts";
import { testLayout } from "../test/support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, step } from "../test/support/demand.ts";
import { migRequest } from "../test/support/mig.ts";
import { claimCluster, inventoryOf, pluginCluster } from "./solver-clusters.ts";
import { title } from "./table.ts";

const SIZES = [1000, 5000, 12_500];
const WARM_UPS = 40;
const ROUNDS = 150;
/** Where machines are slow, fewer rounds; never fewer than these. */
const LONGEST_MS = 3000;
const FEWEST = 20;
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

interface Case {
  readonly name: string;
  readonly demand: Demand;
  readonly suggestions?: boolean;
}

const PLUGIN: readonly Case[] = [
  { name: "16 x 8 in one rack", demand: gang(16, "rack") },
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
  readonly steps: number | undefined;
  readonly verdict: string | undefined;
}

/** Solves of the whole ladder with the topology indexed, one watch event, and the memory of the model, by size of cluster and from size to size. */
export async function benchSolver(): Promise<void> {
  title(
    "solver: ms for the whole ladder, reasons and check of the assignment; racks of 32 nodes, 8 GPUs each, 70 % busy",
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
        const result = measure(() => solve(topology, one.demand, { ...context, skipSuggestions: !one.suggestions }));
        say(nodes, one.name, result, before);
        // Lets pending output out between cases.
        await new Promise((resolve) => setImmediate(resolve));
      }
      const name = make === pluginCluster ? "model, extended resources" : "model, claims";
      process.stdout.write(`${String(nodes).padStart(6)}  ${name.padEnd(32)}  ${mebibytes(bytes)}\n`);
    }
    event(nodes, before);
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
  const [, { demand }] = PLUGIN as readonly [Case, Case];
  let count = 0;
  const next = (): void => {
    count += 1;
    live.apply({ type: "set", object: passingPod(count) });
    live.topology();
  };
  say(nodes, "one watch event of a pod", measure(next), before);
  const answer = () => solve(live.topology(), demand, contextOf({ index, skipSuggestions: true }));
  say(nodes, "64 x 8 in one block after it", measure(answer, next), before);
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
function measure(run: () => unknown, first?: () => void): Result {
  const times: number[] = [];
  let last: unknown;
  const began = performance.now();
  for (let round = -WARM_UPS; round < ROUNDS; round += 1) {
    if (times.length >= FEWEST && performance.now() - began > LONGEST_MS) break;
    first?.();
    const start = performance.now();
    last = run();
    if (round >= 0) times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): number => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;
  const answer = (last ?? {}) as Partial<Answer>;
  return { p50: at(0.5), p99: at(0.99), steps: answer.steps, verdict: answer.verdict };
}

/** `growth`: the median against that of the size before, beside how much larger the cluster is. */
function say(nodes: number, name: string, { p50, p99, steps, verdict }: Result, before: Map<string, number>): void {
  const known = before.get(name);
  before.set(name, p50);
  const larger = nodes / (SIZES[SIZES.indexOf(nodes) - 1] ?? nodes);
  const columns = [
    String(nodes).padStart(6),
    name.padEnd(32),
    `p50 ${p50.toFixed(2).padStart(7)}`,
    `p99 ${p99.toFixed(2).padStart(7)}`,
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

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchSolver();
