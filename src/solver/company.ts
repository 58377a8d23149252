import { type Demand, EVERY_DOMAIN, type OwnTerm, once, type PodSetDemand } from "../model/index.ts";
import type { PodFacts } from "../topology/index.ts";
import { note, type Places, type Spared } from "./apart.ts";
import { isSameWorkload, namespaceOf } from "./context.ts";
import { every, type Match, selectsOther, selectsOwn } from "./matches.ts";
import { HOST_LABEL, type TopologyIndex } from "./topology-index.ts";
import { yielding } from "./usage.ts";

/** What the required pod affinity and anti-affinity of a set ask of where its pods stand (InterPodAffinity). */
export interface Company {
  /** Where pods run that these keep away from. */
  readonly barred: Places;
  /** Where it is not known whether pods are such as these keep away from. */
  readonly unsure: Places;
  readonly near: Near | undefined;
  /** Node labels of which no two of its pods share a value. */
  readonly alone: readonly string[];
  /** Node labels of which its pods share no value with those of other sets of the workload. */
  readonly keepsOff: readonly { readonly set: string; readonly key: string }[];
  /** Rules that are not followed, or not to the end. */
  readonly untold: readonly string[];
  /** Equal where the same nodes and distributions are ruled out. */
  readonly key: string;
}

export interface Near {
  /** Labels that a node must have. */
  readonly keys: readonly string[];
  /** By label, the values where pods that match all terms run; absent: any value will do, or with `follows` none is known. */
  readonly places?: ReadonlyMap<string, ReadonlySet<string>>;
  /** Sets of the workload that share one value of each label: the first pod goes anywhere, and the others follow it. */
  readonly group?: readonly string[];
  /** Sets of the workload, perhaps its own, near whose pods these may stand as well as in `places`. */
  readonly follows?: readonly string[];
}

export const NO_COMPANY: Company = {
  barred: new Map(),
  unsure: new Map(),
  near: undefined,
  alone: [],
  keepsOff: [],
  untold: [],
  key: "",
};

/** Pods of others that terms select, with how sure that is. */
export interface Selected {
  readonly pod: PodFacts;
  readonly match: Match;
}

/**
 * Each term of an anti-affinity stands for itself; pods count for an affinity only where they match all of its terms. Pods of the workload that run
 * already are placed anew, so they do not count. `spared`: pods of others that keep nobody off.
 */
export function companyOf(index: TopologyIndex, demand: Demand, set: PodSetDemand, spared?: Spared): Company {
  const { terms } = set.pod;
  // The scheduler never sees a pod that names its node.
  if (terms === undefined || set.pod.nodeName !== undefined) return NO_COMPANY;
  // Its controller makes one for each node, whoever stands there.
  if (set.perNode) return { ...NO_COMPANY, untold: terms.map(termText) };
  const near = terms.filter(({ kind }) => kind === "near");
  const company = {
    ...NO_COMPANY,
    barred: new Map<string, Map<string, string>>(),
    unsure: new Map<string, Map<string, string>>(),
    alone: [] as string[],
    keepsOff: [] as Company["keepsOff"][number][],
    untold: [] as string[],
  };
  const gone = yielding(demand);
  // Most workloads are new, and nobody gives way to them: what is made of the pods of others is the same for all of these.
  const news = index.podsOfRoot(demand.workload).length === 0 && !index.nominated().some(gone);
  const others = (some: readonly OwnTerm[]): readonly Selected[] => {
    const all = selectedBy(index, some);
    return news ? all : all.filter(({ pod }) => !isSameWorkload(pod.root, demand.workload) && !gone(pod));
  };
  for (const term of terms) {
    if (term.kind === "near") continue;
    const { barred, unsure } = standing(index, others([term]), term.key, spared);
    for (const [value, tenant] of barred) note(company.barred, term.key, value, tenant);
    for (const [value, tenant] of unsure) note(company.unsure, term.key, value, tenant);
    for (const other of demand.podSets) keepOff(index, demand, set, other, term, company);
  }
  const nearby = near.length === 0 ? undefined : nearOf(index, demand, set, near, others(near), company.untold);
  const key = JSON.stringify([
    plain(company.barred),
    nearby?.keys,
    nearby?.places === undefined ? undefined : placesText(nearby.places),
    nearby?.group,
    nearby?.follows,
    company.alone,
    company.keepsOff,
  ]);
  return { ...company, barred: textsOf(company.barred), near: nearby, key };
}

const textsOf = (places: Places): Places =>
  new Map(
    [...places]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, values]) => [
        key,
        new Map(
          [...values].map(([value, tenant]) => [
            value,
            `pods of ${tenant} stand where these would (their own required anti-affinity over ${key})`,
          ]),
        ),
      ]),
  );

const termText = ({ kind, key }: OwnTerm): string =>
  `${kind === "near" ? "podAffinity" : "podAntiAffinity"} over ${key}`;

/** Among pods of the workload. */
function keepOff(
  index: TopologyIndex,
  demand: Demand,
  set: PodSetDemand,
  other: PodSetDemand,
  term: OwnTerm,
  company: { alone: string[]; keepsOff: Company["keepsOff"][number][]; untold: string[] },
): void {
  const match = selectsSet(index, demand, [term], other);
  if (match === "no") return;
  const own = other === set;
  if (own && (set.peak < 2 || isSpread(set, term.key))) return;
  if (match === "maybe" || other.perNode || other.pod.nodeName !== undefined) company.untold.push(termText(term));
  else if (own) company.alone.push(term.key);
  else company.keepsOff.push({ set: other.name, key: term.key });
}

/** One pod a node stands with the spread constraints already. */
const isSpread = ({ pod }: PodSetDemand, key: string): boolean =>
  key === HOST_LABEL &&
  pod.spread.some((rule) => rule.key === key && rule.maxSkew === 1 && rule.minDomains === EVERY_DOMAIN);

function selectsSet(index: TopologyIndex, demand: Demand, terms: readonly OwnTerm[], other: PodSetDemand): Match {
  if (other.peak === 0 && !other.perNode) return "no";
  const { facts } = index.topology;
  return every(terms.map((term) => selectsOwn(term, facts, namespaceOf(demand.workload), other.pod.labels ?? {})));
}

/**
 * 1. where others run that match, only their domains will do, and pods of the workload that come there change nothing;
 * 2. where none do and the pods match themselves, the first one goes anywhere that has the labels, and the others follow it;
 * 3. pods of other sets that match count beside those that run, each as it comes;
 * 4. where it is open who matches, the labels alone are asked for.
 */
function nearOf(
  index: TopologyIndex,
  demand: Demand,
  set: PodSetDemand,
  terms: readonly OwnTerm[],
  others: readonly Selected[],
  untold: string[],
): Near {
  const keys = [...new Set(terms.map(({ key }) => key))].sort();
  const sure = placesOf(index, keys, others, true);
  const all = placesOf(index, keys, others, false);
  const matches = demand.podSets.map((other) => ({ other, match: selectsSet(index, demand, terms, other) }));
  const met = matches.filter(({ match }) => match !== "no");
  const text = JSON.stringify(terms);
  const isBound = ({ pod, perNode }: PodSetDemand): boolean =>
    !perNode &&
    pod.nodeName === undefined &&
    JSON.stringify((pod.terms ?? []).filter(({ kind }) => kind === "near")) === text;
  const open = (): Near => {
    const covered = terms.every((term) => isLevel(index, set, term.key)) && all.size === 0;
    if (!covered) untold.push(...terms.map(termText));
    return { keys };
  };
  const stays = met.every(({ other }) => isBound(other));
  /** Pods that need not come are no company to count on. */
  const leaders = met.filter(({ other }) => other.perNode || other.required > 0).map(({ other }) => other.name);
  const followed = (): Near => {
    const isKnown = size(sure) === size(all) && met.every(({ match }) => match === "yes");
    if (!isKnown || (all.size === 0 && leaders.length === 0)) return open();
    return { keys, follows: leaders, ...(all.size === 0 ? {} : { places: all }) };
  };
  const { known, pods } = index.topology;
  // Nobody asked the cluster who runs there.
  if (!known.has("Pod") && pods.length === 0) return open();
  if (sure.size > 0 || (all.size > 0 && met.length === 0)) {
    if (!stays) return followed();
    if (size(sure) < size(all)) untold.push(...terms.map(termText));
    return { keys, places: all };
  }
  if (all.size > 0) return open();
  if (met.length === 0) return { keys, places: all };
  if (met.some(({ match }) => match === "maybe")) return open();
  const names = met.map(({ other }) => other.name);
  if (stays && names.includes(set.name)) return { keys, group: names };
  const [only] = met;
  const leads = only !== undefined && met.length === 1 && only.other !== set && isLeader(only.other);
  return leads ? { keys, group: [...names, set.name] } : followed();
}

/** Would the pods lose some of those that they have to stand with. */
export function leansOn(
  index: TopologyIndex,
  { set, company }: { readonly set: PodSetDemand; readonly company: Company },
  gone: (pod: PodFacts) => boolean,
): boolean {
  if (company.near?.places === undefined) return false;
  const near = (set.pod.terms ?? []).filter(({ kind }) => kind === "near");
  return selectedBy(index, near).some(({ pod }) => gone(pod));
}

/** One pod that goes first, wherever the others are to be. */
const isLeader = ({ peak, required, perNode, pod }: PodSetDemand): boolean =>
  peak === 1 &&
  required === 1 &&
  !perNode &&
  pod.nodeName === undefined &&
  (pod.terms ?? []).every(({ kind }) => kind !== "near");

/** Is this what the level of the class means. */
function isLevel({ topology }: TopologyIndex, { placement }: PodSetDemand, key: string): boolean {
  return (
    placement.mode === "required" &&
    placement.unit !== "pod" &&
    topology.layout.levels.some(
      (one) => one.key === key && (one.name === placement.level || one.name === placement.within),
    )
  );
}

/** Tenants by value of one label where pods run, and where it is not known whether such do. */
interface Standing {
  readonly barred: ReadonlyMap<string, string>;
  readonly unsure: ReadonlyMap<string, string>;
}

/** What was made of one list of pods, which is another once pods change. */
const made = once((_some: readonly Selected[]) => ({
  standing: new Map<string, Standing>(),
  places: new Map<string, ReadonlyMap<string, ReadonlySet<string>>>(),
}));

function standing(index: TopologyIndex, some: readonly Selected[], key: string, spared: Spared | undefined): Standing {
  const known = spared === undefined ? made(some).standing.get(key) : undefined;
  if (known !== undefined) return known;
  const [barred, unsure] = [new Map<string, Map<string, string>>(), new Map<string, Map<string, string>>()];
  for (const { pod, match } of some) {
    const value = labelOf(index, pod, key);
    if (value === undefined || spared?.(pod, key) === true) continue;
    note(match === "yes" ? barred : unsure, key, value, pod.tenant);
  }
  const fresh = { barred: barred.get(key) ?? new Map(), unsure: unsure.get(key) ?? new Map() };
  if (spared === undefined) made(some).standing.set(key, fresh);
  return fresh;
}

/** Values by label where these pods are, or `sure` ones of them; a label of which none is known is left out. */
function placesOf(
  index: TopologyIndex,
  keys: readonly string[],
  some: readonly Selected[],
  sure: boolean,
): ReadonlyMap<string, ReadonlySet<string>> {
  const text = JSON.stringify([sure, keys]);
  const known = made(some).places.get(text);
  if (known !== undefined) return known;
  const places = new Map<string, Set<string>>();
  for (const { pod, match } of some) {
    // Who only waits for a node is near to nobody.
    if (pod.nominated || (sure && match !== "yes")) continue;
    for (const key of keys) {
      const value = labelOf(index, pod, key);
      if (value !== undefined) places.set(key, (places.get(key) ?? new Set()).add(value));
    }
  }
  made(some).places.set(text, places);
  return places;
}

const placesText = once((places: ReadonlyMap<string, ReadonlySet<string>>) =>
  JSON.stringify([...places].map(([label, values]) => [label, [...values].sort()])),
);

const size = (places: ReadonlyMap<string, ReadonlySet<string>>): number =>
  [...places.values()].reduce((sum, values) => sum + values.size, 0);

function labelOf({ topology }: TopologyIndex, { node }: PodFacts, key: string): string | undefined {
  const labels = topology.nodes[topology.nodeIndex.get(node ?? "") ?? -1]?.labels ?? {};
  return Object.hasOwn(labels, key) ? labels[key] : undefined;
}

/** Pods on nodes, those of the workload among them, that match all of the terms: kept until pods change. */
function selectedBy(index: TopologyIndex, terms: readonly OwnTerm[]): readonly Selected[] {
  const { topology } = index;
  return index.selected(JSON.stringify(terms), () => {
    const found: Selected[] = [];
    for (const pod of topology.pods) {
      if (pod.node === undefined || !topology.nodeIndex.has(pod.node)) continue;
      const match = every(terms.map((term) => selectsOther(term, topology.facts, pod.key.namespace, pod.labels)));
      if (match !== "no") found.push({ pod, match });
    }
    return found;
  });
}

const plain = (places: Places): unknown =>
  [...places]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, values]) => [key, [...values].sort(([a], [b]) => (a < b ? -1 : 1))]);
