import { describe, expect, test } from "vitest";
import { type AdmissionContext, judge, mutate, validate } from "../../src/admission/index.ts";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import { undo } from "../../src/translate/index.ts";
import { patched, patchOf } from "../support/apiserver.ts";
import { cronJob, deployment, job, pod, rayCluster } from "../support/manifests.ts";
import { createReview, withValue } from "../support/review.ts";
import { boundPod, catalogueOf, classFile, contextOf, gpuNode, namespace, plainNode } from "../support/world.ts";

const catalogue = catalogueOf({
  classes: [
    classFile("batch"),
    classFile("gang", { demand: { shape: "gang" }, topology: { unit: "podSet", level: "rack", mode: "required" } }),
    classFile("patient", {
      demand: { shape: "gang" },
      admission: { mode: "enforce", whenBusy: "deny", whenNever: "warn" },
    }),
    classFile("warned", { demand: { shape: "gang" }, admission: { mode: "warn" } }),
    classFile("quiet", { demand: { shape: "gang" }, admission: { mode: "audit" } }),
  ],
});
const context: AdmissionContext = {
  ...contextOf(catalogue, [
    namespace("default"),
    namespace("prod", { "plimsoll.dev/enrolled": "true" }),
    plainNode("c-1"),
    gpuNode("h-1"),
    gpuNode("h-2"),
    gpuNode("h-3", { rack: "rack-2" }),
    boundPod("p", "h-1", 4),
  ]),
  holds: [],
  nowMs: 0,
};

/** Creates the object through both webhooks. */
function created(object: JsonObject) {
  const changed = patched(object, patchOf(mutate(createReview(object), context).review));
  const stored = withValue(
    withValue(changed, ["metadata", "name"], stringAt(changed, ["metadata", "name"]) ?? "drawn"),
    ["metadata", "uid"],
    "u",
  );
  return { stored, outcome: validate(createReview(stored), context) };
}

const cases: readonly [string, JsonObject][] = [
  ["what fits", deployment({ class: "batch" })],
  ["a gang that one rack holds", job({ class: "gang", count: 1, gpus: 8 })],
  ["a gang that no rack holds", job({ class: "gang", count: 3, gpus: 8 })],
  ["a gang that would fit if a pod left, under a class that denies that", job({ class: "patient", count: 3, gpus: 8 })],
  ["what can never run, under a class that only warns of that", job({ class: "patient", count: 30, gpus: 8 })],
  ["what can never run, in mode warn", job({ class: "warned", count: 30, gpus: 8 })],
  ["what can never run, in mode audit", job({ class: "quiet", count: 30, gpus: 8 })],
  ["an unknown class", deployment({ class: "nobody" })],
  ["more devices than the class allows", deployment({ class: "batch", gpus: 9 })],
  ["a device without a class in an enrolled namespace", deployment({ namespace: "prod" })],
  ["no class", deployment()],
  ["a maker", cronJob({ class: "batch" })],
  ["a name that is not drawn", job({ class: "gang", generateName: "run-", gpus: 8 })],
  [
    "several pod sets",
    rayCluster(
      [
        { name: "a", count: 1 },
        { name: "b", count: 1, gpus: 8 },
      ],
      { class: "batch" },
    ),
  ],
  ["a pod", pod({ class: "batch" })],
];

describe("judge says what creating the object would come to", () => {
  test.each(cases)("%s", (_, object) => {
    const judgement = judge(object, context);
    const { outcome } = created(object);
    expect(judgement.refused).toBe(outcome.review.response?.allowed === false);
    const codes = (list: readonly { readonly code: string; readonly severity: string }[]) =>
      [...new Set(list.map(({ code, severity }) => `${code} ${severity}`))]
        .filter((text) => !text.startsWith("NothingChosen"))
        .sort();
    expect(codes(judgement.findings)).toEqual(codes(outcome.findings));
    if (judgement.judged && judgement.answer !== undefined)
      expect(judgement.answer.verdict).toBe(outcome.answer?.verdict);
  });

  test("modes: the same finding refuses, warns, or is only reported", () => {
    const results = ["gang", "warned", "quiet"].map(
      (name) => created(job({ class: name, count: 30, gpus: 8 })).outcome,
    );
    expect(results.map(({ review }) => review.response?.allowed)).toEqual([false, true, true]);
    expect(results[1]?.review.response?.warnings?.join()).toMatch(/CapacityNever/);
    expect(results[2]?.review.response?.warnings).toBeUndefined();
    expect(results[2]?.findings.map(({ code }) => code)).toContain("CapacityNever");
    expect(results[2]?.review.response?.auditAnnotations?.["findings"]).toMatch(/CapacityNever/);
  });

  test("a denial says each thing in a line of its own, with numbers", () => {
    const { outcome } = created(deployment({ class: "batch", gpus: 9 }));
    const lines = outcome.review.response?.status?.message.split("\n") ?? [];
    expect(lines.length).toBeGreaterThanOrEqual(2);
    expect(lines.some((line) => /^AC01 at spec\.template\.spec\.containers: .*9.*1 to 8/.test(line))).toBe(true);
  });

  test("what can never fit is explained by the rung that comes nearest", () => {
    const { outcome } = created(job({ class: "gang", count: 3, gpus: 8 }));
    const message = outcome.review.response?.status?.message ?? "";
    expect(message).toMatch(
      /^CapacityNever: cannot run here on h100\/on-demand\/existing: even with every node empty and ready, the best rack, .* of the 3 nodes needed/,
    );
    expect(message).toMatch(/\. Fits with 1 instead of 3 pods \(.*\)\.$/);
  });

  test("without a cluster nothing is known, and that is said", () => {
    const judgement = judge(deployment({ class: "batch" }), { ...context, topology: undefined });
    expect(judgement.findings).toContainEqual(expect.objectContaining({ code: "DataMissing", severity: "warning" }));
    expect(judgement.findings.find(({ code }) => code === "DataMissing")?.message).toMatch(/no cluster was given/);
    expect(judgement.refused).toBe(false);
  });

  test("a required level steers the pods to the domain where all of them fit", () => {
    const { stored } = created(job({ class: "gang", count: 2, gpus: 4 }));
    const { decision } = undo(stored, catalogue.kinds);
    expect(decision?.["pod"]?.steer).toEqual({
      key: "topology.k8s.aws/network-node-layer-3",
      values: [expect.stringMatching(/^rack-[12]$/)],
    });
    expect(decision?.["pod"]?.verdict).toBe("fits");
  });

  test("a hold carries nodes, requests and rungs of what was let in", () => {
    const { outcome } = created(job({ class: "gang", count: 1, gpus: 8 }));
    expect(outcome.hold).toMatchObject({
      workload: { kind: "Job", namespace: "default", name: "w", uid: "u" },
      placed: [{ podSet: "pod", pods: 1, requests: { "nvidia.com/gpu": 8, cpu: 4000 } }],
      rungs: { pod: { accelerator: "h100", capacityType: "on-demand", source: "existing" } },
    });
    expect(created(cronJob({ class: "batch" })).outcome.hold).toBeUndefined();
    expect(created(job({ class: "batch", suspend: true })).outcome.hold).toBeUndefined();
  });
});
