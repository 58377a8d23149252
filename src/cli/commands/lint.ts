import { loadPolicies } from "../../load.ts";
import { EXIT, type Io } from "../io.ts";
import { writeResult } from "../output.ts";
import { countText, diagnosticJson, diagnosticText } from "../render/diagnostics.ts";
import { styleFor } from "../render/style.ts";

export interface LintFlags {
  readonly platform?: string;
  readonly format: "text" | "json";
  readonly failOn: "error" | "warning";
  readonly output?: string;
}

/** Exit 2 where the catalogue does not load (it could not serve), 1 where a warning is to fail, else 0. */
export async function lintCommand(folder: string, flags: LintFlags, io: Io): Promise<number> {
  const { value, diagnostics } = await loadPolicies(folder, flags.platform);
  const style = styleFor(io.colour && flags.output === undefined);
  if (flags.format === "json") {
    await writeResult(
      `${JSON.stringify({ loads: value !== undefined, revision: value?.revision ?? null, findings: diagnostics.map(diagnosticJson) }, null, 2)}\n`,
      flags.output,
      io,
    );
  } else {
    const parts =
      value === undefined
        ? "the catalogue does not load"
        : `${value.classes.size} classes, ${value.accelerators.size} accelerators, ${value.pools.length} pools, ${value.layouts.size} layouts`;
    await writeResult(
      `${diagnostics.map((one) => `${diagnosticText(one, style)}\n`).join("")}${folder}: ${parts}; ${countText(diagnostics)}.\n`,
      flags.output,
      io,
    );
  }
  if (value === undefined) return EXIT.usage;
  return flags.failOn === "warning" && diagnostics.some(({ severity }) => severity !== "info") ? EXIT.refused : EXIT.ok;
}
