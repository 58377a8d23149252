import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createDrain } from "../../src/server/drain.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Drains with requests at these times, milliseconds after its start; how long it took. */
async function drainedAfter(drainMs: number, requestsMs: readonly number[]): Promise<number> {
  const drain = createDrain(drainMs, Date.now);
  const startMs = Date.now();
  for (const at of requestsMs) setTimeout(() => drain.seen(), at);
  let tookMs: number | undefined;
  void drain.begin().then(() => {
    tookMs = Date.now() - startMs;
  });
  expect(drain.draining).toBe(true);
  await vi.advanceTimersByTimeAsync(120_000);
  if (tookMs === undefined) throw new Error("the drain did not end");
  return tookMs;
}
const every = (ms: number, untilMs: number) => Array.from({ length: untilMs / ms }, (_, index) => index * ms);

describe("a drain", () => {
  test.each([
    ["lasts as long as it is told where nothing comes", 10_000, [], 10_000],
    ["is no longer for what came early", 10_000, [0, 3_000, 7_500], 10_000],
    ["waits until nothing has come for two seconds", 10_000, [9_000, 10_500], 12_500],
    ["takes twice its time at most", 10_000, every(100, 60_000), 20_000],
    ["calls a second quiet where it has only one", 1_000, [900], 1_900],
    ["does not wait at all where it is told so", 0, every(100, 1_000), 0],
  ])("%s", async (_name, drainMs, requestsMs, expected) => {
    expect(await drainedAfter(drainMs, requestsMs)).toBe(expected);
  });

  test("has not begun before it is told to", () => {
    expect(createDrain(1_000).draining).toBe(false);
  });
});
