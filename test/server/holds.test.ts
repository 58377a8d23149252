import { describe, expect, test } from "vitest";
import type { Hold } from "../../src/model/index.ts";
import { createHolds, HOLD_MS } from "../../src/server/holds.ts";

const hold = (name: string, uid: string, takenAtMs: number): Hold => ({
  workload: { apiVersion: "batch/v1", kind: "Job", namespace: "ml", name, uid },
  tenant: "ml",
  takenAtMs,
  placed: [],
  newNodes: [],
});
const uids = (holds: readonly Hold[]) => holds.map(({ workload }) => workload.uid);

describe("holds in flight", () => {
  test("a hold that nothing confirms ends after its time", () => {
    const holds = createHolds();
    holds.take(hold("train", "a", 0));
    expect(uids(holds.list(HOLD_MS - 1))).toEqual(["a"]);
    expect(holds.list(HOLD_MS)).toEqual([]);
  });

  test("never replaces another uid's: that object exists, and the second create will fail", () => {
    const holds = createHolds();
    holds.take(hold("train", "a", 0));
    holds.take(hold("train", "b", 1));
    expect(uids(holds.list(2))).toEqual(["a"]);
    holds.take(hold("train", "b", HOLD_MS));
    expect(uids(holds.list(HOLD_MS))).toEqual(["b"]);
  });

  test("the same uid renews its own", () => {
    const holds = createHolds();
    holds.take(hold("train", "a", 0));
    holds.take(hold("other", "c", 5));
    holds.take(hold("train", "a", 9_000));
    expect(uids(holds.list(HOLD_MS + 6))).toEqual(["a"]);
  });

  test("the same name in another namespace is another workload", () => {
    const holds = createHolds();
    holds.take(hold("train", "a", 0));
    const other = hold("train", "b", 0);
    holds.take({ ...other, workload: { ...other.workload, namespace: "serving" } });
    expect(uids(holds.list(1))).toEqual(["a", "b"]);
  });

  test("their number is bounded", () => {
    const holds = createHolds();
    for (let index = 0; index < 10_050; index += 1) holds.take(hold(`job-${index}`, `${index}`, 0));
    expect(holds.list(0)).toHaveLength(10_000);
  });
});
