import { allows, type CapacityPool, type Requirements, requirementText } from "../model/index.ts";
import type { NodePoolFacts, Topology } from "../topology/index.ts";

const NODE_POOL_LABEL = "karpenter.sh/nodepool";
const ZONE_LABEL = "topology.kubernetes.io/zone";

type Pools = Pick<Topology, "nodePools">;

/** The name of the NodePool of which the pool's nodes are made, by the label that they get or by which its members are known. */
function makerName({ node, members }: Pick<CapacityPool, "node" | "members">): string | undefined {
  const member = members.get(NODE_POOL_LABEL);
  const named = member !== undefined && !member.complement && member.values.length === 1 ? member.values[0] : undefined;
  return Object.hasOwn(node.labels, NODE_POOL_LABEL) ? node.labels[NODE_POOL_LABEL] : named;
}

export function nodePoolOf({ nodePools }: Pools, pool: CapacityPool): NodePoolFacts | undefined {
  const name = makerName(pool);
  return name === undefined ? undefined : nodePools.find((one) => one.name === name);
}

/**
 * The NodePool that the pool names and the cluster lacks. Undefined where the cluster shows none at all, for then they may not have been read, or nothing
 * serves them; and where some could not be read, of which it may be one.
 */
export function missingMaker(
  { facts, nodePools }: Pick<Topology, "facts" | "nodePools">,
  pool: CapacityPool,
): string | undefined {
  const name = makerName(pool);
  const unsure = nodePools.length === 0 || facts.unread?.has("NodePool") === true;
  return name === undefined || unsure || nodePools.some((one) => one.name === name) ? undefined : name;
}

/**
 * Labels of the pool's new nodes as its NodePool stamps them (karpenter pkg/controllers/provisioning/scheduling/nodeclaimtemplate.go): its name, those of
 * its template, and those of which its requirements leave one value. What the pool declares and the NodePool never makes is no label of theirs.
 */
export function labelsMade(topology: Pools, pool: CapacityPool): Readonly<Record<string, string>> {
  const nodePool = nodePoolOf(topology, pool);
  if (nodePool === undefined) return pool.node.labels;
  const made: Record<string, string> = {};
  for (const [key, value] of Object.entries(pool.node.labels)) {
    const asked = nodePool.requirements.get(key);
    if (asked === undefined || allows(asked, value)) made[key] = value;
  }
  return { ...made, ...nodePool.labels, [NODE_POOL_LABEL]: nodePool.name };
}

/** Of which labels that the pool does not declare its NodePool leaves the value to the pods that wait, or to the machine. */
export function labelsLeftOpen(topology: Pools, pool: CapacityPool): Requirements {
  const made = labelsMade(topology, pool);
  const asked = nodePoolOf(topology, pool)?.requirements ?? [];
  return new Map([...asked].filter(([key]) => !Object.hasOwn(made, key)));
}

/** Zones in which its NodePool makes nodes. */
export function zonesMade(topology: Pools, pool: CapacityPool): readonly string[] {
  const asked = nodePoolOf(topology, pool)?.requirements.get(ZONE_LABEL);
  return asked === undefined ? pool.zones : pool.zones.filter((zone) => allows(asked, zone));
}

/** Where the pool says otherwise than its NodePool, a few words each: `tier=gold, where NodePool np stamps tier=silver`. */
export function differences(topology: Pools, pool: CapacityPool): readonly string[] {
  const nodePool = nodePoolOf(topology, pool);
  if (nodePool === undefined) return [];
  const maker = `NodePool ${nodePool.name}`;
  const found: string[] = [];
  for (const [key, value] of Object.entries(pool.node.labels)) {
    const asked = nodePool.requirements.get(key);
    const stamped = Object.hasOwn(nodePool.labels, key) ? nodePool.labels[key] : undefined;
    if (stamped !== undefined && stamped !== value)
      found.push(`${key}=${value}, where ${maker} stamps ${key}=${stamped}`);
    else if (asked !== undefined && !allows(asked, value))
      found.push(`${key}=${value}, where ${maker} requires ${requirementText(asked)}`);
  }
  const asked = nodePool.requirements.get(ZONE_LABEL);
  const lost = pool.zones.filter((zone) => asked !== undefined && !allows(asked, zone));
  if (asked !== undefined && lost.length > 0)
    found.push(
      `${lost.length === 1 ? "zone" : "zones"} ${lost.join(", ")}, where ${maker} requires ${requirementText(asked)}`,
    );
  const same = (a: { key: string; effect: string }) => (b: { key: string; effect: string }) =>
    a.key === b.key && a.effect === b.effect;
  for (const taint of nodePool.taints)
    if (!pool.node.taints.some(same(taint)))
      found.push(`no taint ${taint.key}:${taint.effect}, where ${maker} stamps it`);
  return found;
}
