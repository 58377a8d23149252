import { checkKindEntry, type KindEntry, type TemplateEntry } from "../workloads/index.ts";
import { given } from "./contract.ts";
import type { Declared, Report } from "./documents.ts";
import type { WorkloadKindSpec } from "./schema/kind.ts";

type TemplateSpec = WorkloadKindSpec["templates"][number];

/** The row of the kind table that a sound document adds. */
export function kindEntryOf({ spec: json }: Declared): KindEntry {
  const spec = json as WorkloadKindSpec;
  return {
    apiVersion: spec.apiVersion,
    kind: spec.kind,
    plural: spec.plural,
    life: spec.life,
    builtin: false,
    makes: spec.makes ?? [],
    templates: spec.templates.map(templateOf),
    ...given("versions", spec.versions),
    ...given("gangLabel", spec.gangLabel),
    ...given("suspend", spec.suspend),
    scale: spec.scale ?? false,
    ...given("childAnnotations", spec.childAnnotations),
    mutability: { template: spec.mutability?.template ?? "always", except: spec.mutability?.except ?? [] },
    ...given("minimum", spec.minimum),
    ...given("peak", spec.peak),
  };
}

export function checkKind(declared: Declared, entry: KindEntry, report: Report): void {
  for (const { message, hint, path } of checkKindEntry(entry)) {
    report.about(
      declared,
      "KindInvalid",
      path ?? [],
      `${message}.`,
      hint === undefined ? undefined : `${hint.charAt(0).toUpperCase()}${hint.slice(1)}.`,
    );
  }
}

function templateOf(spec: TemplateSpec): TemplateEntry {
  const { outside } = spec;
  return {
    role: spec.role,
    path: spec.path,
    shape: spec.shape ?? "PodTemplateSpec",
    count: spec.count,
    ...given("minimum", spec.minimum),
    ...given("peak", spec.peak),
    ...given("name", spec.name),
    ...given("base", spec.base),
    ...given("when", spec.when),
    optional: spec.optional ?? false,
    absentMeansNone: spec.absentMeansNone ?? true,
    ...given("labels", spec.labels),
    ...given("annotations", spec.annotations),
    fields: spec.fields ?? {},
    ...(outside === undefined ? {} : { outside: { ...outside, dialect: outside.dialect ?? "kubernetes" } }),
    interrupt: spec.interrupt ?? "allowed",
    ...given("groupSize", spec.groupSize),
  };
}
