import type { AdmissionContext } from "../../admission/index.ts";
import { readInputs } from "../../files.ts";
import type { Answer, Diagnostic } from "../../model/index.ts";
import { skippedRules } from "../../policy/index.ts";
import { emptyFacts } from "../../topology/index.ts";
import type { CliCode } from "../codes.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io } from "../io.ts";
import { type Judged, judgeManifest, workloadName } from "../judged.ts";
import { inTextOrder, readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { countText, diagnosticJson, diagnosticText } from "../render/diagnostics.ts";
import { rungName } from "../render/explain.ts";
import { styleFor } from "../render/style.ts";
import { unclassedFindings } from "../unclassed.ts";

export interface CheckFlags extends ContextFlags {
  readonly format: "text" | "json";
  readonly failOn: "error" | "warning";
  readonly output?: string;
}

/** Exit 1 where something would be refused (a manifest that cannot be read is), 0 otherwise. */
export async function checkCommand(files: readonly string[], flags: CheckFlags, io: Io): Promise<number> {
  const inputs = await readInputs(files, io.readStandardInput);
  const { manifests, diagnostics } = readManifests(inputs);
  const { context, notes } = await loadContext(flags, io, manifests);
  for (const note of notes) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const checked = manifests.flatMap((manifest) => judgeManifest(manifest, context, true) ?? []);
  const unclassed = manifests.flatMap((manifest) => unclassedFindings(manifest, context));
  const all = [...diagnostics, ...checked.flatMap(findingsOf), ...unclassed];
  const findings = inputs.flatMap(({ path }) => inTextOrder(all.filter(({ source }) => source?.file === path)));
  const refused = diagnostics.length > 0 || checked.some((one) => one.refused);
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

/** The verdict, so that a quiet result also says what was found; then what else admission found. */
function findingsOf({ manifest, judgement: { workload, answer }, findings }: Judged): readonly Diagnostic[] {
  const name = workloadName(workload);
  // A finding about capacity tells the verdict with its reasons: it only lacks the name.
  const capacity = findings.find(({ code }) => code.startsWith("Capacity"));
  if (capacity !== undefined)
    return [{ ...capacity, message: `${name} ${capacity.message}` }, ...findings.filter((one) => one !== capacity)];
  if (answer === undefined || answer.ladder.length === 0) return findings;
  const where = Object.keys(answer.rungs).length === 0 ? "" : ` on ${rungName(answer.rungs)}`;
  const message = `${name} ${VERDICTS[answer.verdict]}${where}.`;
  const code: CliCode = "Verdict";
  return [{ code, severity: "info", message, source: manifest.position([]) }, ...findings];
}

const VERDICTS: Readonly<Record<Answer["verdict"], string>> = {
  fits: "fits",
  scaleUp: "needs new nodes",
  busy: "does not fit now",
  never: "cannot run here",
  unknown: "cannot be judged",
  undecided: "was not decided in time",
};

/** Never passes silently: checks that lacked their data are named. */
function skippedChecks(checked: readonly Judged[], context: AdmissionContext): { check: string; reason: string }[] {
  const skipped = new Map<string, { check: string; reason: string }>();
  const add = (check: string, reason: string) => void skipped.set(`${check}\n${reason}`, { check, reason });
  if (context.topology === undefined && checked.length > 0)
    add("capacity and topology", "no cluster was given (--cluster FILE)");
  const facts = context.topology?.facts ?? emptyFacts();
  for (const { judgement } of checked) {
    const { workload, intents } = judgement;
    for (const { id, reason } of skippedRules({ workload, intents, catalogue: context.catalogue, facts }))
      add(id, reason);
  }
  return [...skipped.values()].sort((a, b) => (a.check < b.check ? -1 : a.check > b.check ? 1 : 0));
}

function workloadJson({ manifest, judgement: { workload, answer }, refused }: Judged) {
  return {
    file: manifest.file,
    line: manifest.position([]).line,
    kind: workload.key.kind,
    namespace: workload.key.namespace,
    name: workload.key.name || null,
    generateName: workload.generateName ?? null,
    verdict: answer === undefined || answer.ladder.length === 0 ? null : answer.verdict,
    rung: answer === undefined || Object.keys(answer.rungs).length === 0 ? null : rungName(answer.rungs),
    refused,
  };
}
