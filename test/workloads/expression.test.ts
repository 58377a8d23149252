import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json } from "../../src/model/index.ts";
import {
  builtinKinds,
  checkKindEntry,
  extendKinds,
  groupOf,
  isTableKind,
  type KindEntry,
  readWorkload,
} from "../../src/workloads/index.ts";
import { runs } from "../support/runs.ts";
import { table } from "./fixtures.ts";

const value = (expression: string, object: Record<string, Json> = {}, item: Record<string, Json> = {}, key = "") =>
  table.expression(expression).value({ object, item, key });

describe("functions of the kind table", () => {
  test.each<[string, Record<string, Json>, unknown]>([
    [`whole(object, "spec.replicas", 1)`, { spec: { replicas: 3 } }, 3n],
    [`whole(object, "spec.replicas", 1)`, { spec: { replicas: "3" } }, 3n],
    [`whole(object, "spec.replicas", 1)`, { spec: { replicas: -3 } }, 1n],
    [`whole(object, "spec.replicas", 1)`, { spec: { replicas: 2.5 } }, 1n],
    [`whole(object, "spec.replicas", 1)`, { spec: null }, 1n],
    [`whole(object, "spec.replicas", -1)`, {}, -1n],
    [`text(object, "mode", "native")`, {}, "native"],
    [`text(object, "mode", "native")`, { mode: 4 }, "4"],
    [`flag(object, "on", false)`, { on: "true" }, true],
    [`flag(object, "on", false)`, { on: [] }, false],
    [`given(object, "a.b")`, { a: { b: 0 } }, true],
    [`given(object, "a.b")`, { a: { b: null } }, false],
    [`setting(object, "conf", "a.b.c", "none")`, { conf: { "a.b.c": "whole" } }, "whole"],
    [`setting(object, "conf", "a.b.c", "none")`, { conf: { a: { b: { c: 7 } } } }, "7"],
    [`setting(object, "conf", "a.b.c", "none")`, { conf: { "a.b": { c: "partly" } } }, "partly"],
    [`setting(object, "conf", "a.b.c", "none")`, { conf: { "a.b.c": "whole", a: { b: { c: "nested" } } } }, "whole"],
    [`setting(object, "conf", "a.b.c", "none")`, { conf: { a: "b" } }, "none"],
    [`settingWhole(object, "conf", "slots", 1)`, { conf: { slots: "4" } }, 4n],
    [`settingWhole(object, "conf", "slots", 1)`, { conf: { slots: "many" } }, 1n],
    [`share(object, "surge", "25%", 5, true)`, {}, 2n],
    [`share(object, "surge", "25%", 5, false)`, {}, 1n],
    [`share(object, "surge", "25%", 5, true)`, { surge: 3 }, 3n],
    [`share(object, "surge", "25%", 5, true)`, { surge: "100%" }, 5n],
    [`share(object, "surge", "25%", 4, true)`, { surge: "a lot" }, 1n],
    [`total(object, "tasks[*].replicas", 1)`, { tasks: [{ replicas: 3 }, {}, { replicas: null }] }, 5n],
    [`total(object, "specs{*}.replicas", 0)`, { specs: { a: { replicas: 3 }, b: { replicas: 4 } } }, 7n],
    [`items(object, "tasks[*]", "name", "node")`, { tasks: [{ name: "node" }, { name: "other" }, 1] }, 1n],
    [
      `member(object, "groups", "names", "b", "replicas", 1)`,
      {
        groups: [
          { names: ["a"], replicas: 2 },
          { names: ["b"], replicas: 3 },
        ],
      },
      3n,
    ],
    [`member(object, "groups", "names", "z", "replicas", 1)`, { groups: "no list" }, 1n],
    [`ceilDiv(7, 2) + min(3, 2) + max(1, 5)`, {}, 11n],
    [`ceilDiv(7, 0)`, {}, 7n],
    [`lower("Worker")`, {}, "worker"],
  ])("%s of %o", (expression, object, expected) => {
    expect(value(expression, object)).toEqual(expected);
  });

  test("item and key are seen", () => {
    expect(value(`lower(key) == "worker" ? whole(item, "n", 0) : 0`, {}, { n: 4 }, "Worker")).toBe(4n);
  });

  test("no value in the object makes a function fail", () => {
    const calls = [
      `whole(object, "a", 1)`,
      `text(object, "a", "x")`,
      `flag(object, "a", true)`,
      `given(object, "a")`,
      `setting(object, "a", "b.c", "x")`,
      `share(object, "a", "25%", 8, true)`,
      `total(object, "a[*].b", 1)`,
      `total(object, "a{*}.b", 1)`,
      `items(object, "a[*]", "b", "c")`,
      `member(object, "a", "b", "c", "d", 1)`,
    ];
    fc.assert(
      fc.property(fc.constantFrom(...calls), fc.jsonValue(), (call, a) => {
        expect(value(call, { a: a as Json })).toBeDefined();
      }),
      runs(100),
    );
  });
});

describe("what an expression may not do", () => {
  test.each([
    ["loop over lists", `object.items.map(x, x)`, "map"],
    ["loop in a loop", `object.a.all(x, object.b.exists(y, x == y))`, "all"],
    ["use regular expressions", `text(object, "a", "").matches("(a+)+$")`, "matches"],
    ["end in the middle", `1 +`, "EOF"],
    ["name what is not there", `spec.replicas`, "spec"],
    ["mix types", `whole(object, "a", "1")`, "whole"],
  ])("%s", (_, expression, word) => {
    const { fault } = table.expression(expression);
    expect(fault).toContain(word);
    expect(fault).not.toContain("\n");
    expect(value(expression)).toBeUndefined();
  });

  test("grow without bound", () => {
    expect(table.expression(Array(300).fill("1").join(" + ")).fault).toBeDefined();
    expect(table.expression(`${"(".repeat(500)}1${")".repeat(500)}`).fault).toBeDefined();
    expect(table.expression(`text(object, "${"a".repeat(2000)}", "")`).fault).toContain("2000 characters");
  });

  test("reach the object prototype", () => {
    expect(value(`object.constructor.name`)).toBeUndefined();
    expect(value(`text(object, "constructor.name", "none")`)).toBe("none");
  });
});

const queue: KindEntry = {
  apiVersion: "example.com/v1",
  kind: "BatchQueue",
  plural: "batchqueues",
  life: "runOnce",
  builtin: false,
  makes: ["/Pod"],
  scale: false,
  mutability: { template: "always", except: [] },
  templates: [
    {
      role: "worker",
      path: "spec.pools[*].template",
      shape: "PodTemplateSpec",
      count: `whole(item, "size", 1)`,
      optional: false,
      absentMeansNone: true,
      fields: {},
      interrupt: "allowed",
    },
  ],
};

describe("kinds from a file", () => {
  const more = extendKinds(table, [queue]);
  const object = {
    apiVersion: "example.com/v1",
    kind: "BatchQueue",
    spec: { pools: [{ name: "a", size: 3, template: { spec: {} } }] },
  };

  test("a new kind is read, its children are told from roots, and the first table stays as it was", () => {
    expect(readWorkload(object, more)?.podSets).toMatchObject([{ name: "a", role: "worker", count: 3 }]);
    expect(isTableKind({ apiVersion: "example.com/v2", kind: "BatchQueue" }, more)).toBe(true);
    expect(readWorkload(object, table)).toBeUndefined();
    expect(readWorkload({ apiVersion: "apps/v1", kind: "Deployment" }, more)).toBeDefined();
  });

  test("an entry of the same kind replaces the built-in one", () => {
    const own = extendKinds(builtinKinds(), [{ ...queue, apiVersion: "batch/v1", kind: "Job" }]);
    expect(own.entries.filter((entry) => entry.apiVersion === "batch/v1" && entry.kind === "Job")).toHaveLength(1);
    expect(own.find("batch/v1", "Job")?.templates[0]?.role).toBe("worker");
  });

  test("a count that fails on an object is said, and one pod assumed", () => {
    const wrong = extendKinds(table, [
      { ...queue, templates: queue.templates.map((one) => ({ ...one, count: "item.size * 2" })) },
    ]);
    const workload = readWorkload(object, wrong);
    expect(workload?.podSets[0]?.count).toBe(1);
    expect(workload?.diagnostics).toMatchObject([
      { code: "KindExpressionFailed", severity: "warning", path: ["spec", "pools", 0, "template"] },
    ]);
    expect(workload?.diagnostics[0]?.message).toBe(
      "the count of this pod set could not be computed from item.size * 2, so 1 is assumed",
    );
  });

  const [template] = queue.templates;
  test.each<[string, Partial<KindEntry>, (string | number)[], string]>([
    ["an apiVersion", { apiVersion: "Example/1" }, ["apiVersion"], "Example/1"],
    ["a child without group", { makes: ["Pod"] }, ["makes", 0], "Pod"],
    [
      "a template path",
      { templates: template === undefined ? [] : [{ ...template, path: "spec..pools[0]" }] },
      ["templates", 0, "path"],
      "spec..pools[0]",
    ],
    [
      "a count",
      { templates: template === undefined ? [] : [{ ...template, count: "replicas" }] },
      ["templates", 0, "count"],
      "replicas",
    ],
    [
      "a field's place",
      { templates: template === undefined ? [] : [{ ...template, fields: { nodeSelector: "a[*].b" } }] },
      ["templates", 0, "fields", "nodeSelector"],
      "a[*].b",
    ],
    ["a suspend path", { suspend: "spec.[suspend]" }, ["suspend"], "spec.[suspend]"],
    ["a peak", { peak: "1 +" }, ["peak"], "EOF"],
  ])("a fault is named with its place: %s", (_, part, path, seen) => {
    const faults = checkKindEntry({ ...queue, ...part });
    expect(faults).toMatchObject([{ code: "KindEntryInvalid", severity: "error", path }]);
    expect(faults[0]?.message).toContain(seen);
  });
});

test("the group of an apiVersion", () => {
  expect([groupOf("v1"), groupOf("apps/v1"), groupOf("")]).toEqual(["", "apps", ""]);
});
