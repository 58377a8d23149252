import { describe, expect, test } from "vitest";
import { type AdmissionContext, validate } from "../../src/admission/index.ts";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { expandAs } from "../support/expansion.ts";
import { createReview, updateReview, withValue } from "../support/review.ts";
import { cronJob, job, pod } from "../support/workloads.ts";

const make = (companions: JsonObject) =>
  catalogue({
    platform: { kubernetes: { version: "1.37" }, companions: { resourceClaimTemplates: true, ...companions } },
  });
const own = make({});
const context: AdmissionContext = { catalogue: own, topology: undefined, holds: [], maxSteps: 1_000, nowMs: 0 };
const stored = (object: JsonObject): JsonObject =>
  withValue(withValue(object, ["metadata", "uid"], "u"), ["metadata", "namespace"], "team");
const expanded = (workload: { build(): JsonObject }, from = own): JsonObject =>
  stored(expandAs(stored(workload.build()), { catalogue: from }).object);
const claimed = expanded(job("train").replicas(2).className("gang"));
const nameIn = (object: JsonObject) =>
  stringAt(object, ["spec", "template", "spec", "resourceClaims", 0, "resourceClaimTemplateName"]) ?? "none";
const namesOf = (templates: readonly JsonObject[] | undefined) =>
  templates?.map((one) => `${stringAt(one, ["metadata", "namespace"])}/${stringAt(one, ["metadata", "name"])}`);

describe("an allowed validate says which claim templates its pods will ask for", () => {
  test("a Job and a bare Pod: the one that their claims name, without an owner", () => {
    const bare = expanded(pod("probe").className("gang"));
    for (const [object, name] of [
      [claimed, nameIn(claimed)],
      [bare, stringAt(bare, ["spec", "resourceClaims", 0, "resourceClaimTemplateName"]) ?? "none"],
    ] as const) {
      const { review, templates } = validate(createReview(object), context);
      expect(review.response).toMatchObject({ allowed: true });
      expect(namesOf(templates)).toEqual([`team/${name}`]);
      expect(templates?.[0]).not.toHaveProperty(["metadata", "ownerReferences"]);
    }
  });

  test("an update that changes nothing of its pods: the one that stands", () => {
    const { templates } = validate(updateReview(withValue(claimed, ["spec", "suspend"], true), claimed), context);
    expect(namesOf(templates)).toEqual([`team/${nameIn(claimed)}`]);
  });

  test("an update on a platform where nobody makes them any more: none", () => {
    const others = { ...context, catalogue: make({ resourceClaimTemplates: false }) };
    const { review, templates } = validate(
      updateReview(withValue(claimed, ["spec", "suspend"], true), claimed),
      others,
    );
    expect([templates, review.response?.allowed]).toEqual([undefined, true]);
  });

  const none: readonly [string, boolean, () => ReturnType<typeof validate>][] = [
    ["a dry run", true, () => validate(createReview(claimed, { dryRun: true }), context)],
    [
      "a denial",
      false,
      () => validate(createReview(withValue(claimed, ["spec", "template", "spec", "nodeSelector"], {})), context),
    ],
    [
      "a CronJob, whose Jobs are decided by themselves",
      true,
      () => validate(createReview(expanded(cronJob("nightly").className("gang"))), context),
    ],
    [
      "a workload with devices of its own",
      true,
      () => validate(createReview(expanded(job("plain").gpus(1).className("gang"))), context),
    ],
  ];
  test.each(none)("%s: none", (_name, isAllowed, run) => {
    const { review, templates } = run();
    expect([templates, review.response?.allowed]).toEqual([undefined, isAllowed]);
  });
});
