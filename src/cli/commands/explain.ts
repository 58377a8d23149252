import { judge } from "../../admission/index.ts";
import { readInputs } from "../../files.ts";
import type { Topology } from "../../topology/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io } from "../io.ts";
import { readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { diagnosticJson, diagnosticText } from "../render/diagnostics.ts";
import { answerText } from "../render/explain.ts";
import { type Style, styleFor } from "../render/style.ts";

export interface ExplainFlags extends ContextFlags {
  readonly format: "text" | "json";
  readonly output?: string;
}

export async function explainCommand(files: readonly string[], flags: ExplainFlags, io: Io): Promise<number> {
  const { manifests, diagnostics } = readManifests(await readInputs(files, io.readStandardInput));
  const { context, notes } = await loadContext(flags, io, manifests);
  for (const note of [...notes, ...diagnostics]) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const style = styleFor(io.colour && flags.output === undefined);
  const judged = manifests.map(({ file, object }) => ({
    file,
    judgement: judge(object, context, { suggestions: true }),
  }));
  const explained = judged.filter(({ judgement }) => judgement.judged);
  const text =
    flags.format === "json"
      ? `${JSON.stringify(
          explained.map(({ file, judgement }) => asJson(file, judgement)),
          null,
          2,
        )}\n`
      : explained.map(({ file, judgement }) => asText(file, judgement, context.topology, style)).join("\n");
  await writeResult(text, flags.output, io);
  if (explained.length === 0)
    io.err(`${files.join(", ")}: no object names a workload class (annotation plimsoll.dev/workload-class)\n`);
  return diagnostics.length > 0 || explained.some(({ judgement }) => judgement.refused) ? EXIT.refused : EXIT.ok;
}

type Judged = Extract<ReturnType<typeof judge>, { readonly judged: true }>;

function asText(
  file: string,
  judgement: ReturnType<typeof judge>,
  topology: Topology | undefined,
  style: Style,
): string {
  if (!judgement.judged) return "";
  const { workload, intents, answer, demand } = judgement;
  const { kind, namespace, name } = workload.key;
  const lines = [
    `${style("bold", `${kind} ${namespace}/${name || `${workload.generateName ?? ""}*`}`)}  ${style("dim", file)}`,
  ];
  for (const set of demand?.podSets ?? []) {
    const { level, mode, unit } = set.placement;
    const together =
      level === undefined ? "" : `, each ${unit === "podSet" ? "pod set" : unit} in one ${level} (${mode})`;
    const resources = Object.entries(set.pod.requests)
      .filter(([resource]) => resource.includes("/"))
      .map(([resource, count]) => ` x ${count} ${resource}`);
    lines.push(
      `  ${set.name}: class ${intents.get(set.name)?.className ?? "none"}, ${set.count} ${set.count === 1 ? "pod" : "pods"}${resources.join("")}, ${set.required} must hold together${together}`,
    );
  }
  if (answer !== undefined) lines.push("", answerText(answer, topology, style).trimEnd());
  const findings = judgement.findings.filter(({ severity }) => severity !== "info");
  if (findings.length > 0) lines.push("", "Findings:", ...findings.map((one) => `  ${diagnosticText(one, style)}`));
  lines.push(
    "",
    judgement.refused ? style("red", "It would be refused.") : style("green", "It would be admitted."),
    "",
  );
  return lines.join("\n");
}

function asJson(file: string, judgement: ReturnType<typeof judge>) {
  const { workload, answer, findings, refused, decision } = judgement as Judged;
  return {
    file,
    workload: workload.key,
    answer: answer ?? null,
    decision: decision ?? null,
    findings: findings.map(diagnosticJson),
    refused,
  };
}
