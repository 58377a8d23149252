import {
  allowsLabels,
  type ClusterQueueFacts,
  type CohortFacts,
  type Demand,
  type FlavorFacts,
  type FlavorGroup,
  type FlavorQuota,
  type QueueFacts,
  type Requirements,
  tolerates,
} from "../model/index.ts";
import type { Topology } from "../topology/index.ts";
import type { Chosen } from "./check-limits.ts";
import { isOwn } from "./checker.ts";

/** What one set wants of one group of flavors. */
interface Want {
  readonly set: string;
  readonly amounts: Readonly<Record<string, number>>;
  readonly flavors: readonly string[];
}

/** Who shares quota with whom: queues and cohorts by the cohort above them. */
interface Tree {
  readonly queues: QueueFacts;
  readonly queuesIn: ReadonlyMap<string, readonly ClusterQueueFacts[]>;
  readonly cohortsIn: ReadonlyMap<string, readonly string[]>;
  /** Cohorts that were added up already, by name, flavor and resource. */
  readonly places: Map<string, Place>;
}

/** A queue or cohort, for one resource of one flavor: all that is its own or shared with it, what it never lends of that, and what is taken of it. */
interface Place {
  readonly total: number;
  readonly kept: number;
  readonly held: number;
  readonly borrowing: number;
}

const DEEPEST = 32;

/**
 * Does Kueue let the assignment's workload in: flavor after flavor is given to its sets, and each amount is carried up the tree of cohorts until a
 * place has room for it. Each violation is one sentence.
 */
export function checkQueue(topology: Topology, demand: Demand, chosen: readonly Chosen[]): readonly string[] {
  const { queue } = demand;
  const { queues, known } = topology.facts;
  if (queue === undefined || queues === undefined) return [];
  if (!known.has("LocalQueue") && !known.has("ClusterQueue")) return [];
  const there = (
    topology.lookups?.podsOfRoot(demand.workload) ?? topology.pods.filter(({ root }) => isOwn(root, demand))
  ).length;
  if (queue.whole && there > 0) return [];
  const namespace = demand.workload.namespace || "default";
  const local = queues.localQueue(namespace, queue.name);
  if (local === undefined) return [`namespace ${namespace} has no queue ${queue.name}`];
  const cluster = queues.clusterQueue(local.clusterQueue);
  if (cluster === undefined) return [`queue ${queue.name} leads to no ClusterQueue`];
  const labels = topology.facts.namespace(namespace)?.labels;
  if (cluster.namespaces === undefined || (labels !== undefined && !allowsLabels(cluster.namespaces, labels)))
    return [`ClusterQueue ${cluster.name} takes nothing of namespace ${namespace}`];
  if (local.stop !== "None" || cluster.stop !== "None") return [`queue ${queue.name} is stopped`];
  const tree = treeOf(queues);
  const start = (podsOf: (one: Chosen) => number): string | undefined => admit(tree, cluster, chosen, podsOf);
  if (!queue.whole) return listed(start(({ set }) => Math.max(0, set.required - there)));
  const full = ({ set }: Chosen): number => Math.max(set.count, set.required);
  const fault = start(full);
  if (fault === undefined || chosen.every(({ set }) => set.queueMinimum === undefined)) return listed(fault);
  return listed(start((one) => Math.min(full(one), Math.max(one.set.queueMinimum ?? full(one), one.set.required))));
}

const listed = (fault: string | undefined): readonly string[] => (fault === undefined ? [] : [fault]);

/** Gives each want the first of its flavors that has room beside what earlier ones got; says which want none has room for. */
function admit(
  tree: Tree,
  cluster: ClusterQueueFacts,
  chosen: readonly Chosen[],
  podsOf: (one: Chosen) => number,
): string | undefined {
  const given: Record<string, number> = Object.create(null);
  for (const one of chosen) {
    const pods = podsOf(one);
    if (pods === 0) continue;
    const wants = wantsOf(tree.queues, cluster, one, pods);
    if (typeof wants === "string") return wants;
    for (const { set, amounts, flavors } of wants) {
      const all = (flavor: string, test: (resource: string, amount: number) => boolean): boolean =>
        Object.entries(amounts).every(([name, amount]) => test(name, amount + (given[`${flavor}/${name}`] ?? 0)));
      const fits = flavors.filter((flavor) =>
        all(flavor, (name, amount) => hasRoom(tree, cluster, flavor, name, amount)),
      );
      const own = fits.filter((flavor) =>
        all(flavor, (name, amount) => {
          return usedOf(cluster, flavor, name) + amount <= quotaOf(cluster.groups, flavor, name).nominal;
        }),
      );
      const flavor = (cluster.sparesCohort ? own[0] : undefined) ?? fits[0];
      if (flavor === undefined) {
        const asked = Object.entries(amounts).map(([name, amount]) => `${amount} ${name}`);
        return `no flavor of ClusterQueue ${cluster.name} has ${asked.join(" and ")} left for ${set}`;
      }
      for (const [name, amount] of Object.entries(amounts))
        given[`${flavor}/${name}`] = (given[`${flavor}/${name}`] ?? 0) + amount;
    }
  }
  return undefined;
}

function wantsOf(
  queues: QueueFacts,
  { name: cluster, groups }: ClusterQueueFacts,
  { set, step }: Chosen,
  pods: number,
): readonly Want[] | string {
  const asked: Record<string, number> = { ...set.pod.requests };
  for (const [name, amount] of Object.entries(step.addedRequests)) asked[name] = (asked[name] ?? 0) + amount;
  const wanted = Object.keys(asked).filter((name) => (asked[name] ?? 0) > 0);
  const stray = wanted.find((name) => name !== "pods" && !groups.some(({ covered }) => covered.includes(name)));
  if (stray !== undefined) return `ClusterQueue ${cluster} gives no ${stray}, and ${set.name} asks for it`;
  const wants: Want[] = [];
  for (const group of groups) {
    const names = wanted.filter((name) => groups.find(({ covered }) => covered.includes(name)) === group);
    if (names.length === 0) continue;
    const flavors = flavorsFor(queues, group, { set, step });
    if (flavors.length === 0) return `no flavor of ClusterQueue ${cluster} is for the nodes of ${set.name}`;
    const amounts = Object.fromEntries(names.map((name) => [name, (asked[name] ?? 0) * pods]));
    wants.push({ set: set.name, amounts, flavors });
  }
  return wants;
}

function flavorsFor(queues: QueueFacts, group: FlavorGroup, { set, step }: Chosen): readonly string[] {
  const flavors = group.flavors.flatMap(({ name }) => queues.flavor(name) ?? []);
  const keys = new Set(flavors.flatMap(({ labels }) => Object.keys(labels)));
  const known = (list: Requirements): Requirements => new Map([...list].filter(([key]) => keys.has(key)));
  const added = step.selection.filter(({ key }) => keys.has(key));
  const suits = ({ labels, taints, tolerations }: FlavorFacts): boolean =>
    taints.every(
      (taint) =>
        taint.effect === "PreferNoSchedule" ||
        [...set.pod.tolerations, ...step.tolerations, ...tolerations].some((one) => tolerates(one, taint)),
    ) &&
    added.every((one) => allowsLabels(new Map([[one.key, one]]), labels)) &&
    set.pod.selection.some((term) => allowsLabels(known(term), labels));
  return flavors.filter(suits).map(({ name }) => name);
}

/** What its own quota and what is kept for it do not cover is asked of the place above, up to the cohort that has none above it. */
function hasRoom(tree: Tree, cluster: ClusterQueueFacts, flavor: string, resource: string, amount: number): boolean {
  let asked = amount;
  let place = queuePlace(cluster, flavor, resource);
  let above = cluster.cohort;
  for (let depth = 0; above !== undefined && depth < DEEPEST; depth += 1) {
    asked -= Math.max(0, place.kept - place.held);
    const taken = Math.max(0, place.held - place.kept) + asked;
    if (taken > place.total - place.kept + place.borrowing) return false;
    place = cohortPlace(tree, above, flavor, resource, 0);
    above = tree.queues.cohort(above)?.parent;
  }
  return place.held + asked <= place.total;
}

function usedOf({ used }: ClusterQueueFacts, flavor: string, resource: string): number {
  return Object.hasOwn(used, flavor) ? (used[flavor]?.[resource] ?? 0) : 0;
}

function queuePlace(queue: ClusterQueueFacts, flavor: string, resource: string): Place {
  const quota = quotaOf(queue.groups, flavor, resource);
  return placeOf(quota, quota.nominal, usedOf(queue, flavor, resource));
}

function cohortPlace(tree: Tree, name: string, flavor: string, resource: string, depth: number): Place {
  const key = `${depth}/${name}/${flavor}/${resource}`;
  const place = tree.places.get(key) ?? summedPlace(tree, name, flavor, resource, depth);
  tree.places.set(key, place);
  return place;
}

function summedPlace(tree: Tree, name: string, flavor: string, resource: string, depth: number): Place {
  const quota = quotaOf(tree.queues.cohort(name)?.groups ?? [], flavor, resource);
  const below = [
    ...(tree.queuesIn.get(name) ?? []).map((one) => queuePlace(one, flavor, resource)),
    ...(depth < DEEPEST ? (tree.cohortsIn.get(name) ?? []) : []).map((one) =>
      cohortPlace(tree, one, flavor, resource, depth + 1),
    ),
  ];
  let [total, held] = [quota.nominal, 0];
  for (const place of below) {
    total += place.total - place.kept;
    held += Math.max(0, place.held - place.kept);
  }
  return placeOf(quota, total, held);
}

function placeOf({ borrowing, lending }: FlavorQuota, total: number, held: number): Place {
  const lent = Math.min(total, lending ?? total);
  return { total, held, kept: total - lent, borrowing: borrowing ?? Number.POSITIVE_INFINITY };
}

function quotaOf(groups: CohortFacts["groups"], flavor: string, resource: string): FlavorQuota {
  const found = groups
    .flatMap(({ flavors }) => flavors)
    .find(({ name, quotas }) => name === flavor && Object.hasOwn(quotas, resource));
  return found?.quotas[resource] ?? { nominal: 0 };
}

function treeOf(queues: QueueFacts): Tree {
  const queuesIn = new Map<string, ClusterQueueFacts[]>();
  const cohortsIn = new Map<string, string[]>();
  const file = <Value>(lists: Map<string, Value[]>, above: string | undefined, value: Value): void => {
    const list = above === undefined ? undefined : lists.get(above);
    if (list !== undefined) list.push(value);
    else if (above !== undefined) lists.set(above, [value]);
  };
  for (const one of queues.clusterQueues()) file(queuesIn, one.cohort, one);
  for (const one of queues.cohorts()) file(cohortsIn, one.parent, one.name);
  return { queues, queuesIn, cohortsIn, places: new Map() };
}
