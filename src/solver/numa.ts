import type { CapacityPool, NodeNuma, NumaPolicy, NumaScope } from "../model/index.ts";
import type { TopologyIndex } from "./topology-index.ts";

/** A Topology Manager as it may be configured. */
export interface NumaSetting {
  readonly policy: NumaPolicy;
  readonly scope: NumaScope;
}

/** What is known of the Topology Manager of a node, and of what it hands out. */
export interface NumaRule {
  /** More than one where it is not told which. */
  readonly settings: readonly NumaSetting[];
  /** What a doubt says of the nodes `%` where there are several. */
  readonly doubt: string;
  /** As its NodeResourceTopology tells; absent: devices lie on so many NUMA nodes in equal parts, as the pool declares. */
  readonly told?: NodeNuma;
  readonly parts: number;
}

/** The kubelet starts with no more of them, unless it is told to. */
export const MOST_ZONES = 8;

const ADMITS_ALL: ReadonlySet<NumaPolicy> = new Set(["none", "best-effort"]);
const SCOPES: readonly NumaScope[] = ["container", "pod"];

/**
 * The rule of each existing node whose kubelet may turn pods away: by its NodeResourceTopology, else by the pool that it belongs to. Undefined
 * where there is none.
 */
export function numaOf(
  index: TopologyIndex,
  pools: readonly CapacityPool[],
): ReadonlyMap<number, NumaRule> | undefined {
  const rules = new Map<number, NumaRule>();
  for (const pool of pools) {
    const rule = ruleOfPool(pool);
    if (rule === undefined || pool.members.size === 0) continue;
    for (const row of index.matching(pool.members)) if (!rules.has(row)) rules.set(row, rule);
  }
  // Equal objects are one, and so are their rules.
  const known = new Map<NodeNuma, Map<NumaRule | undefined, NumaRule | undefined>>();
  for (const [name, told] of index.topology.facts.numa ?? []) {
    const row = index.topology.nodeIndex.get(name);
    if (row === undefined) continue;
    const declared = rules.get(row);
    const made = known.get(told) ?? new Map<NumaRule | undefined, NumaRule | undefined>();
    known.set(told, made);
    if (!made.has(declared)) made.set(declared, ruleTold(told, declared));
    const rule = made.get(declared);
    if (rule === undefined) rules.delete(row);
    else rules.set(row, rule);
  }
  return rules.size === 0 ? undefined : rules;
}

/** New nodes of the pool follow it too. */
export function ruleOfPool({ node }: CapacityPool): NumaRule | undefined {
  if (node.numa === undefined) return undefined;
  const { nodes, policy, scope } = node.numa;
  return { settings: [{ policy, scope }], parts: nodes, doubt: "" };
}

/** The object wins; what it leaves out the pool may say. */
function ruleTold(told: NodeNuma, declared: NumaRule | undefined): NumaRule | undefined {
  const [own] = declared?.settings ?? [];
  const policy = told.policy ?? own?.policy;
  const scope = told.scope ?? own?.scope;
  if (policy !== undefined && ADMITS_ALL.has(policy)) return undefined;
  const policies: readonly NumaPolicy[] = policy === undefined ? ["none", "restricted", "single-numa-node"] : [policy];
  const scopes = scope === undefined ? SCOPES : [scope];
  return {
    settings: policies.flatMap((one) => scopes.map((other) => ({ policy: one, scope: other }))),
    parts: told.zones.length,
    told,
    doubt: `the NodeResourceTopology of % does not say the ${policy === undefined ? "policy" : "scope"} of its Topology Manager (attribute ${policy === undefined ? "topologyManagerPolicy" : "topologyManagerScope"})`,
  };
}

/** Does it let every pod in. */
export const admitsAll = ({ policy }: NumaSetting): boolean => ADMITS_ALL.has(policy);
