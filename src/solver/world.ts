import { atLeast, type Demand, isKubeScheduler, type PodSetDemand, type Step } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import { apartFor, type Spared } from "./apart.ts";
import type { Attempt } from "./attempt.ts";
import { type Company, companyOf } from "./company.ts";
import type { SolveContext } from "./context.ts";
import { growthOf } from "./growth.ts";
import type { NumaRules } from "./numa-rules.ts";
import type { Growth } from "./scaleup.ts";
import { type Shape, shapeOf } from "./shape.ts";
import { indexTopology, type TopologyIndex } from "./topology-index.ts";
import { type Usage, usageFor } from "./usage.ts";
import { outlasted } from "./window.ts";

/** One attempt on existing nodes, and what it cost. */
export interface Look {
  readonly nominal: boolean;
  readonly hopeful: boolean;
  readonly shapes: readonly Shape[];
  readonly attempt: Attempt;
  readonly steps: number;
}

/** Everything that all rungs of one solve share. */
export interface World {
  readonly topology: Topology;
  readonly index: TopologyIndex;
  readonly demand: Demand;
  readonly context: SolveContext;
  readonly usage: Usage;
  readonly growth: Growth;
  /** Looks at existing nodes, which several rungs share. */
  readonly looks: Look[];
  /** Undefined where no existing node has a rule. */
  readonly numa: NumaRules | undefined;
  /** `spared`: with pods that keep nobody off. */
  shape(set: PodSetDemand, step: Step, spared?: Spared): Shape;
}

export function worldFor(topology: Topology, demand: Demand, context: SolveContext): World {
  const index = context.index?.topology === topology ? context.index : indexTopology(topology);
  const { version, featureGates } = context.platform.kubernetes;
  const servedByClaims = featureGates["DRAExtendedResource"] ?? atLeast(version, 1, 36);
  const shapes = new Map<Step, Shape>();
  // KubeletPodResourcesListUseActivePods
  const numa = index.numa(context.pools, atLeast(version, 1, 34));
  const companies = new Map<PodSetDemand, Company>();
  let growth: Growth | undefined;
  return {
    topology,
    index,
    demand,
    context,
    usage: usageFor(index, demand, context),
    // Only rungs that add nodes ask what room the pools have left.
    get growth() {
      growth ??= growthOf(index, demand, context);
      return growth;
    },
    looks: [],
    numa: numa.size === 0 ? undefined : numa,
    shape(set, step, spared) {
      const known = shapes.get(step);
      if (known?.set === set && spared === undefined) return known;
      const ends = outlasted(index, context.pools, set.runMs, context.nowMs);
      const apart = apartFor(index, demand, set, spared);
      const kept = spared === undefined ? companies.get(set) : undefined;
      const company = kept ?? companyOf(index, demand, set, spared);
      if (spared === undefined) companies.set(set, company);
      const { schedulerName } = set.pod;
      const other = isKubeScheduler(context.platform, schedulerName) ? undefined : schedulerName;
      const fresh = shapeOf(
        topology,
        set,
        step,
        demand.podSets.length === 1,
        servedByClaims,
        ends,
        apart,
        company,
        other,
      );
      if (spared === undefined) shapes.set(step, fresh);
      return fresh;
    },
  };
}
