import { arrayAt, isObject, type JsonObject, objectAt, stringAt } from "../../../src/model/index.ts";
import type { Api } from "../controlplane/index.ts";
import { collectionFor, collectionOf, pathOf } from "../support/places.ts";

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
