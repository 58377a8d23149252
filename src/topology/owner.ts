import {
  arrayAt,
  integerAt,
  type Json,
  type JsonObject,
  type ObjectKey,
  stringAt,
  stringMapAt,
  valueAt,
} from "../model/index.ts";

/**
 * Kinds whose objects are workloads: a child of one belongs to it. The climb ends below anything else: below a kind that only
 * makes workloads (a CronJob's Job is a workload of its own), and below a controller that nobody knows.
 */
const WORKLOAD_KINDS: ReadonlySet<string> = new Set([
  "/Pod",
  "/ReplicationController",
  "apps/DaemonSet",
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/StatefulSet",
  "argoproj.io/Experiment",
  "argoproj.io/Rollout",
  "argoproj.io/Workflow",
  "batch.volcano.sh/Job",
  "batch/Job",
  "disaggregatedset.x-k8s.io/DisaggregatedSet",
  "flink.apache.org/FlinkBlueGreenDeployment",
  "flink.apache.org/FlinkDeployment",
  "grove.io/PodClique",
  "grove.io/PodCliqueSet",
  "jobset.x-k8s.io/JobSet",
  "kubeflow.org/JAXJob",
  "kubeflow.org/MPIJob",
  "kubeflow.org/PaddleJob",
  "kubeflow.org/PyTorchJob",
  "kubeflow.org/TFJob",
  "kubeflow.org/XGBoostJob",
  "leaderworkerset.x-k8s.io/LeaderWorkerSet",
  "nvidia.com/DynamoGraphDeployment",
  "ray.io/RayCluster",
  "ray.io/RayJob",
  "ray.io/RayService",
  "serving.kserve.io/InferenceService",
  "serving.kserve.io/LLMInferenceService",
  "sparkoperator.k8s.io/SparkApplication",
  "trainer.kubeflow.org/TrainJob",
]);

export interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
}

export function isWorkloadKind(owner: Owner): boolean {
  return WORKLOAD_KINDS.has(`${groupOf(owner.apiVersion)}/${owner.kind}`);
}

/** `apps/v1` -> `apps`; the core group is the empty text. */
export function groupOf(apiVersion: string): string {
  const slash = apiVersion.indexOf("/");
  return slash === -1 ? "" : apiVersion.slice(0, slash);
}

/** Same group, kind, namespace and name: the version is a way to read an object, not part of what it is. */
export function sameObject(a: ObjectKey, b: ObjectKey): boolean {
  return (
    a.name === b.name &&
    a.namespace === b.namespace &&
    a.kind === b.kind &&
    groupOf(a.apiVersion) === groupOf(b.apiVersion)
  );
}

/** Text that is equal for the same object. */
export function objectId(key: ObjectKey): string {
  return `${groupOf(key.apiVersion)}/${key.kind}/${key.namespace}/${key.name}`;
}

/** The controller that owns each object of the input, by object. */
export interface OwnerIndex {
  /** `owner` is undefined for an object that was read and has no controller. */
  readonly byObject: ReadonlyMap<string, { readonly owner: ObjectKey | undefined }>;
  readonly climbs: (owner: Owner) => boolean;
}

export function controllerOf(object: JsonObject, namespace: string): ObjectKey | undefined {
  for (const reference of arrayAt(object, ["metadata", "ownerReferences"])) {
    if (valueAt(reference, ["controller"]) !== true) continue;
    const apiVersion = stringAt(reference, ["apiVersion"]);
    const kind = stringAt(reference, ["kind"]);
    const name = stringAt(reference, ["name"]);
    const uid = stringAt(reference, ["uid"]);
    if (apiVersion === undefined || kind === undefined || name === undefined) continue;
    return { apiVersion, kind, namespace, name, ...(uid === undefined ? {} : { uid }) };
  }
  return undefined;
}

/** More links than any real chain of owners has. */
const MAX_CLIMB = 16;

/**
 * The workload that a pod belongs to in the end. Owner references are followed through the objects of the input; where the next one
 * is not part of it, the pod's own labels say what they can.
 */
export function rootOf(pod: ObjectKey, object: JsonObject, index: OwnerIndex): ObjectKey {
  let current = pod;
  for (let step = 0; step < MAX_CLIMB; step += 1) {
    const entry = step === 0 ? { owner: controllerOf(object, pod.namespace) } : index.byObject.get(objectId(current));
    if (entry === undefined) return byLabels(current, object, index) ?? current;
    if (entry.owner === undefined || !index.climbs(entry.owner)) {
      return step === 0 && entry.owner === undefined ? (byLabels(current, object, index) ?? current) : current;
    }
    current = entry.owner;
  }
  return current;
}

/** Labels that controllers put on pods, with the kind whose object they name. */
const NAME_LABELS: readonly { readonly label: string; readonly apiVersion: string; readonly kind: string }[] = [
  { label: "jobset.sigs.k8s.io/jobset-name", apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet" },
  { label: "leaderworkerset.sigs.k8s.io/name", apiVersion: "leaderworkerset.x-k8s.io/v1", kind: "LeaderWorkerSet" },
  { label: "ray.io/cluster", apiVersion: "ray.io/v1", kind: "RayCluster" },
  { label: "sparkoperator.k8s.io/app-name", apiVersion: "sparkoperator.k8s.io/v1beta2", kind: "SparkApplication" },
];

const KUBEFLOW_KINDS: Readonly<Record<string, string>> = {
  "pytorchjob-controller": "PyTorchJob",
  "tfjob-controller": "TFJob",
  "mpijob-controller": "MPIJob",
  "mpi-operator": "MPIJob",
  "xgboostjob-controller": "XGBoostJob",
  "jaxjob-controller": "JAXJob",
  "paddlejob-controller": "PaddleJob",
};

function byLabels(last: ObjectKey, pod: Json, index: OwnerIndex): ObjectKey | undefined {
  const labels = stringMapAt(pod, ["metadata", "labels"]);
  const label = (key: string) => (Object.hasOwn(labels, key) && labels[key] !== "" ? labels[key] : undefined);
  const named = (apiVersion: string, kind: string, name: string): ObjectKey | undefined => {
    const key = { apiVersion, kind, namespace: last.namespace, name };
    if (sameObject(key, last) || !index.climbs(key)) return undefined;
    const above = index.byObject.get(objectId(key))?.owner;
    return above !== undefined && index.climbs(above) ? above : key;
  };

  const raySource = label("ray.io/originated-from-crd");
  const rayName = label("ray.io/originated-from-cr-name");
  if (raySource !== undefined && rayName !== undefined) {
    const found = named("ray.io/v1", raySource, rayName);
    if (found !== undefined) return found;
  }
  for (const { label: key, apiVersion, kind } of NAME_LABELS) {
    const name = label(key);
    if (name !== undefined) return named(apiVersion, kind, name);
  }
  const kubeflow = label("training.kubeflow.org/job-name");
  const operator = label("training.kubeflow.org/operator-name") ?? "";
  const kubeflowKind = Object.hasOwn(KUBEFLOW_KINDS, operator) ? KUBEFLOW_KINDS[operator] : undefined;
  if (kubeflow !== undefined && kubeflowKind !== undefined) return named("kubeflow.org/v1", kubeflowKind, kubeflow);

  const hash = label("pod-template-hash");
  if (last.kind === "ReplicaSet" && hash !== undefined && last.name.endsWith(`-${hash}`))
    return named("apps/v1", "Deployment", last.name.slice(0, -hash.length - 1));
  const job = label("batch.kubernetes.io/job-name") ?? label("job-name");
  if (last.kind === "Pod" && job !== undefined) return named("batch/v1", "Job", job);
  return undefined;
}

/** spec.priority as admission resolved it. */
export function priorityOf(pod: Json): number | undefined {
  return integerAt(pod, ["spec", "priority"]);
}
