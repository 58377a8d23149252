import { type AdmissionContext, type Judgement, judge } from "../../../src/admission/index.ts";
import type { Hold, JsonObject } from "../../../src/model/index.ts";
import { checkAssignment, checkLimits, indexTopology, type SolveContext } from "../../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../../src/topology/index.ts";
import { clusterObjects } from "./cluster.ts";
import type { Scenario } from "./format.ts";
import { catalogueOf } from "./policies.ts";
import { workloadObjects } from "./workload.ts";

const NOW = "2026-10-01T12:00:00Z";

/** The moment at which a scenario plays, in milliseconds since 1970. */
export const nowOf = ({ now }: Pick<Scenario, "now">): number => Date.parse(now ?? NOW);
const STEPS = 200_000;

export interface Played {
  readonly judgement: Extract<Judgement, { readonly judged: true }>;
  readonly topology: Topology;
  /** What the solver was asked with, apart from suggestions. */
  readonly context: SolveContext;
  /** What the independent checker holds against assignments, on any rung. */
  readonly violations: readonly string[];
}

export interface SceneObjects {
  readonly cluster: readonly JsonObject[];
  readonly workload: JsonObject;
}

/** The Kubernetes objects of a scenario: its cluster with the claim templates of the workload, and the workload. */
export function sceneObjects(scenario: Scenario): SceneObjects {
  const [workload, ...templates] = workloadObjects(scenario.workload, scenario.className);
  const namespace = scenario.workload.namespace ?? "team-a";
  const cluster = clusterObjects(scenario.cluster, catalogueOf(scenario).layout, [namespace]);
  return { cluster: [...cluster, ...templates], workload };
}

/** Runs a scenario the way a review goes: objects, inventory, topology, intent, demand, solver. Throws where its input is malformed. */
export function play(scenario: Scenario): Played {
  const catalogue = catalogueOf(scenario);
  const { cluster, workload } = sceneObjects(scenario);
  const { value: inventory, diagnostics } = inventoryFrom(cluster);
  const broken = diagnostics.filter(({ severity }) => severity === "error");
  if (inventory === undefined || broken.length > 0)
    throw new Error(`${scenario.where} the cluster cannot be read: ${broken.map(({ message }) => message).join(" ")}`);
  const topology = buildTopology(inventory, catalogue.layout);
  const context: AdmissionContext = {
    catalogue,
    topology,
    index: indexTopology(topology),
    holds: (scenario.holds ?? []) as unknown as readonly Hold[],
    maxSteps: scenario.steps ?? STEPS,
    nowMs: nowOf(scenario),
  };
  const judgement = judge(workload, context);
  if (!judgement.judged) throw new Error(`${scenario.where} the workload is not judged: ${judgement.why}`);
  const { platform, pools, accelerators } = catalogue;
  const { holds, maxSteps, nowMs } = context;
  const asked: SolveContext = { platform, pools, accelerators, holds, maxSteps, nowMs };
  return { judgement, topology, context: asked, violations: violationsOf(judgement, topology, asked) };
}

function violationsOf(
  { answer, demand }: Played["judgement"],
  topology: Topology,
  context: SolveContext,
): readonly string[] {
  return (answer?.ladder ?? []).flatMap(({ assignment, rungs, verdict }) => {
    if (demand === undefined) return [];
    if (assignment === undefined)
      return verdict === "fits" || verdict === "scaleUp" ? [`${verdict} comes without an assignment`] : [];
    return [
      ...checkAssignment(topology, demand, rungs, assignment, context),
      ...checkLimits(topology, demand, rungs, assignment, context),
    ];
  });
}
