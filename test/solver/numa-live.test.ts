import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type JsonObject, podSetFingerprint, requirement } from "../../src/model/index.ts";
import { indexTopology, solve } from "../../src/solver/index.ts";
import { buildTopology, createLive, inventoryFrom, type PodFacts } from "../../src/topology/index.ts";
import { testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, gpuStep, podSet, pool } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

const NODES = ["n0", "n1"];
const GPU = "nvidia.com/gpu";

const node = (name: string): JsonObject => ({
  apiVersion: "v1",
  kind: "Node",
  metadata: { name, labels: { "kubernetes.io/hostname": name, ...(name === "n0" ? { pool: "p" } : {}) } },
  status: {
    allocatable: { cpu: "64", memory: "512Gi", pods: "110", [GPU]: "8" },
    conditions: [{ type: "Ready", status: "True" }],
  },
});

interface Event {
  readonly at: number;
  readonly does: "pod" | "own" | "gone" | "object" | "unwritten" | "relisted";
  readonly number: number;
  readonly gpus: number;
  readonly policy: string | undefined;
  readonly free: readonly [number, number];
}

const event: fc.Arbitrary<Event> = fc.record({
  at: fc.nat({ max: NODES.length - 1 }),
  does: fc.constantFrom("pod", "pod", "own", "gone", "object", "object", "object", "unwritten", "relisted"),
  number: fc.nat({ max: 5 }),
  gpus: fc.constantFrom(1, 2, 3, 4, 6),
  policy: fc.constantFrom("single-numa-node", "single-numa-node", "restricted", "best-effort", undefined),
  free: fc.tuple(fc.nat({ max: 4 }), fc.nat({ max: 4 })),
});

const podOf = ({ at, does, number, gpus }: Event): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    namespace: does === "own" ? "default" : "team-a",
    name: `p${number}`,
    ...(does === "own"
      ? { ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "train", uid: "j", controller: true }] }
      : {}),
  },
  spec: {
    nodeName: NODES[at] ?? "",
    containers: [{ name: "main", resources: { requests: { cpu: "1", [GPU]: String(gpus) } } }],
  },
  status: { phase: "Running" },
});

/** `pods`: those for which it is written, or says so; every second time it counts what they hold. */
const objectOf = ({ at, policy, free, number }: Event, pods: readonly (readonly PodFacts[])[]): JsonObject => {
  const here = pods[at] ?? [];
  const held = here.reduce((sum, { requests }) => sum + (requests[GPU] ?? 0), 0);
  const exact = [Math.max(0, 4 - held), Math.max(0, 4 - Math.max(0, held - 4))];
  const fingerprint = podSetFingerprint(number === 0 ? [] : here);
  return {
    apiVersion: "topology.node.k8s.io/v1alpha2",
    kind: "NodeResourceTopology",
    metadata: { name: NODES[at] ?? "" },
    attributes: [
      ...(policy === undefined ? [] : [{ name: "topologyManagerPolicy", value: policy }]),
      ...(number < 3 ? [{ name: "nodeTopologyPodsFingerprint", value: fingerprint }] : []),
    ],
    zones: (number % 2 === 0 ? exact : free).map((available, zone) => ({
      name: `node-${zone}`,
      type: "Node",
      resources: [{ name: GPU, capacity: 4, allocatable: 4, available }],
    })),
  };
};

const demands = [
  [1, 2],
  [1, 4],
  [3, 2],
  [2, 3],
].map(([pods = 1, gpus = 1]) =>
  demandOf(podSet("main", { required: pods, requests: { [GPU]: gpus }, steps: [gpuStep(gpus)] })),
);

describe("rules and counts of NUMA nodes that follow the watches", () => {
  test("answer at any moment as made anew", () => {
    const met = tally();
    fc.assert(
      fc.property(fc.array(event, { minLength: 4, maxLength: 30 }), fc.boolean(), (events, declares) => {
        const objects = new Map<string, JsonObject>();
        const live = createLive({ layout: testLayout });
        for (const kind of ["Pod", "NodeResourceTopology"]) {
          objects.set(`${kind}List`, { apiVersion: "v1", kind: `${kind}List`, items: [] });
          live.apply({ type: "relisted", apiVersion: "v1", kind, objects: [] });
        }
        for (const name of NODES) {
          objects.set(name, node(name));
          live.apply({ type: "set", object: node(name) });
        }
        const set = (object: JsonObject): void => {
          const { namespace = "", name = "" } = object["metadata"] as { namespace?: string; name?: string };
          objects.set(`${object["kind"]} ${namespace}/${name}`, object);
          live.apply({ type: "set", object });
        };
        const drop = (apiVersion: string, kind: string, namespace: string, name: string): void => {
          objects.delete(`${kind} ${namespace}/${name}`);
          live.apply({ type: "deleted", apiVersion, kind, namespace, name });
        };
        const rule = { nodes: 2, policy: "single-numa-node", scope: "container" } as const;
        const members = new Map([["pool", requirement("pool", "In", ["p"])]]);
        const context = contextOf({
          pools: declares ? [pool("p", { members, node: { numa: rule } })] : [],
          skipSuggestions: true,
        });
        const index = indexTopology(live.topology());
        for (const next of events) {
          met.add(next.does);
          if (next.does === "pod" || next.does === "own") set(podOf(next));
          else if (next.does === "gone") {
            drop("v1", "Pod", "team-a", `p${next.number}`);
            drop("v1", "Pod", "default", `p${next.number}`);
          } else if (next.does === "object") set(objectOf(next, live.topology().podsOn));
          else if (next.does === "unwritten")
            drop("topology.node.k8s.io/v1alpha2", "NodeResourceTopology", "", NODES[next.at] ?? "");
          else {
            const [kind, apiVersion] = ["NodeResourceTopology", "topology.node.k8s.io/v1alpha2"];
            for (const name of NODES) objects.delete(`${kind} /${name}`);
            const written = objectOf(next, live.topology().podsOn);
            objects.set(`${kind} /${NODES[next.at]}`, written);
            live.apply({ type: "relisted", apiVersion, kind, objects: [written] });
          }
          const topology = live.topology();
          expect(index.topology).toBe(topology);
          const rebuilt = buildTopology(inventoryFrom([...objects.values()]).value ?? expect.fail(), testLayout);
          for (const [at, name] of NODES.entries()) {
            const told = topology.facts.numa?.get(name)?.pods?.fingerprint;
            if (told !== undefined) met.add(told === podSetFingerprint(topology.podsOn[at] ?? []) ? "these" : "others");
          }
          for (const demand of demands) {
            const answer = solve(topology, demand, { ...context, index });
            expect(answer).toEqual(solve(rebuilt, demand, context));
            met.add(answer.verdict);
            const reasons = answer.ladder.flatMap((rung) => rung.reasons.map(({ message }) => message)).join();
            if (reasons.includes("NUMA")) met.add(`NUMA ${answer.verdict}`);
          }
        }
      }),
      runs(30),
    );
    expect(met.least("own", "gone", "object", "unwritten", "relisted")).toBeGreaterThan(20);
    expect(met.least("NUMA fits", "NUMA unknown", "NUMA busy", "these", "others")).toBeGreaterThan(5);
  });
});
