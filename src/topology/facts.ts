import type {
  ChangeLog,
  ClaimState,
  ClusterFacts,
  ClusterQueueFacts,
  CohortFacts,
  DeviceClassFacts,
  DisruptionBudgetFacts,
  FlavorFacts,
  JsonObject,
  LocalQueueFacts,
  NamespaceFacts,
  NodeNuma,
  PriorityClassFacts,
  RuntimeClassFacts,
} from "../model/index.ts";

/** What `clusterFacts` answers from, also while it changes. Keys of namespaced things are `namespace/name`. */
export interface FactTables {
  readonly namespaces: ReadonlyMap<string, NamespaceFacts>;
  readonly runtimeClasses: ReadonlyMap<string, RuntimeClassFacts>;
  readonly priorityClasses: ReadonlyMap<string, PriorityClassFacts & { readonly globalDefault: boolean }>;
  readonly deviceClasses: ReadonlyMap<string, DeviceClassFacts>;
  readonly claimTemplates: ReadonlyMap<string, JsonObject>;
  readonly claims: ReadonlyMap<string, JsonObject>;
  readonly claimStates: ReadonlyMap<string, ClaimState>;
  readonly localQueues: ReadonlyMap<string, LocalQueueFacts>;
  readonly clusterQueues: ReadonlyMap<string, ClusterQueueFacts>;
  readonly cohorts: ReadonlyMap<string, CohortFacts>;
  readonly flavors: ReadonlyMap<string, FlavorFacts>;
  readonly disruptionBudgets: (namespace: string) => readonly DisruptionBudgetFacts[];
  readonly numa: ReadonlyMap<string, NodeNuma>;
  readonly numaLog?: ChangeLog<string>;
  readonly known: ReadonlySet<string>;
  readonly unread: ReadonlySet<string>;
}

export function clusterFacts(tables: FactTables): ClusterFacts {
  return {
    namespace: (name) => tables.namespaces.get(name),
    runtimeClass: (name) => tables.runtimeClasses.get(name),
    priorityClass: (name) => tables.priorityClasses.get(name),
    defaultPriorityClass: () => lowestDefault(tables.priorityClasses),
    claimTemplate: (namespace, name) => tables.claimTemplates.get(`${namespace}/${name}`),
    claim: (namespace, name) => tables.claims.get(`${namespace}/${name}`),
    claimState: (namespace, name) => tables.claimStates.get(`${namespace}/${name}`),
    deviceClass: (name) => tables.deviceClasses.get(name),
    deviceClassOf: (resource) => classOf(tables.deviceClasses, resource),
    disruptionBudgets: tables.disruptionBudgets,
    queues: {
      localQueue: (namespace, name) => tables.localQueues.get(`${namespace}/${name}`),
      clusterQueue: (name) => tables.clusterQueues.get(name),
      clusterQueues: () => tables.clusterQueues.values(),
      flavor: (name) => tables.flavors.get(name),
      cohort: (name) => tables.cohorts.get(name),
      cohorts: () => tables.cohorts.values(),
    },
    numa: tables.numa,
    ...(tables.numaLog === undefined ? {} : { numaLog: tables.numaLog }),
    known: tables.known,
    unread: tables.unread,
  };
}

const IMPLICIT = "deviceclass.resource.kubernetes.io/";

/** By the implicit name of a class, or by the name that it lists: of several the one made last, then the first by name. */
function classOf(classes: FactTables["deviceClasses"], resource: string): DeviceClassFacts | undefined {
  if (resource.startsWith(IMPLICIT)) return classes.get(resource.slice(IMPLICIT.length));
  let best: DeviceClassFacts | undefined;
  for (const one of classes.values()) {
    if (one.extendedResourceName !== resource) continue;
    const [newer, older] = [one.created ?? "", best?.created ?? ""];
    if (best === undefined || newer > older || (newer === older && one.name < best.name)) best = one;
  }
  return best;
}

/** Several defaults can stand side by side for a moment: the lowest value wins, as in the API server's Priority admission. */
function lowestDefault(classes: FactTables["priorityClasses"]): PriorityClassFacts | undefined {
  let lowest: PriorityClassFacts | undefined;
  for (const one of classes.values()) {
    if (!one.globalDefault) continue;
    const order = lowest === undefined ? -1 : one.value - lowest.value;
    if (lowest === undefined || order < 0 || (order === 0 && one.name < lowest.name)) lowest = one;
  }
  return lowest;
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
    claimStates: new Map(),
    localQueues: new Map(),
    clusterQueues: new Map(),
    cohorts: new Map(),
    flavors: new Map(),
    disruptionBudgets: () => [],
    numa: new Map(),
    known: new Set(),
    unread: new Set(),
  });
}
