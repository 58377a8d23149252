import { Environment } from "@marcbachmann/cel-js";
import { describe, expect, test } from "vitest";
import { registration } from "../../src/admission/registration.ts";
import { arrayAt, type JsonObject, objectAt, stringAt } from "../../src/model/index.ts";
import { builtinKinds } from "../../src/workloads/index.ts";

const made = registration(builtinKinds(), { name: "plimsoll", namespace: "plimsoll-system", service: "plimsoll" });
const webhooks = (configuration: JsonObject) => arrayAt(configuration, ["webhooks"]) as readonly JsonObject[];
const webhook = (configuration: JsonObject, name: string) =>
  webhooks(configuration).find((one) => stringAt(one, ["name"]) === name) ?? {};

const groupOf = (object: JsonObject): string => {
  const [group = "", version] = (stringAt(object, ["apiVersion"]) ?? "").split("/");
  return version === undefined ? "" : group;
};
const environment = new Environment({ enableOptionalTypes: true, unlistedVariablesAreDyn: true });
/** Does the API server call the webhook: every condition holds. (The same cases were put to the API server's own CEL.) */
const called = (one: JsonObject, object: JsonObject, oldObject: JsonObject | null = null) =>
  (arrayAt(one, ["matchConditions"]) as readonly JsonObject[]).every(
    (condition) =>
      environment.evaluate(stringAt(condition, ["expression"]) ?? "", {
        object,
        oldObject,
        request: { operation: oldObject === null ? "CREATE" : "UPDATE", kind: { group: groupOf(object) } },
      }) === true,
  );

const classed = { "plimsoll.dev/workload-class": "training-gang" };
const job = (metadata: JsonObject = {}, template: JsonObject = {}): JsonObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "train", ...metadata },
  spec: { parallelism: 1, template: { metadata: template, spec: {} } },
});
const owned = (apiVersion: string, kind: string, controller = true) => ({
  annotations: classed,
  ownerReferences: [{ apiVersion, kind, name: "owner", uid: "1", controller }],
});

describe("the mutating webhook for classed workloads is called", () => {
  const one = webhook(made.mutating, "classed.mutate.plimsoll.dev");
  test.each<[string, boolean, JsonObject, JsonObject?]>([
    ["for an annotated object", true, job({ annotations: classed })],
    ["for an annotated template", true, job({}, { annotations: classed })],
    [
      "for an annotated worker group among others",
      true,
      {
        kind: "RayCluster",
        metadata: { name: "r" },
        spec: { workerGroupSpecs: [{ template: {} }, { template: { metadata: { annotations: classed } } }] },
      },
    ],
    [
      "for an annotated replica of a map",
      true,
      {
        kind: "PyTorchJob",
        metadata: { name: "p" },
        spec: { pytorchReplicaSpecs: { Worker: { template: { metadata: { annotations: classed } } } } },
      },
    ],
    [
      "for a decision that stands without a class annotation",
      true,
      job({ annotations: { "plimsoll.dev/decision": "{}" } }),
    ],
    ["not for an unclassed object", false, job()],
    ["not for an object without a spec", false, { kind: "Pod", metadata: { name: "p" } }],
    ["when the class is taken away", true, job(), job({ annotations: classed })],
    ["not when nothing of ours changed", false, job({ annotations: classed }), job({ annotations: classed })],
    [
      "not when only labels changed",
      false,
      job({ annotations: classed, labels: { a: "b" } }),
      job({ annotations: classed }),
    ],
    [
      "when the spec changed",
      true,
      { ...job({ annotations: classed }), spec: { parallelism: 2 } },
      job({ annotations: classed }),
    ],
    [
      "when a new decision is asked for",
      true,
      job({ annotations: { ...classed, "plimsoll.dev/renew": "1" } }),
      job({ annotations: classed }),
    ],
    ["not for what a Deployment makes", false, job(owned("apps/v1", "Deployment"))],
    ["for what a CronJob makes: a root of its own", true, job(owned("batch/v1", "CronJob"))],
    ["for what an owner that is no controller lists", true, job(owned("apps/v1", "Deployment", false))],
    ["for what an unknown controller makes", true, job(owned("example.com/v1", "Runner"))],
    [
      "not for an object being deleted",
      false,
      job({ annotations: classed, deletionTimestamp: "2026-01-01T00:00:00Z" }),
      job({ annotations: classed }),
    ],
    ["not for a mirror pod", false, job({ annotations: { ...classed, "kubernetes.io/config.mirror": "x" } })],
  ])("%s", (_name, expected, object, oldObject) => {
    expect(called(one, object, oldObject ?? null)).toBe(expected);
  });
});

test("the default-class webhook takes what the other one leaves", () => {
  const one = webhook(made.mutating, "default-class.mutate.plimsoll.dev");
  expect(called(one, job())).toBe(true);
  expect(called(one, job({ annotations: classed }))).toBe(false);
});

describe("the webhook that fails closed in enrolled namespaces is called", () => {
  const one = webhook(made.validating, "enrolled.validate.plimsoll.dev");
  const pod = (spec: JsonObject): JsonObject => ({ containers: [{ name: "main" }], ...spec });
  const gpu = pod({ containers: [{ name: "main", resources: { limits: { "nvidia.com/gpu": "1" } } }] });
  const cpu = pod({ containers: [{ name: "main", resources: { requests: { cpu: "1" }, limits: { memory: "1Gi" } } }] });
  const claimed = pod({ resourceClaims: [{ name: "gpu", resourceClaimTemplateName: "one" }] });
  const sidecar = pod({ initContainers: [{ name: "s", resources: { requests: { "example.com/fpga": "1" } } }] });
  const of = (apiVersion: string, kind: string, rest: JsonObject): JsonObject => ({
    apiVersion,
    kind,
    metadata: { name: "w" },
    ...rest,
  });
  const template = (apiVersion: string, kind: string, spec: JsonObject) =>
    of(apiVersion, kind, { spec: { template: { spec } } });
  test.each<[string, boolean, JsonObject, JsonObject?]>([
    ["for classed work", true, job({ annotations: classed })],
    ["for an edit that takes the class away", true, { ...job(), spec: {} }, job({ annotations: classed })],
    ["for a Deployment that asks for a device", true, template("apps/v1", "Deployment", gpu)],
    ["for a Job that asks for a claim", true, template("batch/v1", "Job", claimed)],
    ["for a Pod whose init container asks for a device", true, of("v1", "Pod", { spec: sidecar })],
    ["for a PodTemplate that asks for a device", true, of("v1", "PodTemplate", { template: { spec: gpu } })],
    [
      "for a CronJob that asks for a device",
      true,
      of("batch/v1", "CronJob", { spec: { jobTemplate: { spec: { template: { spec: gpu } } } } }),
    ],
    ["for a kind whose pods only we can find", true, template("ray.io/v1", "RayCluster", cpu)],
    [
      "for an edit that adds a device",
      true,
      template("apps/v1", "Deployment", gpu),
      template("apps/v1", "Deployment", cpu),
    ],
    ["not for a Deployment without devices", false, template("apps/v1", "Deployment", cpu)],
    ["not for a Pod without devices", false, of("v1", "Pod", { spec: cpu })],
    [
      "not for an edit that takes the device away",
      false,
      template("apps/v1", "Deployment", cpu),
      template("apps/v1", "Deployment", gpu),
    ],
  ])("%s", (_name, expected, object, oldObject) => {
    expect(called(one, object, oldObject ?? null)).toBe(expected);
  });
});

test("enrolled namespaces fail closed, others open; mutation always opens", () => {
  const policies = [...webhooks(made.mutating), ...webhooks(made.validating)].map((one) => [
    stringAt(one, ["name"]),
    stringAt(one, ["failurePolicy"]),
  ]);
  expect(Object.fromEntries(policies)).toEqual({
    "classed.mutate.plimsoll.dev": "Ignore",
    "default-class.mutate.plimsoll.dev": "Ignore",
    "classed.validate.plimsoll.dev": "Ignore",
    "enrolled.validate.plimsoll.dev": "Fail",
  });
});

test("every kind that is not read only has a rule, and no rule names a subresource", () => {
  for (const one of webhooks(made.validating)) {
    const covered = (arrayAt(one, ["rules"]) as readonly JsonObject[]).flatMap((rule) =>
      arrayAt(rule, ["resources"]).map(
        (resource) =>
          `${String(arrayAt(rule, ["apiGroups"])[0])}/${String(arrayAt(rule, ["apiVersions"])[0])}/${String(resource)}`,
      ),
    );
    const wanted = builtinKinds()
      .entries.filter(({ life }) => life !== "derived")
      .map(({ apiVersion, plural }) => `${apiVersion.includes("/") ? apiVersion : `/${apiVersion}`}/${plural}`);
    expect([...covered].sort()).toEqual([...new Set(wanted)].sort());
    expect(covered.join(" ").split("/").length).toBe(covered.length * 2 + 1);
  }
});

test("system namespaces and our own never call us, and no webhook has side effects on a dry run", () => {
  for (const one of [...webhooks(made.mutating), ...webhooks(made.validating)]) {
    const [excluded] = arrayAt(one, ["namespaceSelector", "matchExpressions"]) as readonly JsonObject[];
    expect(excluded).toEqual({
      key: "kubernetes.io/metadata.name",
      operator: "NotIn",
      values: ["kube-system", "kube-public", "kube-node-lease", "plimsoll-system"],
    });
    expect(one["sideEffects"]).toBe(webhooks(made.mutating).includes(one) ? "None" : "NoneOnDryRun");
    expect(arrayAt(one, ["matchConditions"]).length).toBeLessThanOrEqual(64);
  }
});

test("while the webhook is away, a classed root without a decision is refused in our words", () => {
  const [validation] = arrayAt(made.policy, ["spec", "validations"]) as readonly JsonObject[];
  const holds = (object: JsonObject) => environment.evaluate(stringAt(validation, ["expression"]) ?? "", { object });
  expect(holds(job({ annotations: classed }))).toBe(false);
  expect(holds(job({ annotations: { ...classed, "plimsoll.dev/decision": "{}" } }))).toBe(true);
  expect(stringAt(validation, ["message"])).toContain("the Plimsoll webhook did not answer");
  expect(objectAt(made.binding, ["spec"])["validationActions"]).toEqual(["Deny"]);
});
