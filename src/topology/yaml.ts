import { CORE_SCHEMA, loadAll } from "js-yaml";
import { type Document, isAlias, isMap, isScalar, isSeq, type Node, type ParsedNode, parseAllDocuments } from "yaml";
import { isObject, type Json } from "../model/index.ts";

/** Aliases that one document may use, and how deep values may nest: both bound the work that a small text can cause. */
const MAX_ALIASES = 100;
const MAX_DEPTH = 128;

export interface YamlFault {
  readonly offset: number;
  readonly message: string;
}

/** One document. `itemOffsets` says where the items of a top-level sequence, or of its `items`, stand. */
export interface YamlPart {
  readonly value: Json;
  readonly offset: number;
  readonly itemOffsets: readonly number[];
}

interface YamlResult {
  readonly parts: readonly YamlPart[];
  readonly faults: readonly YamlFault[];
}

/**
 * YAML text, document by document: a faulty one hides no other. A document that is one long block List is read item by
 * item, so that a faulty item hides no other either, and memory holds one item's syntax tree at a time. Offsets
 * are into `text`.
 */
export function readYaml(text: string): YamlResult {
  const parts: YamlPart[] = [];
  const faults: YamlFault[] = [];
  for (const { start, end } of documents(text)) {
    const chunk = text.slice(start, end);
    const result = blockList(chunk) ?? readChunk(chunk);
    for (const part of result.parts) parts.push(shifted(part, start));
    for (const fault of result.faults) faults.push({ ...fault, offset: start + fault.offset });
  }
  return { parts, faults };
}

function shifted(part: YamlPart, by: number): YamlPart {
  return { value: part.value, offset: by + part.offset, itemOffsets: part.itemOffsets.map((offset) => by + offset) };
}

/** YAML keeps `---` at the start of a line for this use alone, even inside block scalars. */
function documents(text: string): { start: number; end: number }[] {
  const marks: number[] = [0];
  for (let at = text.indexOf("\n---"); at !== -1; at = text.indexOf("\n---", at + 4)) {
    const next = text[at + 4];
    if (next === undefined || next === "\n" || next === "\r" || next === " " || next === "\t") marks.push(at + 1);
  }
  return marks.map((start, index) => ({ start, end: marks[index + 1] ?? text.length }));
}

/**
 * Clusters are large and nearly always free of faults: a fast parser reads them first. Text that it does not take, and text with
 * anchors, tags or values that JSON lacks, goes to the parser that tells places and bounds aliases.
 */
function readChunk(text: string): YamlResult {
  return readQuickly(text) ?? readExactly(text);
}

function readQuickly(text: string): YamlResult | undefined {
  if (/[&*!]|<<|\b0b[01]|\.(?:inf|nan)/i.test(text) || /\n---/.test(text)) return undefined;
  const offset = /^(?:---.*\n|#.*\n|[ \t]*\n)*/.exec(text)?.[0].length ?? 0;
  try {
    const values = loadAll(text, null, { schema: CORE_SCHEMA }).filter(
      (value) => value !== null && value !== undefined,
    );
    // Where the items of a list stand is the other parser's to say.
    if (values.some((value) => (Array.isArray(value) ? value.length > 1 : isObject(value) && "items" in value)))
      return undefined;
    return { parts: values.map((value) => ({ value: value as Json, offset, itemOffsets: [offset] })), faults: [] };
  } catch {
    return undefined;
  }
}

function readExactly(text: string): YamlResult {
  const parts: YamlPart[] = [];
  const faults: YamlFault[] = [];
  let parsed: readonly Document.Parsed[];
  try {
    // Duplicate keys are found in `toJson`, in linear time.
    const found = parseAllDocuments(text, { uniqueKeys: false, prettyErrors: false, logLevel: "silent" });
    parsed = "empty" in found ? [] : found;
  } catch {
    return { parts, faults: [{ offset: 0, message: "the document nests too deep to be read" }] };
  }
  for (const document of parsed) {
    const error = document.errors[0];
    if (error !== undefined) {
      faults.push({ offset: error.pos[0], message: error.message });
      continue;
    }
    const offset = document.contents?.range[0] ?? 0;
    const value = toJson(document, text.length);
    if (value instanceof Problem) faults.push({ offset: value.offset ?? offset, message: value.message });
    else if (value !== null) parts.push({ value, offset, itemOffsets: itemOffsets(document.contents) });
  }
  return { parts, faults };
}

const ITEMS_LINE = /^items:[ \t]*(?:#.*)?\r?$/m;

/** A List in block style, split at its items by indentation. Undefined: the text is something else, or uses anchors. */
function blockList(text: string): YamlResult | undefined {
  const line = ITEMS_LINE.exec(text);
  if (line === null || /^[^#\n]*(?:^|[\s:-])[&*][A-Za-z0-9]/m.test(text)) return undefined;
  const bodyStart = line.index + line[0].length + 1;
  const first = /^( *)- /m.exec(text.slice(bodyStart, bodyStart + 10_000));
  if (first === null) return undefined;
  const indent = first[1]?.length ?? 0;
  const mark = `\n${" ".repeat(indent)}-`;
  const starts: number[] = [];
  for (let at = text.indexOf(mark, bodyStart - 1); at !== -1; at = text.indexOf(mark, at + 1)) {
    const next = text[at + mark.length];
    if (next === " " || next === "\n" || next === "\r" || next === undefined) starts.push(at + 1);
  }
  const bodyEnd = sectionEnd(text, starts.at(-1) ?? bodyStart, indent);
  // A key at column 0 between items would end the list early: leave that to the parser.
  const header = readChunk(`${text.slice(0, line.index)}\n${text.slice(bodyEnd)}`);
  const head = header.parts[0]?.value;
  if (header.faults.length > 0 || header.parts.length !== 1 || !isObject(head)) return undefined;
  if (typeof head["kind"] !== "string" || !head["kind"].endsWith("List") || head["items"] !== undefined)
    return undefined;
  const items: Json[] = [];
  const offsets: number[] = [];
  const faults: YamlFault[] = [];
  for (const [index, start] of starts.entries()) {
    const result = readChunk(text.slice(start, starts[index + 1] ?? bodyEnd));
    for (const fault of result.faults) faults.push({ ...fault, offset: start + fault.offset });
    for (const part of result.parts) {
      if (!Array.isArray(part.value)) continue;
      for (const item of part.value as readonly Json[]) {
        items.push(item);
        offsets.push(start + (part.itemOffsets[0] ?? 0));
      }
    }
  }
  return { parts: [{ value: { ...head, items }, offset: header.parts[0]?.offset ?? 0, itemOffsets: offsets }], faults };
}

/** Where the block that holds the last item ends: at the next line with less indentation that is no item. */
function sectionEnd(text: string, from: number, indent: number): number {
  for (let at = text.indexOf("\n", from); at !== -1; at = text.indexOf("\n", at + 1)) {
    let column = 0;
    while (text[at + 1 + column] === " ") column += 1;
    const character = text[at + 1 + column];
    if (character === undefined || character === "\n" || character === "\r" || character === "#") continue;
    if (column <= indent) return at + 1;
  }
  return text.length;
}

function itemOffsets(contents: ParsedNode | null): readonly number[] {
  const list = isMap(contents) ? contents.get("items", true) : contents;
  if (!isSeq(list)) return [];
  return list.items.map((item) => (item as Node | null)?.range?.[0] ?? 0);
}

class Problem {
  readonly message: string;
  readonly offset: number | undefined;
  constructor(message: string, offset: number | undefined) {
    this.message = message;
    this.offset = offset;
  }
}

/** The document as JSON: string keys, each once, aliases expanded within bounds. */
function toJson(document: Document.Parsed, size: number): Json | Problem {
  let aliases = 0;
  let budget = size * 4 + 10_000;
  const convert = (node: unknown, depth: number): Json | Problem => {
    budget -= 1;
    const offset = (node as Node | null)?.range?.[0];
    if (budget < 0) return new Problem("its aliases expand to far more than the text holds", offset);
    if (depth > MAX_DEPTH) return new Problem(`it nests deeper than ${MAX_DEPTH} levels`, offset);
    if (node === null || node === undefined) return null;
    if (isAlias(node)) {
      aliases += 1;
      if (aliases > MAX_ALIASES) return new Problem(`it uses more than ${MAX_ALIASES} aliases`, offset);
      const target = node.resolve(document);
      return target === undefined
        ? new Problem(`alias *${node.source} names no anchor`, offset)
        : convert(target, depth + 1);
    }
    if (isScalar(node)) return scalar(node.value, offset);
    if (isSeq(node)) {
      const list: Json[] = [];
      for (const item of node.items) {
        const value = convert(item, depth + 1);
        if (value instanceof Problem) return value;
        list.push(value);
      }
      return list;
    }
    if (!isMap(node)) return null;
    const result: Record<string, Json> = Object.create(null);
    for (const pair of node.items) {
      if (!isScalar(pair.key)) return new Problem("a key is not a plain value", offset);
      const key = String(pair.key.value);
      if (Object.hasOwn(result, key))
        return new Problem(`the key ${key} stands twice in one mapping`, pair.key.range?.[0]);
      const value = convert(pair.value, depth + 1);
      if (value instanceof Problem) return value;
      result[key] = value;
    }
    return result;
  };
  return convert(document.contents, 0);
}

function scalar(value: unknown, offset: number | undefined): Json | Problem {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number" && Number.isFinite(value)) return value;
  return new Problem(`${String(value).slice(0, 40)} is not a value that JSON can carry`, offset);
}
