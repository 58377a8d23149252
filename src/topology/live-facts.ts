import {
  type ClaimState,
  type ClusterFacts,
  type ClusterQueueFacts,
  type CohortFacts,
  type ContainerLimits,
  createLog,
  type DeviceClassFacts,
  type DisruptionBudgetFacts,
  type FlavorFacts,
  type JsonObject,
  type LocalQueueFacts,
  type NamespaceFacts,
  type NodeNuma,
  type QuotaFacts,
  type RuntimeClassFacts,
} from "../model/index.ts";
import { READERS, type Reader, readNamespaceLabels, tenantIn } from "./classes.ts";
import { clusterFacts, type FactTables } from "./facts.ts";
import type { AmountReader, Faults } from "./fields.ts";
import { type Identity, idOf } from "./identity.ts";
import { createTable } from "./live-table.ts";
import { compareText } from "./order.ts";
import type { CapacityQuotaFacts, NodePoolFacts } from "./types.ts";

/** One kind of object that is kept: nothing is changed where faults are found. */
export interface Follower {
  set(object: JsonObject, identity: Identity, problems: Faults): void;
  remove(namespace: string, name: string): void;
}

/** Everything that is neither node, pod, device nor claim. */
export interface FactKeeper {
  readonly followers: Readonly<Record<string, Follower>>;
  readonly facts: ClusterFacts;
  nodePools(): readonly NodePoolFacts[];
  capacityQuotas(): readonly CapacityQuotaFacts[];
  tenantOf(namespace: string): string;
}

export interface FactSurroundings {
  readonly amounts: AmountReader;
  readonly known: ReadonlySet<string>;
  readonly unread: ReadonlySet<string>;
  readonly claims: ReadonlyMap<string, JsonObject>;
  readonly claimStates: ReadonlyMap<string, ClaimState>;
  readonly moved: () => void;
  readonly tenantMoved: (namespace: string) => void;
  readonly prioritiesMoved: () => void;
}

export function createFacts(given: FactSurroundings): FactKeeper {
  const { amounts, moved } = given;
  const labels = new Map<string, Readonly<Record<string, string>>>();
  const limits = createTable<readonly ContainerLimits[]>();
  const quotas = createTable<QuotaFacts>();
  const budgets = createTable<DisruptionBudgetFacts>();
  const namespaces = new Map<string, NamespaceFacts>();
  const runtimeClasses = new Map<string, RuntimeClassFacts>();
  const priorityClasses = new Map<
    string,
    FactTables["priorityClasses"] extends ReadonlyMap<string, infer T> ? T : never
  >();
  const deviceClasses = new Map<string, DeviceClassFacts>();
  const claimTemplates = new Map<string, JsonObject>();
  const nodePools = new Map<string, NodePoolFacts>();
  const capacityQuotas = new Map<string, CapacityQuotaFacts>();
  const localQueues = new Map<string, LocalQueueFacts>();
  const clusterQueues = new Map<string, ClusterQueueFacts>();
  const cohorts = new Map<string, CohortFacts>();
  const flavors = new Map<string, FlavorFacts>();
  const numa = new Map<string, NodeNuma>();
  const { log: numaLog, note: noteNuma } = createLog<string>();
  const tenantOf = (namespace: string): string => tenantIn(namespace, labels.get(namespace));

  const compose = (namespace: string): void => {
    const own = labels.get(namespace);
    if (own === undefined) namespaces.delete(namespace);
    else
      namespaces.set(namespace, {
        name: namespace,
        labels: own,
        containerLimits: limits.named(namespace).flatMap(([, list]) => list),
        quotas: quotas.named(namespace).map(([, quota]) => quota),
      });
    moved();
  };
  const setLabels = (namespace: string, next: Readonly<Record<string, string>> | undefined): void => {
    const before = tenantOf(namespace);
    if (next === undefined) labels.delete(namespace);
    else labels.set(namespace, next);
    compose(namespace);
    if (tenantOf(namespace) !== before) given.tenantMoved(namespace);
  };

  const namespaceFollower: Follower = {
    set(object, { name }, problems) {
      const next = readNamespaceLabels(object, name, problems);
      if (problems.found.length === 0 && !isSame(labels.get(name), next)) setLabels(name, next);
    },
    remove: (_namespace, name) => setLabels(name, undefined),
  };
  return {
    tenantOf,
    facts: clusterFacts({
      ...{ namespaces, runtimeClasses, priorityClasses, deviceClasses, claimTemplates },
      disruptionBudgets: (namespace) => budgets.named(namespace).map(([, budget]) => budget),
      ...{ localQueues, clusterQueues, cohorts, flavors, numa, numaLog },
      claims: given.claims,
      claimStates: given.claimStates,
      known: given.known,
      unread: given.unread,
    }),
    nodePools: () => sorted(nodePools),
    capacityQuotas: () => sorted(capacityQuotas),
    followers: {
      Namespace: namespaceFollower,
      LimitRange: part(limits, READERS.LimitRange, amounts, compose),
      ResourceQuota: part(quotas, READERS.ResourceQuota, amounts, compose),
      PodDisruptionBudget: part(budgets, READERS.PodDisruptionBudget, amounts, moved),
      RuntimeClass: single(runtimeClasses, READERS.RuntimeClass, amounts, moved),
      PriorityClass: single(priorityClasses, READERS.PriorityClass, amounts, () => {
        given.prioritiesMoved();
        moved();
      }),
      DeviceClass: single(deviceClasses, READERS.DeviceClass, amounts, moved),
      ResourceClaimTemplate: single(claimTemplates, READERS.ResourceClaimTemplate, amounts, moved),
      LocalQueue: single(localQueues, READERS.LocalQueue, amounts, moved),
      ClusterQueue: single(clusterQueues, READERS.ClusterQueue, amounts, moved),
      Cohort: single(cohorts, READERS.Cohort, amounts, moved),
      ResourceFlavor: single(flavors, READERS.ResourceFlavor, amounts, moved),
      NodeResourceTopology: single(numa, READERS.NodeResourceTopology, amounts, (node) => {
        noteNuma(node);
        moved();
      }),
      NodePool: single(nodePools, READERS.NodePool, amounts, moved),
      CapacityQuota: single(capacityQuotas, READERS.CapacityQuota, amounts, moved),
    },
  };
}

function sorted<T>(kept: ReadonlyMap<string, T>): readonly T[] {
  return [...kept].sort(([a], [b]) => compareText(a, b)).map(([, one]) => one);
}

/** A kind of which each object stands for itself. */
function single<T>(
  kept: Map<string, T>,
  read: Reader<T>,
  amounts: AmountReader,
  moved: (id: string) => void,
): Follower {
  return {
    set(object, identity, problems) {
      const next = read(object, identity.name, problems, amounts);
      const id = idOf(identity);
      if (problems.found.length > 0 || isSame(kept.get(id), next)) return;
      kept.set(id, next);
      moved(id);
    },
    remove(namespace, name) {
      const id = idOf({ namespace, name });
      if (kept.delete(id)) moved(id);
    },
  };
}

/** A kind whose objects are part of what is known of their namespace. */
function part<T>(
  kept: ReturnType<typeof createTable<T>>,
  read: Reader<T>,
  amounts: AmountReader,
  moved: (namespace: string) => void,
): Follower {
  return {
    set(object, { namespace, name }, problems) {
      const next = read(object, name, problems, amounts);
      if (problems.found.length > 0 || isSame(kept.get(namespace, name), next)) return;
      kept.set(namespace, name, next);
      moved(namespace);
    },
    remove(namespace, name) {
      if (kept.get(namespace, name) === undefined) return;
      kept.delete(namespace, name);
      moved(namespace);
    },
  };
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || (a !== undefined && JSON.stringify(a, spelled) === JSON.stringify(b, spelled));
}

/** Requirements are maps and sets, which JSON leaves empty. */
function spelled(_key: string, value: unknown): unknown {
  return value instanceof Map || value instanceof Set ? [...value] : value;
}
