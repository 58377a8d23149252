import { type Json, type JsonObject, objectAt, valueAt } from "../../src/model/index.ts";
import type { Inventory } from "../../src/topology/index.ts";
import { demoCluster } from "../fixtures/build-demo-cluster.ts";

/** Stands in everything that a snapshot must not carry. */
export const PRIVATE = "private-to-the-team";

export const SERVED = {
  "/api/v1": {
    nodes: "Node",
    pods: "Pod",
    namespaces: "Namespace",
    limitranges: "LimitRange",
    resourcequotas: "ResourceQuota",
    secrets: "Secret",
    configmaps: "ConfigMap",
  },
  "/apis/apps/v1": { replicasets: "ReplicaSet", statefulsets: "StatefulSet", deployments: "Deployment" },
  "/apis/batch/v1": { jobs: "Job", cronjobs: "CronJob" },
  "/apis/ray.io/v1": { rayclusters: "RayCluster", rayjobs: "RayJob" },
  "/apis/scheduling.k8s.io/v1": { priorityclasses: "PriorityClass" },
  "/apis/policy/v1": { poddisruptionbudgets: "PodDisruptionBudget" },
  "/apis/node.k8s.io/v1": { runtimeclasses: "RuntimeClass" },
  "/apis/karpenter.sh/v1": { nodepools: "NodePool" },
  "/apis/topology.node.k8s.io/v1alpha2": { noderesourcetopologies: "NodeResourceTopology" },
  "/apis/resource.k8s.io/v1": {
    deviceclasses: "DeviceClass",
    devicetaintrules: "DeviceTaintRule",
    resourceslices: "ResourceSlice",
    resourceclaims: "ResourceClaim",
    resourceclaimtemplates: "ResourceClaimTemplate",
  },
} as const;

const owned = (apiVersion: string, kind: string, name: string, above?: { kind: string; name: string; of: string }) => ({
  apiVersion,
  kind,
  metadata: {
    name,
    namespace: kind === "RayCluster" ? "team-d" : "team-a",
    uid: `uid-${name}`,
    ...(above === undefined
      ? {}
      : {
          ownerReferences: [
            {
              apiVersion: above.of,
              kind: above.kind,
              name: above.name,
              uid: `uid-${above.name}`,
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        }),
  },
  spec: { template: { spec: { containers: [{ name: "main", image: PRIVATE }] } } },
});

/** The demo's cluster as an API server would hold it: with owners, and with all that nobody here should read. */
export function liveCluster(): readonly JsonObject[] {
  const hostPod: JsonObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "exporter", namespace: "team-a", labels: { app: "exporter" } },
    spec: {
      hostNetwork: true,
      nodeName: "general-a1-r1-01",
      overhead: { cpu: "250m" },
      resources: { requests: { cpu: "3" } },
      containers: [
        {
          name: "main",
          resources: { limits: { cpu: "1", memory: "1Gi" } },
          ports: [{ containerPort: 9100, name: PRIVATE }],
        },
      ],
      initContainers: [
        { name: "first", resources: { requests: { memory: "4Gi" } } },
        {
          name: "beside",
          restartPolicy: "Always",
          resources: { requests: { memory: "1Gi" } },
          ports: [{ hostPort: 9200 }],
        },
      ],
    },
    // As its spec has it, so that nothing of it needs to be kept.
    status: {
      phase: "Running",
      conditions: [{ type: "Ready", status: "True", message: PRIVATE }],
      containerStatuses: [{ name: "main", imageID: PRIVATE, resources: { limits: { cpu: "64" } } }],
    },
  };
  const resized: JsonObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "shrinks", namespace: "team-a" },
    spec: { nodeName: "general-a1-r1-01", containers: [{ name: "main", resources: { requests: { cpu: "2" } } }] },
    status: {
      phase: "Running",
      conditions: [{ type: "PodResizePending", status: "True", reason: "Infeasible", message: PRIVATE }],
      containerStatuses: [
        {
          name: "main",
          imageID: PRIVATE,
          resources: { requests: { cpu: "7" } },
          allocatedResources: { cpu: "5" },
        },
      ],
    },
  };
  const nominated: JsonObject = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "next", namespace: "team-a" },
    spec: { containers: [{ name: "main", resources: { requests: { cpu: "2" } }, ports: [{ containerPort: 80 }] }] },
    status: { phase: "Pending", nominatedNodeName: "general-b1-r1-01" },
  };
  const template: JsonObject = {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaimTemplate",
    metadata: { name: "one-gpu", namespace: "team-a" },
    spec: {
      spec: {
        devices: {
          requests: [{ name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com" } }],
          constraints: [{ requests: ["gpu"], matchAttribute: "gpu.nvidia.com/numa" }],
        },
      },
    },
  };
  const budget: JsonObject = {
    apiVersion: "policy/v1",
    kind: "PodDisruptionBudget",
    metadata: { name: "chat", namespace: "team-a" },
    spec: { minAvailable: 1, selector: { matchLabels: { app: "chat" } } },
    status: { disruptionsAllowed: 1, disruptedPods: { "chat-1": "2026-01-01T00:00:00Z" } },
  };
  const numa: JsonObject = {
    apiVersion: "topology.node.k8s.io/v1alpha2",
    kind: "NodeResourceTopology",
    metadata: { name: "general-a1-r1-01" },
    topologyPolicies: ["None"],
    attributes: [{ name: "topologyManagerPolicy", value: "single-numa-node" }],
    zones: [
      {
        name: "node-0",
        type: "Node",
        costs: [{ name: PRIVATE, value: 10 }],
        resources: [{ name: "nvidia.com/gpu", capacity: "4", allocatable: "4", available: "3" }],
      },
    ],
  };
  return [
    ...demoCluster(),
    budget,
    numa,
    hostPod,
    nominated,
    resized,
    template,
    owned("apps/v1", "ReplicaSet", "chat-large-5d9f8c7b6d", { of: "apps/v1", kind: "Deployment", name: "chat-large" }),
    owned("apps/v1", "ReplicaSet", "chat-large-old", { of: "apps/v1", kind: "Deployment", name: "chat-large" }),
    owned("apps/v1", "Deployment", "chat-large", { of: "serving.example/v1", kind: "Model", name: "chat" }),
    owned("ray.io/v1", "RayCluster", "rollouts", { of: "ray.io/v1", kind: "RayJob", name: "rollouts-job" }),
  ].map(fat);
}

function fat(object: JsonObject): JsonObject {
  const metadata = objectAt(object, ["metadata"]);
  const marked = {
    ...object,
    metadata: {
      ...metadata,
      resourceVersion: "7",
      annotations: { note: PRIVATE },
      managedFields: [{ manager: PRIVATE }],
    },
  };
  if (object["kind"] === "Node")
    return {
      ...marked,
      status: {
        ...objectAt(object, ["status"]),
        images: [{ names: [PRIVATE] }],
        addresses: [{ type: "Hostname", address: PRIVATE }],
      },
    };
  if (object["kind"] !== "Pod") return marked;
  const spec = objectAt(object, ["spec"]);
  const containers = (spec["containers"] as readonly JsonObject[]).map((one) => ({
    ...one,
    image: PRIVATE,
    command: [PRIVATE],
    env: [{ name: "KEY", value: PRIVATE }],
    volumeMounts: [{ name: PRIVATE, mountPath: "/x" }],
  }));
  return { ...marked, spec: { ...spec, containers, volumes: [{ name: PRIVATE }], serviceAccountName: PRIVATE } };
}

/** All that an inventory says, as data: its facts are asked one by one for every object of the cluster. */
export function told(inventory: Inventory, cluster: readonly JsonObject[]) {
  const { facts } = inventory;
  const key = (object: JsonObject, field: string) => String(valueAt(object, ["metadata", field]) ?? "");
  const answers = cluster.map((object): Json | object | undefined => {
    const [name, namespace] = [key(object, "name"), key(object, "namespace")];
    switch (object["kind"]) {
      case "Namespace":
        return facts.namespace(name);
      case "RuntimeClass":
        return facts.runtimeClass(name);
      case "PriorityClass":
        return facts.priorityClass(name);
      case "DeviceClass":
        return facts.deviceClass(name);
      case "PodDisruptionBudget":
        return facts.disruptionBudgets?.(namespace).find((one) => one.name === name);
      case "NodeResourceTopology":
        return facts.numa?.get(name);
      case "ResourceClaim":
        return facts.claim(namespace, name);
      case "ResourceClaimTemplate":
        return facts.claimTemplate(namespace, name);
      default:
        return undefined;
    }
  });
  const { nodes, pods, devicePools, claims, nodePools, capacityQuotas } = inventory;

  return {
    nodes,
    pods,
    devicePools,
    claims,
    nodePools,
    capacityQuotas,
    answers: answers.filter((one) => one !== undefined),
  };
}
