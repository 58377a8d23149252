import { arrayAt, stringAt } from "../model/index.ts";
import { isStatus } from "./fault.ts";
import type { Kube } from "./types.ts";

/** A kind of object that an inventory is read from, and where the API server keeps it. */
export interface Resource {
  readonly kind: string;
  /** As a path names it: `resourceslices`. */
  readonly plural: string;
  /** The core group is the empty text. */
  readonly group: string;
  /** Versions that can be read, best first. */
  readonly versions: readonly string[];
  readonly fieldSelector?: string;
}

const DEVICES = { group: "resource.k8s.io", versions: ["v1", "v1beta2", "v1beta1"] } as const;
const KUEUE = { group: "kueue.x-k8s.io", versions: ["v1beta2", "v1beta1"] } as const;
const CORE = { group: "", versions: ["v1"] } as const;

/** Kinds that `readInventory` reads. Secrets and ConfigMaps are none of them. */
export const RESOURCES: readonly Resource[] = [
  { kind: "Namespace", plural: "namespaces", ...CORE },
  { kind: "LimitRange", plural: "limitranges", ...CORE },
  { kind: "ResourceQuota", plural: "resourcequotas", ...CORE },
  { kind: "PriorityClass", plural: "priorityclasses", group: "scheduling.k8s.io", versions: ["v1"] },
  { kind: "RuntimeClass", plural: "runtimeclasses", group: "node.k8s.io", versions: ["v1"] },
  { kind: "PodDisruptionBudget", plural: "poddisruptionbudgets", group: "policy", versions: ["v1"] },
  { kind: "Node", plural: "nodes", ...CORE },
  { kind: "NodePool", plural: "nodepools", group: "karpenter.sh", versions: ["v1", "v1beta1"] },
  { kind: "CapacityQuota", plural: "capacityquotas", group: "autoscaling.x-k8s.io", versions: ["v1beta1", "v1alpha1"] },
  {
    kind: "NodeResourceTopology",
    plural: "noderesourcetopologies",
    group: "topology.node.k8s.io",
    versions: ["v1alpha2", "v1alpha1"],
  },
  { kind: "LocalQueue", plural: "localqueues", ...KUEUE },
  { kind: "ClusterQueue", plural: "clusterqueues", ...KUEUE },
  { kind: "Cohort", plural: "cohorts", ...KUEUE },
  { kind: "ResourceFlavor", plural: "resourceflavors", ...KUEUE },
  { kind: "DeviceClass", plural: "deviceclasses", ...DEVICES },
  {
    kind: "DeviceTaintRule",
    plural: "devicetaintrules",
    group: "resource.k8s.io",
    versions: ["v1", "v1beta2", "v1alpha3"],
  },
  { kind: "ResourceSlice", plural: "resourceslices", ...DEVICES },
  { kind: "ResourceClaimTemplate", plural: "resourceclaimtemplates", ...DEVICES },
  { kind: "ResourceClaim", plural: "resourceclaims", ...DEVICES },
  // Pods that have ended hold nothing, and a cluster of batch jobs is full of them.
  { kind: "Pod", plural: "pods", ...CORE, fieldSelector: "status.phase!=Succeeded,status.phase!=Failed" },
];

/** `/api/v1`, `/apis/apps/v1`. */
export function basePath(apiVersion: string): string {
  return apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
}

/**
 * Which versions of each group the server serves. It must be asked before a kind is: to somebody who may not read a kind, the
 * answer is 403 whether or not there is such a kind. Undefined where even that is forbidden. Throws KubeFault.
 */
export async function servedVersions(kube: Kube): Promise<ReadonlyMap<string, ReadonlySet<string>> | undefined> {
  try {
    const groups = new Map<string, ReadonlySet<string>>([["", new Set(["v1"])]]);
    for (const group of arrayAt(await kube.get("/apis"), ["groups"])) {
      const versions = arrayAt(group, ["versions"]).map((one) => stringAt(one, ["version"]) ?? "");
      groups.set(stringAt(group, ["name"]) ?? "", new Set(versions));
    }
    return groups;
  } catch (fault) {
    if (isStatus(fault, 403, 404)) return undefined;
    throw fault;
  }
}
