import { describe, expect, test } from "vitest";
import { isObject } from "../../src/model/index.ts";
import { loadCatalogue } from "../../src/policy/index.ts";
import { examples, objectsIn, policyFiles, shippedCatalogue } from "./shipped.ts";

const CLASSES = [
  "api-agent",
  "batch-inference",
  "disaggregated-inference",
  "fine-tuning",
  "interactive-inference",
  "long-running-agent",
  "notebook",
  "stateful-retrieval",
  "streaming",
  "training-gang",
  "training-single",
];
const ACCELERATORS = [
  "a100-40gb",
  "a100-80gb",
  "a100-80gb-mig-1g10gb",
  "b200",
  "gb200",
  "h100",
  "h100-mig-1g10gb",
  "h200",
  "l4",
  "l40s",
  "mi300x",
  "t4",
];

describe("the shipped catalogue", () => {
  const files = policyFiles;

  test("loads without a single finding", () => {
    const { value, diagnostics } = loadCatalogue(files);
    expect(diagnostics).toEqual([]);
    expect(value).toBeDefined();
  });

  test("has every class, accelerator and layout that the documentation lists", () => {
    const catalogue = shippedCatalogue();
    expect([...catalogue.classes.keys()].sort()).toEqual(CLASSES);
    expect([...catalogue.accelerators.keys()].sort()).toEqual(ACCELERATORS);
    expect([...catalogue.layouts.keys()].sort()).toEqual(["eks", "gke", "plain", "topograph"]);
  });

  test.each(files)("$path starts with its schema for the editor, and is named as its file", ({ path, text }) => {
    const [document] = objectsIn(text);
    const kind = String(document?.["kind"]);
    const up = path.includes("/") ? "../" : "";
    expect(text.split("\n")[0]).toBe(`# yaml-language-server: $schema=${up}schema/${kind}.json`);
    const metadata = document?.["metadata"];
    const name = isObject(metadata) ? metadata["name"] : undefined;
    if (kind !== "Platform") expect(path.endsWith(`/${String(name)}.yaml`)).toBe(true);
  });

  test("says how each layout's levels are called in the same words", () => {
    const names = [...shippedCatalogue().layouts.values()].map(({ levels }) => levels.map(({ name }) => name));
    for (const levels of names) {
      expect(["zone", "block", "rack", "nvlink", "host"].filter((name) => levels.includes(name))).toEqual(levels);
    }
  });

  const platform = files.find(({ path }) => path === "platform.yaml")?.text ?? "";
  const loadedOn = (layout: string) =>
    loadCatalogue(files, {
      platform: { path: "platform.yaml", text: platform.replace("layout: eks", `layout: ${layout}`) },
    });

  test.each(["gke", "topograph"])("loads on layout %s as it stands", (layout) => {
    expect(loadedOn(layout).value?.layout.name).toBe(layout);
    expect(loadedOn(layout).diagnostics).toEqual([]);
  });

  test("is told on layout plain which classes and pools name a block or a rack, and of nothing else", () => {
    const { diagnostics } = loadedOn("plain");
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(["UnknownLevel"]));
    expect(
      [...new Set(diagnostics.map(({ source }) => source?.file ?? ""))]
        .filter((file) => file.startsWith("classes/"))
        .sort(),
    ).toEqual(
      ["disaggregated-inference", "fine-tuning", "interactive-inference", "training-gang"].map(
        (name) => `classes/${name}.yaml`,
      ),
    );
  });

  test("has no pool whose nodes its own accelerator class would not recognise", () => {
    const { pools, accelerators } = shippedCatalogue();
    for (const pool of pools) {
      if (pool.accelerator === undefined) continue;
      const accelerator = accelerators.get(pool.accelerator);
      const known = accelerator?.labels.filter(({ beforeNode }) => beforeNode) ?? [];
      expect(
        known.some(({ key, values }) => values.includes(pool.node.labels[key] ?? "")),
        pool.name,
      ).toBe(true);
      // Devices that a driver publishes are counted under no name.
      const counted = pool.node.mechanism === "device-plugin" ? pool.acceleratorsPerNode : undefined;
      expect(pool.node.allocatable[accelerator?.resourceName ?? ""], pool.name).toBe(counted);
    }
  });

  test("offers a capacity type in a class only where some pool of its accelerators has it", () => {
    const { classes, pools } = shippedCatalogue();
    for (const one of classes.values()) {
      const need = one.contract.accelerator;
      if (need.kind !== "classes") continue;
      for (const type of one.contract.capacity.types) {
        const offered = pools.filter(
          (pool) => need.classes.includes(pool.accelerator ?? "") && pool.capacityType === type,
        );
        expect(offered.length, `${one.name} on ${type}`).toBeGreaterThan(0);
      }
    }
  });

  test("is used by the examples, class by class", () => {
    const used = new Set<string>();
    for (const { text } of examples())
      for (const match of text.matchAll(/workload-class: ([a-z0-9-]+)/g)) used.add(match[1] ?? "");
    expect([...used].sort()).toEqual(CLASSES);
  });
});
