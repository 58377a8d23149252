import { describe, expect, test } from "vitest";
import { type Demand, type Hold, type JsonObject, requirement } from "../../src/model/index.ts";
import { indexTopology, solve } from "../../src/solver/index.ts";
import { buildTopology, createLive, generateCluster, inventoryFrom, type Topology } from "../../src/topology/index.ts";
import { testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet, step } from "../support/demand.ts";

const onP5 = [requirement("node.kubernetes.io/instance-type", "In", ["p5.48xlarge"])];

const generated = (fill: number, seed: number, dra: boolean): readonly JsonObject[] =>
  generateCluster({
    shape: "p5.48xlarge",
    zones: 1,
    blocks: 2,
    nodesPerRack: 4,
    nodes: 12,
    fill,
    seed,
    mechanism: dra ? "dra" : "device-plugin",
  });

function filled(fill: number, seed: number, dra: boolean): Topology {
  const inventory = inventoryFrom(generated(fill, seed, dra)).value;
  if (inventory === undefined) throw new Error("the generated cluster does not read");
  return buildTopology(inventory, testLayout);
}

/** Takes over what changes in place, as a topology that follows a cluster does. */
function follow(topology: Topology, next: Topology): void {
  topology.ledger.used.set(next.ledger.used);
  const { pods, podsOn, claims, facts, known } = next;
  Object.assign(topology.ledger, { devices: next.ledger.devices });
  Object.assign(topology, { pods, podsOn, claims, facts, known, version: (topology.version ?? 0) + 1 });
}

const demands = [1, 4].flatMap((pods) => [
  demandOf(
    podSet("main", {
      required: pods,
      requests: { "nvidia.com/gpu": 8, cpu: 16_000 },
      placement: { level: "rack" },
      steps: [gpuStep(8, {}, onP5)],
    }),
  ),
  { ...demandOf(podSet("main", { required: pods, requests: { cpu: 1000 }, steps: [step()] })), acceleratorLimit: 40 },
  {
    ...demandOf(podSet("main", { required: pods, requests: { "nvidia.com/gpu": 4 }, steps: [gpuStep(4)] })),
    acceleratorLimit: 40,
  },
  demandOf(podSet("main", { required: pods, pod: { devices: [deviceRequest("gpu", 8)] }, steps: [step()] })),
]);

const identity = ({ apiVersion, kind, metadata }: JsonObject) => {
  const { namespace, name } = metadata as { readonly namespace?: string; readonly name: string };
  return { apiVersion: String(apiVersion), kind: String(kind), namespace: namespace ?? "", name };
};
const idOf = (object: JsonObject): string => Object.values(identity(object)).join("/");
const deletionOf = (object: JsonObject) => ({ type: "deleted", ...identity(object) }) as const;

/** What another workload was promised on a node. */
const promise = (node: string, demand: Demand): Hold => ({
  workload: { ...demand.workload, name: "other" },
  tenant: "other",
  takenAtMs: 0,
  placed: [
    {
      podSet: "main",
      node,
      pods: 1,
      requests: { cpu: 8000, "nvidia.com/gpu": 4 },
      devices: [`gpu.nvidia.com/${node}/gpu-0`],
      accelerators: 4,
      charged: {},
    },
  ],
  newNodes: [],
});

describe("the lookups that many solves share", () => {
  test.each([false, true])(
    "one index answers as a fresh one does, whatever changed in place meanwhile (claims: %s)",
    (dra) => {
      const first = filled(0.2, 1, dra);
      const topology: Topology = { ...first, version: 0, ledger: { ...first.ledger, used: first.ledger.used.slice() } };
      const index = indexTopology(topology);
      const seen = new Set<string>();
      for (const [round, fill] of [0.9, 0, 0.6].entries()) {
        const next = filled(fill, round + 1, dra);
        follow(topology, next);
        const tenants = [...new Set(next.pods.map(({ tenant }) => tenant))].slice(0, 1);
        const own = next.pods.slice(0, 1).map(({ root }) => root);
        for (const demand of demands) {
          for (const asked of [
            demand,
            ...tenants.map((tenant) => ({ ...demand, tenant })),
            ...own.map((workload) => ({ ...demand, workload, tenant: tenants[0] ?? "" })),
          ]) {
            const shared = solve(topology, asked, contextOf({ index }));
            expect(shared).toEqual(solve(next, asked, contextOf()));
            expect(shared).toEqual(solve(topology, asked, contextOf({ index })));
            seen.add(`${shared.verdict} ${shared.chosen?.reasons[0]?.code}`);
          }
        }
      }
      // The rounds differ in what they answer, or the test would say nothing.
      expect(seen.size).toBeGreaterThan(1);
    },
  );

  test.each([false, true])(
    "one index follows pods and claims event by event, for workloads with pods and promises of their own as well (claims: %s)",
    (dra) => {
      const objects = generated(0.5, 1, dra);
      const live = createLive({ layout: testLayout });
      const there = new Map<string, JsonObject>();
      const put = (object: JsonObject): void => {
        there.set(idOf(object), object);
        live.apply({ type: "set", object });
      };
      for (const object of objects) put(object);
      const moving = objects.filter(({ kind }) => kind === (dra ? "ResourceClaim" : "Pod"));
      const index = indexTopology(live.topology());
      const seen = new Set<string>();
      for (let round = 0; round < 14; round += 1) {
        const before = index.moment();
        // The last round tells more than is logged, of one object in the end.
        for (let event = 0; event < (round === 13 ? 9000 : 1 + (round % 4)); event += 1) {
          const which = event < 4 ? round * 5 + event : round;
          const object = moving[which % moving.length] ?? expect.fail();
          if (there.delete(idOf(object))) live.apply(deletionOf(object));
          else put(object);
        }
        const rebuilt = buildTopology(inventoryFrom([...there.values()]).value ?? expect.fail(), testLayout);
        const topology = live.topology();
        expect(topology).toBe(index.topology);
        if (round === 13 && !dra) expect(index.moved(before)).toBeUndefined();
        expect([...index.deviceIndex.used()]).toEqual([...indexTopology(rebuilt).deviceIndex.used()]);
        const root = (rebuilt.claims[round] ?? rebuilt.pods[round])?.root;
        const node = rebuilt.nodes[round % 12]?.name ?? "";
        for (const demand of demands) {
          const others = [promise(node, demand)];
          for (const [asked, holds] of [
            [demand, []],
            [demand, others],
            ...(root === undefined ? [] : [[{ ...demand, workload: root }, others] as const]),
          ] as const) {
            const followed = solve(topology, asked, contextOf({ index, holds }));
            expect(followed).toEqual(solve(rebuilt, asked, contextOf({ holds })));
            seen.add(`${followed.verdict} ${followed.chosen?.assignment?.placed[0]?.node}`);
          }
        }
      }
      expect(seen.size).toBeGreaterThan(4);
    },
  );

  test("two shapes that differ only in what the filters look at do not share what the filters say", () => {
    const topology = filled(0, 1, false);
    const context = contextOf({ index: indexTopology(topology) });
    const ask = (value: string) =>
      solve(
        topology,
        demandOf(
          podSet("main", {
            requests: { cpu: 1000 },
            steps: [
              step(
                {},
                {
                  selection: [requirement("node.kubernetes.io/instance-type", "In", [value])],
                  tolerations: gpuStep(0).tolerations,
                },
              ),
            ],
          }),
        ),
        context,
      ).verdict;
    expect([ask("p5.48xlarge"), ask("p4d.24xlarge"), ask("p5.48xlarge")]).toEqual(["fits", "never", "fits"]);
    const bare = (tolerated: boolean) =>
      solve(
        topology,
        demandOf(
          podSet("main", {
            requests: { cpu: 1000 },
            steps: [step({}, tolerated ? { tolerations: gpuStep(0).tolerations } : {})],
          }),
        ),
        context,
      ).verdict;
    expect([bare(true), bare(false), bare(true)]).toEqual(["fits", "never", "fits"]);
  });

  test.each([
    ["fits", 1, 0],
    ["busy", 8, 0.9],
    ["never", 99, 0],
  ] as const)("what asks for no devices reads none of them: %s", (verdict, pods, fill) => {
    const topology = filled(fill, 1, true);
    const index = indexTopology(topology);
    const read = (): never => {
      throw new Error("the devices were read");
    };
    Object.defineProperties(index, {
      devices: { get: read },
      deviceIndex: { get: read },
    });
    const demand = demandOf(
      podSet("main", {
        required: pods,
        requests: { cpu: 100_000 },
        placement: { level: "block" },
        steps: [step({}, { tolerations: gpuStep(0).tolerations })],
      }),
    );
    expect(solve(topology, demand, contextOf({ index })).verdict).toBe(verdict);
  });
});
