import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  type Demand,
  isObject,
  type JsonObject,
  type OwnTerm,
  type PodSetDemand,
  requirement,
} from "../../src/model/index.ts";
import { solve } from "../../src/solver/index.ts";
import { buildTopology, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { existsAssignment, sitesOf } from "../support/brute.ts";
import { testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, step } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { type NodeCase, nodeCase, objectsOf, type SetCase, setCase, setOf } from "../support/solver-cases.ts";

/** Its pod has a rank, is there more often than not, and may keep others off its node or, seldom, its zone. */
const ranked = fc
  .record({
    node: nodeCase(true),
    rank: fc.constantFrom(0, 0, 100, 200),
    full: fc.boolean(),
    apart: fc.constantFrom("host" as const, "host" as const, "zone" as const, ...new Array<undefined>(9)),
  })
  .map(({ node, rank, full, apart }) => ({
    node: { ...node, ...(full ? { used: 5, usedDevices: 4 } : {}), apart },
    rank,
  }));
const nodes = fc.array(ranked, { minLength: 1, maxLength: 4 });

/** A set with its priority, one in four that never preempts, and by which label it keeps off pods that are `v`. */
type Drawn = readonly [one: SetCase, priority: number, patience: number, shunned?: string | undefined];

function setFrom(name: string, [one, priority, patience, shunned]: Drawn): PodSetDemand {
  const set = setOf(name, { ...one, named: true });
  const terms = (key: string): readonly OwnTerm[] => [
    { kind: "apart", key, labels: [requirement("app", "In", ["v"])], namespaces: ["other"] },
  ];
  const pod = { ...set.pod, priority, preempts: patience !== 0 };
  return { ...set, pod: shunned === undefined ? pod : { ...pod, terms: terms(shunned) } };
}

/** The cluster without the pods that `gone` names, in objects, so that nothing of the solver's own view of usage is asked. */
function topologyOf(objects: readonly JsonObject[], gone: (pod: JsonObject) => boolean): Topology {
  const kept = objects.filter((object) => object["kind"] !== "Pod" || !gone(object));
  return buildTopology(inventoryFrom(kept).value ?? expect.fail(), testLayout);
}

const priorityOf = ({ spec }: JsonObject): number => (isObject(spec) ? Number(spec["priority"] ?? 0) : 0);

const exists = (topology: Topology, demand: Demand): boolean =>
  existsAssignment(
    topology,
    sitesOf(topology, demand, false),
    demand,
    demand.podSets.map(() => step()),
  );

/** Names of the nodes that take a pod of one of these sets where all of a lower priority are gone: from no others are any taken. */
function nodesFor(objects: readonly JsonObject[], demand: Demand, sets: readonly PodSetDemand[], priority: number) {
  const topology = topologyOf(objects, (pod) => priorityOf(pod) < priority);
  const sites = sitesOf(topology, demand, false);
  const alone = sets.map(
    (set): Demand => ({
      ...demand,
      podSets: [
        {
          ...set,
          required: 1,
          pod: { ...set.pod, spread: set.pod.spread.map((rule) => ({ ...rule, maxSkew: Number.POSITIVE_INFINITY })) },
          placement: { ...set.placement, unit: "pod", spread: undefined },
        },
      ],
    }),
  );
  const takes = (place: number): boolean =>
    alone.some((one) =>
      existsAssignment(topology, sites, one, [step()], (at, [pods = 0]) => at === place || pods === 0),
    );
  return new Set(topology.nodes.filter((_, place) => takes(place)).map(({ name }) => name));
}

const nodeOf = ({ spec }: JsonObject): string => (isObject(spec) ? String(spec["nodeName"]) : "");

const rank = fc.constantFrom(0, 100, 100, 200, 200, 200);
const patience = fc.integer({ min: 0, max: 3 });
const ZONE = "topology.kubernetes.io/zone";

/** What is said of preemption where the answer is busy, against brute force; what was met. */
function judge(some: readonly { readonly node: NodeCase; readonly rank: number }[], sets: readonly Drawn[]) {
  const objects = objectsOf(some.map(({ node }) => node)).map((object) => {
    const { name = "" } = object["metadata"] as { readonly name?: string };
    const place = object["kind"] === "Pod" ? Number(name.split("-")[1]) : -1;
    const priority = some[place]?.rank;
    return priority === undefined ? object : { ...object, spec: { ...(object["spec"] as object), priority } };
  }) as readonly JsonObject[];
  const podSets = sets.map((drawn, index) => setFrom(`set-${index}`, drawn));
  const demand = demandOf(...podSets);
  const topology = topologyOf(objects, () => false);
  const answer = solve(topology, demand, contextOf({ skipSuggestions: true }));
  if (answer.verdict !== "busy") return [];
  const told = answer.chosen?.reasons.filter(({ code }) => code === "Preemption") ?? [];
  expect(told.length).toBeLessThan(2);
  const said = told[0]?.data?.["preempts"];
  const patient = podSets.filter(({ pod }) => !pod.preempts);
  const eager = podSets.filter(({ pod }) => pod.preempts);
  const may = (priority: number): boolean => {
    if (eager.length === 0 || (patient.length > 0 && !exists(topology, { ...demand, podSets: patient }))) return false;
    const open = nodesFor(objects, demand, eager, priority);
    const gone = (pod: JsonObject): boolean => priorityOf(pod) < priority && open.has(nodeOf(pod));
    return exists(topologyOf(objects, gone), demand);
  };
  const own = eager.map(({ pod }) => pod.priority);
  if (some.some(({ node }) => node.apart === "zone" && !node.own) || sets.some(([, , , key]) => key === ZONE)) {
    // Of a zone that pods of a lower priority close it is not told, and never said wrongly.
    const lower = may(Math.min(...own));
    if (said === "yes") expect(lower).toBe(true);
    if (said === "no") expect(lower).toBe(false);
    if (said === "unknown" && !may(Math.max(...own))) expect(lower).toBe(true);
    return [`zone ${said ?? "nothing"}`];
  }
  const expected = may(Math.min(...own)) ? "yes" : may(Math.max(...own)) ? "unknown" : "no";
  // Where nobody has what is missing there is nobody to speak of.
  expect(said ?? "no").toBe(expected);
  if (eager.length === 0) expect(said).toBe("no");
  return [`${sets.length} ${said ?? "nothing"}`, ...(patient.length > 0 && eager.length > 0 ? [`mixed ${said}`] : [])];
}

describe("what a busy answer says of preemption", () => {
  test("is yes exactly where the sets that never preempt find room, and all of them do once every pod of a lower priority is gone from nodes that open so", () => {
    const met = tally();
    const sets = fc.array(fc.tuple(setCase(3), rank, patience), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(nodes, sets, (some, drawn) => {
        for (const one of judge(some, drawn)) met.add(one);
      }),
      runs(1500),
    );
    expect(met.least("1 yes", "1 no", "2 yes", "2 no", "mixed no")).toBeGreaterThan(20);
    expect(met.least("2 unknown", "mixed yes", "zone unknown", "zone yes", "zone no")).toBeGreaterThan(4);
  });

  test("and so where it is these pods that keep off others, by their node or their zone", () => {
    const met = tally();
    const others = fc.array(
      fc
        .tuple(ranked, fc.constantFrom("v", "v", undefined))
        .map(([{ node, rank }, app]) => ({ node: { ...node, apart: undefined, app }, rank })),
      { minLength: 1, maxLength: 4 },
    );
    const shunned = fc.constantFrom("kubernetes.io/hostname", "kubernetes.io/hostname", ZONE, undefined);
    const sets = fc.array(fc.tuple(setCase(3), rank, patience, shunned), { minLength: 1, maxLength: 2 });
    fc.assert(
      fc.property(others, sets, (some, drawn) => {
        for (const one of judge(some, drawn)) met.add(one);
      }),
      runs(1200),
    );
    expect(met.least("1 yes", "1 no", "2 yes", "2 no", "zone no")).toBeGreaterThan(10);
    expect(met.least("zone unknown", "zone yes")).toBeGreaterThan(4);
  });
});
