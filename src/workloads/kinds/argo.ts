import type { KindEntry, PodField, TemplateEntry } from "../types.ts";
import { kind, NEVER, template } from "./define.ts";

const REPLICAS = `whole(object, "spec.replicas", 1)`;
const NOT_INLINE: Readonly<Partial<Record<PodField, null>>> = {
  topologySpreadConstraints: null,
  resourceClaims: null,
  containerClaims: null,
  terminationGracePeriodSeconds: null,
  schedulingGroup: null,
};

/**
 * Pods of a WorkflowSpec at a path: one set for each template that runs a container. What such a template leaves out, the workflow gives. How often
 * a template runs is known to the workflow engine only, so it counts as one pod.
 */
function workflow(spec: string): readonly TemplateEntry[] {
  return [
    template({
      role: "workflow",
      path: spec,
      shape: "inline",
      name: `"workflow"`,
      // All its templates stand elsewhere (workflowTemplateRef).
      when: `!given(object, "${spec}.templates")`,
      peak: `whole(object, "${spec}.parallelism", 1)`,
      labels: `${spec}.podMetadata.labels`,
      annotations: `${spec}.podMetadata.annotations`,
      fields: {
        ...NOT_INLINE,
        nodeSelector: `${spec}.nodeSelector`,
        affinity: `${spec}.affinity`,
        tolerations: `${spec}.tolerations`,
        priorityClassName: `${spec}.podPriorityClassName`,
        containerResources: null,
      },
    }),
    template({
      role: "template",
      path: `${spec}.templates[*]`,
      shape: "inline",
      when: `given(item, "container") || given(item, "script") || given(item, "containerSet")`,
      peak: `whole(item, "parallelism", whole(object, "${spec}.parallelism", 1))`,
      labels: "metadata.labels",
      annotations: "metadata.annotations",
      inherits: {
        labels: `$.${spec}.podMetadata.labels`,
        annotations: `$.${spec}.podMetadata.annotations`,
        nodeSelector: `$.${spec}.nodeSelector`,
        affinity: `$.${spec}.affinity`,
        tolerations: `$.${spec}.tolerations`,
        priorityClassName: `$.${spec}.podPriorityClassName`,
      },
      inlineContainers: ["container", "script"],
      inlineContainerLists: ["containerSet.containers", "sidecars"],
      inlineInitContainers: "initContainers",
      fields: {
        ...NOT_INLINE,
        nodeSelector: "nodeSelector",
        affinity: "affinity",
        tolerations: "tolerations",
        priorityClassName: "priorityClassName",
      },
    }),
  ];
}

export const argo: readonly KindEntry[] = [
  kind({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Rollout",
    plural: "rollouts",
    life: "elastic",
    scale: true,
    makes: ["apps/ReplicaSet"],
    gangLabel: "rollouts-pod-template-hash",
    templates: [
      template({
        role: "pod",
        path: "spec.template",
        // With workloadRef the template is the Deployment's.
        optional: true,
        count: REPLICAS,
        peak: `${REPLICAS} + (given(object, "spec.strategy.blueGreen") ? whole(object, "spec.strategy.blueGreen.previewReplicaCount", ${REPLICAS})
          : given(object, "spec.strategy.canary.trafficRouting") && !flag(object, "spec.strategy.canary.dynamicStableScale", false) ? ${REPLICAS}
          : share(object, "spec.strategy.canary.maxSurge", "25%", ${REPLICAS}, true))`,
      }),
    ],
  }),
  kind({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Experiment",
    plural: "experiments",
    life: "runOnce",
    makes: ["apps/ReplicaSet"],
    mutability: NEVER,
    templates: [template({ role: "pod", path: "spec.templates[*].template", count: `whole(item, "replicas", 1)` })],
  }),
  kind({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "Workflow",
    plural: "workflows",
    life: "runOnce",
    makes: ["/Pod"],
    launches: true,
    gangLabel: "workflows.argoproj.io/workflow",
    suspend: "spec.suspend",
    mutability: NEVER,
    templates: workflow("spec"),
  }),
  kind({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "CronWorkflow",
    plural: "cronworkflows",
    life: "templateOnly",
    makes: ["argoproj.io/Workflow"],
    suspend: "spec.suspend",
    childAnnotations: "spec.workflowMetadata.annotations",
    templates: workflow("spec.workflowSpec"),
  }),
  kind({
    apiVersion: "argoproj.io/v1alpha1",
    kind: "WorkflowTemplate",
    plural: "workflowtemplates",
    life: "templateOnly",
    makes: ["argoproj.io/Workflow"],
    templates: workflow("spec"),
  }),
];
