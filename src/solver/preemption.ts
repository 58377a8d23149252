import type { Reason } from "../model/index.ts";
import { attempt, type Supply } from "./attempt.ts";
import type { Board } from "./board.ts";
import type { Budget } from "./budget.ts";
import { isSameWorkload } from "./context.ts";
import type { Shape } from "./shape.ts";
import { joined, list } from "./text.ts";
import { type Usage, usageFor } from "./usage.ts";
import type { World } from "./world.ts";

/**
 * Would the scheduler make room by itself. It takes pods of lower priority away, for as long as something that they hold by count (cpu,
 * memory, extended resources of a device plugin, ports) is what is missing; devices of claims it never frees. A PodDisruptionBudget does not
 * hold it back where there is no other choice. `board` is the one of the nominal supply: its nodes could take the pods when empty.
 */
export function preemption(
  world: World,
  shapes: readonly Shape[],
  supply: Pick<Supply, "index" | "kinds">,
  board: Board,
  budget: Budget,
): readonly Reason[] {
  const reason = (message: string, preempts: "yes" | "no"): readonly Reason[] => [
    { code: "Preemption", message, data: { preempts } },
  ];
  const preempting = shapes.filter(({ set }) => set.pod.preempts);
  const patient = shapes.filter(({ set }) => !set.pod.preempts);
  if (preempting.length === 0) return reason("its priority class never preempts", "no");
  const tries = (some: readonly Shape[], usage: Usage): boolean =>
    attempt({ ...supply, numa: world.numa, usage, nominal: false, hopeful: false }, some, budget).result.kind ===
    "found";
  if (patient.length > 0 && !tries(patient, world.usage))
    return reason(`the priority class of ${joined(patient.map(({ name }) => name))} never preempts`, "no");
  const priority = Math.min(...preempting.map(({ set }) => set.pod.priority));
  const usage = usageFor(world.index, world.demand, world.context, priority);
  const devices = shapes.some((shape) => shape.devices.length + shape.extended.length > 0);
  const victims = victimsOf(world, board, priority);
  const made = victims.tenants.length > 0 && tries(shapes, usage);
  if (made)
    return reason(
      `kube-scheduler would preempt pods of a priority below ${priority} to make room (${list(victims.tenants)} ${victims.tenants.length === 1 ? "has" : "have"} such pods)`,
      "yes",
    );
  // With the devices of claims free as well it would fit, so they are what stays missing.
  if (devices && tries(shapes, { ...usage, deviceUsed: usage.deviceUsed.map(() => 0), deviceShares: new Map() }))
    return reason("the scheduler never preempts pods for devices of claims", "no");
  if (budget.exhausted) return [];
  return victims.tenants.length === 0
    ? reason("no pod that holds it has a lower priority, so the scheduler preempts none", "no")
    : reason(
        `preempting ${victims.pods === 1 ? "the one pod" : `all ${victims.pods} pods`} of a priority below ${priority} there would not make enough room`,
        "no",
      );
}

/** Pods that it may take away, on nodes that could take the workload's. */
function victimsOf(
  { topology, demand }: World,
  { field, shapes, cap }: Board,
  priority: number,
): { readonly pods: number; readonly tenants: readonly string[] } {
  const tenants = new Set<string>();
  const rooms = shapes.map((_, number) => cap(number));
  let pods = 0;
  for (let row = 0; row < field.existing; row += 1) {
    if (rooms.every((room) => (room[row] ?? 0) === 0)) continue;
    for (const pod of topology.podsOn[row] ?? []) {
      if (pod.priority >= priority || isSameWorkload(pod.root, demand.workload)) continue;
      pods += 1;
      tenants.add(pod.tenant);
    }
  }
  return { pods, tenants: [...tenants].sort() };
}
