import { arrayAt, CLASS_LABEL, type JsonObject, objectAt, stringAt, type TopologyNeed } from "../model/index.ts";
import { groupPartners } from "../workloads/index.ts";
import { canCarry, instanceLabels, type SetContext, setLabels } from "./context.ts";

/** Pods of one group of these kinds share the label; `whole`: the group is leader and workers together. */
export const GROUP_LABELS: Readonly<Record<string, { readonly label: string; readonly whole: boolean }>> = {
  LeaderWorkerSet: { label: "leaderworkerset.sigs.k8s.io/group-key", whole: true },
  DisaggregatedSet: { label: "leaderworkerset.sigs.k8s.io/group-key", whole: true },
  JobSet: { label: "jobset.sigs.k8s.io/job-key", whole: false },
};

/** The pods of one unit, as a selector of the pods themselves. `labels` have to be put on them for it. */
export interface SelfSelector {
  readonly labelSelector: JsonObject;
  readonly labelKey: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** Undefined where no label tells the unit: there is no place for one, or the kind does not know the group. */
export function selfSelector(context: SetContext, need: TopologyNeed): SelfSelector | undefined {
  const { set, intent, workload } = context;
  if (!canCarry(context, "labels")) return undefined;
  const group = GROUP_LABELS[workload.kind.kind];
  const anyClass = { matchExpressions: [{ key: CLASS_LABEL, operator: "Exists" }] };
  if (need.unit === "group") {
    if (group === undefined || (need.groupSize !== undefined && need.groupSize !== groupPods(context)))
      return undefined;
    return { labelSelector: anyClass, labelKey: group.label, labels: {} };
  }
  const bySet = need.unit === "podSet";
  // A label of each group tells less than the unit needs, so those kinds get a label of ours.
  if (set.gangLabel === undefined || set.gangLabel === group?.label) {
    const labels = instanceLabels(context, bySet);
    return { labelSelector: { matchLabels: labels }, labelKey: undefined, labels };
  }
  if (!bySet) return { labelSelector: anyClass, labelKey: set.gangLabel, labels: {} };
  const labels = setLabels(context);
  return {
    labelSelector: { matchLabels: { [CLASS_LABEL]: intent.className, ...labels } },
    labelKey: set.gangLabel,
    labels,
  };
}

/** Pods that the kind makes and restarts as one group: a leader with its workers, the pods of one job. */
export function groupPods({ workload, set }: SetContext): number {
  return groupPartners(workload, set).reduce((sum, one) => sum + (one.groupSize ?? 1), 0);
}

/** The workload's own selector where it has one (with the revision's label), else labels of ours. */
export function spreadSelector(context: SetContext): SelfSelector | undefined {
  const own = workloadSelector(context);
  const revision = context.set.gangLabel;
  if (own !== undefined)
    return {
      labelSelector: own,
      labelKey: revision !== undefined && !mentions(own, revision) ? revision : undefined,
      labels: {},
    };
  if (!canCarry(context, "labels")) return undefined;
  const labels = instanceLabels(context, true);
  return { labelSelector: { matchLabels: labels }, labelKey: undefined, labels };
}

const mentions = (selector: JsonObject, key: string): boolean =>
  Object.hasOwn(objectAt(selector, ["matchLabels"]), key) ||
  arrayAt(selector, ["matchExpressions"]).some((one) => stringAt(one, ["key"]) === key);

/** `spec.selector` of kinds that have one for the pods of their only pod set. */
export function workloadSelector({ workload }: SetContext): JsonObject | undefined {
  const selector = objectAt(workload.object, ["spec", "selector"]);
  if (workload.podSets.length !== 1 || workload.kind.life === "runOnce" || Object.keys(selector).length === 0)
    return undefined;
  if (workload.kind.kind === "ReplicationController") return { matchLabels: selector };
  const { matchLabels, matchExpressions } = selector;
  if (matchLabels === undefined && matchExpressions === undefined) return undefined;
  return {
    ...(matchLabels === undefined ? {} : { matchLabels }),
    ...(matchExpressions === undefined ? {} : { matchExpressions }),
  };
}
