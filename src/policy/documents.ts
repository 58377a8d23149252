import { type Diagnostic, isObject, type Json, type JsonObject, type Path, stringAt } from "../model/index.ts";
import { finding, type PolicyCode } from "./codes.ts";
import { DOCUMENT_KINDS, type DocumentKind, isDocumentKind } from "./schema/index.ts";
import { checkSchema } from "./schemaCheck.ts";
import { readDocuments, type SourceDocument } from "./source.ts";
import { suggestion } from "./suggest.ts";
import type { PolicyFile } from "./types.ts";
import { underlay } from "./underlay.ts";

/** A document of a known kind with a name. `sound`: it passed its schema, so its spec may be read by the schema's type. */
export interface Declared {
  readonly kind: DocumentKind;
  readonly name: string;
  readonly spec: JsonObject;
  readonly sound: boolean;
  readonly source: SourceDocument;
}

export type DeclaredByKind = Readonly<Record<DocumentKind, ReadonlyMap<string, Declared>>>;

/** Collects what is wrong, with positions. */
export interface Report {
  readonly diagnostics: Diagnostic[];
  /** About the value (or the name) of a field inside `spec` of a document. */
  about(declared: Declared, code: PolicyCode, path: Path, message: string, hint?: string, at?: "key" | "value"): void;
}

export function createReport(): Report {
  const diagnostics: Diagnostic[] = [];
  return {
    diagnostics,
    about({ kind, name, source }, code, path, message, hint, at) {
      const whole: Path = ["spec", ...path];
      diagnostics.push(
        finding(code, `${kind} ${name}: ${message}`, { hint, path: whole, source: source.position(whole, at) }),
      );
    },
  };
}

/** Reads every document of every file, and reports what its own text decides: syntax, schema, duplicate names. */
export function readDeclarations(
  files: readonly PolicyFile[],
  platform: PolicyFile | undefined,
  report: Report,
  detected: JsonObject = {},
): DeclaredByKind {
  const found = Object.fromEntries(
    DOCUMENT_KINDS.map((kind) => [kind, new Map<string, Declared>()]),
  ) as unknown as Record<DocumentKind, Map<string, Declared>>;
  const all = [
    ...files.map((file) => ({ file, replaced: platform !== undefined })),
    ...(platform === undefined ? [] : [{ file: platform, replaced: false }]),
  ];
  for (const { file, replaced } of all) {
    if (NOT_POLICY.test(file.path) || (replaced && PLATFORM_FILE.test(file.path))) continue;
    const { documents, diagnostics } = readDocuments(file);
    report.diagnostics.push(...diagnostics);
    for (const document of documents) {
      const declared = readDeclaration(document, report, detected);
      if (declared === undefined || (replaced && declared.kind === "Platform")) continue;
      const first = found[declared.kind].get(declared.name);
      if (first === undefined) found[declared.kind].set(declared.name, declared);
      else reportDuplicate(first, declared, report);
    }
  }
  return found;
}

/** How a folder becomes a ConfigMap; kustomize reads it, and it declares nothing. */
const NOT_POLICY = /(^|\/)kustomization\.ya?ml$/;
const PLATFORM_FILE = /(^|\/)platform\.(ya?ml|json)$/;

function readDeclaration(source: SourceDocument, report: Report, detected: JsonObject): Declared | undefined {
  const value = withDetected(source.value, detected);
  if (!isObject(value)) {
    const message = "The document is not an object with apiVersion, kind, metadata and spec.";
    report.diagnostics.push(
      finding("NotADocument", message, {
        source: source.position([]),
        hint: `Kinds are ${DOCUMENT_KINDS.join(", ")}.`,
      }),
    );
    return undefined;
  }
  const kind = value["kind"];
  if (!isDocumentKind(kind)) {
    const path: Path = ["kind"];
    const text = typeof kind === "string" ? kind : "";
    const message =
      text === "" ? "The document does not say its kind." : `${text.slice(0, 80)} is not a kind of policy document.`;
    const code = text === "" ? "NotADocument" : "UnknownKind";
    report.diagnostics.push(
      finding(code, message, {
        path,
        source: source.position(path),
        hint: suggestion(text || "?", DOCUMENT_KINDS, "Kinds are"),
      }),
    );
    return undefined;
  }
  const faults = checkSchema(kind, value);
  const name = stringAt(value, ["metadata", "name"]) ?? "";
  for (const { diagnostic, at } of faults) {
    const path = diagnostic.path ?? [];
    report.diagnostics.push({
      ...diagnostic,
      message: `${name === "" ? kind : `${kind} ${name}`}: ${diagnostic.message}`,
      source: source.position(path, at),
    });
  }
  if (name === "") return undefined;
  const spec = value["spec"];
  return { kind, name, spec: isObject(spec) ? spec : {}, sound: faults.length === 0, source };
}

/** A Platform over what was detected, so that its schema is met by both together. */
function withDetected(value: Json | undefined, detected: JsonObject): Json | undefined {
  if (!isObject(value) || value["kind"] !== "Platform" || Object.keys(detected).length === 0) return value;
  const { spec = {} } = value;
  return isObject(spec) ? { ...value, spec: underlay(spec, detected) } : value;
}

function reportDuplicate(first: Declared, second: Declared, report: Report): void {
  const path: Path = ["metadata", "name"];
  const there = first.source.position(path);
  const message = `${second.kind} ${second.name} is declared here and at ${there.file}:${there.line}:${there.column}.`;
  report.diagnostics.push(
    finding("DuplicateName", message, {
      path,
      source: second.source.position(path),
      hint: "Rename one of the two, or delete it.",
    }),
  );
}
