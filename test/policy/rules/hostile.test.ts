import { test as law } from "@fast-check/vitest";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject, type Path } from "../../../src/model/index.ts";
import { checkRules, type RuleInput, rules, skippedRules } from "../../../src/policy/index.ts";
import { readWorkload } from "../../../src/workloads/index.ts";
import { runs } from "../../support/runs.ts";
import { readFixture } from "./fixture.ts";

const inputs = rules.flatMap((rule) => [readFixture(rule.id, "fires"), readFixture(rule.id, "silent")]);
const junk: readonly Json[] = [null, [], {}, "", "x", 0, -1, 1e300, true, [null], { name: null }, ["__proto__"]];

/** Every place inside a value, outermost first. */
function* places(value: Json | undefined, at: Path = []): Iterable<Path> {
  yield at;
  if (isArray(value)) for (const [index, item] of value.entries()) yield* places(item, [...at, index]);
  else if (isObject(value)) for (const key of Object.keys(value)) yield* places(value[key], [...at, key]);
}

function replaced(value: Json | undefined, path: Path, by: Json): Json | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return by;
  if (isArray(value)) return value.map((item, index) => (index === step ? (replaced(item, rest, by) ?? null) : item));
  return isObject(value) ? { ...value, [step]: replaced(value[step], rest, by) } : value;
}

/** The same question about another object; undefined where it is no workload any more. */
function about(input: RuleInput, object: JsonObject): RuleInput | undefined {
  const workload = readWorkload(object, input.catalogue.kinds);
  const [intent] = input.intents.values();
  if (workload === undefined || intent === undefined) return undefined;
  const intents = new Map(workload.podSets.map((set) => [set.name, { ...intent, podSet: set.name, role: set.role }]));
  return { ...input, workload, intents };
}

describe("whatever stands in a manifest", () => {
  law.prop(
    [
      fc.constantFrom(...inputs),
      fc.array(fc.tuple(fc.nat(), fc.constantFrom(...junk)), { minLength: 1, maxLength: 3 }),
    ],
    runs(100),
  )("a rule answers with whole sentences and never throws", (input, edits) => {
    let object: Json | undefined = input.workload.object;
    for (const [index, by] of edits) {
      // apiVersion, kind and metadata stay, so that it remains a workload with a name.
      const all = [...places(object)].filter((path) => path[0] === "spec" && path.length > 1);
      const path = all[index % Math.max(1, all.length)];
      if (path !== undefined) object = replaced(object, path, by);
    }
    const question = isObject(object) ? about(input, object) : undefined;
    if (question === undefined) return;
    for (const finding of checkRules(question)) expect(finding.message).toMatch(/^\S[^\n]*\.$/);
    for (const skipped of skippedRules(question)) expect(skipped.reason).not.toBe("");
  });

  test("a label or annotation named like a member of Object is data", () => {
    const [input] = inputs;
    if (input === undefined) throw new Error("no fixture");
    const metadata = JSON.parse(
      '{"labels":{"__proto__":"x","constructor":"y"},"annotations":{"toString":"z","hasOwnProperty":"q"}}',
    ) as JsonObject;
    const object = replaced(input.workload.object, ["spec", "template", "metadata"], metadata);
    const question = isObject(object) ? about(input, object) : undefined;
    expect(question === undefined ? [] : checkRules(question).map((one) => one.code)).toEqual(["AC01"]);
  });

  test("a message stays one line of bounded length, whatever it quotes", () => {
    const input = readFixture("DR19", "fires");
    const path = ["spec", "template", "metadata", "annotations", "cluster-autoscaler.kubernetes.io/safe-to-evict"];
    const object = replaced(input.workload.object, path, `no\nway${"!".repeat(5000)}`);
    const question = isObject(object) ? about(input, object) : undefined;
    const found = question === undefined ? [] : checkRules(question).filter((one) => one.code === "DR19");
    expect(found).toHaveLength(1);
    expect(found[0]?.message).toMatch(/"no way!/);
    expect(found[0]?.message).toMatch(/^[^\n]{1,900}\.$/);
  });

  test("asking twice gives the same answer", () => {
    for (const input of inputs) expect(checkRules(input)).toEqual(checkRules(input));
  });
});
