import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { auditAnnotations, denialLine, deniedText, warningText, warningTexts } from "../../src/admission/messages.ts";
import type { Diagnostic } from "../../src/model/index.ts";
import { runs } from "../support/runs.ts";

const finding: Diagnostic = {
  code: "DM01",
  severity: "error",
  message: "1 pod, and the class wants at least 2",
  hint: "set spec.replicas to 2",
  path: ["spec", "replicas"],
  podSet: "workers",
};

describe("messages", () => {
  test("a warning is CODE: set: text", () => {
    expect(warningText(finding)).toBe("DM01: workers: 1 pod, and the class wants at least 2");
  });
  test("a denial line says where and what to do", () => {
    expect(denialLine(finding)).toBe(
      "DM01 at spec.replicas: workers: 1 pod, and the class wants at least 2. Set spec.replicas to 2.",
    );
  });
  test("a denial keeps one line a finding, whatever stands in it", () => {
    expect(deniedText("a\tb\r\n\u2028c\n\n\u0000d")).toBe("a b\nc\nd");
  });
  test("a denial of many findings says how many it leaves out", () => {
    const text = deniedText([...Array(100).keys()].map((index) => `line ${index}`).join("\n"));
    expect(text.split("\n").length).toBe(40);
    expect(text.split("\n").at(-1)).toBe("and 61 more");
  });
  test("many warnings become twenty, the last of which counts the rest", () => {
    const texts = warningTexts([...Array(50).keys()].map((index) => `W: ${index}`));
    expect(texts.length).toBe(20);
    expect(texts.at(-1)).toBe("MoreFindings: 31 more; run plimsoll check");
  });
  test("a warning that is too long is said in short, where there is a short form", () => {
    const finding = {
      code: "C",
      severity: "warning",
      podSet: "pod",
      message: "m".repeat(113),
      short: "in short",
    } as const;
    expect(warningText({ ...finding, message: "m".repeat(112) })).toBe(`C: pod: ${"m".repeat(112)}`);
    expect(warningText(finding)).toBe("C: pod: in short");
  });
  test("audit annotations leave out what is empty", () => {
    expect(auditAnnotations({ class: "a", verdict: undefined, decision: "" })).toEqual({ class: "a" });
  });
  property.prop(
    [fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.string({ maxLength: 400 })), { maxLength: 60 })],
    runs(100),
  )("any warnings are printable, short, few and different", (texts) => {
    const made = warningTexts(texts);
    expect(made.length).toBeLessThanOrEqual(20);
    expect(new Set(made).size).toBe(made.length);
    for (const one of made) {
      expect([...one].length).toBeLessThanOrEqual(120);
      expect(one).not.toMatch(/\p{Cc}|\p{Cs}/u);
      expect(one).not.toBe("");
    }
  });
});
