import {
  allows,
  allowsLabels,
  type Demand,
  type HostPort,
  type PodSetDemand,
  type Step,
  tolerates,
} from "../../src/model/index.ts";
import type { Site } from "./brute.ts";
import { passesCompany } from "./brute-company.ts";

/** Pods of one set that follow each other: a set whole, or one of its groups. */
interface Crowd {
  readonly set: number;
  readonly group: number;
  readonly pods: number;
}

/**
 * Does some order of pods and of choices end with fewer pods of a set than are required? Each pod goes to any site that passes every filter
 * at that moment, and none is ever taken back. For instances small enough; undefined where there are too many states.
 */
export function someOrderMisses(
  sites: readonly Site[],
  demand: Demand,
  steps: readonly Step[],
  limit = 40_000,
): boolean | undefined {
  const sets = demand.podSets;
  const crowds = sets.flatMap((set, index): Crowd[] => {
    const { unit, groupSize, level, mode } = set.placement;
    const grouped = unit === "group" && level !== undefined && mode === "required";
    const size = grouped ? groupSize : Math.max(1, set.count);
    return Array.from({ length: Math.ceil(set.count / size) }, (_, group) => ({
      set: index,
      group,
      pods: Math.min(size, set.count - group * size),
    }));
  });
  const open = sets.map((set, index) => sites.map((site) => passes(site, set, steps[index])));
  const spreadOver = sets.map((set) => set.pod.spread);
  const seen = new Set<string>();
  let tooMany = false;

  /** By crowd, then site. */
  const walk = (loads: readonly (readonly number[])[]): boolean => {
    const key = loads.map((one) => one.join()).join("|");
    if (seen.has(key) || tooMany) return false;
    seen.add(key);
    if (seen.size > limit) tooMany = true;
    const placed = (set: number, site: number): number =>
      crowds.reduce((sum, one, at) => sum + (one.set === set ? (loads[at]?.[site] ?? 0) : 0), 0);
    let moved = false;
    for (const [at, crowd] of crowds.entries()) {
      const own = loads[at] ?? [];
      if (own.reduce((sum, one) => sum + one, 0) >= crowd.pods) continue;
      for (const [place, site] of sites.entries()) {
        if (open[crowd.set]?.[place] !== true || !fits(site, place, crowd.set, placed)) continue;
        if (!follows(place, crowd, loads) || !spreads(site, crowd.set, placed)) continue;
        const bySet = sets.map((_, set) => sites.map((_, at) => placed(set, at)));
        if (!passesCompany(sites, demand, bySet, sets[crowd.set], place)) continue;
        moved = true;
        const next = loads.map((one, index) => (index === at ? one.map((n, to) => (to === place ? n + 1 : n)) : one));
        if (walk(next)) return true;
      }
    }
    if (moved) return false;
    return sets.some((set, index) => sites.reduce((sum, _, site) => sum + placed(index, site), 0) < set.required);
  };

  const fits = (site: Site, place: number, set: number, placed: (set: number, site: number) => number): boolean => {
    const sums: Record<string, number> = {};
    const ports: HostPort[] = [];
    for (const [index, one] of sets.entries()) {
      const pods = placed(index, place) + (index === set ? 1 : 0);
      for (const [name, amount] of Object.entries(one.pod.requests)) sums[name] = (sums[name] ?? 0) + amount * pods;
      for (let pod = 0; pod < pods; pod += 1) ports.push(...one.pod.hostPorts);
    }
    if (ports.some((port) => site.ports.has(port)) || new Set(ports).size < ports.length) return false;
    return Object.entries(sums).every(([name, amount]) => amount === 0 || amount <= (site.free[name] ?? 0));
  };

  /** Required pod affinity: where a pod of the unit is, or anywhere with the label while there is none. */
  const follows = (place: number, crowd: Crowd, loads: readonly (readonly number[])[]): boolean => {
    const { unit, level, mode } = sets[crowd.set]?.placement ?? {};
    if (level === undefined || mode !== "required" || unit === "pod") return true;
    const domain = sites[place]?.domains[level];
    if (domain === undefined) return false;
    const fellows = crowds.flatMap((one, at) => {
      const other = sets[one.set]?.placement;
      const same =
        unit === "workload"
          ? other?.unit === "workload" && other.level === level
          : one.set === crowd.set && (unit !== "group" || one.group === crowd.group);
      return same ? [at] : [];
    });
    const taken = sites.filter((_, site) => fellows.some((at) => (loads[at]?.[site] ?? 0) > 0));
    return taken.length === 0 || taken.some((site) => site.domains[level] === domain);
  };

  const spreads = (site: Site, set: number, placed: (set: number, site: number) => number): boolean =>
    (spreadOver[set] ?? []).every(({ key, maxSkew, minDomains, ignoreTaints, ignoreSelection }) => {
      const value = site.labels[key];
      if (value === undefined) return false;
      const counts = new Map<string, number>();
      for (const [place, other] of sites.entries()) {
        const domain = other.labels[key];
        if (domain === undefined || (spreadOver[set] ?? []).some((one) => other.labels[one.key] === undefined))
          continue;
        const [own, step] = [sets[set], steps[set]];
        if (
          own === undefined ||
          (ignoreSelection !== true && !selects(other, own, step)) ||
          (!ignoreTaints && !isTolerated(other, own, step))
        )
          continue;
        counts.set(domain, (counts.get(domain) ?? 0) + placed(set, place));
      }
      const least = counts.size < (minDomains ?? 1) ? 0 : Math.min(...counts.values());
      return (counts.get(value) ?? 0) + 1 - least <= maxSkew;
    });

  const missed = walk(crowds.map(() => sites.map(() => 0)));
  return missed ? true : tooMany ? undefined : false;
}

function passes(site: Site, set: PodSetDemand, step: Step | undefined): boolean {
  return site.usable && !site.fresh && selects(site, set, step) && isTolerated(site, set, step);
}

function selects(site: Site, set: PodSetDemand, step: Step | undefined): boolean {
  return (
    set.pod.selection.some((term) => allowsLabels(term, site.labels)) &&
    (step?.selection ?? []).every((one) => allows(one, site.labels[one.key]))
  );
}

function isTolerated(site: Site, set: PodSetDemand, step: Step | undefined): boolean {
  const tolerations = [...set.pod.tolerations, ...(step?.tolerations ?? [])];
  return site.taints.every(
    (taint) => taint.effect === "PreferNoSchedule" || tolerations.some((one) => tolerates(one, taint)),
  );
}
