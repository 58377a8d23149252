import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parse } from "yaml";
import { isObject, type Json, type JsonObject } from "../../src/model/index.ts";
import { type Catalogue, loadCatalogue, type PolicyFile } from "../../src/policy/index.ts";

const MINIMAL = join(import.meta.dirname, "../fixtures/policies-min");

/** Parts of specs, merged over the documents of test/fixtures/policies-min. A name that is not there makes a new document; null removes one. */
export interface CatalogueParts {
  /** Merged over the spec of class `gang` and called `under-test`. */
  readonly class?: JsonObject;
  readonly classes?: Readonly<Record<string, JsonObject | null>>;
  readonly accelerators?: Readonly<Record<string, JsonObject | null>>;
  readonly pools?: Readonly<Record<string, JsonObject | null>>;
  readonly layouts?: Readonly<Record<string, JsonObject | null>>;
  readonly kinds?: Readonly<Record<string, JsonObject>>;
  readonly platform?: JsonObject;
}

/** The files of a policy folder below the repository, as the loader takes them. */
export function policyFiles(folder: string): PolicyFile[] {
  const root = join(import.meta.dirname, "../..", folder);
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".yaml"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ path: relative(root, path), text: readFileSync(path, "utf8") }));
}

/** The catalogue of a policy folder of the repository: the shipped one by default. Throws where it has errors. */
export function loadedCatalogue(folder = "policies"): Catalogue {
  return loadedOrThrow(loadCatalogue(policyFiles(folder)));
}

/**
 * A small catalogue: classes gang, online and elastic, accelerators h100 and a100-80gb, pool p5, layout racks (zone, block, rack, host) and a Karpenter
 * platform, with `parts` merged over. Throws where the result has errors.
 */
export function catalogue(parts: CatalogueParts = {}): Catalogue {
  return loadedOrThrow(loadCatalogue(catalogueFiles(parts)));
}

/** The files from which `catalogue` loads, one JSON document each. */
export function catalogueFiles(parts: CatalogueParts = {}): PolicyFile[] {
  const documents = new Map<string, JsonObject>();
  for (const { text } of policyFiles(relative(join(import.meta.dirname, "../.."), MINIMAL))) {
    const document: JsonObject = parse(text);
    documents.set(keyOf(document), document);
  }
  const put = (kind: string, name: string, spec: JsonObject | null, base?: Json) => {
    const key = `${kind}/${name}`;
    if (spec === null) documents.delete(key);
    else documents.set(key, documentOf(kind, name, merge(base ?? documents.get(key)?.["spec"], spec)));
  };
  const gang = documents.get("WorkloadClass/gang")?.["spec"];
  if (parts.class !== undefined) put("WorkloadClass", "under-test", parts.class, gang);
  for (const [name, spec] of Object.entries(parts.accelerators ?? {})) put("AcceleratorClass", name, spec);
  for (const [name, spec] of Object.entries(parts.pools ?? {})) put("CapacityPool", name, spec);
  for (const [name, spec] of Object.entries(parts.layouts ?? {})) put("TopologyLayout", name, spec);
  for (const [name, spec] of Object.entries(parts.classes ?? {})) put("WorkloadClass", name, spec);
  for (const [name, spec] of Object.entries(parts.kinds ?? {})) put("WorkloadKind", name, spec);
  if (parts.platform !== undefined) put("Platform", "test", parts.platform);
  return [...documents].map(([key, document]) => ({ path: `${key}.yaml`, text: JSON.stringify(document, null, 2) }));
}

/** Objects merge field by field; everything else replaces; undefined removes a field. */
function merge(base: Json | undefined, over: Json | undefined): Json {
  if (!isObject(base) || !isObject(over)) return over ?? null;
  const result: Record<string, Json | undefined> = { ...base };
  for (const [key, value] of Object.entries(over)) {
    if (value === undefined) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result;
}

const documentOf = (kind: string, name: string, spec: Json): JsonObject => ({
  apiVersion: "plimsoll.dev/v1alpha1",
  kind,
  metadata: { name },
  spec,
});

function keyOf(document: JsonObject): string {
  const metadata = document["metadata"];
  return `${String(document["kind"])}/${isObject(metadata) ? String(metadata["name"]) : ""}`;
}

function loadedOrThrow({ value, diagnostics }: ReturnType<typeof loadCatalogue>): Catalogue {
  if (value !== undefined) return value;
  const lines = diagnostics.map(
    ({ severity, code, message, source }) => `${source?.file}:${source?.line} ${severity} ${code} ${message}`,
  );
  throw new Error(`The catalogue has errors:\n${lines.join("\n")}`);
}
