import { type Contract, durationText, type Path, plural, type TopologyLayout } from "../model/index.ts";
import type { PolicyCode } from "./codes.ts";
import type { ContractSpec } from "./schema/class.ts";

export interface Fault {
  readonly code: PolicyCode;
  readonly message: string;
  readonly hint?: string;
  /** Inside the contract. */
  readonly path: Path;
}

/** What cannot hold together in one contract. `spec` is what was written, for what only the text can tell. */
export function contradictionsIn(
  contract: Contract,
  spec: ContractSpec,
  layout: TopologyLayout | undefined,
): readonly Fault[] {
  return [
    ...interruptionFaults(contract),
    ...demandFaults(contract),
    ...acceleratorFaults(contract),
    ...topologyFaults(contract, spec, layout),
  ];
}

const contradiction = (path: Path, message: string, hint: string): Fault => ({
  code: "Contradiction",
  path,
  message,
  hint,
});

function interruptionFaults({ interruption, capacity, demand }: Contract): Fault[] {
  const faults: Fault[] = [];
  const { spot, budget } = interruption;
  const types = capacity.types.join(", ");
  if (spot === "never" && capacity.types.includes("spot")) {
    const message = `capacity.types is ${types}, but interruption.spot is never.`;
    faults.push(
      contradiction(["capacity", "types"], message, "Take spot off the list, or say interruption.spot: allowed."),
    );
  }
  if (spot !== "never" && !capacity.types.includes("spot")) {
    const message = `interruption.spot is ${spot}, but capacity.types is ${types}, without spot.`;
    faults.push(
      contradiction(["interruption", "spot"], message, "Add spot to capacity.types, or say interruption.spot: never."),
    );
  }
  if (interruption.minLifetimeMs !== undefined && interruption.consolidation) {
    const message = `interruption.consolidation lets an autoscaler move pods at any time, but minLifetime protects them for ${durationText(interruption.minLifetimeMs)}.`;
    faults.push(
      contradiction(["interruption", "consolidation"], message, "Say consolidation: false, or leave minLifetime out."),
    );
  }
  if (budget?.maxUnavailable !== undefined && Number.parseInt(String(budget.maxUnavailable), 10) === 0) {
    const message = `interruption.budget.maxUnavailable is ${budget.maxUnavailable}, which never allows a disruption: no node under it can be drained.`;
    faults.push(
      contradiction(
        ["interruption", "budget", "maxUnavailable"],
        message,
        "Allow at least one, or use minLifetime to protect running work.",
      ),
    );
  }
  if (budget?.minAvailable !== undefined) faults.push(...minAvailableFaults(budget.minAvailable, demand.replicas));
  return faults;
}

function minAvailableFaults(
  minAvailable: number | string,
  replicas: { readonly min: number; readonly max?: number },
): Fault[] {
  const path: Path = ["interruption", "budget", "minAvailable"];
  const hint = "Lower minAvailable, or use maxUnavailable: 1, which holds at every size.";
  if (typeof minAvailable === "string") {
    if (Number.parseInt(minAvailable, 10) < 100) return [];
    return [
      contradiction(
        path,
        `interruption.budget.minAvailable is ${minAvailable}, which never allows a disruption.`,
        hint,
      ),
    ];
  }
  if (replicas.max !== undefined && minAvailable >= replicas.max) {
    return [
      contradiction(
        path,
        `interruption.budget.minAvailable is ${minAvailable}, and demand.replicas.max is ${replicas.max}: no disruption is ever allowed.`,
        hint,
      ),
    ];
  }
  if (replicas.min > 0 && minAvailable >= replicas.min) {
    const message = `interruption.budget.minAvailable is ${minAvailable}, and demand.replicas.min is ${replicas.min}: at its minimum nothing can be drained.`;
    return [{ code: "NeverAtFloor", path, message, hint }];
  }
  return [];
}

function demandFaults({ demand, latency, startup }: Contract): Fault[] {
  const faults: Fault[] = [];
  const { replicas, signals } = demand;
  if (replicas.max !== undefined && replicas.min > replicas.max) {
    faults.push(
      contradiction(
        ["demand", "replicas"],
        `demand.replicas.min is ${replicas.min}, more than max ${replicas.max}.`,
        "Raise max or lower min.",
      ),
    );
  }
  if (demand.scaleToZero && replicas.min > 0) {
    const message = `demand.scaleToZero is true, but demand.replicas.min is ${replicas.min}.`;
    faults.push(contradiction(["demand", "scaleToZero"], message, "Say replicas.min: 0, or scaleToZero: false."));
  }
  if (demand.scaleToZero && latency !== "none" && startup.costMs > latency.targetMs) {
    const message = `demand.scaleToZero lets a request wait for a start of ${durationText(startup.costMs)}, but the latency objective is ${latency.metric} within ${durationText(latency.targetMs)}.`;
    faults.push(contradiction(["demand", "scaleToZero"], message, "Keep at least one replica, or say latency: none."));
  }
  const both = (signals.allowed ?? []).filter((signal) => signals.forbidden.includes(signal));
  if (both.length > 0) {
    faults.push(
      contradiction(
        ["demand", "signals"],
        `demand.signals both allows and forbids ${both.join(", ")}.`,
        "Keep it in one of the two lists.",
      ),
    );
  }
  return faults;
}

function acceleratorFaults({ accelerator }: Contract): Fault[] {
  if (accelerator.kind !== "classes") return [];
  const { min, max, default: byDefault } = accelerator.perPod;
  const path: Path = ["accelerator", "perPod"];
  if (min > max)
    return [contradiction(path, `accelerator.perPod.min is ${min}, more than max ${max}.`, "Raise max or lower min.")];
  if (byDefault < min || byDefault > max)
    return [
      contradiction(
        [...path, "default"],
        `accelerator.perPod.default is ${byDefault}, outside ${min} to ${max}.`,
        `Choose a default from ${min} to ${max}.`,
      ),
    ];
  const nics = accelerator.align?.nics;
  if (nics?.per !== "pod" || nics.count % byDefault === 0 || byDefault % nics.count === 0) return [];
  return [
    contradiction(
      ["accelerator", "align", "nics", "count"],
      `accelerator.align.nics asks for ${plural(nics.count, "network device")} a pod, which cannot be dealt in equal parts to the ${plural(byDefault, "accelerator")} that it gets by default.`,
      `Choose a multiple or a divisor of ${byDefault}, or say per: gpu.`,
    ),
  ];
}

function topologyFaults({ topology }: Contract, spec: ContractSpec, layout: TopologyLayout | undefined): Fault[] {
  if (topology === undefined) return [];
  const faults: Fault[] = [];
  const { unit, groupSize, level, within, domains, mode, spread } = topology;
  const order = layout?.levels.map(({ name }) => name) ?? [];
  if (groupSize !== undefined && unit !== "group") {
    faults.push(
      contradiction(
        ["topology", "groupSize"],
        `topology.groupSize is ${groupSize}, but topology.unit is ${unit}.`,
        "Say unit: group, or leave groupSize out.",
      ),
    );
  }
  if (level === undefined) {
    for (const field of ["mode", "unit", "within", "domains", "pin"] as const) {
      const written = spec.topology?.[field];
      if (
        written === undefined ||
        written === "none" ||
        written === "shared" ||
        (field === "unit" && written === "pod")
      )
        continue;
      faults.push(
        contradiction(
          ["topology", field],
          `topology.${field} is ${written}, but there is no topology.level that it could be about.`,
          "Name a level, or leave the field out.",
        ),
      );
    }
  }
  const alone = unit === "pod" || unit === "workload";
  if (level !== undefined && within !== undefined && alone)
    faults.push(
      contradiction(
        ["topology", "within"],
        `topology.within is ${within}, but topology.unit is ${unit}, of which there are no several units to share it.`,
        `Say unit: podSet or group, or level: ${within} with unit: workload.`,
      ),
    );
  if (level !== undefined && within !== undefined && order.includes(level) && order.includes(within)) {
    if (order.indexOf(within) >= order.indexOf(level))
      faults.push(
        contradiction(
          ["topology", "within"],
          `topology.within is ${within}, which is not wider than topology.level ${level}.`,
          `Levels from wide to narrow: ${order.join(", ")}.`,
        ),
      );
  }
  if (level !== undefined && domains === "separate" && alone)
    faults.push(
      contradiction(
        ["topology", "domains"],
        `topology.domains is separate, but topology.unit is ${unit}, which has no units to keep apart.`,
        unit === "pod" ? "Say topology.spread, which keeps pods apart." : "Say unit: podSet or group.",
      ),
    );
  if (spread?.minDomains !== undefined && spread.mode === "preferred")
    faults.push(
      contradiction(
        ["topology", "spread", "minDomains"],
        `topology.spread.minDomains is ${spread.minDomains}, but mode is preferred, for which Kubernetes takes no minDomains.`,
        "Say mode: required, or leave minDomains out.",
      ),
    );
  if (
    level !== undefined &&
    spread !== undefined &&
    unit !== "pod" &&
    mode === "required" &&
    spread.mode === "required"
  ) {
    const shared = order.indexOf(level);
    const spreadOver = order.indexOf(spread.level);
    if (shared >= 0 && spreadOver >= 0 && spreadOver <= shared) {
      const message = `topology.level puts each ${unit} into one ${level}, but topology.spread demands several ${spread.level} domains.`;
      faults.push(
        contradiction(
          ["topology", "spread"],
          message,
          `Spread over a level inside ${level}, or make one of the two preferred.`,
        ),
      );
    }
  }
  return faults;
}
