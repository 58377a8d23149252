import type {
  ClusterFacts,
  DeviceClassFacts,
  JsonObject,
  NamespaceFacts,
  PriorityClassFacts,
  RuntimeClassFacts,
} from "../model/index.ts";

/** What `clusterFacts` answers from. Keys of namespaced things are `namespace/name`. */
export interface FactTables {
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClassFacts>;
  readonly priorityClasses: ReadonlyMap<string, PriorityClassFacts & { readonly globalDefault: boolean }>;
  readonly deviceClasses: ReadonlyMap<string, DeviceClassFacts>;
  readonly claimTemplates: ReadonlyMap<string, JsonObject>;
  readonly claims: ReadonlyMap<string, JsonObject>;
  readonly known: ReadonlySet<string>;
}

export function clusterFacts(tables: FactTables): ClusterFacts {
  // Several defaults can stand side by side for a moment: the lowest value wins, as in the API server's Priority admission.
  const defaults = [...tables.priorityClasses.values()].filter((one) => one.globalDefault);
  const lowest = defaults.sort((a, b) => a.value - b.value || (a.name < b.name ? -1 : 1))[0];
  return {
    namespace: (name) => tables.namespaces.get(name),
    runtimeClass: (name) => tables.runtimeClasses.get(name),
    priorityClass: (name) => tables.priorityClasses.get(name),
    defaultPriorityClass: () => lowest,
    claimTemplate: (namespace, name) => tables.claimTemplates.get(`${namespace}/${name}`),
    claim: (namespace, name) => tables.claims.get(`${namespace}/${name}`),
    deviceClass: (name) => tables.deviceClasses.get(name),
    known: tables.known,
  };
}

/** Facts of a cluster of which nothing is known. */
export function emptyFacts(): ClusterFacts {
  return clusterFacts({
    namespaces: new Map(),
    runtimeClasses: new Map(),
    priorityClasses: new Map(),
    deviceClasses: new Map(),
    claimTemplates: new Map(),
    claims: new Map(),
    known: new Set(),
  });
}
