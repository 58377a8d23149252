import { fc, test as property } from "@fast-check/vitest";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../src/kube/lines.ts";
import { runs } from "../support/runs.ts";

async function read(chunks: readonly Buffer[], maxBytes?: number): Promise<string[]> {
  async function* stream() {
    yield* chunks;
  }
  const lines: string[] = [];
  for await (const line of linesOf(stream(), "the watch", maxBytes)) lines.push(line);
  return lines;
}

describe("lines of a stream", () => {
  property.prop(
    [
      fc.array(
        fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => text.trim() !== "" && !text.includes("\n")),
      ),
      fc.array(fc.nat({ max: 200 })),
    ],
    runs(100),
  )("are the same wherever it is cut, also within a character", async (texts, cuts) => {
    const bytes = Buffer.from(texts.map((text) => `${text}\n`).join(""), "utf8");
    const edges = [...new Set([0, ...cuts.map((cut) => Math.min(cut, bytes.length)), bytes.length])].sort(
      (a, b) => a - b,
    );
    const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
    expect(await read(chunks)).toEqual(
      Buffer.from(texts.join("\n"), "utf8").toString("utf8").split("\n").slice(0, texts.length),
    );
  });

  test("that are empty are passed over", async () => {
    expect(await read([Buffer.from("a\n\n\r\nb\n")])).toEqual(["a", "b"]);
  });

  test.each([
    ["in one chunk", [Buffer.from(`${"x".repeat(11)}\n`)]],
    ["over several, before its end was seen", [Buffer.from("x".repeat(6)), Buffer.from("x".repeat(5))]],
  ])("above the bound are a fault, %s", async (_name, chunks) => {
    await expect(read(chunks, 10)).rejects.toThrow("the watch sent an event of more than 10 bytes");
  });

  test("as long as the bound are taken", async () => {
    expect(await read([Buffer.from(`${"x".repeat(10)}\n${"y".repeat(10)}\n`)], 10)).toHaveLength(2);
  });

  test("that stop without their end are a fault", async () => {
    await expect(read([Buffer.from('{"a":1}\n{"b"')])).rejects.toThrow("ended in the middle of an event");
  });
});
