import { fc, test } from "@fast-check/vitest";
import { describe, expect } from "vitest";
import type { Json, JsonObject } from "../../src/model/index.ts";
import { leafFields } from "../../src/policy/contractFields.ts";
import { buildDemand, demandDigest, loadCatalogue, type PolicyFile, resolveIntents } from "../../src/policy/index.ts";
import { catalogueFiles, policyFiles } from "../support/catalogue.ts";
import { runs } from "../support/runs.ts";
import { CLASS, facts, INTENT, job, rayCluster, read } from "./given.ts";

const shipped = policyFiles("policies").filter(({ path }) => path !== "kustomization.yaml");
/** What most shipped documents refer to; the one under test joins it. */
const around = shipped.filter(({ path }) =>
  ["platform.yaml", "layouts/eks.yaml", "accelerators/h100.yaml"].includes(path),
);

const duration = fc
  .tuple(fc.integer({ min: 1, max: 90 }), fc.constantFrom("s", "m", "h"))
  .map(([amount, unit]) => `${amount}${unit}`);
const optional = <T extends Json>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

/** Class specs without contradictions, of every shape. */
const classSpec: fc.Arbitrary<JsonObject> = fc
  .record({
    shape: fc.constantFrom("gang", "online", "session", "batch", "stream"),
    location: fc.constantFrom("none", "local", "volume", "external"),
    spot: fc.constantFrom("never", "allowed", "overflow"),
    minLifetime: optional(duration),
    accelerator: fc.oneof(
      fc.constantFrom<Json>("none", "any"),
      fc.record({
        classes: fc.uniqueArray(fc.constantFrom("h100", "a100-80gb"), { minLength: 1 }),
        perPod: fc.integer({ min: 1, max: 8 }).map((count): Json => ({ min: 1, max: 8, default: count })),
      }),
    ),
    cost: duration,
    min: fc.integer({ min: 0, max: 5 }),
    topology: optional(
      fc.record({
        unit: fc.constantFrom("pod", "podSet", "workload"),
        level: fc.constantFrom("zone", "block", "rack", "host"),
        mode: fc.constantFrom("required", "preferred"),
      }) as fc.Arbitrary<Json>,
    ),
    maxProvisioning: optional(duration),
    mode: fc.constantFrom("enforce", "warn", "audit"),
  })
  .map((one) => ({
    latency: "none",
    demand: { shape: one.shape, replicas: { min: one.min } },
    state: { location: one.location },
    interruption: { spot: one.spot, minLifetime: one.minLifetime },
    accelerator: one.accelerator,
    tenancy: {},
    startup: { cost: one.cost },
    topology: one.topology,
    capacity: {
      types: one.spot === "never" ? ["on-demand"] : ["spot", "on-demand"],
      maxProvisioning: one.maxProvisioning,
    },
    admission: { mode: one.mode },
  }));

describe("any catalogue of sound specs", () => {
  test.prop([fc.array(classSpec, { minLength: 1, maxLength: 4 })], runs(40))(
    "loads without a finding, and its classes resolve",
    (specs) => {
      const classes = Object.fromEntries(specs.map((spec, index) => [`c${index}`, spec]));
      const { value, diagnostics } = loadCatalogue(catalogueFiles({ classes }));
      expect(diagnostics).toEqual([]);
      if (value === undefined) throw new Error("no catalogue");
      for (const name of Object.keys(classes)) {
        const workload = read(
          rayCluster({ a: { limits: { "nvidia.com/gpu": 8 } } }, { annotations: { [CLASS]: name } }),
          value,
        );
        const { intents } = resolveIntents(workload, value, { creating: true });
        expect([...intents.keys()]).toEqual(["head", "a"]);
        const demand = buildDemand(workload, intents, value, facts());
        for (const set of demand.podSets) {
          expect(set.required).toBeLessThanOrEqual(set.count);
          expect(set.count).toBeLessThanOrEqual(set.peak);
          expect(set.ladder.steps.length).toBeGreaterThan(0);
          expect(demandDigest(set)).toMatch(/^[0-9a-f]{12}$/);
        }
      }
    },
  );

  test.prop([fc.array(classSpec, { minLength: 1, maxLength: 3 }), fc.integer()], runs(20))(
    "loads to the same whatever the order of files",
    (specs, seed) => {
      const files = catalogueFiles({ classes: Object.fromEntries(specs.map((spec, index) => [`c${index}`, spec])) });
      const shuffled = [...files].sort(
        (a, b) => ((a.path.length * 31 + seed) % 7) - ((b.path.length * 31 + seed) % 7) || (a.path < b.path ? 1 : -1),
      );
      const [one, other] = [loadCatalogue(files).value, loadCatalogue(shuffled).value];
      expect(other?.revision).toBe(one?.revision);
      expect([...(other?.classes.values() ?? [])].map(({ digest }) => digest).sort()).toEqual(
        [...(one?.classes.values() ?? [])].map(({ digest }) => digest).sort(),
      );
      expect(other?.pools).toEqual(one?.pools);
    },
  );
});

type Mutation = (text: string) => string;
const place = fc.double({ min: 0, max: 1, noNaN: true });
const at = (text: string, part: number) => Math.floor(part * text.length);
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  place.map(
    (part): Mutation =>
      (text) =>
        text.slice(0, at(text, part)) + text.slice(at(text, part) + 1),
  ),
  fc
    .tuple(
      place,
      fc.constantFrom(
        ":",
        "{",
        "}",
        "[",
        "]",
        "\n",
        " ",
        "\t",
        "&a ",
        "*a",
        "'",
        '"',
        "- ",
        "? ",
        "|",
        "%",
        "!!set ",
        "<<: ",
        "\u0000",
        "é",
        "1e999",
        "---\n",
      ),
    )
    .map(
      ([part, piece]): Mutation =>
        (text) =>
          text.slice(0, at(text, part)) + piece + text.slice(at(text, part)),
    ),
  fc.tuple(place, place).map(
    ([from, to]): Mutation =>
      (text) =>
        text.slice(0, at(text, Math.min(from, to))) + text.slice(at(text, Math.max(from, to))),
  ),
  fc
    .tuple(
      place,
      fc.constantFrom(
        "null",
        "-1",
        "true",
        "[]",
        "{}",
        "''",
        "0x10",
        "99999999999999999999",
        "__proto__",
        "constructor",
      ),
    )
    .map(
      ([part, value]): Mutation =>
        (text) => {
          const lines = text.split("\n");
          const index = Math.floor(part * lines.length);
          lines[index] = (lines[index] ?? "").replace(/:.*/, `: ${value}`);
          return lines.join("\n");
        },
    ),
);

describe("any damage to the shipped files", () => {
  test.prop([fc.nat(), fc.array(mutation, { minLength: 1, maxLength: 3 })], runs(200))(
    "never throws, and every finding has its place in the text",
    (pick, mutations) => {
      const victim = shipped[pick % shipped.length];
      if (victim === undefined) throw new Error("nothing is shipped");
      const text = mutations.reduce((now, change) => change(now), victim.text);
      const files: PolicyFile[] = [...around.filter((one) => one !== victim), { path: victim.path, text }];
      const { value, diagnostics } = loadCatalogue(files);
      for (const { source, code, message } of diagnostics) {
        if (source === undefined) {
          expect(["NoPlatform"], message).toContain(code);
          continue;
        }
        const lines = files.find(({ path }) => path === source.file)?.text.split("\n") ?? [];
        expect(source.line).toBeGreaterThan(0);
        expect(source.line).toBeLessThanOrEqual(lines.length);
        expect(source.column).toBeLessThanOrEqual((lines[source.line - 1] ?? "").length + 1);
      }
      expect(value === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
    },
  );
});

describe("any intent", () => {
  const value = fc.oneof(
    fc.jsonValue() as fc.Arbitrary<Json>,
    fc.constantFrom<Json>("rack", "2h", ["h100"], 3, true, null),
  );
  const intent = fc.array(fc.tuple(fc.constantFrom(...leafFields()), value), { maxLength: 4 }).map((fields) => {
    const root: Record<string, unknown> = {};
    for (const [field, one] of fields) {
      const steps = field.split(".");
      let node = root;
      for (const step of steps.slice(0, -1)) {
        const below = node[step];
        node[step] = typeof below === "object" && below !== null ? below : {};
        node = node[step] as Record<string, unknown>;
      }
      node[steps.at(-1) ?? ""] = one;
    }
    return JSON.stringify(root);
  });
  const text = fc.oneof(intent, fc.string({ maxLength: 200 }));
  const given = loadCatalogue(
    catalogueFiles({
      class: {
        overrides: Object.fromEntries(
          leafFields()
            .filter((field) => !/^(admission|tenancy\.(namespaces|limits))/.test(field))
            .map((field) => [field, "any"]),
        ),
      },
    }),
  ).value;

  test.prop([text, fc.constantFrom("gang", "online", "elastic", "under-test")], runs(100))(
    "never throws, and leaves a whole contract",
    (written, name) => {
      if (given === undefined) throw new Error("no catalogue");
      const workload = read(
        job({ annotations: { [CLASS]: name, [INTENT]: written }, limits: { "nvidia.com/gpu": 8 } }),
        given,
      );
      const { intents, diagnostics } = resolveIntents(workload, given, { creating: true });
      const contract = [...intents.values()][0]?.contract;
      expect(Object.keys(contract ?? {}).sort()).toEqual(Object.keys(given.classes.get(name)?.contract ?? {}).sort());
      expect(contract?.topology === undefined || typeof contract.topology.unit === "string").toBe(true);
      for (const { message } of diagnostics) expect(message).not.toMatch(/undefined|\[object|NaN/);
      expect(buildDemand(workload, intents, given, facts()).podSets).toHaveLength(1);
    },
  );
});
