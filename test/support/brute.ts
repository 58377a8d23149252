import {
  allows,
  allowsLabels,
  type Demand,
  type HostPort,
  type PodSetDemand,
  type Step,
  type Taint,
  tolerates,
} from "../../src/model/index.ts";
import type { PodFacts, Topology } from "../../src/topology/index.ts";
import { comesAbout } from "./brute-company.ts";

/** A node as brute force sees it: what is free, and what labels and taints say. */
export interface Site {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
  readonly usable: boolean;
  readonly free: Readonly<Record<string, number>>;
  readonly ports: ReadonlySet<HostPort>;
  /** The rung's source must be `new`, and every such node must be used. */
  readonly fresh: boolean;
  /** Node labels by which pods of others that run here keep pods of the label `app: w` off. */
  readonly apart?: readonly string[];
  /** Labels and namespaces of pods of others that run here. */
  readonly standing?: readonly { readonly labels: Readonly<Record<string, string>>; readonly namespace: string }[];
  /** Until such a node is ready. */
  readonly readyMs?: number;
  /** What tells domains apart, by level name. */
  readonly domains: Readonly<Record<string, string | undefined>>;
}

/** Whoever has preempted others, and waits for a node that is promised to it, has it before pods of a lower priority, and of no others. */
function givesWay({ nominated, priority }: PodFacts, { podSets }: Demand): boolean {
  return nominated && podSets.every(({ pod }) => pod.priority > priority);
}

/** All nodes of a topology, as they are or as they would be when empty, ready and uncordoned. */
export function sitesOf(topology: Topology, demand: Demand, nominal: boolean): readonly Site[] {
  return topology.nodes.map((node, index) => {
    const others = (topology.podsOn[index] ?? []).filter(
      (pod) =>
        !givesWay(pod, demand) &&
        (pod.root.kind !== demand.workload.kind ||
          pod.root.name !== demand.workload.name ||
          pod.root.namespace !== demand.workload.namespace),
    );
    const free: Record<string, number> = { ...node.allocatable };
    for (const pod of nominal ? [] : others)
      for (const [name, amount] of Object.entries(pod.requests)) free[name] = (free[name] ?? 0) - amount;
    const domains: Record<string, string | undefined> = {};
    for (const [depth, { name }] of topology.layout.levels.entries()) {
      const path = topology.layout.levels.slice(0, depth + 1).map(({ key }) => node.labels[key]);
      domains[name] = name === "host" ? node.name : path.includes(undefined) ? undefined : path.join("/");
    }
    return {
      labels: node.labels,
      taints: nominal ? node.taints.filter(({ key }) => !key.startsWith("node.kubernetes.io/")) : node.taints,
      usable: nominal || (node.ready && !node.cordoned),
      free,
      ports: new Set(nominal ? [] : others.flatMap(({ hostPorts }) => hostPorts)),
      fresh: false,
      standing: nominal ? [] : others.map(({ labels, key }) => ({ labels, namespace: key.namespace })),
      apart: nominal ? [] : others.flatMap((pod) => (pod.apart ?? []).map(({ key }) => key)),
      domains,
    };
  });
}

/** Does a site, by its place, hold so many pods of each set, whatever its amounts say. */
export type Holds = (place: number, pods: readonly number[]) => boolean;

/** Tries every way to put the required pods on the sites. For instances small enough. */
export function existsAssignment(
  topology: Topology,
  sites: readonly Site[],
  demand: Demand,
  steps: readonly Step[],
  also: Holds = () => true,
  loose?: (set: PodSetDemand) => boolean,
): boolean {
  const tables = demand.podSets.map((set) => compositions(set.required, sites.length));
  const choose = (index: number, chosen: readonly (readonly number[])[]): boolean => {
    const table = tables[index];
    if (table === undefined)
      return (
        holds(topology, sites, demand, steps, chosen) &&
        sites.every((_, place) =>
          also(
            place,
            chosen.map((counts) => counts[place] ?? 0),
          ),
        ) &&
        comesAbout(sites, demand, chosen, loose)
      );
    const [set, step] = [demand.podSets[index], steps[index]];
    return table.some(
      (counts) =>
        set !== undefined &&
        step !== undefined &&
        stands(topology, sites, set, step, counts) &&
        choose(index + 1, [...chosen, counts]),
    );
  };
  return choose(0, []);
}

function compositions(total: number, places: number): readonly (readonly number[])[] {
  if (places === 0) return total === 0 ? [[]] : [];
  const result: (readonly number[])[] = [];
  for (let first = 0; first <= total; first += 1)
    for (const rest of compositions(total - first, places - 1)) result.push([first, ...rest]);
  return result;
}

/** What concerns all sets together: room on each node, ports, new nodes used, domains that the workload shares. */
function holds(
  topology: Topology,
  sites: readonly Site[],
  demand: Demand,
  steps: readonly Step[],
  chosen: readonly (readonly number[])[],
): boolean {
  for (const [place, site] of sites.entries()) {
    const sums: Record<string, number> = {};
    const ports: (readonly HostPort[])[] = [];
    let pods = 0;
    for (const [index, set] of demand.podSets.entries()) {
      const count = chosen[index]?.[place] ?? 0;
      pods += count;
      for (const requests of [set.pod.requests, steps[index]?.addedRequests ?? {}])
        for (const [name, amount] of Object.entries(requests)) sums[name] = (sums[name] ?? 0) + amount * count;
      for (let pod = 0; pod < count; pod += 1) ports.push(set.pod.hostPorts);
    }
    if (Object.entries(sums).some(([name, amount]) => amount > 0 && amount > (site.free[name] ?? 0))) return false;
    const all = [...ports, [...site.ports]];
    const meet = (pod: readonly HostPort[], at: number): boolean =>
      all.slice(at + 1).some((other) => other.some((port) => pod.some((own) => isOneSocket(own, port))));
    if (ports.some(meet)) return false;
    if (site.fresh && pods === 0) return false;
  }
  const places = (index: number, level: string): Map<string | undefined, number> =>
    tally(chosen[index] ?? [], sites, (site) => site.domains[level]);
  for (const { name } of topology.layout.levels) {
    const shared = new Set<string | undefined>();
    for (const [index, { placement }] of demand.podSets.entries()) {
      const { unit, level, within, mode } = placement;
      if (level === undefined || mode !== "required" || unit === "pod") continue;
      if ((unit === "workload" ? level : within) === name)
        for (const each of places(index, name).keys()) shared.add(each);
    }
    if (shared.size > 1 || shared.has(undefined)) return false;
  }
  return demand.podSets.every(({ placement }, index) => {
    const { unit, level, separate, joint, groupSize, mode } = placement;
    if (level === undefined || mode !== "required" || unit === "pod" || unit === "workload") return true;
    const own = places(index, level);
    return demand.podSets.every(({ placement: theirs, required }, other) => {
      if (other === index)
        return separate !== true || unit !== "group" || [...own.values()].every((pods) => pods <= groupSize);
      const others = places(other, level);
      if (joint !== undefined && theirs.joint === joint) {
        if (required * groupSize !== (demand.podSets[index]?.required ?? 0) * theirs.groupSize) return true;
        return [...new Set([...own.keys(), ...others.keys()])].every(
          (domain) => (own.get(domain) ?? 0) * theirs.groupSize === (others.get(domain) ?? 0) * groupSize,
        );
      }
      return separate !== true || [...own.keys()].every((domain) => domain === undefined || !others.has(domain));
    });
  });
}

/** As the kernel would have it: one port and protocol, at addresses that are not two. */
function isOneSocket(...ports: readonly [HostPort, HostPort]): boolean {
  const [a, b] = ports.map((port) => /^(?:(.+):)?(\d+)(?:\/(.+))?$/.exec(String(port)) ?? []);
  const [, at, number, over = "TCP"] = a ?? [];
  const [, where, other, by = "TCP"] = b ?? [];
  return number === other && over === by && (at === undefined || where === undefined || at === where);
}

/** What concerns one set by itself. */
function stands(
  topology: Topology,
  sites: readonly Site[],
  set: PodSetDemand,
  step: Step,
  counts: readonly number[],
): boolean {
  const tolerations = [...set.pod.tolerations, ...step.tolerations];
  const tolerated = (site: Site): boolean =>
    site.taints.every(
      (taint) => taint.effect === "PreferNoSchedule" || tolerations.some((one) => tolerates(one, taint)),
    );
  const selected = (site: Site): boolean =>
    set.pod.selection.some((term) => allowsLabels(term, site.labels)) &&
    step.selection.every((one) => allows(one, site.labels[one.key]));
  const keptOff = (site: Site): boolean =>
    set.pod.labels?.["app"] === "w" &&
    sites.some(({ apart, labels }) =>
      apart?.some((key) => labels[key] !== undefined && labels[key] === site.labels[key]),
    );
  for (const [place, site] of sites.entries()) {
    if ((counts[place] ?? 0) === 0) continue;
    if (keptOff(site)) return false;
    if (!site.usable || !tolerated(site) || !selected(site)) return false;
    if (site.fresh && (step.rung.source !== "new" || (site.readyMs ?? 0) > set.ladder.maxProvisioningMs)) return false;
  }
  const { unit, level, mode, groupSize, spread } = set.placement;
  if (level !== undefined && mode === "required" && unit !== "pod") {
    const sums = tally(counts, sites, (site) => site.domains[level]);
    if (sums.has(undefined)) return false;
    if (unit !== "group" && sums.size > 1) return false;
    if (unit === "group") {
      // Whole groups everywhere, and one place for what is left over.
      const rest = set.required % groupSize;
      const broken = [...sums.values()].filter((count) => count % groupSize !== 0);
      if (broken.length > 1 || (broken.length === 1 && (broken[0] ?? 0) % groupSize !== rest)) return false;
    }
  }
  const rules = [...set.pod.spread];
  const key = topology.layout.levels.find(({ name }) => name === spread?.level)?.key;
  if (spread?.mode === "required" && key !== undefined)
    rules.push({
      key,
      maxSkew: spread.maxSkew,
      ...(spread.minDomains === undefined ? {} : { minDomains: spread.minDomains }),
      ignoreTaints: true,
    });
  return rules.every((rule) => {
    const sums = tally(counts, sites, (site) => site.labels[rule.key]);
    if (sums.has(undefined)) return false;
    for (const site of sites) {
      const value = site.labels[rule.key];
      if (
        value !== undefined &&
        !sums.has(value) &&
        !site.fresh &&
        rules.every(({ key: other }) => site.labels[other] !== undefined) &&
        (rule.ignoreSelection === true || selected(site)) &&
        (rule.ignoreTaints || tolerated(site))
      )
        sums.set(value, 0);
    }
    const values = [...sums.values()];
    const least = values.length < (rule.minDomains ?? 1) ? 0 : Math.min(...values);
    return values.length === 0 || Math.max(...values) - least <= rule.maxSkew;
  });
}

function tally(
  counts: readonly number[],
  sites: readonly Site[],
  domain: (site: Site) => string | undefined,
): Map<string | undefined, number> {
  const sums = new Map<string | undefined, number>();
  for (const [place, site] of sites.entries()) {
    const count = counts[place] ?? 0;
    if (count > 0) sums.set(domain(site), (sums.get(domain(site)) ?? 0) + count);
  }
  return sums;
}
