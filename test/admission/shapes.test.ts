import { describe, expect, test } from "vitest";
import { type AdmissionContext, type AdmissionReview, mutate, validate } from "../../src/admission/index.ts";
import { type JsonObject, valueAt } from "../../src/model/index.ts";
import { checkedResponse, patched, patchOf } from "../support/apiserver.ts";
import { cronJob, deployment, job, ownedBy, pod } from "../support/manifests.ts";
import {
  annotated,
  connectReview,
  createReview,
  deleteReview,
  reviewOf,
  scaleReview,
  serviceAccount,
  updateReview,
  withValue,
} from "../support/review.ts";
import { catalogueOf, classFile, contextOf, gpuNode, namespace } from "../support/world.ts";

const context: AdmissionContext = {
  ...contextOf(catalogueOf({ classes: [classFile("batch")] }), [
    namespace("default"),
    namespace("prod", { "plimsoll.dev/enrolled": "true" }),
    gpuNode("h-1"),
  ]),
  holds: [],
  nowMs: 0,
};
const classed = deployment({ class: "batch" });

/** Reviews that neither webhook may answer with anything but a bare yes. */
const passed: readonly [string, AdmissionReview][] = [
  ["DELETE: the object is null", deleteReview(classed)],
  ["DELETE with oldObject null", reviewOf("DELETE", null, null)],
  ["CONNECT: the object is the options of an exec", connectReview()],
  ["Scale: another kind under the name of ours", scaleReview(classed, 5)],
  ["status", reviewOf("UPDATE", classed, classed, { subResource: "status" })],
  [
    "ephemeralcontainers: the whole pod",
    reviewOf("UPDATE", pod({ class: "batch" }), pod({ class: "batch" }), { subResource: "ephemeralcontainers" }),
  ],
  ["resize", reviewOf("UPDATE", pod({ class: "batch" }), pod({ class: "batch" }), { subResource: "resize" })],
  ["CREATE with object null", reviewOf("CREATE", null, null)],
  ["UPDATE with oldObject null", reviewOf("UPDATE", classed, null)],
  [
    "finalizer removal: an update of what is being deleted",
    updateReview(
      withValue(classed, ["metadata", "deletionTimestamp"], "2026-01-01T00:00:00Z"),
      withValue(
        withValue(classed, ["metadata", "deletionTimestamp"], "2026-01-01T00:00:00Z"),
        ["metadata", "finalizers"],
        ["a/b"],
      ),
    ),
  ],
  [
    "an unknown kind",
    createReview({
      apiVersion: "example.com/v1",
      kind: "Thing",
      metadata: { name: "t", annotations: { "plimsoll.dev/workload-class": "batch" } },
      spec: {},
    }),
  ],
  ["a kind of ours in a version that is not in the table", createReview({ ...classed, apiVersion: "apps/v1beta1" })],
  [
    "a derived kind",
    createReview({
      apiVersion: "kueue.x-k8s.io/v1beta2",
      kind: "Workload",
      metadata: { name: "w", annotations: { "plimsoll.dev/workload-class": "batch" } },
      spec: { podSets: [] },
    }),
  ],
  [
    "a pod of a ReplicaSet, made by a service account",
    createReview(
      ownedBy(pod({ class: "batch" }), { ...classed, kind: "ReplicaSet", metadata: { name: "w-1", uid: "u" } }),
      { user: serviceAccount("kube-system", "replicaset-controller") },
    ),
  ],
  ["a mirror pod", createReview(annotated(pod({ class: "batch" }), { "kubernetes.io/config.mirror": "abc" }))],
  ["kube-system", createReview(deployment({ class: "batch", namespace: "kube-system" }))],
  ["our own namespace", createReview(deployment({ class: "batch", namespace: "plimsoll-system" }))],
  ["an object without a class", createReview(deployment())],
  ["an update of metadata alone", updateReview(withValue(classed, ["metadata", "labels"], { a: "b" }), classed)],
  ["an update of status alone", updateReview({ ...classed, status: { replicas: 1 } }, classed)],
];

describe("reviews that are not ours to judge", () => {
  test.each(passed)("%s", (_, review) => {
    for (const webhook of [mutate, validate]) {
      expect(webhook(review, context).review).toEqual({
        apiVersion: "admission.k8s.io/v1",
        kind: "AdmissionReview",
        response: { uid: review.request?.uid, allowed: true },
      });
    }
  });
});

describe("shapes that break naive handlers", () => {
  const shapes: readonly [string, JsonObject][] = [
    ["generateName: no name anywhere", job({ class: "batch", generateName: "run-" })],
    ["namespace blank in the object", withValue(classed, ["metadata", "namespace"], undefined)],
    ["no annotations but on the template", deployment({ annotations: { "plimsoll.dev/workload-class": "batch" } })],
    ["explicit nulls", deployment({ class: "batch", spec: { tolerations: null, nodeSelector: null, affinity: null } })],
    [
      "empty containers of fields",
      deployment({ class: "batch", spec: { tolerations: [], nodeSelector: {}, affinity: {} } }),
    ],
    ["unknown fields", { ...deployment({ class: "batch", spec: { futureField: { a: [1, null] } } }), extra: 1 }],
    ["a maker", cronJob({ class: "batch" })],
  ];
  test.each(shapes)("%s", (_, object) => {
    const review = createReview(object, { namespace: "default" });
    const answer = mutate(review, context).review;
    expect(checkedResponse(review, answer, "mutate").allowed).toBe(true);
    const result = patched(object, patchOf(answer));
    expect(result).not.toEqual(object);
    const again = { ...review, request: { ...review.request, object: result } };
    expect(mutate(again, context).review.response?.patch).toBeUndefined();
    const filled = withValue(withValue(result, ["metadata", "name"], "n"), ["metadata", "uid"], "u-1");
    const final = createReview(filled, { namespace: "default" });
    expect(checkedResponse(final, validate(final, context).review, "validate")).toMatchObject({ allowed: true });
  });

  test("dry run takes no hold and writes the same", () => {
    const wet = mutate(createReview(classed, { uid: "1" }), context);
    const dry = mutate(createReview(classed, { uid: "1", dryRun: true }), context);
    expect(dry.review).toEqual(wet.review);
    const result = withValue(patched(classed, patchOf(wet.review)), ["metadata", "uid"], "u");
    expect(validate(createReview(result), context).hold?.workload).toMatchObject({
      kind: "Deployment",
      namespace: "default",
      name: "w",
      uid: "u",
    });
    expect(validate(createReview(result, { dryRun: true }), context).hold).toBeUndefined();
  });

  test("the namespace of the request counts where the object names none", () => {
    const object = withValue(deployment(), ["metadata", "namespace"], undefined);
    const answer = validate(createReview(object, { namespace: "prod" }), context).review.response;
    expect(answer).toMatchObject({ allowed: false, status: { code: 403, reason: "Forbidden" } });
  });
});

describe("damaged reviews", () => {
  const damaged: readonly [string, unknown, RegExp][] = [
    ["null", null, /not a JSON object/],
    ["text", "review", /not a JSON object/],
    ["an empty object", {}, /expected admission.k8s.io\/v1 AdmissionReview, not nothing/],
    ["v1beta1", { ...createReview(classed), apiVersion: "admission.k8s.io/v1beta1" }, /v1beta1/],
    ["another kind", { ...createReview(classed), kind: "Status" }, /Status/],
    ["no request", { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }, /no request/],
    ["no uid", { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request: {} }, /uid/],
    [
      "an unknown operation",
      withValue(createReview(classed) as unknown as JsonObject, ["request", "operation"], "PATCH"),
      /PATCH/,
    ],
    [
      "an object that is a list",
      withValue(createReview(classed) as unknown as JsonObject, ["request", "object"], []),
      /request.object/,
    ],
    [
      "no kind",
      withValue(createReview(classed) as unknown as JsonObject, ["request", "kind"], undefined),
      /request.kind/,
    ],
  ];
  test.each(damaged)("%s is answered with 400 and the uid that could be read", (_, review, words) => {
    for (const webhook of [mutate, validate]) {
      const { response } = webhook(review, context).review;
      expect(response).toMatchObject({ allowed: false, status: { code: 400, reason: "BadRequest" } });
      expect(response?.status?.message).toMatch(words);
      const uid = valueAt(review as JsonObject, ["request", "uid"]);
      expect(response?.uid).toBe(typeof uid === "string" ? uid : "");
    }
  });
});

describe("denials", () => {
  test("an unknown class is Invalid, says which there are, and stands at its annotation", () => {
    const { response } = validate(createReview(deployment({ class: "bacth" })), context).review;
    expect(response).toMatchObject({ allowed: false, status: { code: 422, reason: "Invalid" } });
    expect(response?.status?.message).toMatch(/bacth[\s\S]*batch/);
  });
  test("audit annotations carry class, decision, catalogue revision and verdict", () => {
    const result = patched(classed, patchOf(mutate(createReview(classed), context).review));
    expect(validate(createReview(result), context).review.response?.auditAnnotations).toMatchObject({
      class: "batch",
      decision: "h100/on-demand/existing",
      verdict: "fits",
      "catalogue-revision": context.catalogue.revision,
    });
    expect(mutate(createReview(result), context).review.response?.auditAnnotations).toBeUndefined();
  });
  test("a fault of ours: mutate lets it pass and says so, validate answers 500 under enforce", () => {
    const broken: AdmissionContext = {
      ...context,
      holds: undefined as unknown as [],
      topology: new Proxy(
        {},
        {
          get: () => {
            throw new Error("boom");
          },
        },
      ) as never,
    };
    const mutated = mutate(createReview(classed, { uid: "7" }), broken);
    expect(mutated.review.response).toMatchObject({ uid: "7", allowed: true });
    expect(mutated.review.response?.warnings?.[0]).toMatch(/^InternalFault: /);
    expect(mutated.summary.fault).toMatch(/boom/);
    const validated = validate(createReview(classed, { uid: "8" }), broken);
    expect(validated.review.response).toMatchObject({
      uid: "8",
      allowed: false,
      status: { code: 500, reason: "InternalError" },
    });
    expect(validated.review.response?.status?.message).not.toMatch(/boom/);
  });
});
