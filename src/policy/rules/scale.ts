import { integerAt, objectAt, type Path, stringAt, valueAt } from "../../model/index.ts";
import type { PodSet, Workload } from "../../workloads/index.ts";
import { groupKind, parentPath } from "./read.ts";

/** How many replicas a pod set keeps at least and at most, as its own document says. */
export interface Scale {
  readonly floor: number;
  /** Undefined: no bound is written. */
  readonly ceiling: number | undefined;
  /** Of the field that holds the floor. */
  readonly path: Path;
  readonly ceilingPath: Path;
  /** The kind moves between the two by itself, without another object such as an HPA. */
  readonly autoscaled: boolean;
  /** Pods of this set in one replica: the hosts of a Ray replica, the pods of one Job. */
  readonly podsPerReplica: number;
}

/**
 * Undefined where the count is not the author's to choose: a head, a driver, one pod per node, the worker of a group whose
 * replicas the leader counts.
 */
export function scaleOf(workload: Workload, set: PodSet): Scale | undefined {
  if (set.perNode || /^\s*\d+\s*$/.test(set.entry.count)) return undefined;
  const { object } = workload;
  const parent = parentPath(set);
  switch (groupKind(workload)) {
    case "serving.kserve.io/InferenceService":
      return set.path.length === 2 ? bounds(workload, set.path, "minReplicas", 1, "maxReplicas", undefined) : undefined;
    case "serving.kserve.io/LLMInferenceService": {
      if (set.path[set.path.length - 1] !== "template") return undefined;
      const scaling = [...parent, "scaling"];
      if (valueAt(object, scaling) === undefined) return fixed(workload, set);
      return bounds(workload, scaling, "minReplicas", 1, "maxReplicas", undefined);
    }
    case "keda.sh/ScaledJob":
      return {
        ...bounds(workload, ["spec"], "minReplicaCount", 0, "maxReplicaCount", 100),
        podsPerReplica: Math.max(1, integerAt(object, [...parent, "parallelism"]) ?? 1),
      };
    case "sparkoperator.k8s.io/SparkApplication": {
      const dynamic = ["spec", "dynamicAllocation"];
      if (valueAt(object, [...dynamic, "enabled"]) !== true) return fixed(workload, set);
      return bounds(workload, dynamic, "minExecutors", 0, "maxExecutors", undefined);
    }
    case "leaderworkerset.x-k8s.io/LeaderWorkerSet":
    case "disaggregatedset.x-k8s.io/DisaggregatedSet":
      return groups(workload, set);
    default: {
      const group = rayGroup(workload, set);
      if (group === undefined) return fixed(workload, set);
      const hosts = Math.max(1, set.groupSize ?? 1);
      if (!group.autoscaled) return { ...one(set.count / hosts, [...group.path, "replicas"]), podsPerReplica: hosts };
      return { ...bounds(workload, group.path, "minReplicas", 0, "maxReplicas", undefined), podsPerReplica: hosts };
    }
  }
}

/** The Ray worker group of a pod set, the cluster spec around it, and whether Ray's own autoscaler moves it. */
export function rayGroup(
  workload: Workload,
  set: PodSet,
): { readonly path: Path; readonly cluster: Path; readonly autoscaled: boolean } | undefined {
  const index = set.path.indexOf("workerGroupSpecs");
  if (index < 0 || !groupKind(workload).startsWith("ray.io/")) return undefined;
  const cluster = set.path.slice(0, index);
  const autoscaled = valueAt(workload.object, [...cluster, "enableInTreeAutoscaling"]) === true;
  return { path: set.path.slice(0, index + 2), cluster, autoscaled };
}

/** How KServe deploys an InferenceService; undefined where its annotation does not say and the cluster's default decides. */
export function kserveMode(workload: Workload): "standard" | "knative" | undefined {
  switch (stringAt(objectAt(workload.object, ["metadata", "annotations"]), ["serving.kserve.io/deploymentMode"])) {
    case "Standard":
    case "RawDeployment":
      return "standard";
    case "Knative":
    case "Serverless":
      return "knative";
    default:
      return undefined;
  }
}

/** hpa is what KServe takes in Standard mode where the annotation is absent. */
export const kserveAutoscaler = (workload: Workload): string =>
  stringAt(objectAt(workload.object, ["metadata", "annotations"]), ["serving.kserve.io/autoscalerClass"]) ?? "hpa";

/** `minReplicas: 0` that KServe turns into 1: Standard mode with an HPA. */
export const kserveIgnoresZero = (workload: Workload): boolean =>
  kserveMode(workload) === "standard" && kserveAutoscaler(workload) === "hpa";

function bounds(
  workload: Workload,
  base: Path,
  low: string,
  lowDefault: number,
  high: string,
  highDefault: number | undefined,
): Scale {
  const ceiling = integerAt(workload.object, [...base, high]) ?? highDefault;
  return {
    floor: integerAt(workload.object, [...base, low]) ?? lowDefault,
    ceiling: ceiling === 0 ? undefined : ceiling,
    path: [...base, low],
    ceilingPath: [...base, high],
    autoscaled: true,
    podsPerReplica: 1,
  };
}

/** Pods of a group whose leader alone answers requests. */
export function isFollower(workload: Workload, set: PodSet): boolean {
  if (set.role.endsWith("-worker")) return true;
  return set.path.includes("leaderWorkerTemplate") && groups(workload, set) === undefined;
}

/** A replica of a LeaderWorkerSet is a group; its leader counts it, or its workers where there is no leader template. */
function groups(workload: Workload, set: PodSet): Scale | undefined {
  const index = set.path.indexOf("leaderWorkerTemplate");
  const spec = set.path.slice(0, Math.max(0, index));
  const hasLeader = valueAt(workload.object, [...spec, "leaderWorkerTemplate", "leaderTemplate"]) !== undefined;
  if (index < 0 || (hasLeader && set.path[index + 1] !== "leaderTemplate")) return undefined;
  const replicas = integerAt(workload.object, [...spec, "replicas"]) ?? 1;
  const pods = replicas > 0 ? set.count / replicas : 1;
  return { ...one(replicas, [...spec, "replicas"]), podsPerReplica: pods };
}

function fixed(workload: Workload, set: PodSet): Scale {
  const parent = parentPath(set);
  const named = ["replicas", "parallelism", "instances"].find(
    (key) => valueAt(workload.object, [...parent, key]) !== undefined,
  );
  return one(set.count, named === undefined ? set.path : [...parent, named]);
}

const one = (count: number, path: Path): Scale => ({
  floor: count,
  ceiling: count,
  path,
  ceilingPath: path,
  autoscaled: false,
  podsPerReplica: 1,
});
