import { basePath, type Clock, type Kube, type Reflector, startReflector } from "../kube/index.ts";
import { type JsonObject, objectAt } from "../model/index.ts";
import type { Change } from "../topology/index.ts";
import { type CompanionKind, kindOf, MANAGED_SELECTOR, nameOf, namespaceOf } from "./kinds.ts";
import type { Companied } from "./types.ts";

/** Companions by namespace, kept current by changes. `changed` is called for each one that is new, changed or gone. */
export interface Store extends Companied {
  take(changes: readonly Change[]): void;
}

export function createStore(changed: (kind: string, namespace: string, name: string) => void): Store {
  const objects = new Map<string, Map<string, JsonObject>>();
  const set = (object: JsonObject): void => {
    const namespace = namespaceOf(object);
    const own = objects.get(namespace) ?? new Map<string, JsonObject>();
    objects.set(namespace, own.set(`${kindOf(object)} ${nameOf(object)}`, object));
    changed(kindOf(object), namespace, nameOf(object));
  };
  const drop = (kind: string, namespace: string, name: string): void => {
    const own = objects.get(namespace);
    if (own?.delete(`${kind} ${name}`) !== true) return;
    if (own.size === 0) objects.delete(namespace);
    changed(kind, namespace, name);
  };
  const dropAll = (kind: string, but: ReadonlySet<string>): void => {
    for (const [namespace, own] of [...objects])
      for (const object of [...own.values()])
        if (kindOf(object) === kind && !but.has(`${namespace}/${nameOf(object)}`))
          drop(kind, namespace, nameOf(object));
  };
  return {
    get: (kind, namespace, name) => objects.get(namespace)?.get(`${kind} ${name}`),
    in: (namespace) => [...(objects.get(namespace)?.values() ?? [])],
    namespaces: () => [...objects.keys()],
    take(changes) {
      for (const change of changes) {
        if (change.type === "set") set(change.object);
        else if (change.type === "deleted") drop(change.kind, change.namespace, change.name);
        else if (change.type === "unserved") dropAll(change.kind, new Set());
        else {
          dropAll(change.kind, new Set(change.objects.map((one) => `${namespaceOf(one)}/${nameOf(one)}`)));
          for (const object of change.objects) set(object);
        }
      }
    },
  };
}

/** Watches the kinds that this platform has us make; each says when it was read, is not served, or may not be read. */
export function followCompanions(
  kube: Kube,
  kinds: readonly CompanionKind[],
  take: (changes: readonly Change[]) => void,
  clock: Clock,
): { synced(): boolean; faults(): readonly string[]; stop(): void } {
  const reflectors: readonly Reflector[] = kinds.map(({ apiVersion, kind, plural }) =>
    startReflector({
      kube,
      apiVersion,
      kind,
      path: `${basePath(apiVersion)}/${plural}`,
      asked: { labelSelector: MANAGED_SELECTOR },
      keep: (object) => kept(object, apiVersion, kind),
      emit: take,
      clock,
    }),
  );
  const states = () => reflectors.map((one) => one.status());
  return {
    synced: () => states().every(({ synced, unserved, forbidden }) => synced || unserved || forbidden),
    faults: () => states().flatMap(({ kind, fault }) => (fault === undefined ? [] : [`${kind}: ${fault}`])),
    stop() {
      for (const one of reflectors) one.stop();
    },
  };
}

function kept(object: JsonObject, apiVersion: string, kind: string): JsonObject {
  const { managedFields: _dropped, ...metadata } = objectAt(object, ["metadata"]);
  const { status: _status, ...rest } = object;
  return { ...rest, apiVersion, kind, metadata };
}
