import { arrayAt, isObject, type Json, type JsonObject, stringAt } from "../model/index.ts";
import { isStatus } from "./fault.ts";
import { basePath } from "./resources.ts";
import type { Kube } from "./types.ts";

const AGGREGATED =
  "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

/** What the server says that it serves, subresources left out. */
export interface Discovery {
  /** Versions of a group, the server's preferred one first; none: not served. The core group is the empty text. */
  versions(group: string): readonly string[];
  /** The plural under which a kind can be listed and watched, undefined where it cannot. */
  plural(group: string, version: string, kind: string): string | undefined;
  /** An aggregated API that does not answer at the moment: what it serves is not known. */
  unknown(group: string, version: string): boolean;
}

interface GroupVersion {
  readonly plurals: ReadonlyMap<string, string>;
  readonly stale: boolean;
}

/**
 * Asks in one request where the server has aggregated discovery (Kubernetes 1.27 on), else version by version of the groups that are
 * wanted. Throws KubeFault.
 */
export async function discover(kube: Kube, wanted: ReadonlySet<string>): Promise<Discovery> {
  const groups = new Map<string, Map<string, GroupVersion>>();
  for (const path of ["/api", "/apis"]) {
    const answer = await kube.get(path, { accept: AGGREGATED });
    if (stringAt(answer, ["kind"]) === "APIGroupDiscoveryList") readAggregated(answer, groups);
    else await readPlain(kube, answer, wanted, groups);
  }
  const found = (group: string, version: string) => groups.get(group)?.get(version);
  return {
    versions: (group) => [...(groups.get(group)?.keys() ?? [])],
    plural: (group, version, kind) => found(group, version)?.plurals.get(kind),
    unknown: (group, version) => found(group, version)?.stale === true,
  };
}

function readAggregated(answer: JsonObject, groups: Map<string, Map<string, GroupVersion>>): void {
  for (const group of arrayAt(answer, ["items"])) {
    const versions = new Map<string, GroupVersion>();
    for (const one of arrayAt(group, ["versions"])) {
      const plurals = pluralsOf(arrayAt(one, ["resources"]), ["responseKind", "kind"], ["resource"]);
      versions.set(stringAt(one, ["version"]) ?? "", { plurals, stale: stringAt(one, ["freshness"]) === "Stale" });
    }
    groups.set(stringAt(group, ["metadata", "name"]) ?? "", versions);
  }
}

async function readPlain(
  kube: Kube,
  answer: JsonObject,
  wanted: ReadonlySet<string>,
  groups: Map<string, Map<string, GroupVersion>>,
): Promise<void> {
  // An APIVersions of the core group, or an APIGroupList.
  const core = arrayAt(answer, ["versions"]).filter((one) => typeof one === "string");
  if (core.length > 0) groups.set("", await readVersions(kube, "", core));
  for (const group of arrayAt(answer, ["groups"])) {
    const name = stringAt(group, ["name"]) ?? "";
    const preferred = stringAt(group, ["preferredVersion", "version"]);
    const versions = arrayAt(group, ["versions"]).map((one) => stringAt(one, ["version"]) ?? "");
    const ordered = [...versions.filter((one) => one === preferred), ...versions.filter((one) => one !== preferred)];
    // Of the others it is enough to know that they are there.
    const known = wanted.has(name)
      ? await readVersions(kube, name, ordered)
      : new Map(ordered.map((one) => [one, NONE]));
    groups.set(name, known);
  }
}

const NONE: GroupVersion = { plurals: new Map(), stale: false };

async function readVersions(
  kube: Kube,
  group: string,
  versions: readonly string[],
): Promise<Map<string, GroupVersion>> {
  const read = new Map<string, GroupVersion>();
  for (const version of versions)
    try {
      const answer = await kube.get(basePath(group === "" ? version : `${group}/${version}`));
      const resources = arrayAt(answer, ["resources"]).filter(
        (one) => stringAt(one, ["name"])?.includes("/") === false,
      );
      read.set(version, { plurals: pluralsOf(resources, ["kind"], ["name"]), stale: false });
    } catch (fault) {
      if (isStatus(fault, 404)) continue;
      if (!isStatus(fault, 403, 500, 502, 503, 504)) throw fault;
      read.set(version, { plurals: new Map(), stale: true });
    }
  return read;
}

/** By kind, of what can be listed and watched. */
function pluralsOf(resources: readonly Json[], kind: readonly string[], name: readonly string[]): Map<string, string> {
  const plurals = new Map<string, string>();
  for (const resource of resources) {
    const verbs = arrayAt(resource, ["verbs"]);
    if (!isObject(resource) || !verbs.includes("list") || !verbs.includes("watch")) continue;
    plurals.set(stringAt(resource, [...kind]) ?? "", stringAt(resource, [...name]) ?? "");
  }
  return plurals;
}
