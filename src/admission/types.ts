import type { JsonObject } from "../model/index.ts";

/** admission.k8s.io/v1 AdmissionReview, the fields that are read or written. */
export interface AdmissionReview {
  readonly apiVersion: "admission.k8s.io/v1";
  readonly kind: "AdmissionReview";
  readonly request?: AdmissionRequest;
  readonly response?: AdmissionResponse;
}

export interface GroupVersionKind {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

export interface AdmissionRequest {
  readonly uid: string;
  readonly kind: GroupVersionKind;
  readonly resource: { readonly group: string; readonly version: string; readonly resource: string };
  readonly subResource?: string;
  readonly name?: string;
  readonly namespace?: string;
  readonly operation: "CREATE" | "UPDATE" | "DELETE" | "CONNECT";
  readonly userInfo?: JsonObject;
  readonly object?: JsonObject | null;
  readonly oldObject?: JsonObject | null;
  readonly dryRun?: boolean;
  readonly options?: JsonObject | null;
}

export interface AdmissionResponse {
  readonly uid: string;
  readonly allowed: boolean;
  readonly status?: { readonly code: number; readonly message: string; readonly reason: string };
  /** Base64 of the JSON Patch. */
  readonly patch?: string;
  readonly patchType?: "JSONPatch";
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export type { PatchOperation } from "../translate/index.ts";
