import {
  isObject,
  type JsonObject,
  type ObjectKey,
  podHostPorts,
  podRequests,
  type Resources,
  stringAt,
  valueAt,
} from "../model/index.ts";
import { type Faults, shown, stringsAt } from "./fields.ts";
import { type OwnerIndex, priorityOf, rootOf } from "./owner.ts";
import type { PodFacts } from "./types.ts";

export interface PodContext {
  readonly owners: OwnerIndex;
  readonly tenantOf: (namespace: string) => string;
  readonly priorityOf: (className: string | undefined) => number;
  /** The one object that stands for all equal lists. */
  readonly shared: (resources: Resources) => Resources;
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

/** A core/v1 Pod. Requests are those of its spec with its overhead, as the scheduler counts them. */
export function readPod(object: JsonObject, key: ObjectKey, context: PodContext, problems: Faults): PodFacts {
  const spec = valueAt(object, ["spec"]);
  if (!isObject(spec)) problems.add(["spec"], `must be a mapping, not ${shown(spec)}`);
  const body: JsonObject = isObject(spec) ? spec : {};
  const bound = stringAt(body, ["nodeName"]) || undefined;
  const nominated = stringAt(object, ["status", "nominatedNodeName"]) || undefined;
  return {
    key,
    root: rootOf(key, object, context.owners),
    labels: stringsAt(object, ["metadata", "labels"], problems),
    node: bound ?? nominated,
    nominated: bound === undefined && nominated !== undefined,
    terminating: typeof valueAt(object, ["metadata", "deletionTimestamp"]) === "string",
    requests: context.shared(podRequests(body)),
    hostPorts: podHostPorts(body),
    priority: priorityOf(object) ?? context.priorityOf(stringAt(body, ["priorityClassName"])),
    tenant: context.tenantOf(key.namespace),
  };
}
