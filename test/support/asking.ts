import type { Answer, Demand } from "../../src/model/index.ts";
import { type SolveContext, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "./cluster.ts";
import { contextOf, demandOf, gpuStep, podSet } from "./demand.ts";

/** Three racks of four h100 nodes in one block of zone a. */
export function racks(perRack = 4): ClusterBuilder {
  const builder = cluster();
  for (const rack of ["r1", "r2", "r3"])
    builder.nodes(rack, perRack, (node) =>
      node.gpus("h100", 8).zone("a").block("b1").rack(rack).capacityType("on-demand"),
    );
  return builder;
}

export function busy(
  builder: ClusterBuilder,
  node: string,
  gpus: number,
  tenant = "team-x",
  priority = 0,
): ClusterBuilder {
  return builder.pod(`busy-${node}`, (pod) => pod.namespace(tenant).on(node).gpus(gpus).priority(priority));
}

export const gang = (pods: number, extra: Parameters<typeof podSet>[1] = {}): Demand =>
  demandOf(
    podSet("main", {
      required: pods,
      requests: { "nvidia.com/gpu": 8 },
      placement: { level: "rack" },
      steps: [gpuStep(8)],
      ...extra,
    }),
  );

export const ask = (builder: ClusterBuilder, demand: Demand, context: Partial<SolveContext> = {}): Answer =>
  solve(builder.topology(), demand, contextOf(context));
export const messages = (answer: Answer, code: string): readonly string[] =>
  (answer.chosen?.reasons ?? []).filter((reason) => reason.code === code).map(({ message }) => message);
