import type { JsonObject } from "../model/index.ts";
import type { GeneratedNode } from "./generate-node.ts";
import { NETWORK_DRIVER, networkClass } from "./generate-slice.ts";
import type { NodeShape } from "./shapes.ts";

export interface Workload {
  readonly kind: "Job" | "RayCluster" | "Deployment";
  readonly namespace: string;
  readonly name: string;
  /** Pod template hash, and the tail of uids. */
  readonly hash: string;
}

export interface PodPlace {
  readonly ordinal: number;
  /** Devices, or groups of cores on shapes without devices. */
  readonly units: number;
  readonly firstDevice: number;
  readonly coresPerUnit: number;
  readonly perNode: number;
}

/** A running pod as its controller made it, preceded by its allocated claims where the node's devices or network cards come by DRA. */
export function makePod(
  shape: NodeShape,
  node: GeneratedNode,
  workload: Workload,
  place: PodPlace,
): readonly JsonObject[] {
  const { namespace } = workload;
  const { name, labels, owner } = identity(workload, place.ordinal);
  const uid = `uid-${namespace}-${name}`;
  const held = holdingsOf(shape, node, place);
  const claimName = (request: string) => `${name}-${request}-${workload.hash.slice(0, 5)}`;
  const pod: JsonObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace,
      uid,
      labels,
      ownerReferences: [
        { ...owner, uid: `uid-${namespace}-${owner.name}`, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      nodeName: node.name,
      ...(workload.kind === "Job" ? { restartPolicy: "Never" } : {}),
      containers: [{ name: "main", image: "pause:3.10", resources: containerResources(shape, node, place, held) }],
      tolerations: tolerations(shape),
      ...(held.length === 0
        ? {}
        : {
            resourceClaims: held.map(({ request }) => ({
              name: request,
              resourceClaimTemplateName: `${workload.name}-${request}`,
            })),
          }),
    },
    status: {
      phase: "Running",
      ...(held.length === 0
        ? {}
        : {
            resourceClaimStatuses: held.map(({ request }) => ({
              name: request,
              resourceClaimName: claimName(request),
            })),
          }),
    },
  };
  return [pod, ...held.map((one) => allocatedClaim(node, one, claimName(one.request), { namespace, name, uid }))];
}

/** What a pod holds by one claim. */
interface Holding {
  readonly request: string;
  readonly driver: string;
  readonly deviceClassName: string;
  readonly devices: readonly string[];
}

/** Devices, and all network cards for a pod that has all devices. */
function holdingsOf(shape: NodeShape, node: GeneratedNode, place: PodPlace): readonly Holding[] {
  const { accelerator, network } = shape;
  if (accelerator === undefined) return [];
  const { driver } = accelerator.model;
  const devices = Array.from({ length: place.units }, (_, index) => `gpu-${place.firstDevice + index}`);
  const whole = node.draNetwork && place.units >= accelerator.count;
  return [
    ...(node.dra ? [{ request: "gpu", driver, deviceClassName: driver, devices }] : []),
    ...(whole
      ? [
          {
            request: "nic",
            driver: NETWORK_DRIVER,
            deviceClassName: networkClass(shape).name,
            devices: network.map((_, index) => `nic-${index}`),
          },
        ]
      : []),
  ];
}

function identity(workload: Workload, ordinal: number) {
  const { kind, name, hash } = workload;
  const tail = `${hash.slice(0, 3)}${String(ordinal).padStart(2, "0")}`;
  switch (kind) {
    case "Job":
      return {
        name: `${name}-${ordinal}-${tail}`,
        owner: { apiVersion: "batch/v1", kind, name },
        labels: { "batch.kubernetes.io/job-name": name, "batch.kubernetes.io/job-completion-index": String(ordinal) },
      };
    case "RayCluster":
      return {
        name: `${name}-gpu-worker-${tail}`,
        owner: { apiVersion: "ray.io/v1", kind, name },
        labels: { "ray.io/cluster": name, "ray.io/node-type": "worker", "ray.io/group": "gpu" },
      };
    case "Deployment":
      return {
        name: `${name}-${hash}-${tail}`,
        owner: { apiVersion: "apps/v1", kind: "ReplicaSet", name: `${name}-${hash}` },
        labels: { app: name, "pod-template-hash": hash },
      };
  }
}

/** Devices with their share of the node's cores and memory, less a tenth for daemons. */
function containerResources(
  shape: NodeShape,
  node: GeneratedNode,
  place: PodPlace,
  held: readonly Holding[],
): JsonObject {
  const { accelerator } = shape;
  if (accelerator === undefined) {
    const memory = Math.max(1, Math.floor((shape.memoryGi * 0.8 * place.units) / place.perNode));
    return { requests: { cpu: String(place.units * place.coresPerUnit), memory: `${memory}Gi` } };
  }
  const share = (total: number) => Math.max(1, Math.floor((total * 0.85 * place.units) / accelerator.count));
  const requests = { cpu: String(share(shape.cpu)), memory: `${share(shape.memoryGi)}Gi` };
  const claims = held.length === 0 ? {} : { claims: held.map(({ request }) => ({ name: request })) };
  if (node.dra) return { requests, ...claims };
  const devices = {
    [accelerator.model.resource]: String(place.units),
    ...(shape.nics === undefined || node.draNetwork || place.units < accelerator.count
      ? {}
      : { [shape.nics.resource]: String(shape.nics.count) }),
  };
  return { requests: { ...requests, ...devices }, limits: devices, ...claims };
}

function tolerations(shape: NodeShape): readonly JsonObject[] {
  if (shape.accelerator === undefined) return [];
  return [{ key: shape.accelerator.model.resource, operator: "Exists", effect: "NoSchedule" }];
}

function allocatedClaim(
  node: GeneratedNode,
  { request, driver, deviceClassName, devices }: Holding,
  name: string,
  pod: { readonly namespace: string; readonly name: string; readonly uid: string },
): JsonObject {
  const results = devices.map((device) => ({ request, driver, pool: node.name, device }));
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    metadata: {
      name,
      namespace: pod.namespace,
      annotations: { "resource.kubernetes.io/pod-claim-name": request },
      ownerReferences: [
        { apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      devices: {
        requests: [
          { name: request, exactly: { deviceClassName, allocationMode: "ExactCount", count: devices.length } },
        ],
      },
    },
    status: {
      allocation: {
        devices: { results },
        nodeSelector: {
          nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: "In", values: [node.name] }] }],
        },
      },
      reservedFor: [{ resource: "pods", name: pod.name, uid: pod.uid }],
    },
  };
}
