import { describe, expect, test } from "vitest";
import { type AdmissionContext, mutate, validate } from "../../src/admission/index.ts";
import { type JsonObject, objectAt, stringAt } from "../../src/model/index.ts";
import { patched, patchOf } from "../support/apiserver.ts";
import { deployment, job } from "../support/manifests.ts";
import { annotated, createReview, updateReview, withValue } from "../support/review.ts";
import { catalogueOf, classFile, contextOf, gpuNode, namespace } from "../support/world.ts";

const DECISION = "plimsoll.dev/decision";
const APPLIED = "plimsoll.dev/applied";
const context: AdmissionContext = {
  ...contextOf(catalogueOf({ classes: [classFile("batch"), classFile("quiet", { admission: { mode: "audit" } })] }), [
    namespace("default"),
    gpuNode("h-1"),
    gpuNode("a-1", { accelerator: "h200" }),
    gpuNode("s-1", { capacityType: "spot" }),
  ]),
  holds: [],
  nowMs: 0,
};

const admitted = (object: JsonObject): JsonObject =>
  patched(object, patchOf(mutate(createReview(object), context).review));
const verdict = (object: JsonObject) =>
  validate(createReview(withValue(object, ["metadata", "uid"], "u")), context).review.response;
const stampOf = (object: JsonObject, key: string): string => stringAt(object, ["metadata", "annotations", key]) ?? "";
const manifest = deployment({ class: "batch" });
const honest = admitted(manifest);

describe("a stamp is a claim that is checked, never a proof", () => {
  test("the honest one is let in", () => {
    expect(verdict(honest)?.allowed).toBe(true);
  });

  const forged: readonly [string, JsonObject, RegExp][] = [
    ["no stamp at all", manifest, /NotExpanded/],
    [
      "a rung that the class forbids, with its selectors",
      swap(honest, "on-demand", "spot"),
      /RungNotAllowed.*h100\/spot\/existing/,
    ],
    [
      "an accelerator that the class does not name",
      annotated(honest, { [DECISION]: stampOf(honest, DECISION).replace("h100/", "t4/") }),
      /RungNotAllowed.*t4/,
    ],
    [
      "another allowed rung than the edits are for",
      annotated(honest, { [DECISION]: stampOf(honest, DECISION).replace("h100/", "h200/") }),
      /NotExpanded/,
    ],
    [
      "the stamp of one workload on the plain manifest of another",
      annotated(deployment({ class: "batch", name: "other" }), {
        [DECISION]: stampOf(honest, DECISION),
        [APPLIED]: stampOf(honest, APPLIED),
      }),
      /NotExpanded/,
    ],
    [
      "a decision that says audit, so that no edit would be due",
      annotated(manifest, { [DECISION]: withAudit(stampOf(honest, DECISION)) }),
      /NotExpanded/,
    ],
    [
      "a decision that chose nothing, so that no rung would bind",
      annotated(manifest, { [DECISION]: stampOf(honest, DECISION).replace(/h100\/on-demand\/existing/, "none") }),
      /NotExpanded/,
    ],
    [
      "a class digest of another revision, so that edits would not be compared",
      annotated(manifest, {
        [DECISION]: stampOf(honest, DECISION).replace(/"classDigest":"[0-9a-f]+"/, '"classDigest":"000000000000"'),
      }),
      /NotExpanded/,
    ],
    [
      "a decision for another class",
      annotated(honest, { [DECISION]: stampOf(honest, DECISION).replace('"batch"', '"quiet"') }),
      /NotExpanded/,
    ],
    ["a decision that is not JSON", annotated(honest, { [DECISION]: "{" }), /NotExpanded/],
    [
      "a record of edits that is not JSON",
      annotated(
        withValue(honest, ["spec", "template", "spec", "nodeSelector"], { "karpenter.sh/capacity-type": "spot" }),
        { [APPLIED]: "[" },
      ),
      /NotExpanded|finding|differs|AC|RS|spot/,
    ],
  ];
  test.each(forged)("%s is refused where the mutating webhook did not see it", (_, object, words) => {
    expect(object).not.toEqual(honest);
    const response = verdict(object);
    expect(response).toMatchObject({ allowed: false, status: { code: 403 } });
    expect(response?.status?.message).toMatch(words);
  });
  test.each(forged)("%s is decided afresh where it did", (_, object) => {
    const stamp = stampOf(admitted(object), DECISION);
    // A selector that no record explains is the user's own, and then nothing may fit; the class decides all the same.
    expect(stamp).toMatch(/"rung":"(h100\/on-demand\/existing|none)"/);
    expect(stamp).not.toMatch(/"rung":"[^"]*(spot|t4)|"audit"|000000000000|"quiet"/);
  });

  test("on an update the old object's stamp counts, whatever the new one says", () => {
    const old = withValue(honest, ["metadata", "uid"], "u");
    const claim = annotated(withValue(old, ["spec", "replicas"], 1), {
      [DECISION]: stampOf(honest, DECISION).replace("h100/", "h200/"),
    });
    const result = patched(claim, patchOf(mutate(updateReview(claim, old), context).review));
    expect(stampOf(result, DECISION)).toBe(stampOf(honest, DECISION));
    expect(objectAt(result, ["spec", "template"])).toEqual(objectAt(honest, ["spec", "template"]));
    expect(validate(updateReview(claim, old), context).review.response?.allowed).toBe(false);
  });

  test("names that JavaScript treats specially are only names", () => {
    const odd = job({
      class: "batch",
      metadata: {
        name: "w",
        annotations: JSON.parse('{"plimsoll.dev/workload-class":"batch","__proto__":"x","constructor":"y"}'),
      },
    });
    const result = admitted(odd);
    expect(stampOf(result, DECISION)).toMatch(/h100/);
    expect(({} as Record<string, unknown>)["x"]).toBeUndefined();
  });
});

/** The same text with one word for another, in edits and stamp alike. */
function swap(object: JsonObject, from: string, to: string): JsonObject {
  return JSON.parse(JSON.stringify(object).replaceAll(from, to)) as JsonObject;
}

function withAudit(decision: string): string {
  return decision.replace(/"class":"batch"|"className":"batch"/, (found) => `"audit":true,${found}`);
}
