import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ObjectKey } from "../../src/model/index.ts";
import { apartFor } from "../../src/solver/apart.ts";
import { indexTopology, solve, type TopologyIndex } from "../../src/solver/index.ts";
import {
  acceleratorsByTenant,
  buildTopology,
  createLive,
  inventoryFrom,
  objectId,
  podsOfRoot,
  sameObject,
  type Topology,
} from "../../src/topology/index.ts";
import { contextOf, demandOf, deviceRequest, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";
import { setCase, setOf } from "../support/solver-cases.ts";
import { createShadow, event, LAYOUTS } from "./live-cases.ts";

function rootsOf(topology: Topology): readonly ObjectKey[] {
  const roots = new Map<string, ObjectKey>();
  for (const { root } of topology.pods) roots.set(objectId(root), root);
  for (const { root } of topology.claims) if (root !== undefined) roots.set(objectId(root), root);
  return [...roots.values()];
}

/** Everything that a topology answers. */
function told(topology: Topology) {
  const { facts, ledger } = topology;
  return {
    nodes: topology.nodes,
    numbers: [...topology.nodeIndex],
    levels: topology.levels.map((level) => ({ ...level, domainOf: [...level.domainOf] })),
    resources: topology.resources,
    allocatable: [...topology.allocatable],
    capacity: [...topology.capacity],
    used: [...ledger.used],
    devices: [...ledger.devices].sort(),
    podsOn: topology.podsOn,
    pods: topology.pods,
    devicePools: topology.devicePools,
    claims: topology.claims,
    nodePools: topology.nodePools,
    capacityQuotas: topology.capacityQuotas,
    known: [...topology.known].sort(),
    generation: topology.generation,
    facts: ["a", "b"].map((name) => [
      facts.namespace(name),
      facts.disruptionBudgets?.(name),
      facts.claimTemplate(name, "one"),
      ["c1", "c2", "c3"].map((one) => facts.claim(name, one)),
    ]),
    classes: [
      facts.priorityClass("high"),
      facts.priorityClass("low"),
      facts.defaultPriorityClass(),
      facts.runtimeClass("kata"),
      facts.deviceClass("gpu"),
      [...facts.known].sort(),
    ],
    queues: [
      ["a", "b"].map((name) => facts.queues?.localQueue(name, "lq")),
      ["cq", "cq2"].map((name) => facts.queues?.clusterQueue(name)),
      [...(facts.queues?.clusterQueues() ?? [])].map(({ name }) => name).sort(),
      ["co", "outer"].map((name) => facts.queues?.cohort(name)),
      [...(facts.queues?.cohorts() ?? [])].map(({ name }) => name).sort(),
      facts.queues?.flavor("spot"),
    ],
    unread: [...(facts.unread ?? [])].sort(),
    numa: [...(facts.numa ?? [])].sort(([a], [b]) => (a < b ? -1 : 1)),
    tenants: [...acceleratorsByTenant(topology)],
    without: rootsOf(topology).map((root) => [objectId(root), [...acceleratorsByTenant(topology, root)]]),
    ofRoots: rootsOf(topology).map((root) => podsOfRoot(topology, root)),
  };
}

function answersOf(index: TopologyIndex) {
  const { topology, devices } = index;
  return {
    states: [...index.states],
    taints: [...index.taintsOf].map((list) => index.taintLists[list]),
    picked: [...index.column("pick").of].map((value) => index.column("pick").values[value]),
    levels: topology.levels.map((_, level) => index.levelNames(level)),
    devices: devices.keys.map((key, id) => [
      key,
      index.deviceIndex.used()[id],
      devices.doubt[id],
      devices.numberOf(key),
    ]),
    gpus: [...devices.selected('device.attributes["gpu.nvidia.com"].type == "gpu"').of],
    onNode: topology.nodes.map((_, node) => devices.onNode(node)),
    pods: rootsOf(topology).map((root) =>
      index
        .podsOfRoot(root)
        .map((pod) => objectId(pod.key))
        .sort(),
    ),
    claims: rootsOf(topology).map((root) => index.claimsOfRoot(root)),
    nominated: index.nominated().map((pod) => objectId(pod.key)),
    contending: [...index.contending()].map(({ key }) => objectId(key)).sort(),
    apart: [...index.apart()].map(({ key, apart }) => [objectId(key), apart]).sort(),
    held: rootsOf(topology).map((root) => ["a", "b", "t1"].map((tenant) => index.acceleratorsOf(tenant, root))),
  };
}

describe("a live topology", () => {
  test("is at any moment what a rebuild from the objects of that moment would be", () => {
    const met = tally();
    fc.assert(
      fc.property(fc.array(event, { minLength: 9, maxLength: 60 }), fc.nat(), setCase(2), (events, batch, one) => {
        const shadow = createShadow();
        const live = createLive({ layout: LAYOUTS[0] });
        const set = setOf("main", one);
        // Above all pods, or below those that are nominated.
        const demand = demandOf({
          ...set,
          pod: { ...set.pod, labels: { app: "w" }, priority: batch % 3 === 0 ? 0 : 2_000_000 },
        });
        const workload = { ...demand.workload, namespace: "a", name: "asked" };
        const claiming = demandOf(podSet("main", { pod: { devices: [deviceRequest("gpu", 1, { selectors: [] })] } }));
        const queued = { ...demand, workload, queue: { name: "lq", whole: true } };
        let layout = LAYOUTS[0];
        let index: TopologyIndex | undefined;
        for (const [at, next] of events.entries()) {
          met.add(next.does);
          if (next.does === "layout") {
            layout = LAYOUTS[next.seed % LAYOUTS.length] ?? layout;
            live.setLayout(layout);
          } else live.apply(shadow.change(next));
          if (at % (1 + (batch % 9)) !== 0 && at !== events.length - 1) continue;
          met.add("compared");
          const rebuilt = buildTopology(inventoryFrom(shadow.objects()).value ?? expect.fail(), layout);
          const topology = live.topology();
          met.add(index?.topology === topology ? "in place" : "another tree");
          if (topology.devicePools.some(({ devices }) => devices.some(({ taints }) => taints.length > 0)))
            met.add("devices tainted by a rule");
          // An index that follows what changes in place as long as the topology is the same object, and then hands on what still holds.
          if (index?.topology !== topology) index = indexTopology(topology, index);
          expect(told(topology)).toEqual(told(rebuilt));
          expect(answersOf(index)).toEqual(answersOf(indexTopology(rebuilt)));
          for (const root of rootsOf(rebuilt))
            expect(
              live
                .podsOf(root)
                .map((pod) => objectId(pod.key))
                .sort(),
            ).toEqual(rebuilt.pods.filter((pod) => sameObject(pod.root, root)).map((pod) => objectId(pod.key)));
          const context = contextOf({ skipSuggestions: true });
          const answer = solve(topology, demand, { ...context, index });
          expect(answer).toEqual(solve(rebuilt, demand, context));
          met.add(answer.verdict);
          if (batch % 3 !== 0 && index.nominated().some(({ node }) => topology.nodeIndex.has(node ?? "")))
            met.add("gives way");
          const barred = apartFor(index, demand, demand.podSets[0] ?? expect.fail()).barred.size > 0;
          if (barred && answer.verdict !== "unknown") met.add("kept off");
          const plugged = solve(topology, claiming, { ...context, index });
          expect(plugged).toEqual(solve(rebuilt, claiming, context));
          met.add(`claiming ${plugged.verdict}`);
          if (rebuilt.facts.queues?.localQueue("a", "lq") === undefined) continue;
          const waits = solve(topology, queued, { ...context, index });
          expect(waits).toEqual(solve(rebuilt, queued, context));
          if (waits.chosen?.reasons.some(({ code }) => code === "QuotaExceeded" || code === "QueueClosed"))
            met.add("queue");
        }
      }),
      runs(100),
    );
    expect(met.least("set", "delete", "relist", "unserve", "layout")).toBeGreaterThan(20);
    expect(
      met.least("in place", "another tree", "fits", "busy", "never", "queue", "gives way", "kept off"),
    ).toBeGreaterThan(5);
    expect(met.least("claiming fits", "claiming never", "devices tainted by a rule")).toBeGreaterThan(5);
  });
});
