import { stringify } from "yaml";
import { judge } from "../../admission/index.ts";
import { readInputs } from "../../files.ts";
import type { Json, JsonObject } from "../../model/index.ts";
import { patchBetween } from "../../translate/index.ts";
import { type ContextFlags, loadContext } from "../context.ts";
import { EXIT, type Io } from "../io.ts";
import { readManifests } from "../manifests.ts";
import { writeResult } from "../output.ts";
import { diagnosticText } from "../render/diagnostics.ts";

export interface ExpandFlags extends ContextFlags {
  readonly diff?: boolean;
  readonly companions: boolean;
  readonly output?: string;
}

/**
 * Manifests as they would be admitted, companions first; objects that are not ours pass through unchanged. One that
 * would be refused is left out, and standard error says why.
 */
export async function expandCommand(files: readonly string[], flags: ExpandFlags, io: Io): Promise<number> {
  const { manifests, diagnostics } = readManifests(await readInputs(files, io.readStandardInput));
  const { context, notes } = await loadContext(flags, io, manifests);
  for (const note of [...notes, ...diagnostics]) if (note.severity !== "info") io.err(`${diagnosticText(note)}\n`);
  const companions = new Map<string, JsonObject>();
  const objects: JsonObject[] = [];
  const changes: string[] = [];
  let refused = diagnostics.length > 0;
  for (const manifest of manifests) {
    const judgement = judge(manifest.object, context, { suggestions: false });
    if (judgement.judged) {
      const denials = new Set(judgement.denials);
      for (const finding of judgement.findings) {
        const shown = {
          ...finding,
          severity: denials.has(finding) ? ("error" as const) : ("warning" as const),
          source: manifest.position(finding.path ?? []),
        };
        if (finding.severity !== "info" || denials.has(finding)) io.err(`${diagnosticText(shown)}\n`);
      }
    }
    if (judgement.refused) {
      refused = true;
      io.err(`${manifest.file}: ${String(manifest.object["kind"])} would be refused, and is left out\n`);
      continue;
    }
    const expansion = judgement.judged ? judgement.expansion : undefined;
    const object = expansion?.object ?? manifest.object;
    objects.push(object);
    for (const companion of expansion?.companions ?? []) companions.set(identity(companion), companion);
    if (flags.diff === true) changes.push(...changeLines(manifest.file, manifest.object, object));
  }
  const brought = new Set(objects.map(identity));
  const made = flags.companions ? [...companions.values()].filter((one) => !brought.has(identity(one))) : [];
  const text =
    flags.diff === true
      ? changes.join("") + made.map((one) => `+ ${identity(one)}\n`).join("")
      : [...made, ...objects].map(yamlText).join("---\n");
  await writeResult(text, flags.output, io);
  return refused ? EXIT.refused : EXIT.ok;
}

function identity(object: JsonObject): string {
  const metadata = object["metadata"] as JsonObject | undefined;
  return `${String(object["apiVersion"])} ${String(object["kind"])} ${String(metadata?.["namespace"] ?? "")}/${String(metadata?.["name"] ?? metadata?.["generateName"] ?? "")}`;
}

/** Quoted so that YAML 1.1 readers (kubectl) see the same strings; no anchors. */
function yamlText(object: JsonObject): string {
  return stringify(object, { lineWidth: 0, aliasDuplicateObjects: false, compat: "yaml-1.1" });
}

function changeLines(file: string, before: JsonObject, after: JsonObject): string[] {
  const operations = patchBetween(before, after);
  if (operations.length === 0) return [];
  const lines = operations.map((operation) =>
    operation.op === "remove"
      ? `- ${operation.path}\n`
      : `${operation.op === "add" ? "+" : "~"} ${operation.path}: ${short(operation.value)}\n`,
  );
  return [`${file}: ${identity(after)}\n`, ...lines];
}

const short = (value: Json) => JSON.stringify(value);
