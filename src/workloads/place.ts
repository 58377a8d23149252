import { arrayAt, isObject, type JsonObject, type Path, stringAt, valueAt } from "../model/index.ts";
import { secondaryPath } from "./path.ts";
import type { PodField, PodSet } from "./types.ts";

/**
 * Where the value of a field of the set's pods stands, from the root of the object; undefined where the kind cannot carry it (its CRD prunes
 * the field, or a template that is missing must not be created in part). The value, and parents below the template, may be absent.
 * For `containerResources` and `containerClaims` it is the list of containers; see `containerPath` for one of them.
 */
export function fieldPath(set: PodSet, field: PodField): Path | undefined {
  const { entry } = set;
  const elsewhere = field === "labels" || field === "annotations" ? entry[field] : entry.fields[field];
  if (elsewhere === null) return undefined;
  if (elsewhere !== undefined) return secondaryPath(elsewhere, set.itemPath);
  if (entry.shape === "inline" || (!set.present && entry.creatable !== true)) return undefined;
  if (field === "labels" || field === "annotations") {
    return entry.shape === "PodSpec" ? undefined : [...set.path, "metadata", field];
  }
  if (field === "containerResources" || field === "containerClaims") return [...set.specPath, "containers"];
  return [...set.specPath, field];
}

/**
 * Where the container that the pod view calls `name` stands in the object: in the template, or outside its list of containers (a KServe framework,
 * an Argo step). Undefined where it stands only in a base template, or nowhere.
 */
export function containerPath(object: JsonObject, set: PodSet, name: string): Path | undefined {
  if (name === "") return undefined;
  for (const text of set.entry.inlineContainers ?? []) {
    const path = secondaryPath(text, set.itemPath);
    const container = valueAt(object, path);
    if (isObject(container) && (stringAt(container, ["name"]) ?? path.at(-1)) === name) return path;
  }
  const lists = (set.entry.inlineContainerLists ?? []).map((text) => secondaryPath(text, set.itemPath));
  if (set.entry.shape !== "inline") lists.push([...set.specPath, "containers"]);
  for (const list of lists) {
    const index = arrayAt(object, list).findIndex((container) => stringAt(container, ["name"]) === name);
    if (index >= 0) return [...list, index];
  }
  return undefined;
}
