import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../../src/model/index.ts";
import type { Api } from "../controlplane/index.ts";

const PLACES: Readonly<Record<string, { readonly api: string; readonly plural: string; readonly global?: boolean }>> = {
  Namespace: { api: "/api/v1", plural: "namespaces", global: true },
  Node: { api: "/api/v1", plural: "nodes", global: true },
  Pod: { api: "/api/v1", plural: "pods" },
  Deployment: { api: "/apis/apps/v1", plural: "deployments" },
  ReplicaSet: { api: "/apis/apps/v1", plural: "replicasets" },
  StatefulSet: { api: "/apis/apps/v1", plural: "statefulsets" },
  Job: { api: "/apis/batch/v1", plural: "jobs" },
  PodDisruptionBudget: { api: "/apis/policy/v1", plural: "poddisruptionbudgets" },
  PriorityClass: { api: "/apis/scheduling.k8s.io/v1", plural: "priorityclasses", global: true },
  DeviceClass: { api: "/apis/resource.k8s.io/v1", plural: "deviceclasses", global: true },
  ResourceSlice: { api: "/apis/resource.k8s.io/v1", plural: "resourceslices", global: true },
  ResourceClaim: { api: "/apis/resource.k8s.io/v1", plural: "resourceclaims" },
  ResourceClaimTemplate: { api: "/apis/resource.k8s.io/v1", plural: "resourceclaimtemplates" },
};

export function collectionOf(kind: string, namespace?: string): string {
  const place = PLACES[kind];
  if (place === undefined) throw new Error(`cases write no ${kind}`);
  const inside = namespace === undefined || place.global === true ? "" : `/namespaces/${namespace}`;
  return `${place.api}${inside}/${place.plural}`;
}

function collectionFor(object: JsonObject): string {
  return collectionOf(String(object["kind"]), stringAt(object, ["metadata", "namespace"]));
}

const pathOf = (object: JsonObject): string => `${collectionFor(object)}/${stringAt(object, ["metadata", "name"])}`;

export async function createAll(api: Api, objects: readonly JsonObject[]): Promise<void> {
  await Promise.all(objects.map((object) => api.send("POST", collectionFor(object), object)));
}

/** At once, without grace and with what they own; those that are gone already do not count. */
export async function removeAll(api: Api, objects: readonly JsonObject[]): Promise<void> {
  const options = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: 0, propagationPolicy: "Background" };
  await Promise.all(
    objects.map(async (object) => {
      const { status, text } = await api.ask("DELETE", pathOf(object), options);
      if (status >= 300 && status !== 404) throw new Error(`DELETE ${pathOf(object)}: ${status} ${text}`);
    }),
  );
}

/** With apiVersion and kind, which the items of a list leave out. */
export async function listOf(api: Api, kind: string, namespace?: string): Promise<readonly JsonObject[]> {
  const list = await api.send("GET", `${collectionOf(kind, namespace)}?resourceVersion=`);
  const apiVersion = stringAt(list, ["apiVersion"]) ?? "v1";
  return arrayAt(list, ["items"])
    .filter(isObject)
    .map((item) => ({ apiVersion, kind, ...item }));
}

export async function replaceStatus(api: Api, object: JsonObject, status: JsonObject): Promise<void> {
  const current = await api.send("GET", pathOf(object));
  await api.send("PUT", `${pathOf(object)}/status`, { ...objectAt(current, []), status });
}
