import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { base64 } from "../../src/admission/base64.ts";
import { runs } from "../support/runs.ts";

describe("base64", () => {
  test.each(["", "a", "ab", "abc", "ä€𝄞"])("of %j is what Node makes of it", (text) => {
    expect(base64(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
  });
  property.prop([fc.string({ unit: "grapheme" })], runs(100))("of any text is what Node makes of it", (text) => {
    expect(base64(text)).toBe(Buffer.from(text, "utf8").toString("base64"));
  });
});
