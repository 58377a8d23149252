import type { TextFile } from "../files.ts";
import {
  type Diagnostic,
  isObject,
  type Json,
  type JsonObject,
  type Path,
  type SourcePosition,
  stringAt,
} from "../model/index.ts";
import { jsonLines, jsonOffsets, jsonRun, type LineFinder, lineFinder } from "../topology/index.ts";
import type { CliCode } from "./codes.ts";
import { readYaml } from "./yaml.ts";

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

/** Lists in Lists; nobody writes more than one. */
const MAX_LIST_DEPTH = 8;

/** Objects of every document; a List stands for its items, an AdmissionReview for the object under review. */
export function readManifests(files: readonly TextFile[]): Manifests {
  const manifests: Manifest[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const { path: file, text: raw } of files) {
    const text = raw.charCodeAt(0) === 0xfeff ? raw.slice(1) : raw;
    const lines = lineFinder(file, text);
    const json = readJson(text);
    const { documents, faults } = json === undefined ? readYaml(text) : { documents: json, faults: [] };
    const wrong = faults.map(({ offset, message }) => unreadable(lines, offset, message));
    for (const { value, offsetOf } of documents) {
      const found = objectsIn(value);
      for (const { object, path } of found) {
        const position = (within: Path) => lines.position(offsetOf([...path, ...within]));
        if (object === undefined) wrong.push(notAnObject(position([])));
        else manifests.push({ file, object, position });
      }
    }
    diagnostics.push(...inTextOrder(wrong));
  }
  return { manifests, diagnostics };
}

/** By line, then column; what stands at one place keeps its order. */
export function inTextOrder(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return [...diagnostics].sort(
    (a, b) => (a.source?.line ?? 0) - (b.source?.line ?? 0) || (a.source?.column ?? 0) - (b.source?.column ?? 0),
  );
}

/** JSON documents, one after the other. Undefined where the text is none after all: YAML in brackets, or a fault. */
function readJson(text: string): readonly { value: Json; offsetOf: (path: Path) => number }[] | undefined {
  if (!/^\s*\{/.test(text)) return undefined;
  try {
    return (jsonRun(text) ?? jsonLines(text)).map(({ start, end }) => ({
      value: JSON.parse(text.slice(start, end)) as Json,
      offsetOf: jsonOffsets(text, start),
    }));
  } catch {
    return undefined;
  }
}

/** What stands in a document, with the way to it; undefined for what is no Kubernetes object. */
function objectsIn(
  value: Json | undefined,
  path: Path = [],
  inherited?: { readonly apiVersion: string; readonly kind: string },
): readonly { readonly object: JsonObject | undefined; readonly path: Path }[] {
  const object: JsonObject | undefined = isObject(value) ? { ...inherited, ...value } : undefined;
  const kind = stringAt(object, ["kind"]);
  const apiVersion = stringAt(object, ["apiVersion"]);
  if (object === undefined || kind === undefined || apiVersion === undefined) return [{ object: undefined, path }];
  if (kind === "AdmissionReview") {
    const request = isObject(object["request"]) ? object["request"] : {};
    const field = isObject(request["object"]) ? "object" : "oldObject";
    return objectsIn(request[field], [...path, "request", field]);
  }
  const items = object["items"];
  if (!kind.endsWith("List") || !Array.isArray(items) || path.length > 2 * MAX_LIST_DEPTH) return [{ object, path }];
  // Items of a typed list carry no kind of their own, as the API server prints them.
  const type = kind === "List" ? undefined : { apiVersion, kind: kind.slice(0, -"List".length) };
  return (items as readonly Json[]).flatMap((item, index) => objectsIn(item, [...path, "items", index], type));
}

function unreadable(lines: LineFinder, offset: number, message: string): Diagnostic {
  const code: CliCode = "UnreadableManifest";
  return {
    code,
    severity: "error",
    message: `The document cannot be read: ${message.replace(/[.\s]*$/, ".")}`,
    hint: "Nothing in it was checked.",
    source: lines.position(offset),
  };
}

function notAnObject(source: SourcePosition): Diagnostic {
  const code: CliCode = "NotAnObject";
  return {
    code,
    severity: "error",
    message: "This is not a Kubernetes object: it has no apiVersion and kind.",
    hint: "Keep other YAML out of the folder, or name the manifests one by one.",
    source,
  };
}
