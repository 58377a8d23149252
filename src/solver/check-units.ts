import type { Topology } from "../topology/index.ts";
import { domainOf } from "./check-placement.ts";
import type { Laid } from "./checker.ts";

/** What units of one workload ask of each other: domains that all of them share, that none of them shares, and groups of several sets. */
export function checkUnits(topology: Topology, laid: readonly Laid[], faults: string[]): void {
  const strict = laid.filter(({ set }) => !set.perNode && set.placement.mode === "required");
  for (const { name } of topology.layout.levels) {
    const sharing = strict.filter(({ set: { placement } }) =>
      placement.unit === "workload"
        ? placement.level === name
        : placement.unit !== "pod" && placement.level !== undefined && placement.within === name,
    );
    const domains = new Set(sharing.flatMap((one) => [...podsIn(topology, one, name).keys()]));
    if (domains.has(undefined)) faults.push(`the ${name} of some node that the workload shares is not known`);
    if (domains.size > 1) faults.push(`the workload stands in ${domains.size} domains of ${name}`);
  }
  for (const one of strict) checkSeparate(topology, one, laid, faults);
  for (const one of strict) checkJoint(topology, one, strict, faults);
}

function checkSeparate(topology: Topology, one: Laid, laid: readonly Laid[], faults: string[]): void {
  const { level, separate, unit, groupSize, joint } = one.set.placement;
  if (separate !== true || level === undefined || unit === "pod" || unit === "workload") return;
  const own = podsIn(topology, one, level);
  if (unit === "group" && [...own.values()].some((pods) => pods > groupSize))
    faults.push(`two groups of ${one.set.name} share a ${level}`);
  for (const other of laid) {
    const together = joint !== undefined && other.set.placement.joint === joint;
    if (other === one || other.set.perNode || together) continue;
    for (const domain of podsIn(topology, other, level).keys())
      if (domain !== undefined && own.has(domain))
        faults.push(`${one.set.name} shares the ${level} ${domain} with ${other.set.name}`);
  }
}

function checkJoint(topology: Topology, one: Laid, laid: readonly Laid[], faults: string[]): void {
  const { unit, level, joint, groupSize } = one.set.placement;
  if (unit !== "group" || level === undefined || joint === undefined) return;
  const own = podsIn(topology, one, level);
  for (const other of laid) {
    const { placement, required } = other.set;
    const partner = placement.joint === joint && placement.unit === "group" && placement.level === level;
    if (!partner || required * groupSize !== one.set.required * placement.groupSize) continue;
    for (const [domain, pods] of podsIn(topology, other, level))
      if ((own.get(domain) ?? 0) * placement.groupSize !== pods * groupSize)
        faults.push(`groups of ${one.set.name} and ${other.set.name} do not match in ${level} ${domain ?? ""}`);
  }
}

function podsIn(topology: Topology, { placed }: Laid, level: string): ReadonlyMap<string | undefined, number> {
  const pods = new Map<string | undefined, number>();
  for (const { host, pods: more } of placed) {
    const domain = domainOf(topology, host, level);
    pods.set(domain, (pods.get(domain) ?? 0) + more);
  }
  return pods;
}
