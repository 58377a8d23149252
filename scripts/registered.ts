import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { registration } from "../src/admission/registration.ts";
import { access, type Rule } from "../src/controller/index.ts";
import { arrayAt, type JsonObject, valueAt } from "../src/model/index.ts";
import { loadCatalogue } from "../src/policy/index.ts";
import type { KindTable } from "../src/workloads/index.ts";

const NAMESPACE = "plimsoll-system";

const NAME = "plimsoll";

/** manifests/base/webhooks.yaml: what the API server is told, from the kind table, but for what fails closed: the controller adds that. */
export function webhooksPage(root: string): string {
  const { mutating, validating, policy, binding } = registration(kindsOf(root), {
    name: NAME,
    namespace: NAMESPACE,
    service: "plimsoll",
  });
  const head = [
    GENERATED,
    "# Without caBundle none of them can be called, and all of them fail open. The controller sets it when a replica is ready, and adds the",
    "# webhook that fails closed in enrolled namespaces (docs/adr/0005-webhook-registration.md).",
  ];
  return page(head, [mutating, open(validating), policy, binding]);
}

function open(configuration: JsonObject): JsonObject {
  const webhooks = arrayAt(configuration, ["webhooks"]).filter((one) => valueAt(one, ["failurePolicy"]) === "Ignore");
  return { ...configuration, webhooks };
}

/** manifests/base/rbac.yaml: what `access` declares. */
export function rbacPage(root: string): string {
  const rules = access(kindsOf(root), NAME);
  const role = (kind: string, own: boolean): readonly JsonObject[] => {
    const metadata = { name: NAME, ...(own ? { namespace: NAMESPACE } : {}) };
    const apiVersion = "rbac.authorization.k8s.io/v1";
    return [
      { apiVersion, kind, metadata, rules: merged(rules.filter((one) => (one.own === true) === own)) },
      {
        apiVersion,
        kind: `${kind}Binding`,
        metadata,
        roleRef: { apiGroup: "rbac.authorization.k8s.io", kind, name: NAME },
        subjects: [{ kind: "ServiceAccount", name: NAME, namespace: NAMESPACE }],
      },
    ];
  };
  const head = [
    GENERATED,
    "# Exactly what src/controller/access.ts says is used. Secrets and ConfigMaps are not read.",
  ];
  return page(head, [...role("ClusterRole", false), ...role("Role", true)]);
}

/** One rule for each API group, set of verbs and set of names. */
function merged(rules: readonly Rule[]): readonly JsonObject[] {
  const verbs = new Map<string, Set<string>>();
  for (const { group, resources, verbs: more, names = [] } of rules)
    for (const resource of resources) {
      const key = JSON.stringify([group, resource, names]);
      verbs.set(key, new Set([...(verbs.get(key) ?? []), ...more]));
    }
  const byVerbs = new Map<string, string[]>();
  for (const [key, set] of verbs) {
    const [group, resource, names] = JSON.parse(key) as [string, string, string[]];
    const id = JSON.stringify([group, [...set].sort(), names]);
    byVerbs.set(id, [...(byVerbs.get(id) ?? []), resource]);
  }
  return [...byVerbs]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([id, resources]) => {
      const [group, all, names] = JSON.parse(id) as [string, string[], string[]];
      const named = names.length === 0 ? {} : { resourceNames: names };
      return { apiGroups: [group], resources: resources.sort(), ...named, verbs: all };
    });
}

const GENERATED = "# Generated from the kind table and policies/kinds by `npm run generate`. Do not edit.";

function page(head: readonly string[], objects: readonly JsonObject[]): string {
  const texts = objects.map((one) => stringify(one, { lineWidth: 0, aliasDuplicateObjects: false }));
  return `${head.join("\n")}\n${texts.join("---\n")}`;
}

/** policies/kustomization.yaml: the catalogue as a ConfigMap, one key a file. Keys have no slash, so folders become a prefix. */
export function policiesPage(root: string): string {
  const files = policyPaths(join(root, "policies"));
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    namespace: NAMESPACE,
    // The server watches the mounted files: a new name would restart it for nothing.
    generatorOptions: { disableNameSuffixHash: true },
    configMapGenerator: [
      {
        name: "plimsoll-policies",
        files: files.map((path) => (path.includes("/") ? `${path.replaceAll("/", ".")}=${path}` : path)),
      },
    ],
  };
  return `# Generated from the files of this folder by \`npm run generate\`. Do not edit.\n${stringify(kustomization, { lineWidth: 0 })}`;
}

/** The kinds that the shipped catalogue knows: the table's, and those of policies/kinds. */
function kindsOf(root: string): KindTable {
  const folder = join(root, "policies");
  const { value, diagnostics } = loadCatalogue(
    policyPaths(folder).map((path) => ({ path, text: readFileSync(join(folder, path), "utf8") })),
  );
  if (value === undefined) throw new Error(diagnostics.map(({ message }) => message).join("\n"));
  return value.kinds;
}

function policyPaths(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".yaml") && !path.startsWith("schema") && path !== "kustomization.yaml")
    .sort();
}
