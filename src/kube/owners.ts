import { arrayAt, type Diagnostic, type JsonObject, stringAt, valueAt } from "../model/index.ts";
import { isStatus } from "./fault.ts";
import { project } from "./project.ts";
import { basePath, RESOURCES } from "./resources.ts";
import type { Kube } from "./types.ts";

interface Owner {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** More links than any real chain of owners has. */
const MAX_CLIMB = 16;
const API_VERSION = /^(?:[a-z0-9.-]+\/)?v[a-z0-9]+$/;

/**
 * The objects that stand between these pods and the workloads they belong to (ReplicaSets, Jobs, a RayCluster of a RayJob),
 * metadata only: each kind of controller that is named is listed once, and of it only what is named is kept. A kind that
 * may not be read is noted in `notes`. Throws KubeFault for other faults.
 */
export async function readOwners(
  kube: Kube,
  pods: readonly JsonObject[],
  notes: Diagnostic[],
): Promise<readonly JsonObject[]> {
  const kinds = new Map<string, ReadonlyMap<string, JsonObject>>();
  const kept = new Map<string, JsonObject>();
  let named = controllersOf(pods);
  for (let step = 0; step < MAX_CLIMB && named.length > 0; step += 1) {
    const found: JsonObject[] = [];
    for (const owner of named) {
      const kind = `${owner.apiVersion} ${owner.kind}`;
      if (!kinds.has(kind)) kinds.set(kind, await readKind(kube, owner, notes));
      const id = `${owner.namespace}/${owner.name}`;
      const object = kinds.get(kind)?.get(id);
      if (object === undefined || kept.has(`${kind} ${id}`)) continue;
      kept.set(`${kind} ${id}`, object);
      found.push(object);
    }
    named = controllersOf(found);
  }
  return [...kept.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, object]) => object);
}

/** Controllers of namespaced objects, apart from kinds that a snapshot holds anyway. */
function controllersOf(objects: readonly JsonObject[]): Owner[] {
  return objects.flatMap((object) => {
    const namespace = stringAt(object, ["metadata", "namespace"]) ?? "";
    const reference = arrayAt(object, ["metadata", "ownerReferences"]).find(
      (one) => valueAt(one, ["controller"]) === true,
    );
    const apiVersion = stringAt(reference, ["apiVersion"]) ?? "";
    const kind = stringAt(reference, ["kind"]) ?? "";
    const name = stringAt(reference, ["name"]) ?? "";
    const held = RESOURCES.some((one) => one.kind === kind && basePath(apiVersion).startsWith(groupPath(one.group)));
    return held || kind === "" || name === "" || !API_VERSION.test(apiVersion)
      ? []
      : [{ apiVersion, kind, namespace, name }];
  });
}

const groupPath = (group: string) => (group === "" ? "/api/" : `/apis/${group}/`);

/** Objects of one kind by `namespace/name`; none where the server has no such kind any more. */
async function readKind(kube: Kube, type: Owner, notes: Diagnostic[]): Promise<ReadonlyMap<string, JsonObject>> {
  const { apiVersion, kind } = type;
  const found = new Map<string, JsonObject>();
  try {
    const served = await kube.get(basePath(apiVersion));
    const resource = arrayAt(served, ["resources"]).find(
      (one) => stringAt(one, ["kind"]) === kind && stringAt(one, ["name"])?.includes("/") === false,
    );
    const plural = stringAt(resource, ["name"]);
    if (plural === undefined) return found;
    const path = `${basePath(apiVersion)}/${encodeURIComponent(plural)}`;
    const objects = await kube.list(path, (item) => project(item, { apiVersion, kind }), { metadataOnly: true });
    for (const object of objects) {
      const name = stringAt(object, ["metadata", "name"]) ?? "";
      found.set(`${stringAt(object, ["metadata", "namespace"]) ?? ""}/${name}`, object);
    }
  } catch (fault) {
    if (!isStatus(fault, 403, 404)) throw fault;
    if (fault.status === 403)
      notes.push({
        code: "ClusterForbidden",
        severity: "info",
        message: `${kind} objects (${apiVersion}) are left out, since they may not be listed: ${fault.message}`,
        hint: `Pods below them count as theirs; what owns the ${kind} itself is not known.`,
      });
  }
  return found;
}
