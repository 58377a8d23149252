import { expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import type { Field } from "../../src/solver/field.ts";
import { reachSets } from "../../src/solver/reach.ts";
import type { Shape } from "../../src/solver/shape.ts";
import { indexTopology } from "../../src/solver/topology-index.ts";
import { cluster } from "../support/cluster.ts";
import { deviceRequest } from "../support/demand.ts";

const sharing = (name: string): Shape =>
  ({ devices: [deviceRequest("nic", 1, { sharedClaim: `default/${name}` })] }) as Partial<Shape> as Shape;

/** Devices that each reach the nodes of these names. */
function reachedFrom(...ways: readonly (readonly string[])[]): Field {
  const reach = (names: readonly string[]): JsonObject => ({
    nodeSelector: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/hostname", operator: "In", values: names }] }],
    },
  });
  const built = cluster()
    .nodes("n", 5)
    .object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "fabric" },
      spec: {
        driver: "fabric.example.com",
        pool: { name: "fabric", generation: 1, resourceSliceCount: 1 },
        perDeviceNodeSelection: true,
        devices: ways.map((names, at) => ({ name: `nic-${at}`, ...reach(names) })),
      },
    });
  return { index: indexTopology(built.topology()), kinds: [] } as Partial<Field> as Field;
}

const rowsOf = (sets: ReturnType<typeof reachSets>) => sets?.map((rows) => [...rows]);

test("sets of nodes that devices reach at once are those of each way and what they have in common, larger ones first", () => {
  const field = reachedFrom(["n-1", "n-2", "n-3", "n-4"], ["n-3", "n-4", "n-5"], ["n-5", "n-1"], ["n-5", "n-1"]);
  expect(rowsOf(reachSets(field, [sharing("one")]))).toEqual([
    [0, 1, 2, 3],
    [2, 3, 4],
    [0, 4],
    [2, 3],
  ]);
});

test("they are counted once for a topology, whoever asks", () => {
  const field = reachedFrom(["n-1", "n-2"]);
  expect(reachSets(field, [sharing("one")])).toBe(reachSets(field, [sharing("two")]));
});

test("of many ways, and of claims that differ, it is not judged", () => {
  const some = Array.from({ length: 9 }, (_, at) => ["n-1", `n-${at + 2}`]);
  expect(reachSets(reachedFrom(...some.slice(0, 8)), [sharing("one")])).toBeDefined();
  expect(reachSets(reachedFrom(...some), [sharing("one")])).toBeUndefined();
  expect(reachSets(reachedFrom(["n-1", "n-2"]), [sharing("one"), sharing("two")])).toBeUndefined();
});
