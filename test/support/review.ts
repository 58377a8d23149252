import type { AdmissionRequest, AdmissionReview } from "../../src/admission/types.ts";
import { type Json, type JsonObject, stringAt } from "../../src/model/index.ts";

let drawn = 0;
/** A uid of the API server's form; each call draws another. */
export function uid(): string {
  drawn += 1;
  return `00000000-0000-4000-8000-${String(drawn).padStart(12, "0")}`;
}

export const HUMAN: JsonObject = { username: "engineer@example.com", groups: ["system:authenticated"] };

export function serviceAccount(namespace: string, name: string): JsonObject {
  return {
    username: `system:serviceaccount:${namespace}:${name}`,
    groups: ["system:serviceaccounts", "system:authenticated"],
  };
}

export interface ReviewOptions {
  readonly uid?: string;
  readonly namespace?: string;
  readonly user?: JsonObject;
  readonly dryRun?: boolean;
  readonly subResource?: string;
}

/** As the API server sends it: name empty where it is not drawn, object null on DELETE, oldObject null on CREATE and CONNECT. */
export function reviewOf(
  operation: AdmissionRequest["operation"],
  object: JsonObject | null,
  oldObject: JsonObject | null,
  options: ReviewOptions = {},
): AdmissionReview {
  const shown = object ?? oldObject ?? {};
  const [group, version] = splitVersion(stringAt(shown, ["apiVersion"]) ?? "v1");
  const kind = stringAt(shown, ["kind"]) ?? "";
  const gvk = { group, version, kind };
  const gvr = { group, version, resource: `${kind.toLowerCase()}s` };
  const request = {
    uid: options.uid ?? uid(),
    kind: gvk,
    resource: gvr,
    requestKind: gvk,
    requestResource: gvr,
    ...(options.subResource === undefined
      ? {}
      : { subResource: options.subResource, requestSubResource: options.subResource }),
    ...(stringAt(shown, ["metadata", "name"]) === undefined
      ? {}
      : { name: stringAt(shown, ["metadata", "name"]) ?? "" }),
    namespace: options.namespace ?? stringAt(shown, ["metadata", "namespace"]) ?? "default",
    operation,
    userInfo: options.user ?? HUMAN,
    object,
    oldObject,
    dryRun: options.dryRun ?? false,
    options: { apiVersion: "meta.k8s.io/v1", kind: operation === "CREATE" ? "CreateOptions" : "UpdateOptions" },
  };
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request };
}

export const createReview = (object: JsonObject, options?: ReviewOptions): AdmissionReview =>
  reviewOf("CREATE", object, null, options);
export const updateReview = (object: JsonObject, old: JsonObject, options?: ReviewOptions): AdmissionReview =>
  reviewOf("UPDATE", object, old, options);
export const deleteReview = (old: JsonObject, options?: ReviewOptions): AdmissionReview =>
  reviewOf("DELETE", null, old, options);

/** `kubectl exec`: the object is the options of the connection. */
export function connectReview(): AdmissionReview {
  return reviewOf("CONNECT", { apiVersion: "v1", kind: "PodExecOptions", stdin: true, command: ["sh"] }, null, {
    subResource: "exec",
  });
}

/** `kubectl scale`: the object is autoscaling/v1 Scale and carries no annotations. */
export function scaleReview(target: JsonObject, replicas: number): AdmissionReview {
  const scale = (count: number): JsonObject => ({
    apiVersion: "autoscaling/v1",
    kind: "Scale",
    metadata: {
      name: stringAt(target, ["metadata", "name"]) ?? "",
      namespace: stringAt(target, ["metadata", "namespace"]) ?? "",
    },
    spec: { replicas: count },
  });
  return reviewOf("UPDATE", scale(replicas), scale(1), { subResource: "scale" });
}

/** A deep copy in which the value at a dotted path (`spec.replicas`, `spec.workers[0].name`) is set; undefined removes it. */
export function withValue(object: JsonObject, path: readonly (string | number)[], value: Json | undefined): JsonObject {
  const copy = structuredClone(object) as Record<string, unknown>;
  let at: Record<string | number, unknown> = copy;
  for (const [index, step] of path.entries()) {
    if (index === path.length - 1) {
      if (value !== undefined) at[step] = value;
      else if (Array.isArray(at)) at.splice(Number(step), 1);
      else delete at[step];
    } else {
      if (at[step] === undefined || at[step] === null) at[step] = typeof path[index + 1] === "number" ? [] : {};
      at = at[step] as Record<string | number, unknown>;
    }
  }
  return copy as JsonObject;
}

export function annotated(object: JsonObject, annotations: Readonly<Record<string, string | undefined>>): JsonObject {
  let result = object;
  for (const [key, value] of Object.entries(annotations))
    result = withValue(result, ["metadata", "annotations", key], value);
  return result;
}

function splitVersion(apiVersion: string): [string, string] {
  const slash = apiVersion.indexOf("/");
  return slash < 0 ? ["", apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)];
}
