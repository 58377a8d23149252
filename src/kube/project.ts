import {
  actualSpec,
  DECISION_ANNOTATION,
  isArray,
  isObject,
  type Json,
  type JsonObject,
  objectAt,
  stringAt,
  valueAt,
} from "../model/index.ts";

/**
 * Which part of an object is kept: all of it, some keys of a mapping, or the same of every item of a list. What is
 * not named is dropped, so that a field which a later Kubernetes adds does not slip into a snapshot.
 */
type Shape = true | readonly [Shape] | { readonly [key: string]: Shape };

const OWNERS: Shape = [{ apiVersion: true, kind: true, name: true, uid: true, controller: true }];
const NAMED: Readonly<Record<string, Shape>> = { name: true, namespace: true };
const LABELLED: Readonly<Record<string, Shape>> = { ...NAMED, labels: true };
/** Opaque parameters of drivers (`config`) are nobody's business here. */
const CLAIM_SPEC: Shape = { devices: { requests: true, constraints: true } };

const RESIZED: Shape = { name: true, resources: { requests: true }, allocatedResources: true };

/** Pods keep others off by these. */
const APART: Shape = [{ labelSelector: true, topologyKey: true, namespaces: true, namespaceSelector: true }];

const pod = (hostNetwork: boolean): Shape => {
  const container: Shape = {
    name: true,
    resources: { requests: true, limits: true, claims: true },
    restartPolicy: true,
    // On the host's network every port of a container is the host's.
    ports: [{ hostPort: true, protocol: true, hostIP: true, ...(hostNetwork ? { containerPort: true } : {}) }],
  };
  return {
    metadata: { ...LABELLED, uid: true, ownerReferences: OWNERS, deletionTimestamp: true },
    spec: {
      nodeName: true,
      schedulingGates: [{ name: true }],
      priority: true,
      priorityClassName: true,
      overhead: true,
      hostNetwork: true,
      affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: APART } },
      resources: { requests: true, limits: true },
      resourceClaims: true,
      containers: [container],
      initContainers: [container],
    },
    status: {
      phase: true,
      nominatedNodeName: true,
      startTime: true,
      containerStatuses: [RESIZED],
      initContainerStatuses: [RESIZED],
      conditions: [{ type: true, reason: true }],
    },
  };
};
const POD = pod(false);
const HOST_POD = pod(true);

/** By kind, what an inventory is read from. */
const SHAPES: Readonly<Record<string, Shape>> = {
  Node: {
    metadata: { name: true, labels: true },
    spec: { taints: [{ key: true, value: true, effect: true }], unschedulable: true },
    status: { capacity: true, allocatable: true, conditions: [{ type: true, status: true }] },
  },
  Namespace: { metadata: { name: true, labels: true } },
  LimitRange: { metadata: NAMED, spec: { limits: true } },
  ResourceQuota: {
    metadata: NAMED,
    spec: { hard: true, scopes: true, scopeSelector: true },
    status: { hard: true, used: true },
  },
  PriorityClass: { metadata: NAMED, value: true, globalDefault: true, preemptionPolicy: true },
  PodDisruptionBudget: {
    metadata: NAMED,
    spec: { selector: true },
    status: { disruptionsAllowed: true, disruptedPods: true },
  },
  RuntimeClass: { metadata: NAMED, overhead: true, scheduling: true },
  DeviceClass: {
    metadata: { ...NAMED, creationTimestamp: true },
    spec: { selectors: true, extendedResourceName: true },
  },
  DeviceTaintRule: { metadata: NAMED, spec: { deviceSelector: true, taint: { key: true, value: true, effect: true } } },
  ResourceSlice: { metadata: NAMED, spec: true },
  ResourceClaim: {
    metadata: {
      ...NAMED,
      ownerReferences: OWNERS,
      annotations: { "resource.kubernetes.io/extended-resource-claim": true },
    },
    spec: CLAIM_SPEC,
    status: {
      allocation: { devices: { results: true }, nodeSelector: true },
      reservedFor: [{ resource: true, name: true, uid: true }],
    },
  },
  ResourceClaimTemplate: { metadata: NAMED, spec: { spec: CLAIM_SPEC } },
  LocalQueue: { metadata: NAMED, spec: { clusterQueue: true, stopPolicy: true } },
  ClusterQueue: {
    metadata: NAMED,
    spec: {
      cohortName: true,
      cohort: true,
      namespaceSelector: true,
      stopPolicy: true,
      flavorFungibility: { whenCanBorrow: true },
      resourceGroups: true,
    },
    status: { flavorsReservation: true, flavorsUsage: true },
  },
  Cohort: { metadata: NAMED, spec: { parentName: true, resourceGroups: true } },
  ResourceFlavor: { metadata: NAMED, spec: { nodeLabels: true, nodeTaints: true, tolerations: true } },
  NodeResourceTopology: {
    metadata: { name: true },
    topologyPolicies: true,
    attributes: [{ name: true, value: true }],
    zones: [
      { name: true, type: true, resources: [{ name: true, capacity: true, allocatable: true, available: true }] },
    ],
  },
  NodePool: {
    metadata: NAMED,
    spec: {
      replicas: true,
      limits: true,
      template: {
        metadata: { labels: true },
        spec: { taints: true, startupTaints: true, requirements: true },
      },
    },
    status: { resources: true, conditions: [{ type: true, status: true }] },
  },
  CapacityQuota: {
    metadata: NAMED,
    spec: { selector: true, limits: true },
    status: { conditions: [{ type: true, status: true }] },
  },
};

/** What stands between a pod and its workload is kept for that link alone. */
const OWNER: Shape = { metadata: { ...NAMED, uid: true, ownerReferences: OWNERS } };

const OURS = "plimsoll.dev/";

interface Type {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The object with what an inventory is read from and nothing else; `type` is put in, since items of a typed List lack it. */
export function project(object: JsonObject, type: Type): JsonObject {
  const { apiVersion, kind } = type;
  const kept = pick(object, shapeOf(kind, object));
  const body = isObject(kept) ? kept : {};
  if (kind === "Pod") return { apiVersion, kind, ...onlyResized(body) };
  return kind === "Node" ? { apiVersion, kind, ...onlyReady(body) } : { apiVersion, kind, ...body };
}

/** A workload that carries an annotation of ours, on itself or on a template, whole but for managedFields; of any other what links owner and owned. */
export function projectWorkload(object: JsonObject, type: Type): JsonObject {
  if (annotated(object)) return whole(object, type);
  const kept = pick(object, OWNER);
  return { apiVersion: type.apiVersion, kind: type.kind, ...(isObject(kept) ? kept : {}) };
}

/** What a live inventory keeps of a pod: one that was decided by itself whole, else what it uses. Undefined: it has ended, and holds nothing. */
export function projectPod(object: JsonObject, type: Type): JsonObject | undefined {
  const phase = stringAt(object, ["status", "phase"]);
  if (phase === "Succeeded" || phase === "Failed") return undefined;
  const annotations = objectAt(object, ["metadata", "annotations"]);
  if (Object.hasOwn(annotations, DECISION_ANNOTATION)) return whole(object, type);
  const kept = project(object, type);
  const ours = Object.entries(annotations).filter(([key]) => key.startsWith(OURS));
  return ours.length === 0
    ? kept
    : { ...kept, metadata: { ...objectAt(kept, ["metadata"]), annotations: Object.fromEntries(ours) } };
}

function whole(object: JsonObject, { apiVersion, kind }: Type): JsonObject {
  const { managedFields: _dropped, ...metadata } = objectAt(object, ["metadata"]);
  return { ...object, apiVersion, kind, metadata };
}

function annotated(object: JsonObject): boolean {
  const pending: Json[] = [object];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (isArray(value)) for (const item of value) pending.push(item);
    else if (isObject(value)) {
      const annotations = value["annotations"];
      if (isObject(annotations) && Object.keys(annotations).some((key) => key.startsWith(OURS))) return true;
      for (const inner of Object.values(value)) if (typeof inner === "object" && inner !== null) pending.push(inner);
    }
  }
  return false;
}

function shapeOf(kind: string, object: JsonObject): Shape {
  if (kind === "Pod") return valueAt(object, ["spec", "hostNetwork"]) === true ? HOST_POD : POD;
  return (Object.hasOwn(SHAPES, kind) ? SHAPES[kind] : undefined) ?? OWNER;
}

/** Values of another form than the shape's are kept: the reader is the one to report them. Mappings of which nothing is left are dropped. */
function pick(value: Json, shape: Shape): Json | undefined {
  if (shape === true) return value;
  if (isItems(shape)) {
    if (!isArray(value)) return value;
    const items = value.flatMap((item) => pick(item, shape[0]) ?? []);
    return items.length === 0 ? undefined : items;
  }
  if (!isObject(value)) return value;
  const result: Record<string, Json> = Object.create(null);
  let some = false;
  for (const key of Object.keys(shape)) {
    const inner = Object.hasOwn(value, key) ? value[key] : undefined;
    const kept = inner === undefined || inner === null ? undefined : pick(inner, shape[key] ?? true);
    if (kept === undefined) continue;
    result[key] = kept;
    some = true;
  }
  return some ? result : undefined;
}

function isItems(shape: Shape): shape is readonly [Shape] {
  return Array.isArray(shape);
}

function onlyReady(node: JsonObject): JsonObject {
  const status = node["status"];
  if (!isObject(status) || !isArray(status["conditions"])) return node;
  const conditions = status["conditions"].filter((one) => isObject(one) && one["type"] === "Ready");
  return { ...node, status: { ...status, conditions } };
}

/** What its containers really have is kept where it is not what its spec asks for. */
function onlyResized(pod: JsonObject): JsonObject {
  const { spec, status } = pod;
  if (!isObject(spec) || !isObject(status)) return pod;
  const { containerStatuses, initContainerStatuses, conditions, ...rest } = status;
  if (actualSpec(spec, status) === spec) return { ...pod, status: rest };
  const pending = isArray(conditions)
    ? conditions.filter((one) => isObject(one) && one["type"] === "PodResizePending")
    : [];
  return {
    ...pod,
    status: {
      ...rest,
      ...(containerStatuses === undefined ? {} : { containerStatuses }),
      ...(initContainerStatuses === undefined ? {} : { initContainerStatuses }),
      ...(pending.length === 0 ? {} : { conditions: pending }),
    },
  };
}
