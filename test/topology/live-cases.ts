import fc from "fast-check";
import type { JsonObject } from "../../src/model/index.ts";
import { type Change, inventoryFrom, objectId } from "../../src/topology/index.ts";
import { layout, testLayout } from "../support/cluster.ts";

/** Random events of a small cluster, and what a rebuild from scratch is made of. */

/** Draws choices out of one number, so that an event shrinks to a small one. */
function chooser(seed: number) {
  let rest = seed;
  return <T>(...options: readonly [T, ...T[]]): T => {
    // Undefined is a choice as any other.
    const chosen = options[rest % options.length] as T;
    rest = (Math.imul(rest ^ (rest >>> 7), 0x9e3779b1) >>> 0) + 1;
    return chosen;
  };
}
type Choose = ReturnType<typeof chooser>;
type Draw = (name: string, choose: Choose, namespace: string) => JsonObject;

const NODES = ["n1", "n2", "n3", "n4"] as const;
const PODS = ["p1", "p2", "p3", "p4", "p5", "p6"] as const;
const SPACES = ["a", "b"] as const;
const some = (value: string | undefined, key: string): JsonObject => (value === undefined ? {} : { [key]: value });
const owner = (apiVersion: string, kind: string, name: string, uid = `uid-${name}`): JsonObject => ({
  ownerReferences: [{ apiVersion, kind, name, uid, controller: true }],
});

const node: Draw = (name, choose) => {
  const amounts = {
    cpu: choose("4", "8", "8", "7500m"),
    memory: "16Gi",
    pods: "10",
    ...some(choose("4", "4", "2", undefined), "nvidia.com/gpu"),
    ...some(choose(undefined, undefined, undefined, "3"), "example.com/odd"),
    ...(choose(0, 0, 0, 0, 0, 0, 0, 1) === 1 ? { memory: "much" } : {}),
  };
  return {
    metadata: {
      labels: {
        ...some(choose("z1", "z1", "z2", undefined), "topology.kubernetes.io/zone"),
        ...some(choose("k1", "k2"), "topology.k8s.aws/network-node-layer-2"),
        ...some(choose("r1", "r1", "r2", undefined, ""), "topology.k8s.aws/network-node-layer-3"),
        ...some(choose(name, name, "same", undefined), "kubernetes.io/hostname"),
        ...some(choose("x", "y", undefined), "pick"),
      },
    },
    spec: {
      unschedulable: choose(false, false, true),
      taints: choose<readonly JsonObject[]>([], [], [{ key: "pick", value: "x", effect: "NoSchedule" }]),
    },
    status: {
      allocatable: amounts,
      ...choose({ capacity: amounts }, { capacity: { ...amounts, cpu: "9" } }, {}),
      conditions: [{ type: "Ready", status: choose("True", "True", "False") }],
    },
  };
};

const apart = (term: JsonObject): JsonObject => ({
  affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [term] } },
});

const pod: Draw = (name, choose) => {
  const amounts = {
    cpu: choose("1", "500m"),
    ...some(choose("1", "2", undefined), "nvidia.com/gpu"),
    ...some(choose(undefined, undefined, undefined, "1"), "example.com/rare"),
  };
  const labels = choose<JsonObject>(
    {},
    { "pod-template-hash": "5d" },
    { "job-name": "train" },
    { "ray.io/cluster": "ray" },
    { "jobset.sigs.k8s.io/jobset-name": "set", index: name },
    { "statefulset.kubernetes.io/pod-name": name },
  );
  const owners = choose<JsonObject>(
    {},
    owner("apps/v1", "ReplicaSet", "web-5d"),
    owner("apps/v1", "ReplicaSet", "web-5d", "uid-other"),
    owner("batch/v1", "Job", "train"),
    owner("ray.io/v1", "RayCluster", "ray"),
    owner("v1", "Node", "n1"),
    owner("v1", "Pod", "p1"),
  );
  const bound = choose("n1", "n2", "n3", "n4", "n9", undefined, undefined);
  const nominated = bound === undefined ? choose("n1", "n2", "n2", undefined) : choose(undefined, "n2");
  const made = {
    metadata: {
      uid: choose(`uid-${name}`, `uid-${name}-again`),
      labels: choose(0, 0, 0, 0, 0, 0, 0, 1) === 1 ? { broken: 1 } : labels,
      ...owners,
      ...(choose(false, false, true) ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
    },
    spec: {
      ...some(bound, "nodeName"),
      ...(choose(1, 2, 3, 4) === 1 ? { schedulingGates: [{ name: "held" }] } : {}),
      ...choose({ priority: 5 }, {}, { priorityClassName: "high" }, { priorityClassName: "low" }),
      containers: [
        {
          name: "main",
          resources: { requests: amounts },
          ports: choose<readonly JsonObject[]>([], [{ hostPort: 80 }]),
        },
      ],
    },
    status: { phase: choose("Running", "Pending", "Succeeded"), ...some(nominated, "nominatedNodeName") },
  };
  const labelSelector = { matchLabels: { app: "w" } };
  const affinity = choose(
    {},
    {},
    apart({ topologyKey: "topology.kubernetes.io/zone", labelSelector, namespaceSelector: {} }),
    apart({ topologyKey: "pick", labelSelector, namespaceSelector: {} }),
  );
  return { ...made, spec: { ...made.spec, ...affinity } };
};

const slice: Draw = (name, choose) => {
  const at = choose("n1", "n2");
  return {
    metadata: {},
    spec: {
      driver: choose("gpu.nvidia.com", "gpu.nvidia.com", "dra.net"),
      nodeName: at,
      pool: { name: at, generation: choose(1, 2), resourceSliceCount: choose(1, 2, 2, 0) },
      devices: choose([0], [0, 1], [1, 2]).map((index) => ({
        name: `d${index}`,
        attributes: { type: { string: choose("gpu", "mig") }, index: { int: index }, slice: { string: name } },
        capacity: { memory: { value: choose("80Gi", "40Gi") } },
      })),
    },
  };
};

const rule: Draw = (_name, choose) => ({
  metadata: {},
  spec: {
    ...choose<JsonObject>(
      { deviceSelector: { pool: choose("n1", "n2"), ...some(choose("d0", "d1", undefined), "device") } },
      { deviceSelector: { driver: "dra.net" } },
      { deviceSelector: { deviceClassName: "gpu" } },
      ...(choose(true, false, false) ? [{}, { deviceSelector: {} }] : []),
    ),
    taint: {
      key: choose("xid", "drain"),
      ...choose({}, { effect: "NoExecute" }, { effect: "None" }, { effect: "None" }),
    },
  },
});

const claim: Draw = (_name, choose) => {
  const devices = choose<readonly string[]>(["d0"], ["d0", "d1"], ["d2"]);
  const admin = choose<JsonObject>({}, {}, {}, { adminAccess: true });
  const results = devices.map((device) => ({ driver: "gpu.nvidia.com", pool: choose("n1", "n2"), device, ...admin }));
  const broken = choose(0, 0, 0, 0, 0, 0, 0, 1) === 1;
  const used = [{ resource: "pods", name: choose(...PODS), uid: "u" }];
  return {
    metadata: { ...choose({}, owner("v1", "Pod", choose(...PODS)), owner("batch/v1", "Job", "train")) },
    spec: { devices: { requests: [{ name: "gpu", exactly: { deviceClassName: choose("gpu", "nic") } }] } },
    status: {
      ...choose({}, { allocation: { devices: { results: broken ? [{ driver: 1 }] : results } } }),
      ...choose({}, { reservedFor: used }),
    },
  };
};

const owned =
  (...owners: readonly [JsonObject, ...JsonObject[]]): Draw =>
  (_name, choose) => ({ metadata: { ...choose(...owners) } });

/** One group of a queue or cohort of Kueue. */
function quotas(choose: Choose): JsonObject {
  const cpu = {
    name: "cpu",
    nominalQuota: choose("4", "2", "4", "2", "much"),
    ...some(choose("1", undefined), "borrowingLimit"),
  };
  return { coveredResources: ["cpu"], flavors: [{ name: "spot", resources: [cpu] }] };
}

interface Kind {
  readonly apiVersion: string;
  readonly kind: string;
  readonly names: readonly [string, ...string[]];
  readonly namespaced: boolean;
  readonly weight: number;
  readonly draw: Draw;
}

const kind = (
  type: string,
  names: readonly [string, ...string[]],
  weight: number,
  draw: Draw,
  namespaced = true,
): Kind => {
  const slash = type.lastIndexOf("/");
  return { apiVersion: type.slice(0, slash), kind: type.slice(slash + 1), names, namespaced, weight, draw };
};

const KINDS: readonly Kind[] = [
  kind("v1/Node", NODES, 10, node, false),
  kind("v1/Pod", PODS, 14, pod),
  kind("resource.k8s.io/v1/ResourceSlice", ["s1", "s2", "s3"], 11, slice, false),
  kind("resource.k8s.io/v1/DeviceTaintRule", ["sick", "drain"], 2, rule, false),
  kind("resource.k8s.io/v1/ResourceClaim", ["c1", "c2", "c3"], 6, claim),
  kind(
    "apps/v1/ReplicaSet",
    ["web-5d"],
    3,
    owned({}, owner("apps/v1", "Deployment", "web"), owner("apps/v1", "Deployment", "adopter")),
  ),
  kind("apps/v1/Deployment", ["web", "adopter"], 1, owned({}, {}, owner("argoproj.io/v1alpha1", "Rollout", "web"))),
  kind(
    "batch/v1/Job",
    ["train"],
    3,
    owned({}, owner("batch/v1", "CronJob", "nightly"), owner("jobset.x-k8s.io/v1alpha2", "JobSet", "set")),
  ),
  kind("ray.io/v1/RayCluster", ["ray"], 2, owned({}, owner("ray.io/v1", "RayJob", "job"))),
  kind(
    "jobset.x-k8s.io/v1alpha2/JobSet",
    ["set"],
    2,
    owned({}, owner("trainer.kubeflow.org/v1alpha1", "TrainJob", "t")),
  ),
  kind(
    "v1/Namespace",
    SPACES,
    3,
    (_name, choose) => ({
      metadata: { labels: choose({}, { "plimsoll.dev/tenant": "t1" }, { "plimsoll.dev/tenant": "" }) },
    }),
    false,
  ),
  kind(
    "scheduling.k8s.io/v1/PriorityClass",
    ["high", "low"],
    2,
    (_name, choose) => ({ metadata: {}, value: choose(1000, -10, 10), globalDefault: choose(false, true) }),
    false,
  ),
  kind("v1/ResourceQuota", ["q1", "q2"], 2, (_name, choose) => ({
    metadata: {},
    spec: { hard: { "requests.nvidia.com/gpu": choose("4", "1"), pods: choose("9", "nine") } },
  })),
  kind("policy/v1/PodDisruptionBudget", ["b1", "b2"], 2, (_name, choose) => ({
    metadata: {},
    spec: { selector: choose({ matchLabels: { app: "web" } }, {}) },
    status: { disruptionsAllowed: choose<number | string>(0, 1, "one") },
  })),
  kind("v1/LimitRange", ["l1", "l2"], 1, (_name, choose) => ({
    metadata: {},
    spec: { limits: [{ type: "Container", default: { cpu: choose("1", "2") } }] },
  })),
  kind(
    "node.k8s.io/v1/RuntimeClass",
    ["kata"],
    1,
    (_name, choose) => ({ metadata: {}, overhead: { podFixed: { cpu: choose("250m", "1") } } }),
    false,
  ),
  kind(
    "resource.k8s.io/v1/DeviceClass",
    ["gpu"],
    3,
    (_name, choose) => ({ metadata: {}, spec: { selectors: [{ cel: { expression: choose("true", "false") } }] } }),
    false,
  ),
  kind("resource.k8s.io/v1/ResourceClaimTemplate", ["one"], 1, (_name, choose) => ({
    metadata: {},
    spec: { spec: { devices: { requests: [{ name: choose("x", "y"), deviceClassName: "gpu" }] } } },
  })),
  kind(
    "topology.node.k8s.io/v1alpha2/NodeResourceTopology",
    NODES,
    1,
    (_name, choose) => ({
      metadata: {},
      attributes: [{ name: "topologyManagerPolicy", value: choose("single-numa-node", "restricted", "none", "odd") }],
      zones: choose([0], [0, 1]).map((zone) => ({
        name: `node-${zone}`,
        type: "Node",
        resources: [
          { name: "nvidia.com/gpu", capacity: "2", allocatable: "2", available: choose("2", "1", "0", "many") },
        ],
      })),
    }),
    false,
  ),
  kind(
    "karpenter.sh/v1/NodePool",
    ["np", "fixed"],
    2,
    (_name, choose) => ({
      metadata: {},
      spec: {
        ...choose<JsonObject>({}, { replicas: 2 }),
        limits: choose<JsonObject>({}, { cpu: choose("8", "16") }, { nodes: "3" }, { cpu: "plenty" }),
        template: {
          metadata: { labels: choose<JsonObject>({}, { tier: "gold" }) },
          spec: {
            ...choose<JsonObject>({}, { startupTaints: [{ key: "boots", effect: "NoSchedule" }] }),
            requirements: [{ key: "tier", operator: "In", values: [choose("gold", "silver")] }],
          },
        },
      },
      status: {
        resources: { cpu: choose("4", "9") },
        conditions: [{ type: "Ready", status: choose("True", "False") }],
      },
    }),
    false,
  ),
  kind(
    "autoscaling.x-k8s.io/v1beta1/CapacityQuota",
    ["all", "zone"],
    2,
    (_name, choose) => ({
      metadata: {},
      spec: {
        ...choose<JsonObject>({}, { selector: { matchLabels: { pick: "x" } } }, { selector: { matchExpressions: 1 } }),
        limits: { resources: { nodes: choose("2", "3") } },
      },
    }),
    false,
  ),
  kind("kueue.x-k8s.io/v1beta2/LocalQueue", ["lq"], 8, (_name, choose) => ({
    metadata: {},
    spec: {
      ...some(choose("cq", "cq", "cq", "cq2", undefined), "clusterQueue"),
      stopPolicy: choose("None", "None", "Hold"),
    },
  })),
  kind(
    "kueue.x-k8s.io/v1beta2/ClusterQueue",
    ["cq", "cq2"],
    6,
    (_name, choose) => ({
      metadata: {},
      spec: {
        ...some(choose("co", undefined), "cohortName"),
        namespaceSelector: choose<JsonObject>({}, {}, {}, { matchLabels: { "plimsoll.dev/tenant": "t1" } }),
        resourceGroups: [quotas(choose)],
      },
      status: {
        flavorsReservation: [{ name: "spot", resources: [{ name: "cpu", total: choose("1", "2") }] }],
      },
    }),
    false,
  ),
  kind(
    "kueue.x-k8s.io/v1beta2/Cohort",
    ["co", "outer"],
    2,
    (_name, choose) => ({
      metadata: {},
      spec: { ...some(choose("outer", undefined), "parentName"), resourceGroups: choose([], [quotas(choose)]) },
    }),
    false,
  ),
  kind(
    "kueue.x-k8s.io/v1beta2/ResourceFlavor",
    ["spot"],
    2,
    (_name, choose) => ({
      metadata: {},
      spec: {
        nodeLabels: choose<JsonObject>({}, { pick: "x" }, { pick: 5 }),
        tolerations: choose<readonly JsonObject[]>([], [{ key: "pick", operator: "Exists" }]),
      },
    }),
    false,
  ),
];

export const LAYOUTS = [
  testLayout,
  layout("flat", { zone: "topology.kubernetes.io/zone", host: "kubernetes.io/hostname" }),
  layout("picked", { zone: "pick", rack: "topology.k8s.aws/network-node-layer-3" }),
] as const;

export interface Event {
  readonly kind: Kind;
  readonly seed: number;
  readonly does: "set" | "delete" | "relist" | "unserve" | "layout";
}

const weighted = fc.oneof(...KINDS.map((one) => ({ weight: one.weight, arbitrary: fc.constant(one) })));

export const event: fc.Arbitrary<Event> = fc.record({
  kind: weighted,
  seed: fc.nat({ max: 2 ** 31 }),
  does: fc.oneof(
    { weight: 20, arbitrary: fc.constant("set" as const) },
    { weight: 5, arbitrary: fc.constant("delete" as const) },
    { weight: 2, arbitrary: fc.constant("relist" as const) },
    { weight: 1, arbitrary: fc.constant("unserve" as const) },
    { weight: 1, arbitrary: fc.constant("layout" as const) },
  ),
});

/** What a cluster holds after the events so far, kept as plain objects. */
export function createShadow() {
  const objects = new Map<string, JsonObject>();
  const known = new Set<string>();
  let revision = 0;
  const drawn = (one: Kind, seed: number): JsonObject => {
    const choose = chooser(seed);
    const namespace = one.namespaced ? choose(...SPACES) : "";
    const name = choose(...one.names);
    const body = one.draw(name, choose, namespace);
    const metadata = body["metadata"];
    revision += 1;
    const place = { name, ...(one.namespaced ? { namespace } : {}), ...(typeof metadata === "object" ? metadata : {}) };
    return {
      ...{ apiVersion: one.apiVersion, kind: one.kind },
      ...body,
      metadata: { ...place, ...choose({}, { resourceVersion: String(revision) }) },
    };
  };
  const idOf = (object: JsonObject, one: Kind): string => {
    const { namespace = "", name = "" } = object["metadata"] as { readonly namespace?: string; readonly name?: string };
    return objectId({ apiVersion: one.apiVersion, kind: one.kind, namespace, name });
  };
  const ofKind = (one: Kind): readonly [string, JsonObject][] =>
    [...objects].filter(([id]) => id.startsWith(objectId({ ...one, namespace: "", name: "" }).slice(0, -1)));
  const learn = (list: readonly JsonObject[]): void => {
    for (const name of inventoryFrom(list).value?.known ?? []) known.add(name);
  };
  return {
    /** The change that a watch would tell of, after the shadow has made it. */
    change({ kind: one, seed, does }: Event): Change {
      const { apiVersion, kind: name } = one;
      const object = drawn(one, seed);
      if (does === "relist") {
        const before = ofKind(one);
        for (const [id] of before) objects.delete(id);
        for (const [at, [id, kept]] of before.entries()) if ((seed >> (at % 16)) % 3 !== 0) objects.set(id, kept);
        if (seed % 2 === 0) objects.set(idOf(object, one), object);
        const list = ofKind(one).map(([, kept]) => kept);
        known.add(name);
        return { type: "relisted", apiVersion, kind: name, objects: list };
      }
      if (does === "unserve") {
        for (const [id] of ofKind(one)) objects.delete(id);
        known.add(name);
        return { type: "unserved", apiVersion, kind: name };
      }
      if (does === "delete") {
        const { namespace = "", name: of = "" } = object["metadata"] as { namespace?: string; name?: string };
        objects.delete(idOf(object, one));
        return { type: "deleted", apiVersion, kind: name, namespace, name: of };
      }
      objects.set(idOf(object, one), object);
      learn([object]);
      return { type: "set", object };
    },
    /** In an order that is not the one in which they came. */
    objects: (): readonly JsonObject[] => [
      ...[...known].map((one) => ({ apiVersion: "v1", kind: `${one}List`, items: [] })),
      ...[...objects].sort(([a], [b]) => (a < b ? 1 : -1)).map(([, object]) => object),
    ],
  };
}
