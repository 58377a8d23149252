import {
  CLASS_ANNOTATION,
  INTENT_ANNOTATION,
  isObject,
  type Json,
  type JsonObject,
  KUEUE_QUEUE_LABEL,
} from "../../src/model/index.ts";
import { type Mutable, PodBuilder } from "./pods.ts";

/**
 * Fluent builders for workload objects: `job("train").gpus(8).replicas(16).className("training-gang").build()`. Methods of pods apply to every template
 * of the workload; `set("worker", (pods) => pods.gpus(8))` to one. Each `build()` returns a fresh object.
 */
type Edit = (pods: PodBuilder) => unknown;

/** What a kind makes of its templates. */
interface Shape {
  readonly apiVersion: string;
  readonly kind: string;
  readonly sets: readonly string[];
  spec(pods: (set: string) => PodBuilder, replicas: number | undefined): Mutable;
  /** Kinds without `spec`, and bare pods. */
  readonly whole?: boolean;
  readonly suspend?: readonly string[];
}

type PodMethods = {
  [K in keyof PodBuilder as PodBuilder[K] extends (...args: never[]) => PodBuilder ? K : never]: PodBuilder[K] extends (
    ...args: infer A
  ) => PodBuilder
    ? (...args: A) => WorkloadBuilder
    : never;
};

class Builder {
  private readonly metadata: Mutable;
  private readonly pods: ReadonlyMap<string, PodBuilder>;
  private readonly patches: Mutable[] = [];
  private readonly top: Mutable = {};
  private readonly shape: Shape;
  private count: number | undefined;

  constructor(shape: Shape, name: string) {
    this.shape = shape;
    this.metadata = { name, namespace: "default" };
    this.pods = new Map(shape.sets.map((set) => [set, new PodBuilder()]));
  }

  /** Replicas, parallelism and completions, instances: the full size of the main set. */
  replicas(count: number): this {
    this.count = count;
    return this;
  }
  /** Edits one pod set of a kind that has several. */
  set(name: string, edit: Edit): this {
    const pods = this.pods.get(name);
    if (pods === undefined) throw new Error(`${this.shape.kind} has ${[...this.pods.keys()].join(", ")}, no ${name}`);
    edit(pods);
    return this;
  }
  each(edit: Edit): this {
    for (const pods of this.pods.values()) edit(pods);
    return this;
  }
  namespace(name: string): this {
    return this.meta({ namespace: name });
  }
  generateName(prefix: string): this {
    delete this.metadata["name"];
    return this.meta({ generateName: prefix });
  }
  uid(uid: string): this {
    return this.meta({ uid });
  }
  className(name: string): this {
    return this.annotation(CLASS_ANNOTATION, name);
  }
  intent(yaml: string): this {
    return this.annotation(INTENT_ANNOTATION, yaml);
  }
  annotation(key: string, value: string): this {
    return this.meta({ annotations: { ...(this.metadata["annotations"] as Mutable | undefined), [key]: value } });
  }
  label(key: string, value: string): this {
    return this.meta({ labels: { ...(this.metadata["labels"] as Mutable | undefined), [key]: value } });
  }
  queue(name: string): this {
    return this.label(KUEUE_QUEUE_LABEL, name);
  }
  ownedBy(apiVersion: string, kind: string, name: string, uid = `${name}-uid`): this {
    return this.meta({
      ownerReferences: [{ apiVersion, kind, name, uid, controller: true, blockOwnerDeletion: true }],
    });
  }
  suspended(): this {
    const path = this.shape.suspend;
    if (path === undefined) throw new Error(`${this.shape.kind} cannot be suspended`);
    return this.spec(path.reduceRight<Json>((inner, key) => ({ [key]: inner }), true) as JsonObject);
  }
  deleting(): this {
    return this.meta({ deletionTimestamp: "2026-01-01T00:00:00Z" });
  }
  status(status: JsonObject): this {
    this.top["status"] = status;
    return this;
  }
  /** Fields of metadata, as they stand. */
  meta(fields: JsonObject): this {
    Object.assign(this.metadata, fields);
    return this;
  }
  /** Merged into `spec`, objects by key, anything else replaced. */
  spec(fields: JsonObject): this {
    this.patches.push({ ...fields });
    return this;
  }

  build(): JsonObject {
    const podsOf = (set: string) => this.pods.get(set) ?? new PodBuilder();
    let body = this.shape.spec(podsOf, this.count);
    for (const patch of this.patches) body = merged(body, patch) as Mutable;
    const own = this.shape.kind === "Pod" ? (podsOf("pod").metadata as Mutable) : {};
    const metadata = merged(own, this.metadata);
    return structuredClone({
      apiVersion: this.shape.apiVersion,
      kind: this.shape.kind,
      metadata,
      ...(this.shape.whole === true ? body : { spec: body }),
      ...this.top,
    }) as JsonObject;
  }
}

export type WorkloadBuilder = Builder & PodMethods;

function merged(base: Json | undefined, over: Json | undefined): Json | undefined {
  if (!isObject(base) || !isObject(over)) return over;
  const result: Mutable = { ...base };
  for (const [key, value] of Object.entries(over)) result[key] = merged(base[key], value);
  return result;
}

const POD_METHODS = Object.getOwnPropertyNames(PodBuilder.prototype).filter(
  (name) => !["constructor", "buildSpec", "buildTemplate", "resource", "put", "push"].includes(name),
);

function workload(shape: Shape, name: string): WorkloadBuilder {
  const builder = new Builder(shape, name);
  for (const method of POD_METHODS) {
    Object.defineProperty(builder, method, {
      value: (...args: unknown[]) =>
        builder.each((pods) => (pods as unknown as Record<string, (...args: unknown[]) => unknown>)[method]?.(...args)),
    });
  }
  return builder as WorkloadBuilder;
}

type Make = (name: string) => WorkloadBuilder;

const simple =
  (apiVersion: string, kind: string, spec: (name: string) => Shape["spec"], more: Partial<Shape> = {}): Make =>
  (name) =>
    workload({ apiVersion, kind, sets: ["pod"], spec: spec(name), ...more }, name);

const selected =
  (name: string): Shape["spec"] =>
  (pods, replicas) => {
    const labelled = pods("pod").podLabel("app", name).buildTemplate();
    return { replicas: replicas ?? 1, selector: { matchLabels: { app: name } }, template: labelled };
  };

const jobSpec = (pods: PodBuilder, replicas: number | undefined): Mutable => ({
  ...(replicas === undefined ? {} : { parallelism: replicas, completions: replicas, completionMode: "Indexed" }),
  template: { ...pods.buildTemplate(), spec: { restartPolicy: "Never", ...pods.buildSpec() } },
});

export const pod: Make = simple("v1", "Pod", () => (pods) => pods("pod").buildSpec());
export const deployment: Make = simple("apps/v1", "Deployment", selected);
export const replicaSet: Make = simple("apps/v1", "ReplicaSet", selected);
export const statefulSet: Make = simple("apps/v1", "StatefulSet", (name) => (pods, replicas) => ({
  serviceName: name,
  ...selected(name)(pods, replicas),
}));
export const rollout: Make = simple("argoproj.io/v1alpha1", "Rollout", selected);
export const daemonSet: Make = simple("apps/v1", "DaemonSet", (name) => (pods) => {
  const { replicas: _, ...rest } = selected(name)(pods, undefined);
  return rest;
});
export const job: Make = simple("batch/v1", "Job", () => (pods, replicas) => jobSpec(pods("pod"), replicas), {
  suspend: ["suspend"],
});
export const cronJob: Make = simple(
  "batch/v1",
  "CronJob",
  () => (pods, replicas) => ({ schedule: "0 3 * * *", jobTemplate: { spec: jobSpec(pods("pod"), replicas) } }),
  {
    suspend: ["suspend"],
  },
);
export const scaledJob: Make = simple("keda.sh/v1alpha1", "ScaledJob", () => (pods, replicas) => ({
  jobTargetRef: jobSpec(pods("pod"), replicas),
  triggers: [],
}));
export const volcanoJob: Make = simple("batch.volcano.sh/v1alpha1", "Job", () => (pods, replicas) => ({
  minAvailable: replicas ?? 1,
  tasks: [{ name: "worker", replicas: replicas ?? 1, template: pods("pod").buildTemplate() }],
}));

const rayClusterSpec: Shape["spec"] = (pods, replicas) => ({
  headGroupSpec: { rayStartParams: {}, template: pods("head").buildTemplate() },
  workerGroupSpecs: [
    {
      groupName: "workers",
      replicas: replicas ?? 1,
      minReplicas: 0,
      maxReplicas: replicas ?? 1,
      rayStartParams: {},
      template: pods("worker").buildTemplate(),
    },
  ],
});

/** Sets `head` and `worker` (the group is named `workers`); `gpus` on the whole gives them to the head too. */
export const rayCluster: Make = (name) =>
  workload(
    {
      apiVersion: "ray.io/v1",
      kind: "RayCluster",
      sets: ["head", "worker"],
      spec: rayClusterSpec,
      suspend: ["suspend"],
    },
    name,
  );
export const rayJob: Make = (name) =>
  workload(
    {
      apiVersion: "ray.io/v1",
      kind: "RayJob",
      sets: ["head", "worker"],
      spec: (pods, replicas) => ({ entrypoint: "python train.py", rayClusterSpec: rayClusterSpec(pods, replicas) }),
      suspend: ["suspend"],
    },
    name,
  );
export const rayService: Make = (name) =>
  workload(
    {
      apiVersion: "ray.io/v1",
      kind: "RayService",
      sets: ["head", "worker"],
      spec: (pods, replicas) => ({
        serveConfigV2: "applications: []",
        rayClusterConfig: rayClusterSpec(pods, replicas),
      }),
    },
    name,
  );

/** One replicated job named `workers` of `replicas` pods. */
export const jobSet: Make = (name) =>
  workload(
    {
      apiVersion: "jobset.x-k8s.io/v1alpha2",
      kind: "JobSet",
      sets: ["workers"],
      spec: (pods, replicas) => ({
        replicatedJobs: [{ name: "workers", replicas: 1, template: { spec: jobSpec(pods("workers"), replicas) } }],
      }),
      suspend: ["suspend"],
    },
    name,
  );

/** Groups of `size`; sets `worker`, and `leader` where it has a template of its own. */
export const leaderWorkerSet = (name: string, size = 2, withLeader = false): WorkloadBuilder =>
  workload(
    {
      apiVersion: "leaderworkerset.x-k8s.io/v1",
      kind: "LeaderWorkerSet",
      sets: withLeader ? ["leader", "worker"] : ["worker"],
      spec: (pods, replicas) => ({
        replicas: replicas ?? 1,
        leaderWorkerTemplate: {
          size,
          ...(withLeader ? { leaderTemplate: pods("leader").buildTemplate() } : {}),
          workerTemplate: pods("worker").buildTemplate(),
        },
      }),
    },
    name,
  );

/** `Master` of one, `Worker` of `replicas`. */
export const pytorchJob: Make = (name) =>
  workload(
    {
      apiVersion: "kubeflow.org/v1",
      kind: "PyTorchJob",
      sets: ["Master", "Worker"],
      spec: (pods, replicas) => ({
        pytorchReplicaSpecs: {
          Master: { replicas: 1, template: pods("Master").buildTemplate() },
          Worker: { replicas: replicas ?? 1, template: pods("Worker").buildTemplate() },
        },
      }),
      suspend: ["runPolicy", "suspend"],
    },
    name,
  );

export const inferenceService: Make = (name) =>
  workload(
    {
      apiVersion: "serving.kserve.io/v1beta1",
      kind: "InferenceService",
      sets: ["predictor"],
      spec: (pods, replicas) => ({
        predictor: { minReplicas: replicas ?? 1, ...pods("predictor").metadata, ...pods("predictor").buildSpec() },
      }),
    },
    name,
  );

export const llmInferenceService: Make = (name) =>
  workload(
    {
      apiVersion: "serving.kserve.io/v1alpha2",
      kind: "LLMInferenceService",
      sets: ["decode", "prefill"],
      spec: (pods, replicas) => ({
        model: { uri: "hf://example/model", name: "example" },
        ...pods("decode").metadata,
        replicas: replicas ?? 1,
        template: pods("decode").buildSpec(),
        prefill: { ...pods("prefill").metadata, replicas: replicas ?? 1, template: pods("prefill").buildSpec() },
      }),
    },
    name,
  );

/** Native mode: `replicas` task managers of one slot. */
export const flinkDeployment: Make = (name) =>
  workload(
    {
      apiVersion: "flink.apache.org/v1beta1",
      kind: "FlinkDeployment",
      sets: ["jobManager", "taskManager"],
      spec: (pods, replicas) => ({
        image: "flink:2.2",
        flinkVersion: "v2_2",
        flinkConfiguration: { "taskmanager.numberOfTaskSlots": "1" },
        serviceAccount: "flink",
        jobManager: { resource: { cpu: 1, memory: "2048m" }, podTemplate: flinkTemplate(pods("jobManager")) },
        taskManager: { resource: { cpu: 2, memory: "4096m" }, podTemplate: flinkTemplate(pods("taskManager")) },
        job: { jarURI: "local:///opt/job.jar", parallelism: replicas ?? 1, upgradeMode: "savepoint" },
      }),
    },
    name,
  );

function flinkTemplate(pods: PodBuilder): Mutable {
  const named = pods.buildTemplate();
  const spec = named["spec"] as Mutable;
  const [main, ...rest] = spec["containers"] as Mutable[];
  return { ...named, spec: { ...spec, containers: [{ ...main, name: "flink-main-container" }, ...rest] } };
}

/** Only what stands inline is taken from the pod builder: selector, tolerations, labels and annotations, and GPUs. */
export const sparkApplication: Make = (name) =>
  workload(
    {
      apiVersion: "sparkoperator.k8s.io/v1beta2",
      kind: "SparkApplication",
      sets: ["driver", "executor"],
      spec: (pods, replicas) => ({
        type: "Scala",
        mode: "cluster",
        image: "spark:4.0.1",
        mainApplicationFile: "local:///opt/app.jar",
        sparkVersion: "4.0.1",
        driver: { cores: 1, memory: "2g", ...sparkPods(pods("driver")) },
        executor: { cores: 4, memory: "8g", instances: replicas ?? 1, ...sparkPods(pods("executor")) },
      }),
    },
    name,
  );

function sparkPods(pods: PodBuilder): Mutable {
  const { nodeSelector, tolerations, affinity } = pods.spec;
  const resources = pods.container["resources"];
  const limits = isObject(resources) && isObject(resources["limits"]) ? resources["limits"] : {};
  const [gpu] = Object.entries(limits).filter(([resource]) => resource.includes("/"));
  return structuredClone({
    ...pods.metadata,
    ...(nodeSelector === undefined ? {} : { nodeSelector }),
    ...(tolerations === undefined ? {} : { tolerations }),
    ...(affinity === undefined ? {} : { affinity }),
    ...(gpu === undefined ? {} : { gpu: { name: gpu[0], quantity: Number(gpu[1]) } }),
  }) as Mutable;
}

export const podCliqueSet: Make = (name) =>
  workload(
    {
      apiVersion: "grove.io/v1alpha1",
      kind: "PodCliqueSet",
      sets: ["prefill", "decode"],
      spec: (pods, replicas) => ({
        replicas: 1,
        template: {
          cliques: ["prefill", "decode"].map((set) => ({
            name: set,
            ...pods(set).metadata,
            spec: {
              roleName: set,
              replicas: replicas ?? 1,
              minAvailable: replicas ?? 1,
              podSpec: pods(set).buildSpec(),
            },
          })),
        },
      }),
    },
    name,
  );

/** One step named `main`. */
export const workflow: Make = (name) =>
  workload(
    {
      apiVersion: "argoproj.io/v1alpha1",
      kind: "Workflow",
      sets: ["main"],
      spec: (pods) => {
        const { containers, ...spec } = pods("main").buildSpec();
        const { metadata } = pods("main");
        return {
          entrypoint: "main",
          templates: [
            { name: "main", metadata: { ...metadata }, ...spec, container: (containers as Json[])[0] ?? null },
          ],
        };
      },
      suspend: ["suspend"],
    },
    name,
  );
