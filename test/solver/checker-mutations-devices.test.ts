import { describe } from "vitest";
import type { Placed } from "../../src/model/index.ts";
import { asking, dra, given, hold, main, one, put, slice } from "../support/assignments.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, deviceRequest, podSet } from "../support/demand.ts";
import { DRIVER, NUMA } from "../support/device-cases.ts";
import { migRequest, migSlices } from "../support/mig.ts";
import { type Case, refuses } from "../support/refusal.ts";

describe("partitions of cards", () => {
  const cards = (...held: readonly string[]): ClusterBuilder => {
    const builder = one();
    for (const object of migSlices("n-1", 1)) builder.object(object);
    for (const name of held) builder.claim(name, [`${DRIVER}/n-1/gpu-0-mig-${name}`]);
    return builder;
  };
  const part = (name: string): readonly string[] => [`n-1/gpu-0-mig-${name}`];
  const right: Case = {
    cluster: cards("1g-10gb-2"),
    sets: [
      podSet("half", { pod: { devices: [migRequest("3g.40gb")] } }),
      podSet("main", { pod: { devices: [migRequest("1g.10gb")] } }),
    ],
    placed: [{ ...given("n-1", part("3g-40gb-4")), podSet: "half" }, given("n-1", part("1g-10gb-3"))],
  };
  refuses([
    [
      "two that lie on one slice",
      right,
      { placed: [{ ...given("n-1", part("3g-40gb-4")), podSet: "half" }, given("n-1", part("1g-10gb-5"))] },
      /pool gpu.nvidia.com\/n-1 has too little of gpu-0-counter-set\/memory-slice-5/,
    ],
    ["one over another claim's slice", right, { cluster: cards("1g-20gb-2") }, /too little of .*memory-slice-3/],
  ]);
  const admin = deviceRequest("gpu", 1, {
    selectors: [`device.attributes["${DRIVER}"].type == "mig"`],
    adminAccess: true,
  });
  const watching: Case = {
    cluster: cards("1g-10gb-0"),
    sets: [main({ required: 2, pod: { devices: [admin] } })],
    placed: [given("n-1", part("3g-40gb-4"), part("3g-40gb-4"))],
  };
  refuses([
    ["counters bind administrators as well", watching, { cluster: cards("1g-10gb-6") }, /too little of .*slice-6/],
    [
      "a device of another node in a pool that has some of each",
      {
        cluster: one()
          .node("n-2", (node) => node.cpu(64))
          .object({
            ...slice("each", {}),
            spec: {
              ...{ driver: DRIVER, pool: { name: "p", generation: 1, resourceSliceCount: 1 } },
              perDeviceNodeSelection: true,
              devices: ["n-1", "n-2"].map((name) => ({ name, nodeName: name })),
            },
          }),
        sets: asking(1, ["gpu", 1]),
        placed: [given("n-1", ["p/n-1"])],
      },
      { placed: [given("n-1", ["p/n-2"])] },
      /device gpu.nvidia.com\/p\/n-2 does not exist|gets 0 of 1 devices/,
    ],
    [
      "a counter that the pool does not have",
      {
        cluster: one()
          .object(
            slice("counters", {
              pool: { name: "p", generation: 1, resourceSliceCount: 2 },
              sharedCounters: [{ name: "s", counters: { c: { value: "1" } } }],
            }),
          )
          .object(
            slice("devices", {
              pool: { name: "p", generation: 1, resourceSliceCount: 2 },
              devices: [{ name: "d", consumesCounters: [{ counterSet: "s", counters: { c: { value: "1" } } }] }],
            }),
          ),
        sets: asking(1, ["gpu", 1]),
        placed: [given("n-1", ["p/d"])],
      },
      {
        cluster: one()
          .object(
            slice("counters", {
              pool: { name: "p", generation: 1, resourceSliceCount: 2 },
              sharedCounters: [{ name: "s", counters: { c: { value: "1" } } }],
            }),
          )
          .object(
            slice("devices", {
              pool: { name: "p", generation: 1, resourceSliceCount: 2 },
              devices: [{ name: "d", consumesCounters: [{ counterSet: "s", counters: { other: { value: "1" } } }] }],
            }),
          ),
      },
      /too little of s\/other|does not count/,
    ],
  ]);
});

describe("devices that several claims share", () => {
  const shared = (taken: number): ClusterBuilder => {
    const device = {
      name: "d",
      allowMultipleAllocations: true,
      capacity: {
        units: { value: "4", requestPolicy: { default: "1", validRange: { min: "1", step: "1", max: "3" } } },
      },
    };
    const builder = one().object(
      slice("s", { pool: { name: "p", generation: 1, resourceSliceCount: 1 }, devices: [device] }),
    );
    const result = { request: "r", driver: DRIVER, pool: "p", device: "d", shareID: "u" };
    const allocation = { devices: { results: [{ ...result, consumedCapacity: { units: String(taken) } }] } };
    return taken === 0
      ? builder
      : builder.object({
          apiVersion: "resource.k8s.io/v1",
          kind: "ResourceClaim",
          metadata: { name: "theirs", namespace: "other" },
          spec: {},
          status: { allocation },
        });
  };
  const inSteps = (...validValues: readonly string[]): ClusterBuilder => {
    const units = { value: "4", requestPolicy: { default: validValues[1] ?? "", validValues } };
    return one().object(
      slice("s", {
        pool: { name: "p", generation: 1, resourceSliceCount: 1 },
        devices: [{ name: "d", allowMultipleAllocations: true, capacity: { units } }],
      }),
    );
  };
  const wants = (units: string) => asking(2, ["gpu", 1, { capacity: { units } }]);
  const right: Case = { cluster: shared(0), sets: wants("2"), placed: [given("n-1", ["p/d"], ["p/d"])] };
  refuses([
    ["more than it has", right, { sets: wants("3") }, /device gpu.nvidia.com\/p\/d has not so much units to share/],
    ["more than others leave", right, { cluster: shared(1) }, /has not so much units to share/],
    [
      "more than its policy lets one request have",
      { ...right, sets: asking(1, ["gpu", 1, { capacity: { units: "3" } }]), placed: [given("n-1", ["p/d"])] },
      { sets: asking(1, ["gpu", 1, { capacity: { units: "4" } }]) },
      /p\/d is not selected by gpu/,
    ],
    [
      "the least of the amounts that it gives out, which is more than what is asked for",
      { ...right, cluster: inSteps("4", "2"), sets: wants("1") },
      { cluster: inSteps("4", "3") },
      /has not so much units to share/,
    ],
    [
      "more than what is promised to others leaves",
      { ...right, sets: wants("1") },
      { context: { holds: [hold({ devices: [`${DRIVER}/p/d`], capacities: [{ units: "3" }] })] } },
      /has not so much units to share/,
    ],
    [
      "more than others leave who are promised it by its own rules",
      { ...right, sets: wants("1") },
      { context: { holds: [hold({ devices: [`${DRIVER}/p/d`, `${DRIVER}/p/d`, `${DRIVER}/p/d`] })] } },
      /has not so much units to share/,
    ],
    [
      "one request has it twice",
      { ...right, sets: wants("1"), placed: [given("n-1", ["p/d"], ["p/d"])] },
      { sets: asking(1, ["gpu", 2, { capacity: { units: "1" } }]), placed: [given("n-1", ["p/d", "p/d"])] },
      /request gpu has a device twice/,
    ],
  ]);
});

describe("devices", () => {
  const right: Case = {
    cluster: dra(),
    sets: asking(2, ["gpu", 2]),
    placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"], ["n-1/gpu-2", "n-1/gpu-3"])],
  };
  const sick = (tolerated: boolean) =>
    asking(1, ["gpu", 1, tolerated ? { tolerations: [{ key: "sick", operator: "Exists" }] } : {}]);
  const tainted = dra(1, (device) => ({ ...device, taints: [{ key: "sick", value: "", effect: "NoSchedule" }] }));
  const numa = (values: readonly number[]) =>
    dra(2, (device, index) => ({ ...device, attributes: { [NUMA]: { int: values[index] ?? 0 } } }));
  const bond = [{ attribute: NUMA, requests: [] }];
  const old = () =>
    one().object(slice("old", { pool: { name: "p", generation: 1, resourceSliceCount: 1 }, devices: [{ name: "d" }] }));
  const newer = slice("new", { pool: { name: "p", generation: 2, resourceSliceCount: 1 }, devices: [{ name: "e" }] });
  refuses([
    [
      "given to two pods",
      right,
      { placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"], ["n-1/gpu-1", "n-1/gpu-3"])] },
      /device gpu.nvidia.com\/n-1\/gpu-1 is given twice/,
    ],
    [
      "of another node",
      right,
      { placed: [given("n-2", ["n-1/gpu-0", "n-1/gpu-1"], ["n-1/gpu-2", "n-1/gpu-3"])] },
      /does not exist/,
    ],
    [
      "named for too few pods",
      right,
      { placed: [put("n-1", 2, { devices: [] })] },
      /devices are named for 0 of 2 pods/,
    ],
    [
      "promised to others",
      right,
      { context: { holds: [hold({ devices: [`${DRIVER}/n-1/gpu-0`] })] } },
      /gpu-0 is in use/,
    ],
    [
      "tainted",
      { cluster: tainted, sets: sick(true), placed: [given("n-1", ["n-1/gpu-0"])] },
      { sets: sick(false) },
      /gpu-0 is tainted/,
    ],
    [
      "that must agree",
      {
        cluster: numa([1, 1]),
        sets: asking(1, ["gpu", 2, { matchAttributes: bond }]),
        placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"])],
      },
      { cluster: numa([0, 1]) },
      /devices of claim gpus do not agree on/,
    ],
    [
      "that must differ",
      {
        cluster: numa([0, 1]),
        sets: asking(1, ["gpu", 2, { distinctAttributes: bond }]),
        placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"])],
      },
      { cluster: numa([1, 1]) },
      /devices of claim gpus do not differ in/,
    ],
    [
      "all that there are",
      { cluster: dra(2), sets: asking(1, ["gpu", "all"]), placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"])] },
      { placed: [given("n-1", ["n-1/gpu-0"])] },
      /request gpu gets 1 of 2 devices/,
    ],
    [
      "of an older generation of the pool",
      { cluster: old(), sets: asking(1, ["gpu", 1]), placed: [given("n-1", ["p/d"])] },
      { cluster: old().object(newer) },
      /device gpu.nvidia.com\/p\/d does not exist|gets 0 of 1/,
    ],
    [
      "of a generation of which slices are missing",
      { cluster: dra(1), sets: asking(1, ["gpu", 1]), placed: [given("n-1", ["n-1/gpu-0"])] },
      {
        cluster: one().object(
          slice("half", { pool: { name: "n-1", generation: 2, resourceSliceCount: 2 }, devices: [{ name: "gpu-0" }] }),
        ),
      },
      /gpu-0 is in a pool that does not count/,
    ],
    [
      "in use, but for an administrator",
      {
        cluster: dra(1).claim("held", [`${DRIVER}/n-1/gpu-0`]),
        sets: asking(1, ["gpu", 1, { adminAccess: true }]),
        placed: [given("n-1", ["n-1/gpu-0"])],
      },
      { sets: asking(1, ["gpu", 1]) },
      /gpu-0 is in use/,
    ],
  ]);
  const either = (...ways: readonly string[]) =>
    asking(1, [
      "gpu",
      1,
      { firstAvailable: ways.map((name) => ({ ...deviceRequest(name, name === "pair" ? 2 : 1), claim: "gpus" })) },
    ]);
  const served = (devices: readonly string[], labels: readonly string[]): Placed => ({
    ...given("n-1", devices),
    serves: [labels],
  });
  refuses([
    [
      "an alternative served by the count of another",
      {
        cluster: dra(),
        sets: either("pair", "single"),
        placed: [served(["n-1/gpu-0", "n-1/gpu-1"], ["gpus/gpu/pair", "gpus/gpu/pair"])],
      },
      { placed: [served(["n-1/gpu-0", "n-1/gpu-1"], ["gpus/gpu/single", "gpus/gpu/single"])] },
      /request gpu gets 2 of 1 devices/,
    ],
    [
      "a request served in two ways",
      { cluster: dra(), sets: either("pair", "single"), placed: [served(["n-1/gpu-0"], ["gpus/gpu/single"])] },
      { placed: [served(["n-1/gpu-0", "n-1/gpu-1"], ["gpus/gpu/pair", "gpus/gpu/single"])] },
      /request gpu is served in two ways/,
    ],
  ]);
});

describe("claims that pods share, and claims that are allocated", () => {
  const joint = (pods: number) => asking(pods, ["gpu", 1, { sharedClaim: "default/one" }]);
  const first = (node: string, pods: number): Placed =>
    put(node, pods, {
      devices: Array.from({ length: pods }, (_, pod) => (pod === 0 ? [`${DRIVER}/${node}/gpu-0`] : [])),
      serves: Array.from({ length: pods }, (_, pod) => (pod === 0 ? ["gpus/gpu"] : [])),
    });
  const right: Case = { cluster: dra(), sets: joint(3), placed: [first("n-1", 3)] };
  refuses([
    [
      "a pod out of reach of its devices",
      right,
      { placed: [first("n-1", 2), put("n-2", 1, { devices: [[]], serves: [[]] })] },
      /a pod on n-2 does not reach the devices of claim default\/one/,
    ],
    [
      "served twice",
      right,
      {
        placed: [
          put("n-1", 3, {
            devices: [[`${DRIVER}/n-1/gpu-0`], [`${DRIVER}/n-1/gpu-1`], []],
            serves: [["gpus/gpu"], ["gpus/gpu"], []],
          }),
        ],
      },
      /claim default\/one is served more than once/,
    ],
    [
      "served to nobody",
      right,
      { placed: [put("n-1", 3, { devices: [[], [], []], serves: [[], [], []] })] },
      /claim default\/one is served to nobody/,
    ],
    [
      "an allocated one pins its pods",
      { cluster: dra(), sets: [main({ pod: { nodeName: "n-1" } })], placed: [put("n-1", 1)] },
      { placed: [put("n-2", 1)] },
      /the pod names n-1/,
    ],
  ]);
});

describe("extended resources that claims serve", () => {
  const served = (counted: number): ClusterBuilder =>
    cluster()
      .deviceClass(DRIVER, [`device.driver == "${DRIVER}"`], "nvidia.com/gpu")
      .node("n-1", (node) => node.dra("h100", 4).untainted())
      .node("n-2", (node) => node.resource("nvidia.com/gpu", counted));
  const right: Case = {
    cluster: served(2),
    sets: [main({ required: 3, requests: { "nvidia.com/gpu": 2 } })],
    placed: [
      put("n-1", 2, {
        devices: [0, 2].map((from) => [0, 1].map((at) => `${DRIVER}/n-1/gpu-${from + at}`)),
        serves: [0, 1].map(() => ["the extended resources/nvidia.com/gpu", "the extended resources/nvidia.com/gpu"]),
      }),
      put("n-2", 1),
    ],
  };
  refuses([
    [
      "fewer devices than the request counts",
      right,
      {
        placed: [
          put("n-1", 2, {
            devices: [[0, 1], [2]].map((list) => list.map((at) => `${DRIVER}/n-1/gpu-${at}`)),
            serves: [
              ["the extended resources/nvidia.com/gpu", "the extended resources/nvidia.com/gpu"],
              ["the extended resources/nvidia.com/gpu"],
            ],
          }),
          put("n-2", 1),
        ],
      },
      /request nvidia.com\/gpu gets 1 of 2 devices/,
    ],
    ["none where the node counts none", right, { cluster: served(0) }, /devices are named for 0 of 1 pods/],
    [
      "not served before 1.36",
      right,
      {
        context: {
          platform: {
            ...contextOf().platform,
            kubernetes: { version: { major: 1, minor: 35, patch: 0 }, featureGates: {} },
          },
        },
      },
      /n-1 has 0 nvidia.com\/gpu left, and 4 are placed there/,
    ],
  ]);
});
