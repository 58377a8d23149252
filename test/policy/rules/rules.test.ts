import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { checkRules, rules } from "../../../src/policy/index.ts";
import { fixtureNames, readFixture } from "./fixture.ts";

const DECLARATIONS = ["latency", "demand", "state", "interruption", "accelerator", "tenancy", "startup"];
const found = (id: string, name: "fires" | "silent") =>
  checkRules(readFixture(id, name)).filter((finding) => finding.code === id);

describe("the table", () => {
  test("has thirty rules or more, sorted by id, each id once", () => {
    const ids = rules.map((rule) => rule.id);
    expect(ids.length).toBeGreaterThanOrEqual(30);
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test.each(DECLARATIONS)("guards %s with three rules or more", (declaration) => {
    expect(rules.filter((rule) => rule.declaration === declaration).length).toBeGreaterThanOrEqual(3);
  });

  test("has a pair of fixtures for each rule, and no fixtures without a rule", () => {
    expect(fixtureNames()).toEqual(rules.map((rule) => rule.id));
  });

  test.each(rules.map((rule) => [rule.id, rule] as const))(
    "%s has an id that a class may name, a remedy and a public link",
    (id, rule) => {
      expect(id).toMatch(/^[A-Z]{2,4}[0-9]{2,3}$/);
      expect(rule.link).toMatch(/^https:\/\/[a-z0-9.-]+\.[a-z]+\/[^\s]+$/);
      expect(rule.remedy).toMatch(/^[A-Z].*\.$/);
      expect(rule.title).toMatch(/^[a-z].*[^.]$/);
    },
  );
});

describe.each(rules.map((rule) => [rule.id, rule] as const))("%s", (id, rule) => {
  test(`fires on a workload that ${rule.title}`, () => {
    const findings = found(id, "fires");
    expect(findings.length).toBeGreaterThan(0);
    for (const finding of findings) {
      expect(finding).toMatchObject({ severity: rule.severity, hint: expect.stringMatching(/\.$/) });
      expect(finding.path).toBeDefined();
      // One line that ends as a sentence, with nothing left unfilled.
      expect(finding.message).toMatch(/^\S.*\.$/);
      expect(finding.message).not.toMatch(/undefined|NaN|\[object|null/);
    }
  });

  test("is silent on its counterpart", () => {
    expect(found(id, "silent")).toEqual([]);
  });
});

test("messages read as people read them (test/golden/rules-messages.txt)", async () => {
  const lines = rules.flatMap((rule) =>
    found(rule.id, "fires").map((one) => `${one.code} ${one.severity}: ${one.message}\n    ${one.hint}`),
  );
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../../golden/rules-messages.txt");
});

test("docs/rules.md is what the rules say", async () => {
  const { rulesDocument } = await import("../../../src/policy/index.ts");
  expect(readFileSync("docs/rules.md", "utf8")).toBe(rulesDocument());
});
