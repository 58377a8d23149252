import type { Json, JsonObject } from "../../src/model/index.ts";

export interface PodOptions {
  readonly image?: string;
  readonly gpus?: number;
  readonly spec?: Readonly<Record<string, Json>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly labels?: Readonly<Record<string, string>>;
}

export interface ObjectOptions extends PodOptions {
  readonly name?: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly class?: string;
  readonly intent?: string;
  readonly metadata?: Readonly<Record<string, Json>>;
  readonly count?: number;
}

/** A pod template that asks for devices as device plugins have them counted; 0 asks for none. */
export function podTemplate(options: PodOptions = {}): JsonObject {
  const gpus = options.gpus ?? 1;
  return {
    metadata: {
      labels: { app: "test", ...options.labels },
      ...(options.annotations === undefined ? {} : { annotations: options.annotations }),
    },
    spec: {
      containers: [
        {
          name: "main",
          image: options.image ?? "vllm/vllm-openai:v0.11.0",
          resources: {
            requests: { cpu: "4", memory: "16Gi" },
            limits: gpus === 0 ? {} : { "nvidia.com/gpu": String(gpus) },
          },
        },
      ],
      ...options.spec,
    },
  };
}

function metadataOf(options: ObjectOptions): JsonObject {
  const annotations = {
    ...(options.class === undefined ? {} : { "plimsoll.dev/workload-class": options.class }),
    ...(options.intent === undefined ? {} : { "plimsoll.dev/intent": options.intent }),
  };
  return {
    ...(options.generateName === undefined ? { name: options.name ?? "w" } : { generateName: options.generateName }),
    namespace: options.namespace ?? "default",
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
    ...options.metadata,
  };
}

export function deployment(options: ObjectOptions = {}): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: metadataOf(options),
    spec: { replicas: options.count ?? 2, selector: { matchLabels: { app: "test" } }, template: podTemplate(options) },
  };
}

export function statefulSet(options: ObjectOptions = {}): JsonObject {
  return { ...deployment(options), kind: "StatefulSet" };
}

export function daemonSet(options: ObjectOptions = {}): JsonObject {
  return {
    apiVersion: "apps/v1",
    kind: "DaemonSet",
    metadata: metadataOf(options),
    spec: { selector: { matchLabels: { app: "test" } }, template: podTemplate(options) },
  };
}

const DISRUPTIONS = { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] };

function jobSpec(options: ObjectOptions): JsonObject {
  const count = options.count ?? 1;
  return {
    parallelism: count,
    completions: count,
    completionMode: "Indexed",
    podFailurePolicy: DISRUPTIONS,
    template: podTemplate({ ...options, spec: { restartPolicy: "Never", ...options.spec } }),
  };
}

export function job(options: ObjectOptions & { suspend?: boolean } = {}): JsonObject {
  return {
    apiVersion: "batch/v1",
    kind: "Job",
    metadata: metadataOf(options),
    spec: { ...jobSpec(options), ...(options.suspend === undefined ? {} : { suspend: options.suspend }) },
  };
}

export function cronJob(options: ObjectOptions = {}): JsonObject {
  return {
    apiVersion: "batch/v1",
    kind: "CronJob",
    metadata: metadataOf(options),
    spec: { schedule: "0 3 * * *", concurrencyPolicy: "Forbid", jobTemplate: { spec: jobSpec(options) } },
  };
}

export function pod(options: ObjectOptions = {}): JsonObject {
  const { spec } = podTemplate(options);
  return { apiVersion: "v1", kind: "Pod", metadata: metadataOf(options), spec: spec ?? {} };
}

export interface WorkerGroup {
  readonly name: string;
  readonly count: number;
  readonly class?: string;
  readonly gpus?: number;
  readonly image?: string;
}

export function rayClusterSpec(groups: readonly WorkerGroup[]): JsonObject {
  return {
    headGroupSpec: { rayStartParams: {}, template: podTemplate({ gpus: 0 }) },
    workerGroupSpecs: groups.map(({ name, count, class: className, gpus = 1, image }) => ({
      groupName: name,
      replicas: count,
      minReplicas: Math.min(count, 1),
      maxReplicas: Math.max(count, 8),
      rayStartParams: {},
      template: podTemplate({
        gpus,
        ...(image === undefined ? {} : { image }),
        ...(className === undefined ? {} : { annotations: { "plimsoll.dev/workload-class": className } }),
      }),
    })),
  };
}

export function rayCluster(groups: readonly WorkerGroup[], options: ObjectOptions = {}): JsonObject {
  return { apiVersion: "ray.io/v1", kind: "RayCluster", metadata: metadataOf(options), spec: rayClusterSpec(groups) };
}

export function rayJob(groups: readonly WorkerGroup[], options: ObjectOptions = {}): JsonObject {
  return {
    apiVersion: "ray.io/v1",
    kind: "RayJob",
    metadata: metadataOf(options),
    spec: { entrypoint: "python train.py", submissionMode: "HTTPMode", rayClusterSpec: rayClusterSpec(groups) },
  };
}

export function scaledJob(options: ObjectOptions = {}): JsonObject {
  return {
    apiVersion: "keda.sh/v1alpha1",
    kind: "ScaledJob",
    metadata: metadataOf(options),
    spec: {
      jobTargetRef: jobSpec(options),
      rollout: { strategy: "gradual" },
      triggers: [{ type: "rabbitmq", metadata: { queueName: "work", value: "5" } }],
      maxReplicaCount: 4,
    },
  };
}

/** The controller's reference in what it makes. */
export function ownedBy(child: JsonObject, owner: JsonObject): JsonObject {
  const { name, uid } = owner["metadata"] as { name: string; uid: string };
  const reference = {
    apiVersion: owner["apiVersion"] ?? "",
    kind: owner["kind"] ?? "",
    name,
    uid,
    controller: true,
    blockOwnerDeletion: true,
  };
  return { ...child, metadata: { ...(child["metadata"] as JsonObject), ownerReferences: [reference] } };
}
