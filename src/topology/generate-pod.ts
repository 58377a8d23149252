import type { JsonObject } from "../model/index.ts";
import type { GeneratedNode } from "./generate-node.ts";
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

/** A running pod as its controller made it, preceded by its allocated claim where the node's devices come by DRA. */
export function makePod(
  shape: NodeShape,
  node: GeneratedNode,
  workload: Workload,
  place: PodPlace,
): readonly JsonObject[] {
  const { namespace } = workload;
  const { name, labels, owner } = identity(workload, place.ordinal);
  const uid = `uid-${namespace}-${name}`;
  const claim = node.dra ? `${name}-gpu-${workload.hash.slice(0, 5)}` : undefined;
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
      containers: [{ name: "main", image: "pause:3.10", resources: containerResources(shape, node, place) }],
      tolerations: tolerations(shape),
      ...(claim === undefined
        ? {}
        : { resourceClaims: [{ name: "gpu", resourceClaimTemplateName: `${workload.name}-gpu` }] }),
    },
    status: {
      phase: "Running",
      ...(claim === undefined ? {} : { resourceClaimStatuses: [{ name: "gpu", resourceClaimName: claim }] }),
    },
  };
  return claim === undefined ? [pod] : [pod, allocatedClaim(shape, node, claim, { namespace, name, uid }, place)];
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
function containerResources(shape: NodeShape, node: GeneratedNode, place: PodPlace): JsonObject {
  const { accelerator } = shape;
  if (accelerator === undefined) {
    const memory = Math.max(1, Math.floor((shape.memoryGi * 0.8 * place.units) / place.perNode));
    return { requests: { cpu: String(place.units * place.coresPerUnit), memory: `${memory}Gi` } };
  }
  const share = (total: number) => Math.max(1, Math.floor((total * 0.85 * place.units) / accelerator.count));
  const requests = { cpu: String(share(shape.cpu)), memory: `${share(shape.memoryGi)}Gi` };
  if (node.dra) return { requests, claims: [{ name: "gpu" }] };
  const devices = {
    [accelerator.model.resource]: String(place.units),
    ...(shape.nics === undefined || place.units < accelerator.count
      ? {}
      : { [shape.nics.resource]: String(shape.nics.count) }),
  };
  return { requests: { ...requests, ...devices }, limits: devices };
}

function tolerations(shape: NodeShape): readonly JsonObject[] {
  if (shape.accelerator === undefined) return [];
  return [{ key: shape.accelerator.model.resource, operator: "Exists", effect: "NoSchedule" }];
}

function allocatedClaim(
  shape: NodeShape,
  node: GeneratedNode,
  name: string,
  pod: { readonly namespace: string; readonly name: string; readonly uid: string },
  place: PodPlace,
): JsonObject {
  const driver = shape.accelerator?.model.driver ?? "";
  const results = Array.from({ length: place.units }, (_, index) => ({
    request: "gpu",
    driver,
    pool: node.name,
    device: `gpu-${place.firstDevice + index}`,
  }));
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaim",
    metadata: {
      name,
      namespace: pod.namespace,
      annotations: { "resource.kubernetes.io/pod-claim-name": "gpu" },
      ownerReferences: [
        { apiVersion: "v1", kind: "Pod", name: pod.name, uid: pod.uid, controller: true, blockOwnerDeletion: true },
      ],
    },
    spec: {
      devices: {
        requests: [
          { name: "gpu", exactly: { deviceClassName: driver, allocationMode: "ExactCount", count: place.units } },
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
