import { firstFit as firstFitOf, mostPods } from "./allocate.ts";
import type { ReplayPod } from "./pod.ts";
import { isSelected, isTolerated, type Site } from "./site.ts";

/** Pods that some order of choices binds at least, and at most. */
export interface Range {
  readonly least: number;
  readonly most: number;
}

/** What one node carries of the workload so far. */
interface Load {
  readonly pods: number;
  readonly taken: number;
}

const MAX_STATES = 60_000;

/**
 * Places `count` equal pods one after another, as kube-scheduler does: each goes to any node that passes every filter, in every order of
 * choices, and none is ever taken back. `firstFit`: devices as the allocator hands them out; else by the best choice that there is, so
 * that `most` tells what an assignment could hold. Undefined where there are too many states.
 */
export function replay(sites: readonly Site[], pod: ReplayPod, count: number, firstFit: boolean): Range | undefined {
  const open = sites.filter((site) => isSelected(site, pod) && isTolerated(site, pod));
  const signatures = open.map((site) => signatureOf(site, pod));
  const caps = open.map((site) => Math.min(roomOn(site, pod, count), deviceRoom(site, pod, count, firstFit)));
  const known = new Map<string, Range>();
  let tooMany = false;

  const walk = (loads: readonly Load[], left: number): Range => {
    if (left === 0) return { least: 0, most: 0 };
    const key = loads
      .map(({ pods, taken }, index) => `${signatures[index]}:${pods}:${taken}`)
      .sort()
      .join("|");
    const before = known.get(key);
    if (before !== undefined) return before;
    if (known.size > MAX_STATES) {
      tooMany = true;
      return { least: 0, most: 0 };
    }
    let range: Range | undefined;
    const tried = new Set<string>();
    for (const [index, site] of open.entries()) {
      const load = loads[index];
      if (load === undefined || load.pods >= (caps[index] ?? 0)) continue;
      const alike = `${signatures[index]}:${load.pods}:${load.taken}`;
      if (tried.has(alike)) continue;
      if (!together(open, loads, index, pod) || !spreads(sites, open, loads, index, pod)) continue;
      tried.add(alike);
      const taken = firstFit ? firstFitOf(site.devices, load.taken, pod) : load.taken;
      if (taken === undefined) continue;
      // Every node that passes is looked at before one is chosen, and this one ends the attempt.
      if (taken === "abort") {
        range = { least: 0, most: 0 };
        break;
      }
      const next = walk(
        loads.map((one, at) => (at === index ? { pods: one.pods + 1, taken } : one)),
        left - 1,
      );
      range = {
        least: Math.min(range?.least ?? Number.POSITIVE_INFINITY, next.least + 1),
        most: Math.max(range?.most ?? 0, next.most + 1),
      };
    }
    const result = range ?? { least: 0, most: 0 };
    known.set(key, result);
    return result;
  };

  const range = walk(
    open.map(({ taken }) => ({ pods: 0, taken })),
    count,
  );
  return tooMany ? undefined : range;
}

/** Does the scheduler give up on the first pod, whatever other nodes have. */
export function aborts(sites: readonly Site[], pod: ReplayPod): boolean {
  return sites.some(
    (site) =>
      isSelected(site, pod) &&
      isTolerated(site, pod) &&
      roomOn(site, pod, 1) > 0 &&
      [...pod.affinity, ...pod.spread.map(({ key }) => key)].every((key) => site.labels[key] !== undefined) &&
      firstFitOf(site.devices, site.taken, pod) === "abort",
  );
}

/** NodeResourcesFit, as a count. */
function roomOn(site: Site, pod: ReplayPod, limit: number): number {
  let room = limit;
  for (const [name, amount] of Object.entries(pod.requests))
    if (amount > 0) room = Math.min(room, Math.floor((site.free[name] ?? 0) / amount));
  return Math.max(0, room);
}

/** With the allocator's own choices they show one by one, so nothing is said here. */
function deviceRoom(site: Site, pod: ReplayPod, limit: number, firstFit: boolean): number {
  return firstFit ? limit : mostPods(site.devices, site.taken, pod, limit);
}

/** InterPodAffinity: the first pod of the workload goes anywhere that has the label, the others where one of them is. */
function together(open: readonly Site[], loads: readonly Load[], index: number, pod: ReplayPod): boolean {
  const started = loads.some(({ pods }) => pods > 0);
  return pod.affinity.every((key) => {
    const value = open[index]?.labels[key];
    if (value === undefined) return false;
    return !started || loads.some(({ pods }, at) => pods > 0 && open[at]?.labels[key] === value);
  });
}

/** PodTopologySpread: domains count where the pod's node selection holds, whatever is free or tainted there (the defaults). */
function spreads(
  sites: readonly Site[],
  open: readonly Site[],
  loads: readonly Load[],
  index: number,
  pod: ReplayPod,
): boolean {
  return pod.spread.every(({ key, maxSkew, honorTaints }) => {
    const value = open[index]?.labels[key];
    if (value === undefined) return false;
    const counts = new Map<string, number>();
    for (const site of sites) {
      const domain = site.labels[key];
      // A node counts where it has the keys of all constraints.
      if (domain === undefined || pod.spread.some((one) => site.labels[one.key] === undefined)) continue;
      if (!isSelected(site, pod) || (honorTaints && !isTolerated(site, pod))) continue;
      const load = loads[open.indexOf(site)];
      counts.set(domain, (counts.get(domain) ?? 0) + (load?.pods ?? 0));
    }
    return (counts.get(value) ?? 0) + 1 - Math.min(...counts.values()) <= maxSkew;
  });
}

/** Nodes with equal signatures are one choice. */
function signatureOf(site: Site, pod: ReplayPod): string {
  const keys = [...pod.affinity, ...pod.spread.map(({ key }) => key)];
  return JSON.stringify([
    keys.map((key) => site.labels[key]),
    Object.keys(pod.requests).map((name) => site.free[name] ?? 0),
    site.taken,
    pod.claims.length === 0 ? [] : site.devices.map(({ driver, attributes }) => [driver, attributes]),
  ]);
}
