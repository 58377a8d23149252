import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { unifiedDiff } from "../../src/cli/render/diff.ts";
import { runs } from "../support/runs.ts";

const text = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join("");

/** Applies a unified difference as patch(1) does, checking line numbers, counts and context. */
function applied(before: readonly string[], diff: readonly string[]): string[] {
  const result: string[] = [];
  let at = 0;
  for (const line of diff) {
    const head = /^@@ -(\d+),(\d+) \+(\d+),(\d+) @@$/.exec(line);
    if (head !== null) {
      // An empty range is named by the line before it.
      const start = Number(head[1]) - (head[2] === "0" ? 0 : 1);
      result.push(...before.slice(at, start));
      at = start;
      expect(result.length).toBe(Number(head[3]) - (head[4] === "0" ? 0 : 1));
      continue;
    }
    if (line[0] !== "+") {
      expect(before[at]).toBe(line.slice(1));
      at += 1;
    }
    if (line[0] !== "-") result.push(line.slice(1));
  }
  return [...result, ...before.slice(at)];
}

describe("unifiedDiff", () => {
  test("shows what was added and removed with three lines around it", () => {
    const before = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const after = ["a", "b", "c", "d", "E", "f", "g", "h", "i"];
    expect(unifiedDiff(text(before), text(after))).toEqual([
      "@@ -2,7 +2,8 @@",
      " b",
      " c",
      " d",
      "-e",
      "+E",
      " f",
      " g",
      " h",
      "+i",
    ]);
  });

  test("equal texts differ in nothing", () => {
    expect(unifiedDiff("a\nb\n", "a\nb\n")).toEqual([]);
    expect(unifiedDiff("", "")).toEqual([]);
  });

  const lines = fc.array(fc.constantFrom("a", "b", "c", "d"), { maxLength: 30 });
  test("leads from one text to the other, whatever they are", () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        expect(applied(before, unifiedDiff(text(before), text(after)))).toEqual(after);
      }),
      runs(300),
    );
  });

  test("is the shortest: one line added among many is one line", () => {
    fc.assert(
      fc.property(lines, fc.nat(30), (before, where) => {
        const after = [...before.slice(0, where), "new", ...before.slice(where)];
        const changed = unifiedDiff(text(before), text(after)).filter((line) => /^[-+]/.test(line));
        expect(changed).toEqual(["+new"]);
      }),
      runs(100),
    );
  });

  test("texts that share next to nothing are told as a replacement", () => {
    const before = Array.from({ length: 1500 }, (_, index) => `old ${index}`);
    const after = Array.from({ length: 1500 }, (_, index) => `new ${index}`);
    const diff = unifiedDiff(text(before), text(after));
    expect(diff).toHaveLength(3001);
    expect(applied(before, diff)).toEqual(after);
  });
});
