import {
  arrayAt,
  type Diagnostic,
  isObject,
  type Json,
  type JsonObject,
  KUEUE_QUEUE_LABEL,
  type ObjectKey,
  type OwnerReference,
  type Path,
  stringAt,
  stringMapAt,
  valueAt,
} from "../model/index.ts";
import { type Place, places, plainPath, templatePath } from "./path.ts";
import { groupOf } from "./table.ts";
import type { ExpressionScope, KindEntry, KindTable, PodSet, TemplateEntry, Workload } from "./types.ts";
import { podView } from "./view.ts";

/** More pods than any cluster holds; keeps damaged numbers finite. */
const MOST_PODS = 1_000_000_000;

/**
 * What a manifest asks for, as its operator would read it. Undefined for a kind that is not in the table. Absent, null and wrongly typed parts never
 * throw: they read as the operator's default, and an expression that fails is a diagnostic.
 */
export function readWorkload(
  object: JsonObject,
  table: KindTable,
  defaults: { readonly namespace?: string } = {},
): Workload | undefined {
  const namespace = defaults.namespace ?? "";
  const known = lastRead.get(object);
  if (known !== undefined && known.table === table && (known.says || known.namespace === namespace))
    return known.workload;
  const workload = read(object, table, namespace);
  if (workload !== undefined) {
    const says = workload.kind.clusterScoped === true || Boolean(stringAt(object, ["metadata", "namespace"]));
    lastRead.set(object, { table, namespace, says, workload });
  }
  return workload;
}

/** One reading for each object, since a review comes back to its object several times. It lives as long as the object, which never changes. */
const lastRead = new WeakMap<
  JsonObject,
  {
    readonly table: KindTable;
    readonly namespace: string;
    /** The namespace is the object's own, whatever it was read with. */
    readonly says: boolean;
    readonly workload: Workload;
  }
>();

function read(object: JsonObject, table: KindTable, namespace: string): Workload | undefined {
  const apiVersion = stringAt(object, ["apiVersion"]) ?? "";
  const kindName = stringAt(object, ["kind"]) ?? "";
  const kind = table.find(apiVersion, kindName);
  if (kind === undefined) return undefined;
  const diagnostics: Diagnostic[] = [];
  const controller = controllerOf(object);
  const labels = stringMapAt(object, ["metadata", "labels"]);
  const uid = stringAt(object, ["metadata", "uid"]);
  const key: ObjectKey = {
    apiVersion,
    kind: kindName,
    namespace: kind.clusterScoped === true ? "" : stringAt(object, ["metadata", "namespace"]) || namespace,
    name: stringAt(object, ["metadata", "name"]) ?? "",
    ...(uid === undefined || uid === "" ? {} : { uid }),
  };
  return {
    key,
    generateName: stringAt(object, ["metadata", "generateName"]) || undefined,
    object,
    kind,
    labels,
    annotations: stringMapAt(object, ["metadata", "annotations"]),
    controller,
    root: isRoot(kind, controller, table),
    suspended: isSuspended(object, kind),
    queue: labels[KUEUE_QUEUE_LABEL] || undefined,
    deleting: typeof valueAt(object, ["metadata", "deletionTimestamp"]) === "string",
    podSets: readPodSets(object, kind, table, diagnostics),
    diagnostics,
  };
}

/** A bare pod held by scheduling gates counts as suspended too. */
export function isSuspended(object: JsonObject, kind: KindEntry): boolean {
  if (kind.apiVersion === "v1" && kind.kind === "Pod") return arrayAt(object, ["spec", "schedulingGates"]).length > 0;
  return kind.suspend !== undefined && valueAt(object, plainPath(kind.suspend)) === true;
}

function isRoot(kind: KindEntry, controller: OwnerReference | undefined, table: KindTable): boolean {
  const owner = controller === undefined ? undefined : table.findOwner(groupOf(controller.apiVersion), controller.kind);
  if (owner === undefined || owner.life === "templateOnly") return true;
  return owner.launches === true && !owner.makes.includes(`${groupOf(kind.apiVersion)}/${kind.kind}`);
}

function controllerOf(object: JsonObject): OwnerReference | undefined {
  for (const reference of arrayAt(object, ["metadata", "ownerReferences"])) {
    if (valueAt(reference, ["controller"]) !== true) continue;
    const text = (field: string) => stringAt(reference, [field]) ?? "";
    return {
      apiVersion: text("apiVersion"),
      kind: text("kind"),
      name: text("name"),
      uid: text("uid"),
      controller: true,
    };
  }
  return undefined;
}

function readPodSets(
  object: JsonObject,
  kind: KindEntry,
  table: KindTable,
  diagnostics: Diagnostic[],
): readonly PodSet[] {
  const whole: ExpressionScope = { object, item: object, key: "" };
  const factor = kind.peak === undefined ? 1 : (wholeNumber(table.expression(kind.peak).value(whole)) ?? 1);
  const taken = new Set<string>();
  const sets: PodSet[] = [];
  for (const entry of kind.templates) {
    const path = templatePath(entry.path);
    for (const place of path === undefined ? [] : places(object, path)) {
      const present = isObject(place.value);
      if (!present && entry.absentMeansNone) continue;
      const scope = { object, item: place.item, key: place.key };
      const evaluate = (expression: string) => table.expression(expression).value(scope);
      if (entry.when !== undefined && evaluate(entry.when) !== true) continue;
      const number = (what: string, expression: string, fallback: number): number => {
        const value = wholeNumber(evaluate(expression));
        if (value !== undefined) return value;
        diagnostics.push(failed(what, fallback, expression, place.path));
        return fallback;
      };
      const role = nonEmpty(entry.roleName === undefined ? undefined : evaluate(entry.roleName)) ?? entry.role;
      const count = Math.max(0, number("count", entry.count, 1));
      const minimum = entry.minimum === undefined ? -1 : number("minimum", entry.minimum, -1);
      const peak = entry.peak === undefined ? count : number("peak", entry.peak, count);
      const groupSize =
        entry.groupSize === undefined ? undefined : Math.max(1, number("group size", entry.groupSize, 1));
      sets.push({
        name: uniqueName(setName(entry, place, evaluate), taken),
        role,
        entry,
        pod: podView(place, entry, scope, evaluate),
        present,
        itemPath: place.itemPath,
        path: place.path,
        specPath: entry.shape === "Pod" || entry.shape === "PodTemplateSpec" ? [...place.path, "spec"] : place.path,
        count,
        minimum: minimum < 0 ? undefined : Math.min(minimum, count),
        peak: Math.min(MOST_PODS, Math.max(count, peak) * Math.max(1, factor)),
        perNode: kind.life === "perNode",
        groupSize,
        gangLabel: kind.gangLabel,
      });
    }
  }
  return kind.minimum === undefined
    ? sets
    : dealMinimum(sets, wholeNumber(table.expression(kind.minimum).value(whole)) ?? -1);
}

/** A minimum of the whole workload is dealt out to its pod sets in their order; what a set itself requires counts towards it. */
function dealMinimum(sets: readonly PodSet[], minimum: number): readonly PodSet[] {
  if (minimum < 0) return sets;
  let rest = minimum;
  return sets.map((set) => {
    const own = set.minimum ?? Math.min(set.count, Math.max(0, rest));
    rest -= own;
    return { ...set, minimum: own };
  });
}

function setName(entry: TemplateEntry, place: Place, evaluate: (expression: string) => unknown): string {
  const given = entry.name === undefined ? undefined : nonEmpty(evaluate(entry.name));
  if (given !== undefined) return given;
  if (place.index !== undefined) return nonEmpty(valueAt(place.item, ["name"])) ?? `${entry.role}-${place.index}`;
  return place.key === "" ? entry.role : place.key;
}

function uniqueName(name: string, taken: Set<string>): string {
  let unique = name;
  for (let suffix = 1; taken.has(unique); suffix += 1) unique = `${name}-${suffix}`;
  taken.add(unique);
  return unique;
}

function nonEmpty(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

function wholeNumber(value: unknown): number | undefined {
  const number = typeof value === "bigint" || typeof value === "number" ? Number(value) : Number.NaN;
  return Number.isInteger(number) ? Math.min(number, MOST_PODS) : undefined;
}

function failed(what: string, fallback: number, expression: string, path: Path): Diagnostic {
  const seen: Json = expression.length > 120 ? `${expression.slice(0, 117)}...` : expression;
  return {
    code: "KindExpressionFailed",
    severity: "warning",
    message: `the ${what} of this pod set could not be computed from ${seen}, so ${fallback < 0 ? "none" : fallback} is assumed`,
    hint: "read numbers with whole(object, path, default), which takes any value",
    path,
  };
}
