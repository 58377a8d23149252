import { describe, expect, test } from "vitest";
import { arrayAt, type Json, stringAt, valueAt } from "../../src/model/index.ts";
import { containerPath, editable, fieldPath, type PodField, type Workload } from "../../src/workloads/index.ts";
import { cronJob, deployment, job, jobSet, pod, pytorchJob, rayCluster, volcanoJob } from "../support/workloads.ts";
import { fixture, fixtureNames, read, setNamed, withValue } from "./fixtures.ts";

const SAMPLES: Readonly<Partial<Record<PodField, Json>>> = {
  labels: { "example.com/probe": "yes" },
  annotations: { "example.com/probe": "yes" },
  nodeSelector: { "example.com/probe": "yes" },
  affinity: { nodeAffinity: { probe: true } },
  tolerations: [{ key: "example.com/probe", operator: "Exists" }],
  topologySpreadConstraints: [{ topologyKey: "example.com/probe" }],
  resourceClaims: [{ name: "probe" }],
  priorityClassName: "probe",
  terminationGracePeriodSeconds: 77,
  schedulingGroup: { podGroupName: "probe" },
};

describe("where edits go", () => {
  test.each(fixtureNames)(
    "%s: what is written at a field's place shows in that set's pods, and in no other's",
    (name) => {
      const object = fixture(name);
      const before = read(object);
      for (const set of before.podSets) {
        for (const [field, value] of Object.entries(SAMPLES) as [PodField, Json][]) {
          const path = fieldPath(set, field);
          if (path === undefined) continue;
          const after = read(withValue(object, path, value));
          for (const other of after.podSets) {
            const shown =
              field === "labels" || field === "annotations" ? other.pod[field] : valueAt(other.pod.spec, [field]);
            const seen = JSON.stringify(shown ?? null).includes(typeof value === "number" ? "77" : "probe");
            expect([field, other.name, seen]).toEqual([field, other.name, other.name === set.name]);
          }
          expect(after.podSets.map(({ name, count, path }) => ({ name, count, path }))).toEqual(
            before.podSets.map(({ name, count, path }) => ({ name, count, path })),
          );
        }
      }
    },
  );

  test("every container of a view is found in the object, except those that only the operator or a base template puts there", () => {
    const lost = fixtureNames.flatMap((name) => {
      const object = fixture(name);
      return read(object).podSets.flatMap((set) =>
        arrayAt(set.pod.spec, ["containers"])
          .map((container) => stringAt(container, ["name"]) ?? "")
          .filter((container) => containerPath(object, set, container) === undefined)
          .map((container) => `${name}: ${set.name}/${container}`),
      );
    });
    expect(lost).toEqual([
      "flink-blue-green-deployment: jobManager/flink-main-container",
      "flink-deployment: jobManager/flink-main-container",
      "flink-deployment-requests: jobManager/flink-main-container",
      "flink-deployment-requests: taskManager/flink-main-container",
      "ray-job: submitter/ray-job-submitter",
      "scheduled-spark-application: driver/spark-kubernetes-driver",
      "spark-application: driver/spark-kubernetes-driver",
      "train-job: node/node",
      "train-job-patched: node/node",
    ]);
  });

  test.each<[string, string, PodField, string | undefined]>([
    ["ray-cluster", "h100", "nodeSelector", "spec.workerGroupSpecs.0.template.spec.nodeSelector"],
    ["ray-cluster", "head", "schedulingGroup", undefined],
    ["job", "pod", "schedulingGroup", "spec.template.spec.schedulingGroup"],
    ["pod", "pod", "labels", "metadata.labels"],
    ["inference-service", "predictor", "labels", "spec.predictor.labels"],
    ["inference-service-multi-node", "predictor-worker", "labels", undefined],
    ["llm-inference-service", "prefill", "annotations", "spec.prefill.annotations"],
    ["serving-runtime", "runtime", "topologySpreadConstraints", undefined],
    ["pod-clique-set", "decode-leader", "labels", "spec.template.cliques.1.labels"],
    ["pod-clique-set", "decode-leader", "tolerations", "spec.template.cliques.1.spec.podSpec.tolerations"],
    ["workflow", "train", "priorityClassName", "spec.templates.2.priorityClassName"],
    ["workflow-by-reference", "workflow", "priorityClassName", "spec.podPriorityClassName"],
    ["workflow-by-reference", "workflow", "labels", "spec.podMetadata.labels"],
    ["workflow", "train", "resourceClaims", undefined],
    ["spark-application", "executor", "tolerations", "spec.executor.tolerations"],
    ["spark-application", "driver", "topologySpreadConstraints", "spec.driver.template.spec.topologySpreadConstraints"],
    ["flink-deployment", "jobManager", "nodeSelector", "spec.jobManager.podTemplate.spec.nodeSelector"],
    ["ray-job", "submitter", "nodeSelector", undefined],
    ["train-job", "node", "nodeSelector", undefined],
    [
      "train-job-patched",
      "node",
      "nodeSelector",
      "spec.runtimePatches.0.trainingRuntimeSpec.template.spec.replicatedJobs.0.template.spec.template.spec.nodeSelector",
    ],
    ["train-job-patched", "node", "resourceClaims", undefined],
    ["pytorch-job", "Worker", "containerResources", "spec.pytorchReplicaSpecs.Worker.template.spec.containers"],
  ])("%s, %s: %s at %s", (name, set, field, expected) => {
    expect(fieldPath(setNamed(read(fixture(name)), set), field)?.join(".")).toBe(expected);
  });

  test("a container is found in the template, in a short form, and in lists beside it", () => {
    const at = (name: string, set: string, container: string) =>
      containerPath(fixture(name), setNamed(read(fixture(name)), set), container)?.join(".");
    expect(at("inference-service", "predictor", "model")).toBe("spec.predictor.model");
    expect(at("inference-service", "predictor", "agent")).toBe("spec.predictor.containers.0");
    expect(at("workflow", "train", "metrics")).toBe("spec.templates.2.sidecars.0");
    expect(at("flink-deployment", "jobManager", "flink-main-container")).toBeUndefined();
    expect(at("job", "pod", "")).toBeUndefined();
  });
});

describe("what an update may edit", () => {
  const fields: readonly PodField[] = [
    "labels",
    "annotations",
    "nodeSelector",
    "affinity",
    "tolerations",
    "topologySpreadConstraints",
    "resourceClaims",
    "containerResources",
    "priorityClassName",
  ];
  const open = (workload: Workload): PodField[] =>
    workload.podSets.flatMap((set) => fields.filter((field) => editable(set, workload, field)));
  const scheduling: PodField[] = ["labels", "annotations", "nodeSelector", "affinity", "tolerations"];

  test.each<[string, Workload, readonly PodField[]]>([
    ["a Deployment: everything", read(deployment("a").build()), fields],
    ["a CronJob: everything", read(cronJob("a").build()), fields],
    ["a running Job: nothing", read(job("a").build()), []],
    ["a suspended Job that never started: what schedules it", read(job("a").suspended().build()), scheduling],
    [
      "a suspended Job that ran before: nothing, since only newer servers allow it",
      read(job("a").suspended().status({ startTime: "2026-01-01T00:00:00Z" }).build()),
      [],
    ],
    [
      "a suspended JobSet: not even affinity",
      read(jobSet("a").suspended().build()),
      scheduling.filter((field) => field !== "affinity"),
    ],
    ["a running JobSet: nothing", read(jobSet("a").build()), []],
    ["a running PyTorchJob: nothing that would reach pods", read(pytorchJob("a").build()), []],
    ["a Volcano Job: nothing", read(volcanoJob("a").build()), []],
    ["a pod: its labels", read(pod("a").build()), ["labels", "annotations"]],
    [
      "a gated pod: labels, and narrower node selection",
      read(pod("a").gate("example.com/quota").build()),
      ["labels", "annotations", "nodeSelector", "affinity"],
    ],
  ])("%s", (_, workload, expected) => {
    expect(open(workload)).toEqual(expected);
  });

  test("both groups of a RayCluster, at any time", () => {
    expect(open(read(rayCluster("a").build()))).toEqual([...fields, ...fields]);
  });

  test("a field that the kind cannot carry is never editable", () => {
    const workload = read(fixture("ray-job"));
    expect(open(read({ ...workload.object })).length).toBe(0);
    const set = setNamed(read(fixture("inference-service-multi-node")), "predictor-worker");
    expect(editable(set, read(fixture("inference-service-multi-node")), "labels")).toBe(false);
  });
});
