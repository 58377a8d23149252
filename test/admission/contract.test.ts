import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { type AdmissionContext, type AdmissionReview, mutate, validate } from "../../src/admission/index.ts";
import { type Json, type JsonObject, valueAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { builtinKinds, type KindEntry } from "../../src/workloads/index.ts";
import { checkedResponse, patched, patchOf } from "../support/apiserver.ts";
import { createReview, updateReview, withValue } from "../support/review.ts";
import { runs } from "../support/runs.ts";
import { boundPod, catalogueOf, classFile, contextOf, gpuNode, namespace } from "../support/world.ts";

const kinds = builtinKinds();
const context: AdmissionContext = {
  ...contextOf(
    catalogueOf({
      classes: [
        classFile("batch"),
        classFile("gang", { demand: { shape: "gang" }, topology: { unit: "podSet", level: "rack", mode: "required" } }),
        classFile("warned", {
          admission: { mode: "warn" },
          interruption: {
            spot: "never",
            minLifetime: "12h",
            consolidation: false,
            drainTimeout: "2m",
            budget: { maxUnavailable: 1 },
          },
        }),
        classFile("quiet", { admission: { mode: "audit" } }),
        classFile("bare", { accelerator: "none" }),
      ],
    }),
    [
      namespace("default", { "plimsoll.dev/enrolled": "true" }),
      gpuNode("h-1"),
      gpuNode("h-2", { rack: "rack-2" }),
      gpuNode("a-1", { accelerator: "h200" }),
      boundPod("p", "h-2", 4),
    ],
  ),
  maxSteps: 2_000,
  holds: [],
  nowMs: 0,
};

const classNames = fc.constantFrom("batch", "gang", "warned", "quiet", "bare", "missing", undefined);
const odd: fc.Arbitrary<Json> = fc.constantFrom(null, {}, [], "", 0, true, "text", [null], { a: null });
const nodeSelector = fc.oneof(
  odd,
  fc.dictionary(
    fc.constantFrom("karpenter.sh/capacity-type", "karpenter.k8s.aws/instance-gpu-name", "team/~a", "__proto__"),
    fc.constantFrom("h100", "on-demand", "spot", "x"),
    { maxKeys: 3 },
  ),
);
const tolerations = fc.oneof(
  odd,
  fc.array(
    fc.constantFrom<Json>(
      { key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" },
      { operator: "Exists" },
      { key: "a", value: "b" },
      null,
    ),
    { maxLength: 3 },
  ),
);
const affinity = fc.oneof(
  odd,
  fc.constant<Json>({
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] }],
      },
    },
  }),
  fc.constant<Json>({ nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: null } }),
);
const containers = fc.array(
  fc.record({
    name: fc.constantFrom("main", "side", ""),
    image: fc.constant("pause:3.10"),
    resources: fc.oneof(
      odd,
      fc.record({
        limits: fc.oneof(odd, fc.record({ "nvidia.com/gpu": fc.constantFrom<Json>("1", 2, "8", "x", null) })),
        requests: fc.oneof(odd, fc.record({ cpu: fc.constantFrom<Json>("1", "100m", 2, "?") })),
      }),
    ),
  }),
  { maxLength: 3 },
);
const podSpec: fc.Arbitrary<Json> = fc.oneof(
  { weight: 1, arbitrary: odd },
  {
    weight: 8,
    arbitrary: fc.record(
      {
        containers: fc.oneof({ weight: 1, arbitrary: odd }, { weight: 6, arbitrary: containers }),
        nodeSelector,
        tolerations,
        affinity,
      },
      { requiredKeys: [] },
    ) as fc.Arbitrary<Json>,
  },
);
const template = (spec: fc.Arbitrary<Json>): fc.Arbitrary<Json> =>
  fc.oneof(
    { weight: 1, arbitrary: odd },
    {
      weight: 8,
      arbitrary: fc.record(
        {
          metadata: fc.oneof(
            odd,
            fc.record({
              labels: odd,
              annotations: fc.oneof(
                odd,
                classNames.map((name): Json => (name === undefined ? {} : { "plimsoll.dev/workload-class": name })),
              ),
            }),
          ),
          spec,
        },
        { requiredKeys: ["spec"] },
      ) as fc.Arbitrary<Json>,
    },
  );

/** As it is where a parent is of a shape that holds nothing. */
function placed(object: JsonObject, path: readonly (string | number)[], value: Json): JsonObject {
  try {
    return withValue(object, path, value);
  } catch {
    return object;
  }
}

/** An object of the kind with something at each place where a template may stand, well-formed or not. */
function objectOf(entry: KindEntry): fc.Arbitrary<JsonObject> {
  const places = fc.tuple(
    ...entry.templates.map(({ shape }) => (shape === "PodTemplateSpec" ? template(podSpec) : podSpec)),
  );
  return fc
    .record({
      className: classNames,
      filled: places,
      named: fc.boolean(),
      count: fc.constantFrom<Json>(0, 1, 3, null, "2"),
      noise: odd,
      damaged: fc.boolean(),
    })
    .map(({ className, filled, named, count, noise, damaged }) => {
      let object: JsonObject = {
        apiVersion: entry.apiVersion,
        kind: entry.kind,
        metadata: {
          ...(named ? { name: "w" } : { generateName: "w-" }),
          namespace: "default",
          ...(className === undefined ? {} : { annotations: { "plimsoll.dev/workload-class": className } }),
        },
        ...(entry.templates.some(({ path }) => path === "$") ? {} : { spec: { replicas: count, parallelism: count } }),
      };
      entry.templates.forEach(({ path }, index) => {
        const value = filled[index] ?? null;
        if (path === "$") object = { ...object, spec: value };
        else
          object = placed(
            object,
            path
              .split(".")
              .flatMap((step): (string | number)[] =>
                step.endsWith("[*]")
                  ? [step.slice(0, -3), 0]
                  : step.endsWith("{*}")
                    ? [step.slice(0, -3), "Worker"]
                    : [step],
              ),
            value,
          );
      });
      // Through text, as on the wire: no two places share one value.
      return JSON.parse(JSON.stringify(damaged ? { ...object, extra: noise } : object)) as JsonObject;
    });
}

const objects = fc.constantFrom(...kinds.entries).chain(objectOf);
const damage = fc.array(
  fc.tuple(
    fc.constantFrom(
      "uid",
      "kind",
      "operation",
      "object",
      "oldObject",
      "namespace",
      "name",
      "dryRun",
      "resource",
      "subResource",
      "extra",
    ),
    odd,
  ),
  { maxLength: 3 },
);

function checkedPair(review: AdmissionReview, object: JsonObject | undefined): void {
  const mutated = mutate(review, context);
  expect(mutated.summary.fault).toBeUndefined();
  const response = checkedResponse(review, mutated.review, "mutate");
  const patch = patchOf(mutated.review);
  if (response.patch !== undefined) expect(patch.length).toBeGreaterThan(0);
  const result = object === undefined ? undefined : patched(object, patch);
  const after = { ...review, request: { ...review.request, object: result ?? review.request?.object } };
  const validated = validate(after, context);
  expect(validated.summary.fault).toBeUndefined();
  checkedResponse(review, validated.review, "validate");
  if (result === undefined) return;
  expect(patchOf(mutate(after, context).review)).toEqual([]);
  expect(undo(result, kinds).base).toEqual(undo(object ?? {}, kinds).base);
}

describe("whatever is sent, the contract with the API server holds", () => {
  property.prop([objects], runs(150))(
    "CREATE: the patch applies, nothing of the user's is lost, and once more changes nothing",
    (object) => {
      checkedPair(createReview(object), object);
    },
  );

  property.prop(
    [fc.constantFrom(...kinds.entries).chain((entry) => fc.tuple(objectOf(entry), objectOf(entry)))],
    runs(100),
  )("UPDATE: the same, from the old object as it was admitted", ([first, second]) => {
    const named = (object: JsonObject) =>
      withValue(withValue(object, ["metadata", "name"], "w"), ["metadata", "generateName"], undefined);
    const old = patched(named(first), patchOf(mutate(createReview(named(first)), context).review));
    const next = named(second);
    const review = updateReview(next, old);
    const mutated = mutate(review, context);
    expect(mutated.summary.fault).toBeUndefined();
    checkedResponse(review, mutated.review, "mutate");
    const result = patched(next, patchOf(mutated.review));
    const after = updateReview(result, old, { uid: review.request?.uid ?? "" });
    expect(patchOf(mutate(after, context).review)).toEqual([]);
    const validated = validate(after, context);
    expect(validated.summary.fault).toBeUndefined();
    checkedResponse(after, validated.review, "validate");
  });

  test("a template that cannot change gets back what stood there once, also when its set has left the class", () => {
    const tolerations = [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }];
    const rayJob = (annotations: JsonObject, head: JsonObject, submitter: JsonObject): JsonObject => ({
      apiVersion: "ray.io/v1",
      kind: "RayJob",
      metadata: { namespace: "default", name: "w", annotations },
      spec: {
        rayClusterSpec: {
          headGroupSpec: { template: { metadata: { annotations: head }, spec: { tolerations } } },
          workerGroupSpecs: [{ template: { spec: {} } }],
        },
        submitterPodTemplate: { spec: submitter },
      },
    });
    const classed = { "plimsoll.dev/workload-class": "batch" };
    const containers = [{ name: "main", image: "pause:3.10", resources: { limits: { "nvidia.com/gpu": "1" } } }];
    const created = rayJob(classed, {}, { containers });
    const old = patched(created, patchOf(mutate(createReview(created), context).review));
    expect(valueAt(old, ["spec", "submitterPodTemplate", "spec", "tolerations"])).toEqual(tolerations);
    const next = rayJob({}, classed, {});
    const review = updateReview(next, old);
    const result = patched(next, patchOf(mutate(review, context).review));
    const after = updateReview(result, old, { uid: review.request?.uid ?? "" });
    expect(patchOf(mutate(after, context).review)).toEqual([]);
  });

  property.prop([objects, damage], runs(100))("a damaged review is answered, with its uid", (object, damages) => {
    let json = createReview(object) as unknown as JsonObject;
    for (const [field, value] of damages) json = withValue(json, ["request", field], value);
    const request = json["request"] as JsonObject;
    const expected = typeof request["uid"] === "string" ? request["uid"] : "";
    for (const webhook of [mutate, validate]) {
      const outcome = webhook(json, context);
      expect(outcome.review.response?.uid).toBe(expected);
      expect(outcome.summary.fault).toBeUndefined();
      JSON.stringify(outcome.review);
    }
  });

  property.prop([fc.json()], runs(100))("any JSON is answered", (text) => {
    for (const webhook of [mutate, validate])
      expect(webhook(JSON.parse(text), context).review.response?.allowed).toBe(false);
  });

  test("an object as deep as a parser lets through is answered", () => {
    let deep: Json = "x";
    for (let depth = 0; depth < 5_000; depth += 1) deep = { a: deep };
    const object = {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "w", namespace: "default", annotations: { "plimsoll.dev/workload-class": "batch" } },
      spec: { containers: [], affinity: deep },
    };
    for (const webhook of [mutate, validate])
      expect(webhook(createReview(object), context).review.response?.uid).not.toBe("");
  });
});
