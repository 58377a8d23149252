import { join } from "node:path";
import { ADMISSION_CODES } from "../src/admission/index.ts";
import { CLI_CODES } from "../src/cli/index.ts";
import { fieldTable, POLICY_CODES, rulesDocument, schemaFiles } from "../src/policy/index.ts";
import { TRANSLATE_CODES } from "../src/translate/index.ts";
import { policiesPage, rbacPage, webhooksPage } from "./registered.ts";
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
    { path: "docs/codes.md", text: codesPage() },
    { path: "manifests/base/webhooks.yaml", text: webhooksPage(join(import.meta.dirname, "..")) },
    { path: "manifests/base/rbac.yaml", text: rbacPage(join(import.meta.dirname, "..")) },
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

/** One list of what a finding's code means, wherever it comes from. */
function codesPage(): string {
  const policy = Object.entries(POLICY_CODES).map(([code, { meaning }]) => [code, meaning] as const);
  const sections: readonly (readonly [string, readonly (readonly [string, string])[]])[] = [
    ["Policy files, classes and intents", policy],
    ["Admission and capacity", Object.entries(ADMISSION_CODES)],
    ["Expansion", Object.entries(TRANSLATE_CODES)],
    ["Command line", Object.entries(CLI_CODES)],
  ];
  const lines = [
    "# Codes of findings",
    "",
    "Generated from the tables of codes by `npm run generate`. Do not edit. Codes of the form `AB12` are rules: see [rules.md](rules.md).",
  ];
  for (const [name, rows] of sections) {
    lines.push("", `## ${name}`, "", "| code | means |", "|---|---|");
    for (const [code, meaning] of [...rows].sort(([a], [b]) => (a < b ? -1 : 1)))
      lines.push(`| \`${code}\` | ${meaning.replace(/^./, (first) => first.toUpperCase()).replace(/\.?$/, ".")} |`);
  }
  return `${lines.join("\n")}\n`;
}
