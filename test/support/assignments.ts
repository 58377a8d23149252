import type { Hold, JsonObject, Placed, PodSetDemand } from "../../src/model/index.ts";
import { type ClusterBuilder, cluster } from "./cluster.ts";
import { deviceRequest, podSet, type SetOptions } from "./demand.ts";
import { DRIVER } from "./device-cases.ts";

export const put = (node: string, pods: number, extra: Partial<Placed> = {}): Placed => ({
  podSet: "main",
  node,
  pods,
  ...extra,
});
export const main = (options: SetOptions): PodSetDemand => podSet("main", options);
export const given = (node: string, ...pods: readonly (readonly string[])[]): Placed =>
  put(node, pods.length, { devices: pods.map((list) => list.map((name) => `${DRIVER}/${name}`)) });
export const asking = (pods: number, ...devices: Parameters<typeof deviceRequest>[]): readonly PodSetDemand[] => [
  main({ required: pods, pod: { devices: devices.map((each) => deviceRequest(...each)) } }),
];
export const slice = (name: string, spec: JsonObject): JsonObject => ({
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name },
  spec: { driver: DRIVER, nodeName: "n-1", ...spec },
});
export const one = (): ClusterBuilder => cluster().node("n-1", (node) => node.cpu(64).memory("512Gi"));
export const dra = (count = 4, patch?: (device: JsonObject, index: number) => JsonObject): ClusterBuilder =>
  cluster()
    .nodes("n", 2, (node) => node.dra("h100", count, patch).untainted())
    .object();
export const hold = (extra: Partial<Hold["placed"][number]>, newNodes: Hold["newNodes"] = []): Hold => ({
  workload: { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "other" },
  tenant: "team-t",
  takenAtMs: 0,
  placed: [{ podSet: "main", node: "n-1", pods: 1, requests: {}, devices: [], accelerators: 0, charged: {}, ...extra }],
  newNodes,
});
