import { applyPatch, type Operation } from "rfc6902";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { AdmissionReview } from "../../src/admission/index.ts";
import type { JsonObject } from "../../src/model/index.ts";
import { connectReview, createReview, deleteReview, scaleReview, updateReview } from "../support/review.ts";
import { folderOf, gangJob, plimsoll, SMALL } from "./plimsoll.ts";

const job = (name: string, parts = {}): JsonObject => parse(gangJob(name, parts));

async function admit(review: unknown, ...args: readonly string[]) {
  const { status, out, err } = await plimsoll(["admit", ...SMALL, ...args], JSON.stringify(review));
  return { status, err, answer: out === "" ? undefined : (JSON.parse(out) as AdmissionReview) };
}

function patched(object: JsonObject, answer: AdmissionReview | undefined): JsonObject {
  const patch = answer?.response?.patch;
  const copy = structuredClone(object);
  if (patch === undefined) return copy;
  const operations = JSON.parse(Buffer.from(patch, "base64").toString("utf8")) as Operation[];
  expect(applyPatch(copy, operations).every((fault) => fault === null)).toBe(true);
  return copy;
}

describe("admit", () => {
  test("answers a review of an object with a patch, and one of the result with none", async () => {
    const object = job("train");
    const first = await admit(createReview(object, { uid: "one" }));
    expect(first).toMatchObject({
      status: 0,
      err: "",
      answer: { kind: "AdmissionReview", response: { uid: "one", allowed: true, patchType: "JSONPatch" } },
    });
    const expanded = patched(object, first.answer);
    expect(expanded).not.toEqual(object);
    const second = await admit(createReview(expanded));
    expect(second.answer?.response?.patch).toBeUndefined();
    expect(second.answer?.response?.allowed).toBe(true);
  });

  test("what it makes of an object is what expand prints", async () => {
    const { out } = await plimsoll(["expand", "-", ...SMALL], gangJob("train"));
    const { answer } = await admit(createReview(job("train")));
    expect(patched(job("train"), answer)).toEqual(parse(out));
  });

  test("a denial is an answer too: exit 0, with code and message", async () => {
    const { status, answer } = await admit(createReview(job("train", { pods: 99 })), "--webhook", "validate");
    expect(status).toBe(0);
    expect(answer?.response).toMatchObject({
      allowed: false,
      status: { code: expect.any(Number), message: expect.stringContaining("99") },
    });
    expect(answer?.response?.patch).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ["a deletion", deleteReview(job("train"))],
    ["an update", updateReview(job("train"), job("train"))],
    ["a connection", connectReview()],
    ["a scale", scaleReview(job("train"), 3)],
    [
      "a kind that is not in the table",
      createReview({ apiVersion: "example.com/v1", kind: "Thing", metadata: { name: "t" } }),
    ],
    ["a workload without a class", createReview({ ...job("train"), metadata: { name: "train", namespace: "team-a" } })],
    [
      "an object that is null",
      { ...createReview(job("a")), request: { ...createReview(job("a")).request, object: null } },
    ],
    ["an unknown class", createReview(job("train", { class: "nope" }))],
    [
      "an object without spec",
      createReview({
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { name: "j", annotations: { "plimsoll.dev/workload-class": "gang" } },
      }),
    ],
    ["a review without request", { apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" }],
    [
      "a review of another version",
      { apiVersion: "admission.k8s.io/v1beta1", kind: "AdmissionReview", request: { uid: "7" } },
    ],
    ["an empty object", {}],
  ])("answers %s with exit 0 from both webhooks, with the uid that was asked", async (_name, review) => {
    for (const webhook of ["mutate", "validate"]) {
      const { status, err, answer } = await admit(review, "--webhook", webhook);
      expect({ status, err }).toEqual({ status: 0, err: "" });
      expect(answer).toMatchObject({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview" });
      expect(answer?.response?.uid).toBe((review as AdmissionReview).request?.uid ?? "");
      expect(typeof answer?.response?.allowed).toBe("boolean");
    }
  });

  test.each(["", "{", "not json", "[]", "null", "3"])("refuses %j on standard input: usage", async (text) => {
    const { status, out, err } = await plimsoll(["admit", ...SMALL], text);
    expect({ status, out }).toEqual({ status: 2, out: "" });
    expect(err).toMatch(/^standard input is not (?:a )?JSON.*expected an AdmissionReview\n$/);
  });

  test("the cluster cannot come from where the review does", async () => {
    const { status, err } = await plimsoll(["admit", "--cluster", "-"], "{}");
    expect(status).toBe(2);
    expect(err).toContain("standard input is the review here");
  });

  test("writes to --output", async () => {
    const folder = folderOf({});
    const { status, out } = await plimsoll(
      ["admit", ...SMALL, "-o", `${folder}/answer.json`],
      JSON.stringify(createReview(job("a"))),
    );
    expect([status, out]).toEqual([0, ""]);
  });
});
