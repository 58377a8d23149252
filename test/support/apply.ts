import { isArray, isObject, type Json, type JsonObject, jsonEqual, objectAt } from "../../src/model/index.ts";

/** kubectl's record of what was applied last. */
export const LAST_APPLIED = "kubectl.kubernetes.io/last-applied-configuration";

/** Lists that built-in kinds merge by key (patchMergeKey in k8s.io/api/core/v1); every other list is atomic, as all lists of a CRD are. */
const KEYED: Readonly<Record<string, string>> = {
  containers: "name",
  initContainers: "name",
  ephemeralContainers: "name",
  volumes: "name",
  env: "name",
  volumeMounts: "mountPath",
  imagePullSecrets: "name",
  resourceClaims: "name",
};

/** `kubectl apply` on the client: a three-way merge of the manifest, the manifest of last time, and the live object. */
export function clientSideApply(live: JsonObject | undefined, manifest: JsonObject): JsonObject {
  const record = `${JSON.stringify(manifest)}\n`;
  const stamped = merge(
    { ...manifest },
    { metadata: { annotations: { [LAST_APPLIED]: record } } },
    undefined,
    false,
  ) as JsonObject;
  if (live === undefined) return stamped;
  const text = objectAt(live, ["metadata", "annotations"])[LAST_APPLIED];
  const before = typeof text === "string" ? (JSON.parse(text) as JsonObject) : {};
  return merge(live, stamped, before, isBuiltin(manifest)) as JsonObject;
}

/** Server-side apply by one manager: what it named last time and no longer names is removed; atomic lists and nodeSelector are replaced whole. */
export function serverSideApply(
  live: JsonObject | undefined,
  manifest: JsonObject,
  before: JsonObject | undefined,
): JsonObject {
  if (live === undefined) return manifest;
  return merge(live, manifest, before ?? {}, isBuiltin(manifest), ["nodeSelector"]) as JsonObject;
}

function isBuiltin(object: JsonObject): boolean {
  const version = String(object["apiVersion"]);
  return !version.includes(".") || version.endsWith(".k8s.io/v1");
}

function merge(
  live: Json | undefined,
  wanted: Json,
  before: Json | undefined,
  keyed: boolean,
  atomic: readonly string[] = [],
): Json {
  if (isObject(wanted)) {
    const base = isObject(live) ? live : {};
    const result: Record<string, Json | undefined> = { ...base };
    if (isObject(before)) for (const key of Object.keys(before)) if (!(key in wanted)) delete result[key];
    for (const [key, value] of Object.entries(wanted)) {
      if (value === undefined) continue;
      const list = KEYED[key];
      const old = isObject(before) ? before[key] : undefined;
      if (keyed && list !== undefined && isArray(value)) result[key] = mergeList(base[key], value, old, list, atomic);
      else result[key] = atomic.includes(key) ? value : merge(base[key], value, old, keyed, atomic);
    }
    return result;
  }
  return wanted;
}

function mergeList(
  live: Json | undefined,
  wanted: readonly Json[],
  before: Json | undefined,
  key: string,
  atomic: readonly string[],
): Json {
  const keyOf = (item: Json): Json | undefined => (isObject(item) ? item[key] : undefined);
  const find = (list: Json | undefined, name: Json | undefined) =>
    isArray(list) ? list.find((item) => jsonEqual(keyOf(item), name)) : undefined;
  const merged = wanted.map((item) => merge(find(live, keyOf(item)), item, find(before, keyOf(item)), true, atomic));
  const others = isArray(live)
    ? live.filter((item) => find(wanted, keyOf(item)) === undefined && find(before, keyOf(item)) === undefined)
    : [];
  return [...merged, ...others];
}
