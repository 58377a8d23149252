import { describe, expect, test } from "vitest";
import type { CapacityPool, DeviceRequest, JsonObject } from "../../src/model/index.ts";
import { checkAssignment, solve } from "../../src/solver/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, demandOf, deviceRequest, podSet, pool, step } from "../support/demand.ts";

const FABRIC = "fabric.example.com";

/** One node that is too small for a pod, and devices that several nodes reach. */
const world = (devices: readonly JsonObject[], spec: JsonObject = { allNodes: true }): ClusterBuilder =>
  cluster()
    .node("n", (node) => node.cpu(1))
    .object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "fabric" },
      spec: {
        driver: FABRIC,
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        ...spec,
        devices: [...devices],
      },
    });
const some = (count: number): readonly JsonObject[] => Array.from({ length: count }, (_, at) => ({ name: `f${at}` }));
const selecting = (key: string, operator: string, ...values: readonly string[]): JsonObject => ({
  nodeSelector: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator, values: [...values] }] }] },
});
const nic = (count: number | "all", extra: Partial<DeviceRequest> = {}) =>
  deviceRequest("nic", count, {
    claim: "nic",
    deviceClassName: FABRIC,
    selectors: [`device.driver == "${FABRIC}"`],
    ...extra,
  });
const p0 = (node: Partial<CapacityPool["node"]> = {}, extra: Partial<CapacityPool> = {}): CapacityPool =>
  pool("p0", { zones: ["a", "b"], ...extra, node: { taints: [], ...node } });
/** The pool says what the driver publishes on each of its nodes. */
const declaring = (count: number): CapacityPool =>
  p0({ network: { driver: FABRIC, count, attributes: {}, capacity: {} } });

function ask(builder: ClusterBuilder, pods: number, devices: readonly DeviceRequest[], grows = p0()) {
  const topology = builder.topology();
  const set = podSet("main", {
    required: pods,
    requests: { cpu: 40_000 },
    pod: { devices },
    placement: { unit: "pod" },
    steps: [step({ source: "new" })],
  });
  const context = contextOf({ pools: [grows], skipSuggestions: true });
  const answer = solve(topology, demandOf(set), context);
  const { assignment } = answer.chosen ?? {};
  if (assignment !== undefined)
    expect(checkAssignment(topology, demandOf(set), answer.rungs, assignment, context)).toEqual([]);
  const told = (code: string) =>
    answer.ladder.flatMap(({ reasons }) => reasons.filter((one) => one.code === code).map(({ message }) => message));
  return {
    verdict: answer.verdict,
    zones: assignment?.newNodes.map(({ zone }) => zone),
    devices: assignment?.placed.flatMap((one) => one.devices?.flat() ?? []),
    doubts: told("DataMissing"),
    misfits: told("NoPool"),
  };
}

const UNDECLARED =
  "pool p0 does not declare what driver fabric.example.com publishes on its nodes, of which the claims ask for devices";

describe("devices that new nodes reach", () => {
  test("keep their names, and each is given once", () => {
    const { verdict, devices } = ask(world(some(3)), 3, [nic(1)]);
    expect(verdict).toBe("scaleUp");
    expect(devices).toEqual([0, 1, 2].map((at) => `${FABRIC}/p/f${at}`));
  });

  test("stand beside those of the node itself, which are called after it", () => {
    const { verdict, devices } = ask(world(some(3)), 2, [nic(2)], declaring(1));
    expect(verdict).toBe("scaleUp");
    expect([...(devices ?? [])].sort()).toEqual([
      ...[0, 1, 2].map((at) => `${FABRIC}/p/f${at}`),
      `${FABRIC}/p0/new-0@p0/1`,
    ]);
    expect(ask(world(some(3)), 2, [nic(3)], declaring(1)).verdict).toBe("never");
  });

  test("where they do not suffice, what the pool does not declare is told, and only there", () => {
    const few = ask(world(some(2)), 3, [nic(1)]);
    expect([few.verdict, few.doubts]).toEqual(["unknown", [UNDECLARED]]);
    expect(ask(world(some(2)), 3, [nic(1)], declaring(0)).verdict).toBe("never");
    // Enough of them, and too little of something else: no device would help.
    const enough = ask(world(some(9)), 9, [nic(1)]);
    expect([enough.verdict, enough.doubts]).toEqual(["never", []]);
  });

  test("what is not known of one driver does not make up for too few of another", () => {
    const other = { ...nic(1, { selectors: ['device.driver == "other.example.com"'] }), name: "other", claim: "other" };
    expect(ask(world(some(2)), 2, [nic(1), other], declaring(0)).verdict).toBe("unknown");
    expect(ask(world(some(1)), 2, [nic(1), other], declaring(0)).verdict).toBe("never");
  });

  test("all of them are those of the node as well", () => {
    const whole = ask(world(some(2)), 1, [nic("all")]);
    expect([whole.verdict, whole.doubts]).toEqual(["unknown", [UNDECLARED]]);
    expect(ask(world([]), 1, [nic("all")]).verdict).toBe("unknown");
    const { verdict, devices } = ask(world(some(2)), 1, [nic("all")], declaring(1));
    expect([verdict, devices?.length]).toEqual(["scaleUp", 3]);
    expect(ask(world(some(2)), 2, [nic("all")], declaring(1)).verdict).toBe("never");
  });

  test.each<[string, JsonObject, string, readonly string[] | undefined, string?]>([
    ["in the zone that it is in", selecting("topology.kubernetes.io/zone", "In", "b"), "scaleUp", ["b"]],
    ["in no zone that it may be in", selecting("topology.kubernetes.io/zone", "In", "c"), "never", undefined],
    ["by a label of its pool", selecting("pool", "In", "p0"), "scaleUp", ["a"]],
    ["by the absence of a label", selecting("rack", "NotIn", "r1"), "scaleUp", ["a"]],
    ["by a label that it does not get", selecting("rack", "In", "r1"), "never", undefined],
    ["by the names of nodes that are there", selecting("kubernetes.io/hostname", "In", "n"), "never", undefined],
    [
      "by other names",
      selecting("kubernetes.io/hostname", "NotIn", "n"),
      "unknown",
      undefined,
      "kubernetes.io/hostname",
    ],
    [
      "by what machine it is",
      selecting("kubernetes.io/arch", "In", "arm64"),
      "unknown",
      undefined,
      "kubernetes.io/arch",
    ],
  ])("are reached %s", (_name, reach, verdict, zones, label) => {
    const found = ask(world(some(1), reach), 1, [nic(1)], declaring(0));
    expect([found.verdict, found.zones]).toEqual([verdict, zones]);
    expect(found.doubts.filter((text) => text.includes("label"))).toEqual(
      label === undefined
        ? []
        : [`pool p0 does not declare the label ${label}, by which nodes reach devices of pool ${FABRIC}/p`],
    );
  });

  test("of a pool whose zone is not said, those of a zone may be reached", () => {
    const reach = selecting("topology.kubernetes.io/zone", "In", "b");
    const zoneless = { ...declaring(0), zones: [] };
    expect(ask(world(some(1), reach), 1, [nic(1)], zoneless).verdict).toBe("unknown");
  });

  test("a taint and a claim of others keep them from new nodes as well", () => {
    const sick = some(1).map((one) => ({ ...one, taints: [{ key: "sick", effect: "NoSchedule" }] }));
    expect(ask(world(sick), 1, [nic(1)], declaring(0)).verdict).toBe("busy");
    const tolerant = nic(1, { tolerations: [{ key: "sick", operator: "Exists" }] });
    expect(ask(world(sick), 1, [tolerant], declaring(0)).verdict).toBe("scaleUp");
    const held = world(some(1)).claim("held", [`${FABRIC}/p/f0`]);
    const busy = ask(held, 1, [nic(1)], declaring(0));
    expect([busy.verdict, busy.misfits]).toEqual([
      "busy",
      ["a new node of pool p0 takes no pod: it has 0 of the 1 device for request nic"],
    ]);
    expect(ask(held, 1, [nic(1, { adminAccess: true })], declaring(0)).verdict).toBe("scaleUp");
  });

  test("of a pool that is not whole none is sure, and all of them are not to be had", () => {
    const partial = world(some(2), { allNodes: true, pool: { name: "p", generation: 1, resourceSliceCount: 2 } });
    const one = ask(partial, 1, [nic(1)], declaring(0));
    expect([one.verdict, one.doubts]).toEqual([
      "unknown",
      ["device pool fabric.example.com/p is incomplete: not all of its ResourceSlices are there"],
    ]);
    // The node's own devices would do, but the scheduler gives up where a pool that it reaches is not whole.
    const other = { ...nic("all"), selectors: ['device.driver == "own.example.com"'] };
    const own = p0({ network: { driver: "own.example.com", count: 1, attributes: {}, capacity: {} } });
    expect(ask(world(some(2)), 1, [other], own).verdict).toBe("scaleUp");
    const whole = ask(partial, 1, [other], own);
    expect([whole.verdict, whole.doubts]).toEqual([
      "unknown",
      [
        "kube-scheduler may give up on a pod for request nic at a new node of pool p0: device pool fabric.example.com/p is incomplete",
      ],
    ]);
  });

  test("a selector that fails on one of them promises nothing on a new node", () => {
    const kind = nic(1, { selectors: [`device.attributes["${FABRIC}"].kind == "a"`] });
    const own = p0({ network: { driver: FABRIC, count: 1, attributes: { kind: "a" }, capacity: {} } });
    expect(ask(world([]), 1, [kind], own).verdict).toBe("scaleUp");
    const failing = ask(world(some(1)), 1, [kind], own);
    expect([failing.verdict, failing.doubts]).toEqual([
      "unknown",
      [
        "kube-scheduler may give up on a pod for request nic at a new node of pool p0: a selector fails on device fabric.example.com/p/f0",
      ],
    ]);
  });

  test("what is left of one node's own devices is not taken for another's, be there counters or not", () => {
    const pool = { name: "p", generation: 1, resourceSliceCount: 2 };
    const draws = [{ counterSet: "c", counters: { s: { value: "1" } } }];
    const units = (requestPolicy: JsonObject) => ({ units: { value: "4", ...requestPolicy } });
    const devices: readonly JsonObject[] = [
      {
        name: "f0",
        allowMultipleAllocations: true,
        capacity: units({ requestPolicy: { default: "1" } }),
        consumesCounters: draws,
      },
      { name: "f1", capacity: units({}) },
    ];
    const builder = world(devices, { allNodes: true, pool }).object({
      apiVersion: "resource.k8s.io/v1",
      kind: "ResourceSlice",
      metadata: { name: "counters" },
      spec: {
        driver: FABRIC,
        pool,
        allNodes: true,
        sharedCounters: [{ name: "c", counters: { s: { value: "3" } } }],
      },
    });
    const own = p0({ network: { driver: FABRIC, count: 1, attributes: {}, capacity: { units: "4" } } });
    const requests = [nic(1, { capacity: { units: "2" } }), { ...nic(2), name: "more" }];
    expect(ask(builder, 2, requests, own).verdict).toBe("scaleUp");
  });

  test("a claim that pods share has devices that all of their nodes reach, new ones too", () => {
    const shared = nic(1, { sharedClaim: "default/one" });
    const two = ask(world(some(1)), 2, [shared]);
    expect([two.verdict, two.devices]).toEqual(["scaleUp", [`${FABRIC}/p/f0`]]);
    const standing = world(some(1)).node("large", (node) => node.cpu(40).zone("a"));
    const beside = ask(standing, 2, [shared]);
    expect([beside.verdict, beside.zones]).toEqual(["scaleUp", ["a"]]);
    const zone = (name: string) => world(some(1), selecting("topology.kubernetes.io/zone", "In", name));
    const there = zone("b").node("large", (node) => node.cpu(40).zone("a"));
    const moved = ask(there, 2, [shared]);
    expect([moved.verdict, moved.zones]).toEqual(["scaleUp", ["b"]]);
    // What one new node has of its own the others do not reach.
    expect(ask(world([]), 2, [shared], declaring(4)).verdict).toBe("never");
    expect(ask(world(some(1)), 2, [nic(2, { sharedClaim: "default/one" })], declaring(4)).verdict).toBe("never");
    expect(ask(world(some(1)), 1, [nic(2, { sharedClaim: "default/one" })], declaring(4)).verdict).toBe("scaleUp");
    const arch = ask(world(some(1), selecting("kubernetes.io/arch", "In", "arm64")), 2, [shared], declaring(0));
    expect([arch.verdict, arch.doubts.length]).toEqual(["unknown", 1]);
  });
});
