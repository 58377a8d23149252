import { atLeast, durationText, type JsonObject } from "../model/index.ts";
import { groupOf } from "../workloads/index.ts";
import { metadata } from "./companion.ts";
import {
  canCarry,
  cannotExpress,
  hashedName,
  instanceLabels,
  instanceName,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  setLabels,
  wantAnnotation,
  wantLabels,
} from "./context.ts";
import { DO_NOT_DISRUPT_ANNOTATION, SAFE_TO_EVICT_ANNOTATION } from "./keys.ts";
import { groupPods, workloadSelector } from "./selector.ts";

/**
 * Against voluntary disruption. Annotations for both autoscalers, since a cluster may move from one to the other
 * without the manifest changing; where an online workload has a budget that somebody enforces, that instead.
 */
export function disruption(context: SetContext): Part {
  const { interruption, demand } = context.intent.contract;
  const budgeted = budget(context);
  const enforced = budgeted.companions.length > 0 && context.platform.companions.podDisruptionBudgets;
  const protect = !interruption.consolidation || interruption.minLifetimeMs !== undefined;
  const interactive = demand.shape === "online" || demand.shape === "session";
  if (!protect || (interactive && enforced)) return budgeted;
  return join(budgeted, annotations(context));
}

function annotations(context: SetContext): Part {
  if (!canCarry(context, "annotations")) {
    return says(
      cannotExpress(
        context,
        "protection from consolidation",
        `a ${context.workload.kind.kind} has no place for annotations of its pods`,
        "Turn consolidation off in the pool.",
        false,
      ),
    );
  }
  return join(
    wantAnnotation(context, DO_NOT_DISRUPT_ANNOTATION, doNotDisrupt(context)),
    wantAnnotation(context, SAFE_TO_EVICT_ANNOTATION, "false"),
  );
}

/** Until the minimum lifetime is over, from pod start on; for good where the class states none, or Karpenter is older than 1.12 and would ignore a duration. */
function doNotDisrupt({ platform, intent }: SetContext): string {
  const { minLifetimeMs } = intent.contract.interruption;
  const { kind, version } = platform.autoscaler;
  const understands = kind === "karpenter" && version !== undefined && atLeast(version, 1, 12);
  return minLifetimeMs !== undefined && understands ? durationText(minLifetimeMs) : "true";
}

function budget(context: SetContext): Part {
  const { workload, set, intent, platform, entry } = context;
  const wanted = intent.contract.interruption.budget;
  if (wanted === undefined || workload.kind.life !== "elastic") return NOTHING;
  const own = workloadSelector(context);
  if (own === undefined && !canCarry(context, "labels")) {
    return says(
      cannotExpress(
        context,
        "interruption.budget",
        `a ${workload.kind.kind} has neither a selector nor a place for labels of its pods`,
        "Use a kind that has one.",
        false,
      ),
    );
  }
  const labels = own === undefined ? instanceLabels(context, true) : {};
  const amounts = allowed(context);
  const spec = { ...amounts.value, selector: own ?? { matchLabels: labels } };
  const name = hashedName(instanceName(workload, entry.id), [
    "PodDisruptionBudget",
    entry.id ?? "",
    setLabels(context),
    spec,
  ]);
  const companion = { apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: metadata(context, name), spec };
  const diagnostics = [...amounts.diagnostics];
  if (!platform.companions.podDisruptionBudgets) {
    diagnostics.push({
      code: "CompanionNotCreated",
      severity: "info",
      podSet: set.name,
      message: `interruption.budget needs the PodDisruptionBudget ${name}, which nobody on this platform creates`,
      hint: "Apply the one that plimsoll expand prints.",
    });
  }
  const pods = groupPods(context);
  if (pods > 1) {
    diagnostics.push({
      code: "BudgetNotQuantised",
      severity: "warning",
      podSet: set.name,
      message: `interruption.budget counts pods, but one evicted pod restarts its whole group of ${pods}`,
      hint: "Choose a budget that leaves whole groups.",
    });
  }
  return join(own === undefined ? wantLabels(context, labels) : NOTHING, {
    edits: [],
    companions: [companion],
    diagnostics,
  });
}

const SCALED = new Set([
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "/ReplicationController",
  "argoproj.io/Rollout",
]);

/** Percentages and maxUnavailable need a controller with a scale subresource; for pods of any other, only a count that must stay works. */
function allowed({ intent, workload, set }: SetContext): {
  readonly value: JsonObject;
  readonly diagnostics: readonly Part["diagnostics"][number][];
} {
  const { minAvailable, maxUnavailable } = intent.contract.interruption.budget ?? {};
  const { kind } = workload;
  const group = `${groupOf(kind.apiVersion)}/${kind.kind}`;
  const scaled = SCALED.has(group) || kind.scale || kind.makes.some((one) => SCALED.has(one));
  const stated: JsonObject =
    minAvailable !== undefined ? { minAvailable } : maxUnavailable !== undefined ? { maxUnavailable } : {};
  if (scaled || typeof minAvailable === "number") return { value: stated, diagnostics: [] };
  const stay =
    minAvailable !== undefined
      ? share(minAvailable, set.count)
      : Math.max(0, set.count - share(maxUnavailable ?? 0, set.count));
  return {
    value: { minAvailable: stay },
    diagnostics: [
      {
        code: "BudgetNotQuantised",
        severity: "warning",
        podSet: set.name,
        message: `pods of a ${kind.kind} have no scale subresource, so the budget is written as minAvailable ${stay} of ${set.count} and does not follow the count`,
        hint: "Renew the decision after scaling.",
      },
    ],
  };
}

/** Percentages round up, as the disruption controller does. */
function share(amount: number | string, count: number): number {
  if (typeof amount === "number") return amount;
  const percent = /^(\d{1,3})%$/.exec(amount);
  return percent === null ? 0 : Math.ceil((Number(percent[1]) * count) / 100);
}
