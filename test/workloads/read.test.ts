import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Json, JsonObject, Path } from "../../src/model/index.ts";
import { isObject, valueAt } from "../../src/model/index.ts";
import { readWorkload } from "../../src/workloads/index.ts";
import { runs } from "../support/runs.ts";
import { cronJob, deployment, job, jobSet, pod, pytorchJob, rayCluster, workflow } from "../support/workloads.ts";
import { fixture, fixtureNames, read, setNamed, table, withValue } from "./fixtures.ts";

describe("who a workload is", () => {
  test("key, labels, queue, deletion and class are read from metadata", () => {
    const workload = read(
      job("train").namespace("team-a").uid("u1").queue("gpu").className("training-gang").deleting().build(),
    );
    expect(workload.key).toEqual({
      apiVersion: "batch/v1",
      kind: "Job",
      namespace: "team-a",
      name: "train",
      uid: "u1",
    });
    expect([workload.queue, workload.deleting, workload.annotations["plimsoll.dev/workload-class"]]).toEqual([
      "gpu",
      true,
      "training-gang",
    ]);
  });

  test("a generated name is not drawn yet", () => {
    const workload = read(job("x").generateName("train-").build());
    expect([workload.key.name, workload.generateName]).toEqual(["", "train-"]);
  });

  test("the default namespace stands in, except for kinds without one", () => {
    const { metadata: _, ...bare } = deployment("a").build();
    expect(readWorkload(bare, table, { namespace: "team" })?.key.namespace).toBe("team");
    expect(readWorkload(fixture("cluster-training-runtime"), table, { namespace: "team" })?.key.namespace).toBe("");
  });

  test("kinds outside the table, and other versions of another shape, are not read", () => {
    expect(readWorkload({ apiVersion: "v1", kind: "Service" }, table)).toBeUndefined();
    expect(readWorkload({ apiVersion: "nvidia.com/v1alpha1", kind: "DynamoGraphDeployment" }, table)).toBeUndefined();
    expect(readWorkload({}, table)).toBeUndefined();
    expect(readWorkload({ ...rayCluster("a").build(), apiVersion: "ray.io/v1alpha1" }, table)?.podSets).toHaveLength(2);
  });
});

describe("roots", () => {
  test.each([
    ["no owner", deployment("a"), true],
    ["an owner outside the table", pod("a").ownedBy("example.com/v1", "Notebook", "n"), true],
    ["a Deployment's ReplicaSet", deployment("a").ownedBy("apps/v1", "Deployment", "d"), false],
    ["whatever the owner's version", pod("a").ownedBy("ray.io/v1beta9", "RayCluster", "r"), false],
    ["a CronJob's Job is a new root", job("a").ownedBy("batch/v1", "CronJob", "c"), true],
    ["a RayJob's RayCluster", rayCluster("a").ownedBy("ray.io/v1", "RayJob", "r"), false],
    ["a Workflow's own pod", pod("a").ownedBy("argoproj.io/v1alpha1", "Workflow", "w"), false],
    ["a Job that a Workflow's step creates", job("a").ownedBy("argoproj.io/v1alpha1", "Workflow", "w"), true],
    [
      "a Deployment under a Knative revision",
      deployment("a").ownedBy("serving.knative.dev/v1", "Revision", "r"),
      false,
    ],
    ["a clique under a scaling group", pod("a").ownedBy("grove.io/v1alpha1", "PodCliqueScalingGroup", "g"), false],
  ] as const)("%s", (_, builder, root) => {
    expect(read(builder.build()).root).toBe(root);
  });

  test("an owner that is no controller does not make a child", () => {
    const object = pod("a")
      .meta({ ownerReferences: [{ apiVersion: "batch/v1", kind: "Job", name: "j", uid: "u" }] })
      .build();
    expect(read(object)).toMatchObject({ root: true, controller: undefined });
  });
});

describe("suspension", () => {
  test.each([
    ["Job", job("a")],
    ["CronJob", cronJob("a")],
    ["RayCluster", rayCluster("a")],
    ["JobSet", jobSet("a")],
    ["PyTorchJob", pytorchJob("a")],
    ["Workflow", workflow("a")],
  ])("%s", (_, builder) => {
    expect(read(builder.build()).suspended).toBe(false);
    expect(read(builder.suspended().build()).suspended).toBe(true);
  });

  test("a gated pod waits too", () => {
    expect(read(pod("a").gate("example.com/quota").build()).suspended).toBe(true);
  });
});

describe("names of pod sets", () => {
  const withTasks = (...tasks: Json[]): JsonObject => ({ ...fixture("volcano-job"), spec: { tasks } });

  test("items without a name are numbered, and names that repeat get a number", () => {
    const template = { spec: { containers: [] } };
    const sets = read(
      withTasks({ template }, { name: "w", template }, { name: "w", template }, { name: "w-1", template }),
    ).podSets;
    expect(sets.map((set) => set.name)).toEqual(["task-0", "w", "w-1", "w-1-1"]);
  });

  test("items that are no objects are passed over, and the paths keep their indices", () => {
    const sets = read(withTasks(null, 7, { name: "w", template: { spec: {} } })).podSets;
    expect(sets.map((set) => [set.name, set.path])).toEqual([["w", ["spec", "tasks", 2, "template"]]]);
  });
});

describe("counts as the controllers default them", () => {
  const counts = (object: JsonObject) => read(object).podSets.map((set) => set.count);
  test.each<[string, JsonObject, number[]]>([
    ["Job: one pod where nothing is said", { apiVersion: "batch/v1", kind: "Job", spec: { template: {} } }, [1]],
    ["Job: completions do not raise parallelism", withValue(fixture("job"), ["spec", "completions"], 100), [8]],
    ["Job: a null is no number", withValue(fixture("job"), ["spec", "parallelism"], null), [1]],
    ["Deployment: zero is zero", withValue(fixture("deployment"), ["spec", "replicas"], 0), [0]],
    [
      "Ray: replicas above the maximum are cut",
      withValue(fixture("ray-cluster"), ["spec", "workerGroupSpecs", 0, "replicas"], 9),
      [1, 8, 3, 0],
    ],
    [
      "Ray: a minimum above the maximum gives way",
      withValue(fixture("ray-cluster"), ["spec", "workerGroupSpecs", 0, "minReplicas"], 9),
      [1, 8, 3, 0],
    ],
    [
      "LeaderWorkerSet: without a leader template the worker template makes whole groups",
      withValue(fixture("leader-worker-set"), ["spec", "leaderWorkerTemplate", "leaderTemplate"], null),
      [12],
    ],
    [
      "Flink: the dotted key wins",
      withValue(fixture("flink-deployment"), ["spec", "flinkConfiguration", "taskmanager.numberOfTaskSlots"], "5"),
      [1, 1],
    ],
    [
      "Flink: task managers said outright",
      withValue(fixture("flink-deployment"), ["spec", "taskManager", "replicas"], 7),
      [1, 7],
    ],
    ["Flink: suspended job", withValue(fixture("flink-deployment"), ["spec", "job", "state"], "suspended"), [0, 0]],
    ["Flink: native session starts empty", withValue(fixture("flink-deployment"), ["spec", "job"], null), [1, 0]],
    ["Spark: fixed executors", withValue(fixture("spark-application"), ["spec", "dynamicAllocation"], null), [1, 1]],
    [
      "RayJob: no submitter over HTTP",
      withValue(fixture("ray-job"), ["spec", "submissionMode"], "HTTPMode"),
      [1, 4, 3, 0],
    ],
    [
      "RayJob on a running cluster has the submitter only",
      withValue(fixture("ray-job"), ["spec", "rayClusterSpec"], null),
      [1],
    ],
    ["Rollout: with workloadRef it has no template", withValue(fixture("rollout"), ["spec", "template"], null), []],
    [
      "KServe: Knative may scale to zero",
      withValue(fixture("inference-service"), ["spec", "predictor", "minReplicas"], 0),
      [0, 1],
    ],
  ])("%s", (_, object, expected) => {
    expect(counts(object)).toEqual(expected);
  });

  const peaks = (object: JsonObject) => read(object).podSets.map((set) => set.peak);
  test.each<[string, JsonObject, number[]]>([
    ["Deployment: a quarter more, rounded up", withValue(fixture("deployment"), ["spec", "replicas"], 5), [7]],
    [
      "Deployment: surge of a number",
      withValue(fixture("deployment"), ["spec", "strategy"], { rollingUpdate: { maxSurge: 3 } }),
      [9],
    ],
    [
      "Deployment: Recreate does not surge",
      withValue(fixture("deployment"), ["spec", "strategy"], { type: "Recreate" }),
      [6],
    ],
    [
      "Rollout: blue-green runs both",
      withValue(fixture("rollout"), ["spec", "strategy"], { blueGreen: { previewReplicaCount: 1 } }),
      [5],
    ],
    [
      "Rollout: canary without traffic routing surges",
      withValue(fixture("rollout"), ["spec", "strategy"], { canary: {} }),
      [5],
    ],
    [
      "RayService: upgrades in place need no second cluster",
      withValue(fixture("ray-service"), ["spec", "upgradeStrategy"], { type: "None" }),
      [1, 8, 3, 0],
    ],
    [
      "Ray: without the autoscaler the maximum says nothing",
      withValue(fixture("ray-cluster"), ["spec", "enableInTreeAutoscaling"], false),
      [1, 4, 3, 0],
    ],
  ])("peak of %s", (_, object, expected) => {
    expect(peaks(object)).toEqual(expected);
  });

  test("numbers out of any proportion stay finite", () => {
    const object = withValue(
      fixture("ray-cluster"),
      ["spec", "workerGroupSpecs", 0, "maxReplicas"],
      Number.MAX_SAFE_INTEGER,
    );
    for (const set of read(withValue(object, ["spec", "workerGroupSpecs", 0, "replicas"], Number.MAX_SAFE_INTEGER))
      .podSets) {
      expect(set.count).toBeLessThanOrEqual(1e9);
      expect(set.peak).toBeLessThanOrEqual(1e9);
    }
  });
});

/** Every place in a document, the root left out. */
function paths(value: Json | undefined, at: Path = []): Path[] {
  const keys: (string | number)[] = Array.isArray(value)
    ? [...value.keys()]
    : isObject(value)
      ? Object.keys(value)
      : [];
  return keys.flatMap((key) => [[...at, key], ...paths(valueAt(value, [key]), [...at, key])]);
}

describe("damage", () => {
  const junk = fc.constantFrom<Json>(
    null,
    {},
    [],
    "",
    "text",
    -1,
    1.5,
    1e300,
    true,
    [null],
    [[]],
    { a: null },
    [{ template: 1 }],
    { constructor: 1 },
  );

  test.each(fixtureNames)("%s: no wrong value anywhere makes reading throw", (name) => {
    const object = fixture(name);
    const all = paths(object).filter((path) => path[0] !== "apiVersion" && path[0] !== "kind");
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...all), junk), { minLength: 1, maxLength: 4 }), (damages) => {
        const damaged = damages.reduce(
          (document, [path, value]) => (isObject(document) ? withDamage(document, path, value) : document),
          object,
        );
        const workload = read(damaged);
        for (const set of workload.podSets) {
          expect(set.count).toBeGreaterThanOrEqual(0);
          expect(set.peak).toBeGreaterThanOrEqual(set.count);
          expect(Number.isSafeInteger(set.peak)).toBe(true);
          expect(set.name).not.toBe("");
        }
        expect(new Set(workload.podSets.map((set) => set.name)).size).toBe(workload.podSets.length);
      }),
      runs(60),
    );
  });

  test.each(fixtureNames)("%s: damage outside a template never loses the pod set that it makes", (name) => {
    const object = fixture(name);
    const before = read(object).podSets.filter((set) => set.present);
    fc.assert(
      fc.property(fc.constantFrom(...paths(object)), junk, (path, value) => {
        const under = (set: { readonly path: Path }) => startsWith(path, set.path) || startsWith(set.path, path);
        const decides = path[0] === "apiVersion" || path[0] === "kind" || DECIDING.has(String(path.at(-1)));
        fc.pre(!decides);
        const after = new Set(read(withDamage(object, path, value)).podSets.map((set) => set.path.join("/")));
        for (const set of before) if (!under(set)) expect(after).toContain(set.path.join("/"));
      }),
      runs(60),
    );
  });
});

/** Fields that decide whether a pod set exists at all. */
const DECIDING = new Set(["name", "container", "script", "templates", "submissionMode", "prefill"]);

function startsWith(path: Path, prefix: Path): boolean {
  return prefix.every((step, index) => path[index] === step);
}

/** Like withValue, but leaves the document alone where an earlier damage took the parent away. */
function withDamage(object: JsonObject, path: Path, value: Json): JsonObject {
  const parent = valueAt(object, path.slice(0, -1));
  return isObject(parent) || Array.isArray(parent) ? withValue(object, path, value) : object;
}

test("reading does not change the object, and reading twice gives the same", () => {
  for (const name of fixtureNames) {
    const object = fixture(name);
    const copy = structuredClone(object);
    const first = read(object);
    expect(object).toEqual(copy);
    expect(read(object).podSets.map((set) => set.pod)).toEqual(first.podSets.map((set) => set.pod));
  }
});

test("a set is found under its name", () => {
  expect(setNamed(read(fixture("ray-cluster")), "h100").role).toBe("worker");
});
