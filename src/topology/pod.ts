import {
  actualSpec,
  apartTerms,
  containerNeeds,
  heldTogether,
  isObject,
  type JsonObject,
  type ObjectKey,
  objectAt,
  podHostPorts,
  podRequests,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { type AmountReader, type Faults, labelsAt, listAt, shown } from "./fields.ts";
import { controllerOf, priorityOf } from "./owner.ts";
import type { PodFacts } from "./types.ts";

/** Devices are part of its requests. */
function pinnedBy(spec: JsonObject, amounts: AmountReader): Pick<PodFacts, "pinned"> {
  const held = heldTogether(containerNeeds(spec));
  const managed = Object.entries(held).filter(([name]) => !name.includes("/"));
  return managed.length === 0 ? {} : { pinned: amounts.shared(Object.fromEntries(managed)) };
}

/** Equal ones are one, since pods of one workload have the same. */
function apartBy(spec: JsonObject, namespace: string, amounts: AmountReader): Pick<PodFacts, "apart"> {
  if (valueAt(spec, ["affinity", "podAntiAffinity"]) === undefined) return {};
  const terms = apartTerms(spec, namespace);
  return terms.length === 0 ? {} : { apart: amounts.shared(terms) };
}

export interface PodContext {
  /** `pod` itself where it belongs to nothing else. */
  readonly rootOf: (
    pod: ObjectKey,
    owner: ObjectKey | undefined,
    labels: Readonly<Record<string, string>>,
  ) => ObjectKey;
  readonly tenantOf: (namespace: string) => string;
  readonly priorityOf: (className: string | undefined) => number;
  readonly amounts: AmountReader;
}

/** Does it wait for a node on which something is counted that not every node has, such as accelerators. */
export function contends({ node, gated, terminating, requests }: PodFacts): boolean {
  return (
    node === undefined && gated !== true && !terminating && Object.keys(requests).some((name) => name.includes("/"))
  );
}

/** Pods that have ended hold nothing. */
export function isTerminal(object: JsonObject): boolean {
  const phase = stringAt(object, ["status", "phase"]);
  return phase === "Succeeded" || phase === "Failed";
}

export function podKey(object: JsonObject, namespace: string, name: string): ObjectKey {
  const uid = stringAt(object, ["metadata", "uid"]);
  return { apiVersion: "v1", kind: "Pod", namespace, name, ...(uid === undefined ? {} : { uid }) };
}

/** The class that gives a pod its priority where admission has not resolved it. */
export function priorityClassOf(object: JsonObject): string | undefined {
  return stringAt(object, ["spec", "priorityClassName"]);
}

/** A core/v1 Pod. Requests are those of its spec with its overhead, as the scheduler counts them. */
export function readPod(object: JsonObject, key: ObjectKey, context: PodContext, problems: Faults): PodFacts {
  const spec = valueAt(object, ["spec"]);
  if (!isObject(spec)) problems.add(["spec"], `must be a mapping, not ${shown(spec)}`);
  const body: JsonObject = isObject(spec) ? spec : {};
  // What cannot be counted would be taken for nothing.
  listAt(body, ["containers"], problems, ["spec"]);
  listAt(body, ["initContainers"], problems, ["spec"]);
  const bound = stringAt(body, ["nodeName"]) || undefined;
  const nominated = stringAt(object, ["status", "nominatedNodeName"]) || undefined;
  const labels = labelsAt(object, ["metadata", "labels"], context.amounts, problems);
  const started = stringAt(object, ["status", "startTime"]);
  return {
    key,
    root: context.rootOf(key, controllerOf(object, key.namespace), labels),
    labels,
    node: bound ?? nominated,
    nominated: bound === undefined && nominated !== undefined,
    ...(bound === undefined && listAt(body, ["schedulingGates"], problems, ["spec"]).length > 0
      ? { gated: true as const }
      : {}),
    terminating: typeof valueAt(object, ["metadata", "deletionTimestamp"]) === "string",
    requests: context.amounts.shared(podRequests(actualSpec(body, objectAt(object, ["status"])))),
    ...pinnedBy(body, context.amounts),
    hostPorts: context.amounts.shared(podHostPorts(body)),
    priority: priorityOf(object) ?? context.priorityOf(priorityClassOf(object)),
    tenant: context.tenantOf(key.namespace),
    ...apartBy(body, key.namespace, context.amounts),
    ...(started === undefined ? {} : { started: context.amounts.text(started) }),
  };
}
