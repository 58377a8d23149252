import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/index.ts";
import { buildLadder, loadCatalogue, POLICY_CODES, resolveIntents } from "../../src/policy/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { faults } from "./faults.ts";
import { minimal } from "./faulty.ts";
import { CLASS, facts, first, job, read } from "./given.ts";
import { intentFaults } from "./intentFaults.ts";

/** Everything that the fixtures of this folder make the code say. */
function produced(): readonly Diagnostic[] {
  const loading = faults.flatMap(({ files }) => loadCatalogue(files).diagnostics);
  const empty = loadCatalogue(minimal().filter(({ path }) => path !== "platform.yaml")).diagnostics;
  const plain = catalogue();
  const intents = intentFaults.flatMap(({ object, context, class: own }) => {
    const given = own === undefined ? plain : catalogue({ class: own });
    return resolveIntents(read(object, given), given, { creating: true, ...context }).diagnostics;
  });
  const { workload, set, intent } = first(
    job({ annotations: { [CLASS]: "gang" }, limits: { "amd.com/gpu": 1 } }),
    plain,
  );
  const skipped = buildLadder(workload, set, intent, plain, facts()).steps.flatMap((step) => step.skipped ?? []);
  return [...loading, ...empty, ...intents, ...skipped];
}

describe("the table of codes", () => {
  const all = produced();
  const codes = new Set(all.map(({ code }) => code));

  test("has every code that is said, with the severity that is said", () => {
    for (const { code, severity } of all) {
      expect(Object.keys(POLICY_CODES)).toContain(code);
      expect(severity).toBe(POLICY_CODES[code as keyof typeof POLICY_CODES].severity);
    }
  });

  test("has no code that nothing says", () => {
    expect(Object.keys(POLICY_CODES).filter((code) => !codes.has(code))).toEqual([]);
  });

  test("every message is one line that ends, and every fault of a file has its place", () => {
    for (const { message, hint, source, code, path } of all) {
      for (const line of [message, hint ?? "x."]) {
        expect(line).not.toMatch(/\n|undefined|\[object|NaN/);
        expect(line).toMatch(/[.?)]$/);
      }
      if (source === undefined)
        expect(code === "NoPlatform" || path !== undefined || ["RungSkipped", "UnknownClass"].includes(code)).toBe(
          true,
        );
      else expect(source.line > 0 && source.column > 0).toBe(true);
    }
  });
});
