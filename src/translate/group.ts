import { atLeast, DEFAULT_SCHEDULER, every, isKubeScheduler, stringAt, type TopologyNeed } from "../model/index.ts";
import { fieldPath } from "../workloads/index.ts";
import { metadata } from "./companion.ts";
import { canCarry, hashedName, instanceName, NOTHING, outerKeys, type Part, type SetContext, says } from "./context.ts";

/** scheduling.k8s.io/v1beta1 is served from 1.37; both gates are off by default, and an emitted field that is gated off vanishes without a word. */
export function podGroupServes(context: SetContext, need?: TopologyNeed): boolean {
  const { platform, workload } = context;
  const { version, featureGates } = platform.kubernetes;
  const gates = ["GenericWorkload", ...(need === undefined ? [] : ["TopologyAwareWorkloadScheduling"])];
  if (workload.kind.life !== "runOnce" || workload.queue !== undefined || need?.unit === "group") return false;
  // It compares one label, and knows of one level.
  if (
    need !== undefined &&
    (need.within !== undefined || need.domains === "separate" || outerKeys(context, need).length > 0)
  )
    return false;
  if (!atLeast(version, 1, 37) || !platform.companions.podGroups || !gates.every((gate) => featureGates[gate] === true))
    return false;
  if (!servedByKubeScheduler(context, need?.unit === "workload" ? workload.podSets : [context.set])) return false;
  if (instanceName(workload, context.entry.id) === "") return false;
  return (
    canCarry(context, "schedulingGroup") &&
    (need?.unit !== "workload" || workload.podSets.every((set) => fieldPath(set, "schedulingGroup") !== undefined))
  );
}

/** Other schedulers have groups of their own. */
function servedByKubeScheduler({ platform }: SetContext, sets: SetContext["workload"]["podSets"]): boolean {
  return sets.every(({ pod }) => isKubeScheduler(platform, stringAt(pod.spec, ["schedulerName"]) || DEFAULT_SCHEDULER));
}

/** All pods or none: by PodGroup where it is served, by Kueue where queued, by another scheduler as it may; elsewhere nothing does it, and that is said. */
export function gang(context: SetContext): Part {
  const { intent, workload, set, entry, layout } = context;
  const need = intent.contract.topology;
  const shared = need?.level !== undefined && need.unit !== "pod" && need.mode === "required" ? need : undefined;
  const isGang = intent.contract.demand.shape === "gang";
  const key = shared === undefined ? undefined : layout.levels.find((one) => one.name === shared.level)?.key;
  const topology = key !== undefined && podGroupServes(context, shared);
  const together = shared?.unit === "workload" && topology ? workload.podSets : [set];
  const pods = together.reduce((sum, one) => sum + one.count, 0);
  if (pods <= 1 || (!isGang && !topology)) return NOTHING;
  if (topology || (isGang && podGroupServes(context))) {
    const policy = isGang
      ? { gang: { minCount: together.reduce((sum, one) => sum + (one.minimum ?? one.count), 0) } }
      : { basic: {} };
    const priorityClassName =
      stringAt(set.pod.spec, ["priorityClassName"]) ?? intent.contract.tenancy.priorityClassName;
    const spec = {
      schedulingPolicy: policy,
      ...(topology && key !== undefined ? { schedulingConstraints: { topology: [{ key }] } } : {}),
      ...(priorityClassName === undefined ? {} : { priorityClassName }),
    };
    const who = together.length > 1 ? "" : set.name;
    const name = hashedName(instanceName(workload, entry.id), [entry.id ?? "", who, spec]);
    const group = {
      apiVersion: "scheduling.k8s.io/v1beta1",
      kind: "PodGroup",
      metadata: metadata(context, name),
      spec,
    };
    return {
      edits: [{ slot: "group", key: "", value: { podGroupName: name }, text: `scheduling group ${name}` }],
      companions: [group],
      diagnostics: [],
    };
  }
  if (!isGang || workload.queue !== undefined || entry.rung === "none") return NOTHING;
  if (!servedByKubeScheduler(context, [set])) return NOTHING;
  return says({
    code: "GangNotGuaranteed",
    severity: "warning",
    podSet: set.name,
    message: `nothing here starts ${every(pods, "pod")} together: without a queue or PodGroup, some may wait while the others hold their devices`,
    short: `nothing starts ${every(pods, "pod")} together: without a queue or PodGroup some may hold devices and wait`,
    hint: "Set the label kueue.x-k8s.io/queue-name where Kueue runs, or enable PodGroup (Kubernetes 1.37, GenericWorkload).",
  });
}
