import { readInputs } from "../../files.ts";
import type { Topology } from "../../topology/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io } from "../io.ts";
import { type Judged, judgeManifest, workloadName } from "../judged.ts";
import { readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { diagnosticJson, diagnosticText } from "../render/diagnostics.ts";
import { answerText, demandLines } from "../render/explain.ts";
import { type Style, styleFor, wrap } from "../render/style.ts";

export interface ExplainFlags extends ContextFlags {
  readonly format: "text" | "json";
  readonly output?: string;
}

/** Exit 1 where something would be refused or cannot be read, 0 otherwise. */
export async function explainCommand(files: readonly string[], flags: ExplainFlags, io: Io): Promise<number> {
  const { manifests, diagnostics } = readManifests(await readInputs(files, io.readStandardInput));
  const { context, notes } = await loadContext(flags, io, manifests);
  for (const note of [...notes, ...diagnostics]) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const style = styleFor(io.colour && flags.output === undefined);
  const judged = manifests.flatMap((manifest) => judgeManifest(manifest, context, true) ?? []);
  const text =
    flags.format === "json"
      ? `${JSON.stringify(judged.map(asJson), null, 2)}\n`
      : judged.map((one) => asText(one, context.topology, style)).join("\n");
  await writeResult(text, flags.output, io);
  if (judged.length === 0)
    io.err(`${files.join(", ")}: no object names a workload class (annotation plimsoll.dev/workload-class)\n`);
  return diagnostics.length > 0 || judged.some(({ refused }) => refused) ? EXIT.refused : EXIT.ok;
}

const WIDTH = 120;
const isTold = (code: string): boolean => code.startsWith("Capacity") || code === "FallbackFits";

function asText(
  { manifest, judgement, findings, refused }: Judged,
  topology: Topology | undefined,
  style: Style,
): string {
  const { workload, intents, answer, demand } = judgement;
  const lines = [`${style("bold", workloadName(workload))}  ${style("dim", manifest.file)}`];
  if (demand !== undefined) lines.push(...demandLines(demand, intents).map((line) => `  ${wrap(line, WIDTH, "    ")}`));
  if (answer !== undefined && answer.ladder.length > 0) lines.push("", answerText(answer, topology, style));
  // What the ladder above tells with its reasons is not told again.
  const shown = findings.filter(
    ({ code, severity }) => severity === "error" || (severity === "warning" && !isTold(code)),
  );
  if (shown.length > 0)
    lines.push("", "Findings:", ...shown.map((one) => `  - ${wrap(diagnosticText(one, style), WIDTH, "    ")}`));
  lines.push("", refused ? style("red", "It would be refused.") : style("green", "It would be admitted."), "");
  return lines.join("\n");
}

function asJson({ manifest, judgement, findings, refused }: Judged) {
  const { workload, answer, decision } = judgement;
  return {
    file: manifest.file,
    workload: workload.key,
    answer: answer ?? null,
    decision: decision ?? null,
    findings: findings.map(diagnosticJson),
    refused,
  };
}
