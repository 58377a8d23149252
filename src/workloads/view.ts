import {
  arrayAt,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  type Path,
  stringAt,
  stringMapAt,
  valueAt,
} from "../model/index.ts";
import { mergeTemplates } from "./merge.ts";
import { withOutside } from "./outside.ts";
import { type Place, secondaryPath } from "./path.ts";
import type { ExpressionScope, PodField, PodSet, TemplateEntry } from "./types.ts";

type Labels = Readonly<Record<string, string>>;

/** Fields that stand in a PodSpec under their own name. */
export const SPEC_FIELDS = [
  "nodeSelector",
  "affinity",
  "tolerations",
  "topologySpreadConstraints",
  "resourceClaims",
  "priorityClassName",
  "terminationGracePeriodSeconds",
  "schedulingGroup",
] as const satisfies readonly PodField[];

/**
 * The pod as its operator will make it: template over base, fields from where the kind keeps them, containers that stand outside `containers`, and
 * resources that stand outside a container.
 */
export function podView(
  place: Place,
  entry: TemplateEntry,
  scope: ExpressionScope,
  evaluate: (expression: string) => unknown,
): PodSet["pod"] {
  const { itemPath } = place;
  const at = (path: string | null | undefined): Json | undefined =>
    typeof path === "string" ? (valueAt(scope.object, secondaryPath(path, itemPath)) ?? undefined) : undefined;
  const [metadata, own] = parts(
    entry,
    place.value,
    at(entry.base),
    entry.mergeByName !== undefined && evaluate(entry.mergeByName) === true,
  );

  const fields: Record<string, Json | undefined> = {};
  for (const field of SPEC_FIELDS) {
    const value = joined(field, valueAt(own, [field]), at(entry.fields[field])) ?? at(entry.inherits?.[field]);
    if (value !== undefined) fields[field] = value;
  }
  const outer = outerContainers(entry, itemPath, scope.object);
  const init = arrayAt(at(entry.inlineInitContainers), []);
  const spec: JsonObject = {
    ...own,
    ...fields,
    ...(outer.length === 0 ? {} : { containers: [...outer, ...arrayAt(own, ["containers"])] }),
    ...(init.length === 0 ? {} : { initContainers: [...arrayAt(own, ["initContainers"]), ...init] }),
  };
  const both = (key: "labels" | "annotations"): Labels => ({
    ...stringMapAt(at(entry.inherits?.[key]), []),
    ...stringMapAt(metadata, [key]),
    ...stringMapAt(at(entry[key]), []),
  });
  return {
    labels: both("labels"),
    annotations: both("annotations"),
    spec: entry.outside === undefined ? spec : withOutside(spec, entry.outside, scope, itemPath, evaluate),
  };
}

/** Metadata and PodSpec of the template, over its base. */
function parts(
  entry: TemplateEntry,
  value: Json | undefined,
  base: Json | undefined,
  byName: boolean,
): readonly [JsonObject, JsonObject] {
  if (entry.shape === "inline") return [{}, {}];
  if (!isObject(value) && base === undefined) return [{}, entry.defaultSpec ?? {}];
  const own = isObject(value) ? value : {};
  const template = isObject(base) ? mergeTemplates(base, own, byName) : own;
  return entry.shape === "PodSpec" ? [{}, template] : [objectAt(template, ["metadata"]), objectAt(template, ["spec"])];
}

/** Selectors of both places hold, tolerations add up, and anything else from the kind's own place wins. */
function joined(field: PodField, inTemplate: Json | undefined, elsewhere: Json | undefined): Json | undefined {
  if (elsewhere === undefined) return inTemplate ?? undefined;
  if (field === "nodeSelector" && isObject(inTemplate) && isObject(elsewhere)) return { ...inTemplate, ...elsewhere };
  if (field === "tolerations" && isArray(inTemplate) && isArray(elsewhere)) return [...inTemplate, ...elsewhere];
  return elsewhere;
}

function outerContainers(entry: TemplateEntry, itemPath: Path, object: JsonObject): readonly Json[] {
  const single = (entry.inlineContainers ?? []).flatMap((text) => {
    const container = valueAt(object, secondaryPath(text, itemPath));
    const name = text.slice(text.lastIndexOf(".") + 1);
    return isObject(container)
      ? [stringAt(container, ["name"]) === undefined ? { ...container, name } : container]
      : [];
  });
  return [
    ...single,
    ...(entry.inlineContainerLists ?? []).flatMap((text) => arrayAt(object, secondaryPath(text, itemPath))),
  ];
}
