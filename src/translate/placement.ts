import {
  arrayAt,
  atLeast,
  CLASS_LABEL,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
  TENANT_LABEL,
  type TopologyNeed,
} from "../model/index.ts";
import { fieldPath, type Workload } from "../workloads/index.ts";
import {
  affinityPath,
  canCarry,
  cannotExpress,
  edits,
  hashedName,
  instanceLabels,
  instanceName,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  setLabels,
  valueKept,
  wantAnnotation,
  wantLabels,
} from "./context.ts";
import {
  KUEUE_GROUP_ANNOTATION,
  KUEUE_PREFERRED_ANNOTATION,
  KUEUE_REQUIRED_ANNOTATION,
  KUEUE_SLICE_ANNOTATION,
  KUEUE_SLICE_SIZE_ANNOTATION,
  KUEUE_UNCONSTRAINED_ANNOTATION,
} from "./keys.ts";
import { hiddenItems, nodeSelection } from "./selection.ts";

/** Pods of one group of these kinds share the label; `whole`: the group is leader and workers together. */
const GROUP_LABELS: Readonly<Record<string, { readonly label: string; readonly whole: boolean }>> = {
  LeaderWorkerSet: { label: "leaderworkerset.sigs.k8s.io/group-key", whole: true },
  DisaggregatedSet: { label: "leaderworkerset.sigs.k8s.io/group-key", whole: true },
  JobSet: { label: "jobset.sigs.k8s.io/job-key", whole: false },
};

/** The level that each unit shares, by the first means that the platform has; then the domains to start from. */
export function level(context: SetContext): Part {
  const need = context.intent.contract.topology;
  if (need?.level === undefined || need.unit === "pod") return NOTHING;
  const key = context.layout.levels.find((one) => one.name === need.level)?.key;
  if (key === undefined) {
    return says(
      cannotExpress(
        context,
        `topology.level ${need.level}`,
        `layout ${context.layout.name} has no such level`,
        "Name a level of the layout.",
        need.mode === "required",
      ),
    );
  }
  if (context.set.count <= 1 && need.unit === "podSet") return NOTHING;
  if (isQueued(context)) return kueue(context, need, key);
  if (need.mode === "required" && podGroupServes(context, need)) return pin(context, need);
  return join(podAffinity(context, need, key), pin(context, need));
}

const isQueued = ({ workload, platform }: SetContext): boolean =>
  workload.queue !== undefined && platform.kueue !== undefined;

function kueue(context: SetContext, need: TopologyNeed, key: string): Part {
  const { set, workload } = context;
  if (!canCarry(context, "annotations")) {
    return says(
      cannotExpress(
        context,
        `topology.level ${need.level}`,
        `a ${workload.kind.kind} has no place for annotations of its pods`,
        "Use a kind that Kueue reads topology requests from.",
        need.mode === "required",
      ),
    );
  }
  const annotation = need.mode === "required" ? KUEUE_REQUIRED_ANNOTATION : KUEUE_PREFERRED_ANNOTATION;
  const group = GROUP_LABELS[workload.kind.kind];
  const other = [KUEUE_REQUIRED_ANNOTATION, KUEUE_PREFERRED_ANNOTATION, KUEUE_UNCONSTRAINED_ANNOTATION].find(
    (one) => one !== annotation && Object.hasOwn(set.pod.annotations, one),
  );
  if (other !== undefined)
    return says(
      valueKept(
        context,
        [...(fieldPath(set, "annotations") ?? set.path), other],
        `${other}=${set.pod.annotations[other]}`,
        `${annotation}=${key}`,
      ),
    );
  if (need.unit === "group" && group?.whole !== true) {
    const size = need.groupSize ?? set.groupSize;
    if (size === undefined || need.mode === "preferred") {
      return says(
        cannotExpress(
          context,
          `topology.unit group at level ${need.level}`,
          "Kueue places slices of a known size, and only as a requirement",
          "State topology.groupSize and mode required.",
          need.mode === "required",
        ),
      );
    }
    return join(
      wantAnnotation(context, KUEUE_SLICE_ANNOTATION, key),
      wantAnnotation(context, KUEUE_SLICE_SIZE_ANNOTATION, String(size)),
      wantAnnotation(context, KUEUE_UNCONSTRAINED_ANNOTATION, "true"),
    );
  }
  const together = (need.unit === "workload" || need.unit === "group") && workload.podSets.length > 1;
  if (!together) return wantAnnotation(context, annotation, key);
  if (workload.podSets.length > 2 || (need.unit === "workload" && !workload.podSets.some((one) => one.count === 1))) {
    return says(
      cannotExpress(
        context,
        `topology.unit ${need.unit} at level ${need.level}`,
        "Kueue groups two pod sets, one of them a single leader",
        "Use topology.unit podSet.",
        need.mode === "required",
      ),
    );
  }
  return join(wantAnnotation(context, annotation, key), wantAnnotation(context, KUEUE_GROUP_ANNOTATION, "plimsoll"));
}

/** scheduling.k8s.io/v1beta1 is served from 1.37; both gates are off by default, and an emitted field that is gated off vanishes without a word. */
export function podGroupServes(context: SetContext, need?: TopologyNeed): boolean {
  const { platform, workload } = context;
  const { version, featureGates } = platform.kubernetes;
  const gates = ["GenericWorkload", ...(need === undefined ? [] : ["TopologyAwareWorkloadScheduling"])];
  if (workload.kind.life !== "runOnce" || workload.queue !== undefined || need?.unit === "group") return false;
  if (!atLeast(version, 1, 37) || !platform.companions.podGroups || !gates.every((gate) => featureGates[gate] === true))
    return false;
  if (instanceName(workload, context.entry.id) === "") return false;
  return (
    canCarry(context, "schedulingGroup") &&
    (need?.unit !== "workload" || workload.podSets.every((set) => fieldPath(set, "schedulingGroup") !== undefined))
  );
}

function podAffinity(context: SetContext, need: TopologyNeed, key: string): Part {
  const required = need.mode === "required";
  const self = selfSelector(context, need);
  if (self === undefined) {
    const what =
      need.unit === "group" ? "no label that the pods of one group share" : "no place for labels of its pods";
    return says(
      cannotExpress(
        context,
        `topology.unit ${need.unit} at level ${need.level}`,
        `a ${context.workload.kind.kind} has ${what}`,
        "Use a kind that has one (LeaderWorkerSet, JobSet), a queue, or topology.unit podSet.",
        required,
      ),
    );
  }
  if (affinityPath(context) === undefined) {
    return says(
      cannotExpress(
        context,
        `topology.level ${need.level}`,
        `a ${context.workload.kind.kind} has no place for pod affinity in this pod set`,
        "Use a kind that has one, or a queue.",
        required,
      ),
    );
  }
  const term = {
    labelSelector: self.labelSelector,
    ...(self.labelKey === undefined ? {} : { matchLabelKeys: [self.labelKey] }),
    topologyKey: key,
  };
  const words = `pod affinity: one ${need.level} (${key}) for each ${need.unit}`;
  const edit = required
    ? { slot: "podTerm" as const, key: "", value: term, text: `required ${words}` }
    : {
        slot: "podPreference" as const,
        key: "",
        value: { weight: 100, podAffinityTerm: term },
        text: `preferred ${words}`,
      };
  return join(wantLabels(context, self.labels), edits(edit), steer(context, need));
}

/** The pods of one unit, as a selector of the pods themselves. `labels` have to be put on them for it. */
interface SelfSelector {
  readonly labelSelector: JsonObject;
  readonly labelKey: string | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

function selfSelector(context: SetContext, need: TopologyNeed): SelfSelector | undefined {
  const { set, intent, workload } = context;
  if (!canCarry(context, "labels")) return undefined;
  const group = GROUP_LABELS[workload.kind.kind];
  const anyClass = { matchExpressions: [{ key: CLASS_LABEL, operator: "Exists" }] };
  if (need.unit === "group") {
    if (group === undefined || (need.groupSize !== undefined && need.groupSize !== groupSize(context, group.whole)))
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

function groupSize({ workload, set }: SetContext, whole: boolean): number | undefined {
  if (!whole) return set.groupSize;
  return workload.podSets.reduce((sum, one) => sum + (one.groupSize ?? 0), 0);
}

/** The first pod goes anywhere and the others follow it, so it is drawn to where all of them fitted when it was decided. */
function steer(context: SetContext, need: TopologyNeed): Part {
  const { entry, intent } = context;
  const domains = entry.steer;
  const parts: Part[] = [];
  if (domains !== undefined && domains.values.length > 0 && intent.contract.topology?.pin !== "domain") {
    const value = {
      weight: 100,
      preference: { matchExpressions: [{ key: domains.key, operator: "In", values: domains.values }] },
    };
    parts.push(
      edits({
        slot: "nodePreference",
        key: "",
        value,
        text: `preferred node affinity ${domains.key} In [${domains.values.join(", ")}]`,
      }),
    );
  }
  if (need.mode === "required" && !(intent.contract.topology?.pin === "domain" && domains !== undefined)) {
    parts.push(
      says({
        code: "NotGuaranteed",
        severity: "warning",
        podSet: context.set.name,
        message: `pod affinity keeps the ${need.unit} in one ${need.level}, but the scheduler may start in one that has no room for all ${context.set.count} pods`,
        hint: "Use a queue (Kueue) or PodGroup, or topology.pin: domain for work that rather waits than moves.",
      }),
    );
  }
  return join(...parts);
}

/** For work that rather waits than moves: only the domains in which it fitted. */
function pin(context: SetContext, need: TopologyNeed): Part {
  const domains = context.entry.steer;
  if (
    need.pin !== "domain" ||
    context.workload.kind.life !== "runOnce" ||
    domains === undefined ||
    domains.values.length === 0
  )
    return NOTHING;
  return nodeSelection(context, [{ key: domains.key, absent: false, complement: false, values: domains.values }]);
}

/** Replicas over domains. A constraint of the user's over the same key stands. */
export function spread(context: SetContext): Part {
  const { set, workload, layout, intent } = context;
  const need = intent.contract.topology?.spread;
  if (need === undefined) return NOTHING;
  const required = need.mode === "required";
  const what = `topology.spread over ${need.level}`;
  const key = layout.levels.find((one) => one.name === need.level)?.key;
  if (key === undefined)
    return says(
      cannotExpress(context, what, `layout ${layout.name} has no such level`, "Name a level of the layout.", required),
    );
  const whenUnsatisfiable = required ? "DoNotSchedule" : "ScheduleAnyway";
  const path = fieldPath(set, "topologySpreadConstraints");
  const present = arrayAt(set.pod.spec, ["topologySpreadConstraints"]);
  const index = present.findIndex((one) => stringAt(one, ["topologyKey"]) === key);
  if (index >= 0) {
    const theirs = objectAt(present[index], []);
    const strict = theirs["whenUnsatisfiable"] === "DoNotSchedule" || !required;
    const close = typeof theirs["maxSkew"] === "number" && theirs["maxSkew"] <= need.maxSkew;
    if (strict && close) return NOTHING;
    const said = `maxSkew ${JSON.stringify(theirs["maxSkew"] ?? null)} ${JSON.stringify(theirs["whenUnsatisfiable"] ?? null)}`;
    return says(
      valueKept(context, [...(path ?? set.path), index], said, `maxSkew ${need.maxSkew} ${whenUnsatisfiable}`),
    );
  }
  if (path === undefined) {
    return says(
      cannotExpress(
        context,
        what,
        `a ${workload.kind.kind} has no place for topologySpreadConstraints in this pod set`,
        "Use a kind that has one, or leave topology.spread out for it.",
        required,
      ),
    );
  }
  const self = spreadSelector(context);
  if (self === undefined)
    return says(
      cannotExpress(
        context,
        what,
        `a ${workload.kind.kind} has no place for labels of its pods`,
        "Use a kind that has one.",
        required,
      ),
    );
  const value = {
    maxSkew: need.maxSkew,
    topologyKey: key,
    whenUnsatisfiable,
    labelSelector: self.labelSelector,
    ...(self.labelKey === undefined ? {} : { matchLabelKeys: [self.labelKey] }),
  };
  const filler = hiddenItems(context, "topologySpreadConstraints", path);
  return join(
    wantLabels(context, self.labels),
    edits(
      ...filler.map((item: Json) => ({
        slot: "spread" as const,
        key: "",
        value: item,
        text: "topology spread (inherited)",
      })),
      {
        slot: "spread",
        key: "",
        value,
        text: `topology spread over ${key}, skew ${need.maxSkew}, ${whenUnsatisfiable}`,
      },
    ),
  );
}

/** The workload's own selector where it has one (with the revision's label), else labels of ours. */
function spreadSelector(context: SetContext): SelfSelector | undefined {
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

/** All pods or none: by PodGroup where it is served, by Kueue where queued; elsewhere nothing does it, and that is said. */
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
  return says({
    code: "GangNotGuaranteed",
    severity: "warning",
    podSet: set.name,
    message: `nothing here starts all ${pods} pods together: without a queue or PodGroup, some may wait while the others hold their devices`,
    hint: "Set the label kueue.x-k8s.io/queue-name where Kueue runs, or enable PodGroup (Kubernetes 1.37, GenericWorkload).",
  });
}

const MANAGED = { "app.kubernetes.io/managed-by": "plimsoll" };

/** Metadata of a companion that one instance owns: in the workload's namespace, with its class and tenant. */
export function metadata({ workload, intent, tenant }: SetContext, name: string): JsonObject {
  const labels = { ...MANAGED, [CLASS_LABEL]: intent.className, ...(tenant === "" ? {} : { [TENANT_LABEL]: tenant }) };
  return { ...sharedMetadata(workload, name), labels };
}

/** Of a companion that is named by its content: equal for every workload that shares it, whatever its class. */
export function sharedMetadata({ key }: Workload, name: string): JsonObject {
  return { name, ...(key.namespace === "" ? {} : { namespace: key.namespace }), labels: MANAGED };
}
