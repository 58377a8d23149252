import { isObject } from "../model/index.ts";
import { base64 } from "./base64.ts";
import type { AdmissionContext } from "./context.ts";
import { deniedText, warningTexts } from "./messages.ts";
import type {
  AdmissionRequest,
  AdmissionResponse,
  AdmissionReview,
  GroupVersionKind,
  PatchOperation,
} from "./types.ts";

/** The request of a review, or why it is none; `uid` is what could be read of it, for the answer. */
export type ParsedReview =
  | { readonly ok: true; readonly request: AdmissionRequest }
  | { readonly ok: false; readonly uid: string; readonly message: string };

const OPERATIONS = ["CREATE", "UPDATE", "DELETE", "CONNECT"] as const;

/** Reads any JSON as an admission.k8s.io/v1 AdmissionReview with a request. Never throws. */
export function parseReview(json: unknown): ParsedReview {
  const request = isObject(json) ? json["request"] : undefined;
  const uid = isObject(request) && typeof request["uid"] === "string" ? request["uid"] : "";
  const bad = (message: string): ParsedReview => ({ ok: false, uid, message });
  if (!isObject(json)) return bad("the body is not a JSON object; expected an AdmissionReview");
  if (json["apiVersion"] !== "admission.k8s.io/v1" || json["kind"] !== "AdmissionReview") {
    return bad(`expected admission.k8s.io/v1 AdmissionReview, not ${shown(json["apiVersion"])} ${shown(json["kind"])}`);
  }
  if (!isObject(request)) return bad("the AdmissionReview has no request");
  if (uid === "") return bad("request.uid is missing");
  const kind = groupVersionKind(request["kind"]);
  if (kind === undefined) return bad("request.kind must have group, version and kind");
  const operation = OPERATIONS.find((one) => one === request["operation"]);
  if (operation === undefined)
    return bad(`request.operation is ${shown(request["operation"])}; expected one of ${OPERATIONS.join(", ")}`);
  const object = request["object"] ?? null;
  const oldObject = request["oldObject"] ?? null;
  if (object !== null && !isObject(object)) return bad("request.object is neither an object nor null");
  if (oldObject !== null && !isObject(oldObject)) return bad("request.oldObject is neither an object nor null");
  const resource = isObject(request["resource"]) ? request["resource"] : {};
  return {
    ok: true,
    request: {
      uid,
      kind,
      resource: {
        group: text(resource["group"]),
        version: text(resource["version"]),
        resource: text(resource["resource"]),
      },
      subResource: text(request["subResource"]),
      name: text(request["name"]),
      namespace: text(request["namespace"]),
      operation,
      object,
      oldObject,
      dryRun: request["dryRun"] === true,
    },
  };
}

export interface AllowOptions {
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
}

export function allowed(uid: string, options: AllowOptions = {}): AdmissionReview {
  return answer({ uid, allowed: true, ...extras(options) });
}

/** Patch and patchType stand together or not at all; an empty patch is none. */
export function patched(
  uid: string,
  patch: readonly PatchOperation[],
  context: Pick<AdmissionContext, "base64">,
  options: AllowOptions = {},
): AdmissionReview {
  if (patch.length === 0) return allowed(uid, options);
  const encode = context.base64 ?? base64;
  return answer({
    uid,
    allowed: true,
    patchType: "JSONPatch",
    patch: encode(JSON.stringify(patch)),
    ...extras(options),
  });
}

/** 403 Forbidden: a policy refuses. 422 Invalid: what the user wrote cannot be read. The API server turns codes below 400 into 400. */
export function denied(uid: string, code: 403 | 422, message: string, options: AllowOptions = {}): AdmissionReview {
  return refused(uid, code, code === 422 ? "Invalid" : "Forbidden", message, options);
}

/** 400 BadRequest: not a review. 500 InternalError: a fault of ours. */
export function errored(uid: string, code: 400 | 500, message: string): AdmissionReview {
  return refused(uid, code, code === 400 ? "BadRequest" : "InternalError", message, {});
}

function refused(uid: string, code: number, reason: string, message: string, options: AllowOptions): AdmissionReview {
  return answer({ uid, allowed: false, status: { code, reason, message: deniedText(message) }, ...extras(options) });
}

function answer(response: AdmissionResponse): AdmissionReview {
  return { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", response };
}

function extras(options: AllowOptions): Pick<AdmissionResponse, "warnings" | "auditAnnotations"> {
  const warnings = warningTexts(options.warnings ?? []);
  const audit = options.auditAnnotations ?? {};
  return {
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(Object.keys(audit).length === 0 ? {} : { auditAnnotations: audit }),
  };
}

function groupVersionKind(json: unknown): GroupVersionKind | undefined {
  if (!isObject(json) || typeof json["version"] !== "string" || typeof json["kind"] !== "string") return undefined;
  return { group: text(json["group"]), version: json["version"], kind: json["kind"] };
}

const text = (value: unknown): string => (typeof value === "string" ? value : "");
const shown = (value: unknown): string =>
  typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : value === undefined ? "nothing" : "another type";
