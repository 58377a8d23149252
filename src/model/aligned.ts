import { isSetForPod } from "./charges.ts";
import type { ContainerLimits } from "./cluster.ts";
import { arrayAt, type Json, type JsonObject, stringAt } from "./json.ts";
import { isSidecar } from "./podspec.ts";
import { schedulerUnits } from "./quantity.ts";
import { containerLimits, containerRequests } from "./requests.ts";
import type { Resources } from "./scheduling.ts";

/** A container as the managers of a kubelet see it, each of which has its own resources to hand out. */
export interface ContainerNeeds {
  readonly name: string;
  readonly kind: "init" | "sidecar" | "main";
  /**
   * In the scheduler's units, positive ones only: extended resources, and of a Guaranteed pod the CPUs that a static CPU manager sets
   * aside (whole ones) and the memory and huge pages that a static memory manager does.
   */
  readonly requests: Resources;
}

const WHOLE_CPU = 1_000_000_000n;

/** The containers in the order in which a kubelet admits them: init containers and sidecars as written, then the others. */
export function containerNeeds(spec: JsonObject, defaults: readonly ContainerLimits[] = []): readonly ContainerNeeds[] {
  const inits = arrayAt(spec, ["initContainers"]);
  const mains = arrayAt(spec, ["containers"]);
  // The managers leave pods with resources of their own alone, but for a gate that is off (PodLevelResourceManagers).
  const pinned = !isSetForPod(spec) && [...inits, ...mains].every((one) => isGuaranteed(one, defaults));
  const needs = (container: Json, kind: ContainerNeeds["kind"]): ContainerNeeds => {
    const requests: Record<string, number> = Object.create(null);
    for (const [name, nano] of containerRequests(container, defaults)) {
      const whole = name !== "cpu" || nano % WHOLE_CPU === 0n;
      if (nano > 0n && (name.includes("/") || (pinned && whole && isManaged(name))))
        requests[name] = schedulerUnits(name, { nano, format: "DecimalSI" });
    }
    return { name: stringAt(container, ["name"]) ?? "", kind, requests };
  };
  return [
    ...inits.map((one) => needs(one, isSidecar(one) ? "sidecar" : "init")),
    ...mains.map((one) => needs(one, "main")),
  ];
}

/** What the containers hold together while the pod lasts: those that run side by side, or the peak of the init containers. */
export function heldTogether(containers: readonly ContainerNeeds[]): Resources {
  const running: Record<string, number> = Object.create(null);
  const peak: Record<string, number> = Object.create(null);
  for (const { kind, requests } of containers)
    for (const [name, amount] of Object.entries(requests)) {
      const sum = (running[name] ?? 0) + amount;
      if (kind !== "init") running[name] = sum;
      peak[name] = Math.max(peak[name] ?? 0, sum);
    }
  return peak;
}

/** CPU, memory and huge pages, which a kubelet may have managers for. */
function isManaged(resource: string): boolean {
  return resource === "cpu" || resource === "memory" || resource.startsWith("hugepages-");
}

/** Has it a limit for CPU and memory, and asks for as much. */
function isGuaranteed(container: Json, defaults: readonly ContainerLimits[]): boolean {
  const [limits, requests] = [containerLimits(container, defaults), containerRequests(container, defaults)];
  return ["cpu", "memory"].every((name) => {
    const limit = limits.get(name) ?? 0n;
    return limit > 0n && requests.get(name) === limit;
  });
}
