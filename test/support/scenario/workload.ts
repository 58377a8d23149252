import { stringify } from "yaml";
import type { Json, JsonObject } from "../../../src/model/index.ts";
import type { SetDoc, WorkloadDoc } from "./format.ts";
import { merged } from "./merge.ts";

/** The workload as a manifest, and the ResourceClaimTemplates that it brings along. */
export function workloadObjects(doc: WorkloadDoc, className: string): readonly [JsonObject, ...JsonObject[]] {
  const { name = "w", namespace = "team-a", kind = "Job" } = doc;
  if (doc.manifest !== undefined) {
    const base = { metadata: { name, namespace, annotations: annotationsOf({ class: className, ...doc }) } };
    return [merged(base, doc.manifest) as JsonObject];
  }
  const make = Object.hasOwn(KINDS, kind) ? KINDS[kind] : undefined;
  if (make === undefined)
    throw new Error(`kind ${kind}: write its manifest, or one of ${Object.keys(KINDS).join(", ")}`);
  const { apiVersion, spec } = make(doc);
  const annotations = { ...annotationsOf({ class: className, ...doc }), ...doc.annotations };
  const metadata = { name, namespace, annotations, ...(doc.labels === undefined ? {} : { labels: doc.labels }) };
  const templates = [doc, ...Object.values(doc.sets ?? {})].flatMap((set) => claimTemplates(set, namespace));
  return [{ apiVersion, kind, metadata, spec: merged(spec, doc.spec) as JsonObject }, ...templates];
}

function annotationsOf({ class: className, intent }: Pick<SetDoc, "class" | "intent">): JsonObject {
  return {
    ...(className === undefined ? {} : { "plimsoll.dev/workload-class": className }),
    ...(intent === undefined ? {} : { "plimsoll.dev/intent": stringify(intent) }),
  };
}

type Made = { readonly apiVersion: string; readonly spec: JsonObject };
const run = { restartPolicy: "Never" };
const disruptions = { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] };

const KINDS: Readonly<Record<string, (doc: WorkloadDoc) => Made>> = {
  Job: (doc) => ({ apiVersion: "batch/v1", spec: jobSpec(doc) }),
  Deployment: (doc) => ({ apiVersion: "apps/v1", spec: elastic(doc) }),
  StatefulSet: (doc) => ({ apiVersion: "apps/v1", spec: { ...elastic(doc), serviceName: "w" } }),
  DaemonSet: (doc) => ({
    apiVersion: "apps/v1",
    spec: { selector: { matchLabels: { app: "w" } }, template: template(doc) },
  }),
  Pod: (doc) => ({ apiVersion: "v1", spec: podSpec(doc) }),
  JobSet: ({ sets = {} }) => ({
    apiVersion: "jobset.x-k8s.io/v1alpha2",
    spec: {
      replicatedJobs: Object.entries(sets).map(([name, set]) => ({
        name,
        replicas: 1,
        template: { spec: jobSpec(set) },
      })),
    },
  }),
  LeaderWorkerSet: ({ groups = 1, size = 2, sets = {}, ...doc }) => ({
    apiVersion: "leaderworkerset.x-k8s.io/v1",
    spec: {
      replicas: groups,
      leaderWorkerTemplate: {
        size,
        ...(sets["leader"] === undefined ? {} : { leaderTemplate: template(sets["leader"]) }),
        workerTemplate: template(sets["worker"] ?? doc),
      },
    },
  }),
  RayCluster: ({ sets = {} }) => ({
    apiVersion: "ray.io/v1",
    spec: {
      headGroupSpec: { rayStartParams: {}, template: template({ gpus: 0, ...sets["head"] }) },
      workerGroupSpecs: Object.entries(sets)
        .filter(([name]) => name !== "head")
        .map(([groupName, set]) => {
          const replicas = set.pods ?? 1;
          const counts = { replicas, minReplicas: replicas, maxReplicas: replicas };
          return { groupName, ...counts, rayStartParams: {}, template: template(set) };
        }),
    },
  }),
  PyTorchJob: ({ sets = {} }) => ({
    apiVersion: "kubeflow.org/v1",
    spec: {
      pytorchReplicaSpecs: Object.fromEntries(
        Object.entries(sets).map(([name, set]) => [name, { replicas: set.pods ?? 1, template: template(set) }]),
      ),
    },
  }),
};

function jobSpec(set: SetDoc): JsonObject {
  const count = set.pods ?? 1;
  return {
    parallelism: count,
    completions: count,
    completionMode: "Indexed",
    podFailurePolicy: disruptions,
    template: template({ ...set, pod: { ...run, ...set.pod } }),
  };
}

function elastic(doc: WorkloadDoc): JsonObject {
  return { replicas: doc.pods ?? 1, selector: { matchLabels: { app: "w" } }, template: template(doc) };
}

function template(set: SetDoc): JsonObject {
  const annotations = set.class === undefined ? {} : annotationsOf(set);
  return {
    metadata: { labels: { app: "w" }, ...(Object.keys(annotations).length === 0 ? {} : { annotations }) },
    spec: podSpec(set),
  };
}

function podSpec({ gpus = 0, requests, claims = {}, pod = {} }: SetDoc): JsonObject {
  const device: JsonObject = gpus === 0 ? {} : { "nvidia.com/gpu": String(gpus) };
  const asked = merged({ cpu: "4", memory: "16Gi" }, requests) as Readonly<Record<string, Json>>;
  // What is counted in whole devices must have a limit.
  const extended = Object.fromEntries(Object.entries(asked).filter(([name]) => name.includes("/")));
  const names = Object.keys(claims);
  const resources: JsonObject = {
    requests: { ...asked, ...device },
    limits: { ...extended, ...device },
    ...(names.length === 0 ? {} : { claims: names.map((name) => ({ name })) }),
  };
  const own = {
    containers: [{ name: "main", image: "pytorch/pytorch:2.9.0", resources }],
    ...(names.length === 0
      ? {}
      : {
          resourceClaims: Object.entries(claims).map(([name, one]) =>
            typeof one === "string" && !isCount(one)
              ? { name, resourceClaimName: one }
              : { name, resourceClaimTemplateName: name },
          ),
        }),
  };
  return merged(own, pod) as JsonObject;
}

const isCount = (text: string) => /^(\d+|all) /.test(text);

/** `2 gpu.nvidia.com` or the devices of a claim's spec make a template of the claim's name; any other text names a claim that exists. */
function claimTemplates({ claims = {} }: SetDoc, namespace: string): readonly JsonObject[] {
  return Object.entries(claims).flatMap(([name, one]) => {
    if (typeof one === "string" && !isCount(one)) return [];
    const devices = typeof one === "string" ? requestOf(one) : one;
    const metadata = { name, namespace };
    return [{ apiVersion: "resource.k8s.io/v1", kind: "ResourceClaimTemplate", metadata, spec: { spec: { devices } } }];
  });
}

function requestOf(text: string): JsonObject {
  const [count = "1", deviceClassName = ""] = text.split(" ");
  const amount = count === "all" ? { allocationMode: "All" } : { count: Number(count) };
  return { requests: [{ name: "devices", exactly: { deviceClassName, ...amount } }] };
}
