import { arrayAt, integerAt, type Json, type JsonObject, type ObjectKey, stringAt, valueAt } from "../model/index.ts";

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

/** The controller that owns each object that is known. */
export interface OwnerIndex {
  /** Undefined for an object that is not known; `owner` is undefined for one that has no controller. */
  readonly ownerOf: (object: ObjectKey) => { readonly owner: ObjectKey | undefined } | undefined;
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

type Labels = Readonly<Record<string, string>>;

/**
 * The workload that a pod belongs to in the end, given its controller; the pod's own key where that is the pod itself. Owner references are followed
 * through the objects that are known; where the next one is not, the pod's own labels say what they can. But for its own key, pods of one
 * namespace, controller and `rootLabels` have one root.
 */
export function rootOf(pod: ObjectKey, owner: ObjectKey | undefined, labels: Labels, index: OwnerIndex): ObjectKey {
  let current = pod;
  for (let step = 0; step < MAX_CLIMB; step += 1) {
    const entry = step === 0 ? { owner } : index.ownerOf(current);
    if (entry === undefined) return byLabels(current, labels, index) ?? current;
    if (entry.owner === undefined || !index.climbs(entry.owner)) {
      return step === 0 && entry.owner === undefined ? (byLabels(current, labels, index) ?? current) : current;
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

const SOURCE_KIND = "ray.io/originated-from-crd";
const SOURCE_NAME = "ray.io/originated-from-cr-name";
const KUBEFLOW_JOB = "training.kubeflow.org/job-name";
const KUBEFLOW_OPERATOR = "training.kubeflow.org/operator-name";
const TEMPLATE_HASH = "pod-template-hash";
const JOB_NAMES = ["batch.kubernetes.io/job-name", "job-name"] as const;

const ROOT_LABELS: readonly string[] = [
  ...[SOURCE_KIND, SOURCE_NAME, KUBEFLOW_JOB, KUBEFLOW_OPERATOR, TEMPLATE_HASH],
  ...JOB_NAMES,
  ...NAME_LABELS.map(({ label }) => label),
];

/** Those labels of a pod that may tell its root. */
export function rootLabels(labels: Labels): Labels {
  const result: Record<string, string> = Object.create(null);
  for (const key of ROOT_LABELS) if (Object.hasOwn(labels, key)) result[key] = labels[key] ?? "";
  return result;
}

function byLabels(last: ObjectKey, labels: Labels, index: OwnerIndex): ObjectKey | undefined {
  const label = (key: string) => (Object.hasOwn(labels, key) && labels[key] !== "" ? labels[key] : undefined);
  const named = (apiVersion: string, kind: string, name: string): ObjectKey | undefined => {
    const key = { apiVersion, kind, namespace: last.namespace, name };
    if (sameObject(key, last) || !index.climbs(key)) return undefined;
    const above = index.ownerOf(key)?.owner;
    return above !== undefined && index.climbs(above) ? above : key;
  };

  const raySource = label(SOURCE_KIND);
  const rayName = label(SOURCE_NAME);
  if (raySource !== undefined && rayName !== undefined) {
    const found = named("ray.io/v1", raySource, rayName);
    if (found !== undefined) return found;
  }
  for (const { label: key, apiVersion, kind } of NAME_LABELS) {
    const name = label(key);
    if (name !== undefined) return named(apiVersion, kind, name);
  }
  const kubeflow = label(KUBEFLOW_JOB);
  const operator = label(KUBEFLOW_OPERATOR) ?? "";
  const kubeflowKind = Object.hasOwn(KUBEFLOW_KINDS, operator) ? KUBEFLOW_KINDS[operator] : undefined;
  if (kubeflow !== undefined && kubeflowKind !== undefined) return named("kubeflow.org/v1", kubeflowKind, kubeflow);

  const hash = label(TEMPLATE_HASH);
  if (last.kind === "ReplicaSet" && hash !== undefined && last.name.endsWith(`-${hash}`))
    return named("apps/v1", "Deployment", last.name.slice(0, -hash.length - 1));
  const job = label(JOB_NAMES[0]) ?? label(JOB_NAMES[1]);
  if (last.kind === "Pod" && job !== undefined) return named("batch/v1", "Job", job);
  return undefined;
}

/** spec.priority as admission resolved it. */
export function priorityOf(pod: Json): number | undefined {
  return integerAt(pod, ["spec", "priority"]);
}
