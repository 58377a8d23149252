import {
  arrayAt,
  durationText,
  integerAt,
  objectAt,
  podSelection,
  requirementText,
  stringAt,
} from "../../model/index.ts";
import { fieldPath } from "../../workloads/index.ts";
import { at, autoscalerText, containersOf, groupKind, oneOf, plural, setText, usesSpot } from "./read.ts";
import { scaleOf } from "./scale.ts";
import type { Rule, RuleContext } from "./types.ts";

/** Budget, grace period, spot and retries. The annotations that protect a pod are in protection.ts. */
export const interruptionRules: readonly Rule[] = [
  {
    id: "DR02",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "is so few pods that the class's disruption budget allows none to be evicted",
    remedy: "Run more replicas, or use a budget that leaves room for one eviction.",
    link: "https://github.com/kubernetes-sigs/karpenter/issues/2802",
    *check({ workload, set, intent }) {
      const { budget } = intent.contract.interruption;
      const count = scaleOf(workload, set)?.floor ?? set.count;
      if (budget === undefined || workload.kind.life !== "elastic" || count < 1 || set.entry.interrupt === "never")
        return;
      const field = budget.maxUnavailable === undefined ? "minAvailable" : "maxUnavailable";
      const amount = budget.maxUnavailable ?? budget.minAvailable ?? 0;
      const pods = podsOf(amount, count);
      const allowed = field === "maxUnavailable" ? pods : count - pods;
      if (allowed > 0) return;
      yield {
        message: `The budget of class ${intent.className} (${field}: ${amount}) allows none of the ${plural(count, "pod")} of ${setText(workload, set)} to be evicted, so no node under it can ever be drained.`,
        ...(field === "minAvailable" ? { hint: `Run ${needed(amount, count)} replicas or more.` } : {}),
        path: scaleOf(workload, set)?.path ?? set.path,
      };
    },
  },
  {
    id: "DR11",
    declaration: "interruption",
    severity: "warning",
    scope: "podSet",
    title: "has a longer grace period than the autoscaler or the cloud grants",
    remedy: "Drain faster, or choose capacity whose reclaim notice is long enough.",
    link: "https://github.com/kubernetes/autoscaler/blob/master/cluster-autoscaler/FAQ.md#does-ca-respect-gracefultermination-in-scale-down",
    *check({ workload, set, intent, catalogue }) {
      const seconds = integerAt(set.pod.spec, ["terminationGracePeriodSeconds"]);
      if (seconds === undefined) return;
      const { platform } = catalogue;
      const cap = platform.autoscaler.maxGracePeriodMs;
      if (cap !== undefined && seconds * 1000 > cap) {
        yield {
          message: `${setText(workload, set)} has ${durationText(seconds * 1000)} to end, but ${autoscalerText(platform.autoscaler.kind)} here cuts that at ${durationText(cap)} when it removes a node.`,
          path: gracePath(set),
        };
      }
      for (const type of intent.contract.capacity.types) {
        const notice = platform.reclaimNoticeMs[type];
        if (notice === undefined || seconds * 1000 <= notice) continue;
        if (type === "spot" && !usesSpot({ workload, set, intent })) continue;
        yield {
          message: `${setText(workload, set)} has ${durationText(seconds * 1000)} to end, but ${type} capacity, which class ${intent.className} allows, is taken back ${durationText(notice)} after its notice.`,
          path: gracePath(set),
        };
      }
    },
  },
  {
    id: "DR12",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "is killed before it has drained",
    remedy: "Leave terminationGracePeriodSeconds out (the class supplies it), or make it as long as the drain.",
    link: "https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/#pod-termination",
    *check({ workload, set, intent }) {
      const written = integerAt(set.pod.spec, ["terminationGracePeriodSeconds"]);
      const { drainTimeoutMs } = intent.contract.interruption;
      // 30 is what the API server fills in, so it counts as absent and the class supplies the drain timeout.
      const supplied = written === undefined || written === DEFAULT_GRACE_SECONDS;
      if (!supplied && drainTimeoutMs !== undefined && written * 1000 < drainTimeoutMs) {
        yield {
          message: `terminationGracePeriodSeconds of ${setText(workload, set)} is ${written}, but class ${intent.className} gives it ${durationText(drainTimeoutMs)} to drain.`,
          hint: `Leave it out, or set it to ${Math.ceil(drainTimeoutMs / 1000)}.`,
          path: gracePath(set),
        };
      }
      const graceMs = supplied ? (drainTimeoutMs ?? DEFAULT_GRACE_SECONDS * 1000) : written * 1000;
      for (const { name, path, spec } of containersOf(set)) {
        const sleep = integerAt(spec, ["lifecycle", "preStop", "sleep", "seconds"]);
        if (sleep === undefined || sleep * 1000 < graceMs) continue;
        yield {
          message: `The preStop hook of container ${name} sleeps ${durationText(sleep * 1000)}, which uses up the whole grace period of ${durationText(graceMs)}: the process is killed without having been told to stop.`,
          path: [...path, "lifecycle", "preStop", "sleep", "seconds"],
        };
      }
    },
  },
  {
    id: "DR14",
    declaration: "interruption",
    severity: "warning",
    scope: "podSet",
    title: "counts a disruption as a failure of its own",
    remedy:
      "Add a podFailurePolicy rule with action Ignore for the pod condition DisruptionTarget (restartPolicy Never).",
    link: "https://kubernetes.io/docs/tasks/job/pod-failure-policy/",
    *check({ workload, set }) {
      if (!["batch/Job", "batch/CronJob", "keda.sh/ScaledJob"].includes(groupKind(workload))) return;
      const job = objectAt(workload.object, set.path.slice(0, -1));
      const limit = integerAt(job, ["backoffLimitPerIndex"]) ?? integerAt(job, ["backoffLimit"]) ?? 6;
      const ignores = arrayAt(job, ["podFailurePolicy", "rules"]).some(
        (rule) =>
          stringAt(rule, ["action"]) === "Ignore" &&
          arrayAt(rule, ["onPodConditions"]).some((condition) => stringAt(condition, ["type"]) === "DisruptionTarget"),
      );
      if (ignores || limit > 6) return;
      yield {
        message: `${setText(workload, set)} is given up after ${plural(limit, "failed pod")}, and a drain, a preemption or a reclaimed node counts as one: no podFailurePolicy rule ignores DisruptionTarget.`,
        path: [...set.path.slice(0, -1), "podFailurePolicy"],
      };
    },
  },
  {
    id: "DR18",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "names eviction responders and a scheduling group, which exclude each other",
    remedy: "Remove one of the two fields.",
    link: "https://github.com/kubernetes/enhancements/issues/4563",
    *check({ workload, set }) {
      const responders = arrayAt(set.pod.spec, ["evictionResponders"]);
      const group = objectAt(set.pod.spec, ["schedulingGroup"]);
      if (responders.length === 0 || Object.keys(group).length === 0) return;
      yield {
        message: `${setText(workload, set)} names ${plural(responders.length, "eviction responder")} and the scheduling group ${stringAt(group, ["podGroupName"]) ?? "without a name"}; the API server refuses a pod that has both.`,
        path: at(set, "evictionResponders"),
      };
    },
  },
  {
    id: "RS04",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "asks for spot capacity although the class never uses it",
    remedy: "Remove the selector (the class selects its capacity), or choose a class that allows spot.",
    link: "https://github.com/aws/karpenter-provider-aws/issues/8160",
    *check(context) {
      const { workload, set, intent } = context;
      const asked = spotSelector(context);
      if (asked === undefined || set.entry.interrupt === "never" || usesSpot(context)) return;
      yield {
        message: `${setText(workload, set)} selects ${asked}, which is spot capacity, but class ${intent.className} runs on ${oneOf(intent.contract.capacity.types.filter((type) => type !== "spot"))} only.`,
        path: at(set, "nodeSelector"),
      };
    },
  },
  {
    id: "RS06",
    declaration: "interruption",
    severity: "error",
    scope: "podSet",
    title: "may lose the pod that the whole workload depends on to a spot reclaim",
    remedy: "Give the role a part of its own in the class: roles: {ROLE: {capacity: {types: [on-demand]}}}.",
    link: "https://docs.ray.io/en/latest/cluster/kubernetes/user-guides/kuberay-gcs-ft.html",
    *check(context) {
      const { workload, set, intent } = context;
      if (set.entry.interrupt !== "never") return;
      const asked = spotSelector(context);
      const lost = `losing the ${set.role} ends the whole ${workload.key.kind}`;
      if (asked !== undefined) {
        yield {
          message: `${setText(workload, set)} selects ${asked}, which is spot capacity, but ${lost}.`,
          hint: "Remove the selector.",
          path: at(set, "nodeSelector"),
        };
      } else if (usesSpot(context)) {
        yield {
          message: `Class ${intent.className} lets ${setText(workload, set)} run on ${oneOf(intent.contract.capacity.types)} capacity, but ${lost}.`,
          hint: `Add roles: {${set.role}: {interruption: {spot: never}, capacity: {types: [on-demand]}}} to class ${intent.className}.`,
          path: set.path,
        };
      }
    },
  },
];

const DEFAULT_GRACE_SECONDS = 30;

const gracePath = (set: RuleContext["set"]) =>
  fieldPath(set, "terminationGracePeriodSeconds") ?? at(set, "terminationGracePeriodSeconds");

/** Percentages round up for both fields, as the disruption controller does. */
function podsOf(amount: number | string, count: number): number {
  if (typeof amount === "number") return amount;
  const percent = /^(\d{1,3})%$/.exec(amount)?.[1];
  return percent === undefined ? 0 : Math.ceil((Number(percent) * count) / 100);
}

/** The fewest replicas at which a minAvailable leaves one pod to evict. */
function needed(minAvailable: number | string, count: number): number {
  for (let size = count + 1; size <= count + 100; size += 1) if (podsOf(minAvailable, size) < size) return size;
  return count + 1;
}

/** Labels by which clouds and provisioners mark spot nodes, whatever dialect the platform speaks. */
const SPOT_LABELS: Readonly<Record<string, readonly string[]>> = {
  "karpenter.sh/capacity-type": ["spot"],
  "eks.amazonaws.com/capacityType": ["SPOT"],
  "cloud.google.com/gke-spot": ["true"],
  "cloud.google.com/gke-preemptible": ["true"],
  "cloud.google.com/gke-provisioning": ["spot"],
  "kubernetes.azure.com/scalesetpriority": ["spot"],
};

/** The requirement by which every alternative of the user's own selection demands spot nodes. */
function spotSelector({ set, catalogue }: RuleContext): string | undefined {
  const labels = new Map(Object.entries(SPOT_LABELS));
  const here = catalogue.platform.dialect.capacityTypes.spot?.requirement;
  if (here !== undefined && !here.complement && !here.absent) labels.set(here.key, here.values);
  const { selection } = podSelection(set.pod.spec);
  const found = selection.map((term) =>
    [...term.values()].find(
      (one) =>
        !one.absent &&
        !one.complement &&
        one.values.length > 0 &&
        one.values.every((value) => labels.get(one.key)?.includes(value) ?? false),
    ),
  );
  const [first] = found;
  return first !== undefined && found.every((one) => one !== undefined) ? requirementText(first) : undefined;
}
