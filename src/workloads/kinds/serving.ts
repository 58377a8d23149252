import type { KindEntry, TemplateEntry } from "../types.ts";
import { kind, NO_GROUP, template } from "./define.ts";

/** Keys of an InferenceService component that hold a container in short form; the runtime completes it. */
const PREDICTORS = [
  "model",
  "huggingface",
  "triton",
  "tensorflow",
  "pytorch",
  "onnx",
  "sklearn",
  "xgboost",
  "lightgbm",
  "paddle",
  "pmml",
];

function component(role: string, frameworks: readonly string[]): TemplateEntry {
  const at = `spec.${role}`;
  return template({
    role,
    path: at,
    shape: "PodSpec",
    name: `"${role}"`,
    optional: true,
    count: `whole(object, "${at}.minReplicas", 1)`,
    peak: `max(whole(object, "${at}.minReplicas", 1), whole(object, "${at}.maxReplicas", 0))`,
    labels: `${at}.labels`,
    annotations: `${at}.annotations`,
    inlineContainers: frameworks.map((name) => `${at}.${name}`),
    creatable: true,
  });
}

const predictorWorker = template({
  role: "predictor-worker",
  path: "spec.predictor.workerSpec",
  shape: "PodSpec",
  name: `"predictor-worker"`,
  optional: true,
  count: `whole(object, "spec.predictor.minReplicas", 1) * max(whole(object, "spec.predictor.workerSpec.size", whole(object, "spec.predictor.workerSpec.pipelineParallelSize", 2) - 1), 0)`,
  groupSize: `max(whole(object, "spec.predictor.workerSpec.size", whole(object, "spec.predictor.workerSpec.pipelineParallelSize", 2) - 1), 1)`,
  labels: null,
  annotations: null,
});

const RUNTIME_FIELDS = {
  topologySpreadConstraints: null,
  priorityClassName: null,
  terminationGracePeriodSeconds: null,
  schedulingGroup: null,
};

const runtimes: readonly KindEntry[] = [
  { kind: "ServingRuntime", plural: "servingruntimes" },
  { kind: "ClusterServingRuntime", plural: "clusterservingruntimes", clusterScoped: true },
].map((one) =>
  kind({
    ...one,
    apiVersion: "serving.kserve.io/v1alpha1",
    life: "templateOnly",
    templates: [
      template({
        role: "runtime",
        path: "spec",
        shape: "PodSpec",
        name: `"runtime"`,
        labels: "spec.labels",
        annotations: "spec.annotations",
        fields: RUNTIME_FIELDS,
      }),
      template({
        role: "worker",
        path: "spec.workerSpec",
        shape: "PodSpec",
        name: `"worker"`,
        optional: true,
        count: `max(whole(object, "spec.workerSpec.pipelineParallelSize", 2) - 1, 1)`,
        labels: null,
        annotations: null,
        fields: RUNTIME_FIELDS,
      }),
    ],
  }),
);

/** One pool of an LLMInferenceService: its template, and the workers of each multi-node replica. Base configurations complete both. */
function pool(role: string, at: string, when?: string): readonly TemplateEntry[] {
  const path = (rest: string) => (at === "spec" ? `spec.${rest}` : `${at}.${rest}`);
  const replicas = `max(whole(object, "${path("replicas")}", 1), whole(object, "${path("scaling.minReplicas")}", 0))`;
  const peak = `max(${replicas}, whole(object, "${path("scaling.maxReplicas")}", 0))`;
  const size = `max(whole(object, "${path("parallelism.pipeline")}", given(object, "${path("parallelism.data")}")
    ? ceilDiv(whole(object, "${path("parallelism.data")}", 1), whole(object, "${path("parallelism.dataLocal")}", 1)) : 1), 1)`;
  return [
    template({
      role,
      path: path("template"),
      shape: "PodSpec",
      name: `"${role}"`,
      ...(when === undefined ? {} : { when }),
      optional: true,
      absentMeansNone: false,
      creatable: true,
      count: replicas,
      peak,
      labels: path("labels"),
      annotations: path("annotations"),
    }),
    template({
      role: `${role}-worker`,
      path: path("worker"),
      shape: "PodSpec",
      name: `"${role}-worker"`,
      optional: true,
      count: `${replicas} * (${size} - 1)`,
      peak: `${peak} * (${size} - 1)`,
      groupSize: `max(${size} - 1, 1)`,
      labels: null,
      annotations: null,
    }),
  ];
}

/** Replicas of the scaling group that a Grove clique belongs to. */
const GROUP = `member(object, "spec.template.podCliqueScalingGroups", "cliqueNames", text(item, "name", ""), "replicas", 1)`;
const GROUP_FLOOR = `member(object, "spec.template.podCliqueScalingGroups", "cliqueNames", text(item, "name", ""), "minAvailable", 1)`;
const CLIQUE = `whole(item, "spec.replicas", 1)`;
const SETS = `whole(object, "spec.replicas", 1)`;

export const serving: readonly KindEntry[] = [
  kind({
    apiVersion: "serving.kserve.io/v1beta1",
    kind: "InferenceService",
    plural: "inferenceservices",
    life: "elastic",
    makes: ["apps/Deployment", "serving.knative.dev/Service"],
    templates: [
      component("predictor", PREDICTORS),
      component("transformer", []),
      component("explainer", ["art"]),
      predictorWorker,
    ],
  }),
  ...runtimes,
  kind({
    apiVersion: "serving.kserve.io/v1alpha2",
    versions: ["serving.kserve.io/v1alpha1"],
    kind: "LLMInferenceService",
    plural: "llminferenceservices",
    life: "elastic",
    makes: ["apps/Deployment", "leaderworkerset.x-k8s.io/LeaderWorkerSet"],
    templates: [
      ...pool("decode", "spec"),
      ...pool("prefill", "spec.prefill", `given(object, "spec.prefill")`),
      template({
        role: "epp",
        path: "spec.router.scheduler.template",
        shape: "PodSpec",
        name: `"epp"`,
        optional: true,
        count: `whole(object, "spec.router.scheduler.replicas", 1)`,
        labels: null,
        annotations: null,
      }),
    ],
  }),
  kind({
    apiVersion: "grove.io/v1alpha1",
    kind: "PodCliqueSet",
    plural: "podcliquesets",
    life: "elastic",
    makes: ["grove.io/PodClique", "grove.io/PodCliqueScalingGroup"],
    gangLabel: "grove.io/podgang",
    templates: [
      template({
        role: "clique",
        roleName: `text(item, "spec.roleName", "")`,
        path: "spec.template.cliques[*].spec.podSpec",
        shape: "PodSpec",
        count: `${SETS} * ${GROUP} * ${CLIQUE}`,
        minimum: `${SETS} * ${GROUP_FLOOR} * whole(item, "spec.minAvailable", ${CLIQUE})`,
        peak: `${SETS} * ${GROUP} * max(${CLIQUE}, whole(item, "spec.autoScalingConfig.maxReplicas", 0))`,
        groupSize: CLIQUE,
        labels: "labels",
        annotations: "annotations",
      }),
    ],
  }),
  kind({
    apiVersion: "grove.io/v1alpha1",
    kind: "PodClique",
    plural: "podcliques",
    life: "elastic",
    scale: true,
    makes: ["/Pod"],
    gangLabel: "grove.io/podgang",
    templates: [
      template({
        role: "clique",
        roleName: `text(object, "spec.roleName", "")`,
        path: "spec.podSpec",
        shape: "PodSpec",
        name: `"clique"`,
        count: `whole(object, "spec.replicas", 1)`,
        minimum: `whole(object, "spec.minAvailable", whole(object, "spec.replicas", 1))`,
        labels: "metadata.labels",
        annotations: "metadata.annotations",
      }),
    ],
  }),
  kind({
    apiVersion: "nvidia.com/v1beta1",
    kind: "DynamoGraphDeployment",
    plural: "dynamographdeployments",
    life: "elastic",
    makes: [
      "grove.io/PodCliqueSet",
      "nvidia.com/DynamoComponentDeployment",
      "apps/Deployment",
      "leaderworkerset.x-k8s.io/LeaderWorkerSet",
    ],
    notes: "Read from its documentation only; no schema was at hand.",
    templates: [
      template({
        role: "component",
        roleName: `lower(text(item, "subComponentType", text(item, "componentType", text(item, "type", ""))))`,
        path: "spec.components[*].podTemplate",
        optional: true,
        absentMeansNone: false,
        creatable: true,
        fields: NO_GROUP,
        count: `whole(item, "replicas", 1) * max(whole(item, "multinode.nodeCount", 1), 1)`,
        groupSize: `max(whole(item, "multinode.nodeCount", 1), 1)`,
      }),
    ],
  }),
];
