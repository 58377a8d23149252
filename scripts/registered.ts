import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { stringify } from "yaml";
import { registration } from "../src/admission/registration.ts";
import { loadCatalogue } from "../src/policy/index.ts";
import type { KindTable } from "../src/workloads/index.ts";

const NAMESPACE = "plimsoll-system";

/** manifests/base/webhooks.yaml: what the API server is told, from the kind table. */
export function webhooksPage(root: string): string {
  const { mutating, validating, policy, binding } = registration(kindsOf(root), {
    name: "plimsoll",
    namespace: NAMESPACE,
    service: "plimsoll",
  });
  const head =
    "# Generated from the kind table and policies/kinds by `npm run generate`. Do not edit.\n# caBundle is not here: `plimsoll certs issue --secret` prints it, and an overlay or the controller sets it.\n";
  return (
    head +
    [mutating, validating, policy, binding]
      .map((one) => stringify(one, { lineWidth: 0, aliasDuplicateObjects: false }))
      .join("---\n")
  );
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
