import { fileURLToPath } from "node:url";
import { type Demand, requirement } from "../src/model/index.ts";
import { indexTopology, type SolveContext, solve } from "../src/solver/index.ts";
import { buildTopology, generateCluster, inventoryFrom, type Topology } from "../src/topology/index.ts";
import { testLayout } from "../test/support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, step } from "../test/support/demand.ts";

const SIZES = [100, 1000, 12_500];
const ROUNDS = 60;
const onP5 = [requirement("node.kubernetes.io/instance-type", "In", ["p5.48xlarge"])];

/** Racks of 32 nodes with 8 GPUs each, 70 % of them busy. */
function clusterOf(nodes: number): Topology {
  const objects = generateCluster({
    shape: "p5.48xlarge",
    zones: 2,
    blocks: 8,
    nodesPerRack: 32,
    nodes,
    fill: 0.7,
    seed: 1,
  });
  const inventory = inventoryFrom(objects).value;
  if (inventory === undefined) throw new Error("the generated cluster does not read");
  return buildTopology(inventory, testLayout);
}

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

const cases: readonly (readonly [string, Demand])[] = [
  ["16 x 8 in one rack", gang(16, "rack")],
  ["64 x 8 in one block", gang(64, "block")],
  ["512 x 8, rack preferred", gang(512, "rack", "preferred")],
  ["head + 8 x 8 in one rack", demandOf(head, workers)],
  ["impossible, with reasons", gang(64, "rack")],
];

/** Prints p50 and p99 of a whole solve (every rung, reasons, check of the assignment) by size of cluster. */
export async function benchSolver(): Promise<void> {
  process.stdout.write("solver: milliseconds for the whole ladder, topology indexed, clusters 70 % full\n");
  for (const nodes of SIZES) {
    const topology = clusterOf(nodes);
    const context = contextOf({ index: indexTopology(topology), skipSuggestions: true });
    for (const [name, demand] of cases) report(nodes, name, topology, demand, context);
    // Lets pending output out between sizes.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function report(nodes: number, name: string, topology: Topology, demand: Demand, context: SolveContext): void {
  const times: number[] = [];
  let answer = solve(topology, demand, context);
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    answer = solve(topology, demand, context);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  const at = (share: number): string =>
    (times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0).toFixed(2);
  const columns = [
    String(nodes).padStart(6),
    name.padEnd(26),
    `p50 ${at(0.5).padStart(7)}`,
    `p99 ${at(0.99).padStart(7)}`,
  ];
  process.stdout.write(`${columns.join("  ")}  steps ${String(answer.steps).padStart(4)}  ${answer.verdict}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await benchSolver();
