import { stringify } from "yaml";
import { isObject, type Json, type JsonObject, objectAt, stringAt } from "../../../src/model/index.ts";
import { demoCluster } from "../../fixtures/build-demo-cluster.ts";
import type { ControlPlane } from "../controlplane/index.ts";
import { makeGpuCluster } from "./cluster.ts";
import { eventually, quiescent } from "./wait.ts";

const MADE_FIRST = ["Namespace", "DeviceClass", "Node", "ResourceSlice"];
/** Claims that the examples expect to be there already are of this class. */
const SHARED_STORAGE = "shared";
const SETTINGS = ["LimitRange", "ResourceQuota", "PriorityClass", "RuntimeClass"];

/**
 * The bundled demo cluster in a control plane, with its busy pods bound by the scheduler, each to the node that it has in the file, and
 * with the service accounts and volumes that `workloads` name. Left out: Karpenter's own objects, and pods that are over or on their way out.
 * Returns the pods, all of them bound.
 */
export async function makeDemoCluster(
  cp: ControlPlane,
  workloads: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const items = demoCluster();
  const of = (kinds: readonly string[]) => items.filter((item) => kinds.includes(stringAt(item, ["kind"]) ?? ""));
  await makeGpuCluster(cp, of(MADE_FIRST));
  await apply(cp, [...of(SETTINGS).map(withoutStatus), ...needsOf(workloads)]);
  await apply(cp, [...of(["ResourceClaim"]).map(withoutStatus), ...of(["Pod"]).flatMap(asCreated)]);
  const pods = await quiescent(cp);
  const left = pods.filter((pod) => stringAt(pod, ["spec", "nodeName"]) === undefined);
  if (left.length > 0)
    throw new Error(`not bound: ${left.map((pod) => stringAt(pod, ["metadata", "name"])).join(", ")}`);
  return pods;
}

/** Pods are refused for a moment in a new namespace, until it has its default service account. */
async function apply(cp: ControlPlane, objects: readonly JsonObject[]): Promise<void> {
  const stdin = objects.map((one) => stringify(one, { aliasDuplicateObjects: false })).join("---\n");
  await eventually(async () => {
    const { code, stderr } = await cp.kubectl(["apply", "--server-side", "-f", "-"], { stdin });
    if (code !== 0) throw new Error(stderr);
    return true;
  });
}

function withoutStatus({ status: _, ...object }: JsonObject): JsonObject {
  return object;
}

/** The pod as somebody made it before it was bound. Its controller is not there, and the garbage collector would take it away for that. */
function asCreated(pod: JsonObject): readonly JsonObject[] {
  const over = stringAt(pod, ["status", "phase"]) === "Succeeded";
  if (over || stringAt(pod, ["metadata", "deletionTimestamp"]) !== undefined) return [];
  const { nodeName, ...spec } = objectAt(pod, ["spec"]) ?? {};
  const { ownerReferences: _, uid: __, ...metadata } = objectAt(pod, ["metadata"]) ?? {};
  const nodeSelector = { "kubernetes.io/hostname": String(nodeName) };
  const whole = { ...withoutStatus(pod), metadata, spec: { ...spec, nodeSelector } };
  return [withLimits(whole)];
}

/** The API server takes a request of an extended resource only with an equal limit, and the namespace's default limit of memory is a small one. */
function withLimits(pod: JsonObject): JsonObject {
  const spec = objectAt(pod, ["spec"]) ?? {};
  const containers = (spec["containers"] as readonly JsonObject[]).map((container): Json => {
    const requests = objectAt(container, ["resources", "requests"]) ?? {};
    const limits = Object.fromEntries(Object.entries(requests).filter(([name]) => name !== "cpu"));
    return { ...container, resources: { requests, limits } };
  });
  return { ...pod, spec: { ...spec, containers } };
}

/** What pods of these workloads could not be made or scheduled without: service accounts, volume claims and storage classes. */
function needsOf(workloads: readonly JsonObject[]): readonly JsonObject[] {
  const needs = new Map<string, JsonObject>();
  const need = (object: JsonObject) => needs.set(JSON.stringify(object), object);
  need(storageClass(SHARED_STORAGE, "Immediate"));
  for (const workload of workloads) {
    const namespace = stringAt(workload, ["metadata", "namespace"]) ?? "default";
    visit(workload, (object) => {
      const account = stringAt(object, ["serviceAccountName"]);
      if (account !== undefined)
        need({ apiVersion: "v1", kind: "ServiceAccount", metadata: { name: account, namespace } });
      const claim = stringAt(object, ["persistentVolumeClaim", "claimName"]);
      if (claim !== undefined) need(sharedVolume(namespace, claim));
      const storage = stringAt(object, ["storageClassName"]);
      if (storage !== undefined) need(storageClass(storage, "WaitForFirstConsumer"));
    });
  }
  return [...needs.values()];
}

function visit(value: Json, see: (object: JsonObject) => void): void {
  if (Array.isArray(value)) for (const one of value) visit(one, see);
  if (!isObject(value)) return;
  see(value);
  for (const one of Object.values(value)) visit(one ?? null, see);
}

function storageClass(name: string, volumeBindingMode: "Immediate" | "WaitForFirstConsumer"): JsonObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: { name },
    provisioner: "plimsoll.dev/simulated",
    volumeBindingMode,
  };
}

function sharedVolume(namespace: string, name: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: { name, namespace },
    spec: {
      storageClassName: SHARED_STORAGE,
      accessModes: ["ReadWriteMany"],
      resources: { requests: { storage: "1Ti" } },
    },
  };
}
