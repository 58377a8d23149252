import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { allScenarios } from "../support/scenario/index.ts";

interface Threads {
  readonly scenarios: Readonly<Record<string, readonly string[]>>;
  readonly none: Readonly<Record<string, string>>;
}

const threads: Threads = parse(readFileSync(new URL("threads.yaml", import.meta.url), "utf8"));
const names = allScenarios().scenarios.map(({ name }) => name);
/** `kueue-5243`, `kubernetes-kubernetes-138765-later`: the number of a thread stands in the name. */
const OF_A_THREAD =
  /^(kubernetes|kueue|karpenter|aws|volcano|kai|nvidia|rocm|intel|google|ai-dynamo|lws|gpu-operator|koordinator|zalando|modelplane)-.*\d/;

test("each thread has its scenarios", () => {
  const missing = Object.values(threads.scenarios)
    .flat()
    .filter((name) => !names.includes(name));
  expect(missing).toEqual([]);
});

test("each scenario that is called after a thread is listed with it", () => {
  const listed = new Set(Object.values(threads.scenarios).flat());
  const bases = [...listed];
  const stray = names.filter(
    (name) => OF_A_THREAD.test(name) && !bases.some((one) => name === one || name.startsWith(`${one}-`)),
  );
  expect(stray).toEqual([]);
});

test("a thread without a scenario says why, and none is in both lists", () => {
  for (const [thread, why] of Object.entries(threads.none)) {
    expect(why.length, thread).toBeGreaterThan(20);
    expect(Object.hasOwn(threads.scenarios, thread), thread).toBe(false);
  }
});

test("there are at least 150 scenarios", () => {
  expect(names.length).toBeGreaterThanOrEqual(150);
});
