import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Demand, type OwnTerm, type PodSetDemand, requirement } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import type { Topology } from "../../src/topology/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { asPod, meets } from "../support/brute-company.ts";
import { someOrderMisses } from "../support/brute-order.ts";
import { contextOf, demandOf } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, setCase, setOf, topologyOf } from "../support/solver-cases.ts";

/** Zones that all nodes name, racks and a label that some lack, and hosts. */
const KEYS = ["topology.kubernetes.io/zone", "topology.k8s.aws/network-node-layer-3", "kind", "kubernetes.io/hostname"];

const companyNode: fc.Arbitrary<NodeCase> = fc
  .tuple(nodeCase(false), fc.constantFrom("w", "v", undefined, undefined, undefined))
  .map(([one, app]) => ({ ...one, app }));

/** Some pod runs at least, so that it is known that pods were looked at. */
const nodesOf = (most: number): fc.Arbitrary<readonly NodeCase[]> =>
  fc
    .array(companyNode, { minLength: 1, maxLength: most })
    .map(([first, ...others]) => (first === undefined ? [] : [{ ...first, app: first.app ?? "idle" }, ...others]));

const termCase: fc.Arbitrary<OwnTerm> = fc.record({
  kind: fc.constantFrom("near" as const, "apart" as const),
  key: fc.constantFrom(...KEYS),
  labels: fc.constantFrom(
    [requirement("app", "In", ["w"])],
    [requirement("app", "In", ["w"])],
    [requirement("app", "In", ["v"])],
    [requirement("app", "NotIn", ["v"])],
    [],
  ),
  namespaces: fc.constantFrom(["default"], ["default"], ["other"], ["default", "other"]),
});

const companySet = (name: string, most: number): fc.Arbitrary<PodSetDemand> =>
  fc
    .tuple(setCase(most), fc.array(termCase, { maxLength: 2 }), fc.constantFrom("w", "w", "v", undefined), fc.boolean())
    .map(([one, terms, app, leveled]) => {
      const set = setOf(name, { ...one, ...(leveled ? {} : { level: undefined }), tolerates: true });
      const labels = app === undefined ? {} : { labels: { app } };
      return { ...set, pod: { ...set.pod, ...labels, ...(terms.length === 0 ? {} : { terms }) } };
    });

/** Often both have the same terms and labels, or the one follows the one pod of the other. */
const pair = fc
  .tuple(
    companySet("head", 2),
    companySet("worker", 3),
    fc.constantFrom("any", "same", "follows"),
    fc.constantFrom(...KEYS),
  )
  .map(([head, worker, how, key]): readonly [PodSetDemand, PodSetDemand] => {
    if (how === "same") return [head, { ...worker, pod: { ...worker.pod, ...terms(head) } }];
    if (how === "any") return [head, worker];
    const near: OwnTerm = { kind: "near", key, labels: [requirement("app", "In", ["v"])], namespaces: ["default"] };
    const [{ terms: _terms, ...first }, { terms: own = [] }] = [head.pod, worker.pod];
    const next = [near, ...own.filter(({ kind }) => kind === "apart")];
    return [
      { ...head, pod: { ...first, labels: { app: "v" } } },
      { ...worker, pod: { ...worker.pod, labels: { app: "w" }, terms: next } },
    ];
  });

const terms = ({ pod }: PodSetDemand): Pick<PodSetDemand["pod"], "labels" | "terms"> => ({
  labels: pod.labels ?? {},
  ...(pod.terms === undefined ? {} : { terms: pod.terms }),
});

const seen = tally();
const nearOf = ({ pod }: PodSetDemand): readonly OwnTerm[] => (pod.terms ?? []).filter(({ kind }) => kind === "near");

/** Pods of several sets that follow each other in ways that only the order of their coming decides. */
function isTangled({ podSets }: Demand, isRunning: (set: PodSetDemand) => boolean): boolean {
  return podSets.some((set) => {
    if (nearOf(set).length === 0) return false;
    const others = podSets.filter((other) => other !== set && meets(set, asPod(other)));
    const leads = others.every(
      (other) => nearOf(other).length === 0 && other.peak === 1 && other.required === 1 && others.length === 1,
    );
    if (leads && !meets(set, asPod(set)) && !isRunning(set)) return false;
    const alike = others.every((other) => JSON.stringify(nearOf(other)) === JSON.stringify(nearOf(set)));
    return others.length > 0 && !(alike && meets(set, asPod(set)));
  });
}

function agrees(topology: Topology, demand: Demand): void {
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
  const sites = sitesOf(topology, demand, false);
  const now = existsAssignment(topology, sites, demand, steps);
  const standing = sites.flatMap((site) => site.standing?.map((pod) => ({ pod, site })) ?? []);
  /** Whoever it follows may run elsewhere some day. */
  const isRunning = (set: PodSetDemand): boolean =>
    standing.some(({ pod, site }) => meets(set, pod) && nearOf(set).some(({ key }) => site.labels[key] !== undefined));
  const loose = (set: PodSetDemand): boolean =>
    isRunning(set) || demand.podSets.every((other) => !meets(set, asPod(other)));
  const nominal = (): boolean =>
    existsAssignment(topology, sitesOf(topology, demand, true), demand, steps, () => true, loose);
  const expected = now ? "fits" : nominal() ? "busy" : "never";
  const tangled = isTangled(demand, isRunning);
  const told = answer.chosen?.reasons.some(({ code }) => code === "NotJudged") === true;
  if (answer.verdict === "fits") {
    const assignment = answer.chosen?.assignment ?? { placed: [], newNodes: [] };
    expect(checkAssignment(topology, demand, answer.rungs, assignment, contextOf())).toEqual([]);
  }
  seen.add(`${demand.podSets.length} ${tangled ? "tangled " : ""}${expected}`);
  // Whom each pod selects is certain here, so that nothing is left unsaid.
  expect(told).toBe(false);
  if (answer.verdict === "unknown") {
    expect(demand.podSets.some(({ placement }) => placement.level !== undefined)).toBe(true);
    expect(expected).not.toBe("fits");
    return;
  }
  expect(answer.verdict).toBe(expected);
}

describe("required pod affinity and anti-affinity of the pods themselves, against every order of coming", () => {
  test("one pod set, with pods of others and among themselves", () => {
    fc.assert(
      fc.property(nodesOf(5), companySet("main", 4), (nodes, set) => agrees(topologyOf(nodes), demandOf(set))),
      runs(700),
    );
    expect(seen.least("1 fits", "1 busy", "1 never")).toBeGreaterThan(40);
  });

  test("two pod sets that follow each other or keep off each other", () => {
    fc.assert(
      fc.property(nodesOf(4), pair, (some, [head, worker]) => agrees(topologyOf(some), demandOf(head, worker))),
      runs(800),
    );
    expect(seen.least("2 fits", "2 busy", "2 never", "2 tangled fits")).toBeGreaterThan(15);
  });

  test("an order of kube-scheduler's choices that misses is warned of, and what no order misses is seldom warned of", () => {
    const plain = (set: PodSetDemand): PodSetDemand => ({
      ...set,
      pod: { ...set.pod, spread: [], hostPorts: [] },
      placement: { ...set.placement, unit: "pod", level: undefined },
    });
    const met = tally();
    fc.assert(
      fc.property(nodesOf(4), pair, fc.boolean(), (some, [head, worker], both) => {
        const demand = both ? demandOf(plain(head), plain(worker)) : demandOf(plain(worker));
        const topology = topologyOf(some);
        const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
        if (answer.verdict !== "fits") return;
        const steps = demand.podSets.flatMap(({ ladder }) => ladder.steps.slice(0, 1));
        const misses = someOrderMisses(sitesOf(topology, demand, false), demand, steps);
        if (misses === undefined) return;
        const told = answer.chosen?.reasons.some(({ code }) => code === "NotGuaranteed") === true;
        if (misses) expect(told).toBe(true);
        met.add(misses ? "missed" : told ? "falsely warned" : "certain");
      }),
      runs(500),
    );
    expect(met.least("missed", "certain")).toBeGreaterThan(5);
    // Who follows several pods is judged as if all of it had to stand with one of them.
    expect((met.counts.get("falsely warned") ?? 0) / (met.counts.get("certain") ?? 1)).toBeLessThan(0.15);
  });

  test("three pod sets that follow each other in chains and in circles", () => {
    const few = (name: string) =>
      companySet(name, 2).map((set) => ({
        ...set,
        pod: { ...set.pod, selection: [new Map()], hostPorts: [], spread: [], requests: { cpu: 1000, pods: 1 } },
        placement: { ...set.placement, unit: "pod" as const, level: undefined },
      }));
    fc.assert(
      fc.property(nodesOf(3), few("head"), few("worker"), few("tail"), (some, ...sets) =>
        agrees(topologyOf(some), demandOf(...sets)),
      ),
      runs(400),
    );
    expect(seen.least("3 fits", "3 busy", "3 never", "3 tangled fits")).toBeGreaterThan(5);
  });
});
