import { stringify } from "yaml";
import { readInputs } from "../../files.ts";
import { type JsonObject, stringAt } from "../../model/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io } from "../io.ts";
import { judgeManifest, workloadName } from "../judged.ts";
import { readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { diagnosticText } from "../render/diagnostics.ts";
import { unifiedDiff } from "../render/diff.ts";
import { styleFor } from "../render/style.ts";

export interface ExpandFlags extends ContextFlags {
  readonly diff?: boolean;
  readonly companions: boolean;
  readonly output?: string;
}

/** An object of the input, or one made for it. */
interface Shown {
  readonly title: string;
  readonly before: JsonObject | undefined;
  readonly after: JsonObject;
}

/**
 * Manifests as they would be admitted, companions first; objects that are not ours pass through unchanged. One that
 * would be refused is left out, and standard error says why.
 */
export async function expandCommand(files: readonly string[], flags: ExpandFlags, io: Io): Promise<number> {
  const { manifests, diagnostics } = readManifests(await readInputs(files, io.readStandardInput));
  const { context, notes } = await loadContext(flags, io, manifests);
  const complain = (text: string) => io.err(`${text}\n`);
  for (const note of [...notes, ...diagnostics]) if (note.severity !== "info") complain(diagnosticText(note));
  const companions = new Map<string, JsonObject>();
  const objects: Shown[] = [];
  let refused = diagnostics.length > 0;
  let judgedAny = false;
  for (const manifest of manifests) {
    const judged = judgeManifest(manifest, context, false);
    judgedAny ||= judged !== undefined;
    for (const one of judged?.findings ?? []) if (one.severity !== "info") complain(diagnosticText(one));
    if (judged?.refused === true) {
      refused = true;
      complain(`${manifest.file}: ${workloadName(judged.judgement.workload)} would be refused, and is left out`);
      continue;
    }
    const expansion = judged?.judgement.expansion;
    const title = `${manifest.file}: ${identity(manifest.object)}`;
    objects.push({ title, before: manifest.object, after: expansion?.object ?? manifest.object });
    for (const companion of expansion?.companions ?? []) companions.set(identity(companion), companion);
  }
  // What the input brings itself is not printed twice.
  for (const { after } of objects) companions.delete(identity(after));
  const made = [...companions].map(([title, after]): Shown => ({ title, before: undefined, after }));
  const shown = [...(flags.companions ? made : []), ...objects];
  const style = styleFor(io.colour && flags.output === undefined);
  const text =
    flags.diff === true
      ? shown.flatMap((one) => diffLines(one, style)).join("")
      : shown.map(({ after }) => yamlText(after)).join("---\n");
  if (context.topology === undefined && judgedAny)
    complain("no cluster was given (--cluster FILE): nothing that depends on where this runs is written");
  await writeResult(text, flags.output, io);
  return refused ? EXIT.refused : EXIT.ok;
}

function identity(object: JsonObject): string {
  const name = stringAt(object, ["metadata", "name"]) ?? `${stringAt(object, ["metadata", "generateName"]) ?? ""}*`;
  const namespace = stringAt(object, ["metadata", "namespace"]);
  return `${String(object["apiVersion"])} ${String(object["kind"])} ${namespace === undefined ? "" : `${namespace}/`}${name}`;
}

/** Quoted so that YAML 1.1 readers (kubectl) see the same strings; no anchors. */
function yamlText(object: JsonObject): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

const LINE_SHOWN = 160;

/** Line by line; the stamps, which nobody reads, cut short. */
function diffLines({ title, before, after }: Shown, style: ReturnType<typeof styleFor>): string[] {
  const lines = unifiedDiff(before === undefined ? "" : yamlText(before), yamlText(after));
  if (lines.length === 0) return [];
  const looks = { "-": "red", "+": "green", "@": "cyan" } as const;
  return [
    `--- ${before === undefined ? "/dev/null" : title}`,
    `+++ ${title}${before === undefined ? " (new)" : " (as admitted)"}`,
    ...lines,
  ].map((line, index) => {
    const short = line.length > LINE_SHOWN && index > 1 ? `${line.slice(0, LINE_SHOWN - 1)}…` : line;
    const look = index < 2 ? ("bold" as const) : looks[short[0] as keyof typeof looks];
    return `${look === undefined ? short : style(look, short)}\n`;
  });
}
