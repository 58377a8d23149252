import { describe } from "vitest";
import { type ContainerNeeds, type Placed, type PodSetDemand, podSetFingerprint } from "../../src/model/index.ts";
import { hold, main, one, put } from "../support/assignments.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { deviceRequest, gpuStep, podSet, pool, type SetOptions, step } from "../support/demand.ts";
import { DRIVER, NUMA } from "../support/device-cases.ts";
import { type Case, refuses } from "../support/refusal.ts";

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
  /** New nodes of these pools, which keep theirs in one rack. */
  const racked = (...names: readonly string[]) => ({
    sets: runs(undefined, { placement: { level: "rack" } }),
    placed: names.map((name) => put(`${name}/0`, 1)),
    newNodes: names.map((name) => ({ pool: name, zone: "a", count: 2 / names.length })),
    context: { pools: ["east", "west"].map((name) => pool(name, { together: ["rack"], zones: ["a", "b"] })) },
  });
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
    [
      "nodes of two pools in one rack, which each of them has to itself",
      { ...right, ...racked("east"), placed: [put("east/0", 1), put("east/1", 1)] },
      racked("east", "west"),
      /main stands in 2 domains of rack/,
    ],
    [
      "and of two zones",
      { ...right, ...racked("east"), placed: [put("east/0", 1), put("east/1", 1)] },
      { newNodes: ["a", "b"].map((zone) => ({ pool: "east", zone, count: 1 })) },
      /main stands in 2 domains of rack/,
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
    // One pool of several says what its kubelets do.
    context: {
      pools: [
        pool("p5", { node: { numa: { nodes: 2, policy: "single-numa-node", scope: "container" } } }),
        pool("other"),
      ],
    },
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
