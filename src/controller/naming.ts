import { basePath, isStatus, type Kube } from "../kube/index.ts";
import { isArray, isObject, type Json, type JsonObject, objectAt } from "../model/index.ts";
import { groupOf, type KindTable } from "../workloads/index.ts";
import { companionId } from "./plan.ts";

const REFERENCES: Readonly<Record<string, string>> = {
  resourceClaimTemplateName: "ResourceClaimTemplate",
  podGroupName: "PodGroup",
};
const CONSUMED = "autoscaling.x-k8s.io/consume-provisioning-request";
/** Of JSON that the API server accepts. */
const MAX_DEPTH = 100;

/** `KIND NAME` of the companions that any pod or pod template inside the object names. */
export function namedWithin(object: JsonObject): ReadonlySet<string> {
  const found = new Set<string>();
  const walk = (value: Json | undefined, depth: number, inPodTemplateRef = false): void => {
    if (depth > MAX_DEPTH) return;
    if (isArray(value)) for (const item of value) walk(item, depth + 1);
    if (!isObject(value)) return;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner !== "string") walk(inner, depth + 1, key === "podTemplateRef");
      else if (Object.hasOwn(REFERENCES, key)) found.add(companionId(REFERENCES[key] ?? "", inner));
      else if (key === "name" && inPodTemplateRef) found.add(companionId("PodTemplate", inner));
      else if (key === CONSUMED) found.add(companionId("ProvisioningRequest", inner));
    }
  };
  // Annotations of the object itself hold manifests as text, and its managed fields only names of fields.
  const { metadata, ...body } = object;
  walk(body, 0);
  walk(objectAt(metadata, ["annotations"]), 0);
  return found;
}

/** What names companions beside the kinds of the table. */
export const HOLDERS = [
  { apiVersion: "v1", plural: "pods" },
  { apiVersion: "apps/v1", plural: "replicasets" },
  { apiVersion: "apps/v1", plural: "controllerrevisions" },
  { apiVersion: "autoscaling.x-k8s.io/v1", plural: "provisioningrequests" },
] as const;

/**
 * What a namespace names at this moment, asked of the API server itself and not of a watch that may be late: pods (pending ones too),
 * ReplicaSets of every revision, ControllerRevisions, and all workload kinds that are served. Throws KubeFault where a kind may not be
 * read: then nothing can be said to be unused.
 */
export async function namedIn(kube: Kube, kinds: KindTable, namespace: string): Promise<ReadonlySet<string>> {
  const places = new Map<string, readonly string[]>(HOLDERS.map(({ apiVersion, plural }) => [plural, [apiVersion]]));
  for (const { apiVersion, plural, versions = [], clusterScoped } of kinds.entries)
    if (clusterScoped !== true) places.set(`${plural}.${groupOf(apiVersion)}`, [apiVersion, ...versions]);
  places.delete("pods.");
  places.delete("replicasets.apps");
  const found = new Set<string>();
  for (const [place, versions] of places) {
    const plural = place.split(".")[0] ?? place;
    for (const apiVersion of versions) {
      const path = `${basePath(apiVersion)}/namespaces/${encodeURIComponent(namespace)}/${plural}`;
      try {
        for (const names of await kube.list(path, namedWithin)) for (const one of names) found.add(one);
        break;
      } catch (fault) {
        // Not served in this version.
        if (!isStatus(fault, 404)) throw fault;
      }
    }
  }
  return found;
}
