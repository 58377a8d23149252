import { readdirSync, readFileSync } from "node:fs";
import { parse } from "yaml";
import type { Json, JsonObject, Path } from "../../src/model/index.ts";
import { builtinKinds, type PodSet, readWorkload, type Workload } from "../../src/workloads/index.ts";

const FOLDER = new URL("../fixtures/kinds/", import.meta.url);

export const table = builtinKinds();
export const fixtureNames: readonly string[] = readdirSync(FOLDER)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.slice(0, -".yaml".length))
  .sort();

export function fixture(name: string): JsonObject {
  return parse(readFileSync(new URL(`${name}.yaml`, FOLDER), "utf8")) as JsonObject;
}

export function read(object: JsonObject): Workload {
  const workload = readWorkload(object, table);
  if (workload === undefined) throw new Error(`no row for ${String(object["apiVersion"])} ${String(object["kind"])}`);
  return workload;
}

export function setNamed(workload: Workload, name: string): PodSet {
  const found = workload.podSets.find((set) => set.name === name);
  if (found === undefined)
    throw new Error(`no pod set ${name} among ${workload.podSets.map((set) => set.name).join(", ")}`);
  return found;
}

/** A copy with a value at a path; parents that are absent are made. */
export function withValue(object: JsonObject, path: Path, value: Json): JsonObject {
  const copy = structuredClone(object) as Record<string, unknown>;
  let at: Record<string | number, unknown> = copy;
  for (const [index, step] of path.slice(0, -1).entries()) {
    const next = at[step];
    if (typeof next !== "object" || next === null) at[step] = typeof path[index + 1] === "number" ? [] : {};
    at = at[step] as Record<string | number, unknown>;
  }
  at[path.at(-1) ?? ""] = value;
  return copy as JsonObject;
}
