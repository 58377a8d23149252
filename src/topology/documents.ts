import {
  type Diagnostic,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  type SourcePosition,
  stringAt,
} from "../model/index.ts";
import { jsonLines, jsonOffsets, jsonRun, lineFinder } from "./text.ts";
import { readYaml } from "./yaml.ts";

/** Text of a file that a person, kubectl or a snapshot wrote. */
export interface InventoryFile {
  readonly file: string;
  readonly text: string;
}

/** One object, with its place for messages: the position in a file where there is one, and `items[3]` inside its List. */
export interface Entry {
  readonly object: Json;
  readonly position: () => SourcePosition | undefined;
  readonly label: string;
}

export interface Documents {
  readonly entries: readonly Entry[];
  /** Kinds that a typed List (`PodList`) named, empty or not. */
  readonly listed: readonly string[];
  readonly diagnostics: readonly Diagnostic[];
}

/** Quoted keys in brackets: what does not parse is then reported as the JSON that it was meant to be, not as odd YAML. */
const LOOKS_LIKE_JSON = /^\s*(?:\[\s*)?\{\s*"/;
const MAX_LIST_DEPTH = 8;

/**
 * The objects of one file: JSON or YAML documents, alone, in sequence, or inside `List`, `NodeList` and the like.
 * Text in brackets is read by JSON.parse, which is some hundred times faster than YAML.
 */
export function readDocuments(input: InventoryFile): Documents {
  const text = input.text.charCodeAt(0) === 0xfeff ? input.text.slice(1) : input.text;
  const lines = lineFinder(input.file, text);
  const entries: Entry[] = [];
  const listed: string[] = [];
  const diagnostics: Diagnostic[] = [];
  const fault = (offset: number, message: string) =>
    diagnostics.push({ code: "ClusterSyntax", severity: "error", message, source: lines.position(offset) });

  if (/^\s*[{[]/.test(text)) {
    const whole = parseJson(text);
    const parts = "value" in whole ? [{ start: 0, end: text.length }] : (jsonRun(text) ?? jsonLines(text));
    if ("value" in whole || parts.length > 1 || LOOKS_LIKE_JSON.test(text)) {
      for (const { start, end } of parts) {
        const parsed = parts.length === 1 ? whole : parseJson(text.slice(start, end));
        if ("value" in parsed) {
          const offsetOf = jsonOffsets(text, start);
          flatten(parsed.value, (path) => lines.position(offsetOf(path)), entries, listed);
        } else fault(start + parsed.offset, `this document is not valid JSON: ${parsed.message}`);
      }
      return { entries, listed, diagnostics };
    }
  }

  const { parts, faults } = readYaml(text);
  for (const { offset, message } of faults) fault(offset, `this document is not valid YAML: ${message}`);
  for (const part of parts) {
    const place = (path: Path) => {
      const index = path.find((step) => typeof step === "number");
      return lines.position((index === undefined ? undefined : part.itemOffsets[index]) ?? part.offset);
    };
    flatten(part.value, place, entries, listed);
  }
  return { entries, listed, diagnostics };
}

/** Plain objects from a caller, which may be Lists too. */
export function entriesOf(objects: readonly Json[]): Documents {
  const entries: Entry[] = [];
  const listed: string[] = [];
  for (const [index, object] of objects.entries()) flatten(object, () => undefined, entries, listed, [index]);
  return { entries, listed, diagnostics: [] };
}

function parseJson(text: string): { readonly value: Json } | { readonly message: string; readonly offset: number } {
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    const message = error instanceof Error ? error.message : "unreadable";
    const end = message.includes("end of JSON input") ? Math.max(0, text.trimEnd().length - 1) : 0;
    const offset = Number(/ at position (\d{1,15})/.exec(message)?.[1] ?? end);
    // The engine quotes the text around the fault, which may run over lines.
    const short = message.replaceAll(/\s+/g, " ").replace(/, "?\.{3}.*? is not valid JSON/, "");
    return { message: short.length > 120 ? `${short.slice(0, 117)}...` : short, offset };
  }
}

function flatten(
  value: Json,
  place: (path: Path) => SourcePosition | undefined,
  entries: Entry[],
  listed: string[],
  path: Path = [],
  inherited: { readonly apiVersion?: string; readonly kind?: string } = {},
): void {
  const items = isArray(value) ? value : listItems(value);
  if (items === undefined || path.length > MAX_LIST_DEPTH) {
    entries.push({ object: withType(value, inherited), position: () => place(path), label: labelOf(path) });
    return;
  }
  const base = isArray(value) ? path : [...path, "items"];
  const kind = isObject(value) && typeof value["kind"] === "string" ? value["kind"].slice(0, -"List".length) : "";
  const apiVersion = stringAt(value, ["apiVersion"]);
  if (kind !== "") listed.push(kind);
  const type = kind === "" ? {} : { kind, ...(apiVersion === undefined ? {} : { apiVersion }) };
  for (const [index, item] of items.entries()) flatten(item, place, entries, listed, [...base, index], type);
}

function listItems(value: Json): readonly Json[] | undefined {
  if (!isObject(value)) return undefined;
  const kind = value["kind"];
  if (typeof kind !== "string" || !kind.endsWith("List")) return undefined;
  const items = value["items"];
  if (items === null || items === undefined) return [];
  return isArray(items) ? items : undefined;
}

/** Items of a typed List carry no kind of their own, as the API server prints them. */
function withType(value: Json, type: { readonly apiVersion?: string; readonly kind?: string }): Json {
  if (type.kind === undefined || !isObject(value) || value["kind"] !== undefined) return value;
  return { ...type, ...value } satisfies JsonObject;
}

function labelOf(path: Path): string {
  let text = "";
  for (const step of path) text += typeof step === "number" ? `[${step}]` : text === "" ? step : `.${step}`;
  return text;
}
