import {
  APPLIED_ANNOTATION,
  type AutoscalerKind,
  arrayAt,
  isObject,
  type JsonObject,
  type Path,
  type Requirements,
  stringAt,
} from "../../model/index.ts";
import { fieldPath, type PodSet, type Workload } from "../../workloads/index.ts";
import { isOverflowSet } from "../intent.ts";
import type { RuleContext } from "./types.ts";

/** One container of a pod set, with its place in the document. */
export interface Container {
  readonly name: string;
  readonly path: Path;
  readonly spec: JsonObject;
}

export function containersOf(set: PodSet, lists: readonly string[] = ["containers"]): readonly Container[] {
  return lists.flatMap((list) =>
    arrayAt(set.pod.spec, [list]).flatMap((spec, index) =>
      isObject(spec)
        ? [{ name: stringAt(spec, ["name"]) ?? `${list}[${index}]`, path: at(set, list, index), spec }]
        : [],
    ),
  );
}

/** A path inside the PodSpec of the set. */
export const at = (set: PodSet, ...steps: Path): Path => [...set.specPath, ...steps];

/** Where an annotation or label of the pods stands, or would stand. */
export function metadataPath(set: PodSet, field: "annotations" | "labels", key: string): Path {
  const path = fieldPath(set, field);
  return path === undefined ? set.path : [...path, key];
}

/** The object around a template: a Job's spec, a worker group, a replicated job's JobSpec. */
export const parentPath = (set: PodSet): Path => set.path.slice(0, -1);

/** `batch/Job`; `/Pod` for the core group. */
export function groupKind(workload: Workload): string {
  const { apiVersion, kind } = workload.kind;
  const slash = apiVersion.indexOf("/");
  return `${slash < 0 ? "" : apiVersion.slice(0, slash)}/${kind}`;
}

const JOB_KINDS = new Set(["batch/Job", "batch/CronJob", "keda.sh/ScaledJob", "jobset.x-k8s.io/JobSet"]);

/** Where the batch/v1 JobSpec around a template stands; undefined for other kinds. */
export const jobSpecPath = (workload: Workload, set: PodSet): Path | undefined =>
  JOB_KINDS.has(groupKind(workload)) ? parentPath(set) : undefined;

/** Did Plimsoll itself write something under this key: the record of its edits names it. */
export function isOurs(workload: Workload, key: string): boolean {
  return Object.hasOwn(workload.annotations, APPLIED_ANNOTATION)
    ? (workload.annotations[APPLIED_ANNOTATION] ?? "").includes(key)
    : false;
}

/** Does every alternative of a node selection name the key. */
export const namesKey = (selection: readonly Requirements[], key: string): boolean =>
  selection.length > 0 && selection.every((term) => term.has(key));

export const own = (map: Readonly<Record<string, string>>, key: string): string | undefined =>
  Object.hasOwn(map, key) ? map[key] : undefined;

export { plural } from "../../model/index.ts";

/** `a`, `a or b`, `a, b or c`. */
export function oneOf(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? "none") : `${items.slice(0, -1).join(", ")} or ${items[items.length - 1]}`;
}

/** The kind and name as a person says them; a generateName is named by its prefix. */
export const workloadText = (workload: Workload): string =>
  `${workload.key.kind} ${workload.key.name || (workload.generateName ?? "")}`;

/** A pod set as a person says it: the workload where it has only one, else its name and the workload. */
export const setText = (workload: Workload, set: PodSet): string =>
  workload.podSets.length === 1 ? workloadText(workload) : `${set.name} of ${workloadText(workload)}`;

/** May the ladder of the set reach spot capacity: `overflow` means only sets that are marked so. */
export function usesSpot({ workload, set, intent }: Pick<RuleContext, "workload" | "set" | "intent">): boolean {
  const { capacity, interruption } = intent.contract;
  if (!capacity.types.includes("spot")) return false;
  return interruption.spot === "allowed" || (interruption.spot === "overflow" && isOverflowSet(workload, set));
}

const AUTOSCALERS = {
  none: "no autoscaler",
  "cluster-autoscaler": "Cluster Autoscaler",
  karpenter: "Karpenter",
  gke: "the GKE autoscaler",
  "eks-auto": "EKS Auto Mode",
  aks: "the AKS autoscaler",
} as const;

/** `a Deployment`, `an InferenceService`. */
export const aKind = (kind: string): string => `${/^([AEIOU]|LLM|MPI|XGB)/.test(kind) ? "an" : "a"} ${kind}`;

/**
 * A role that its class gives no accelerator although the class is about accelerators (a Ray head, an endpoint picker): it helps the
 * pods that serve, and what the class asks of replicas is not asked of it.
 */
export function isHelper({ intent, catalogue }: Pick<RuleContext, "intent" | "catalogue">): boolean {
  const main = catalogue.classes.get(intent.className)?.contract.accelerator.kind ?? "none";
  return intent.contract.accelerator.kind === "none" && main !== "none";
}

export const autoscalerText = (kind: AutoscalerKind): string => AUTOSCALERS[kind];
