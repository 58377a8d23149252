import { applyPatch, type Operation } from "rfc6902";
import {
  type AdmissionContext,
  type AdmissionReview,
  mutate,
  type Outcome,
  validate,
} from "../../src/admission/index.ts";
import {
  type Hold,
  isObject,
  type Json,
  type JsonObject,
  jsonEqual,
  objectAt,
  stringAt,
  valueAt,
} from "../../src/model/index.ts";
import { createHolds, type Holds } from "../../src/server/holds.ts";
import { clientSideApply, serverSideApply } from "./apply.ts";
import { HUMAN, reviewOf, withValue } from "./review.ts";

export interface WriteOptions {
  readonly user?: JsonObject;
  readonly dryRun?: boolean;
  /** A plugin that runs after validating webhooks (ResourceQuota) refuses. */
  readonly quotaRefuses?: boolean;
}

/** What one write came to, with the reviews that it took. */
export interface Written {
  readonly allowed: boolean;
  /** Who refused, and in which words. */
  readonly message: string;
  readonly code: number;
  readonly warnings: readonly string[];
  /** As stored, or as it would have been. */
  readonly object: JsonObject;
  /** Patches of each call of the mutating webhook, in order. */
  readonly patches: readonly (readonly Operation[])[];
  readonly mutations: readonly Outcome[];
  readonly validation: Outcome | undefined;
}

export type OtherWebhook = (object: JsonObject) => JsonObject;

export interface ApiServerOptions {
  /** What the webhooks know; holds and clock are the imitation's own. */
  readonly context: Omit<AdmissionContext, "holds" | "nowMs">;
}

/**
 * What the API server does around a pair of webhooks, as far as they can tell (apiserver handlers/create.go, patch.go,
 * registry/generic/registry/store.go): mutation before uid and generated name are filled, other mutating webhooks and
 * one reinvocation, the Job strategy's edits, immutability, validation, quota, storage.
 */
export class ApiServer {
  context: Omit<AdmissionContext, "holds" | "nowMs">;
  /** Another replica's knowledge, where the two webhooks are answered by different ones. */
  validatingContext: Omit<AdmissionContext, "holds" | "nowMs"> | undefined;
  others: OtherWebhook[] = [];
  mutatingIsDown = false;
  nowMs = 1_000_000;
  readonly holds: Holds = createHolds();
  readonly #stored = new Map<string, JsonObject>();
  readonly #serverSideApplied = new Map<string, JsonObject>();
  #serial = 0;

  constructor(options: ApiServerOptions) {
    this.context = options.context;
  }

  /** kubectl create */
  create(object: JsonObject, options: WriteOptions = {}): Written {
    return this.#write("CREATE", object, undefined, options);
  }

  /** kubectl replace: a PUT of the whole manifest. */
  replace(manifest: JsonObject, options: WriteOptions = {}): Written {
    return this.#write("UPDATE", manifest, this.get(manifest), options);
  }

  /** kubectl apply */
  apply(manifest: JsonObject, options: WriteOptions = {}): Written {
    const live = this.find(manifest);
    return this.#write(live === undefined ? "CREATE" : "UPDATE", clientSideApply(live, manifest), live, options);
  }

  /** kubectl apply --server-side */
  serverSideApply(manifest: JsonObject, options: WriteOptions = {}): Written {
    const live = this.find(manifest);
    const merged = serverSideApply(live, manifest, this.#serverSideApplied.get(keyOf(manifest)));
    const written = this.#write(live === undefined ? "CREATE" : "UPDATE", merged, live, options);
    if (written.allowed && options.dryRun !== true) this.#serverSideApplied.set(keyOf(manifest), manifest);
    return written;
  }

  /** A PATCH: somebody changes the live object. */
  change(object: JsonObject, edit: (live: JsonObject) => JsonObject, options: WriteOptions = {}): Written {
    const live = this.get(object);
    return this.#write("UPDATE", edit(live), live, options);
  }

  /** As the API server's storage would hold it afterwards, without asking any webhook (status, a controller's own bookkeeping). */
  put(object: JsonObject): void {
    this.#stored.set(keyOf(object), object);
  }

  delete(object: JsonObject): void {
    this.#stored.delete(keyOf(object));
  }

  find(object: JsonObject): JsonObject | undefined {
    return this.#stored.get(keyOf(object));
  }

  get(object: JsonObject): JsonObject {
    const live = this.find(object);
    if (live === undefined) throw new Error(`not found: ${keyOf(object)}`);
    return live;
  }

  listHolds(): readonly Hold[] {
    return this.holds.list(this.nowMs);
  }

  #write(
    operation: "CREATE" | "UPDATE",
    sent: JsonObject,
    old: JsonObject | undefined,
    options: WriteOptions,
  ): Written {
    let object = operation === "CREATE" ? prepareCreate(sent) : prepareUpdate(sent, old ?? {});
    const patches: Operation[][] = [];
    const mutations: Outcome[] = [];
    const warnings: string[] = [];
    const reviewed = { user: options.user ?? HUMAN, dryRun: options.dryRun ?? false };
    const mutateOnce = () => {
      if (this.mutatingIsDown) return;
      const review = reviewOf(operation, object, old ?? null, reviewed);
      const outcome = mutate(review, this.#context(this.context));
      mutations.push(outcome);
      const response = checkedResponse(review, outcome.review, "mutate");
      if (!response.allowed) throw new Error(`the mutating webhook refused: ${response.status?.message}`);
      warnings.push(...(response.warnings ?? []));
      const patch = patchOf(outcome.review);
      patches.push(patch);
      object = patched(object, patch);
    };
    mutateOnce();
    let changed = false;
    for (const other of this.others) {
      const next = other(object);
      changed ||= !jsonEqual(next, object);
      object = next;
    }
    if (changed) mutateOnce();
    object = operation === "CREATE" ? this.#fill(object) : object;
    const result = (
      refusal: { code: number; message: string } | undefined,
      validation: Outcome | undefined,
    ): Written => ({
      allowed: refusal === undefined,
      message: refusal?.message ?? "",
      code: refusal?.code ?? 200,
      warnings: [...new Set(warnings)],
      object,
      patches,
      mutations,
      validation,
    });
    const immutable = old === undefined ? undefined : immutableJob(object, old);
    if (immutable !== undefined) return result({ code: 422, message: immutable }, undefined);
    const review = reviewOf(operation, object, old ?? null, reviewed);
    const validation = validate(review, this.#context(this.validatingContext ?? this.context));
    const response = checkedResponse(review, validation.review, "validate");
    warnings.push(...(response.warnings ?? []));
    if (!response.allowed)
      return result({ code: response.status?.code ?? 0, message: response.status?.message ?? "" }, validation);
    if (validation.hold !== undefined) this.holds.take(validation.hold);
    if (options.quotaRefuses === true) return result({ code: 403, message: "exceeded quota" }, validation);
    if (operation === "CREATE" && this.find(object) !== undefined)
      return result({ code: 409, message: "already exists" }, validation);
    if (options.dryRun !== true) this.#stored.set(keyOf(object), object);
    return result(undefined, validation);
  }

  #context(context: Omit<AdmissionContext, "holds" | "nowMs">): AdmissionContext {
    return { ...context, holds: this.listHolds(), nowMs: this.nowMs };
  }

  /** uid and generated name come between mutation and validation; so do the Job strategy's selector and labels. */
  #fill(object: JsonObject): JsonObject {
    this.#serial += 1;
    const id = `10000000-0000-4000-8000-${String(this.#serial).padStart(12, "0")}`;
    const prefix = stringAt(object, ["metadata", "generateName"]);
    let filled = withValue(object, ["metadata", "uid"], id);
    filled = withValue(filled, ["metadata", "creationTimestamp"], "2026-01-01T00:00:00Z");
    if (stringAt(filled, ["metadata", "name"]) === undefined)
      filled = withValue(filled, ["metadata", "name"], `${prefix ?? ""}${String(this.#serial).padStart(5, "x")}`);
    if (filled["apiVersion"] === "batch/v1" && filled["kind"] === "Job") {
      const labels = {
        "batch.kubernetes.io/controller-uid": id,
        "batch.kubernetes.io/job-name": stringAt(filled, ["metadata", "name"]) ?? "",
      };
      filled = withValue(filled, ["spec", "selector"], { matchLabels: { "batch.kubernetes.io/controller-uid": id } });
      filled = withValue(filled, ["spec", "template", "metadata", "labels"], {
        ...objectAt(filled, ["spec", "template", "metadata", "labels"]),
        ...labels,
      });
    }
    return filled;
  }
}

/** The webhook contract of admission.k8s.io/v1 (apiserver webhook/request/admissionreview.go); a breach is an error here as there. */
export function checkedResponse(review: AdmissionReview, answer: AdmissionReview, webhook: "mutate" | "validate") {
  const { response } = answer;
  const fault = (text: string) => new Error(`${webhook} broke the contract: ${text}`);
  if (answer.apiVersion !== "admission.k8s.io/v1" || answer.kind !== "AdmissionReview")
    throw fault("not an AdmissionReview");
  if (response === undefined) throw fault("no response");
  if (response.uid !== review.request?.uid) throw fault(`uid ${response.uid}`);
  if ((response.patch === undefined) !== (response.patchType === undefined)) throw fault("patch without patchType");
  if (webhook === "validate" && response.patch !== undefined) throw fault("a validating webhook must not patch");
  if (response.patch !== undefined && !response.allowed) throw fault("a patch on a denial");
  if (!response.allowed) {
    if (
      (response.status?.code ?? 0) < 400 ||
      (response.status?.message ?? "") === "" ||
      (response.status?.reason ?? "") === ""
    )
      throw fault("a denial without explanation");
  }
  for (const warning of response.warnings ?? []) {
    if ([...warning].length > 120) throw fault(`a warning of ${[...warning].length} characters`);
    if (/\p{Cc}|\p{Cs}/u.test(warning)) throw fault("a warning with a control character");
  }
  if (new Set(response.warnings).size !== (response.warnings?.length ?? 0)) throw fault("the same warning twice");
  for (const key of Object.keys(response.auditAnnotations ?? {}))
    if (key.includes("/")) throw fault(`audit key ${key}`);
  return response;
}

export function patchOf(answer: AdmissionReview): Operation[] {
  const text = answer.response?.patch;
  return text === undefined ? [] : (JSON.parse(Buffer.from(text, "base64").toString("utf8")) as Operation[]);
}

/** Applies a patch as the API server does: one operation that fails turns the request into a 500. */
export function patched(object: JsonObject, patch: readonly Operation[]): JsonObject {
  // Through text, as on the wire: a structured clone would keep two references to one value.
  const copy = JSON.parse(JSON.stringify(object)) as JsonObject;
  const failures = applyPatch(copy, JSON.parse(JSON.stringify(patch)) as Operation[]).filter((one) => one !== null);
  if (failures.length > 0) throw new Error(`the patch does not apply: ${failures.map(String).join("; ")}`);
  return copy;
}

function prepareCreate(object: JsonObject): JsonObject {
  let copy = structuredClone(object) as JsonObject;
  for (const field of ["uid", "resourceVersion", "creationTimestamp"])
    copy = withValue(copy, ["metadata", field], undefined);
  if (stringAt(copy, ["metadata", "namespace"]) === undefined)
    copy = withValue(copy, ["metadata", "namespace"], "default");
  const { status: _status, ...rest } = copy;
  return rest;
}

function prepareUpdate(object: JsonObject, old: JsonObject): JsonObject {
  let copy = structuredClone(object) as JsonObject;
  for (const field of ["uid", "creationTimestamp", "namespace", "deletionTimestamp"]) {
    const value = valueAt(old, ["metadata", field]);
    if (value !== undefined) copy = withValue(copy, ["metadata", field], value);
  }
  return old["status"] === undefined ? copy : { ...copy, status: old["status"] };
}

const SUSPENDED_MUTABLE: readonly (readonly string[])[] = [
  ["spec", "nodeSelector"],
  ["spec", "tolerations"],
  ["spec", "affinity", "nodeAffinity"],
  ["spec", "schedulingGates"],
  ["metadata", "labels"],
  ["metadata", "annotations"],
];

/**
 * K apis/batch/validation/validation.go: a Job's template is immutable, but for some fields while it is suspended and never started; so is its
 * selector, which only a create fills in: a plain manifest that is put in place of a Job is refused for that.
 */
function immutableJob(object: JsonObject, old: JsonObject): string | undefined {
  if (object["apiVersion"] !== "batch/v1" || object["kind"] !== "Job") return undefined;
  const selector = valueAt(object, ["spec", "selector"]);
  if (selector === undefined) return "spec.selector: Required value";
  if (!jsonEqual(selector, valueAt(old, ["spec", "selector"])))
    return "spec.selector: Invalid value: field is immutable";
  const suspended = valueAt(old, ["spec", "suspend"]) === true && valueAt(old, ["status", "startTime"]) === undefined;
  const reduced = (json: JsonObject): Json | undefined => {
    let template = valueAt(json, ["spec", "template"]);
    if (suspended && isObject(template))
      for (const path of SUSPENDED_MUTABLE)
        template =
          isObject(template) && valueAt(template, path) !== undefined ? withValue(template, path, undefined) : template;
    if (isObject(template) && jsonEqual(objectAt(template, ["spec", "affinity"]), {}))
      template = withValue(template, ["spec", "affinity"], undefined);
    return template;
  };
  return jsonEqual(reduced(object), reduced(old)) ? undefined : "spec.template: Invalid value: field is immutable";
}

function keyOf(object: JsonObject): string {
  const namespace = stringAt(object, ["metadata", "namespace"]) ?? "default";
  return `${object["apiVersion"]}/${object["kind"]}/${namespace}/${stringAt(object, ["metadata", "name"]) ?? ""}`;
}
