import { basePath } from "../kube/index.ts";
import { type JsonObject, type Platform, stringAt } from "../model/index.ts";

/** A kind of object that is made beside workloads. */
export interface CompanionKind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly plural: string;
  /** Named by its content, so that several workloads of a namespace may use one. */
  readonly shared: boolean;
  /** Of the platform: does somebody here make it. */
  readonly flag: keyof Platform["companions"];
}

/** Claim templates and pod templates before what names them. */
export const COMPANION_KINDS: readonly CompanionKind[] = [
  row("resource.k8s.io/v1", "ResourceClaimTemplate", "resourceClaimTemplates", true),
  row("v1", "PodTemplate", "podTemplates", true),
  row("scheduling.k8s.io/v1beta1", "PodGroup", "podGroups", false),
  row("autoscaling.x-k8s.io/v1", "ProvisioningRequest", "provisioningRequests", false),
  row("policy/v1", "PodDisruptionBudget", "podDisruptionBudgets", false),
];

function row(apiVersion: string, kind: string, flag: CompanionKind["flag"], shared: boolean): CompanionKind {
  return { apiVersion, kind, plural: flag.toLowerCase(), shared, flag };
}

const MANAGED_LABEL = "app.kubernetes.io/managed-by";
const MANAGED_BY = "plimsoll";
/** What a watch of the companion kinds selects. */
export const MANAGED_SELECTOR = `${MANAGED_LABEL}=${MANAGED_BY}`;
export const FIELD_MANAGER = "plimsoll";

export function companionKind(kind: string): CompanionKind | undefined {
  return COMPANION_KINDS.find((one) => one.kind === kind);
}

export function collectionPath({ apiVersion, plural }: CompanionKind, namespace: string): string {
  return `${basePath(apiVersion)}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
}

export function isOurs(object: JsonObject): boolean {
  return stringAt(object, ["metadata", "labels", MANAGED_LABEL]) === MANAGED_BY;
}

export const nameOf = (object: JsonObject): string => stringAt(object, ["metadata", "name"]) ?? "";
export const namespaceOf = (object: JsonObject): string => stringAt(object, ["metadata", "namespace"]) ?? "";
export const uidOf = (object: JsonObject): string => stringAt(object, ["metadata", "uid"]) ?? "";
export const kindOf = (object: JsonObject): string => stringAt(object, ["kind"]) ?? "";
