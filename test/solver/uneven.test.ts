import { expect, test } from "vitest";
import type { Layer } from "../../src/solver/layers.ts";
import { fewestUnder } from "../../src/solver/uneven.ts";

/** By row the domain, by domain how it counts: 1 once a new node is there, 2 at once. */
const spread = (of: readonly number[], counts: readonly number[], maxSkew: number): Layer => ({
  domains: { of: Int32Array.from(of), names: counts.map(String) },
  counts: Uint8Array.from(counts),
  rule: { kind: "spread", maxSkew, minDomains: 1 },
});

test("a domain of new nodes that was looked at and left again does not count", () => {
  const layers = [spread([1, 1, 0, 1], [1, 2], 1), spread([0, 2, 0, 1], [2, 1, 2], 1)];
  expect(fewestUnder(layers, [0, 1, 2, 3], Int32Array.of(1, 2, 1, 3), 3)).toBe(3);
});

test("rules that tie domains together may leave pods without a place", () => {
  const layers = [spread([0, 0, 1], [2, 2], 1), spread([0, 1, 0], [2, 2], 1)];
  expect(fewestUnder(layers, [0, 1, 2], Int32Array.of(3, 3, 3), 4)).toBe(1);
});
