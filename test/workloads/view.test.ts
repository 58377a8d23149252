import { describe, expect, test } from "vitest";
import { arrayAt, type JsonObject, objectAt, podRequests, valueAt } from "../../src/model/index.ts";
import { fixture, read, setNamed, withValue } from "./fixtures.ts";

const podOf = (name: string, set: string, edit: (object: JsonObject) => JsonObject = (object) => object) =>
  setNamed(read(edit(fixture(name))), set).pod;
const containers = (spec: JsonObject) => arrayAt(spec, ["containers"]).map((container) => valueAt(container, ["name"]));

describe("Flink", () => {
  test("the common template is the base of both, and each one's own wins", () => {
    const task = podOf("flink-deployment", "taskManager");
    expect(task.labels).toEqual({ team: "streams" });
    expect(task.spec["nodeSelector"]).toEqual({ pool: "gpu" });
    expect(arrayAt(task.spec, ["tolerations"])).toHaveLength(1);
    expect(arrayAt(task.spec, ["containers"])).toMatchObject([
      { name: "flink-main-container", env: [{ name: "TZ" }], resources: { limits: { "nvidia.com/gpu": 1 } } },
    ]);
    expect(podOf("flink-deployment", "jobManager").spec["nodeSelector"]).toBeUndefined();
  });

  test("lists merge by position unless the operator is told to merge by name", () => {
    const sidecarFirst = (object: JsonObject) =>
      withValue(
        object,
        ["spec", "podTemplate", "spec", "containers"],
        [
          { name: "logs", image: "a" },
          { name: "flink-main-container", env: [] },
        ],
      );
    const byName = (object: JsonObject) =>
      withValue(
        sidecarFirst(object),
        ["spec", "flinkConfiguration", "kubernetes.operator.pod-template.merge-arrays-by-name"],
        "true",
      );
    expect(containers(podOf("flink-deployment", "taskManager", sidecarFirst).spec)).toEqual([
      "flink-main-container",
      "flink-main-container",
    ]);
    expect(containers(podOf("flink-deployment", "taskManager", byName).spec)).toEqual(["logs", "flink-main-container"]);
  });

  test.each([
    ["megabytes of the JVM", "2048m", 2 ** 31],
    ["gigabytes of the JVM", "2g", 2 ** 31],
    ["a plain number of bytes", "1048576", 2 ** 20],
    ["a Kubernetes quantity", "2Gi", 2 ** 31],
  ])("memory as %s", (_, memory, bytes) => {
    const pod = podOf("flink-deployment", "taskManager", (object) =>
      withValue(object, ["spec", "taskManager", "resource", "memory"], memory),
    );
    expect(podRequests(pod.spec)["memory"]).toBe(bytes);
  });

  test("without resources the configuration says what a task manager takes", () => {
    const pod = podOf("flink-deployment", "taskManager", (object) =>
      withValue(
        withValue(object, ["spec", "taskManager", "resource"], null),
        ["spec", "flinkConfiguration", "taskmanager.memory.process.size"],
        "1728m",
      ),
    );
    expect(podRequests(pod.spec)).toMatchObject({ cpu: 2000, memory: 1728 * 2 ** 20 });
  });
});

describe("Spark", () => {
  test("inline fields and template hold together", () => {
    const pod = podOf("spark-application", "executor", (object) =>
      withValue(object, ["spec", "executor", "nodeSelector"], { pool: "gpu" }),
    );
    expect(pod.spec["nodeSelector"]).toEqual({ disk: "nvme", pool: "gpu" });
    expect(pod.labels).toEqual({ team: "etl" });
    expect(containers(pod.spec)).toEqual(["logs", "spark-kubernetes-executor"]);
  });

  test("the overhead is a share of the memory, never below 384 MiB, or as written", () => {
    const memory = (edit: (object: JsonObject) => JsonObject) =>
      podRequests(podOf("spark-application", "driver", edit).spec)["memory"];
    const without = (object: JsonObject) => withValue(object, ["spec", "driver", "memoryOverhead"], null);
    expect(memory((object) => object)).toBe(2560 * 2 ** 20);
    expect(memory(without)).toBe(2 * 2 ** 30 + Math.floor(0.4 * 2 * 2 ** 30));
    expect(memory((object) => withValue(without(object), ["spec", "type"], "Scala"))).toBe((2048 + 384) * 2 ** 20);
    expect(memory((object) => withValue(without(object), ["spec", "memoryOverheadFactor"], "0.5"))).toBe(3 * 2 ** 30);
    expect(memory((object) => withValue(object, ["spec", "driver", "memoryOverhead"], "1024"))).toBe(3 * 2 ** 30);
  });

  test("the first container of the template is the executor where none has its name", () => {
    const pod = podOf("spark-application", "executor", (object) =>
      withValue(object, ["spec", "executor", "template", "spec", "containers", 0, "name"], "exec"),
    );
    expect(containers(pod.spec)).toEqual(["logs", "exec"]);
    expect(podRequests(pod.spec)["nvidia.com/gpu"]).toBe(1);
  });
});

describe("containers that stand elsewhere", () => {
  test("a KServe model comes before the other containers", () => {
    expect(containers(podOf("inference-service", "predictor").spec)).toEqual(["model", "agent"]);
    expect(podOf("inference-service", "predictor").labels).toEqual({ tier: "gold" });
  });

  test("an Argo step inherits what it leaves out, and keeps what it says", () => {
    const train = podOf("workflow", "train");
    expect(train.spec).toMatchObject({
      nodeSelector: { pool: "gpu" },
      priorityClassName: "batch",
      tolerations: [{ key: "nvidia.com/gpu" }],
    });
    expect([train.labels, train.annotations]).toEqual([{ team: "research" }, { step: "train" }]);
    expect(containers(train.spec)).toEqual(["container", "metrics"]);
    expect(podOf("workflow", "prepare").spec["nodeSelector"]).toEqual({ pool: "cpu" });
  });

  test("the submitter of a RayJob has the operator's pod where the manifest has none", () => {
    expect(podRequests(podOf("ray-job", "submitter").spec)).toMatchObject({ cpu: 500, memory: 200 * 2 ** 20 });
  });
});

test("keys of the object prototype stay data in every merge", () => {
  const hostile = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"name":"x"}}') as JsonObject;
  for (const path of [
    ["spec", "podTemplate", "metadata", "labels"],
    ["spec", "podTemplate", "spec"],
    ["spec", "taskManager", "podTemplate", "spec"],
    ["spec", "flinkConfiguration"],
  ]) {
    const pod = podOf("flink-deployment", "taskManager", (object) => withValue(object, path, hostile));
    expect(objectAt(pod.spec, ["polluted"])).toEqual({});
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  }
});
