import type { JsonObject } from "../model/index.ts";
import { project, projectPod, projectWorkload } from "./project.ts";
import { RESOURCES } from "./resources.ts";
import type { ListOptions } from "./types.ts";

/** A row of the kind table, as far as a watch needs it. */
export interface WatchedKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Other versions of the same shape, tried after the first. */
  readonly versions?: readonly string[];
}

/** A kind that the feed follows in the best version that is served. */
export interface Wanted {
  readonly group: string;
  readonly kind: string;
  /** Best first. */
  readonly versions: readonly string[];
  readonly asked: ListOptions;
  readonly keep: (
    object: JsonObject,
    type: { readonly apiVersion: string; readonly kind: string },
  ) => JsonObject | undefined;
}

/** Everything an inventory is read from, then the workload kinds that are not among it. */
export function wantedKinds(kinds: readonly WatchedKind[]): readonly Wanted[] {
  const wanted = new Map<string, Wanted>();
  for (const { group, kind, versions, fieldSelector } of RESOURCES) {
    const asked = fieldSelector === undefined ? {} : { fieldSelector };
    wanted.set(idOf(group, kind), { group, kind, versions, asked, keep: kind === "Pod" ? projectPod : project });
  }
  for (const { apiVersion, kind, versions = [] } of kinds) {
    const group = groupOf(apiVersion);
    const id = idOf(group, kind);
    const named = [apiVersion, ...versions].filter((one) => groupOf(one) === group).map(versionOf);
    const earlier = wanted.get(id);
    if (earlier === undefined) wanted.set(id, { group, kind, versions: named, asked: {}, keep: projectWorkload });
    else if (earlier.keep === projectWorkload)
      wanted.set(id, { ...earlier, versions: [...new Set([...earlier.versions, ...named])] });
  }
  return [...wanted.values()];
}

export function idOf(group: string, kind: string): string {
  return `${group}/${kind}`;
}

function groupOf(apiVersion: string): string {
  return apiVersion.includes("/") ? apiVersion.slice(0, apiVersion.indexOf("/")) : "";
}

function versionOf(apiVersion: string): string {
  return apiVersion.slice(apiVersion.indexOf("/") + 1);
}
