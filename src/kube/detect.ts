import { arrayAt, type JsonObject, parseVersion, stringAt, stringMapAt, versionText } from "../model/index.ts";
import { type Discovery, discover } from "./discovery.ts";
import { isStatus } from "./fault.ts";
import type { Kube } from "./types.ts";

/** A component that a cluster may have, and by what it is known. */
interface Component {
  readonly name: string;
  readonly group: string;
  readonly kind: string;
  /** Values of the label app.kubernetes.io/name on its Deployment. */
  readonly deployments: readonly string[];
}

const NUMA_OBJECTS = "NodeResourceTopology";

const COMPONENTS: readonly Component[] = [
  { name: "Kueue", group: "kueue.x-k8s.io", kind: "ClusterQueue", deployments: ["kueue"] },
  { name: "Karpenter", group: "karpenter.sh", kind: "NodePool", deployments: ["karpenter"] },
  {
    name: "Cluster Autoscaler",
    group: "autoscaling.x-k8s.io",
    kind: "ProvisioningRequest",
    deployments: ["cluster-autoscaler", "aws-cluster-autoscaler", "clusterapi-cluster-autoscaler"],
  },
  { name: "KEDA", group: "keda.sh", kind: "ScaledObject", deployments: ["keda-operator"] },
  { name: "KubeRay", group: "ray.io", kind: "RayCluster", deployments: ["kuberay-operator"] },
  { name: "JobSet", group: "jobset.x-k8s.io", kind: "JobSet", deployments: ["jobset"] },
  { name: "LeaderWorkerSet", group: "leaderworkerset.x-k8s.io", kind: "LeaderWorkerSet", deployments: ["lws"] },
  {
    name: "Kubeflow Trainer",
    group: "trainer.kubeflow.org",
    kind: "TrainJob",
    deployments: ["trainer", "kubeflow-trainer"],
  },
  // Written by node-feature-discovery or an exporter of its own, of which neither is a Deployment.
  { name: NUMA_OBJECTS, group: "topology.node.k8s.io", kind: NUMA_OBJECTS, deployments: [] },
];
const DRA = "resource.k8s.io";
const SCHEDULING = "scheduling.k8s.io";
const EKS_AUTO = "eks.amazonaws.com";
/** The first that served ClusterQueue in v1beta1: Kueue is there, and its version cannot be seen. */
const OLDEST_KUEUE = "0.4.0";

export interface DetectedComponent {
  readonly name: string;
  /** As its Deployment tells it; undefined: it does not. */
  readonly version: string | undefined;
  /** The versions in which its API is served, the server's preferred one first; none: the API is not there. */
  readonly apis: readonly string[];
}

/** What a cluster says of itself. */
export interface DetectedPlatform {
  /** A fragment of a Platform's spec: `loadCatalogue` lays it under the platform file. */
  readonly spec: JsonObject;
  readonly components: readonly DetectedComponent[];
  /** Versions of resource.k8s.io that are served. */
  readonly deviceApis: readonly string[];
  /** What could not be seen, one sentence each. */
  readonly notes: readonly string[];
}

/**
 * Reads `/version`, discovery, and the labels of Deployments of the components that it knows (those may be forbidden: their versions are unknown then).
 * A gate that no API shows (TopologyAwareWorkloadScheduling) is left to the platform file. Throws KubeFault.
 */
export async function detectPlatform(kube: Kube): Promise<DetectedPlatform> {
  const groups = new Set([...COMPONENTS.map(({ group }) => group), SCHEDULING, DRA, EKS_AUTO]);
  const [version, discovery] = [await kube.get("/version"), await discover(kube, groups)];
  const notes: string[] = [];
  const deployments = await readDeployments(kube, notes);
  const components = COMPONENTS.flatMap((one): DetectedComponent[] => {
    const apis = versionsOf(discovery, one.group, one.kind);
    const deployment = deployments.find(({ name }) => one.deployments.includes(name));
    return apis.length === 0 && deployment === undefined
      ? []
      : [{ name: one.name, version: deployment?.version, apis }];
  });
  const kubernetes = kubernetesOf(version, discovery, notes);
  const autoscaler = autoscalerOf(version, discovery, components, deployments);
  const kueue = components.find(({ name }) => name === "Kueue");
  if (kueue !== undefined && kueue.version === undefined)
    notes.push(`Kueue is there, but its version cannot be seen: at least ${OLDEST_KUEUE} is taken.`);
  if (components.some(({ name }) => name === NUMA_OBJECTS))
    notes.push(
      "NodeResourceTopologies are served. Which schedulers filter by them (NodeResourceTopologyMatch) cannot be seen: name them in scheduler.numaAware.",
    );
  return {
    spec: {
      ...(kubernetes === undefined ? {} : { kubernetes }),
      ...(autoscaler === undefined ? {} : { autoscaler }),
      ...(kueue === undefined ? {} : { kueue: { version: kueue.version ?? OLDEST_KUEUE } }),
    },
    components,
    deviceApis: versionsOf(discovery, DRA, "ResourceSlice"),
    notes,
  };
}

function versionsOf(discovery: Discovery, group: string, kind: string): readonly string[] {
  return discovery.versions(group).filter((version) => discovery.plural(group, version, kind) !== undefined);
}

/** An emulated version decides what is served and how it behaves, so it is the one that counts. */
function kubernetesOf(version: JsonObject, discovery: Discovery, notes: string[]): JsonObject | undefined {
  const built = parseVersion(stringAt(version, ["gitVersion"]) ?? "");
  const emulated = `${stringAt(version, ["emulationMajor"]) ?? ""}.${stringAt(version, ["emulationMinor"]) ?? ""}`;
  const asked = parseVersion(emulated) ?? built;
  if (asked === undefined) {
    notes.push("The server's /version names no version.");
    return undefined;
  }
  const same = built?.major === asked.major && built.minor === asked.minor;
  // The gate serves the API: the scheduler's own is taken to be the same.
  const groups = versionsOf(discovery, SCHEDULING, "PodGroup").length > 0;
  return {
    version: versionText(same && built !== undefined ? built : asked),
    ...(groups ? { featureGates: { GenericWorkload: true } } : {}),
  };
}

function autoscalerOf(
  version: JsonObject,
  discovery: Discovery,
  components: readonly DetectedComponent[],
  deployments: readonly Deployment[],
): JsonObject | undefined {
  const karpenter = components.find(({ name }) => name === "Karpenter");
  const classic = components.find(({ name }) => name === "Cluster Autoscaler");
  const requests = classic !== undefined && classic.apis.length > 0;
  const numbered = (one: DetectedComponent | undefined) => (one?.version === undefined ? {} : { version: one.version });
  if (stringAt(version, ["gitVersion"])?.includes("-gke.") === true)
    return { kind: "gke", provisioningRequests: requests };
  if (karpenter !== undefined) {
    const managed = karpenter.version === undefined && discovery.versions(EKS_AUTO).length > 0;
    return managed ? { kind: "eks-auto" } : { kind: "karpenter", ...numbered(karpenter) };
  }
  if (classic === undefined) return undefined;
  // The definition alone does not say that the flag is set.
  const flag = deployments.some(({ arguments: list }) => list.includes("--enable-provisioning-requests=true"));
  return { kind: "cluster-autoscaler", ...numbered(classic), provisioningRequests: requests && flag };
}

interface Deployment {
  readonly name: string;
  readonly version: string | undefined;
  readonly arguments: readonly string[];
}

async function readDeployments(kube: Kube, notes: string[]): Promise<readonly Deployment[]> {
  const names = COMPONENTS.flatMap(({ deployments }) => deployments);
  const labelSelector = `app.kubernetes.io/name in (${names.join(",")})`;
  try {
    return await kube.list("/apis/apps/v1/deployments", deploymentOf, { labelSelector });
  } catch (fault) {
    if (!isStatus(fault, 403, 404)) throw fault;
    notes.push("Deployments may not be listed, so the versions of components are not known.");
    return [];
  }
}

function deploymentOf(object: JsonObject): Deployment {
  const labels = stringMapAt(object, ["metadata", "labels"]);
  const containers = arrayAt(object, ["spec", "template", "spec", "containers"]);
  const texts = [
    labels["app.kubernetes.io/version"],
    ...containers.map((one) => tagOf(stringAt(one, ["image"]) ?? "")),
  ];
  const version = texts.map((text) => parseVersion(text ?? "")).find((one) => one !== undefined);
  return {
    name: labels["app.kubernetes.io/name"] ?? "",
    version: version === undefined ? undefined : versionText(version),
    arguments: containers.flatMap((one) =>
      [...arrayAt(one, ["command"]), ...arrayAt(one, ["args"])].filter((text) => typeof text === "string"),
    ),
  };
}

/** `v1.2.3` of `host:5000/name:v1.2.3@sha256:…`. */
function tagOf(image: string): string {
  const [named = ""] = image.split("@");
  return named.slice(named.lastIndexOf("/") + 1).split(":")[1] ?? "";
}
