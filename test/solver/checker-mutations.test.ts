import { describe } from "vitest";
import {
  type ContainerNeeds,
  type Hold,
  type JsonObject,
  type Placed,
  type PodSetDemand,
  podCharges,
  podSetFingerprint,
} from "../../src/model/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, deviceRequest, gpuStep, podSet, pool, type SetOptions, step } from "../support/demand.ts";
import { DRIVER, NUMA } from "../support/device-cases.ts";
import { migRequest, migSlices } from "../support/mig.ts";
import { type Case, refuses } from "../support/refusal.ts";

const put = (node: string, pods: number, extra: Partial<Placed> = {}): Placed => ({
  podSet: "main",
  node,
  pods,
  ...extra,
});
const main = (options: SetOptions): PodSetDemand => podSet("main", options);
const given = (node: string, ...pods: readonly (readonly string[])[]): Placed =>
  put(node, pods.length, { devices: pods.map((list) => list.map((name) => `${DRIVER}/${name}`)) });
const asking = (pods: number, ...devices: Parameters<typeof deviceRequest>[]): readonly PodSetDemand[] => [
  main({ required: pods, pod: { devices: devices.map((each) => deviceRequest(...each)) } }),
];
const slice = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name },
  spec: { driver: DRIVER, nodeName: "n-1", ...spec },
});
const one = (): ClusterBuilder => cluster().node("n-1", (node) => node.cpu(64).memory("512Gi"));
const dra = (count = 4, patch?: (device: JsonObject, index: number) => JsonObject): ClusterBuilder =>
  cluster()
    .nodes("n", 2, (node) => node.dra("h100", count, patch).untainted())
    .object();
const hold = (extra: Partial<Hold["placed"][number]>, newNodes: Hold["newNodes"] = []): Hold => ({
  workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "other" },
  tenant: "team-t",
  takenAtMs: 0,
  placed: [{ podSet: "main", node: "n-1", pods: 1, requests: {}, devices: [], accelerators: 0, charged: {}, ...extra }],
  newNodes,
});

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

describe("room", () => {
  const busy = (terminating: boolean, on = "n-2"): ClusterBuilder =>
    cluster()
      .nodes("n", 2, (node) => node.cpu(4))
      .pod("other", (pod) => {
        pod.namespace("x").on(on).cpu(2).priority(-10);
        if (terminating) pod.terminating();
      });
  const right: Case = { cluster: busy(true), sets: [main({ required: 3 })], placed: [put("n-1", 3)] };
  refuses([
    [
      "a pod that ends still stands",
      right,
      { cluster: busy(true, "n-1") },
      /n-1 has 2000 cpu left, and 3000 are placed/,
    ],
    ["a pod of lower priority is not gone yet", right, { cluster: busy(false, "n-1") }, /n-1 has 2000 cpu left/],
    [
      "what is promised to others",
      right,
      { context: { holds: [hold({ pods: 2, requests: { cpu: 1000 } })] } },
      /n-1 has 2000 cpu left, and 3000 are placed there/,
    ],
    [
      "a host port that is promised to others",
      { ...right, sets: [main({ pod: { hostPorts: [80] } })], placed: [put("n-1", 1)] },
      { context: { holds: [hold({ hostPorts: [80] })] } },
      /n-1 has a host port taken twice/,
    ],
    [
      "one at an address where every address is taken",
      { ...right, sets: [main({ pod: { hostPorts: ["10.0.0.1:80/TCP"] } })], placed: [put("n-1", 1)] },
      { context: { holds: [hold({ hostPorts: [80] })] } },
      /n-1 has a host port taken twice/,
    ],
    [
      "two pods with one port at one address",
      {
        ...right,
        sets: [
          main({ pod: { hostPorts: ["10.0.0.1:80/UDP"] } }),
          podSet("side", { pod: { hostPorts: [80, "10.0.0.2:80/UDP"] } }),
        ],
        placed: [put("n-1", 1), { ...put("n-1", 1), podSet: "side" }],
      },
      { sets: [main({ pod: { hostPorts: ["10.0.0.1:80/UDP"] } }), podSet("side", { pod: { hostPorts: ["80/UDP"] } })] },
      /n-1 has a host port taken twice/,
    ],
    [
      "a pod set that nobody has",
      right,
      { placed: [put("n-1", 3), { podSet: "ghost", node: "n-1", pods: 1 }] },
      /the workload has no pod set ghost/,
    ],
  ]);
  const daemon = (nodes: number): ClusterBuilder => cluster().nodes("n", nodes, (node) => node.cpu(4));
  const each: Case = { cluster: daemon(2), sets: [main({ perNode: true })], placed: [put("n-1", 1), put("n-2", 1)] };
  refuses([
    ["one pod per node leaves out none", each, { cluster: daemon(3) }, /main leaves out n-3/],
    ["and puts no two on one", each, { placed: [put("n-1", 2), put("n-2", 1)] }, /places two pods on one node/],
  ]);
});

describe("levels, units and spreading", () => {
  const racks = cluster()
    .nodes("a", 2, (node, index) => node.zone("z1").block("b").rack(`r${index}`).cpu(8))
    .nodes("b", 2, (node, index) => node.zone("z2").block("b").rack(`r${index}`).cpu(8));
  const unit = (name: string, placement: SetOptions["placement"], pods = 2): PodSetDemand =>
    podSet(name, { required: pods, ...(placement === undefined ? {} : { placement }) });
  const of = (podSet: string, node: string, pods: number): Placed => ({ podSet, node, pods });
  const within = { unit: "podSet" as const, level: "rack", within: "zone" };
  const group = { unit: "group" as const, groupSize: 1, level: "rack" };
  const spread = (minDomains: number) => [
    main({
      required: 2,
      placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, minDomains, mode: "required" } },
    }),
  ];
  refuses([
    [
      "one wider domain for all units",
      {
        cluster: racks,
        sets: [unit("head", within), unit("main", within)],
        placed: [of("head", "a-1", 2), of("main", "a-2", 2)],
      },
      { placed: [of("head", "a-1", 2), of("main", "b-2", 2)] },
      /the workload stands in 2 domains of zone/,
    ],
    [
      "one domain for the whole workload",
      {
        cluster: racks,
        sets: [unit("head", { unit: "workload", level: "zone" }), unit("main", { unit: "workload", level: "zone" })],
        placed: [of("head", "a-1", 2), of("main", "a-2", 2)],
      },
      { placed: [of("head", "a-1", 2), of("main", "b-2", 2)] },
      /the workload stands in 2 domains of zone/,
    ],
    [
      "units apart",
      {
        cluster: racks,
        sets: [unit("head", { level: "rack", separate: true }), unit("main", {})],
        placed: [of("head", "a-1", 2), of("main", "a-2", 2)],
      },
      { placed: [of("head", "a-1", 2), of("main", "a-1", 1), of("main", "a-2", 1)] },
      /head shares the rack z1\/b\/r1 with main/,
    ],
    [
      "groups apart",
      { cluster: racks, sets: [unit("main", { ...group, separate: true })], placed: [put("a-1", 1), put("a-2", 1)] },
      { placed: [put("a-1", 2)] },
      /two groups of main share a rack/,
    ],
    [
      "leader and workers in step",
      {
        cluster: racks,
        sets: [unit("head", { ...group, joint: "" }), unit("main", { ...group, groupSize: 2, joint: "" }, 4)],
        placed: [of("head", "a-1", 1), of("head", "b-1", 1), of("main", "a-1", 2), of("main", "b-1", 2)],
      },
      { placed: [of("head", "a-1", 1), of("head", "b-1", 1), of("main", "a-1", 4)] },
      /groups of (head|main) and (main|head) do not match in rack/,
    ],
    [
      "and only where they make up one group",
      {
        cluster: racks,
        sets: [unit("head", group), unit("main", { ...group, groupSize: 2 }, 4)],
        placed: [of("head", "a-1", 1), of("head", "b-1", 1), of("main", "a-2", 4)],
      },
      { sets: [unit("head", { ...group, joint: "" }), unit("main", { ...group, groupSize: 2, joint: "" }, 4)] },
      /groups of (head|main) and (main|head) do not match in rack/,
    ],
    [
      "enough domains",
      { cluster: racks, sets: spread(2), placed: [put("a-1", 1), put("b-1", 1)] },
      {
        sets: [
          main({
            required: 2,
            placement: { unit: "pod", spread: { level: "zone", maxSkew: 1, minDomains: 3, mode: "required" } },
          }),
        ],
        placed: [put("a-1", 2)],
      },
      /main is 2 uneven over topology.kubernetes.io\/zone, and may be 1/,
    ],
  ]);
});

describe("new nodes, windows and sockets", () => {
  const NOW = Date.UTC(2026, 0, 1);
  const HOUR = 3_600_000;
  const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString();
  const grown = (count: number): Pick<Case, "placed" | "newNodes"> => ({
    placed: Array.from({ length: count }, (_, index) => put(`p5/${index}`, 1)),
    newNodes: [{ pool: "p5", zone: "a", count }],
  });
  const pools = (...options: Parameters<typeof pool>[1][]) => ({ pools: options.map((each) => pool("p5", each)) });
  const runs = (hours: number | undefined, options: SetOptions = {}) => [
    main({
      required: 2,
      requests: { "nvidia.com/gpu": 8 },
      steps: [gpuStep(8, { source: "new" })],
      ...(hours === undefined ? {} : { runMs: hours * HOUR }),
      ...options,
    }),
  ];
  const right: Case = {
    cluster: one(),
    sets: runs(2),
    ...grown(2),
    context: pools({ reservation: { name: "cb", end: at(3) } }),
  };
  const member = cluster().nodes("n", 2, (node) => node.gpus("h100", 8).label("pool", "p5").cpu(64));
  const standing: Case = {
    cluster: member,
    sets: runs(2, { steps: [gpuStep(8)] }),
    placed: [put("n-1", 1), put("n-2", 1)],
    context: pools({ reservation: { name: "cb", end: at(3) } }),
  };
  refuses([
    ["a run beyond its reservation", right, { sets: runs(3) }, /the reservation of pool p5 ends before its run does/],
    ["also on a node that is there", standing, { sets: runs(4, { steps: [gpuStep(8)] }) }, /ends before its run does/],
    [
      "a run while nodes are drained",
      right,
      { context: pools({ reservation: { name: "cb", end: at(3), reclaimMs: HOUR } }) },
      /ends before its run/,
    ],
    [
      "a node that is gone when it is ready",
      { ...right, sets: runs(undefined) },
      { context: pools({ reservation: { name: "cb", end: at(1 / 12) } }) },
      /ends before its run/,
    ],
    [
      "a reservation that begins too late",
      right,
      { context: pools({ reservation: { name: "cb", start: at(1), end: at(9) } }) },
      /it starts too late/,
    ],
    [
      "more than the reservation covers",
      right,
      { context: pools({ reservation: { name: "cb", nodes: 1 } }) },
      /would have 2 nodes, and may have 1/,
    ],
    [
      "nodes promised to others",
      right,
      { context: { ...pools({ maxNodes: 3 }), holds: [hold({}, [{ pool: "p5", zone: "a", count: 2 }])] } },
      /would have 4 nodes, and may have 3/,
    ],
    ["another capacity type", right, { context: pools({ capacityType: "spot" }) }, /the rung is on-demand/],
    ["another accelerator", right, { context: pools({ accelerator: "a100" }) }, /the rung is h100/],
    [
      "a zone that the pool has not",
      right,
      { newNodes: [{ pool: "p5", zone: "b", count: 2 }] },
      /pool p5 has no zone b/,
    ],
    [
      "no zone where the pool has some",
      right,
      { newNodes: [{ pool: "p5", zone: "", count: 2 }] },
      /must be in one of its zones/,
    ],
  ]);

  const declared = (attributes: Readonly<Record<string, string | number | boolean>>) =>
    pools({
      node: { mechanism: "dra", device: { driver: DRIVER, attributes, capacity: { memory: "80Gi" } } },
      acceleratorsPerNode: 2,
    });
  const wants = (extra: Parameters<typeof deviceRequest>[2]) => [
    main({
      pod: { devices: [deviceRequest("gpu", 2, extra)] },
      steps: [step({ source: "new" }, { tolerations: [{ operator: "Exists" }] })],
    }),
  ];
  const fresh = (count: number): Placed =>
    put("p5/0", 1, { devices: [Array.from({ length: count }, (_, at) => `${DRIVER}/p5/new-${at}@p5/0`)] });
  const made: Case = {
    cluster: one(),
    sets: wants({
      selectors: [`device.attributes["${DRIVER}"].type == "gpu"`],
      matchAttributes: [{ attribute: NUMA, requests: [] }],
    }),
    placed: [fresh(2)],
    newNodes: [{ pool: "p5", zone: "a", count: 1 }],
    context: declared({ type: "gpu", [NUMA]: 0 }),
  };
  refuses([
    [
      "devices of a new node are selected by what its pool declares",
      made,
      { context: declared({ type: "mig", [NUMA]: 0 }) },
      /new-\d@p5\/0 is not selected by gpu/,
    ],
    ["and agree by it", made, { context: declared({ type: "gpu" }) }, /do not agree on/],
    ["and are as large", made, { sets: wants({ capacity: { memory: "81Gi" } }) }, /is not selected by gpu/],
    [
      "and as many",
      made,
      { placed: [put("p5/0", 1, { devices: [[0, 2].map((index) => `${DRIVER}/p5/new-${index}@p5/0`)] })] },
      /new-2@p5\/0 does not exist/,
    ],
    [
      "and with the values of its group",
      made,
      {
        context: pools({
          acceleratorsPerNode: 2,
          node: {
            mechanism: "dra",
            device: {
              driver: DRIVER,
              attributes: { type: "gpu" },
              capacity: { memory: "80Gi" },
              groups: [0, 1].map((node) => ({ count: 1, attributes: { [NUMA]: node } })),
            },
          },
        }),
      },
      /do not agree on/,
    ],
    ["and published at all", made, { context: pools({ acceleratorsPerNode: 2 }) }, /does not exist/],
  ]);

  const card = "example.com";
  const network = (counts: readonly number[]) =>
    pools({
      acceleratorsPerNode: 2,
      node: {
        mechanism: "dra",
        device: {
          driver: DRIVER,
          attributes: { type: "gpu" },
          capacity: {},
          groups: [0, 1].map((node) => ({ count: 1, attributes: { [NUMA]: node } })),
        },
        network: {
          driver: card,
          attributes: {},
          capacity: {},
          count: 3,
          groups: counts.map((count, node) => ({ count, attributes: { [NUMA]: node } })),
        },
      },
    });
  const bond = { matchAttributes: [{ attribute: NUMA, requests: ["gpu", "nic"] }] };
  const beside: Case = {
    cluster: one(),
    sets: [
      main({
        pod: {
          devices: [
            deviceRequest("gpu", 1, bond),
            deviceRequest("nic", 2, { ...bond, deviceClassName: card, selectors: [`device.driver == "${card}"`] }),
          ],
        },
        steps: [step({ source: "new" }, { tolerations: [{ operator: "Exists" }] })],
      }),
    ],
    placed: [
      put("p5/0", 1, {
        devices: [[`${DRIVER}/p5/new-0@p5/0`, ...[0, 1].map((at) => `${card}/p5/new-${at}@p5/0`)]],
      }),
    ],
    newNodes: [{ pool: "p5", zone: "a", count: 1 }],
    context: network([2, 1]),
  };
  refuses([
    [
      "network devices of a new node stand where its pool says",
      beside,
      { context: network([1, 2]) },
      /do not agree on/,
    ],
    [
      "and each is there once",
      beside,
      {
        placed: [
          put("p5/0", 1, {
            devices: [[`${DRIVER}/p5/new-0@p5/0`, `${card}/p5/new-0@p5/0`, `${card}/p5/new-0@p5/0`]],
          }),
        ],
      },
      /has a device twice|has device example.com\/p5\/new-0@p5\/0 twice|is given twice/,
    ],
    [
      "and no more than there are",
      beside,
      {
        placed: [
          put("p5/0", 1, {
            devices: [[`${DRIVER}/p5/new-0@p5/0`, `${card}/p5/new-0@p5/0`, `${card}/p5/new-3@p5/0`]],
          }),
        ],
      },
      /new-3@p5\/0 does not exist/,
    ],
  ]);

  const sockets = (used: number): ClusterBuilder => {
    const builder = cluster().node("n-1", (node) => node.gpus("h100", 8).label("pool", "p5").cpu(64));
    return used === 0 ? builder : builder.pod("busy", (pod) => pod.namespace("x").on("n-1").gpus(used));
  };
  /** Two of the first socket are in use. */
  const told = (fingerprint: string): ClusterBuilder =>
    sockets(2).object({
      apiVersion: "topology.node.k8s.io/v1alpha2",
      kind: "NodeResourceTopology",
      metadata: { name: "n-1" },
      attributes: [
        { name: "topologyManagerPolicy", value: "single-numa-node" },
        { name: "nodeTopologyPodsFingerprint", value: fingerprint },
      ],
      zones: [2, 4].map((available, zone) => ({
        name: `node-${zone}`,
        type: "Node",
        resources: [{ name: "nvidia.com/gpu", capacity: 4, allocatable: 4, available }],
      })),
    });
  const gpus = (name: string, pods: number, each: number): PodSetDemand =>
    podSet(name, { required: pods, requests: { "nvidia.com/gpu": each }, steps: [gpuStep(each)] });
  const numa: Case = {
    cluster: sockets(0),
    sets: [gpus("main", 2, 4)],
    placed: [put("n-1", 2)],
    context: pools({ node: { numa: { nodes: 2, policy: "single-numa-node", scope: "container" } } }),
  };
  refuses([
    [
      "a pod whose devices may lie on two sockets",
      { ...numa, cluster: sockets(1), sets: [gpus("main", 1, 4)], placed: [put("n-1", 1)] },
      { cluster: sockets(2) },
      /n-1 may have no NUMA node with 4 nvidia.com\/gpu free for main/,
    ],
    ["more than a socket has", numa, { sets: [gpus("main", 1, 6)], placed: [put("n-1", 1)] }, /no NUMA node with 6/],
    [
      "pods on a socket that an object counts free for other pods than these",
      {
        ...numa,
        cluster: told(podSetFingerprint(sockets(2).topology().pods)),
        sets: [gpus("main", 1, 4)],
        placed: [put("n-1", 1)],
      },
      { cluster: told("pfp0v001ef46db3751d8e999"), sets: [gpus("main", 3, 2)], placed: [put("n-1", 3)] },
      /n-1 may have no NUMA node with 2 nvidia.com\/gpu free for main/,
    ],
    [
      "what another set leaves on both sockets",
      {
        ...numa,
        sets: [gpus("head", 1, 4), gpus("main", 1, 2)],
        placed: [{ ...put("n-1", 1), podSet: "head" }, put("n-1", 1)],
      },
      { sets: [gpus("head", 2, 3), gpus("main", 1, 2)], placed: [{ ...put("n-1", 2), podSet: "head" }, put("n-1", 1)] },
      /n-1 may have no NUMA node with [23] nvidia.com\/gpu free for (?:main|head)/,
    ],
  ]);

  /** One pod whose containers ask for so many devices each, on a node that aligns the pod as a whole. */
  const containers = (...list: readonly (readonly [ContainerNeeds["kind"], number])[]) => ({
    sets: [
      main({
        requests: { "nvidia.com/gpu": 4 },
        steps: [gpuStep(4)],
        pod: {
          containers: list.map(([kind, each], at) => ({ name: `c${at}`, kind, requests: { "nvidia.com/gpu": each } })),
        },
      }),
    ],
  });
  const whole: Case = {
    cluster: sockets(0),
    ...containers(["main", 2], ["main", 2]),
    placed: [put("n-1", 1)],
    context: pools({ node: { numa: { nodes: 2, policy: "single-numa-node", scope: "pod" } } }),
  };
  refuses([
    ["containers that run beside each other", whole, containers(["main", 3], ["main", 2]), /no NUMA node with 5/],
    [
      "a sidecar beside them",
      { ...whole, ...containers(["sidecar", 1], ["init", 3], ["main", 3]) },
      containers(["sidecar", 1], ["main", 4]),
      /no NUMA node with 5/,
    ],
    [
      "an init container beside the sidecars before it",
      { ...whole, ...containers(["init", 4], ["sidecar", 1], ["main", 3]) },
      containers(["sidecar", 1], ["init", 4], ["main", 3]),
      /no NUMA node with 5/,
    ],
  ]);
});

describe("ResourceQuota", () => {
  const hard = (amounts: JsonObject, used: JsonObject = {}, spec: JsonObject = {}): ClusterBuilder =>
    dra()
      .namespace("default")
      .deviceClass(DRIVER, [`device.driver == "${DRIVER}"`], "nvidia.com/gpu")
      .object({
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "q", namespace: "default" },
        spec: { hard: amounts, ...spec },
        status: { hard: amounts, used },
      });
  const CLASS = `${DRIVER}.deviceclass.resource.k8s.io/devices`;
  const spec = {
    containers: [{ name: "c", resources: { requests: { cpu: "1", memory: "1Gi" }, limits: { cpu: "2" } } }],
  };
  const sets = (extra: Parameters<typeof deviceRequest>[2] = {}, priorityClass?: string) => [
    main({
      required: 2,
      pod: { devices: [deviceRequest("gpu", 2, extra)], charges: podCharges(spec, { defaults: [], priorityClass }) },
    }),
  ];
  const right: Case = {
    cluster: hard({
      pods: "4",
      "count/pods": "4",
      cpu: "2",
      "limits.cpu": "4",
      [CLASS]: "4",
      "requests.nvidia.com/gpu": "4",
      "count/resourceclaims.resource.k8s.io": "2",
    }),
    sets: sets(),
    placed: [given("n-1", ["n-1/gpu-0", "n-1/gpu-1"], ["n-1/gpu-2", "n-1/gpu-3"])],
  };
  const either = { firstAvailable: [deviceRequest("pair", 2), deviceRequest("three", 3)] };
  refuses([
    [
      "pods",
      right,
      { cluster: hard({ pods: "4" }, { pods: "3" }) },
      /quota q allows 4 pods: 3 are used, and 2 are placed/,
    ],
    [
      "pods as objects",
      right,
      { cluster: hard({ "count/pods": "4" }, { "count/pods": "3" }) },
      /quota q allows 4 count\/pods: 3 are used, and 2 are placed/,
    ],
    [
      "cpu",
      right,
      { cluster: hard({ "requests.cpu": "2" }, { "requests.cpu": "1" }) },
      /q allows 2000 requests.cpu: 1000 are used/,
    ],
    [
      "limits",
      right,
      { cluster: hard({ "limits.cpu": "3" }) },
      /q allows 3000 limits.cpu: 0 are used, and 4000 are placed/,
    ],
    [
      "what a container leaves open",
      right,
      { cluster: hard({ "limits.memory": "64Gi" }) },
      /q counts limits.memory, which main leaves open/,
    ],
    ["devices of a class", right, { cluster: hard({ [CLASS]: "3" }) }, /q allows 3 gpu.nvidia.com.deviceclass/],
    [
      "claims",
      right,
      { cluster: hard({ "count/resourceclaims.resource.k8s.io": "1" }) },
      /q allows 1 count\/resourceclaims/,
    ],
    [
      "devices under the extended resource that the class serves",
      right,
      { cluster: hard({ "requests.nvidia.com/gpu": "3" }) },
      /q allows 3 requests.nvidia.com\/gpu: 0 are used, and 4/,
    ],
    [
      "the worst of the alternatives",
      {
        ...right,
        sets: sets({ firstAvailable: [deviceRequest("pair", 2), deviceRequest("one", 1)] }),
        placed: [put("n-1", 2, { ...right.placed[0], serves: [0, 1].map(() => ["gpus/gpu/pair", "gpus/gpu/pair"]) })],
      },
      { sets: sets(either) },
      /allows 4 .*: 0 are used, and 6 are placed/,
    ],
    [
      "what is promised in the namespace",
      right,
      { context: { holds: [hold({ node: "n-2", pods: 1, charged: { [DRIVER]: 1 } })] } },
      /allows 4 .*: 1 are used, and 4 are placed/,
    ],
    [
      "only pods of its scope",
      {
        ...right,
        cluster: hard(
          { pods: "1" },
          {},
          { scopeSelector: { matchExpressions: [{ scopeName: "PriorityClass", operator: "In", values: ["high"] }] } },
        ),
      },
      { sets: sets({}, "high") },
      /q allows 1 pods: 0 are used, and 2 are placed/,
    ],
  ]);
});
