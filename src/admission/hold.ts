import {
  type Answer,
  arrayAt,
  type Demand,
  type Hold,
  type Intent,
  type ObjectKey,
  type Placed,
  type Rung,
  type Step,
} from "../model/index.ts";
import { chargedDevices, takenDevices } from "../solver/index.ts";
import type { Workload } from "../workloads/index.ts";
import { sameRung } from "./rungs.ts";

/**
 * What an allowed workload will take, until the watch shows it. undefined: nothing is to be held, since it does not
 * fit, runs nothing yet (suspended, or a maker of other objects), or is already counted.
 */
export function holdFor(input: {
  readonly workload: Workload;
  readonly key: ObjectKey;
  readonly demand: Demand;
  readonly intents: ReadonlyMap<string, Intent>;
  readonly answer: Answer;
  readonly nowMs: number;
  readonly owner: string | undefined;
}): Hold | undefined {
  const { workload, demand, answer } = input;
  const assignment = answer.chosen?.assignment;
  if ((answer.verdict !== "fits" && answer.verdict !== "scaleUp") || assignment === undefined) return undefined;
  if (workload.kind.life === "templateOnly") return undefined;
  if (isIdle(workload, input.intents)) return undefined;
  return {
    workload: input.key,
    tenant: demand.tenant,
    takenAtMs: input.nowMs,
    placed: assignment.placed.map((placed) => ({
      podSet: placed.podSet,
      node: placed.node,
      pods: placed.pods,
      ...chargeOf(demand, placed, answer.rungs[placed.podSet]),
    })),
    newNodes: assignment.newNodes,
    rungs: answer.rungs,
    ...(input.owner === undefined ? {} : { owner: input.owner }),
  };
}

/** Stopped, or its pods kept from the scheduler by gates, and its class does not say that it keeps its capacity meanwhile. */
export function isIdle(workload: Workload, intents: ReadonlyMap<string, Intent>): boolean {
  const stopped =
    workload.suspended || workload.podSets.some(({ pod }) => arrayAt(pod.spec, ["schedulingGates"]).length > 0);
  return stopped && ![...intents.values()].some(({ contract }) => contract.demand.holdWhileSuspended);
}

/** Of one pod, its own and what the expansion adds on the rung; devices of all of them. */
function chargeOf(
  demand: Demand,
  placed: Placed,
  rung: Rung | undefined,
): Omit<Hold["placed"][number], "podSet" | "node" | "pods"> {
  const set = demand.podSets.find((one) => one.name === placed.podSet);
  if (set === undefined) return { requests: {}, devices: [], accelerators: 0, charged: {} };
  const step: Step | undefined =
    rung === undefined ? undefined : set.ladder.steps.find((one) => sameRung(one.rung, rung));
  const total: Record<string, number> = { ...set.pod.requests };
  for (const [name, amount] of Object.entries(step?.addedRequests ?? {})) total[name] = (total[name] ?? 0) + amount;
  const requests = [...set.pod.devices, ...(step?.addedDevices ?? [])];
  return {
    requests: total,
    ...(set.pod.hostPorts.length === 0 ? {} : { hostPorts: set.pod.hostPorts }),
    ...takenDevices(requests, placed),
    accelerators: step?.devicesPerPod ?? 0,
    charged: chargedDevices(requests),
  };
}
