import { capital, type Diagnostic, sentence, toText } from "../model/index.ts";

/**
 * Limits that come from the API server: it drops a warning with a control character or broken UTF-8 without a word,
 * cuts warnings to 256 runes once they pass 4096 runes together, and its documentation asks for 120 at most
 * (apiserver pkg/endpoints/filters/warning.go).
 */
const WARNING_RUNES = 120;
const WARNINGS = 20;
const LINE_RUNES = 1000;
const LINES = 40;

/** One line for kubectl: `CODE: message`, in short where it is too long. */
export function warningText(finding: Diagnostic): string {
  const lead = `${finding.code}: ${about(finding)}`;
  const whole = oneLine(`${lead}${finding.message}`);
  const isLong = whole.length > WARNING_RUNES && [...whole].length > WARNING_RUNES;
  return cut(isLong && finding.short !== undefined ? oneLine(`${lead}${finding.short}`) : whole, WARNING_RUNES);
}

/** Fit to be sent: printable, without duplicates, bounded in length and number. */
export function warningTexts(texts: readonly string[]): readonly string[] {
  const unique = [...new Set(texts.map((text) => cut(oneLine(text), WARNING_RUNES)))].filter((text) => text !== "");
  if (unique.length <= WARNINGS) return unique;
  return [...unique.slice(0, WARNINGS - 1), `MoreFindings: ${unique.length - WARNINGS + 1} more; run plimsoll check`];
}

/** One line a finding, in full: code, where, what was seen, what to do. */
export function denialLine(finding: Diagnostic): string {
  const where = finding.path === undefined || finding.path.length === 0 ? "" : ` at ${toText(finding.path)}`;
  const said = `${finding.code}${where}: ${about(finding)}${finding.message}`;
  return finding.hint === undefined ? said : `${sentence(said)} ${capital(sentence(finding.hint))}`;
}

/** A denial's text: one line a finding, each printable, bounded in length and number. */
export function deniedText(text: string): string {
  const lines = text
    .split("\n")
    .map((line) => cut(oneLine(line), LINE_RUNES))
    .filter((line) => line !== "");
  if (lines.length <= LINES) return lines.join("\n");
  return [...lines.slice(0, LINES - 1), `and ${lines.length - LINES + 1} more`].join("\n");
}

/** Audit annotations: the API server prefixes each key with the webhook's name and a slash, so keys have none. */
export function auditAnnotations(
  values: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string>> {
  const result: Record<string, string> = {};
  for (const [key, value] of Object.entries(values))
    if (value !== undefined && value !== "") result[key] = cut(oneLine(value), LINE_RUNES);
  return result;
}

const about = (finding: Diagnostic): string => (finding.podSet === undefined ? "" : `${finding.podSet}: `);

/** What most messages are: nothing of it would be replaced. */
const PLAIN = /^[!-~]+(?: [!-~]+)*$/;

/** Control characters, line separators, formatting characters and broken surrogates become spaces; runs of spaces become one. */
function oneLine(text: string): string {
  if (text.length <= 4 * LINE_RUNES && PLAIN.test(text)) return text;
  return text
    .slice(0, 4 * LINE_RUNES)
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\s]+/gu, " ")
    .trim();
}

function cut(text: string, runes: number): string {
  if (text.length <= runes) return text;
  const points = [...text];
  return points.length <= runes
    ? text
    : `${points
        .slice(0, runes - 1)
        .join("")
        .trimEnd()}…`;
}
