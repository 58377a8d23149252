import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { parse, parseAllDocuments, stringify } from "yaml";
import {
  arrayAt,
  type ClusterFacts,
  canonicalJson,
  isObject,
  type JsonObject,
  type NamespaceFacts,
  objectAt,
  stringAt,
  stringMapAt,
} from "../../../src/model/index.ts";
import {
  type Catalogue,
  loadCatalogue,
  type PolicyFile,
  type RuleInput,
  resolveIntents,
} from "../../../src/policy/index.ts";
import { readWorkload } from "../../../src/workloads/index.ts";

const FOLDER = "test/fixtures/rules";

/** Names of the rules that have a folder of fixtures. */
export const fixtureNames = (): readonly string[] =>
  readdirSync(FOLDER)
    .filter((name) => name !== "catalogue" && statSync(join(FOLDER, name)).isDirectory())
    .sort();

/**
 * One fixture as a rule sees it: the first document is the workload, the others are what the cluster knows (Namespace,
 * ResourceClaimTemplate). A `class.yaml` beside it is merged over the class that the workload names (`spec`) and over the platform.
 */
export function readFixture(id: string, name: "fires" | "silent"): RuleInput {
  const documents = parseAllDocuments(readFileSync(join(FOLDER, id, `${name}.yaml`), "utf8")).map(
    (one) => one.toJS() as JsonObject,
  );
  const [workloadJson, ...objects] = documents;
  if (workloadJson === undefined) throw new Error(`${id}/${name}.yaml is empty`);
  return ruleInput(workloadJson, objects, overrides(id));
}

/** The same for a workload that a test writes down itself. */
export function ruleInput(
  workloadJson: JsonObject,
  objects: readonly JsonObject[] = [],
  changed: JsonObject = {},
): RuleInput {
  const className = stringAt(workloadJson, ["metadata", "annotations", "plimsoll.dev/workload-class"]);
  const catalogue = catalogueWith(className ?? "", changed);
  const workload = readWorkload(workloadJson, catalogue.kinds);
  if (workload === undefined) throw new Error(`${String(workloadJson["kind"])} is not in the kind table`);
  const facts = factsOf(objects);
  const namespaceLabels = facts.namespace(workload.key.namespace)?.labels;
  const { intents, diagnostics } = resolveIntents(workload, catalogue, {
    ...(namespaceLabels === undefined ? {} : { namespaceLabels }),
    creating: true,
  });
  if (intents.size === 0) throw new Error(`no class: ${diagnostics.map((one) => one.message).join("\n")}`);
  return { workload, intents, catalogue, facts };
}

const catalogues = new Map<string, Catalogue>();

/** Loaded once for each class and change. */
function catalogueWith(className: string, changed: JsonObject): Catalogue {
  const key = canonicalJson({ className, changed });
  const present = catalogues.get(key);
  if (present !== undefined) return present;
  const { value, diagnostics } = loadCatalogue(policyFiles(className, changed));
  if (value === undefined) throw new Error(diagnostics.map((one) => one.message).join("\n"));
  catalogues.set(key, value);
  return value;
}

function overrides(id: string): JsonObject {
  try {
    return parse(readFileSync(join(FOLDER, id, "class.yaml"), "utf8")) as JsonObject;
  } catch (fault) {
    if (fault instanceof Error && "code" in fault && fault.code === "ENOENT") return {};
    throw fault;
  }
}

function policyFiles(className: string, changed: JsonObject): readonly PolicyFile[] {
  const root = join(FOLDER, "catalogue");
  const files = readdirSync(root, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  return files.map((name) => {
    const text = readFileSync(join(root, name), "utf8");
    const json = parse(text) as JsonObject;
    const kind = stringAt(json, ["kind"]);
    const over =
      kind === "Platform"
        ? changed["platform"]
        : stringAt(json, ["metadata", "name"]) === className
          ? changed["spec"]
          : undefined;
    const path = relative(root, join(root, name));
    return over === undefined ? { path, text } : { path, text: stringify(merge(json, { spec: over })) };
  });
}

function merge(base: unknown, over: unknown): unknown {
  if (!isObject(base) || !isObject(over)) return over;
  const keys = new Set([...Object.keys(base), ...Object.keys(over)]);
  return Object.fromEntries([...keys].map((key) => [key, key in over ? merge(base[key], over[key]) : base[key]]));
}

function factsOf(objects: readonly JsonObject[]): ClusterFacts {
  const named = (kind: string, name: string, namespace?: string): JsonObject | undefined =>
    objects.find(
      (one) =>
        one["kind"] === kind &&
        stringAt(one, ["metadata", "name"]) === name &&
        (namespace === undefined || stringAt(one, ["metadata", "namespace"]) === namespace),
    );
  const namespace = (name: string): NamespaceFacts | undefined => {
    const found = named("Namespace", name);
    if (found === undefined) return undefined;
    return { name, labels: stringMapAt(found, ["metadata", "labels"]), containerLimits: [], quotas: [] };
  };
  const devices = (found: JsonObject | undefined, path: readonly string[]) =>
    found === undefined || arrayAt(found, [...path, "requests"]).length === 0 ? undefined : objectAt(found, path);
  return {
    namespace,
    runtimeClass: () => undefined,
    priorityClass: () => undefined,
    defaultPriorityClass: () => undefined,
    claimTemplate: (space, name) => devices(named("ResourceClaimTemplate", name, space), ["spec", "spec", "devices"]),
    claim: (space, name) => devices(named("ResourceClaim", name, space), ["spec", "devices"]),
    deviceClass: () => undefined,
    known: new Set(objects.map((one) => String(one["kind"]))),
  };
}
