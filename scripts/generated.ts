import { join } from "node:path";
import { ADMISSION_CODES } from "../src/admission/index.ts";
import { CLI_CODES } from "../src/cli/index.ts";
import { fieldTable, POLICY_CODES, rulesDocument, schemaFiles } from "../src/policy/index.ts";
import { createMetrics } from "../src/server/index.ts";
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
    { path: "docs/metrics.md", text: metricsPage() },
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

function metricsPage(): string {
  const lines = [
    "# Metrics",
    "",
    "Generated from the server's registry by `npm run generate`. Do not edit. They are served on the probe port under `/metrics`.",
    "",
    "A rise of `plimsoll_check_failures_total` or of `plimsoll_review_faults_total` is a fault of Plimsoll: page on it, and report what the log says at level",
    "error. No answer rests on an assignment that failed its check: its rung is `undecided`, and the ladder goes on without it.",
    "",
    "| metric | type | labels | meaning |",
    "|---|---|---|---|",
  ];
  const registered = createMetrics(() => 0).registry.getMetricsAsArray() as unknown as readonly Registered[];
  for (const { name, type, help, labelNames } of registered)
    lines.push(`| \`${name}\` | ${type} | ${labelNames.map((one) => `\`${one}\``).join(", ")} | ${help} |`);
  return `${lines.join("\n")}\n`;
}

/** prom-client keeps the labels of a metric without a type for them. */
interface Registered {
  readonly name: string;
  readonly help: string;
  readonly type: string;
  readonly labelNames: readonly string[];
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
