import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject } from "../../src/model/index.ts";
import {
  buildTopology,
  generateCluster,
  inventoryFrom,
  levelSummary,
  readInventory,
} from "../../src/topology/index.ts";
import { demoCluster } from "../fixtures/build-demo-cluster.ts";
import { testLayout } from "../support/cluster.ts";
import { runs } from "../support/runs.ts";

const samples: readonly JsonObject[] = [
  ...demoCluster(),
  ...generateCluster({ shape: "p5.48xlarge", nodes: 2, fill: 0.5, mechanism: "dra" }),
];
const junk: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(
    null,
    0,
    -1,
    1e300,
    "",
    "x",
    "__proto__",
    true,
    [],
    {},
    [null],
    [[]],
    { kind: "List", items: 1 },
    [{}],
  ),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>,
);

/** One value somewhere inside replaced or removed; `picks` choose the way. */
function damage(value: Json, picks: readonly number[], replacement: Json | undefined): Json | undefined {
  const [pick, ...rest] = picks;
  if (pick === undefined || typeof value !== "object" || value === null) return replacement;
  const keys = Object.keys(value);
  const key = keys[pick % Math.max(1, keys.length)];
  if (key === undefined) return replacement;
  if (Array.isArray(value)) {
    return (value as readonly Json[]).flatMap((item, index) => {
      const changed = index === Number(key) ? damage(item, rest, replacement) : item;
      return changed === undefined ? [] : [changed];
    });
  }
  const object = value as JsonObject;
  return { ...object, [key]: damage(object[key] ?? null, rest, replacement) };
}

describe("no damage is fatal", () => {
  test("objects with any part replaced or missing are read or reported, and the tree stands", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.record({
            sample: fc.nat({ max: samples.length - 1 }),
            picks: fc.array(fc.nat({ max: 40 }), { minLength: 0, maxLength: 9 }),
            replacement: fc.option(junk, { nil: undefined }),
          }),
          { minLength: 1, maxLength: 12 },
        ),
        (cuts) => {
          const objects = cuts.flatMap(({ sample, picks, replacement }) => {
            const object = samples[sample];
            const changed = object === undefined ? undefined : damage(object, picks, replacement);
            return changed === undefined ? [] : [changed as JsonObject];
          });
          const { value, diagnostics } = inventoryFrom(objects);
          for (const one of diagnostics) expect(one.message).toMatch(/^[^\n]{1,400}$/);
          if (value === undefined) throw new Error("an inventory is always there");
          const topology = buildTopology(value, testLayout);
          expect(topology.generation).toMatch(/^[0-9a-f]{16}$/);
          for (const level of levelSummary(topology, "nvidia.com/gpu"))
            for (const domain of level.domains) expect(domain.freeDevices).toBeLessThanOrEqual(domain.devices);
        },
      ),
      runs(500),
    );
  });

  test("good objects beside damaged ones are read as if they stood alone", () => {
    const good = samples.filter((object) => object["kind"] === "Node");
    const names = inventoryFrom(good).value?.nodes.map((node) => node.name);
    fc.assert(
      fc.property(fc.array(junk, { maxLength: 8 }), (bad) => {
        const { value } = inventoryFrom([...good, ...(bad as JsonObject[])]);
        expect(value?.nodes.map((node) => node.name)).toEqual(names);
      }),
      runs(60),
    );
  });

  test("text cut, doubled or overwritten anywhere is read or reported", () => {
    const json = JSON.stringify({ apiVersion: "v1", kind: "List", items: samples.slice(0, 4) });
    const yaml =
      "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Node\n  metadata:\n    name: a\n    labels: {a: \"b\", c: 'd'}\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  spec:\n    nodeName: a\n    containers:\n    - name: c\n      args: |\n        - x\n";
    fc.assert(
      fc.property(
        fc.constantFrom(json, yaml),
        fc.nat(),
        fc.nat({ max: 200 }),
        fc.string({
          unit: fc.constantFrom(
            "{",
            "}",
            "[",
            "]",
            '"',
            "'",
            "\\",
            "\n",
            "- ",
            ":",
            "&a",
            "*a",
            "#",
            "|",
            "---",
            "\t",
            "x",
            "%",
          ),
        }),
        (text, at, cut, put) => {
          const from = at % text.length;
          const { value } = readInventory([{ file: "f", text: text.slice(0, from) + put + text.slice(from + cut) }]);
          expect(value).toBeDefined();
        },
      ),
      runs(400),
    );
  });
});
