import type { Answer, PodSetDemand, SetDecision } from "../model/index.ts";
import type { Topology } from "../topology/index.ts";

const VALUES = 8;

/** Domains of the required level that the assignment uses: the expansion prefers them, so that a first-fit scheduler starts where the whole unit fits. */
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
  const level = topology.levels.find((one) => one.level.name === placement.level);
  if (level === undefined) return undefined;
  const values = new Set<string>();
  for (const { podSet, node } of answer.chosen?.assignment?.placed ?? []) {
    const index = podSet === set.name ? topology.nodeIndex.get(node) : undefined;
    const value = index === undefined ? undefined : level.domains[level.domainOf[index] ?? -1]?.path.at(-1);
    if (value !== undefined) values.add(value);
  }
  return values.size === 0 ? undefined : { key: level.level.key, values: [...values].sort().slice(0, VALUES) };
}
