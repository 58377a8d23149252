import { describe, expect, test } from "vitest";
import type { Diagnostic } from "../../src/model/index.ts";
import { loadCatalogue, type PolicyFile } from "../../src/policy/index.ts";
import { catalogue, loadedCatalogue } from "../support/catalogue.ts";
import { faults } from "./faults.ts";
import { edited, minimal } from "./faulty.ts";

describe("what is wrong with a policy folder", () => {
  test.each(faults.map((one) => [one.sentence, one] as const))(
    "%s",
    (_, { files, code, file, at, after, message, hint }) => {
      const { value, diagnostics } = loadCatalogue(files);
      const found = diagnostics.filter((one) => one.code === code && message.test(one.message));
      expect(found, text(diagnostics)).toHaveLength(1);
      const [one] = found;
      expect(one?.source).toEqual({ file, ...placeOf(files, file, at, after) });
      if (hint !== undefined) expect(one?.hint).toMatch(hint);
      expect(value === undefined).toBe(diagnostics.some(({ severity }) => severity === "error"));
    },
  );

  test("nothing else is said about a folder with one mistake", () => {
    const noisy = faults
      .map(({ sentence, files }) => ({ sentence, said: loadCatalogue(files).diagnostics.length }))
      .filter(({ said }) => said !== 1)
      .map(({ sentence }) => sentence);
    // These mistakes break something else with them.
    expect(noisy).toEqual(["a class that extends itself in a circle", "scale to zero with a floor"]);
  });

  test("every fault of every file is found at once", () => {
    const files = [
      ...edited("classes/gang.yaml", "shape: gang", "shape: gnag").filter(({ path }) => path !== "classes/online.yaml"),
      ...edited("classes/online.yaml", "cost: 3m", "cost: 3 minutes").filter(
        ({ path }) => path === "classes/online.yaml",
      ),
      { path: "classes/zz.yaml", text: "a: [\n" },
    ];
    const { diagnostics } = loadCatalogue(files);
    expect(diagnostics.map(({ source }) => source?.file)).toEqual([
      "classes/gang.yaml",
      "classes/online.yaml",
      "classes/zz.yaml",
    ]);
  });

  test("a broken document does not hide the others of its file", () => {
    const gang = minimal().find(({ path }) => path === "classes/gang.yaml")?.text ?? "";
    const texts = [
      gang.replace("shape: gang", "shape: x"),
      "a: {\n",
      gang.replace("name: gang", "name: other").replace("12h", "12x"),
    ];
    const files = [
      ...minimal().filter(({ path }) => path !== "classes/gang.yaml"),
      { path: "all.yaml", text: texts.join("\n---\n") },
    ];
    const codes = loadCatalogue(files).diagnostics.map(({ code }) => code);
    expect(codes).toEqual(["UnknownValue", "YamlSyntax", "InvalidValue"]);
  });

  test("a child's contradiction with its parent is shown where it is written", () => {
    const child =
      "apiVersion: plimsoll.dev/v1alpha1\nkind: WorkloadClass\nmetadata: {name: child}\nspec:\n  extends: gang\n  capacity: {types: [spot]}\n";
    const { diagnostics } = loadCatalogue([...minimal(), { path: "child.yaml", text: child }]);
    expect(diagnostics.map(({ source, code }) => [code, source?.file, source?.line, source?.column])).toEqual([
      ["Contradiction", "child.yaml", 6, 21],
    ]);
  });

  test("a role's own contradiction is shown in the role, the class's only once", () => {
    const role = edited("classes/online.yaml", "head: {accelerator: none}", "head: {capacity: {types: [spot]}}");
    const { diagnostics } = loadCatalogue(role);
    expect(diagnostics.map(({ message }) => message)).toEqual([
      "WorkloadClass online: role head: capacity.types is spot, but interruption.spot is never.",
    ]);
  });

  test("without a platform file the message says what to add", () => {
    const { value, diagnostics } = loadCatalogue(minimal().filter(({ path }) => path !== "platform.yaml"));
    expect(value).toBeUndefined();
    expect(diagnostics).toHaveLength(1);
    expect(diagnostics[0]).toMatchObject({
      code: "NoPlatform",
      severity: "error",
      hint: expect.stringContaining("platform.yaml"),
    });
  });

  test("an empty folder has no platform and nothing else wrong", () => {
    expect(loadCatalogue([]).diagnostics.map(({ code }) => code)).toEqual(["NoPlatform"]);
  });

  test("an empty file says nothing", () => {
    const files = [...minimal(), { path: "classes/empty.yaml", text: "# nothing yet\n" }];
    expect(loadCatalogue(files).diagnostics).toEqual([]);
  });
});

describe("a catalogue that loads", () => {
  test("another platform file replaces the folder's, faults included", () => {
    const platform = {
      path: "gke.yaml",
      text: "apiVersion: plimsoll.dev/v1alpha1\nkind: Platform\nmetadata: {name: gke}\nspec: {kubernetes: {version: v1.34.1-gke.100}, autoscaler: {kind: gke}, dialect: gke, layout: racks}\n",
    };
    const { value, diagnostics } = loadCatalogue(edited("platform.yaml", "dialect:", "dialekt:"), { platform });
    expect(diagnostics).toEqual([]);
    expect(value?.platform).toMatchObject({
      name: "gke",
      kubernetes: { version: { major: 1, minor: 34, patch: 1 } },
      autoscaler: { kind: "gke", provisioningRequests: true, maxGracePeriodMs: 600_000 },
      reclaimNoticeMs: { spot: 30_000 },
    });
  });

  test("the shipped catalogue has no finding at all", () => {
    expect(loadedCatalogue().classes.size).toBeGreaterThan(10);
  });

  test("the revision depends on every text and path, not on the order of files", () => {
    const revision = (files: readonly PolicyFile[]) => loadCatalogue(files).value?.revision;
    expect(revision(minimal().toReversed())).toBe(revision(minimal()));
    expect(revision(edited("platform.yaml", "name: test", "name: tests"))).not.toBe(revision(minimal()));
    expect(revision(minimal().map(({ path, text }) => ({ path: `x/${path}`, text })))).not.toBe(revision(minimal()));
  });

  test("defaults are those that the schema states", () => {
    const { contract } = catalogue({ class: { overrides: undefined } }).classes.get("under-test") ?? {};
    expect(contract).toMatchObject({
      latency: "none",
      demand: {
        shape: "gang",
        replicas: { min: 0 },
        scaleToZero: false,
        holdWhileSuspended: false,
        signals: { forbidden: [] },
      },
      interruption: { spot: "never", minLifetimeMs: 43_200_000, consolidation: false, scaleDown: "any" },
      tenancy: { isolation: "shared", networkPolicy: "none", serviceAccount: "any", limits: {} },
      startup: { costMs: 300_000, readinessProbe: "optional", startupProbe: "optional", warmCapacity: { replicas: 0 } },
      topology: { unit: "podSet", level: "rack", mode: "required", pin: "none" },
      capacity: { types: ["reserved", "on-demand"], maxProvisioningMs: 1_800_000 },
      admission: {
        mode: "enforce",
        whenNever: "deny",
        whenBusy: "warn",
        whenUnknown: "warn",
        whenUndecided: "warn",
        whenScaleUp: "admit",
        rules: {},
      },
    });
  });

  test("a child takes what it does not say from its parent, and lists replace", () => {
    const { classes } = catalogue({
      classes: {
        child: { extends: "gang", accelerator: { classes: ["a100-80gb"] }, startup: { readinessProbe: "required" } },
      },
    });
    const contract = classes.get("child")?.contract;
    expect(contract?.accelerator).toMatchObject({ classes: ["a100-80gb"], perPod: { min: 1, max: 8, default: 8 } });
    expect(contract?.startup).toMatchObject({ costMs: 300_000, readinessProbe: "required" });
    expect(classes.get("child")?.overrides).toEqual(classes.get("gang")?.overrides);
  });

  test("a role is merged over its class", () => {
    const online = catalogue().classes.get("online");
    expect(online?.roles["head"]?.accelerator).toEqual({ kind: "none" });
    expect(online?.roles["head"]?.demand).toEqual(online?.contract.demand);
  });

  test("bounds are normalised", () => {
    expect(catalogue().classes.get("gang")?.overrides).toEqual({
      "accelerator.classes": { kind: "subset" },
      "topology.level": { kind: "oneOf", values: ["rack", "block"] },
      "capacity.maxProvisioning": { kind: "range", max: 3_600_000 },
    });
  });

  test("a class's digest changes with what it means, and with nothing else", () => {
    const digestOf = (spec: Parameters<typeof catalogue>[0]) => catalogue(spec).classes.get("under-test")?.digest;
    const base = digestOf({ class: {} });
    expect(digestOf({ class: { capacity: { maxProvisioning: "1800s" } } })).toBe(base);
    expect(digestOf({ class: { capacity: { maxProvisioning: "31m" } } })).not.toBe(base);
    expect(digestOf({ class: { tenancy: { namespaces: { matchLabels: { tier: "prod" } } } } })).not.toBe(
      digestOf({ class: { tenancy: { namespaces: { matchLabels: { tier: "test" } } } } }),
    );
  });

  test("a kind file adds a kind to the table", () => {
    const { kinds } = catalogue({
      kinds: {
        run: {
          apiVersion: "a.io/v1",
          kind: "Run",
          plural: "runs",
          life: "runOnce",
          templates: [{ role: "worker", path: "spec.template", count: "1" }],
        },
      },
    });
    expect(kinds.find("a.io/v1", "Run")).toMatchObject({
      builtin: false,
      scale: false,
      mutability: { template: "always" },
    });
    expect(kinds.find("batch/v1", "Job")?.builtin).toBe(true);
  });

  test("quantities of a pool are in the scheduler's units", () => {
    const [pool] = catalogue().pools;
    expect(pool?.node.allocatable).toMatchObject({
      cpu: 191_450,
      memory: 1_938_300 * 2 ** 20,
      pods: 110,
      "nvidia.com/gpu": 8,
    });
    expect(pool).toMatchObject({
      startupMs: 480_000,
      node: { mechanism: "device-plugin" },
      zones: ["a"],
      together: [],
    });
  });

  test("names keep their place", () => {
    const { value } = loadCatalogue(minimal());
    expect(value?.positions.get("WorkloadClass/gang")).toEqual({ file: "classes/gang.yaml", line: 3, column: 18 });
  });
});

function placeOf(files: readonly PolicyFile[], path: string, at: string, after?: string) {
  const content = files.findLast((one) => one.path === path)?.text ?? "";
  const start = after === undefined ? 0 : content.indexOf(after) + after.length;
  const before = content.slice(0, content.indexOf(at, start)).split("\n");
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

function text(diagnostics: readonly Diagnostic[]): string {
  return diagnostics
    .map(({ code, message, source }) => `${source?.file}:${source?.line}:${source?.column} ${code} ${message}`)
    .join("\n");
}
