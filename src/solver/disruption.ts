import { allowsLabels, type ClusterFacts } from "../model/index.ts";
import type { PodFacts } from "../topology/index.ts";

/** Pods that could be preempted, by what their PodDisruptionBudgets still allow. */
export interface Sparing {
  /** Pods that may go without breaking a budget. */
  readonly free: ReadonlySet<PodFacts>;
  /** Budgets that the others would break, `namespace/name`, with the disruptions that each allows now. */
  readonly broken: ReadonlyMap<string, number>;
}

/**
 * As kube-scheduler counts (FilterVictimsWithPDBViolation in pkg/scheduler/framework/preemption/util.go): the most important pods first, each in
 * every budget of its namespace that selects it, until one of those is used up. Pods without labels, and pods whose eviction is under
 * way already, break none.
 */
export function sparing(facts: ClusterFacts, pods: readonly PodFacts[]): Sparing {
  const free = new Set<PodFacts>();
  const broken = new Map<string, number>();
  const left = new Map<string, number>();
  for (const pod of [...pods].sort(byImportance)) {
    const breaks = breaksOne(facts, pod, left);
    if (breaks === undefined) free.add(pod);
    else broken.set(breaks.id, breaks.allowed);
  }
  return { free, broken };
}

/** Higher priority, then longer running; one that has not started counts as started now. */
function byImportance(a: PodFacts, b: PodFacts): number {
  if (a.priority !== b.priority) return b.priority - a.priority;
  const [one, other] = [orderText(a), orderText(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}

const orderText = ({ key, started = "now" }: PodFacts): string => `${started} ${key.namespace}/${key.name}`;

/** The first budget that is used up before the pod comes; every budget that it passes counts it. */
function breaksOne(
  facts: ClusterFacts,
  { key, labels }: PodFacts,
  left: Map<string, number>,
): { readonly id: string; readonly allowed: number } | undefined {
  if (Object.keys(labels).length === 0) return undefined;
  for (const { name, selector, allowed, disrupted } of facts.disruptionBudgets?.(key.namespace) ?? []) {
    if (selector === undefined || !allowsLabels(selector, labels) || disrupted.includes(key.name)) continue;
    const id = `${key.namespace}/${name}`;
    const rest = (left.get(id) ?? allowed) - 1;
    left.set(id, rest);
    if (rest < 0) return { id, allowed };
  }
  return undefined;
}
