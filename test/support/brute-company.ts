import { allows, type Demand, type OwnTerm, type PodSetDemand } from "../../src/model/index.ts";
import type { Site } from "./brute.ts";

type Standing = NonNullable<Site["standing"]>[number];

/** Does a term select the pod, as kube-scheduler says. Of templates whose labels are all known. */
const picks = (term: OwnTerm, { labels, namespace }: Standing): boolean =>
  (term.namespaces.includes(namespace) || term.namespaceLabels?.length === 0) &&
  term.labels.every((one) => allows(one, labels[one.key]));

const termsOf = ({ pod }: PodSetDemand, kind: OwnTerm["kind"]): readonly OwnTerm[] =>
  (pod.terms ?? []).filter((term) => term.kind === kind);

export const asPod = ({ pod }: PodSetDemand): Standing => ({ labels: pod.labels ?? {}, namespace: "default" });

/** Do pods that match all terms of the set's affinity run there. */
export function meets(set: PodSetDemand, pod: Standing): boolean {
  return termsOf(set, "near").every((term) => picks(term, pod));
}

/** Is there an order in which each pod, when it comes, passes InterPodAffinity where it is to stand. `loose`: its affinity asks for labels alone. */
export function comesAbout(
  sites: readonly Site[],
  demand: Demand,
  chosen: readonly (readonly number[])[],
  loose: (set: PodSetDemand) => boolean = () => false,
): boolean {
  if (demand.podSets.every(({ pod }) => pod.terms === undefined)) return true;
  const seen = new Set<string>();
  const walk = (loads: readonly (readonly number[])[]): boolean => {
    const key = loads.join("|");
    if (key === chosen.join("|")) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return demand.podSets.some((set, index) =>
      sites.some((_, place) => {
        if ((loads[index]?.[place] ?? 0) >= (chosen[index]?.[place] ?? 0)) return false;
        if (!passesCompany(sites, demand, loads, set, place, loose(set))) return false;
        return walk(loads.map((row, at) => (at === index ? row.with(place, (row[place] ?? 0) + 1) : row)));
      }),
    );
  };
  return walk(chosen.map((row) => row.map(() => 0)));
}

/** InterPodAffinity, for one pod of the set that comes to the place beside what stands. `loose`: its affinity asks for labels alone. */
export function passesCompany(
  sites: readonly Site[],
  demand: Demand,
  loads: readonly (readonly number[])[],
  set: PodSetDemand | undefined,
  place: number,
  loose = false,
): boolean {
  const own = sites[place];
  if (own === undefined || set === undefined) return false;
  if (demand.podSets.every(({ pod }) => pod.terms === undefined)) return true;
  const here = (key: string, site: Site): boolean =>
    own.labels[key] !== undefined && own.labels[key] === site.labels[key];
  const standing = sites.flatMap((site, at) => [
    ...(site.standing ?? []).map((pod) => ({ pod, site, terms: [] as readonly OwnTerm[] })),
    ...demand.podSets.flatMap((other, index) =>
      (loads[index]?.[at] ?? 0) > 0 ? [{ pod: asPod(other), site, terms: termsOf(other, "apart") }] : [],
    ),
  ]);
  for (const { pod, site, terms } of standing) {
    if (termsOf(set, "apart").some((term) => picks(term, pod) && here(term.key, site))) return false;
    if (terms.some((term) => picks(term, asPod(set)) && here(term.key, site))) return false;
  }
  const near = termsOf(set, "near");
  if (near.some(({ key }) => own.labels[key] === undefined)) return false;
  if (near.length === 0 || loose) return true;
  const fellows = standing.filter(
    ({ pod, site }) => meets(set, pod) && near.some(({ key }) => site.labels[key] !== undefined),
  );
  if (fellows.length === 0) return meets(set, asPod(set));
  return near.every(({ key }) => fellows.some(({ site }) => here(key, site)));
}
