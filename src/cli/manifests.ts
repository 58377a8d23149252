import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseAllDocuments,
} from "yaml";
import type { TextFile } from "../files.ts";
import {
  arrayAt,
  type Diagnostic,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  type SourcePosition,
  stringAt,
} from "../model/index.ts";

/** One object of a manifest file, and where each of its fields stands. */
export interface Manifest {
  readonly file: string;
  readonly object: JsonObject;
  /** The position of a field; of the nearest enclosing one where it is absent. */
  readonly position: (path: Path) => SourcePosition;
}

export interface Manifests {
  readonly manifests: readonly Manifest[];
  /** Documents that could not be read. They hide no neighbour. */
  readonly diagnostics: readonly Diagnostic[];
}

const MAX_ALIASES = 100;

/** Objects of every document; a List stands for its items, an AdmissionReview for the object under review. */
export function readManifests(files: readonly TextFile[]): Manifests {
  const manifests: Manifest[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const file of files) {
    const lines = new LineCounter();
    const documents = parseAllDocuments(file.text, {
      lineCounter: lines,
      prettyErrors: false,
      uniqueKeys: true,
      keepSourceTokens: false,
    });
    if (!Array.isArray(documents)) continue;
    for (const document of documents) readDocument(file.path, document, lines, manifests, diagnostics);
  }
  return { manifests, diagnostics };
}

function readDocument(
  file: string,
  document: Document.Parsed,
  lines: LineCounter,
  manifests: Manifest[],
  diagnostics: Diagnostic[],
): void {
  const at = (offset: number): SourcePosition => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(1, line), column: Math.max(1, col) };
  };
  const [fault] = document.errors;
  if (fault !== undefined) {
    diagnostics.push({
      code: "UnreadableManifest",
      severity: "error",
      message: `The document is not valid YAML: ${fault.message}.`,
      hint: "Nothing in this document was checked.",
      source: at(fault.pos[0]),
    });
    return;
  }
  if (document.contents === null || (isScalar(document.contents) && document.contents.value === null)) return;
  let value: Json;
  try {
    value = document.toJS({ maxAliasCount: MAX_ALIASES }) as Json;
  } catch (problem) {
    diagnostics.push({
      code: "UnreadableManifest",
      severity: "error",
      message: `The document cannot be read: ${problem instanceof Error ? problem.message : String(problem)}.`,
      source: at(document.range[0]),
    });
    return;
  }
  const add = (object: Json | undefined, prefix: Path) => {
    const position = (path: Path) => at(offsetOf(document, [...prefix, ...path]));
    if (
      !isObject(object) ||
      stringAt(object, ["kind"]) === undefined ||
      stringAt(object, ["apiVersion"]) === undefined
    ) {
      diagnostics.push({
        code: "NotAnObject",
        severity: "error",
        message: "The document is not a Kubernetes object: it has no apiVersion and kind.",
        source: position([]),
      });
    } else if (stringAt(object, ["kind"]) === "AdmissionReview") {
      add(isObject(object["request"]) ? (object["request"]["object"] ?? object["request"]["oldObject"]) : undefined, [
        ...prefix,
        "request",
        "object",
      ]);
    } else if (/List$/.test(stringAt(object, ["kind"]) ?? "") && Array.isArray(object["items"])) {
      arrayAt(object, ["items"]).forEach((item, index) => void add(item, [...prefix, "items", index]));
    } else manifests.push({ file, object, position });
  };
  add(value, []);
}

/** Where the field's key stands in the text; the nearest parent's where the field is absent. */
function offsetOf(document: Document.Parsed, path: Path): number {
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
