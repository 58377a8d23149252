import { capital, type Diagnostic, type Severity, sentence, toText } from "../../model/index.ts";
import { type Style, styleFor } from "./style.ts";

const LOOKS: Readonly<Record<Severity, "red" | "yellow" | "blue">> = { error: "red", warning: "yellow", info: "blue" };

/**
 * One finding, one line: `file:line:column: severity CODE: [pod set] message. hint (at path)`. What says nothing new is
 * left out: the set of a kind that has only one, and a set or path that the sentences name.
 */
export function diagnosticText(one: Diagnostic, style: Style = styleFor(false)): string {
  const place = one.source === undefined ? "" : `${one.source.file}:${one.source.line}:${one.source.column}: `;
  const named = one.podSet === undefined || one.podSet === SOLE_SET || words(one.message).includes(one.podSet);
  const set = named ? "" : `[${one.podSet}] `;
  const text = `${sentence(one.message)}${one.hint === undefined ? "" : ` ${capital(sentence(one.hint))}`}`;
  const path = one.path === undefined ? "" : toText(one.path);
  const where = path === "" || text.includes(path) ? "" : ` (at ${path})`;
  return `${place}${style(LOOKS[one.severity], one.severity)} ${style("bold", one.code)}: ${set}${text}${where}`.replaceAll(
    /\s*\n\s*/g,
    " ",
  );
}

/** What the kind table calls the pods of a kind with one template. */
const SOLE_SET = "pod";

const words = (text: string) => text.split(/[^\w.-]+/).map((word) => word.replace(/\.$/, ""));

/** The same as data. */
export function diagnosticJson(one: Diagnostic): Readonly<Record<string, string | number | null>> {
  return {
    code: one.code,
    severity: one.severity,
    message: one.message,
    hint: one.hint ?? null,
    path: one.path === undefined ? null : toText(one.path),
    podSet: one.podSet ?? null,
    file: one.source?.file ?? null,
    line: one.source?.line ?? null,
    column: one.source?.column ?? null,
  };
}

export function countText(diagnostics: readonly Diagnostic[]): string {
  const count = (severity: Severity) => diagnostics.filter((one) => one.severity === severity).length;
  const part = (number: number, word: string) => `${number} ${word}${number === 1 ? "" : "s"}`;
  return `${part(count("error"), "error")}, ${part(count("warning"), "warning")}, ${count("info")} info`;
}
