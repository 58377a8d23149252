import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { createEarly, EARLY_MS } from "../../src/server/early.ts";
import { manualClock, settle } from "../support/clock.ts";

const template = (name: string): JsonObject => ({
  kind: "ResourceClaimTemplate",
  metadata: { namespace: "team", name },
});

function world(answer: (name: string) => Promise<void> = async () => {}, watchMs = 10) {
  const clock = manualClock();
  const shown = new Set<string>();
  const made: string[] = [];
  const noted: string[] = [];
  const early = createEarly({
    make: async (one) => {
      const { name } = one["metadata"] as { readonly name: string };
      made.push(name);
      await answer(name);
      clock.after(watchMs, () => shown.add(`team/${name}`));
    },
    shown: (namespace, name) => shown.has(`${namespace}/${name}`),
    noted: (outcome, one) => noted.push(`${outcome} ${(one["metadata"] as { readonly name: string }).name}`),
    now: () => clock.nowMs(),
    pause: (ms) => new Promise<void>((resolve) => clock.after(ms, resolve)),
  });
  /** After how many milliseconds the review could be answered; undefined: not within two seconds. */
  const asked = async (names: readonly string[], withinMs = 4_000): Promise<number | undefined> => {
    const begunMs = clock.nowMs();
    let tookMs: number | undefined;
    void early(names.map(template), withinMs).then(() => {
      tookMs = clock.nowMs() - begunMs;
    });
    await settle();
    for (let ms = 0; ms < 2_000 && tookMs === undefined; ms += 5) await clock.advance(5);
    return tookMs;
  };
  return { clock, shown, made, noted, early, asked };
}

describe("claim templates before the answer", () => {
  test("one that the watch shows costs nothing", async () => {
    const { shown, made, asked } = world();
    shown.add("team/a");
    expect([await asked(["a"]), made]).toEqual([0, []]);
  });

  test("one that is not there is made, and the review waits until the watch shows it", async () => {
    const { made, noted, asked } = world();
    expect([await asked(["a", "b"]), made, noted]).toEqual([10, ["a", "b"], ["made a", "made b"]]);
  });

  test("one that is removed again is made again at once", async () => {
    const { shown, made, asked } = world();
    await asked(["a"]);
    await asked(["a"]);
    shown.clear();
    expect([await asked(["a"]), made]).toEqual([10, ["a", "a"]]);
  });

  test("reviews at the same time make it once, and all wait for it", async () => {
    const { made, early, asked } = world();
    const first = early([template("a")], 4_000);
    expect([await asked(["a"]), made]).toEqual([10, ["a"]]);
    await first;
  });

  test("an API server that hangs costs the bound, and a review with less patience costs that", async () => {
    const { made, noted, asked } = world(() => new Promise<void>(() => {}));
    expect(await asked(["a"])).toBe(EARLY_MS);
    expect(await asked(["a"], 50)).toBe(50);
    expect(await asked(["a"], -20)).toBe(5);
    expect([made, noted]).toEqual([["a"], ["late a", "late a", "late a"]]);
  });

  test("a fault is noted and never thrown, costs no waiting, and is tried again after a while", async () => {
    const { clock, made, noted, asked } = world(async (name) => {
      if (name === "a") throw new Error("forbidden");
    });
    expect([await asked(["a", "b"]), noted]).toEqual([10, ["failed a", "made b"]]);
    expect([await asked(["a"]), made]).toEqual([5, ["a", "b"]]);
    await clock.advance(5_000);
    await asked(["a"]);
    expect(made).toEqual(["a", "b", "a"]);
  });

  test("a watch that lags costs the bound", async () => {
    const { asked, noted } = world(undefined, 10_000);
    expect([await asked(["a"]), noted]).toEqual([EARLY_MS, ["made a", "late a"]]);
  });
});
