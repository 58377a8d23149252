import { join } from "node:path";
import { fieldTable, rulesDocument, schemaFiles } from "../src/policy/index.ts";
import { policiesPage, webhooksPage } from "./registered.ts";
import { compiledValidators } from "./validators.ts";

/** Every generated file of the repository, as it must stand. Paths are relative to the repository. */
export function generatedFiles(): readonly { readonly path: string; readonly text: string }[] {
  return [
    ...schemaFiles().map(({ name, schema }) => ({
      path: `policies/schema/${name}`,
      text: `${JSON.stringify(schema, null, 2)}\n`,
    })),
    { path: "src/policy/schema/validators.js", text: compiledValidators() },
    { path: "docs/fields.md", text: fieldsPage() },
    { path: "manifests/base/webhooks.yaml", text: webhooksPage() },
    { path: "policies/kustomization.yaml", text: policiesPage(join(import.meta.dirname, "..")) },
    { path: "docs/rules.md", text: rulesDocument() },
  ];
}

function fieldsPage(): string {
  const lines = [
    "# What each field does",
    "",
    "Generated from the schemas by `npm run generate`. A field has one of four effects: **emit** becomes part of the workload or its companions,",
    "**rule** is checked on the workload, **solve** shapes the search for capacity, **report** is shown to people.",
  ];
  let kind = "";
  for (const row of fieldTable()) {
    if (row.kind !== kind) {
      kind = row.kind;
      lines.push("", `## ${kind}`, "", "| field of `spec` | effect | meaning |", "|---|---|---|");
    }
    lines.push(`| \`${row.field}\` | ${row.effect} | ${row.text.replaceAll("|", "\\|")} |`);
  }
  return `${lines.join("\n")}\n`;
}
