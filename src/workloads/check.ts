import type { Diagnostic } from "../model/index.ts";
import { expressionCompiler } from "./expression.ts";
import { templatePath } from "./path.ts";
import type { KindEntry, TemplateEntry } from "./types.ts";

const MAKES = /^[a-z0-9.-]*\/[A-Z][A-Za-z0-9]*$/;
const GROUP_VERSION = /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?\/)?v[a-z0-9]+$/;

/** Faults of a table row: paths that are not template paths, expressions that do not compile. Paths of the diagnostics are within the row. */
export function checkKindEntry(entry: KindEntry): readonly Diagnostic[] {
  const faults: Diagnostic[] = [];
  const compile = expressionCompiler();
  const fault = (message: string, path: Diagnostic["path"], hint?: string) =>
    faults.push({
      code: "KindEntryInvalid",
      severity: "error",
      message,
      ...(path === undefined ? {} : { path }),
      ...(hint === undefined ? {} : { hint }),
    });
  const expression = (text: string | undefined, path: Diagnostic["path"]) => {
    const wrong = text === undefined ? undefined : compile(text).fault;
    if (wrong !== undefined) fault(`the expression does not compile: ${wrong}`, path);
  };
  const plain = (text: string | null | undefined, path: Diagnostic["path"]) => {
    const compiled = typeof text === "string" ? templatePath(text.startsWith("$.") ? text.slice(2) : text) : undefined;
    if (typeof text !== "string" || (compiled !== undefined && compiled.itemLength === 0)) return;
    fault(`${text} is not a plain path`, path, "write keys with dots between them, as in spec.podMetadata.labels");
  };

  if (!GROUP_VERSION.test(entry.apiVersion)) fault(`${entry.apiVersion} is not an apiVersion`, ["apiVersion"]);
  for (const [index, made] of entry.makes.entries()) {
    if (!MAKES.test(made))
      fault(`${made} does not name a kind`, ["makes", index], "write group/Kind, and /Pod for the core group");
  }
  plain(entry.suspend, ["suspend"]);
  plain(entry.childAnnotations, ["childAnnotations"]);
  expression(entry.minimum, ["minimum"]);
  expression(entry.peak, ["peak"]);
  for (const [index, template] of entry.templates.entries())
    checkTemplate(template, ["templates", index], fault, expression, plain);
  return faults;
}

type Check = (text: string | undefined, path: Diagnostic["path"]) => void;
type CheckPath = (text: string | null | undefined, path: Diagnostic["path"]) => void;
type Fault = (message: string, path: Diagnostic["path"], hint?: string) => void;

function checkTemplate(
  template: TemplateEntry,
  at: readonly (string | number)[],
  fault: Fault,
  expression: Check,
  plain: CheckPath,
): void {
  if (templatePath(template.path) === undefined) {
    fault(
      `${template.path} is not a template path`,
      [...at, "path"],
      "write keys with dots, [*] for list items, {*} for map values, $ for the object",
    );
  }
  for (const field of ["count", "minimum", "peak", "name", "groupSize", "roleName", "when", "mergeByName"] as const) {
    expression(template[field], [...at, field]);
  }
  plain(template.base, [...at, "base"]);
  plain(template.labels, [...at, "labels"]);
  plain(template.annotations, [...at, "annotations"]);
  for (const [field, path] of Object.entries(template.fields)) plain(path, [...at, "fields", field]);
  for (const [field, path] of Object.entries(template.inherits ?? {})) plain(path, [...at, "inherits", field]);
  for (const [index, path] of (template.inlineContainers ?? []).entries())
    plain(path, [...at, "inlineContainers", index]);
  for (const [index, path] of (template.inlineContainerLists ?? []).entries())
    plain(path, [...at, "inlineContainerLists", index]);
  plain(template.inlineInitContainers, [...at, "inlineInitContainers"]);
  const { outside } = template;
  if (outside === undefined) return;
  for (const field of ["cpu", "cpuRequest", "memory", "memoryOverhead", "gpu", "resources"] as const)
    plain(outside[field], [...at, "outside", field]);
  for (const field of ["when", "overheadFactor"] as const) expression(outside[field], [...at, "outside", field]);
  for (const field of ["cpu", "memory"] as const)
    expression(outside.defaults?.[field], [...at, "outside", "defaults", field]);
}
