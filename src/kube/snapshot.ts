import { dump } from "js-yaml";
import type { Diagnostic, JsonObject } from "../model/index.ts";
import { isStatus } from "./fault.ts";
import { readOwners } from "./owners.ts";
import { project } from "./project.ts";
import { basePath, RESOURCES, type Resource, servedVersions } from "./resources.ts";
import type { Kube } from "./types.ts";

/** What was read of a cluster, as plain objects that `inventoryFrom` takes. */
export interface Snapshot {
  /** A kind that was read and has no object is an empty typed List, so that it counts as known. */
  readonly objects: readonly JsonObject[];
  /** How many objects of each kind that the server has and that was read. */
  readonly counts: ReadonlyMap<string, number>;
  /** What is missing, and why. */
  readonly notes: readonly Diagnostic[];
}

/**
 * The inventory of a live cluster, kind by kind, each object projected to what the solver reads. A kind that may not be listed is
 * noted and left out, so that nothing reads it as empty; of a kind that the server does not have there are no objects.
 * Throws KubeFault for every other fault: half a kind would be a wrong answer.
 */
export async function takeSnapshot(kube: Kube): Promise<Snapshot> {
  const served = await servedVersions(kube);
  const objects: JsonObject[] = [];
  const pods: JsonObject[] = [];
  const counts = new Map<string, number>();
  const notes: Diagnostic[] = [];
  for (const resource of RESOURCES) {
    const versions = served?.get(resource.group);
    const candidates = served === undefined ? resource.versions : resource.versions.filter((one) => versions?.has(one));
    const items = await readResource(kube, resource, candidates, notes);
    if (items === undefined) continue;
    if (candidates.length > 0) counts.set(resource.kind, items.length);
    for (const item of items) objects.push(item);
    if (items.length === 0) objects.push(emptyList(resource, candidates[0]));
    if (resource.kind === "Pod") for (const item of items) pods.push(item);
  }
  for (const owner of await readOwners(kube, pods, notes)) objects.push(owner);
  return { objects, counts, notes };
}

/** Undefined where it may not be listed. */
async function readResource(
  kube: Kube,
  resource: Resource,
  versions: readonly string[],
  notes: Diagnostic[],
): Promise<readonly JsonObject[] | undefined> {
  const { kind, plural, fieldSelector } = resource;
  for (const version of versions) {
    const apiVersion = apiVersionOf(resource, version);
    try {
      return await kube.list(
        `${basePath(apiVersion)}/${plural}`,
        (item) => project(item, { apiVersion, kind }),
        fieldSelector === undefined ? {} : { fieldSelector },
      );
    } catch (fault) {
      if (isStatus(fault, 404)) continue;
      if (!isStatus(fault, 403)) throw fault;
      notes.push({
        code: "ClusterForbidden",
        severity: "warning",
        message: `${kind} objects are left out, since they may not be listed: ${fault.message}`,
        hint: `Grant the verb list on ${plural}${resource.group === "" ? "" : `.${resource.group}`} at cluster scope, or ask with another --context.`,
      });
      return undefined;
    }
  }
  return [];
}

function emptyList(resource: Resource, version: string | undefined): JsonObject {
  return {
    apiVersion: apiVersionOf(resource, version ?? resource.versions[0] ?? "v1"),
    kind: `${resource.kind}List`,
    items: [],
  };
}

function apiVersionOf({ group }: Resource, version: string): string {
  return group === "" ? version : `${group}/${version}`;
}

/** One `kind: List` as YAML, the form in which kubectl prints objects of several kinds. */
export function snapshotYaml(objects: readonly JsonObject[]): string {
  const items = objects.map((object) => dump([object], { lineWidth: -1, noRefs: true, noArrayIndent: true }));
  return `apiVersion: v1\nkind: List\nitems:${items.length === 0 ? " []\n" : `\n${items.join("")}`}`;
}
