import { ruleRows, rulesDocument } from "../../policy/index.ts";
import { EXIT, type Io, UsageFault } from "../io.ts";
import { writeResult } from "../output.ts";
import { styleFor, table } from "../render/style.ts";

export interface RulesFlags {
  readonly declaration?: string;
  readonly format: "text" | "json" | "markdown";
  readonly output?: string;
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
    await writeResult(rulesDocument(), flags.output, io);
    return EXIT.ok;
  }
  const rows = all.filter(({ declaration }) => flags.declaration === undefined || declaration === flags.declaration);
  const style = styleFor(io.colour && flags.output === undefined);
  const [head = "", ...lines] = table([
    ["ID", "DECLARATION", "SEVERITY", "WHAT IT CHECKS"],
    ...rows.map((row) => [row.id, row.declaration, row.severity, row.title]),
  ]).split("\n");
  const text = flags.format === "json" ? JSON.stringify(rows, null, 2) : [style("bold", head), ...lines].join("\n");
  await writeResult(`${text}\n`, flags.output, io);
  return EXIT.ok;
}
