import { ruleRows, rulesDocument } from "../../policy/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { styleFor, table } from "../render/style.ts";

export interface RulesFlags {
  readonly declaration?: string;
  readonly format: "text" | "json" | "markdown";
}

export async function rulesCommand(flags: RulesFlags, io: Io): Promise<number> {
  const all = ruleRows();
  const declarations = [...new Set(all.map(({ declaration }) => declaration as string))].sort();
  if (flags.declaration !== undefined && !declarations.includes(flags.declaration)) {
    throw new UsageFault(`--declaration ${flags.declaration}: expected one of ${declarations.join(", ")}`);
  }
  if (flags.format === "markdown") {
    if (flags.declaration !== undefined)
      throw new UsageFault("--declaration goes with --format text or json; the markdown document is whole");
    io.out(rulesDocument());
    return EXIT.ok;
  }
  const rows = all.filter(({ declaration }) => flags.declaration === undefined || declaration === flags.declaration);
  if (flags.format === "json") io.out(`${JSON.stringify(rows, null, 2)}\n`);
  else {
    const style = styleFor(io.colour);
    const [head = "", ...lines] = table([
      ["ID", "DECLARATION", "SEVERITY", "WHAT IT CHECKS"],
      ...rows.map((row) => [row.id, row.declaration, row.severity, row.title]),
    ]).split("\n");
    io.out(`${[style("bold", head), ...lines].join("\n")}\n`);
  }
  return EXIT.ok;
}
