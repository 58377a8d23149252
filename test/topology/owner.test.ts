import { describe, expect, test } from "vitest";
import type { JsonObject } from "../../src/model/index.ts";
import { inventoryFrom, sameObject } from "../../src/topology/index.ts";

type Owner = readonly [apiVersion: string, kind: string, name: string];

const owned = (by: Owner | undefined) =>
  by === undefined ? [] : [{ apiVersion: by[0], kind: by[1], name: by[2], uid: `uid-${by[2]}`, controller: true }];
const pod = (by: Owner | undefined, labels: JsonObject = {}): JsonObject => ({
  apiVersion: "v1",
  kind: "Pod",
  metadata: { name: "p-0", namespace: "n", labels, ownerReferences: owned(by) },
  spec: { nodeName: "a", containers: [] },
});
const object = ([apiVersion, kind, name]: Owner, by?: Owner): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name, namespace: "n", ownerReferences: owned(by) },
});

const replicaSet: Owner = ["apps/v1", "ReplicaSet", "web-5d9f8c7b6d"];
const job: Owner = ["batch/v1", "Job", "train-0"];

function root(objects: readonly JsonObject[]): string {
  const { value } = inventoryFrom(objects);
  const found = value?.pods[0]?.root;
  return found === undefined ? "none" : `${found.apiVersion} ${found.kind} ${found.name}`;
}

describe("the workload that a pod belongs to in the end", () => {
  test.each<[string, readonly JsonObject[], string]>([
    ["a pod without owner is its own", [pod(undefined)], "v1 Pod p-0"],
    ["a Job, named by its pod", [pod(job)], "batch/v1 Job train-0"],
    [
      "a Deployment, through its ReplicaSet",
      [pod(replicaSet), object(replicaSet, ["apps/v1", "Deployment", "web"])],
      "apps/v1 Deployment web",
    ],
    [
      "a Deployment, by the template hash where the ReplicaSet is not given",
      [pod(replicaSet, { "pod-template-hash": "5d9f8c7b6d" })],
      "apps/v1 Deployment web",
    ],
    [
      "a ReplicaSet that is given and has no owner",
      [pod(replicaSet, { "pod-template-hash": "5d9f8c7b6d" }), object(replicaSet)],
      "apps/v1 ReplicaSet web-5d9f8c7b6d",
    ],
    [
      "a ReplicaSet whose name does not end in the hash",
      [pod(replicaSet, { "pod-template-hash": "other" })],
      "apps/v1 ReplicaSet web-5d9f8c7b6d",
    ],
    [
      "a Job of a CronJob is a workload of its own",
      [pod(job), object(job, ["batch/v1", "CronJob", "nightly"])],
      "batch/v1 Job train-0",
    ],
    [
      "a JobSet, by label",
      [pod(job, { "jobset.sigs.k8s.io/jobset-name": "train" })],
      "jobset.x-k8s.io/v1alpha2 JobSet train",
    ],
    [
      "a TrainJob, through its JobSet, by label and owner",
      [
        pod(job, { "jobset.sigs.k8s.io/jobset-name": "train" }),
        object(["jobset.x-k8s.io/v1alpha2", "JobSet", "train"], ["trainer.kubeflow.org/v1alpha1", "TrainJob", "tune"]),
      ],
      "trainer.kubeflow.org/v1alpha1 TrainJob tune",
    ],
    [
      "a LeaderWorkerSet, by label",
      [pod(["apps/v1", "StatefulSet", "serve-0"], { "leaderworkerset.sigs.k8s.io/name": "serve" })],
      "leaderworkerset.x-k8s.io/v1 LeaderWorkerSet serve",
    ],
    [
      "a RayJob, through its cluster",
      [
        pod(["ray.io/v1", "RayCluster", "r-x"], { "ray.io/cluster": "r-x" }),
        object(["ray.io/v1", "RayCluster", "r-x"], ["ray.io/v1", "RayJob", "r"]),
      ],
      "ray.io/v1 RayJob r",
    ],
    [
      "a RayCluster that is not given",
      [pod(["ray.io/v1", "RayCluster", "r-x"], { "ray.io/cluster": "r-x" })],
      "ray.io/v1 RayCluster r-x",
    ],
    [
      "a RayService, by the label of its origin",
      [
        pod(["ray.io/v1", "RayCluster", "r-x"], {
          "ray.io/cluster": "r-x",
          "ray.io/originated-from-crd": "RayService",
          "ray.io/originated-from-cr-name": "r",
        }),
      ],
      "ray.io/v1 RayService r",
    ],
    [
      "an MPIJob, whose launcher is a Job",
      [
        pod(["batch/v1", "Job", "m-launcher"], {
          "training.kubeflow.org/job-name": "m",
          "training.kubeflow.org/operator-name": "mpi-operator",
        }),
      ],
      "kubeflow.org/v1 MPIJob m",
    ],
    [
      "a Spark executor, owned by its driver",
      [pod(["v1", "Pod", "app-driver"], { "sparkoperator.k8s.io/app-name": "app" })],
      "sparkoperator.k8s.io/v1beta2 SparkApplication app",
    ],
    [
      "a Job named by label on a pod without owner",
      [pod(undefined, { "batch.kubernetes.io/job-name": "train" })],
      "batch/v1 Job train",
    ],
    ["a static pod, which its node owns", [pod(["v1", "Node", "a"])], "v1 Pod p-0"],
    ["a controller that nobody knows: the pod itself", [pod(["example.com/v1", "Thing", "t"])], "v1 Pod p-0"],
    [
      "a Deployment that an unknown controller made",
      [
        pod(replicaSet),
        object(replicaSet, ["apps/v1", "Deployment", "web"]),
        object(["apps/v1", "Deployment", "web"], ["example.com/v1", "Thing", "t"]),
      ],
      "apps/v1 Deployment web",
    ],
  ])("%s", (_name, objects, expected) => {
    expect(root(objects)).toBe(expected);
  });

  test("owners in a circle end the climb", () => {
    const a: Owner = ["apps/v1", "Deployment", "a"];
    const b: Owner = ["apps/v1", "Deployment", "b"];
    expect(root([pod(a), object(a, b), object(b, a)])).toMatch(/^apps\/v1 Deployment [ab]$/);
  });

  test("a caller may know more kinds", () => {
    const climbs = (owner: { readonly kind: string }) => owner.kind === "Thing";
    const { value } = inventoryFrom([pod(["example.com/v1", "Thing", "t"])], { climbs });
    expect(value?.pods[0]?.root.kind).toBe("Thing");
  });

  test("the same object under another version is the same", () => {
    const key = { apiVersion: "ray.io/v1", kind: "RayJob", namespace: "n", name: "r" };
    expect(sameObject(key, { ...key, apiVersion: "ray.io/v1alpha1" })).toBe(true);
    expect(sameObject(key, { ...key, apiVersion: "other.io/v1" })).toBe(false);
    expect(sameObject(key, { ...key, namespace: "m" })).toBe(false);
  });
});
