import { allows, type Demand, type OwnTerm, type PodSetDemand, type Requirement } from "../model/index.ts";
import type { PodFacts, Topology } from "../topology/index.ts";
import { checkArrival, type Wish } from "./check-arrival.ts";
import { type Host, isOwn, type Laid } from "./checker.ts";

type Labels = Readonly<Record<string, string>>;

/** Pods with the labels of their nodes. */
type Pods = readonly (readonly [PodFacts, Labels])[];

/** Pods of others: all of them, or those on nodes with one of these values of a label. */
interface Running {
  all(): Pods;
  at(key: string, values: ReadonlySet<string | undefined>): Pods;
}

/** Certain both ways: where it is open whether a selector matches, nothing is checked. */
type Sure = true | false | undefined;

/**
 * InterPodAffinity, by the pods' own terms: no pod stands where one runs, or another of the workload stands, that a term of its anti-affinity selects;
 * and each stands where pods are that match all terms of its affinity, of which the first ones may be of the workload itself.
 */
export function checkCompany(topology: Topology, demand: Demand, laid: readonly Laid[], faults: string[]): void {
  if (demand.podSets.every(({ pod }) => pod.terms === undefined)) return;
  const running = runningPods(topology, demand);
  const wishes: Wish[] = [];
  const before = faults.length;
  for (const one of laid) {
    const { set, placed } = one;
    if (set.pod.terms === undefined || set.perNode || set.pod.nodeName !== undefined || placed.length === 0) continue;
    for (const term of set.pod.terms)
      if (term.kind === "apart") checkTerm(topology, demand, laid, running, one, term, faults);
    const near = set.pod.terms.filter(({ kind }) => kind === "near");
    const wish = near.length > 0 ? checkNear(topology, demand, laid, running, one, near, faults) : undefined;
    if (wish !== undefined) wishes.push(wish);
  }
  if (faults.length === before) checkArrival(laid, wishes, ownLabel, faults);
}

function checkTerm(
  topology: Topology,
  demand: Demand,
  laid: readonly Laid[],
  running: Running,
  { set, placed }: Laid,
  term: OwnTerm,
  faults: string[],
): void {
  const domains = new Set(placed.map(({ host }) => ownLabel(host, term.key)));
  const kept = running.at(term.key, domains).filter(([pod]) => picks(term, topology, pod) === true);
  for (const { host } of placed) {
    const value = ownLabel(host, term.key);
    if (value === undefined) continue;
    const near = kept.find(([, labels]) => valueIn(labels, term.key) === value);
    if (near !== undefined) faults.push(`${set.name} on ${host.name}: it keeps off ${near[0].key.name}`);
    for (const other of laid) {
      if (other.set.perNode || picksOwn(term, topology, demand, other.set) !== true) continue;
      const beside = other.placed.filter((one) => ownLabel(one.host, term.key) === value);
      const count = beside.reduce((sum, one) => sum + one.pods, 0);
      if (count > (other.set === set ? 1 : 0))
        faults.push(`${set.name} on ${host.name}: it keeps off ${other.set.name} over ${term.key}`);
    }
  }
}

/** What one set asks for by itself. What it asks of how all pods come, where that is certain, is handed back. */
function checkNear(
  topology: Topology,
  demand: Demand,
  laid: readonly Laid[],
  running: Running,
  own: Laid,
  terms: readonly OwnTerm[],
  faults: string[],
): Wish | undefined {
  const { set, placed } = own;
  const say = (host: Host, what: string): void => void faults.push(`${set.name} on ${host.name}: ${what}`);
  for (const { host } of placed)
    for (const { key } of terms) if (ownLabel(host, key) === undefined) say(host, `it has no label ${key}`);
  // Who runs there was never asked.
  if (!topology.known.has("Pod") && topology.pods.length === 0) return undefined;
  const isMet = (pod: PodFacts): boolean =>
    !pod.nominated && terms.every((term) => picks(term, topology, pod) !== false);
  /** Does some such pod run in each domain where these stand: most assignments need no more. */
  const isNear = ({ key }: OwnTerm): boolean => {
    const open = new Set(placed.flatMap(({ host }) => ownLabel(host, key) ?? []));
    if (open.size === 0) return false;
    for (const [pod, labels] of running.at(key, new Set(open))) {
      const value = valueIn(labels, key) ?? "";
      if (open.has(value) && isMet(pod)) open.delete(value);
    }
    return open.size === 0;
  };
  if (terms.every(isNear)) return undefined;
  const values = new Map<string, Set<string>>();
  const meet = (key: string, value: string | undefined): void => {
    if (value !== undefined) values.set(key, (values.get(key) ?? new Set()).add(value));
  };
  for (const [pod, labels] of running.all())
    if (isMet(pod)) for (const { key } of terms) meet(key, valueIn(labels, key));
  // Of sets that are not placed here it is known all the same what they may do.
  const met = demand.podSets.map((one) => ({
    one,
    placed: laid.find((other) => other.set === one)?.placed ?? [],
    sure: all(terms.map((term) => picksOwn(term, topology, demand, one))),
  }));
  const others = met.filter(({ one, sure }) => sure !== false && one !== set);
  // They may be anywhere.
  const elsewhere = others.some(({ one }) => laid.every((other) => other.set !== one));
  const itself = met.find(({ one }) => one === set)?.sure;
  const wish: Wish = {
    one: own,
    terms,
    running: new Map([...values].map(([key, some]) => [key, new Set(some)])),
    fellows: laid.filter((other) => met.some(({ one, sure }) => sure === true && one === other.set)),
  };
  const isCertain = !elsewhere && itself !== undefined && others.every(({ sure }) => sure === true);
  if (values.size > 0 && elsewhere) return undefined;
  if (values.size > 0) {
    for (const other of others)
      for (const { host } of other.placed) for (const { key } of terms) meet(key, ownLabel(host, key));
    for (const { host } of placed)
      for (const { key } of terms)
        if (values.get(key)?.has(ownLabel(host, key) ?? "") !== true && ownLabel(host, key) !== undefined)
          say(host, `no pod that it asks for is near over ${key}`);
    return isCertain ? wish : undefined;
  }
  if (itself === false && others.length === 0) {
    for (const { host } of placed) say(host, "no pod that it asks for runs");
    return undefined;
  }
  const pods = others.reduce((sum, other) => sum + other.placed.reduce((count, each) => count + each.pods, 0), 0);
  const text = JSON.stringify(terms);
  const alike = others.every(
    ({ one: { perNode, pod } }) =>
      !perNode &&
      pod.nodeName === undefined &&
      JSON.stringify(pod.terms?.filter(({ kind }) => kind === "near")) === text,
  );
  const follows = itself === false && others.length === 1 && pods === 1;
  if (!isCertain) return undefined;
  if (!follows && !(itself === true && alike)) return wish;
  const together = [placed, ...others.map((other) => other.placed)].flat().map(({ host }) => host);
  for (const { key } of terms)
    if (new Set(together.map((host) => ownLabel(host, key))).size > 1) faults.push(`${set.name} shares no ${key}`);
  return wish;
}

/** Who only waits for a node and gives way is none of them. */
function runningPods(topology: Topology, demand: Demand): Running {
  const lowest = Math.min(...demand.podSets.map(({ pod }) => pod.priority));
  const counts = (pod: PodFacts): boolean => !isOwn(pod.root, demand) && !(pod.nominated && pod.priority < lowest);
  const on = (wanted: (labels: Labels) => boolean): Pods =>
    topology.nodes.flatMap(({ labels }, row): Pods => {
      if (!wanted(labels)) return [];
      return (topology.podsOn[row] ?? []).filter(counts).map((pod) => [pod, labels] as const);
    });
  return {
    all: () => on(() => true),
    at: (key, values) => on((labels) => Object.hasOwn(labels, key) && values.has(labels[key])),
  };
}

const valueIn = (labels: Labels, key: string): string | undefined =>
  Object.hasOwn(labels, key) ? labels[key] : undefined;

const ownLabel = (host: Host, key: string): string | undefined =>
  key === "kubernetes.io/hostname" && host.pool !== undefined ? host.name : valueIn(host.labels, key);

const all = (list: readonly Sure[]): Sure =>
  list.includes(false) ? false : list.includes(undefined) ? undefined : true;

function picks(term: OwnTerm, topology: Topology, { key, labels }: PodFacts): Sure {
  const made = (term.made ?? []).map((one): Sure => {
    if (one.shared) return !one.same;
    return !one.same && valueIn(labels, one.key) === undefined ? true : undefined;
  });
  const selected = term.labels.map((one) => allows(one, valueIn(labels, one.key)));
  return all([reaches(term, topology, key.namespace), ...selected, ...made]);
}

/** What a controller may add to the labels of the template is open. */
function picksOwn(term: OwnTerm, topology: Topology, { workload }: Demand, set: PodSetDemand): Sure {
  const labels = set.pod.labels ?? {};
  const selected = term.labels.map((one: Requirement): Sure => {
    const value = valueIn(labels, one.key);
    return value === undefined && !isPlain(one.key) ? undefined : allows(one, value);
  });
  const made = (term.made ?? []).map(({ same, shared }): Sure => (shared ? same : undefined));
  return all([reaches(term, topology, workload.namespace || "default"), ...selected, ...made]);
}

/** Labels of the user's own alone have neither a prefix nor a name that controllers use. */
const isPlain = (key: string): boolean =>
  !/\/|^(controller-uid|job-name|pod-template-hash|controller-revision-hash|pod-template-generation)$/.test(key);

function reaches({ namespaces, namespaceLabels }: OwnTerm, { facts }: Topology, namespace: string): Sure {
  if (namespaces.includes(namespace)) return true;
  if (namespaceLabels === undefined) return false;
  const labels = facts.namespace(namespace)?.labels;
  return all(
    namespaceLabels.map((one): Sure => {
      if (one.key === "kubernetes.io/metadata.name") return allows(one, namespace);
      return labels === undefined ? undefined : allows(one, valueIn(labels, one.key));
    }),
  );
}
