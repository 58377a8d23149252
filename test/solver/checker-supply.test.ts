import { describe } from "vitest";
import { type JsonObject, requirement } from "../../src/model/index.ts";
import { hold } from "../support/assignments.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { contextOf, gpuStep, podSet, pool } from "../support/demand.ts";
import { type Case, refuses } from "../support/refusal.ts";

const put = (node: string, pods: number) => ({ podSet: "main", node, pods });
const main = (options: Parameters<typeof podSet>[1]) => podSet("main", options);
const one = (): ClusterBuilder => cluster().node("n-1", (node) => node.cpu(64).memory("512Gi"));

describe("what an autoscaler may add", () => {
  const MAKER = "karpenter.sh/nodepool";
  const made = (name: string, zones: readonly string[] = ["a"]) =>
    pool(name, { zones, node: { labels: { pool: name, [MAKER]: "np" } } });
  const nodePool = (spec: JsonObject, status: JsonObject = {}): JsonObject => ({
    ...{ apiVersion: "karpenter.sh/v1", kind: "NodePool", metadata: { name: "np" }, spec, status },
  });
  const quota = (resources: JsonObject, selector: JsonObject = {}, status: JsonObject = {}): JsonObject => ({
    ...{ apiVersion: "autoscaling.x-k8s.io/v1beta1", kind: "CapacityQuota", metadata: { name: "q" } },
    ...{ spec: { selector, limits: { resources } }, status },
  });
  const world = (...objects: readonly JsonObject[]): ClusterBuilder =>
    objects.reduce<ClusterBuilder>((builder, each) => builder.object(each), one());
  const sets = [main({ required: 2, requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8, { source: "new" })] })];
  const east: Case = {
    cluster: world(nodePool({ limits: { cpu: "128", "nvidia.com/gpu": "16", nodes: "2" } })),
    sets,
    placed: [put("east/0", 1), put("west/0", 1)],
    newNodes: [
      { pool: "east", zone: "a", count: 1 },
      { pool: "west", zone: "b", count: 1 },
    ],
    context: { pools: [made("east"), made("west", ["b"])] },
  };
  const { autoscaler, ...rest } = contextOf().platform;
  const grows = (kind: "cluster-autoscaler" | "karpenter") => ({
    ...east.context,
    platform: { ...rest, autoscaler: { ...autoscaler, kind } },
  });
  const quoted: Case = {
    ...east,
    cluster: world(quota({ cpu: 192, memory: "1536Gi", nodes: 3 }), nodePool({})),
    context: grows("cluster-autoscaler"),
  };
  const zoneB = { matchLabels: { "topology.kubernetes.io/zone": "b" } };
  const invalid = { conditions: [{ type: "cluster-autoscaler.kubernetes.io/valid", status: "False" }] };
  const standing = one().node("old", (node) => node.gpus("h100", 8).label(MAKER, "np"));
  const unready = (): ClusterBuilder =>
    one().node("new", (node) =>
      node.cpu(0).label("pool", "east").label(MAKER, "np").taint("karpenter.sh/unregistered"),
    );
  const booting = (zone: string): ClusterBuilder =>
    one().node("b-1", (node) => node.cpu(64).zone(zone).label("pool", "p5").taint("karpenter.sh/unregistered"));
  const zoned = (maxNodes: number) => ({ pools: [pool("p5", { maxNodes, zones: ["a", "b", "c"] })] });
  const three: Case = {
    ...{
      cluster: booting("a"),
      sets: [main({ required: 1, requests: { "nvidia.com/gpu": 8 }, steps: [gpuStep(8, { source: "new" })] })],
    },
    placed: [put("p5/0", 1)],
    newNodes: [{ pool: "p5", zone: "a", count: 1 }],
    context: zoned(1),
  };
  const limits = (list: JsonObject) => ({ cluster: world(nodePool({ limits: list })) });
  const tiered: Case = {
    ...east,
    sets: [
      main({
        required: 1,
        requests: { "nvidia.com/gpu": 8 },
        pod: { selection: [new Map([["tier", requirement("tier", "In", ["gold"])]])] },
        steps: [gpuStep(8, { source: "new" })],
      }),
    ],
    placed: [put("east/0", 1)],
    newNodes: [{ pool: "east", zone: "a", count: 1 }],
    context: { pools: [pool("east", { node: { labels: { pool: "east", [MAKER]: "np", tier: "gold" } } })] },
  };
  const without = (key: string): Case => ({
    ...tiered,
    sets: [
      main({
        required: 1,
        requests: { "nvidia.com/gpu": 8 },
        pod: { selection: [new Map([[key, requirement(key, "DoesNotExist")]])] },
        steps: [gpuStep(8, { source: "new" })],
      }),
    ],
  });
  const team = (operator: string, ...values: readonly string[]) => ({ key: "team", operator, values });
  /** Known by its members alone; the pod selects nodes of a NodePool by name. */
  const named = (name: string): Pick<Case, "sets" | "placed" | "newNodes" | "context"> => ({
    ...tiered,
    sets: [
      main({
        required: 1,
        requests: { "nvidia.com/gpu": 8 },
        pod: { selection: [new Map([[MAKER, requirement(MAKER, "In", [name])]])] },
        steps: [gpuStep(8, { source: "new" })],
      }),
    ],
    context: { pools: [pool("east", { members: new Map([[MAKER, requirement(MAKER, "In", ["np"])]]) })] },
  });
  const among = (...values: readonly string[]): JsonObject => ({ key: "tier", operator: "In", values });
  const zones = (...values: readonly string[]): JsonObject => ({
    ...{ key: "topology.kubernetes.io/zone", operator: "In", values },
  });
  refuses([
    ["more cpus than a NodePool may have", east, limits({ cpu: "127" }), /NodePool np would have 128000 cpu, and may/],
    ["more devices", east, limits({ "nvidia.com/gpu": "15" }), /would have 16 nvidia.com\/gpu, and may have 15/],
    ["more nodes", east, limits({ nodes: "1" }), /would have 2 nodes, and may have 1/],
    [
      "beside nodes of it that are there",
      { ...east, cluster: standing.object(nodePool({ limits: { "nvidia.com/gpu": "24" } })) },
      limits({ "nvidia.com/gpu": "15" }),
      /may have 15/,
    ],
    [
      "beside those that its status tells of",
      east,
      { cluster: world(nodePool({ limits: { nodes: "2" } }, { resources: { nodes: "1" } })) },
      /would have 3 nodes, and may have 2/,
    ],
    [
      "machines larger than what pods may use",
      east,
      {
        context: {
          pools: [
            pool("east", { node: { capacity: { cpu: 65_000 }, labels: { [MAKER]: "np" } } }),
            made("west", ["b"]),
          ],
        },
      },
      /would have 129000 cpu, and may have 128000/,
    ],
    [
      "beside one that boots and has not told yet what it has",
      { ...east, cluster: unready().object(nodePool({ limits: { cpu: "192" } })) },
      { cluster: unready().object(nodePool({ limits: { cpu: "191" } })) },
      /would have 192000 cpu, and may have 191000/,
    ],
    ["a NodePool with replicas", east, { cluster: world(nodePool({ replicas: 9 })) }, /keeps to its replicas/],
    [
      "one that is not ready",
      east,
      { cluster: world(nodePool({}, { conditions: [{ type: "Ready", status: "False" }] })) },
      /NodePool np is not ready/,
    ],
    [
      "a NodePool that is not there, where others are",
      { ...east, cluster: world({ ...nodePool({}), metadata: { name: "np" } }) },
      { cluster: world({ ...nodePool({}), metadata: { name: "other" } }) },
      /NodePool np, which makes the nodes of pool (?:east|west), is not there/,
    ],
    [
      "a label that the NodePool stamps instead of the declared one",
      { ...tiered, cluster: world(nodePool({ template: { metadata: { labels: { tier: "gold" } } } })) },
      { cluster: world(nodePool({ template: { metadata: { labels: { tier: "silver" } } } })) },
      /the pod's node selection does not hold/,
    ],
    [
      "a label that its requirements rule out",
      { ...tiered, cluster: world(nodePool({ template: { spec: { requirements: [among("gold", "iron")] } } })) },
      { cluster: world(nodePool({ template: { spec: { requirements: [among("silver", "iron")] } } })) },
      /the pod's node selection does not hold/,
    ],
    [
      "a label that the pod forbids and the NodePool gives some value",
      { ...without("team"), cluster: world(nodePool({ template: { spec: { requirements: [team("NotIn", "a")] } } })) },
      { cluster: world(nodePool({ template: { spec: { requirements: [team("In", "a", "b")] } } })) },
      /the pod's node selection does not hold/,
    ],
    [
      "a label that the pod forbids and the NodePool gives whatever value",
      without("team"),
      { cluster: world(nodePool({ template: { spec: { requirements: [team("Exists")] } } })) },
      /the pod's node selection does not hold/,
    ],
    [
      "the name of a NodePool that is not its own",
      { ...named("np"), cluster: world(nodePool({})) },
      named("other"),
      /the pod's node selection does not hold/,
    ],
    [
      "a zone that its requirements rule out",
      { ...east, cluster: world(nodePool({ template: { spec: { requirements: [zones("a", "b")] } } })) },
      { cluster: world(nodePool({ template: { spec: { requirements: [zones("a")] } } })) },
      /the NodePool of pool west makes no node in zone b/,
    ],
    [
      "a zone, where the pool declares none and so may be in any that its NodePool has",
      {
        ...east,
        cluster: world(nodePool({ template: { spec: { requirements: [zones("a")] } } })),
        placed: [put("east/0", 1), put("east/1", 1)],
        newNodes: [{ pool: "east", zone: "", count: 2 }],
        context: { pools: [made("east", [])] },
      },
      { newNodes: [{ pool: "east", zone: "b", count: 2 }] },
      /pool east has no zone b|the NodePool of pool east makes no node in zone b/,
    ],
    [
      "a taint that the NodePool stamps",
      east,
      { cluster: world(nodePool({ template: { spec: { taints: [{ key: "t", effect: "NoSchedule" }] } } })) },
      /its taint t is not tolerated/,
    ],
    [
      "more cpus than a CapacityQuota lets them have",
      quoted,
      { cluster: world(quota({ cpu: 191 })) },
      /would have 192000 cpu/,
    ],
    ["more memory", quoted, { cluster: world(quota({ memory: "1535Gi" })) }, /CapacityQuota q would have \d+ memory/],
    [
      "more nodes of one zone",
      { ...quoted, cluster: world(quota({ nodes: 1 }, zoneB)) },
      { cluster: world(quota({ nodes: 0 }, zoneB)) },
      /CapacityQuota q would have 1 nodes, and may have 0/,
    ],
    [
      "once the autoscaler takes the quota for valid",
      { ...quoted, cluster: world(quota({ nodes: 0 }, {}, invalid)) },
      { cluster: world(quota({ nodes: 0 })) },
      /may have 0/,
    ],
    [
      "under an autoscaler that knows it",
      { ...quoted, cluster: world(quota({ nodes: 0 })), context: grows("karpenter") },
      { context: grows("cluster-autoscaler") },
      /may have 0/,
    ],
    [
      "once, what is promised in a zone that the pool has no longer",
      { ...three, cluster: one(), context: { ...zoned(2), holds: [hold({}, [{ pool: "p5", zone: "z", count: 1 }])] } },
      { context: { ...zoned(1), holds: [hold({}, [{ pool: "p5", zone: "z", count: 1 }])] } },
      /pool p5 would have 2 nodes, and may have 1/,
    ],
    [
      "a node that boots in another zone",
      three,
      { cluster: booting("b") },
      /pool p5 would have 2 nodes, and may have 1/,
    ],
  ]);
});
