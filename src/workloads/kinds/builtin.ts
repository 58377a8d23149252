import type { KindEntry } from "../types.ts";
import { kind, NEVER, STOPPED_JOB, template } from "./define.ts";

const pods = { path: "spec.template", role: "pod", fields: {} };
const REPLICAS = `whole(object, "spec.replicas", 1)`;

/** Pods of a batch/v1 JobSpec at a path: parallelism (1) bounded by completions. */
export function jobPods(root: string, path: string): string {
  const at = path === "" ? "" : `${path}.`;
  const parallelism = `whole(${root}, "${at}parallelism", 1)`;
  return `min(${parallelism}, whole(${root}, "${at}completions", ${parallelism}))`;
}

/** Kinds that Kubernetes itself serves. */
export const builtin: readonly KindEntry[] = [
  {
    apiVersion: "v1",
    kind: "Pod",
    plural: "pods",
    life: "runOnce",
    mutability: { template: "gated", except: [] },
    templates: [template({ role: "pod", path: "$", shape: "Pod", fields: {} })],
  },
  {
    apiVersion: "v1",
    kind: "PodTemplate",
    plural: "podtemplates",
    life: "templateOnly",
    templates: [template({ role: "pod", path: "template", fields: {} })],
  },
  {
    apiVersion: "apps/v1",
    kind: "Deployment",
    plural: "deployments",
    life: "elastic",
    scale: true,
    makes: ["apps/ReplicaSet"],
    gangLabel: "pod-template-hash",
    templates: [
      template({
        ...pods,
        count: REPLICAS,
        peak: `${REPLICAS} + (text(object, "spec.strategy.type", "RollingUpdate") == "Recreate" ? 0 : share(object, "spec.strategy.rollingUpdate.maxSurge", "25%", ${REPLICAS}, true))`,
      }),
    ],
  },
  {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    plural: "replicasets",
    life: "elastic",
    scale: true,
    makes: ["/Pod"],
    templates: [template({ ...pods, count: REPLICAS })],
  },
  {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    plural: "statefulsets",
    life: "elastic",
    scale: true,
    makes: ["/Pod"],
    gangLabel: "controller-revision-hash",
    templates: [template({ ...pods, count: REPLICAS })],
  },
  {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    plural: "daemonsets",
    life: "perNode",
    makes: ["/Pod"],
    templates: [template(pods)],
  },
  {
    apiVersion: "v1",
    kind: "ReplicationController",
    plural: "replicationcontrollers",
    life: "elastic",
    scale: true,
    makes: ["/Pod"],
    templates: [template({ ...pods, count: REPLICAS })],
  },
  {
    apiVersion: "batch/v1",
    kind: "Job",
    plural: "jobs",
    life: "runOnce",
    makes: ["/Pod"],
    gangLabel: "batch.kubernetes.io/controller-uid",
    suspend: "spec.suspend",
    mutability: STOPPED_JOB,
    templates: [template({ ...pods, count: jobPods("object", "spec") })],
  },
  {
    apiVersion: "batch/v1",
    kind: "CronJob",
    plural: "cronjobs",
    life: "templateOnly",
    makes: ["batch/Job"],
    suspend: "spec.suspend",
    childAnnotations: "spec.jobTemplate.metadata.annotations",
    templates: [
      template({
        role: "pod",
        path: "spec.jobTemplate.spec.template",
        fields: {},
        count: jobPods("object", "spec.jobTemplate.spec"),
      }),
    ],
  },
].map((entry) => kind({ builtin: true, ...entry } as Parameters<typeof kind>[0]));

/** Made by other kinds and never edited: without these rows their children would look like roots. */
export const between: readonly KindEntry[] = [
  {
    apiVersion: "serving.knative.dev/v1",
    kind: "Service",
    plural: "services",
    makes: ["serving.knative.dev/Configuration"],
  },
  {
    apiVersion: "serving.knative.dev/v1",
    kind: "Configuration",
    plural: "configurations",
    makes: ["serving.knative.dev/Revision"],
  },
  { apiVersion: "serving.knative.dev/v1", kind: "Revision", plural: "revisions", makes: ["apps/Deployment"] },
  {
    apiVersion: "grove.io/v1alpha1",
    kind: "PodCliqueScalingGroup",
    plural: "podcliquescalinggroups",
    makes: ["grove.io/PodClique"],
  },
  {
    apiVersion: "nvidia.com/v1beta1",
    kind: "DynamoComponentDeployment",
    plural: "dynamocomponentdeployments",
    makes: ["apps/Deployment", "leaderworkerset.x-k8s.io/LeaderWorkerSet"],
  },
].map((entry) => kind({ ...entry, life: "derived", mutability: NEVER, templates: [] }));
