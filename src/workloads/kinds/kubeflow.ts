import type { KindEntry } from "../types.ts";
import { jobPods } from "./builtin.ts";
import { kind, STOPPED_JOBSET, template, WHILE_STOPPED } from "./define.ts";

interface Framework {
  readonly kind: string;
  readonly plural: string;
  readonly specs: string;
  readonly count?: string;
  readonly minimum?: string;
  readonly peak?: string;
  readonly makes?: readonly string[];
  readonly versions?: readonly string[];
}

const REPLICAS = `whole(item, "replicas", 1)`;
const ELASTIC = `lower(key) == "worker" && given(object, "spec.elasticPolicy")`;

const frameworks: readonly Framework[] = [
  {
    kind: "PyTorchJob",
    plural: "pytorchjobs",
    specs: "pytorchReplicaSpecs",
    minimum: `${ELASTIC} ? whole(object, "spec.elasticPolicy.minReplicas", 1) : -1`,
    peak: `${ELASTIC} ? max(${REPLICAS}, whole(object, "spec.elasticPolicy.maxReplicas", 0)) : ${REPLICAS}`,
  },
  { kind: "TFJob", plural: "tfjobs", specs: "tfReplicaSpecs" },
  {
    kind: "MPIJob",
    plural: "mpijobs",
    specs: "mpiReplicaSpecs",
    count: `whole(item, "replicas", lower(key) == "launcher" ? 1 : 0)`,
    makes: ["/Pod", "batch/Job"],
    versions: ["kubeflow.org/v2beta1"],
  },
  { kind: "XGBoostJob", plural: "xgboostjobs", specs: "xgbReplicaSpecs" },
  { kind: "JAXJob", plural: "jaxjobs", specs: "jaxReplicaSpecs" },
  { kind: "PaddleJob", plural: "paddlejobs", specs: "paddleReplicaSpecs" },
];

/** Training operator v1: one pod set for each key of the replica map. */
const training: readonly KindEntry[] = frameworks.map((one) =>
  kind({
    apiVersion: "kubeflow.org/v1",
    ...(one.versions === undefined ? {} : { versions: one.versions }),
    kind: one.kind,
    plural: one.plural,
    life: "runOnce",
    makes: one.makes ?? ["/Pod"],
    gangLabel: "training.kubeflow.org/job-name",
    suspend: "spec.runPolicy.suspend",
    mutability: WHILE_STOPPED,
    templates: [
      template({
        role: "replica",
        roleName: "lower(key)",
        path: `spec.${one.specs}{*}.template`,
        count: one.count ?? REPLICAS,
        ...(one.minimum === undefined ? {} : { minimum: one.minimum }),
        ...(one.peak === undefined ? {} : { peak: one.peak }),
      }),
    ],
    minimum: `whole(object, "spec.runPolicy.schedulingPolicy.minAvailable", -1)`,
  }),
);

const TRAINER = `(text(item, "name", "") == "node" || setting(item, "template.metadata.labels", "trainer.kubeflow.org/trainjob-ancestor-step", "") == "trainer")`;
const PATCHED_JOBS = "spec.runtimePatches[*].trainingRuntimeSpec.template.spec.replicatedJobs[*]";

const runtimes: readonly KindEntry[] = [
  { kind: "ClusterTrainingRuntime", plural: "clustertrainingruntimes", clusterScoped: true },
  { kind: "TrainingRuntime", plural: "trainingruntimes" },
].map((one) =>
  kind({
    ...one,
    apiVersion: "trainer.kubeflow.org/v1alpha1",
    life: "templateOnly",
    templates: [
      template({
        role: "replicatedJob",
        roleName: `${TRAINER} ? "trainer" : text(item, "name", "")`,
        path: "spec.template.spec.replicatedJobs[*].template.spec.template",
        count: `${TRAINER} ? whole(object, "spec.mlPolicy.numNodes", 1) : whole(item, "replicas", 1) * ${jobPods("item", "template.spec")}`,
      }),
    ],
  }),
);

/**
 * A TrainJob has no templates of its own: its pods come from the runtime. Patches are templates in part; without one the trainer is known by its
 * node count and resources only.
 */
const trainJob = kind({
  apiVersion: "trainer.kubeflow.org/v1alpha1",
  kind: "TrainJob",
  plural: "trainjobs",
  life: "runOnce",
  makes: ["jobset.x-k8s.io/JobSet"],
  gangLabel: "jobset.sigs.k8s.io/jobset-uid",
  suspend: "spec.suspend",
  mutability: STOPPED_JOBSET,
  templates: [
    template({
      role: "trainer",
      path: "spec.trainer",
      name: `"node"`,
      shape: "inline",
      when: `items(object, "${PATCHED_JOBS}", "name", "node") == 0`,
      optional: true,
      absentMeansNone: false,
      count: `whole(object, "spec.trainer.numNodes", 1)`,
      labels: null,
      annotations: null,
      fields: {},
      outside: { container: "node", dialect: "kubernetes", resources: "spec.trainer.resourcesPerNode" },
    }),
    template({
      role: "patch",
      roleName: `text(item, "name", "") == "node" ? "trainer" : text(item, "name", "")`,
      path: `${PATCHED_JOBS}.template.spec.template`,
      count: `text(item, "name", "") == "node" ? whole(object, "spec.trainer.numNodes", 1) : 1`,
      creatable: true,
      outside: {
        container: "node",
        dialect: "kubernetes",
        when: `text(item, "name", "") == "node"`,
        resources: "$.spec.trainer.resourcesPerNode",
      },
      fields: {
        topologySpreadConstraints: null,
        resourceClaims: null,
        containerResources: null,
        containerClaims: null,
        priorityClassName: null,
        schedulingGroup: null,
      },
    }),
  ],
});

export const kubeflow: readonly KindEntry[] = [...training, ...runtimes, trainJob];
