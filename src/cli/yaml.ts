import { loadAll } from "js-yaml";
import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  type Node,
  type ParsedNode,
  parseAllDocuments,
} from "yaml";
import type { Json, Path } from "../model/index.ts";
import { KUBERNETES_SCHEMA, kubernetesTags } from "./dialect.ts";

/** One document of a text. Offsets count from the start of the text. */
export interface YamlDocument {
  readonly value: Json;
  /** Where the field's key stands; the nearest parent's where the field is absent. */
  readonly offsetOf: (path: Path) => number;
}

export interface YamlFault {
  readonly offset: number;
  readonly message: string;
}

const MAX_ALIASES = 100;

/** YAML as kubectl reads it, document by document: a faulty one hides no other. Never throws. */
export function readYaml(text: string): {
  readonly documents: readonly YamlDocument[];
  readonly faults: readonly YamlFault[];
} {
  const documents: YamlDocument[] = [];
  const faults: YamlFault[] = [];
  for (const { start, end } of chunks(text)) {
    const chunk = text.slice(start, end);
    const quick = readQuickly(chunk, start);
    if (quick !== undefined) {
      if (quick.value !== null) documents.push(quick);
      continue;
    }
    for (const document of readExactly(chunk, start)) {
      if ("message" in document) faults.push(document);
      else if (document.value !== null) documents.push(document);
    }
  }
  return { documents, faults };
}

/** As kubectl splits a stream: `---` at the start of a line ends a document wherever it stands. */
function chunks(text: string): { start: number; end: number }[] {
  const starts = [0, ...[...text.matchAll(/\n(?=---(?:\s|$))/g)].map(({ index }) => index + 1)];
  return starts.map((start, index) => ({ start, end: starts[index + 1] ?? text.length }));
}

/** Anchors and aliases where YAML allows them (not `&&` in a script), tags, merges and infinities. */
const NOT_QUICK = /(?:^|[\s[{,])(?:&[^\s&]|\*\S)|!!|<<|\.(?:inf|nan)/im;

/**
 * The value by a parser ten times as fast; places cost the other one's time, and only where somebody asks. Undefined
 * for what needs that one at once: faults, several documents, and anything that might be an anchor, alias, tag or merge.
 */
function readQuickly(text: string, start: number): YamlDocument | undefined {
  if (NOT_QUICK.test(text)) return undefined;
  let value: Json;
  try {
    const [only, second] = loadAll(text, null, { schema: KUBERNETES_SCHEMA }) as Json[];
    if (second !== undefined) return undefined;
    value = only ?? null;
  } catch {
    return undefined;
  }
  let exact: YamlDocument | undefined;
  const offsetOf = (path: Path): number => {
    const head = /^(?:(?:---)?[ \t]*(?:#.*)?\r?\n)*/.exec(text)?.[0].length ?? 0;
    if (path.length === 0 && /\w/.test(text[head] ?? "")) return start + head;
    exact ??= readExactly(text, start).find((one) => "value" in one);
    return exact?.offsetOf(path) ?? start + head;
  };
  return { value, offsetOf };
}

const TOO_DEEP = "the document nests too deep to be read";

/** The parser hands on in an engine's words that a document goes deeper than it can follow. */
const worded = (message: string): string => (/call stack|recursion/i.test(message) ? TOO_DEEP : message);

function readExactly(text: string, start: number): readonly (YamlDocument | YamlFault)[] {
  let found: readonly Document.Parsed<ParsedNode>[];
  try {
    const parsed = parseAllDocuments(text, {
      customTags: kubernetesTags,
      merge: true,
      prettyErrors: false,
      logLevel: "silent",
    });
    found = "empty" in parsed ? [] : parsed;
  } catch {
    return [{ offset: start, message: TOO_DEEP }];
  }
  return found.map((document): YamlDocument | YamlFault => {
    const [error] = document.errors;
    if (error !== undefined) return { offset: start + error.pos[0], message: worded(error.message) };
    try {
      const value = document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
      const odd = notJson(value ?? null);
      if (odd !== undefined) return { offset: start + document.range[0], message: `JSON has no value ${odd}` };
      return { value: value ?? null, offsetOf: (path) => start + offsetIn(document, path) };
    } catch (problem) {
      const message = problem instanceof RangeError ? TOO_DEEP : String(problem);
      return { offset: start + document.range[0], message: message.replace(/^\w*Error: /, "") };
    }
  });
}

/** A number that YAML knows and JSON does not, where there is one. */
function notJson(value: Json): number | undefined {
  if (typeof value === "number") return Number.isFinite(value) ? undefined : value;
  if (typeof value !== "object" || value === null) return undefined;
  for (const item of Object.values(value)) {
    const found = notJson(item as Json);
    if (found !== undefined) return found;
  }
  return undefined;
}

function offsetIn(document: Document.Parsed<ParsedNode>, path: Path): number {
  let node: unknown = document.contents;
  let offset = startOf(document.contents) ?? document.range[0];
  for (const step of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (typeof step === "number" && isSeq(node)) node = node.items[step];
    else if (typeof step === "string" && isMap(node)) {
      const pair = node.items.find((item) => isPair(item) && isScalar(item.key) && String(item.key.value) === step);
      if (pair === undefined) return offset;
      offset = startOf(pair.key as Node) ?? offset;
      node = pair.value;
      continue;
    } else return offset;
    offset = startOf(node as Node | undefined) ?? offset;
  }
  return offset;
}

function startOf(node: Node | null | undefined): number | undefined {
  return node?.range?.[0];
}
