import type { ClusterQueueFacts, CohortFacts, FlavorQuota, QueueFacts } from "../model/index.ts";

/** What one resource of one flavor offers to a queue. */
export interface Offer {
  readonly nominal: number;
  readonly used: number;
  /** Left to it now, what the cohort would lend included. */
  readonly left: number;
  /** Left to it if nobody used anything. */
  readonly most: number;
}

/** A queue or cohort in the tree of cohorts. */
interface Node {
  readonly quota: FlavorQuota;
  /** Its own and what its children share with it. */
  readonly subtree: number;
  /** Of that, what it never lends. */
  readonly kept: number;
  readonly used: number;
}

/** Cohorts nest, and a circle would be a mistake in the cluster: it is cut. */
const MAX_DEPTH = 32;

/**
 * What a ClusterQueue may still take of a flavor's resource, as Kueue computes it (pkg/cache/scheduler/resource_node.go): quota that is not kept back by
 * a lending limit belongs to the cohort; use beyond what is kept counts there; a borrowing limit bounds what is taken beyond the nominal.
 */
export function offerOf(queues: QueueFacts, queue: ClusterQueueFacts, flavor: string, resource: string): Offer {
  const own = queueNode(queue, flavor, resource);
  const parents: Node[] = [];
  for (let name = queue.cohort; name !== undefined && parents.length < MAX_DEPTH; name = queues.cohort(name)?.parent)
    parents.push(cohortNode(queues, name, flavor, resource, 0));
  const chain = [own, ...parents];
  return {
    nominal: own.quota.nominal,
    used: own.used,
    left: available(chain),
    most: potential(chain),
  };
}

function available([node, ...parents]: readonly Node[]): number {
  if (node === undefined) return 0;
  if (parents.length === 0) return node.subtree - node.used;
  const shared = node.subtree - node.kept;
  const over = Math.max(0, node.used - node.kept);
  const lent = Math.min(available(parents), shared - over + (node.quota.borrowing ?? Number.POSITIVE_INFINITY));
  return Math.max(0, node.kept - node.used) + lent;
}

function potential([node, ...parents]: readonly Node[]): number {
  if (node === undefined) return 0;
  if (parents.length === 0) return node.subtree;
  return Math.min(node.kept + potential(parents), node.subtree + (node.quota.borrowing ?? Number.POSITIVE_INFINITY));
}

function quotaIn(groups: CohortFacts["groups"], flavor: string, resource: string): FlavorQuota {
  for (const group of groups)
    for (const one of group.flavors)
      if (one.name === flavor && Object.hasOwn(one.quotas, resource)) return one.quotas[resource] ?? NONE;
  return NONE;
}

const NONE: FlavorQuota = { nominal: 0 };

function nodeOf(quota: FlavorQuota, subtree: number, used: number): Node {
  return { quota, subtree, used, kept: quota.lending === undefined ? 0 : Math.max(0, subtree - quota.lending) };
}

function queueNode(queue: ClusterQueueFacts, flavor: string, resource: string): Node {
  const quota = quotaIn(queue.groups, flavor, resource);
  const used = Object.hasOwn(queue.used, flavor) ? (queue.used[flavor]?.[resource] ?? 0) : 0;
  return nodeOf(quota, quota.nominal, used);
}

function cohortNode(queues: QueueFacts, name: string, flavor: string, resource: string, depth: number): Node {
  const quota = quotaIn(queues.cohort(name)?.groups ?? [], flavor, resource);
  const children: Node[] = [];
  for (const queue of queues.clusterQueues())
    if (queue.cohort === name) children.push(queueNode(queue, flavor, resource));
  if (depth < MAX_DEPTH)
    for (const cohort of queues.cohorts())
      if (cohort.parent === name) children.push(cohortNode(queues, cohort.name, flavor, resource, depth + 1));
  return nodeOf(
    quota,
    children.reduce((sum, one) => sum + one.subtree - one.kept, quota.nominal),
    children.reduce((sum, one) => sum + Math.max(0, one.used - one.kept), 0),
  );
}
