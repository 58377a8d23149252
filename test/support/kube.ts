import { type Kube, KubeFault } from "../../src/kube/index.ts";
import { arrayAt, isArray, isObject, type Json, type JsonObject, objectAt, stringAt } from "../../src/model/index.ts";

/** One request, as RBAC would see it. */
export interface Call {
  readonly verb: string;
  readonly path: string;
  readonly object?: JsonObject;
}

export interface FakeKube extends Kube {
  readonly calls: Call[];
  /** Stores as is, as some other client would; uid and resourceVersion are filled. */
  put(path: string, object: JsonObject): JsonObject;
  find(path: string): JsonObject | undefined;
  drop(path: string): void;
  /** Before each request; what it throws, or waits for, is the server's answer. */
  before: (call: Call) => Promise<void> | void;
  /** After each write. */
  changed: (path: string, object: JsonObject | undefined) => void;
}

type Owned = Map<string, Json>;

/**
 * The API server port over a map, with what the controller relies on: optimistic concurrency by resourceVersion, preconditions of deletes,
 * and server-side apply (fields of a manager that it no longer applies are removed; a conflict without force is 409; a uid that does
 * not match is 409; `webhooks` and `ownerReferences` are lists with keys).
 */
export function fakeKube(): FakeKube {
  const stored = new Map<string, JsonObject>();
  /** By path and manager, the leaves that it applied. */
  const owned = new Map<string, Map<string, Owned>>();
  let version = 100;
  const calls: Call[] = [];

  const save = (path: string, object: JsonObject): JsonObject => {
    version += 1;
    const metadata = objectAt(object, ["metadata"]);
    const uid = stringAt(metadata, ["uid"]) ?? `uid-${version}`;
    const managers = [...(owned.get(path)?.keys() ?? [])].map((manager) => ({ manager, operation: "Apply" }));
    const namespace = /\/namespaces\/([^/]+)\//.exec(path)?.[1];
    const saved = {
      ...object,
      metadata: {
        ...metadata,
        ...(namespace === undefined ? {} : { namespace }),
        uid,
        resourceVersion: String(version),
        managedFields: managers,
      },
    };
    stored.set(path, saved);
    fake.changed(path, saved);
    return saved;
  };
  const ask = async (call: Call): Promise<void> => {
    calls.push(call);
    await fake.before(call);
  };
  const conflict = (text: string) => new KubeFault(text, { status: 409, reason: "Conflict" });

  const fake: FakeKube = {
    server: "https://fake",
    calls,
    before: () => {},
    changed: () => {},
    put: (path, object) => save(path, object),
    find: (path) => stored.get(path),
    drop(path) {
      stored.delete(path);
      owned.delete(path);
      fake.changed(path, undefined);
    },
    get: async () => ({}),
    async list(path, read) {
      return (await fake.listFrom(path, read)).items;
    },
    async listFrom(path, read) {
      await ask({ verb: "list", path });
      const items = [...stored].filter(
        ([one]) => one.startsWith(`${path}/`) && !one.slice(path.length + 1).includes("/"),
      );
      return { items: items.map(([, object]) => read(object)), resourceVersion: String(version) };
    },
    async *watch() {},
    async read(path) {
      await ask({ verb: "get", path });
      return stored.get(path);
    },
    async create(path, object) {
      const own = `${path}/${stringAt(object, ["metadata", "name"]) ?? ""}`;
      await ask({ verb: "create", path: own, object });
      if (stored.has(own)) throw new KubeFault(`${own} already exists`, { status: 409, reason: "AlreadyExists" });
      return save(own, object);
    },
    async replace(path, object) {
      await ask({ verb: "update", path, object });
      const now = stored.get(path);
      if (now === undefined) throw new KubeFault("not found", 404);
      if (stringAt(object, ["metadata", "resourceVersion"]) !== stringAt(now, ["metadata", "resourceVersion"]))
        throw conflict("the object has been modified");
      return save(path, object);
    },
    async apply(path, object, { fieldManager, force }) {
      await ask({ verb: "patch", path, object });
      const now = stored.get(path);
      const uid = stringAt(object, ["metadata", "uid"]);
      if (uid !== undefined && uid !== stringAt(now, ["metadata", "uid"])) throw conflict("uid mismatch");
      const managers = owned.get(path) ?? new Map<string, Owned>();
      const fields = leaves(object);
      const result = now === undefined ? {} : (keyed(structuredClone(now) as JsonObject) as Record<string, Json>);
      for (const [manager, theirs] of managers)
        for (const [field, value] of manager === fieldManager ? [] : theirs) {
          const wanted = fields.get(field);
          if (wanted === undefined || JSON.stringify(wanted) === JSON.stringify(value)) continue;
          if (force !== true) throw conflict(`conflict with ${manager}: ${field}`);
          theirs.delete(field);
        }
      const shared = (field: string) =>
        [...managers].some(([manager, all]) => manager !== fieldManager && all.has(field));
      for (const field of managers.get(fieldManager)?.keys() ?? [])
        if (!fields.has(field) && !shared(field)) unset(result, field.split("\u0000"));
      for (const [field, value] of fields) set(result, field.split("\u0000"), value);
      owned.set(path, managers.set(fieldManager, fields));
      return save(path, unkeyed(result) as JsonObject);
    },
    async mergePatch(path, patch) {
      await ask({ verb: "patch", path, object: patch });
      const now = stored.get(path);
      if (now === undefined) throw new KubeFault("not found", 404);
      return save(path, merge(now, patch) as JsonObject);
    },
    async remove(path, options = {}) {
      await ask({ verb: "delete", path });
      const now = stored.get(path);
      if (now === undefined) return false;
      for (const key of ["uid", "resourceVersion"] as const)
        if (options[key] !== undefined && options[key] !== stringAt(now, ["metadata", key]))
          throw conflict(`precondition failed: ${key}`);
      fake.drop(path);
      return true;
    },
    close: () => {},
  };
  return fake;
}

const KEYS: Readonly<Record<string, string>> = { webhooks: "name", ownerReferences: "uid", matchConditions: "name" };
const IDENTITY = new Set(["apiVersion", "kind", "name", "namespace", "uid"]);

/** Lists with keys as maps, so that their items have paths. */
function keyed(value: Json, name = ""): Json {
  const key = KEYS[name];
  if (key !== undefined && isArray(value))
    return {
      "\u0001list": true,
      ...Object.fromEntries(value.map((item) => [stringAt(item, [key]) ?? "", keyed(item)])),
    };
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([inner, one]) => [inner, keyed(one ?? null, inner)]));
}

function unkeyed(value: Json): Json {
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, unkeyed(one ?? null)] as const);
  if (value["\u0001list"] !== true) return Object.fromEntries(entries);
  return entries.filter(([key]) => key !== "\u0001list").map(([, one]) => one);
}

function leaves(object: JsonObject): Owned {
  const found: Owned = new Map();
  const walk = (value: Json, path: readonly string[]): void => {
    const isIdentity =
      (path.length === 1 || (path.length === 2 && path[0] === "metadata")) && IDENTITY.has(path.at(-1) ?? "");
    if (isObject(value))
      for (const [key, one] of Object.entries(value)) if (one !== undefined) walk(one, [...path, key]);
    if (!isObject(value) && !(isIdentity && path[0] === "metadata" && path[1] === "uid"))
      found.set(path.join("\u0000"), value);
  };
  walk(keyed(object), []);
  return found;
}

function set(root: Record<string, Json>, path: readonly string[], value: Json): void {
  let at = root;
  for (const step of path.slice(0, -1)) {
    const next = isObject(at[step]) ? { ...at[step] } : {};
    at[step] = next as Json;
    at = next as Record<string, Json>;
  }
  at[path.at(-1) ?? ""] = value;
}

function unset(root: Record<string, Json>, path: readonly string[]): void {
  const [step = "", ...rest] = path;
  if (rest.length === 0) {
    delete root[step];
    return;
  }
  const next = root[step];
  if (!isObject(next)) return;
  const copy = { ...next } as Record<string, Json>;
  unset(copy, rest);
  if (Object.keys(copy).every((key) => key === "\u0001list")) delete root[step];
  else root[step] = copy;
}

function merge(base: Json | undefined, over: Json): Json {
  if (!isObject(over)) return over;
  const result: Record<string, Json | undefined> = { ...(isObject(base) ? base : {}) };
  for (const [key, value] of Object.entries(over)) {
    if (value === null || value === undefined) delete result[key];
    else result[key] = merge(result[key], value);
  }
  return result as JsonObject;
}

/** Names of the managers that applied something to it. */
export function managersOf(object: JsonObject | undefined): readonly string[] {
  return arrayAt(object, ["metadata", "managedFields"]).map((one) => stringAt(one, ["manager"]) ?? "");
}
