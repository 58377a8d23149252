import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../../src/model/index.ts";
import { type Catalogue, loadCatalogue, type PolicyFile } from "../../../src/policy/index.ts";
import { findShape, generateCluster } from "../../../src/topology/index.ts";
import { catalogueFiles, classFile } from "../world.ts";
import type { Scenario } from "./format.ts";
import { merged } from "./merge.ts";

/** The policy files of a scenario: shipped accelerators and layouts, its classes, pools and platform. */
export function policyFilesOf(scenario: Scenario): readonly PolicyFile[] {
  const { layout, pools = {}, accelerators = {}, classes = {}, platform = {} } = scenario;
  const own =
    typeof scenario.class === "string" ? shippedClass(scenario.class) : ownClass(scenario.className, scenario.class);
  const shown = typeof layout === "object" ? "own" : layout;
  const files = catalogueFiles({
    classes: [own, ...Object.entries(classes).map(([name, fields]) => ownClass(name, fields))],
    platform: { ...platform, ...(shown === undefined ? {} : { layout: shown }) } as Readonly<Record<string, Json>>,
    pools: Object.entries(pools).map(([name, fields]) =>
      document("pools", "CapacityPool", name, poolSpec(name, fields)),
    ),
  });
  const added = [
    ...(typeof layout === "object" ? [document("layouts", "TopologyLayout", "own", layoutSpec(layout))] : []),
    ...Object.entries(accelerators).map(([name, fields]) =>
      document("accelerators", "AcceleratorClass", name, merged(specOf(files, `accelerators/${name}.yaml`), fields)),
    ),
  ];
  const replaced = new Set(added.map(({ path }) => path));
  const kept = [...files.filter(({ path }) => !replaced.has(path)), ...added];
  // Accelerators that nothing names cost a good part of the loading, and change nothing.
  const told = kept.filter(({ path }) => !path.startsWith("accelerators/")).map(({ text }) => text);
  return kept.filter(({ path }) => {
    const name = /^accelerators\/(.+)\.yaml$/.exec(path)?.[1];
    return (
      name === undefined ||
      replaced.has(`accelerators/${name}.yaml`) ||
      told.some((text) => new RegExp(`(^|[^\\w.-])${name}([^\\w.-]|$)`).test(text))
    );
  });
}

const loaded = new Map<string, Catalogue>();

/** Throws where the catalogue does not load. */
export function catalogueOf(scenario: Scenario): Catalogue {
  const files = policyFilesOf(scenario);
  const key = JSON.stringify(files);
  const known = loaded.get(key);
  if (known !== undefined) return known;
  const { value, diagnostics } = loadCatalogue(files);
  if (value === undefined)
    throw new Error(
      diagnostics
        .map(({ source, code, message }) => `${scenario.where} ${source?.file}: ${code} ${message}`)
        .join("\n"),
    );
  loaded.set(key, value);
  return value;
}

function shippedClass(name: string): PolicyFile {
  const path = `classes/${name}.yaml`;
  return { path, text: readFileSync(new URL(`../../../policies/${path}`, import.meta.url), "utf8") };
}

/** Over the minimal class with one accelerator and one capacity type, so that a scenario says where it wants more. */
function ownClass(name: string, fields: JsonObject): PolicyFile {
  const minimal: JsonObject = JSON.parse(classFile(name).text);
  const one = { accelerator: { classes: ["h100"] }, capacity: { types: ["on-demand"] } };
  return document("classes", "WorkloadClass", name, merged(merged(minimal["spec"], one), fields));
}

/** `shape` gives accelerator, node and members; every other field is the pool's own. */
function poolSpec(name: string, { shape, ...fields }: JsonObject): Json {
  const machine = typeof shape === "string" ? findShape(shape) : undefined;
  if (machine === undefined) return fields;
  const dra = isObject(fields["node"]) && fields["node"]["mechanism"] === "dra";
  const capacityType = (fields["capacityType"] ?? "on-demand") as "on-demand";
  const node = generateCluster({
    shape: machine.name,
    nodes: 1,
    capacityType,
    nodePool: name,
    layout: "plain",
    ...(dra ? { mechanism: "dra" } : {}),
  }).find(({ kind }) => kind === "Node");
  const { metadata, spec, status } = node as { metadata: { labels: JsonObject }; spec: JsonObject; status: JsonObject };
  const known = Object.entries(metadata.labels).filter(([key]) => !ON_THE_NODE.test(key));
  const base = {
    ...(machine.accelerator === undefined
      ? {}
      : { accelerator: machine.accelerator.model.name, acceleratorsPerNode: machine.accelerator.count }),
    capacityType,
    node: {
      allocatable: status["allocatable"] ?? {},
      labels: Object.fromEntries(known),
      taints: spec["taints"] ?? [],
      mechanism: machine.accelerator === undefined ? "none" : "device-plugin",
    },
    zones: ["zone-1"],
    members: { matchLabels: { "karpenter.sh/nodepool": name } },
    startup: "5m",
  };
  return merged(base, fields);
}

/** Labels that a node has only once it runs, or that say where it stands. */
const ON_THE_NODE = /^(kubernetes\.io\/hostname|topology\.|nvidia\.com\/|amd\.com\/)/;

function layoutSpec(levels: Readonly<Record<string, string>>): JsonObject {
  const list = Object.entries(levels).map(([name, key]) => ({ name, key }));
  return { description: "Levels of the scenario.", levels: list };
}

function specOf(files: readonly PolicyFile[], path: string): Json | undefined {
  const text = files.find((one) => one.path === path)?.text;
  return text === undefined ? undefined : ((parse(text) as JsonObject)["spec"] ?? null);
}

function document(folder: string, kind: string, name: string, spec: Json): PolicyFile {
  const text = JSON.stringify({ apiVersion: "plimsoll.dev/v1alpha1", kind, metadata: { name }, spec });
  return { path: `${folder}/${name}.yaml`, text };
}
