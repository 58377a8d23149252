import { digest, type JsonObject, rungText } from "../model/index.ts";
import { asksForDevice } from "../policy/index.ts";
import type { PodSet, Workload } from "../workloads/index.ts";
import { metadata, sharedMetadata } from "./companion.ts";
import {
  canCarry,
  cannotExpress,
  hashedName,
  join,
  NOTHING,
  type Part,
  type SetContext,
  says,
  valueKept,
  wantAnnotation,
} from "./context.ts";
import { CONSUME_ANNOTATION, PROVISIONING_CLASS, PROVISIONING_CLASS_ANNOTATION } from "./keys.ts";

/** ProvisioningRequest: spec.podSets. */
const POD_SETS = 32;

/**
 * Capacity asked for in one piece, before the pods are there: for run-once workloads with a name and without a queue
 * (Kueue asks itself), on a rung that adds nodes. One request for all sets of one rung, since an atomic scale-up is
 * of one node group. `expanded` is the workload with all other edits made: a request must ask for the pods as they will be.
 */
export function provisioning(
  contexts: readonly SetContext[],
  expanded: () => Workload | undefined,
): ReadonlyMap<string, Part> {
  const byRung = new Map<string, SetContext[]>();
  for (const context of contexts) {
    const { step, entry } = context;
    if (step === undefined || step.rung.source !== "new" || entry.verdict !== "scaleUp" || !serves(context)) continue;
    byRung.set(rungText(step.rung), [...(byRung.get(rungText(step.rung)) ?? []), context]);
  }
  const parts = new Map<string, Part>();
  const workload = byRung.size === 0 ? undefined : expanded();
  if (workload === undefined) return parts;
  for (const group of byRung.values()) for (const [name, part] of request(group, workload)) parts.set(name, part);
  return parts;
}

function serves({ workload, platform }: SetContext): boolean {
  const { provisioningRequests, podTemplates } = platform.companions;
  if (workload.kind.life !== "runOnce" || workload.key.name === "" || workload.queue !== undefined) return false;
  return platform.autoscaler.provisioningRequests && provisioningRequests && podTemplates;
}

function request(group: readonly SetContext[], expanded: Workload): readonly (readonly [string, Part])[] {
  const [first] = group;
  if (first === undefined) return [];
  const claims = group.find(
    (context) => context.step?.mechanism === "claim" || asksForDevice(context.set).claims.length > 0,
  );
  const what = "a ProvisioningRequest";
  if (claims !== undefined && claims.platform.autoscaler.kind === "cluster-autoscaler") {
    const why = "Cluster Autoscaler never finds capacity for pods with resource claims";
    return group.map(
      (context) =>
        [
          context.set.name,
          says(cannotExpress(context, what, why, "Ask for an extended resource, or provision on demand.", false)),
        ] as const,
    );
  }
  if (group.length > POD_SETS) {
    return group.map(
      (context) =>
        [
          context.set.name,
          says(
            cannotExpress(
              context,
              what,
              `it takes ${POD_SETS} pod sets, not ${group.length}`,
              "Use fewer pod sets.",
              false,
            ),
          ),
        ] as const,
    );
  }
  const silent = group.find((context) => !canCarry(context, "annotations"));
  if (silent !== undefined) {
    const why = `a ${silent.workload.kind.kind} has no place for annotations of its pods`;
    return group.map(
      (context) =>
        [context.set.name, says(cannotExpress(context, what, why, "Use a kind that has one.", false))] as const,
    );
  }
  const consumed = group.find((context) => Object.hasOwn(context.set.pod.annotations, CONSUME_ANNOTATION));
  if (consumed !== undefined) {
    const theirs = consumed.set.pod.annotations[CONSUME_ANNOTATION];
    return [
      [
        consumed.set.name,
        says(
          valueKept(
            consumed,
            [...consumed.set.path, "metadata", "annotations", CONSUME_ANNOTATION],
            theirs,
            "a request of its own",
            "info",
          ),
        ),
      ],
    ];
  }
  const templates = group.flatMap((context) => {
    const set = expanded.podSets.find((one) => one.name === context.set.name);
    return set === undefined ? [] : [podTemplate(context.workload, set)];
  });
  const spec = {
    provisioningClassName: PROVISIONING_CLASS,
    podSets: group.map((context, index) => ({
      podTemplateRef: { name: templates[index]?.name ?? "" },
      count: Math.max(1, context.set.count),
    })),
  };
  const name = hashedName(first.workload.key.name, ["ProvisioningRequest", first.entry.id ?? "", spec]);
  const companion = {
    apiVersion: "autoscaling.x-k8s.io/v1",
    kind: "ProvisioningRequest",
    metadata: metadata(first, name),
    spec,
  };
  return group.map((context, index) => {
    const own: JsonObject[] = [];
    const template = templates[index];
    if (template !== undefined) own.push(template.object);
    if (index === group.length - 1) own.push(companion);
    const part = join(
      wantAnnotation(context, CONSUME_ANNOTATION, name),
      wantAnnotation(context, PROVISIONING_CLASS_ANNOTATION, PROVISIONING_CLASS),
      { ...NOTHING, companions: own },
    );
    return [context.set.name, part] as const;
  });
}

/** The API server puts these into a Job's template only after webhooks have edited it, and they tell one Job from another. */
const JOB_LABELS: ReadonlySet<string> = new Set([
  "controller-uid",
  "job-name",
  "batch.kubernetes.io/controller-uid",
  "batch.kubernetes.io/job-name",
]);

/** The pod as it will be scheduled, under a name of its content. Annotations play no part in scheduling, and the consume annotation names the request that names this. */
function podTemplate(workload: Workload, set: PodSet): { readonly name: string; readonly object: JsonObject } {
  const labels = Object.fromEntries(Object.entries(set.pod.labels).filter(([key]) => !JOB_LABELS.has(key)));
  const template = { metadata: { labels }, spec: set.pod.spec };
  const name = `plimsoll-${digest(["PodTemplate", template], 10)}`;
  return {
    name,
    object: { apiVersion: "v1", kind: "PodTemplate", metadata: sharedMetadata(workload, name), template },
  };
}
