import { describe, expect, test } from "vitest";
import { solve } from "../../src/solver/index.ts";
import { cluster } from "../support/cluster.ts";
import { contextOf, demandOf, podSet } from "../support/demand.ts";

/** Racks by the number of idle nodes; one pod fills a node. */
function racks(sizes: Readonly<Record<string, number>>) {
  const builder = cluster();
  for (const [rack, count] of Object.entries(sizes))
    builder.nodes(`n-${rack}`, count, (node) => node.cpu(1).zone("a").block("k").rack(rack));
  return builder.topology();
}

function used(
  sizes: Readonly<Record<string, number>>,
  pods: number,
  level: string | undefined,
): Record<string, number> {
  const topology = racks(sizes);
  const set = podSet("main", { required: pods, placement: { level, mode: "preferred" } });
  const { chosen } = solve(topology, demandOf(set), contextOf({ skipSuggestions: true }));
  const counts: Record<string, number> = {};
  for (const { node, pods: more } of chosen?.assignment?.placed ?? []) {
    const rack = node.split("-")[1] ?? "";
    counts[rack] = (counts[rack] ?? 0) + more;
  }
  return counts;
}

describe("packing keeps large domains whole", () => {
  test.each([
    ["a gang takes the tightest rack that holds it", { big: 8, mid: 5, low: 3 }, 4, "rack", { mid: 4 }],
    [
      "one that no rack holds fills the largest, and the rest goes to the tightest that holds it",
      { big: 8, mid: 5, low: 3 },
      10,
      "rack",
      { big: 8, low: 2 },
    ],
    ["what is over takes the rack that it fills", { big: 8, mid: 5, low: 3 }, 11, "rack", { big: 8, low: 3 }],
    ["what is over is not scattered", { big: 6, mid: 4, low: 4 }, 13, "rack", { big: 6, mid: 4, low: 3 }],
    ["pods that ask for no level leave empty racks empty", { big: 8, mid: 5, low: 3 }, 2, undefined, { low: 2 }],
  ] as const)("%s", (_, sizes, pods, level, expected) => {
    expect(used(sizes, pods, level)).toEqual(expected);
  });
});
