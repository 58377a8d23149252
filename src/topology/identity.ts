import { isArray, isObject, type Json, stringAt } from "../model/index.ts";

/** Kinds that are read, by API group. */
const GROUPS: Readonly<Record<string, string>> = {
  Node: "",
  Pod: "",
  Namespace: "",
  LimitRange: "",
  ResourceQuota: "",
  ResourceSlice: "resource.k8s.io",
  ResourceClaim: "resource.k8s.io",
  ResourceClaimTemplate: "resource.k8s.io",
  DeviceClass: "resource.k8s.io",
  DeviceTaintRule: "resource.k8s.io",
  NodePool: "karpenter.sh",
  CapacityQuota: "autoscaling.x-k8s.io",
  LocalQueue: "kueue.x-k8s.io",
  ClusterQueue: "kueue.x-k8s.io",
  Cohort: "kueue.x-k8s.io",
  ResourceFlavor: "kueue.x-k8s.io",
  NodeResourceTopology: "topology.node.k8s.io",
  RuntimeClass: "node.k8s.io",
  PodDisruptionBudget: "policy",
  PriorityClass: "scheduling.k8s.io",
};
const NAMESPACED: ReadonlySet<string> = new Set([
  "Pod",
  "LimitRange",
  "ResourceQuota",
  "ResourceClaim",
  "ResourceClaimTemplate",
  "LocalQueue",
  "PodDisruptionBudget",
]);
const DEVICE_VERSIONS: readonly string[] = ["v1", "v1beta2", "v1beta1"];
/** That kind came later, and has no v1beta1. */
const RULE_VERSIONS: readonly string[] = ["v1", "v1beta2", "v1alpha3"];
/** Never looked into: their content is nobody's business here. */
const SECRET_KINDS: ReadonlySet<string> = new Set(["Secret", "ConfigMap"]);

export interface Identity {
  readonly apiVersion: string;
  readonly kind: string;
  /** Empty for kinds of the cluster that are read; `default` where a namespaced object names none. */
  readonly namespace: string;
  readonly name: string;
  /** Is the kind read, or does its object only tell who owns it. */
  readonly wanted: boolean;
}

/** The identity of an object, why it has none (`fault`), or nothing for what is of no use here. */
export function identify(
  object: Json,
):
  | { readonly identity: Identity; readonly fault?: string }
  | { readonly identity?: undefined; readonly fault?: string } {
  if (!isObject(object)) return { fault: "is not an object with apiVersion and kind" };
  const kind = stringAt(object, ["kind"]);
  const apiVersion = stringAt(object, ["apiVersion"]);
  if (kind === undefined) return { fault: "has no kind" };
  if (SECRET_KINDS.has(kind)) return {};
  const items = object["items"] ?? [];
  if (kind.endsWith("List") && !isArray(items)) return { fault: "has items that are no list" };
  if (apiVersion === undefined) return { fault: "has no apiVersion" };
  const name = stringAt(object, ["metadata", "name"]) ?? "";
  const wanted = isRead(apiVersion, kind);
  if (name === "") return wanted ? { fault: "has no metadata.name" } : {};
  const namespace = placeOf({ apiVersion, kind, namespace: stringAt(object, ["metadata", "namespace"]) ?? "" });
  const identity: Identity = { apiVersion, kind, namespace, name, wanted };
  const version = apiVersion.slice(apiVersion.indexOf("/") + 1);
  const versions = kind === "DeviceTaintRule" ? RULE_VERSIONS : DEVICE_VERSIONS;
  if (wanted && GROUPS[kind] === "resource.k8s.io" && !versions.includes(version))
    return { identity, fault: `is of version ${version}; the versions read are ${versions.join(", ")}` };
  return { identity };
}

/** Is this a kind of which more is read than who owns it. */
export function isRead(apiVersion: string, kind: string): boolean {
  const group = apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
  return Object.hasOwn(GROUPS, kind) && GROUPS[kind] === group;
}

export function isReadKind(kind: string): boolean {
  return Object.hasOwn(GROUPS, kind);
}

/** The namespace under which an object of this kind is kept. */
export function placeOf(one: {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
}): string {
  if (isRead(one.apiVersion, one.kind) && !NAMESPACED.has(one.kind)) return "";
  return one.namespace || "default";
}

/** Text that is equal for the same object among those of its kind. */
export function idOf({ namespace, name }: { readonly namespace: string; readonly name: string }): string {
  return namespace === "" ? name : `${namespace}/${name}`;
}
