import { CORE_SCHEMA, loadAll } from "js-yaml";
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Node, parseAllDocuments, visit } from "yaml";
import {
  type Diagnostic,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  type SourcePosition,
} from "../model/index.ts";
import { finding } from "./codes.ts";
import type { PolicyFile } from "./types.ts";

const MAX_TEXT = 1024 * 1024;
const MAX_DOCUMENTS = 500;
const MAX_ALIASES = 50;
/** Syntax faults told of one file; the first ones matter, and a broken nesting has one for each level. */
const MAX_FAULTS = 20;
const MAX_NESTING = 200;

/** One YAML document of a file, as JSON, with the way back to its text. */
export interface SourceDocument {
  readonly file: string;
  readonly value: Json;
  /** Where the value at `path` stands, or (`key`) the name of the field; the nearest parent for what is absent. */
  position(path: Path, at?: "key" | "value"): SourcePosition;
  /** Does something stand at exactly this path. */
  has(path: Path): boolean;
}

/** Reads a file of YAML or JSON documents. A broken document is reported and left out; the others are returned. Never throws. */
export function readDocuments(file: PolicyFile): {
  readonly documents: readonly SourceDocument[];
  readonly diagnostics: readonly Diagnostic[];
} {
  const start: SourcePosition = { file: file.path, line: 1, column: 1 };
  if (file.text.length > MAX_TEXT) {
    const message = `The file has ${file.text.length} characters; at most ${MAX_TEXT} are read.`;
    return {
      documents: [],
      diagnostics: [
        finding("TooLarge", message, { source: start, hint: "Split it: one file for each document reads best." }),
      ],
    };
  }
  const quick = readQuickly(file.text);
  if (quick !== undefined) {
    const exact = () => parse(file.text)?.find(({ contents }) => contents !== null);
    return { documents: [new ParsedDocument(file, quick, exact)], diagnostics: [] };
  }
  const parsed = parse(file.text);
  if (parsed === undefined) {
    return {
      documents: [],
      diagnostics: [finding("YamlSyntax", "The file is nested too deeply to be read.", { source: start })],
    };
  }
  const diagnostics: Diagnostic[] = [];
  const documents: SourceDocument[] = [];
  if (parsed.length > MAX_DOCUMENTS) {
    diagnostics.push(
      finding("TooLarge", `The file holds ${parsed.length} documents; the first ${MAX_DOCUMENTS} are read.`, {
        source: start,
      }),
    );
  }
  const starts = lineStarts(file.text);
  for (const document of parsed.slice(0, MAX_DOCUMENTS)) {
    const at = (offset: number): SourcePosition => {
      return { file: file.path, ...placeAt(starts, offset) };
    };
    for (const error of [...document.errors, ...document.warnings]) {
      const source = at(error.pos[0]);
      if (diagnostics.length >= MAX_FAULTS) break;
      if (error.code === "DUPLICATE_KEY") {
        const key = duplicateText(file.text.slice(error.pos[0], error.pos[0] + 80));
        diagnostics.push(
          finding("DuplicateKey", `${key} is written twice in this object.`, { source, hint: "Keep one of the two." }),
        );
      } else diagnostics.push(finding("YamlSyntax", `This is not valid YAML: ${sentence(error.message)}`, { source }));
    }
    if (document.errors.length > 0 || document.contents === null) continue;
    const value = toJson(document, MAX_ALIASES);
    if (value === undefined) {
      const message = `The aliases of this document expand to too much; at most ${MAX_ALIASES} are resolved.`;
      diagnostics.push(
        finding("TooLarge", message, {
          source: at(document.contents.range[0]),
          hint: "Write the repeated parts out, or use spec.extends.",
        }),
      );
      continue;
    }
    documents.push(new ParsedDocument(file, value, () => document));
  }
  return { documents, diagnostics };
}

/** One YAML object without aliases, for text inside an annotation. `fault` says why it is none. */
export function readObject(text: string): { readonly value: JsonObject } | { readonly fault: string } {
  const parsed = parse(text);
  if (parsed === undefined) return { fault: "it is nested too deeply" };
  const [document, second] = parsed;
  if (document === undefined || second !== undefined) return { fault: "it must be one YAML object" };
  const error = document.errors[0] ?? document.warnings[0];
  if (error !== undefined) {
    const { line, column } = placeAt(lineStarts(text), error.pos[0]);
    return { fault: `line ${line}, column ${column}: ${sentence(error.message)}`.replace(/\.$/, "") };
  }
  let aliases = 0;
  visit(document, {
    Alias() {
      aliases += 1;
      return visit.BREAK;
    },
  });
  if (aliases > 0) return { fault: "it uses a YAML alias, which is not read here" };
  const value = toJson(document, 0);
  return isObject(value) ? { value } : { fault: `it must be a YAML object, not ${kindOf(value)}` };
}

/** How a value reads in a message: `the number 3`, `a list`, `null`. */
export function kindOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object") return "an object";
  if (typeof value === "string")
    return `the text ${JSON.stringify(value.length > 60 ? `${value.slice(0, 57)}...` : value)}`;
  return typeof value === "boolean" ? `the boolean ${value}` : `the number ${String(value)}`;
}

/** Deeper than anything that policy means: open flow brackets, or indicators in a row. Text inside quotes counts too. */
function isNestedDeeply(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character === "[" || character === "{") open += 1;
    else if (character === "]" || character === "}") open = Math.max(0, open - 1);
    if (open > MAX_NESTING) return true;
  }
  return /(?:[-?:] +){200}/.test(text);
}

/** Undefined where the text is nested deeper than is read, or than the parser's stack. */
function parse(text: string): readonly Document.Parsed[] | undefined {
  if (isNestedDeeply(text)) return undefined;
  try {
    const documents = parseAllDocuments(text, {
      prettyErrors: false,
      uniqueKeys: true,
      keepSourceTokens: false,
      logLevel: "silent",
    });
    return "empty" in documents ? [] : documents;
  } catch (fault) {
    if (fault instanceof RangeError) return undefined;
    throw fault;
  }
}

/** Undefined where the aliases expand to more than the limit. */
function toJson(document: Document.Parsed, maxAliasCount: number): Json | undefined {
  try {
    return jsonOf(document.toJS({ maxAliasCount }));
  } catch (fault) {
    if (fault instanceof ReferenceError || fault instanceof RangeError) return undefined;
    throw fault;
  }
}

/** YAML knows more than JSON does: dates, sets and numbers that are none become text. Throws RangeError beyond the budget of values. */
function jsonOf(value: unknown, budget: { left: number } = { left: Number.POSITIVE_INFINITY }): Json {
  budget.left -= 1;
  if (budget.left < 0) throw new RangeError("more values than allowed");
  if (value === null || value === undefined) return null;
  if (typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : String(value);
  if (Array.isArray(value)) return value.map((item) => jsonOf(item, budget));
  if (typeof value !== "object") return String(value);
  const result: Record<string, Json> = {};
  for (const [key, item] of Object.entries(value)) {
    const own = { value: jsonOf(item, budget), enumerable: true, configurable: true, writable: true };
    Object.defineProperty(result, key, own);
  }
  return result;
}

/** Tags, merges, and numbers of other dialects. */
const NOT_QUICK = /!!|<<|\.(?:inf|nan)|(?:^|[\s[{,])[-+]?(?:0b|\d[\d.]*_)/im;
const ALIAS = /(?:^|[\s[{,])\*\S/gm;

/**
 * The one document of a text without faults, by a parser ten times as fast: most files are such, and nobody asks for
 * places in them. Undefined for what that parser reads otherwise or refuses, unknown tags among it, and for aliases
 * that expand to more than the text holds.
 */
function readQuickly(text: string): Json | undefined {
  if (NOT_QUICK.test(text) || (text.match(ALIAS)?.length ?? 0) > MAX_ALIASES || isNestedDeeply(text)) return undefined;
  try {
    const [value, second] = loadAll(text, null, { schema: CORE_SCHEMA });
    return second === undefined && isObject(value) ? jsonOf(value, { left: text.length }) : undefined;
  } catch {
    return undefined;
  }
}

class ParsedDocument implements SourceDocument {
  readonly file: string;
  readonly value: Json;
  readonly #text: string;
  readonly #parse: () => Document.Parsed | undefined;
  #parsed: { readonly document: Document.Parsed | undefined; readonly starts: readonly number[] } | undefined;

  /** `parse` is asked when the first place is. */
  constructor(file: PolicyFile, value: Json, parse: () => Document.Parsed | undefined) {
    this.file = file.path;
    this.value = value;
    this.#text = file.text;
    this.#parse = parse;
  }

  get #source() {
    this.#parsed ??= { document: this.#parse(), starts: lineStarts(this.#text) };
    return this.#parsed;
  }

  position(path: Path, at: "key" | "value" = "value"): SourcePosition {
    const { key, value } = this.#walk(path);
    const node = at === "key" ? (key ?? value) : (value ?? key);
    const { document, starts } = this.#source;
    return { file: this.file, ...placeAt(starts, node?.range?.[0] ?? document?.contents?.range[0] ?? 0) };
  }

  has(path: Path): boolean {
    return this.#walk(path).steps === path.length;
  }

  /** The deepest node on the path, the key that names it, and how many steps led there. */
  #walk(path: Path): { key: Node | undefined; value: Node | undefined; steps: number } {
    const { document } = this.#source;
    let value: Node | undefined = document?.contents ?? undefined;
    let key: Node | undefined;
    let steps = 0;
    for (const step of path) {
      const node: unknown = isAlias(value) && document !== undefined ? value.resolve(document) : value;
      if (isMap(node)) {
        const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(step));
        if (pair === undefined) break;
        key = isNode(pair.key) ? pair.key : undefined;
        value = isNode(pair.value) ? pair.value : undefined;
      } else if (isSeq(node) && typeof step === "number" && step < node.items.length) {
        const item = node.items[step];
        key = undefined;
        value = isNode(item) ? item : undefined;
      } else break;
      steps += 1;
    }
    return { key, value, steps };
  }
}

/** Offsets at which lines begin. The parser's own counter misses lines inside quotes that never close. */
function lineStarts(text: string): readonly number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

function placeAt(starts: readonly number[], offset: number): { readonly line: number; readonly column: number } {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return { line: low + 1, column: Math.max(0, offset - (starts[low] ?? 0)) + 1 };
}

function sentence(message: string): string {
  const line = (message.split("\n")[0] ?? "").trim();
  return line.endsWith(".") || line.endsWith(":") ? line.replace(/:$/, ".") : `${line}.`;
}

function duplicateText(text: string): string {
  const name = /^[^\s:,{}[\]]+/.exec(text)?.[0];
  return name ?? "A field";
}
