import { describe, expect, test } from "vitest";
import { checkKindEntry } from "../../src/workloads/index.ts";
import { fixture, fixtureNames, read, table } from "./fixtures.ts";
import { sentence } from "./sentence.ts";

/** What each fixture of test/fixtures/kinds asks for, worked out by hand from the rules of its operator. */
const EXPECTED: readonly (readonly [string, readonly string[]])[] = [
  [
    "cluster-serving-runtime",
    [
      "runtime (runtime): 1 pod, each 1 GPU, cpu 8, memory 64Gi",
      "worker (worker): 1 pod, each 1 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "cluster-training-runtime",
    [
      "dataset-initializer (dataset-initializer): 1 pod, no GPU",
      "node (trainer): 4 pods, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  ["cron-job", ["pod (pod): 2 pods, each 4 GPU, cpu 8, memory 64Gi"]],
  [
    "cron-workflow",
    ["prepare (template): 1 pod, peak 3, no GPU, cpu 1", "train (template): 1 pod, peak 3, each 4 GPU, cpu 100m"],
  ],
  ["daemon-set", ["pod (pod): one pod per node, each 1 GPU, cpu 8, memory 64Gi"]],
  ["deployment", ["pod (pod): 6 pods, peak 8, each 2 GPU, cpu 8, memory 64Gi"]],
  [
    "disaggregated-set",
    [
      "decode-leader (decode): 1 pod, in groups of 1, each 8 GPU, cpu 8, memory 64Gi",
      "prefill-worker (prefill): 2 pods, in groups of 1, each 4 GPU, cpu 8, memory 64Gi",
      "decode-worker (decode): 2 pods, in groups of 2, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "dynamo-graph-deployment",
    [
      "Frontend (frontend): 1 pod, in groups of 1, no GPU",
      "DecodeWorker (decode): 4 pods, in groups of 2, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "experiment",
    ["baseline (pod): 1 pod, each 1 GPU, cpu 8, memory 64Gi", "canary (pod): 2 pods, each 1 GPU, cpu 8, memory 64Gi"],
  ],
  [
    "flink-blue-green-deployment",
    [
      "jobManager (jobManager): 1 pod, peak 2, no GPU, cpu 1, memory 2Gi",
      "taskManager (taskManager): 3 pods, peak 6, each 1 GPU, cpu 4, memory 16Gi",
    ],
  ],
  [
    "flink-deployment",
    [
      "jobManager (jobManager): 1 pod, no GPU, cpu 1, memory 2Gi",
      "taskManager (taskManager): 3 pods, each 1 GPU, cpu 4, memory 16Gi",
    ],
  ],
  [
    "flink-deployment-requests",
    [
      "jobManager (jobManager): 2 pods, no GPU, cpu 500m, memory 1600Mi",
      "taskManager (taskManager): 3 pods, each 1 GPU, cpu 2, memory 4Gi",
    ],
  ],
  [
    "inference-service",
    ["predictor (predictor): 2 pods, peak 5, each 1 GPU, cpu 4.5", "transformer (transformer): 1 pod, no GPU, cpu 1"],
  ],
  [
    "inference-service-multi-node",
    [
      "predictor (predictor): 1 pod, each 8 GPU",
      "predictor-worker (predictor-worker): 2 pods, in groups of 2, each 8 GPU",
    ],
  ],
  ["jax-job", ["Worker (worker): 4 pods, minimum 3, each 8 GPU, cpu 8, memory 64Gi"]],
  ["job", ["pod (pod): 5 pods, each 1 GPU, cpu 8, memory 64Gi"]],
  [
    "job-set",
    [
      "driver (driver): 1 pod, in groups of 1, no GPU",
      "workers (workers): 8 pods, in groups of 4, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "leader-worker-set",
    [
      "leader (leader): 3 pods, peak 4, in groups of 1, each 8 GPU, cpu 8, memory 64Gi",
      "worker (worker): 9 pods, peak 12, in groups of 3, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "llm-inference-service",
    [
      "decode (decode): 2 pods, each 8 GPU, cpu 8, memory 64Gi",
      "decode-worker (decode-worker): 2 pods, in groups of 1, each 8 GPU, cpu 8, memory 64Gi",
      "prefill (prefill): 3 pods, each 4 GPU, cpu 8, memory 64Gi",
      "epp (epp): 1 pod, no GPU",
    ],
  ],
  [
    "mpi-job",
    [
      "Launcher (launcher): 1 pod, each 8 GPU, cpu 8, memory 64Gi",
      "Worker (worker): 0 pods, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "paddle-job",
    [
      "Master (master): 1 pod, each 8 GPU, cpu 8, memory 64Gi",
      "Worker (worker): 4 pods, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  ["pod", ["pod (pod): 1 pod, each 1 GPU, cpu 8, memory 64Gi"]],
  ["pod-clique", ["clique (prefill): 4 pods, minimum 2, each 1 GPU, cpu 8, memory 64Gi"]],
  [
    "pod-clique-set",
    [
      "router (router): 2 pods, minimum 2, in groups of 1, no GPU",
      "decode-leader (decode): 6 pods, minimum 2, in groups of 1, each 8 GPU, cpu 8, memory 64Gi",
      "decode-worker (clique): 24 pods, minimum 6, in groups of 4, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  ["pod-template", ["pod (pod): 1 pod, each 4 GPU, cpu 8, memory 64Gi"]],
  [
    "pytorch-job",
    [
      "Master (master): 1 pod, each 8 GPU, cpu 8, memory 64Gi",
      "Worker (worker): 4 pods, minimum 2, peak 6, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "ray-cluster",
    [
      "head (head): 1 pod, no GPU, cpu 4, memory 16Gi",
      "h100 (worker): 4 pods, minimum 2, peak 8, in groups of 2, each 8 GPU, cpu 8, memory 64Gi",
      "cpu (worker): 3 pods, minimum 3, in groups of 1, no GPU",
      "parked (worker): 0 pods, in groups of 1, each 1 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "ray-cron-job",
    [
      "head (head): 1 pod, no GPU, cpu 4, memory 16Gi",
      "h100 (worker): 4 pods, minimum 2, peak 8, in groups of 2, each 8 GPU, cpu 8, memory 64Gi",
      "cpu (worker): 3 pods, minimum 3, in groups of 1, no GPU",
      "parked (worker): 0 pods, in groups of 1, each 1 GPU, cpu 8, memory 64Gi",
      "submitter (submitter): 1 pod, no GPU",
    ],
  ],
  [
    "ray-job",
    [
      "head (head): 1 pod, no GPU, cpu 4, memory 16Gi",
      "h100 (worker): 4 pods, minimum 2, peak 8, in groups of 2, each 8 GPU, cpu 8, memory 64Gi",
      "cpu (worker): 3 pods, minimum 3, in groups of 1, no GPU",
      "parked (worker): 0 pods, in groups of 1, each 1 GPU, cpu 8, memory 64Gi",
      "submitter (submitter): 1 pod, no GPU, cpu 500m, memory 200Mi",
    ],
  ],
  [
    "ray-service",
    [
      "head (head): 1 pod, peak 2, no GPU, cpu 4, memory 16Gi",
      "h100 (worker): 4 pods, minimum 2, peak 16, in groups of 2, each 8 GPU, cpu 8, memory 64Gi",
      "cpu (worker): 3 pods, minimum 3, peak 6, in groups of 1, no GPU",
      "parked (worker): 0 pods, in groups of 1, each 1 GPU, cpu 8, memory 64Gi",
    ],
  ],
  ["replica-set", ["pod (pod): 3 pods, each 2 GPU, cpu 8, memory 64Gi"]],
  ["replication-controller", ["pod (pod): 3 pods, each 1 GPU, cpu 8, memory 64Gi"]],
  ["rollout", ["pod (pod): 4 pods, peak 8, each 2 GPU, cpu 8, memory 64Gi"]],
  ["scaled-job", ["pod (pod): 2 pods, peak 40, each 1 GPU, cpu 8, memory 64Gi"]],
  [
    "scheduled-spark-application",
    [
      "driver (driver): 1 pod, no GPU, cpu 500m, memory 2560Mi",
      "executor (executor): 2 pods, minimum 1, peak 10, each 1 GPU, cpu 4.1, memory 12093017292",
    ],
  ],
  ["serving-runtime", ["runtime (runtime): 1 pod, each 1 GPU, cpu 8, memory 64Gi"]],
  [
    "spark-application",
    [
      "driver (driver): 1 pod, no GPU, cpu 500m, memory 2560Mi",
      "executor (executor): 2 pods, minimum 1, peak 10, each 1 GPU, cpu 4.1, memory 12093017292",
    ],
  ],
  ["stateful-set", ["pod (pod): 2 pods, each 1 GPU, cpu 8, memory 64Gi"]],
  [
    "tf-job",
    ["Chief (chief): 1 pod, each 8 GPU, cpu 8, memory 64Gi", "Worker (worker): 4 pods, each 8 GPU, cpu 8, memory 64Gi"],
  ],
  ["train-job", ["node (trainer): 4 pods, each 8 GPU, cpu 32, memory 512Gi"]],
  [
    "train-job-patched",
    ["node (trainer): 2 pods, each 8 GPU", "dataset-initializer (dataset-initializer): 1 pod, no GPU"],
  ],
  [
    "training-runtime",
    [
      "dataset-initializer (dataset-initializer): 1 pod, no GPU",
      "node (trainer): 4 pods, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
  [
    "volcano-job",
    ["ps (ps): 1 pod, minimum 1, no GPU", "worker (worker): 6 pods, minimum 3, each 8 GPU, cpu 8, memory 64Gi"],
  ],
  [
    "workflow",
    ["prepare (template): 1 pod, peak 3, no GPU, cpu 1", "train (template): 1 pod, peak 3, each 4 GPU, cpu 100m"],
  ],
  ["workflow-by-reference", ["workflow (workflow): 1 pod, no GPU"]],
  [
    "workflow-template",
    ["prepare (template): 1 pod, peak 3, no GPU, cpu 1", "train (template): 1 pod, peak 3, each 4 GPU, cpu 100m"],
  ],
  ["workload", ["main (main): 8 pods, minimum 4, each 1 GPU, cpu 8, memory 64Gi"]],
  [
    "xgboost-job",
    [
      "Master (master): 1 pod, each 8 GPU, cpu 8, memory 64Gi",
      "Worker (worker): 4 pods, each 8 GPU, cpu 8, memory 64Gi",
    ],
  ],
];

describe("pod sets by kind", () => {
  test.each(EXPECTED)("%s", (name, sentences) => {
    const workload = read(fixture(name));
    expect(workload.podSets.map(sentence)).toEqual(sentences);
    expect(workload.diagnostics).toEqual([]);
  });

  test("every fixture is expected, and every kind with templates has a fixture", () => {
    expect(EXPECTED.map(([name]) => name)).toEqual(fixtureNames);
    const covered = new Set(fixtureNames.map((name) => read(fixture(name)).kind));
    const missing = table.entries.filter((entry) => entry.templates.length > 0 && !covered.has(entry));
    expect(missing.map((entry) => entry.kind)).toEqual([]);
  });

  test("every kind that the table's own rows make is a pod or a row of its own, so that children are told from roots", () => {
    const made = new Set(table.entries.flatMap((entry) => entry.makes));
    const unknown = [...made].filter((one) => {
      const [group = "", kind = ""] = one.split("/");
      return table.findOwner(group, kind) === undefined;
    });
    expect(unknown).toEqual([]);
  });

  test.each(table.entries.map((entry) => [entry.apiVersion, entry.kind, entry] as const))(
    "the row of %s %s is sound",
    (_, __, entry) => {
      expect(checkKindEntry(entry)).toEqual([]);
      expect(entry.plural).toMatch(/^[a-z]+s$/);
    },
  );
});
