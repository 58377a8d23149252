import { type AdmissionContext, type Judgement, judge } from "../../admission/index.ts";
import { readInputs } from "../../files.ts";
import { type Diagnostic, stringAt } from "../../model/index.ts";
import { type SkippedRule, skippedRules } from "../../policy/index.ts";
import { emptyFacts } from "../../topology/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io } from "../io.ts";
import { type Manifest, readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { countText, diagnosticJson, diagnosticText } from "../render/diagnostics.ts";
import { rungName } from "../render/explain.ts";
import { styleFor } from "../render/style.ts";

export interface CheckFlags extends ContextFlags {
  readonly format: "text" | "json";
  readonly failOn: "error" | "warning";
  readonly output?: string;
}

/** One workload of the input and what came of it. */
interface Checked {
  readonly manifest: Manifest;
  readonly name: string;
  readonly judgement: Judgement;
  readonly findings: readonly Diagnostic[];
}

/** Exit 1 where something would be refused (a manifest that cannot be read is), 0 otherwise. */
export async function checkCommand(files: readonly string[], flags: CheckFlags, io: Io): Promise<number> {
  const { manifests, diagnostics } = readManifests(await readInputs(files, io.readStandardInput));
  const { context, notes } = await loadContext(flags, io, manifests);
  for (const note of notes) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const checked = manifests.flatMap((manifest) => checkOne(manifest, context));
  const findings = [...diagnostics, ...checked.flatMap((one) => one.findings)];
  const refused = diagnostics.length > 0 || checked.some(({ judgement }) => judgement.refused);
  const skipped = skippedChecks(checked, context);

  const style = styleFor(io.colour && flags.output === undefined);
  const text =
    flags.format === "json"
      ? `${JSON.stringify({ refused, findings: findings.map(diagnosticJson), workloads: checked.map(workloadJson), skipped }, null, 2)}\n`
      : [
          ...findings.map((one) => diagnosticText(one, style)),
          ...skipped.map(({ check, reason }) => `skipped ${check}: ${reason}`),
          `${checked.length} ${checked.length === 1 ? "workload" : "workloads"}: ${countText(findings)}; ${refused ? style("red", "something would be refused") : style("green", "nothing would be refused")}.`,
          "",
        ].join("\n");
  await writeResult(text, flags.output, io);
  if (refused) return EXIT.refused;
  return flags.failOn === "warning" && findings.some(({ severity }) => severity !== "info") ? EXIT.refused : EXIT.ok;
}

function checkOne(manifest: Manifest, context: AdmissionContext): Checked[] {
  const judgement = judge(manifest.object, context, { suggestions: true });
  if (!judgement.judged) return [];
  const denials = new Set(judgement.denials);
  const name = `${judgement.workload.kind.kind} ${judgement.workload.key.namespace}/${judgement.workload.key.name || `${judgement.workload.generateName ?? ""}*`}`;
  const located = judgement.findings.map((one) => ({
    ...one,
    // What the class's mode makes of it counts, as it would at the API server.
    severity: denials.has(one) ? ("error" as const) : one.severity === "error" ? ("warning" as const) : one.severity,
    source: manifest.position(one.path ?? []),
  }));
  return [{ manifest, name, judgement, findings: [...located, verdictFinding(manifest, name, judgement)] }];
}

/** The verdict itself as a line, so that a quiet result also says what was found. */
function verdictFinding(manifest: Manifest, name: string, judgement: Judgement): Diagnostic {
  const answer = judgement.judged ? judgement.answer : undefined;
  const source = manifest.position([]);
  if (answer === undefined) return { code: "NotSolved", severity: "info", message: `${name} was not solved.`, source };
  const where = Object.keys(answer.rungs).length === 0 ? "" : ` on ${rungName(answer.rungs)}`;
  return { code: "Verdict", severity: "info", message: `${name}: ${answer.verdict}${where}.`, source };
}

/** Never passes silently: checks that lacked their data are named. */
function skippedChecks(checked: readonly Checked[], context: AdmissionContext): { check: string; reason: string }[] {
  const skipped = new Map<string, { check: string; reason: string }>();
  const add = (check: string, reason: string) => void skipped.set(`${check}\n${reason}`, { check, reason });
  if (context.topology === undefined && checked.length > 0)
    add("capacity and topology", "no cluster was given (--cluster FILE)");
  for (const { judgement } of checked) {
    if (!judgement.judged) continue;
    const facts = context.topology?.facts ?? emptyFacts();
    const rules: readonly SkippedRule[] = skippedRules({
      workload: judgement.workload,
      intents: judgement.intents,
      catalogue: context.catalogue,
      facts,
    });
    for (const { id, reason } of rules) add(id, reason);
  }
  return [...skipped.values()].sort((a, b) => (a.check < b.check ? -1 : a.check > b.check ? 1 : 0));
}

function workloadJson({ manifest, judgement }: Checked) {
  const answer = judgement.judged ? judgement.answer : undefined;
  return {
    file: manifest.file,
    line: manifest.position([]).line,
    kind: stringAt(manifest.object, ["kind"]) ?? null,
    namespace: judgement.judged ? judgement.workload.key.namespace : null,
    name: judgement.judged ? judgement.workload.key.name : null,
    verdict: answer?.verdict ?? null,
    rung: answer === undefined ? null : rungName(answer.rungs),
    refused: judgement.refused,
  };
}
