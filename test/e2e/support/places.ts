import { type JsonObject, stringAt } from "../../../src/model/index.ts";
import { builtinKinds } from "../../../src/workloads/index.ts";

export const nameOf = (object: JsonObject): string => stringAt(object, ["metadata", "name"]) ?? "";
export const namespaceOf = (object: JsonObject): string => stringAt(object, ["metadata", "namespace"]) ?? "default";

const WORKLOADS = builtinKinds();

/** Kinds that are no workloads, and one that nobody knows: where they are, below a namespace but for those of the cluster. */
const OTHERS: Readonly<Record<string, readonly [api: string, plural: string, scope?: "cluster"]>> = {
  Namespace: ["v1", "namespaces", "cluster"],
  Node: ["v1", "nodes", "cluster"],
  Event: ["v1", "events"],
  ControllerRevision: ["apps/v1", "controllerrevisions"],
  PodDisruptionBudget: ["policy/v1", "poddisruptionbudgets"],
  PriorityClass: ["scheduling.k8s.io/v1", "priorityclasses", "cluster"],
  DeviceClass: ["resource.k8s.io/v1", "deviceclasses", "cluster"],
  ResourceSlice: ["resource.k8s.io/v1", "resourceslices", "cluster"],
  ResourceClaim: ["resource.k8s.io/v1", "resourceclaims"],
  ResourceClaimTemplate: ["resource.k8s.io/v1", "resourceclaimtemplates"],
  Swarm: ["example.com/v1", "swarms"],
};

/** The path of a kind's collection; without a namespace that of all. `apiVersion` where several groups have such a kind. */
export function collectionOf(kind: string, namespace?: string, apiVersion?: string): string {
  const known = WORKLOADS.entries.find((one) => one.kind === kind && (apiVersion ?? one.apiVersion) === one.apiVersion);
  const [api, plural, scope] = OTHERS[kind] ?? (known === undefined ? [] : [known.apiVersion, known.plural]);
  if (api === undefined || plural === undefined) throw new Error(`where is a ${kind}?`);
  const below = namespace === undefined || scope === "cluster" ? "" : `/namespaces/${namespace}`;
  return `${api.includes("/") ? `/apis/${api}` : `/api/${api}`}${below}/${plural}`;
}

/** The path of the object's collection. */
export function collectionFor(object: JsonObject): string {
  return collectionOf(stringAt(object, ["kind"]) ?? "", namespaceOf(object), stringAt(object, ["apiVersion"]));
}

export const pathOf = (object: JsonObject): string => `${collectionFor(object)}/${nameOf(object)}`;
