import { expect, test } from "vitest";
import { createLineages } from "../../src/topology/live-lineage.ts";

const owner = { apiVersion: "batch/v1", kind: "Job", namespace: "a", name: "train" };

/** Of pods of that Job, and which of them heard of another root. */
function lineages() {
  const asked: string[] = [];
  const made = createLineages<string>(
    ({ name }) => void asked.push(name),
    () => true,
    () => {},
  );
  return { ...made, asked };
}

test("a lineage that no pod has any more is forgotten, and nothing is asked for it when owners change", () => {
  const kept = lineages();
  const lineage = kept.of(owner, "a", {});
  kept.join(lineage, "pod-0");
  expect(kept.below(owner)).toEqual(["pod-0"]);
  kept.asked.length = 0;
  kept.ownerChanged(owner);
  expect(kept.asked).toEqual(["train"]);
  kept.leave(lineage, "pod-0");
  kept.asked.length = 0;
  kept.ownerChanged(owner);
  expect(kept.asked).toEqual([]);
  expect(kept.of(owner, "a", {})).not.toBe(lineage);
});

test("one that was made for nothing is let go of, and one that a pod joined is not", () => {
  const kept = lineages();
  const first = kept.of(owner, "a", {});
  kept.release(first);
  const second = kept.of(owner, "a", {});
  expect(second).not.toBe(first);
  kept.join(second, "pod-0");
  kept.release(second);
  // Nor does the one of before take the place of the one that counts.
  kept.release(first);
  expect(kept.of(owner, "a", {})).toBe(second);
});
