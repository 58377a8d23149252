import {
  allowsLabels,
  arrayAt,
  domainNoun,
  every,
  labelSelector,
  objectAt,
  type SetDecision,
  type TopologyNeed,
} from "../model/index.ts";
import {
  affinityPath,
  cannotExpress,
  edits,
  isRunOnce,
  join,
  NOTHING,
  outerKeys,
  type Part,
  type SetContext,
  says,
  setLabels,
  wantLabels,
} from "./context.ts";
import { podGroupServes } from "./group.ts";
import { SET_LABEL } from "./keys.ts";
import { isQueued, kueue } from "./kueue.ts";
import { nodeSelection } from "./selection.ts";
import { type SelfSelector, selfSelector } from "./selector.ts";

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
  if (required && selectsOthers(context))
    return says(
      cannotExpress(
        context,
        `topology.level ${need.level}`,
        "the manifest's own required pod affinity selects other pods, and kube-scheduler counts only pods that match all terms",
        "Make that affinity a preference, or leave topology.level out.",
      ),
    );
  return join(
    shareLevel(context, { ...need, level: need.level ?? "" }, key, self),
    shareWithin(context, need),
    keepApart(context, need, key, self),
    steer(context, need),
  );
}

/** Does a required term of the user's own select pods that are not these. */
function selectsOthers({ set }: SetContext): boolean {
  const terms = arrayAt(set.pod.spec, ["affinity", "podAffinity", "requiredDuringSchedulingIgnoredDuringExecution"]);
  return terms.some((term) => {
    const selector = labelSelector(objectAt(term, ["labelSelector"]));
    return selector !== undefined && !allowsLabels(selector, set.pod.labels);
  });
}

/**
 * Pods of one unit share a domain: affinity to each other over the level's label and, where its values are not unique, over those of the wider
 * levels that tell them apart, since the scheduler compares values and all terms have to hold.
 */
function shareLevel(
  context: SetContext,
  need: Pick<TopologyNeed, "unit" | "mode"> & { readonly level: string },
  key: string,
  self: SelfSelector,
): Part {
  const terms = [key, ...outerKeys(context, need)].map((topologyKey, index) => {
    const term = {
      labelSelector: self.labelSelector,
      ...(self.labelKey === undefined ? {} : { matchLabelKeys: [self.labelKey] }),
      topologyKey,
    };
    const words =
      index === 0
        ? `pod affinity: one ${need.level} (${key}) for each ${need.unit}`
        : `pod affinity: the same ${topologyKey}, since values of ${key} are not unique`;
    return need.mode === "required"
      ? { slot: "podTerm" as const, key: "", value: term, text: `required ${words}` }
      : {
          slot: "podPreference" as const,
          key: "",
          value: { weight: 100, podAffinityTerm: term },
          text: `preferred ${words}`,
        };
  });
  return join(wantLabels(context, self.labels), edits(...terms));
}

/**
 * What all units of the workload share. The scheduler counts only pods that match the selectors of all required terms, so a second term for the whole
 * workload beside that of the unit would not hold its units together: only work that is pinned to the wider domain has them there.
 */
function shareWithin(context: SetContext, need: TopologyNeed): Part {
  const key = context.layout.levels.find((one) => one.name === need.within)?.key;
  if (need.within === undefined || (need.mode === "required" && isPinned(context))) return NOTHING;
  const self = selfSelector(context, { ...need, unit: "workload" });
  if (need.mode === "preferred" && key !== undefined && self !== undefined)
    return shareLevel(context, { unit: "workload", mode: need.mode, level: need.within }, key, self);
  return says(
    cannotExpress(
      context,
      `topology.within ${need.within}`,
      key === undefined
        ? `layout ${context.layout.name} has no such level`
        : "kube-scheduler counts only pods that match all terms of a pod affinity, so it cannot hold units and all of them together",
      "Use a queue (Kueue places slices within a domain), or topology.pin: domain for work that runs once and fits now.",
      need.mode === "required",
    ),
  );
}

/** No pod of another unit of the workload in the domain: anti-affinity to all pods of the workload that carry another value of the unit's label. */
function keepApart(context: SetContext, need: TopologyNeed, key: string, self: SelfSelector): Part {
  const { workload } = context;
  const required = need.mode === "required";
  const alone = need.unit === "podSet" && workload.podSets.length === 1;
  if (need.domains !== "separate" || (need.unit !== "group" && need.unit !== "podSet") || alone) return NOTHING;
  const outer = outerKeys(context, need);
  const whole = selfSelector(context, { ...need, unit: "workload" });
  const unitLabel = need.unit === "group" ? self.labelKey : SET_LABEL;
  const cannot = (why: string, hint: string): Part =>
    says(cannotExpress(context, `topology.domains separate at level ${need.level}`, why, hint, required));
  if (outer.length > 0)
    return cannot(
      `values of ${key} are not unique across ${outer.join(" and ")}, and anti-affinity compares one label`,
      `Give nodes a label that names each ${need.level} uniquely, and name it in the layout.`,
    );
  if (whole === undefined || unitLabel === undefined)
    return cannot(
      `a ${workload.kind.kind} has no label that tells its units apart`,
      "Use a kind that has one (LeaderWorkerSet, JobSet).",
    );
  const term = {
    labelSelector: whole.labelSelector,
    ...(whole.labelKey === undefined ? {} : { matchLabelKeys: [whole.labelKey] }),
    mismatchLabelKeys: [unitLabel],
    topologyKey: key,
  };
  const words = `pod anti-affinity: no ${need.level} (${key}) shared with another ${need.unit}`;
  const edit = required
    ? { slot: "podAntiTerm" as const, key: "", value: term, text: `required ${words}` }
    : {
        slot: "podAntiPreference" as const,
        key: "",
        value: { weight: 100, podAffinityTerm: term },
        text: `preferred ${words}`,
      };
  const labels = need.unit === "podSet" ? { ...whole.labels, ...setLabels(context) } : whole.labels;
  return join(wantLabels(context, labels), edits(edit));
}

/** The first pod goes anywhere and the others follow it, so it is drawn to where all of them fitted when it was decided. */
function steer(context: SetContext, need: TopologyNeed): Part {
  const domains = context.entry.steer;
  const parts: Part[] = [];
  if (domains !== undefined && domains.values.length > 0 && !isPinned(context)) {
    for (const expressions of steered(context, domains)) {
      const words = expressions.map(({ key, values }) => `${key} In [${values.join(", ")}]`).join(" and ");
      const matchExpressions = expressions.map(({ key, values }) => ({ key, operator: "In", values }));
      const value = { weight: 100, preference: { matchExpressions } };
      parts.push(edits({ slot: "nodePreference", key: "", value, text: `preferred node affinity ${words}` }));
    }
  }
  if (need.mode === "required" && !isPinned(context)) {
    const { set, workload } = context;
    const sets = need.unit === "workload" ? workload.podSets : [set];
    const pods = sets.reduce((sum, { count }) => sum + count, 0);
    const kept = need.unit === "podSet" ? "the pod set" : need.unit === "group" ? "each group" : "the workload";
    const all = need.unit === "group" ? "the whole group" : every(pods, "pod");
    const domain = domainNoun(need.level ?? "");
    parts.push(
      says({
        code: "NotGuaranteed",
        severity: "warning",
        podSet: set.name,
        message: `pod affinity keeps ${kept} in one ${domain}, but the scheduler may start in one that has no room for ${all}`,
        short: `pod affinity keeps ${kept} in one ${domain}, but one without room for ${all} may be chosen`,
        hint: "Use a queue (Kueue) or PodGroup, or topology.pin: domain for work that rather waits than moves.",
      }),
    );
  }
  return join(...parts);
}

/** One term for all domains; where their values are not unique, one for each, with what stands around it. */
function steered(
  context: SetContext,
  { key, values, outer }: NonNullable<SetDecision["steer"]>,
): readonly (readonly { readonly key: string; readonly values: readonly string[] }[])[] {
  if (outer === undefined) return [[{ key, values }]];
  const { within, level: own } = context.intent.contract.topology ?? {};
  const level = within ?? own;
  const around = outerKeys(context, level === undefined ? {} : { level });
  return values.map((value, index) => [
    { key, values: [value] },
    ...around.map((wider, depth) => ({ key: wider, values: [outer[index]?.[depth] ?? ""] })),
  ]);
}

/** For work that rather waits than moves: only the domains in which it fitted. */
function pin(context: SetContext, need: TopologyNeed): Part {
  const domains = context.entry.steer;
  if (domains === undefined || !wantsPin(context)) return NOTHING;
  const terms = steered(context, domains);
  const [only] = terms;
  if (!isPinned(context) || only === undefined)
    return says(
      cannotExpress(
        context,
        "topology.pin domain",
        `values of ${domains.key} are not unique, and node selection cannot name ${terms.length} domains with what is around each`,
        `Give nodes a label that names each ${need.level} uniquely, and name it in the layout.`,
        false,
      ),
    );
  return nodeSelection(
    context,
    only.map(({ key, values }) => ({ key, absent: false, complement: false, values })),
  );
}

/** Templates of other kinds outlive the domain. */
function wantsPin(context: SetContext): boolean {
  const { entry, intent } = context;
  return intent.contract.topology?.pin === "domain" && isRunOnce(context) && (entry.steer?.values.length ?? 0) > 0;
}

/** Several domains whose values are not unique cannot be named together. */
function isPinned(context: SetContext): boolean {
  const { steer } = context.entry;
  return wantsPin(context) && (steer?.outer === undefined || steer.values.length === 1);
}
