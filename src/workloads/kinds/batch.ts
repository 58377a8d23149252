import type { KindEntry, TemplateEntry } from "../types.ts";
import { jobPods } from "./builtin.ts";
import { kind, NEVER, NO_GROUP, STOPPED_JOBSET, template } from "./define.ts";

/** A LeaderWorkerSetSpec at a path. Without a leader template the worker template makes the leaders too: one pod set of whole groups. */
function leaderAndWorkers(
  at: string,
  root: string,
  spec: string,
  name: (role: string) => string,
  roleName?: string,
): readonly TemplateEntry[] {
  const path = (rest: string) => (spec === "" ? rest : `${spec}.${rest}`);
  const replicas = `whole(${root}, "${path("replicas")}", 1)`;
  const surge = `share(${root}, "${path("rolloutStrategy.rollingUpdateConfiguration.maxSurge")}", "0", ${replicas}, true)`;
  const size = `max(whole(${root}, "${path("leaderWorkerTemplate.size")}", 1), 1)`;
  const workers = `(given(${root}, "${path("leaderWorkerTemplate.leaderTemplate")}") ? ${size} - 1 : ${size})`;
  const role = roleName === undefined ? {} : { roleName };
  return [
    template({
      ...role,
      role: "leader",
      path: `${at}leaderWorkerTemplate.leaderTemplate`,
      name: name("leader"),
      optional: true,
      count: replicas,
      peak: `${replicas} + ${surge}`,
      groupSize: "1",
    }),
    template({
      ...role,
      role: "worker",
      path: `${at}leaderWorkerTemplate.workerTemplate`,
      name: name("worker"),
      count: `${replicas} * ${workers}`,
      peak: `(${replicas} + ${surge}) * ${workers}`,
      groupSize: workers,
    }),
  ];
}

export const batch: readonly KindEntry[] = [
  kind({
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    kind: "JobSet",
    plural: "jobsets",
    life: "runOnce",
    makes: ["batch/Job"],
    gangLabel: "jobset.sigs.k8s.io/jobset-uid",
    suspend: "spec.suspend",
    mutability: STOPPED_JOBSET,
    templates: [
      template({
        role: "replicatedJob",
        roleName: `text(item, "name", "")`,
        path: "spec.replicatedJobs[*].template.spec.template",
        count: `whole(item, "replicas", 1) * ${jobPods("item", "template.spec")}`,
        groupSize: jobPods("item", "template.spec"),
      }),
    ],
  }),
  kind({
    apiVersion: "leaderworkerset.x-k8s.io/v1",
    kind: "LeaderWorkerSet",
    plural: "leaderworkersets",
    life: "elastic",
    scale: true,
    makes: ["apps/StatefulSet", "/Pod"],
    gangLabel: "leaderworkerset.sigs.k8s.io/group-key",
    templates: leaderAndWorkers("spec.", "object", "spec", (role) => `"${role}"`),
  }),
  kind({
    apiVersion: "disaggregatedset.x-k8s.io/v1",
    kind: "DisaggregatedSet",
    plural: "disaggregatedsets",
    life: "elastic",
    makes: ["leaderworkerset.x-k8s.io/LeaderWorkerSet"],
    gangLabel: "leaderworkerset.sigs.k8s.io/group-key",
    templates: leaderAndWorkers(
      "spec.roles[*].spec.",
      "item",
      "spec",
      (role) => `text(item, "name", "role") + "-${role}"`,
      `text(item, "name", "")`,
    ),
  }),
  kind({
    apiVersion: "batch.volcano.sh/v1alpha1",
    kind: "Job",
    plural: "jobs",
    life: "runOnce",
    makes: ["/Pod"],
    gangLabel: "volcano.sh/job-name",
    mutability: NEVER,
    templates: [
      template({
        role: "task",
        roleName: `text(item, "name", "")`,
        path: "spec.tasks[*].template",
        count: `whole(item, "replicas", 1)`,
        minimum: `given(item, "minAvailable") ? min(whole(item, "minAvailable", 0), whole(item, "replicas", 1)) : -1`,
      }),
    ],
    minimum: `whole(object, "spec.minAvailable", 0) > 0 ? whole(object, "spec.minAvailable", 0) : total(object, "spec.tasks[*].replicas", 1)`,
  }),
  kind({
    apiVersion: "kueue.x-k8s.io/v1beta2",
    versions: ["kueue.x-k8s.io/v1beta1"],
    kind: "Workload",
    plural: "workloads",
    life: "derived",
    mutability: NEVER,
    templates: [
      template({
        role: "podSet",
        roleName: `text(item, "name", "")`,
        path: "spec.podSets[*].template",
        fields: NO_GROUP,
        count: `whole(item, "count", 1)`,
        minimum: `whole(item, "minCount", -1)`,
      }),
    ],
  }),
  kind({
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledJob",
    plural: "scaledjobs",
    life: "templateOnly",
    makes: ["batch/Job"],
    childAnnotations: "metadata.annotations",
    templates: [
      template({
        role: "pod",
        path: "spec.jobTargetRef.template",
        // One Job; there are none up to maxReplicaCount of them.
        count: jobPods("object", "spec.jobTargetRef"),
        peak: `${jobPods("object", "spec.jobTargetRef")} * whole(object, "spec.maxReplicaCount", 100)`,
      }),
    ],
  }),
];
