import type { Diagnostic, TopologyNeed } from "../model/index.ts";
import { fieldPath } from "../workloads/index.ts";
import {
  canCarry,
  cannotExpress,
  join,
  outerKeys,
  type Part,
  type SetContext,
  says,
  valueKept,
  wantAnnotation,
} from "./context.ts";
import {
  KUEUE_GROUP_ANNOTATION,
  KUEUE_PREFERRED_ANNOTATION,
  KUEUE_REQUIRED_ANNOTATION,
  KUEUE_SLICE_ANNOTATION,
  KUEUE_SLICE_SIZE_ANNOTATION,
  KUEUE_UNCONSTRAINED_ANNOTATION,
} from "./keys.ts";
import { GROUP_LABELS } from "./selector.ts";

/** A queue label, and Kueue to read it. */
export const isQueued = ({ workload, platform }: SetContext): boolean =>
  workload.queue !== undefined && platform.kueue !== undefined;

/** The level as Kueue's topology-aware scheduling takes it: by annotations of the pods. */
export function kueue(context: SetContext, need: TopologyNeed, key: string): Part {
  const { workload } = context;
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
  const limits = kueueLimits(context, need, key);
  if (limits.some(({ severity }) => severity === "error")) return says(...limits);
  return join(says(...limits), annotations(context, need, key));
}

/** What Kueue's topology-aware scheduling has no word for, and what its Topology object has to say. */
function kueueLimits(context: SetContext, need: TopologyNeed, key: string): readonly Diagnostic[] {
  const { workload, set } = context;
  const required = need.mode === "required";
  const found: Diagnostic[] = [];
  if (need.domains === "separate")
    found.push(
      cannotExpress(
        context,
        `topology.domains separate at level ${need.level}`,
        "Kueue keeps no pods of one workload apart",
        "Leave topology.domains out, or the queue.",
        required,
      ),
    );
  const slices = need.unit === "group" && GROUP_LABELS[workload.kind.kind]?.whole !== true;
  if (need.within !== undefined && (!slices || workload.podSets.length > 1))
    found.push(
      cannotExpress(
        context,
        `topology.within ${need.within}`,
        "Kueue puts the slices of one pod set into one wider domain, and nothing else",
        "Use topology.unit group in a workload of one pod set.",
        required,
      ),
    );
  const outer = outerKeys(context, need);
  if (outer.length > 0)
    found.push({
      code: "NotGuaranteed",
      severity: "warning",
      podSet: set.name,
      message: `values of ${key} are not unique: Kueue tells them apart only if its Topology has ${outer.join(" and ")} above that level`,
      hint: `Give the Kueue Topology the levels ${[...outer].reverse().join(", ")}, ${key}.`,
    });
  return found;
}

function annotations(context: SetContext, need: TopologyNeed, key: string): Part {
  const { set, workload } = context;
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
    const outer = context.layout.levels.find((one) => one.name === need.within)?.key;
    return join(
      wantAnnotation(context, KUEUE_SLICE_ANNOTATION, key),
      wantAnnotation(context, KUEUE_SLICE_SIZE_ANNOTATION, String(size)),
      outer === undefined
        ? wantAnnotation(context, KUEUE_UNCONSTRAINED_ANNOTATION, "true")
        : wantAnnotation(context, KUEUE_REQUIRED_ANNOTATION, outer),
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
