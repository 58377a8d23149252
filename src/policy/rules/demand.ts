import { integerAt, stringAt, toText } from "../../model/index.ts";
import { aKind, groupKind, isHelper, jobSpecPath, oneOf, plural, setText, workloadText } from "./read.ts";
import { kserveIgnoresZero, scaleOf } from "./scale.ts";
import type { Rule, RuleContext } from "./types.ts";

export const demandRules: readonly Rule[] = [
  {
    id: "AS09",
    declaration: "demand",
    severity: "error",
    scope: "workload",
    title: "deletes its running Jobs whenever it is edited",
    remedy: "Set spec.rollout.strategy to gradual, so that running Jobs finish by the old template.",
    link: "https://github.com/kedacore/keda/issues/6440",
    *check({ workload, intent }) {
      if (groupKind(workload) !== "keda.sh/ScaledJob") return;
      const path = ["spec", "rollout", "strategy"];
      const strategy = stringAt(workload.object, path) ?? stringAt(workload.object, ["spec", "rolloutStrategy"]);
      if (strategy === "gradual") return;
      yield {
        message: `${workloadText(workload)} rolls out with strategy ${strategy ?? "default (none is written)"}, which deletes running Jobs at every edit; work of class ${intent.className} has to finish, so it must be gradual.`,
        path,
      };
    },
  },
  {
    id: "DM01",
    declaration: "demand",
    severity: "error",
    scope: "workload",
    title: "has more or fewer pods than the class allows",
    remedy: "Bring the counts within the class's replicas.min and replicas.max, or choose a class for that size.",
    link: "https://kubernetes.io/docs/concepts/workloads/autoscaling/horizontal-pod-autoscale/",
    *check(context) {
      const { workload, intent } = context;
      const { min, max } = intent.contract.demand.replicas;
      let floor = 0;
      let ceiling = 0;
      let last: readonly (string | number)[] = [];
      for (const set of workload.podSets) {
        const own = context.intents.get(set.name);
        if (own?.className !== intent.className || isHelper({ intent: own, catalogue: context.catalogue })) continue;
        const scale = scaleOf(workload, set);
        const pods = scale?.podsPerReplica ?? 1;
        floor += scale === undefined ? set.count : scale.floor * pods;
        ceiling += scale === undefined ? set.count : (scale.ceiling ?? scale.floor) * pods;
        last = scale?.ceilingPath ?? set.path;
      }
      if (max !== undefined && ceiling > max) {
        yield {
          message: `${workloadText(workload)} may run ${plural(ceiling, "pod")}, but class ${intent.className} allows ${max} at most.`,
          path: last,
        };
      }
      // Below the floor: with a latency objective that is LT01's, and zero is a stopped workload or DM04's.
      if (intent.contract.latency !== "none" || floor === 0 || floor >= min) return;
      yield {
        message: `${workloadText(workload)} runs ${plural(floor, "pod")}, but class ${intent.className} is for ${min} at least.`,
        path: last,
      };
    },
  },
  {
    id: "DM02",
    declaration: "demand",
    severity: "error",
    scope: "podSet",
    title: "is a gang whose pods need not run together: completions differ from parallelism",
    remedy: "Set completions and parallelism to the size of the gang.",
    link: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#parallel-jobs",
    *check(context) {
      const job = gangJob(context);
      if (job === undefined) return;
      const completions = integerAt(context.workload.object, [...job.path, "completions"]);
      if (completions === job.parallelism) return;
      const seen =
        completions === undefined
          ? `does not say how many completions it needs, so its first success ends it while ${job.parallelism} pods run`
          : `needs ${plural(completions, "completion")} from ${plural(job.parallelism, "pod")} at a time`;
      yield {
        message: `${setText(context.workload, context.set)} ${seen}, but in a gang of class ${context.intent.className} every pod runs at once and finishes once: completions must be ${job.parallelism} like parallelism.`,
        path: [...job.path, "completions"],
      };
    },
  },
  {
    id: "DM03",
    declaration: "demand",
    severity: "warning",
    scope: "podSet",
    title: "is a gang whose pods have no index to take their rank from",
    remedy: "Set completionMode to Indexed.",
    link: "https://kubernetes.io/docs/concepts/workloads/controllers/job/#completion-mode",
    *check(context) {
      const job = gangJob(context);
      if (job === undefined || groupKind(context.workload) === "jobset.x-k8s.io/JobSet") return;
      const mode = stringAt(context.workload.object, [...job.path, "completionMode"]) ?? "NonIndexed";
      if (mode === "Indexed") return;
      yield {
        message: `The ${job.parallelism} pods of ${setText(context.workload, context.set)} form a gang, but completionMode is ${mode}: no pod knows its rank, and a lost one is replaced by a stranger.`,
        path: [...job.path, "completionMode"],
      };
    },
  },
  {
    id: "DM04",
    declaration: "demand",
    severity: "warning",
    scope: "podSet",
    title: "scales to zero although the class does not",
    remedy: "Write a minimum of one or more, or choose a class with scaleToZero.",
    link: "https://keda.sh/docs/latest/reference/scaledjob-spec/",
    *check({ workload, set, intent }) {
      const { demand, latency, startup } = intent.contract;
      const scale = scaleOf(workload, set);
      if (demand.scaleToZero || scale === undefined || !scale.autoscaled || scale.floor > 0) return;
      const guardedByLatency = latency !== "none" && startup.costMs > latency.targetMs;
      if (guardedByLatency || kserveIgnoresZero(workload)) return;
      yield {
        message: `${toText(scale.path)} lets ${setText(workload, set)} scale to zero, but class ${intent.className} has scaleToZero false and keeps ${plural(Math.max(1, demand.replicas.min), "pod")} at least.`,
        hint: `Set ${toText(scale.path)} to ${Math.max(1, demand.replicas.min)}.`,
        path: scale.path,
      };
    },
  },
  {
    id: "DM05",
    declaration: "demand",
    severity: "warning",
    scope: "workload",
    title: "is of a kind that cannot hold the shape of the class",
    remedy: "Choose a class whose demand.shape fits the kind, or a kind that fits the class.",
    link: "https://kubernetes.io/docs/concepts/workloads/controllers/",
    *check({ workload, intent }) {
      const { shape } = intent.contract.demand;
      const kind = groupKind(workload);
      if (shape === "gang" && ROLLING.includes(kind)) {
        yield {
          message: `Class ${intent.className} is for gangs, but ${aKind(workload.key.kind)} starts, replaces and scales its pods one by one.`,
          hint: "Use a Job, a JobSet or a LeaderWorkerSet.",
          path: ["kind"],
        };
      }
      if (shape === "online" && ENDING.includes(kind)) {
        yield {
          message: `Class ${intent.className} is for services that stay up, but ${aKind(workload.key.kind)} ends when its pods are done.`,
          hint: `Use ${oneOf(["a Deployment", "a LeaderWorkerSet", "an InferenceService"])}.`,
          path: ["kind"],
        };
      }
    },
  },
];

const ROLLING: readonly string[] = [
  "apps/Deployment",
  "apps/ReplicaSet",
  "apps/DaemonSet",
  "argoproj.io/Rollout",
  "/ReplicationController",
];
const ENDING: readonly string[] = [
  "batch/Job",
  "batch/CronJob",
  "keda.sh/ScaledJob",
  "jobset.x-k8s.io/JobSet",
  "batch.volcano.sh/Job",
  "kubeflow.org/PyTorchJob",
  "kubeflow.org/MPIJob",
];

/** The JobSpec of a pod set that is a gang of more than one pod. */
function gangJob({ workload, set, intent }: RuleContext) {
  const path = jobSpecPath(workload, set);
  if (path === undefined || intent.contract.demand.shape !== "gang") return undefined;
  const parallelism = integerAt(workload.object, [...path, "parallelism"]) ?? 1;
  return parallelism > 1 ? { path, parallelism } : undefined;
}
