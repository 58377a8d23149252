import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Demand, DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { indexTopology, solve, type TopologyIndex } from "../../src/solver/index.ts";
import { buildTopology, createLive, generateCluster, inventoryFrom } from "../../src/topology/index.ts";
import { testLayout } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, gpuStep, podSet } from "../support/demand.ts";
import { runs, tally } from "../support/runs.ts";

const H100 = 'device.attributes["gpu.nvidia.com"].productName.startsWith("NVIDIA H100")';
const NUMA = "resource.kubernetes.io/numaNode";
const SHAPES = ["p5.48xlarge", "p4d.24xlarge"] as const;

const clusters = SHAPES.map((shape) =>
  generateCluster({ shape, zones: 1, blocks: 2, nodesPerRack: 4, nodes: 7, fill: 0.6, seed: 3, mechanism: "dra" }),
);

const ask = (pods: number, gpus: number, extra: Partial<DeviceRequest> = {}): Demand =>
  demandOf(
    podSet("main", {
      required: pods,
      placement: { level: "rack" },
      pod: { devices: [deviceRequest("gpu", gpus, extra)], tolerations: gpuStep(0).tolerations },
    }),
  );
const asks: readonly Demand[] = [
  ask(2, 8),
  ask(2, 1, { selectors: [H100] }),
  ask(3, 4, { matchAttributes: [{ attribute: NUMA, requests: [] }] }),
];

/** One change to one object of the cluster. */
const change = fc.record({
  does: fc.constantFrom("cordon", "label", "goes", "device taint", "attribute", "incomplete", "claim", "slice goes"),
  at: fc.nat(999),
  /** Whether anything is asked for before the next change. */
  asked: fc.boolean(),
});
type Change = typeof change extends fc.Arbitrary<infer One> ? One : never;

describe("an index that takes over from that of an earlier topology", () => {
  test("answers as a fresh one, whatever nodes, slices and claims came, changed and went", () => {
    const met = tally();
    fc.assert(
      fc.property(
        fc.constantFrom(...clusters),
        fc.array(change, { minLength: 4, maxLength: 14 }),
        (objects, changes) => {
          const there = new Map(objects.map((object) => [idOf(object), object]));
          const gone: JsonObject[] = [];
          const live = createLive({ layout: testLayout });
          for (const object of objects) live.apply({ type: "set", object });
          let index = indexTopology(live.topology());
          for (const one of changes) {
            met.add(one.does);
            for (const object of changed(one, [...there.values()], gone)) {
              if (object.there) {
                there.set(idOf(object.object), object.object);
                live.apply({ type: "set", object: object.object });
              } else {
                there.delete(idOf(object.object));
                gone.push(object.object);
                live.apply(deletionOf(object.object));
              }
            }
            const topology = live.topology();
            if (index.topology !== topology) {
              index = indexTopology(topology, index);
              met.add("taken over");
            }
            if (!one.asked) continue;
            const rebuilt = buildTopology(inventoryFrom([...there.values()]).value ?? expect.fail(), testLayout);
            const fresh = indexTopology(rebuilt);
            expect(told(index)).toEqual(told(fresh));
            for (const demand of asks) {
              const answer = solve(topology, demand, contextOf({ index, skipSuggestions: true }));
              expect(answer).toEqual(solve(rebuilt, demand, contextOf({ skipSuggestions: true })));
              met.add(answer.verdict);
            }
          }
        },
      ),
      runs(30),
    );
    expect(
      met.least("cordon", "label", "goes", "device taint", "attribute", "incomplete", "claim", "slice goes"),
    ).toBeGreaterThan(20);
    expect(met.least("taken over", "fits", "busy", "never")).toBeGreaterThan(10);
  });

  test("keeps what holds: a node that is cordoned leaves every device where it was", () => {
    const [objects = []] = clusters;
    const live = createLive({ layout: testLayout });
    for (const object of objects) live.apply({ type: "set", object });
    const index = indexTopology(live.topology());
    const [demand = expect.fail()] = asks;
    solve(index.topology, demand, contextOf({ index }));
    const node = objects.find(({ kind }) => kind === "Node") ?? expect.fail();
    live.apply({ type: "set", object: { ...node, spec: { ...(node["spec"] as JsonObject), unschedulable: true } } });
    const next = indexTopology(live.topology(), index);
    expect(next).not.toBe(index);
    expect(next.devices).toBe(index.devices);
  });
});

/** The same groups have the same numbers, in order of their first row. */
function grouped(of: Int32Array): readonly number[] {
  const first = new Map<number, number>();
  return [...of].map((number, row) => {
    if (number === -1) return -1;
    if (!first.has(number)) first.set(number, row);
    return first.get(number) ?? -1;
  });
}

function told({ devices, deviceIndex, topology }: TopologyIndex) {
  const interests = asks.map(({ podSets: [set] }) => ({
    selectors: set?.pod.devices.flatMap(({ selectors }) => selectors) ?? [],
    attributes:
      set?.pod.devices.flatMap(({ matchAttributes }) => matchAttributes.map(({ attribute }) => attribute)) ?? [],
    capacity: false,
  }));
  return {
    keys: devices.keys,
    numbers: devices.keys.map((key) => devices.numberOf(key)),
    rows: devices.keys.map((_, id) => devices.rowOf(id)),
    onNode: topology.nodes.map((_, row) => devices.onNode(row)),
    doubt: devices.doubt,
    selected: [...devices.selected(H100).of],
    used: [...deviceIndex.used()],
    layouts: interests.map((interest) => grouped(deviceIndex.layouts(interest))),
    classes: interests.map((interest) => grouped(deviceIndex.classes(interest).of)),
  };
}

interface Told {
  readonly there: boolean;
  readonly object: JsonObject;
}

function changed({ does, at }: Change, objects: readonly JsonObject[], gone: JsonObject[]): readonly Told[] {
  const any = (kind: string): JsonObject | undefined => {
    const list = objects.filter((object) => object["kind"] === kind);
    return list[at % Math.max(1, list.length)];
  };
  const set = (object: JsonObject | undefined, edit: (draft: Draft) => void): readonly Told[] => {
    if (object === undefined) return [];
    const draft = structuredClone(object) as unknown as Draft;
    edit(draft);
    return [{ there: true, object: draft as unknown as JsonObject }];
  };
  const comesOrGoes = (kind: string): readonly Told[] => {
    const back = gone.findIndex((object) => object["kind"] === kind);
    const one = any(kind);
    if (at % 2 === 0 && back !== -1) return gone.splice(back, 1).map((object) => ({ there: true, object }));
    return one === undefined ? [] : [{ there: false, object: one }];
  };
  switch (does) {
    case "cordon":
      return set(any("Node"), ({ spec }) => Object.assign(spec, { unschedulable: spec["unschedulable"] !== true }));
    case "label":
      return set(any("Node"), ({ metadata }) => Object.assign(metadata["labels"] ?? {}, { mark: String(at % 3) }));
    case "goes":
      return comesOrGoes("Node");
    case "slice goes":
      return comesOrGoes("ResourceSlice");
    case "claim":
      return comesOrGoes("ResourceClaim");
    case "device taint":
      return set(any("ResourceSlice"), ({ spec }) =>
        Object.assign(spec.devices?.[at % 4] ?? {}, {
          taints: at % 3 === 0 ? [] : [{ key: "broken", effect: "NoSchedule" }],
        }),
      );
    case "attribute":
      return set(any("ResourceSlice"), ({ spec }) =>
        Object.assign(spec.devices?.[at % 4]?.attributes ?? {}, {
          productName: { string: at % 2 === 0 ? "NVIDIA H100" : "other" },
        }),
      );
    case "incomplete":
      return set(any("ResourceSlice"), ({ spec }) =>
        Object.assign(spec["pool"] ?? {}, { resourceSliceCount: 1 + (at % 2) }),
      );
  }
}

interface Draft {
  readonly metadata: Record<string, object>;
  readonly spec: Record<string, unknown> & { readonly devices?: readonly { readonly attributes?: object }[] };
}

function identity({ apiVersion, kind, metadata }: JsonObject) {
  const { namespace, name } = metadata as { readonly namespace?: string; readonly name: string };
  return { apiVersion: String(apiVersion), kind: String(kind), namespace: namespace ?? "", name };
}
const idOf = (object: JsonObject): string => Object.values(identity(object)).join("/");
const deletionOf = (object: JsonObject) => ({ type: "deleted", ...identity(object) }) as const;
