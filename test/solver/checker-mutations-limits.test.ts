import { describe } from "vitest";
import { type Hold, type JsonObject, type PodSetDemand, requirement } from "../../src/model/index.ts";
import { type ClusterBuilder, cluster } from "../support/cluster.ts";
import { gpuStep, podSet, type SetOptions } from "../support/demand.ts";
import { type Case, refuses } from "../support/refusal.ts";

/** Limits that are counted apart from nodes: what the class lets a tenant have, and what Kueue lets in. */

const GPU = "nvidia.com/gpu";
const put = (podSet: string, node: string, pods: number) => ({ podSet, node, pods });
const gpus = (name: string, pods: number, each: number, extra: SetOptions = {}): PodSetDemand =>
  podSet(name, { required: pods, requests: { cpu: 0, memory: 0, [GPU]: each }, steps: [gpuStep(each)], ...extra });

describe("the class's limit for its tenant", () => {
  const nodes = (): ClusterBuilder =>
    cluster()
      .namespace("theirs", { "plimsoll.dev/tenant": "team-t" })
      .nodes("n", 4, (node) => node.gpus("h100", 8));
  const right: Case = {
    cluster: nodes(),
    sets: [gpus("main", 2, 4)],
    placed: [put("main", "n-1", 2)],
    demand: { acceleratorLimit: 12 },
  };
  const held = (describe_: (pod: Parameters<Parameters<ClusterBuilder["pod"]>[1] & object>[0]) => void) => ({
    cluster: nodes().pod("held", (pod) => describe_(pod.namespace("theirs"))),
  });
  const hold = (accelerators: number, name = "other", tenant = "team-t"): Hold => ({
    workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name },
    tenant,
    takenAtMs: 0,
    placed: [{ podSet: "main", node: "n-3", pods: 1, requests: {}, devices: [], accelerators, charged: {} }],
    newNodes: [],
  });
  const claims = (): ClusterBuilder =>
    cluster()
      .namespace("theirs", { "plimsoll.dev/tenant": "team-t" })
      .nodes("d", 1, (node) => node.dra("h100", 8))
      .nodes("n", 1, (node) => node.gpus("h100", 8));
  refuses([
    ["less than is placed", right, { demand: { acceleratorLimit: 7 } }, /may have 7 .*: it holds 0, and 8 are placed/],
    [
      "of all sets together",
      right,
      { sets: [gpus("main", 2, 4), gpus("more", 1, 8)], placed: [put("main", "n-1", 2), put("more", "n-2", 1)] },
      /may have 12 accelerators: it holds 0, and 16 are placed/,
    ],
    [
      "beside what pods of the tenant hold, in whatever namespace",
      { ...right, ...held((pod) => pod.on("n-2").gpus(4)) },
      held((pod) => pod.on("n-2").gpus(5)),
      /may have 12 accelerators: it holds 5, and 8 are placed/,
    ],
    [
      "pods that have no node yet hold nothing",
      { ...right, ...held((pod) => pod.gpus(8).phase("Pending")) },
      held((pod) => pod.on("n-2").gpus(8)),
      /it holds 8, and 8 are placed/,
    ],
    [
      "pods of the workload itself are no others",
      { ...right, cluster: nodes().pod("own", (pod) => pod.on("n-2").gpus(8).owner("Job", "train")) },
      held((pod) => pod.on("n-2").gpus(8).owner("Job", "train")),
      /it holds 8, and 8 are placed/,
    ],
    [
      "partitions count as well",
      { ...right, ...held((pod) => pod.on("n-2").gpus(4, "nvidia.com/mig-1g.10gb")) },
      held((pod) => pod.on("n-2").gpus(5, "nvidia.com/mig-1g.10gb")),
      /it holds 5, and 8/,
    ],
    [
      "and devices by their class",
      { ...right, ...held((pod) => pod.on("n-2").gpus(5, "deviceclass.resource.kubernetes.io/net.example.com")) },
      held((pod) => pod.on("n-2").gpus(5, "deviceclass.resource.kubernetes.io/gpu.nvidia.com")),
      /it holds 5, and 8/,
    ],
    [
      "and devices of claims",
      { ...right, cluster: claims(), placed: [put("main", "n-1", 2)] },
      {
        cluster: claims().claim(
          "held",
          ["gpu-0", "gpu-1", "gpu-2", "gpu-3", "gpu-4"].map((name) => `gpu.nvidia.com/d-1/${name}`),
          undefined,
          "theirs",
        ),
      },
      /it holds 5, and 8/,
    ],
    [
      "and what is promised to its other workloads",
      { ...right, context: { holds: [hold(4), hold(8, "train"), hold(8, "foreign", "team-u")] } },
      { context: { holds: [hold(5)] } },
      /it holds 5, and 8 are placed/,
    ],
  ]);
});

interface Limits {
  readonly nominal: number;
  readonly borrowing?: number;
  readonly lending?: number;
}
type Flavors = Readonly<Record<string, Limits>>;

describe("quota of Kueue's queues", () => {
  const object = (kind: string, name: string, spec: JsonObject, extra: JsonObject = {}): JsonObject => ({
    ...{ apiVersion: "kueue.x-k8s.io/v1beta2", kind, metadata: { name }, spec },
    ...extra,
  });
  const group = (flavors: Flavors, resource = GPU): JsonObject => ({
    coveredResources: [resource],
    flavors: Object.entries(flavors).map(([name, { nominal, borrowing, lending }]) => ({
      name,
      resources: [
        {
          ...{ name: resource, nominalQuota: nominal },
          ...(borrowing === undefined ? {} : { borrowingLimit: borrowing }),
          ...(lending === undefined ? {} : { lendingLimit: lending }),
        },
      ],
    })),
  });
  const queue = (name: string, flavors: Flavors, used: Readonly<Record<string, number>> = {}, spec: JsonObject = {}) =>
    object(
      "ClusterQueue",
      name,
      { namespaceSelector: {}, resourceGroups: [group(flavors)], ...spec },
      {
        status: {
          flavorsReservation: Object.entries(used).map(([flavor, total]) => ({
            ...{ name: flavor, resources: [{ name: GPU, total: String(total), borrowed: "0" }] },
          })),
        },
      },
    );
  const covering = (cpus: number, devices: number): JsonObject => {
    const resources = Object.entries({ [GPU]: devices, cpu: cpus }).map(([name, most]) => ({
      name,
      nominalQuota: most,
    }));
    const both = { coveredResources: [GPU, "cpu"], flavors: [{ name: "h100", resources }] };
    return queue("ml", {}, {}, { resourceGroups: [both] });
  };
  const local = (spec: JsonObject = {}, name = "train"): JsonObject => ({
    ...object("LocalQueue", name, { clusterQueue: "ml", ...spec }),
    metadata: { name, namespace: "default" },
  });
  const flavor = (name: string, spec: JsonObject = {}): JsonObject => object("ResourceFlavor", name, spec);
  const world = (...objects: readonly JsonObject[]): ClusterBuilder =>
    cluster()
      .namespace("default", { team: "blue" })
      .nodes("n", 8, (node) => node.gpus("h100", 8))
      .object({ apiVersion: "v1", kind: "PodList", items: [] }, ...objects);
  const given = (...objects: readonly JsonObject[]): Pick<Case, "cluster"> => ({
    cluster: world(local(), flavor("h100"), ...objects),
  });
  const right: Case = {
    ...given(queue("ml", { h100: { nominal: 16 } }, { h100: 8 })),
    sets: [gpus("main", 8, 1)],
    placed: [put("main", "n-1", 8)],
    demand: { queue: { name: "train", whole: true } },
  };
  const org = { cohortName: "org" };
  const lent = (ml: Limits, web: Limits, used = 0, own = 0) =>
    given(queue("ml", { h100: ml }, { h100: own }, org), queue("web", { h100: web }, { h100: used }, org));
  const nested = (team: JsonObject, borrowed: number) =>
    given(
      queue("ml", { h100: { nominal: 2 } }, {}, { cohortName: "team" }),
      queue("web", { h100: { nominal: 8 } }, { h100: borrowed }, org),
      object("Cohort", "team", { parentName: "org", ...team }),
    );
  const two: Case = {
    ...right,
    sets: [gpus("head", 1, 4), gpus("main", 4, 1)],
    placed: [put("head", "n-1", 1), put("main", "n-1", 4)],
  };
  const tiers = (spot: JsonObject, reserved: JsonObject, spec: JsonObject = {}) => ({
    cluster: world(
      ...[local(), flavor("spot", spot), flavor("reserved", reserved)],
      queue("ml", { spot: { nominal: 4 }, reserved: { nominal: 8 } }, {}, spec),
    ),
  });
  const spared = (spec: JsonObject) => ({
    cluster: world(
      ...[local(), flavor("spot"), flavor("reserved")],
      queue("ml", { spot: { nominal: 2, borrowing: 2 }, reserved: { nominal: 5 } }, {}, { ...org, ...spec }),
      queue("web", { spot: { nominal: 4 } }, {}, org),
    ),
  });
  const selecting = (key: string): readonly PodSetDemand[] => [
    gpus("main", 8, 1, {
      steps: [gpuStep(1, {}, [requirement(key, "In", ["reserved"])])],
    }),
  ];
  const tiered = () =>
    cluster().nodes("t", 1, (node) => node.gpus("h100", 8).label("tier", "reserved").label("disk", "reserved"));
  const onTier = (spot: JsonObject, reserved: JsonObject): Case => ({
    ...right,
    cluster: tiered()
      .namespace("default")
      .object(
        ...tiers(spot, reserved)
          .cluster.objects()
          .filter(({ kind }) => kind !== "Namespace"),
      ),
    placed: [put("main", "t-1", 8)],
    sets: selecting("tier"),
  });
  const NONE = /no flavor of ClusterQueue ml has \d+ nvidia.com\/gpu left for main/;
  refuses([
    ["what is used already", right, given(queue("ml", { h100: { nominal: 16 } }, { h100: 9 })), NONE],
    [
      "of two resources in one group both",
      { ...right, sets: [gpus("main", 8, 1, { requests: { memory: 0, [GPU]: 1 } })], ...given(covering(8, 8)) },
      given(covering(8, 7)),
      /no flavor of ClusterQueue ml has (?:8000 cpu and 8 nvidia.com\/gpu|8 nvidia.com\/gpu and 8000 cpu) left for main/,
    ],
    ["less than is asked for in all", right, given(queue("ml", { h100: { nominal: 7 } })), NONE],
    [
      "what the cohort has",
      { ...right, ...lent({ nominal: 4 }, { nominal: 4 }) },
      lent({ nominal: 4 }, { nominal: 3 }),
      NONE,
    ],
    [
      "what the cohort has left",
      { ...right, ...lent({ nominal: 4 }, { nominal: 8 }, 4) },
      lent({ nominal: 4 }, { nominal: 8 }, 5),
      NONE,
    ],
    [
      "what others have borrowed",
      { ...right, ...lent({ nominal: 16 }, { nominal: 0 }, 8) },
      lent({ nominal: 16 }, { nominal: 0 }, 9),
      NONE,
    ],
    [
      "what is kept, nobody borrows",
      { ...right, ...lent({ nominal: 16, lending: 8 }, { nominal: 0 }, 8) },
      lent({ nominal: 16, lending: 9 }, { nominal: 0 }, 9),
      NONE,
    ],
    [
      "the borrowing limit",
      { ...right, ...lent({ nominal: 4, borrowing: 4 }, { nominal: 8 }) },
      lent({ nominal: 4, borrowing: 3 }, { nominal: 8 }),
      NONE,
    ],
    [
      "the borrowing limit, of which a part is used",
      { ...right, ...lent({ nominal: 4, borrowing: 8 }, { nominal: 16 }, 0, 4) },
      lent({ nominal: 4, borrowing: 8 }, { nominal: 16 }, 0, 5),
      NONE,
    ],
    [
      "the lending limit of another queue",
      { ...right, ...lent({ nominal: 4 }, { nominal: 8, lending: 4 }) },
      lent({ nominal: 4 }, { nominal: 8, lending: 3 }),
      NONE,
    ],
    ["cohorts of cohorts", { ...right, ...nested({}, 2) }, nested({}, 3), NONE],
    [
      "what a cohort may borrow",
      { ...right, ...nested({ resourceGroups: [group({ h100: { nominal: 0, borrowing: 6 } })] }, 0) },
      nested({ resourceGroups: [group({ h100: { nominal: 0, borrowing: 5 } })] }, 0),
      NONE,
    ],
    ["one set beside the other", two, given(queue("ml", { h100: { nominal: 16 } }, { h100: 9 })), NONE],
    [
      "a flavor gives all that one set asks for",
      { ...right, sets: [gpus("main", 4, 1)], placed: [put("main", "n-1", 4)], ...tiers({}, {}) },
      { sets: [gpus("main", 9, 1)], placed: [put("main", "n-1", 8), put("main", "n-2", 1)] },
      /no flavor of ClusterQueue ml has 9 nvidia.com\/gpu left for main/,
    ],
    [
      "in the queue's order, so that a later set may go without",
      {
        ...two,
        ...tiers({}, {}),
        sets: [gpus("head", 1, 4), gpus("main", 8, 1)],
        placed: [put("head", "n-1", 1), put("main", "n-2", 8)],
      },
      { sets: [gpus("head", 1, 5), gpus("main", 8, 1)] },
      NONE,
    ],
    [
      "without borrowing first, where the queue says so",
      {
        ...two,
        ...spared({}),
        sets: [gpus("head", 1, 4), gpus("main", 5, 1)],
        placed: [put("head", "n-1", 1), put("main", "n-2", 5)],
      },
      spared({ flavorFungibility: { whenCanBorrow: "TryNextFlavor" } }),
      NONE,
    ],
    [
      "labels of flavors",
      onTier({ nodeLabels: { tier: "spot" } }, { nodeLabels: { tier: "reserved" } }),
      { cluster: onTier({ nodeLabels: { tier: "spot" } }, { nodeLabels: { tier: "other" } }).cluster },
      /no flavor of ClusterQueue ml is for the nodes of main/,
    ],
    [
      "labels that no flavor has say nothing",
      { ...onTier({ nodeLabels: { tier: "spot" } }, { nodeLabels: { tier: "reserved" } }), sets: selecting("disk") },
      { cluster: onTier({ nodeLabels: { disk: "spot" } }, {}).cluster },
      /no flavor of ClusterQueue ml is for the nodes of main/,
    ],
    [
      "taints of flavors that nobody tolerates",
      {
        ...right,
        ...tiers(
          {},
          {
            nodeTaints: [{ key: "t", value: "", effect: "NoSchedule" }],
            tolerations: [{ key: "t", operator: "Exists" }],
          },
        ),
      },
      tiers({}, { nodeTaints: [{ key: "t", value: "", effect: "NoSchedule" }] }),
      NONE,
    ],
    [
      "resources that it does not give",
      right,
      { sets: [podSet("main", { required: 8, requests: { cpu: 1000, memory: 0, [GPU]: 1 }, steps: [gpuStep(1)] })] },
      /ClusterQueue ml gives no cpu, and main asks for it/,
    ],
    [
      "pods, where it counts them",
      {
        ...right,
        ...given(
          queue(
            "ml",
            {},
            {},
            { resourceGroups: [group({ h100: { nominal: 8 } }), group({ h100: { nominal: 8 } }, "pods")] },
          ),
        ),
      },
      given(
        queue(
          "ml",
          {},
          {},
          { resourceGroups: [group({ h100: { nominal: 8 } }), group({ h100: { nominal: 7 } }, "pods")] },
        ),
      ),
      /no flavor of ClusterQueue ml has 8 pods left for main/,
    ],
    [
      "the whole workload, not only what must hold",
      { ...right, sets: [gpus("main", 1, 1, { count: 8, required: 1 })], placed: [put("main", "n-1", 1)] },
      { sets: [gpus("main", 1, 1, { count: 9, required: 1 })] },
      NONE,
    ],
    [
      "or so many of it as it may start with",
      {
        ...right,
        sets: [{ ...gpus("main", 1, 1, { count: 12, required: 1 }), queueMinimum: 8 }],
        placed: [put("main", "n-1", 1)],
      },
      { sets: [{ ...gpus("main", 1, 1, { count: 12, required: 1 }), queueMinimum: 9 }] },
      NONE,
    ],
    [
      "pods that are let in one by one",
      { ...right, demand: { queue: { name: "train", whole: false } }, sets: [gpus("main", 8, 1, { count: 12 })] },
      { demand: { queue: { name: "train", whole: true } } },
      NONE,
    ],
    [
      "what runs has been let in",
      {
        ...right,
        cluster: given(queue("ml", { h100: { nominal: 16 } }, { h100: 8 })).cluster.pod("own", (pod) =>
          pod.on("n-2").gpus(1).owner("Job", "train"),
        ),
        sets: [gpus("main", 9, 1)],
        placed: [put("main", "n-1", 8), put("main", "n-3", 1)],
      },
      given(queue("ml", { h100: { nominal: 16 } }, { h100: 8 })),
      NONE,
    ],
    [
      "a queue that is not there",
      right,
      { demand: { queue: { name: "none", whole: true } } },
      /default has no queue none/,
    ],
    [
      "one that leads nowhere",
      right,
      { cluster: world(local({ clusterQueue: "gone" }), flavor("h100")) },
      /queue train leads to no ClusterQueue/,
    ],
    [
      "another namespace's",
      {
        ...right,
        ...given(queue("ml", { h100: { nominal: 8 } }, {}, { namespaceSelector: { matchLabels: { team: "blue" } } })),
      },
      given(queue("ml", { h100: { nominal: 8 } }, {}, { namespaceSelector: { matchLabels: { team: "red" } } })),
      /ClusterQueue ml takes nothing of namespace default/,
    ],
    [
      "one that is stopped",
      right,
      given(queue("ml", { h100: { nominal: 16 } }, {}, { stopPolicy: "Hold" })),
      /queue train is stopped/,
    ],
    [
      "one whose door is closed",
      right,
      { cluster: world(local({ stopPolicy: "HoldAndDrain" }), flavor("h100"), queue("ml", { h100: { nominal: 16 } })) },
      /queue train is stopped/,
    ],
  ]);
});
