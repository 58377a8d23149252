import { describe, expect, test } from "vitest";
import { nearNames, suggestion } from "../../src/policy/suggest.ts";

describe("a misspelt name", () => {
  test.each<[string, readonly string[], readonly string[]]>([
    ["latncy", ["latency", "state"], ["latency"]],
    ["gnag", ["gang", "online"], ["gang"]],
    ["minReplica", ["min-replica", "max-replica"], ["min-replica"]],
    ["On_Demand", ["on-demand", "spot"], ["on-demand"]],
    ["a100", ["a100-80gb", "h100"], ["h100"]],
    ["zzz", ["gang"], []],
    ["", ["gang"], []],
    ["x".repeat(65), ["x".repeat(64)], []],
  ])("%s among %j means %j", (name, candidates, near) => expect(nearNames(name, candidates)).toEqual(near));

  test("offers three at most, the nearest first", () => {
    expect(nearNames("rack1", ["rack12", "rack2", "rack3", "rack4", "rack1x"])).toHaveLength(3);
  });

  test("without a near one, a short list is given whole and a long one not at all", () => {
    expect(suggestion("zzz", ["b", "a"], "Names are")).toBe("Names are: a, b.");
    expect(
      suggestion(
        "zzz",
        Array.from({ length: 30 }, (_, index) => `name-${index}`),
        "Names are",
      ),
    ).toBeUndefined();
    expect(suggestion("zzz", [], "Names are")).toBeUndefined();
  });
});
