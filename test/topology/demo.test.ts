import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { buildTopology, levelSummary, readInventory } from "../../src/topology/index.ts";
import { demoClusterText } from "../fixtures/build-demo-cluster.ts";
import { testLayout } from "../support/cluster.ts";

const text = readFileSync(new URL("../fixtures/demo-cluster.yaml", import.meta.url), "utf8");
const { value, diagnostics } = readInventory([{ file: "demo-cluster.yaml", text }]);

describe("the bundled cluster", () => {
  test("the file is what its script writes", () => {
    expect(text).toBe(demoClusterText());
  });

  test("it reads without a word", () => {
    expect(diagnostics).toEqual([]);
    expect(value?.nodes.length).toBeGreaterThanOrEqual(40);
  });

  test("the best rack has 14 free H100 machines, its block 22", () => {
    if (value === undefined) throw new Error("an inventory is always there");
    const [, blocks, racks] = levelSummary(buildTopology(value, testLayout), "nvidia.com/gpu");
    const most = (list: typeof racks) => Math.max(...(list?.domains.map((domain) => domain.freeNodes) ?? []));
    expect(most(racks)).toBe(14);
    expect(most(blocks)).toBe(22);
  });

  test("devices come by device plugin, in MIG partitions, by DRA, and by DRA in partitions", () => {
    const by = (resource: string) => value?.nodes.filter((node) => (node.allocatable[resource] ?? 0) > 0).length;
    expect([by("nvidia.com/gpu"), by("nvidia.com/mig-1g.10gb")]).toEqual([54, 2]);
    expect(value?.devicePools.map((pool) => [pool.complete, pool.invalid, pool.devices.length])).toEqual([
      [true, undefined, 8],
      [true, undefined, 8],
      [true, undefined, 10],
    ]);
    expect(value?.facts.deviceClass("mig.nvidia.com")).toBeDefined();
  });

  test("four tenants share it, two namespaces as one", () => {
    expect(new Set(value?.pods.map((pod) => pod.tenant))).toEqual(new Set(["team-a", "team-b", "lab", "kube-system"]));
    expect(value?.claims.map((claim) => claim.root?.name)).toEqual(["sketch", "tune"]);
  });
});
