import { isObject, type Json, type JsonObject, type TopologyLayout } from "../../../src/model/index.ts";
import { generateCluster } from "../../../src/topology/index.ts";
import type { BusyPods, ClusterDoc, NodeGroup } from "./format.ts";
import { merged } from "./merge.ts";

/** The Kubernetes objects of a scenario's cluster; the labels of `at` are those of the layout. */
export function clusterObjects(doc: ClusterDoc, layout: TopologyLayout, namespaces: readonly string[]): JsonObject[] {
  const groups = new Map<string, readonly string[]>();
  const objects: JsonObject[] = [];
  for (const group of doc.nodes ?? []) {
    const made = nodesOf(group, layout);
    groups.set(group.name, [...(groups.get(group.name) ?? []), ...made.names]);
    objects.push(...made.objects);
  }
  const busy = (doc.busy ?? []).flatMap((one, index) => busyPods(one, index, groups));
  const names = new Set([...namespaces, ...Object.keys(doc.namespaces ?? {}), ...busy.map(namespaceOf)]);
  const known = new Set((doc.objects ?? []).map(({ kind, metadata }) => `${kind}/${field(metadata, "name")}`));
  const classes = Object.entries(doc.deviceClasses ?? {}).map(([name, list]) =>
    object("resource.k8s.io/v1", "DeviceClass", name, {
      spec: { selectors: list.map((expression) => ({ cel: { expression } })) },
    }),
  );
  return [
    ...[...names].map((name) =>
      object("v1", "Namespace", name, {}, { "kubernetes.io/metadata.name": name, ...doc.namespaces?.[name] }),
    ),
    ...objects.filter(
      firstOfName([...known, ...Object.keys(doc.deviceClasses ?? {}).map((one) => `DeviceClass/${one}`)]),
    ),
    ...classes,
    ...busy,
    ...Object.entries(doc.priorities ?? {}).map(([name, value]) =>
      object("scheduling.k8s.io/v1", "PriorityClass", name, { value }),
    ),
    ...Object.entries(doc.quotas ?? {}).map(([namespace, { hard, used = {} }]) => ({
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "share", namespace },
      spec: { hard },
      status: { hard, used },
    })),
    ...(doc.objects ?? []),
    ...READ.filter((kind) => doc.lacks?.includes(kind) !== true).map(emptyList),
  ];
}

/** Whoever gives a cluster has asked for these kinds, though there may be none of them. */
const READ: readonly string[] = ["Pod", "ResourceSlice", "ResourceClaim"];
const emptyList = (kind: string): JsonObject => ({
  apiVersion: kind === "Pod" ? "v1" : "resource.k8s.io/v1",
  kind: `${kind}List`,
  items: [],
});

/** DeviceClasses come along with every group of nodes; the scenario's own of that name win. */
function firstOfName(taken: readonly string[]): (one: JsonObject) => boolean {
  const seen = new Set(taken);
  return ({ kind, metadata }) => {
    const name = `${kind}/${field(metadata, "name")}`;
    if (seen.has(name) && kind === "DeviceClass") return false;
    seen.add(name);
    return true;
  };
}

function nodesOf(
  group: NodeGroup,
  layout: TopologyLayout,
): { names: readonly string[]; objects: readonly JsonObject[] } {
  const levels = layout.levels.filter(({ key }) => key !== "kubernetes.io/hostname");
  const places = expanded(group.at ?? levels.map(({ name }) => `${name}-1`).join("/"));
  const template = templateOf(group);
  const names: string[] = [];
  const objects = places.flatMap((place, index) =>
    Array.from({ length: group.count ?? 1 }, (_, slot) => {
      const stem = places.length === 1 ? group.name : `${group.name}${index + 1}`;
      const name = group.count === undefined ? stem : `${stem}-${slot + 1}`;
      names.push(name);
      const parts = place.split("/");
      const labels = Object.fromEntries(
        levels.map(({ key }, at) => [key, (parts[at] ?? "-") === "-" ? null : parts[at]]),
      );
      const own = { "kubernetes.io/hostname": name, ...labels, ...group.labels };
      return named(template, name, own as Readonly<Record<string, string | null>>, group);
    }).flat(),
  );
  return { names, objects };
}

/** One node of the group with what belongs to it, under the generator's own name. */
function templateOf(group: NodeGroup): readonly JsonObject[] {
  const { shape, mechanism = "device-plugin", network, capacityType = "on-demand", pool } = group;
  if (shape === undefined) return [plainNode(group)];
  return generateCluster({
    shape,
    nodes: 1,
    mechanism,
    ...(network === undefined ? {} : { network }),
    capacityType,
    layout: "plain",
    tenants: ["default"],
    ...(pool === undefined ? {} : { nodePool: pool }),
  }).filter(({ kind }) => kind !== "Namespace");
}

function plainNode({ capacityType = "on-demand", pool }: NodeGroup): JsonObject {
  const amounts = { cpu: "64", memory: "256Gi", "ephemeral-storage": "1Ti", pods: "110" };
  const labels = {
    "kubernetes.io/arch": "amd64",
    "kubernetes.io/os": "linux",
    "karpenter.sh/capacity-type": capacityType,
    ...(pool === undefined ? {} : { "karpenter.sh/nodepool": pool }),
  };
  const status = { capacity: amounts, allocatable: amounts, conditions: [{ type: "Ready", status: "True" }] };
  return { ...object("v1", "Node", "plain", {}, labels), spec: {}, status };
}

function named(
  template: readonly JsonObject[],
  name: string,
  labels: Readonly<Record<string, string | null>>,
  group: NodeGroup,
): readonly JsonObject[] {
  const before = field(template.find(({ kind }) => kind === "Node")?.["metadata"], "name");
  return template.map((one) => {
    if (one["kind"] === "DeviceClass") return one;
    const own = JSON.parse(
      JSON.stringify(one).replaceAll(`"${before}`, `"${name}`).replaceAll(`-${before}-`, `-${name}-`),
    ) as JsonObject;
    return one["kind"] === "Node" ? patchedNode(own, labels, group) : patchedSlice(own, group);
  });
}

function patchedNode(node: JsonObject, labels: Readonly<Record<string, string | null>>, group: NodeGroup): JsonObject {
  const { gpus, allocatable, taints, ready = true, cordoned = false } = group;
  const amounts = { ...(gpus === undefined ? {} : { "nvidia.com/gpu": String(gpus) }), ...allocatable };
  const listed = taints === undefined ? asList(field(node["spec"], "taints")) : taints.map(taintOf);
  const state = [
    ...(cordoned ? [{ key: "node.kubernetes.io/unschedulable", effect: "NoSchedule" }] : []),
    ...(ready ? [] : [{ key: "node.kubernetes.io/not-ready", effect: "NoSchedule" }]),
  ];
  return merged(node, {
    metadata: { labels },
    spec: { taints: [...listed, ...state], ...(cordoned ? { unschedulable: true } : {}) },
    status: {
      capacity: amounts,
      allocatable: amounts,
      conditions: [{ type: "Ready", status: ready ? "True" : "False" }],
    },
  }) as JsonObject;
}

function patchedSlice(slice: JsonObject, { devices: patches = {}, slice: over = {} }: NodeGroup): JsonObject {
  const spec = slice["spec"];
  const devices = asList(field(spec, "devices")).flatMap((device) => {
    const own = [patches["*"], patches[String(field(device, "name"))]];
    return own.includes(null) ? [] : [own.reduce<Json>((value, patch) => merged(value, patch), device)];
  });
  return merged({ ...slice, spec: { ...(isObject(spec) ? spec : {}), devices } }, over) as JsonObject;
}

function busyPods(doc: BusyPods, index: number, groups: ReadonlyMap<string, readonly string[]>): readonly JsonObject[] {
  const { namespace = "team-a", count = 1, gpus = 0, requests = {}, devices = [], owner } = doc;
  const nodes = (typeof doc.on === "string" ? [doc.on] : doc.on).flatMap((one) => groups.get(one) ?? [one]);
  return nodes.flatMap((node) =>
    Array.from({ length: count }, (_, copy): readonly JsonObject[] => {
      const name = doc.name ?? `busy-${index + 1}-${node}${count === 1 ? "" : `-${copy + 1}`}`;
      const amounts = { cpu: "1", ...(gpus > 0 ? { "nvidia.com/gpu": String(gpus) } : {}), ...requests };
      const [kind = "", root = ""] = owner?.split("/") ?? [];
      const references = {
        apiVersion: kind === "Job" ? "batch/v1" : "apps/v1",
        kind,
        name: root,
        uid: `uid-${root}`,
        controller: true,
      };
      const pod = {
        apiVersion: "v1",
        kind: "Pod",
        metadata: {
          name,
          namespace,
          uid: `uid-${name}`,
          labels: { ...doc.labels },
          ...(owner === undefined ? {} : { ownerReferences: [references] }),
          ...(doc.terminating === true ? { deletionTimestamp: "2026-01-01T00:00:00Z" } : {}),
        },
        spec: {
          ...(doc.nominated === true ? {} : { nodeName: node }),
          priority: doc.priority ?? 0,
          containers: [{ name: "main", image: "busybox:1.36", resources: { requests: amounts } }],
          ...doc.pod,
        },
        status: doc.nominated === true ? { phase: "Pending", nominatedNodeName: node } : { phase: "Running" },
      };
      return devices.length === 0 ? [pod] : [pod, heldClaim(name, namespace, node, devices)];
    }).flat(),
  );
}

function heldClaim(pod: string, namespace: string, node: string, devices: readonly string[]): JsonObject {
  const results = devices.map((device) => ({ request: "gpu", driver: "gpu.nvidia.com", pool: node, device }));
  const exactly = { deviceClassName: "gpu.nvidia.com", count: devices.length };
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    metadata: { name: `${pod}-gpu`, namespace },
    spec: { devices: { requests: [{ name: "gpu", exactly }] } },
    status: { allocation: { devices: { results } }, reservedFor: [{ resource: "pods", name: pod, uid: `uid-${pod}` }] },
  };
}

/** `rack-{1..4}` stands for four places, `{a,b}` for two. */
function expanded(text: string): readonly string[] {
  const match = /\{([^}]+)\}/.exec(text);
  if (match === null) return [text];
  const range = /^(\d+)\.\.(\d+)$/.exec(match[1] ?? "");
  const values =
    range === null
      ? (match[1] ?? "").split(",")
      : Array.from({ length: Number(range[2]) - Number(range[1]) + 1 }, (_, at) => String(Number(range[1]) + at));
  return values.flatMap((value) => expanded(text.replace(match[0], value.trim())));
}

function taintOf(text: string): JsonObject {
  const [pair = "", effect = "NoSchedule"] = text.split(":");
  const [key = "", value] = pair.split("=");
  return { key, ...(value === undefined ? {} : { value }), effect };
}

function object(
  apiVersion: string,
  kind: string,
  name: string,
  rest: JsonObject,
  labels?: Readonly<Record<string, string>>,
): JsonObject {
  return { apiVersion, kind, metadata: { name, ...(labels === undefined ? {} : { labels }) }, ...rest };
}

const field = (value: Json | undefined, key: string): Json | undefined => (isObject(value) ? value[key] : undefined);
const asList = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : []);
const namespaceOf = (one: JsonObject): string => String(field(one["metadata"], "namespace"));
