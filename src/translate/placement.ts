import type { TopologyNeed } from "../model/index.ts";
import {
  affinityPath,
  cannotExpress,
  edits,
  isRunOnce,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  wantLabels,
} from "./context.ts";
import { podGroupServes } from "./group.ts";
import { isQueued, kueue } from "./kueue.ts";
import { nodeSelection } from "./selection.ts";
import { selfSelector } from "./selector.ts";

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

/** The first pod goes anywhere and the others follow it, so it is drawn to where all of them fitted when it was decided. */
function steer(context: SetContext, need: TopologyNeed): Part {
  const domains = context.entry.steer;
  const parts: Part[] = [];
  if (domains !== undefined && domains.values.length > 0 && !isPinned(context)) {
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
  if (need.mode === "required" && !isPinned(context)) {
    parts.push(
      says({
        code: "NotGuaranteed",
        severity: "warning",
        podSet: context.set.name,
        message: `pod affinity keeps the ${need.unit === "podSet" ? "pod set" : need.unit} in one ${need.level}, but the scheduler may start in one that has no room for all ${context.set.count} pods`,
        short: `pod affinity keeps all in one ${need.level}, but one with too little room for ${context.set.count} pods may be chosen`,
        hint: "Use a queue (Kueue) or PodGroup, or topology.pin: domain for work that rather waits than moves.",
      }),
    );
  }
  return join(...parts);
}

/** For work that rather waits than moves: only the domains in which it fitted. */
function pin(context: SetContext, need: TopologyNeed): Part {
  const domains = context.entry.steer;
  if (domains === undefined || !isPinned(context, need)) return NOTHING;
  return nodeSelection(context, [{ key: domains.key, absent: false, complement: false, values: domains.values }]);
}

/** Templates of other kinds outlive the domain. */
function isPinned(context: SetContext, need = context.intent.contract.topology): boolean {
  return need?.pin === "domain" && isRunOnce(context) && (context.entry.steer?.values.length ?? 0) > 0;
}
