import type { Answer, PodSetDemand, SetDecision } from "../model/index.ts";
import { outerKeys, type Topology } from "../topology/index.ts";

const VALUES = 8;

/** Domains of the required level (or of the one that all units share) that the assignment uses: the expansion prefers them, so that a first-fit scheduler starts where the whole unit fits. */
export function steerOf(set: PodSetDemand, answer: Answer, topology: Topology | undefined): SetDecision["steer"] {
  const { placement } = set;
  if (
    topology === undefined ||
    answer.verdict !== "fits" ||
    placement.level === undefined ||
    placement.mode !== "required"
  )
    return undefined;
  // A pod by itself shares its domain with nobody.
  if (placement.unit === "pod") return undefined;
  // What all units share is one domain, whichever theirs are.
  const shared = placement.within ?? placement.level;
  const depth = topology.levels.findIndex((one) => one.level.name === shared);
  const level = topology.levels[depth];
  if (level === undefined) return undefined;
  const outer = outerKeys(topology, depth).length;
  const paths = new Map<string, readonly string[]>();
  for (const { podSet, node } of answer.chosen?.assignment?.placed ?? []) {
    const index = podSet === set.name ? topology.nodeIndex.get(node) : undefined;
    const path = index === undefined ? undefined : level.domains[level.domainOf[index] ?? -1]?.path;
    const value = path?.at(-1);
    if (path === undefined || value === undefined) continue;
    // The value, then what stands around it from near to far.
    const told = path.slice(path.length - 1 - outer).reverse();
    paths.set(JSON.stringify(told), told);
  }
  if (paths.size === 0) return undefined;
  const found = [...paths].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, path]) => path);
  const few = found.slice(0, VALUES);
  const values = few.map(([value = ""]) => value);
  return {
    key: level.level.key,
    values,
    ...(outer === 0 ? {} : { outer: few.map(([, ...around]) => around) }),
  };
}

/** By the key of each level that pods of the set share, the keys of wider levels that have to be compared as well. */
export function outerOf({ placement }: PodSetDemand, topology: Topology | undefined): SetDecision["outer"] {
  if (topology === undefined || placement.unit === "pod" || placement.level === undefined) return undefined;
  const found: Record<string, readonly string[]> = Object.create(null);
  for (const [depth, { level }] of topology.levels.entries()) {
    const keys = level.name === placement.level || level.name === placement.within ? outerKeys(topology, depth) : [];
    if (keys.length > 0) found[level.key] = keys;
  }
  return Object.keys(found).length === 0 ? undefined : found;
}
