import type { Severity } from "../../model/index.ts";
import { rules } from "./table.ts";
import type { Declaration } from "./types.ts";

export interface RuleRow {
  readonly id: string;
  readonly declaration: Declaration;
  readonly severity: Severity;
  readonly title: string;
  readonly remedy: string;
  readonly link: string;
}

/** The table of rules without their conditions, by id. */
export const ruleRows = (): readonly RuleRow[] =>
  rules.map(({ id, declaration, severity, title, remedy, link }) => ({
    id,
    declaration,
    severity,
    title,
    remedy,
    link,
  }));

const DECLARATIONS: readonly Declaration[] = [
  "latency",
  "demand",
  "state",
  "interruption",
  "accelerator",
  "tenancy",
  "startup",
];

/** docs/rules.md. */
export function rulesDocument(): string {
  const lines = [
    "# Rules",
    "",
    "Generated from `src/policy/rules` by `npm run generate`. Do not edit.",
    "",
    `The contract of a class is checked on the workload itself by ${rules.length} rules, each of which guards one of the seven declarations.`,
    "An `error` is refused where the class's mode is `enforce`; a `warning` or an `info` is only said. A class changes a severity by id:",
    "",
    "```yaml",
    "admission:",
    "  rules: {DR02: warn, AS20: off}     # deny | warn | info | off",
    "```",
    "",
    "A rule is silent about what the class supplies when the manifest leaves it out, and speaks where the manifest says the contrary.",
    "A rule that needs an object which was not read is listed as skipped, with the reason.",
  ];
  for (const declaration of DECLARATIONS) {
    lines.push(
      "",
      `## ${declaration}`,
      "",
      "| id | severity | the workload | what to do | why |",
      "|---|---|---|---|---|",
    );
    for (const row of ruleRows()) {
      if (row.declaration !== declaration) continue;
      const cells = [row.id, row.severity, row.title, row.remedy, `[source](${row.link})`].map((cell) =>
        cell.replaceAll("|", "\\|"),
      );
      lines.push(`| ${cells.join(" | ")} |`);
    }
  }
  return `${lines.join("\n")}\n`;
}
