import type { JsonObject } from "../../src/model/index.ts";
import * as build from "./workloads.ts";

/** A plain manifest of every kind that has a builder, with as little in it as the kind needs. */
export const everyKind: Readonly<Record<string, () => JsonObject>> = {
  Pod: () => build.pod("w").build(),
  Deployment: () => build.deployment("w").replicas(3).build(),
  ReplicaSet: () => build.replicaSet("w").build(),
  StatefulSet: () => build.statefulSet("w").build(),
  DaemonSet: () => build.daemonSet("w").build(),
  Rollout: () => build.rollout("w").build(),
  Job: () => build.job("w").replicas(4).build(),
  CronJob: () => build.cronJob("w").build(),
  ScaledJob: () => build.scaledJob("w").build(),
  "Volcano Job": () => build.volcanoJob("w").build(),
  RayCluster: () => build.rayCluster("w").build(),
  RayJob: () => build.rayJob("w").build(),
  RayService: () => build.rayService("w").build(),
  JobSet: () => build.jobSet("w").build(),
  LeaderWorkerSet: () => build.leaderWorkerSet("w", 4, true).build(),
  "LeaderWorkerSet without leader template": () => build.leaderWorkerSet("w", 4).build(),
  PyTorchJob: () => build.pytorchJob("w").build(),
  InferenceService: () => build.inferenceService("w").build(),
  LLMInferenceService: () => build.llmInferenceService("w").build(),
  FlinkDeployment: () => build.flinkDeployment("w").build(),
  SparkApplication: () => build.sparkApplication("w").build(),
  PodCliqueSet: () => build.podCliqueSet("w").build(),
  Workflow: () => build.workflow("w").build(),
};
