import { type JsonObject, objectAt, stringAt } from "../../src/model/index.ts";
import { generateCluster } from "../../src/topology/index.ts";
import type { Collection } from "./synthetic.ts";

/** Eight GPUs each, in racks of ten. */
export function nodesOf(count: number): readonly JsonObject[] {
  const racks = count / 10;
  const blocks = Math.max(1, Math.round(racks / 25));
  const items = generateCluster({
    shape: "p5.48xlarge",
    zones: 1,
    blocks,
    racks: Math.ceil(racks / blocks),
    nodesPerRack: 10,
    fill: 0,
    seed: 7,
    capacityType: "reserved",
  });
  return items.filter((item) => item["kind"] === "Node").slice(0, count);
}

const kubelet = (manager: string): JsonObject => ({
  manager,
  operation: "Update",
  apiVersion: "v1",
  time: "2026-01-01T00:00:00Z",
  fieldsType: "FieldsV1",
  fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:app": {} } }, "f:spec": { "f:containers": {} } },
});

/** As large as pods are in real clusters: environment, volumes, managed fields, status. */
export function podAt(index: number, nodes: readonly string[], version = 1): JsonObject {
  const workload = Math.floor(index / 8);
  const owner = `train-${workload}`;
  return {
    metadata: {
      name: `${owner}-${index % 8}`,
      namespace: `team-${workload % 40}`,
      uid: `00000000-0000-4000-8000-${String(index).padStart(12, "0")}`,
      resourceVersion: String(version),
      labels: { app: owner, "batch.kubernetes.io/job-name": owner, "plimsoll.dev/class": "training-gang" },
      ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: owner, uid: `job-${workload}`, controller: true }],
      managedFields: [kubelet("kube-controller-manager"), kubelet("kubelet"), kubelet("kube-scheduler")],
    },
    spec: {
      nodeName: nodes[index % nodes.length] ?? "",
      containers: [
        {
          name: "main",
          image: "training/trainer:1.0",
          env: Array.from({ length: 20 }, (_, number) => ({ name: `SETTING_${number}`, value: `value-${number}` })),
          resources: { requests: { cpu: "500m", memory: "2Gi" }, limits: { memory: "2Gi" } },
          volumeMounts: [{ name: "token", mountPath: "/var/run/secrets/kubernetes.io/serviceaccount" }],
        },
      ],
      volumes: [{ name: "token", projected: { sources: [{ serviceAccountToken: { path: "token" } }] } }],
      tolerations: [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
      priority: 0,
    },
    status: {
      phase: "Running",
      conditions: [
        { type: "Ready", status: "True" },
        { type: "PodScheduled", status: "True" },
      ],
    },
  };
}

export function collectionsOf(nodes: readonly JsonObject[], pods: number): readonly Collection[] {
  const names = nodes.map((node) => stringAt(node, ["metadata", "name"]) ?? "");
  const jobs = Math.ceil(pods / 8);
  const core = { group: "", version: "v1" };
  return [
    { ...core, path: "/api/v1/nodes", kind: "Node", plural: "nodes", size: nodes.length, at: (at) => nodes[at] ?? {} },
    { ...core, path: "/api/v1/pods", kind: "Pod", plural: "pods", size: pods, at: (at) => podAt(at, names) },
    {
      ...core,
      path: "/api/v1/namespaces",
      kind: "Namespace",
      plural: "namespaces",
      size: 40,
      at: (at) => ({ metadata: { name: `team-${at}`, labels: {} } }),
    },
    {
      group: "batch",
      version: "v1",
      path: "/apis/batch/v1/jobs",
      kind: "Job",
      plural: "jobs",
      size: jobs,
      at: (at) => ({
        metadata: { name: `train-${at}`, namespace: `team-${at % 40}`, uid: `job-${at}`, resourceVersion: "1" },
        spec: { parallelism: 8, completions: 8, template: { spec: objectAt(podAt(at * 8, names), ["spec"]) } },
      }),
    },
  ];
}
