import {
  arrayAt,
  durationText,
  integerAt,
  isObject,
  type JsonObject,
  objectAt,
  stringAt,
  toText,
  valueAt,
} from "../../model/index.ts";
import { at, type Container, containersOf, groupKind, isHelper, plural, setText } from "./read.ts";
import { isFollower, rayGroup, scaleOf } from "./scale.ts";
import type { Rule, RuleContext } from "./types.ts";

export const startupRules: readonly Rule[] = [
  {
    id: "AS19",
    declaration: "startup",
    severity: "warning",
    scope: "podSet",
    title: "drops idle Ray workers sooner than a new one can start",
    remedy: "Raise idleTimeoutSeconds above the startup cost, or keep a minimum of workers.",
    link: "https://github.com/ray-project/kuberay/issues/3738",
    *check({ workload, set, intent }) {
      const group = rayGroup(workload, set);
      const scale = scaleOf(workload, set);
      if (group === undefined || !group.autoscaled || scale === undefined || intent.contract.latency === "none") return;
      if (scale.ceiling !== undefined && scale.ceiling <= scale.floor) return;
      const ownPath = [...group.path, "idleTimeoutSeconds"];
      const clusterPath = [...group.cluster, "autoscalerOptions", "idleTimeoutSeconds"];
      const ownSeconds = integerAt(workload.object, ownPath);
      const seconds = ownSeconds ?? integerAt(workload.object, clusterPath) ?? 60;
      const { costMs } = intent.contract.startup;
      if (seconds * 1000 >= costMs) return;
      yield {
        message: `Ray drops an idle worker of group ${set.name} after ${durationText(seconds * 1000)}, but a new one needs ${durationText(costMs)} to start, so a short pause costs a cold start.`,
        hint: `Set idleTimeoutSeconds to ${Math.ceil(costMs / 1000)} or more.`,
        path: ownSeconds === undefined ? clusterPath : ownPath,
      };
    },
  },
  {
    id: "AS20",
    declaration: "startup",
    severity: "info",
    scope: "podSet",
    title: "keeps no warm replica beyond its minimum",
    remedy: "Run the spare replicas, or keep a CapacityBuffer of that size beside the workload.",
    link: "https://github.com/kubernetes/autoscaler/pull/8151",
    *check({ workload, set, intent, catalogue }) {
      const { startup, demand } = intent.contract;
      const scale = scaleOf(workload, set);
      const warm = startup.warmCapacity.replicas;
      if (scale === undefined || warm === 0 || workload.kind.life !== "elastic" || isHelper({ intent, catalogue }))
        return;
      const wanted = Math.max(1, demand.replicas.min) + warm;
      // Below the minimum itself is the business of LT01 and DM01.
      if (scale.floor >= wanted || scale.floor < wanted - warm) return;
      yield {
        message: `Class ${intent.className} wants ${plural(warm, "warm replica")} beyond the ${Math.max(1, demand.replicas.min)} that must serve, but ${setText(workload, set)} keeps ${scale.floor}, so the next one comes ${durationText(startup.costMs)} late.`,
        hint: `Set ${toText(scale.path)} to ${wanted}, or keep a CapacityBuffer of ${warm} beside it.`,
        path: scale.path,
      };
    },
  },
  {
    id: "RD01",
    declaration: "startup",
    severity: "error",
    scope: "podSet",
    title: "has no startup probe, or one that gives up before the startup cost is over",
    remedy:
      "Give each serving container a startupProbe whose failureThreshold x periodSeconds covers the class's startup cost.",
    link: "https://github.com/kserve/kserve/issues/5062",
    undecidable: (context) =>
      context.intent.contract.startup.startupProbe === "required"
        ? withoutContainers(context, "startupProbe")
        : undefined,
    *check(context) {
      const { startup } = context.intent.contract;
      const serving = servingContainers(context);
      const lacking = serving.filter(({ spec }) => !isObject(valueAt(spec, ["startupProbe"])));
      for (const container of serving) {
        const probe = objectAt(container.spec, ["startupProbe"]);
        const budgetMs = probeBudgetMs(probe);
        if (lacking.includes(container) || budgetMs >= startup.costMs) continue;
        const period = integerAt(probe, ["periodSeconds"]) ?? 10;
        yield {
          message: `The startup probe of container ${container.name} gives up after ${durationText(budgetMs)}, but class ${context.intent.className} says that a start takes ${durationText(startup.costMs)}: it would be killed while it loads.`,
          hint: `Set failureThreshold to ${Math.ceil(startup.costMs / 1000 / Math.max(1, period))} or more with periodSeconds ${period}.`,
          path: [...container.path, "startupProbe"],
        };
      }
      if (startup.startupProbe !== "required" || probesComeFromOperator(context)) return;
      for (const container of needed(context, serving, lacking)) {
        yield {
          message: `Container ${container.name} has no startup probe, but class ${context.intent.className} requires one that waits ${durationText(startup.costMs)} at least.`,
          path: [...container.path, "startupProbe"],
        };
      }
    },
  },
  {
    id: "RD02",
    declaration: "startup",
    severity: "warning",
    scope: "podSet",
    title: "counts as ready when its port opens, not when its model is loaded",
    remedy: "Probe an HTTP or gRPC endpoint that answers only once the model is loaded.",
    link: "https://github.com/llm-d/llm-d/issues/300",
    *check(context) {
      const { startup: cost, latency } = context.intent.contract;
      if (cost.readinessProbe !== "required" || latency === "none") return;
      for (const { name, path, spec } of servingContainers(context)) {
        if (!isObject(valueAt(spec, ["readinessProbe", "tcpSocket"]))) continue;
        // A startup probe that asks the application holds readiness back until the load is over.
        const startup = objectAt(spec, ["startupProbe"]);
        if (Object.keys(startup).length > 0 && !isObject(valueAt(startup, ["tcpSocket"]))) continue;
        yield {
          message: `Container ${name} counts as ready when its port opens, which a model server does long before the ${durationText(cost.costMs)} of loading are over.`,
          path: [...path, "readinessProbe", "tcpSocket"],
        };
      }
    },
  },
  {
    id: "RD03",
    declaration: "startup",
    severity: "error",
    scope: "podSet",
    title: "has a liveness probe that kills it while it starts",
    remedy: "Add a startupProbe: liveness probes wait until it has succeeded.",
    link: "https://github.com/kserve/kserve/issues/1641",
    *check(context) {
      const { costMs } = context.intent.contract.startup;
      for (const { name, path, spec } of servingContainers(context)) {
        const liveness = valueAt(spec, ["livenessProbe"]);
        if (!isObject(liveness) || isObject(valueAt(spec, ["startupProbe"]))) continue;
        const budgetMs = probeBudgetMs(liveness);
        if (budgetMs >= costMs) continue;
        yield {
          message: `The liveness probe of container ${name} restarts it after ${durationText(budgetMs)}, but it takes ${durationText(costMs)} to start and no startup probe holds the liveness probe back: it would restart for ever.`,
          path: [...path, "livenessProbe"],
        };
      }
    },
  },
  {
    id: "RD04",
    declaration: "startup",
    severity: "warning",
    scope: "podSet",
    title: "declares a rollout failed before a new pod can be up",
    remedy: "Raise progressDeadlineSeconds, or roll without surge (maxSurge 0) so that no new node is needed.",
    link: "https://kubernetes.io/docs/concepts/workloads/controllers/deployment/#progress-deadline-seconds",
    *check({ workload, set, intent, catalogue }) {
      const kind = groupKind(workload);
      if (kind !== "apps/Deployment" && kind !== "argoproj.io/Rollout") return;
      const { object } = workload;
      const deadlineMs = (integerAt(object, ["spec", "progressDeadlineSeconds"]) ?? 600) * 1000;
      const readyMs = (integerAt(object, ["spec", "minReadySeconds"]) ?? 0) * 1000;
      const { startup, capacity } = intent.contract;
      const newNodes = catalogue.platform.autoscaler.kind !== "none" && surges(object, kind);
      const nodeMs = newNodes ? capacity.maxProvisioningMs : 0;
      const needMs = startup.costMs + readyMs + nodeMs;
      if (deadlineMs >= needMs) return;
      const node = newNodes ? `up to ${durationText(nodeMs)} for a node and ` : "";
      yield {
        message: `A rollout of ${setText(workload, set)} is called failed after ${durationText(deadlineMs)} without progress, but a surge pod may take ${node}${durationText(startup.costMs + readyMs)} to become available.`,
        hint: `Set spec.progressDeadlineSeconds to ${Math.ceil(needMs / 1000)} or more${newNodes ? ", or maxSurge to 0" : ""}.`,
        path: ["spec", "progressDeadlineSeconds"],
      };
    },
  },
  {
    id: "RD08",
    declaration: "startup",
    severity: "error",
    scope: "podSet",
    title: "has no readiness probe",
    remedy: "Give each serving container a readinessProbe that succeeds once the model is loaded.",
    link: "https://github.com/kubernetes-sigs/gateway-api-inference-extension/pull/550",
    undecidable: (context) =>
      context.intent.contract.startup.readinessProbe === "required"
        ? withoutContainers(context, "readinessProbe")
        : undefined,
    *check(context) {
      if (context.intent.contract.startup.readinessProbe !== "required" || probesComeFromOperator(context)) return;
      const serving = servingContainers(context);
      const lacking = serving.filter(({ spec }) => !isObject(valueAt(spec, ["readinessProbe"])));
      for (const container of needed(context, serving, lacking)) {
        yield {
          message: `Container ${container.name} has no readiness probe, but class ${context.intent.className} requires one: without it requests arrive ${durationText(context.intent.contract.startup.costMs)} before anybody can answer.`,
          path: [...container.path, "readinessProbe"],
        };
      }
    },
  },
];

/** How long a probe fails before it has consequences: its delay and all its tries. */
function probeBudgetMs(probe: JsonObject): number {
  const delay = integerAt(probe, ["initialDelaySeconds"]) ?? 0;
  return (delay + (integerAt(probe, ["periodSeconds"]) || 10) * (integerAt(probe, ["failureThreshold"]) || 3)) * 1000;
}

/** The containers that hold devices; where none does, all of them. */
function servingContainers({ set }: RuleContext): readonly Container[] {
  const all = containersOf(set);
  const holding = all.filter(holdsDevice);
  return holding.length > 0 ? holding : all;
}

function holdsDevice({ spec }: Container): boolean {
  const limits = Object.keys(objectAt(spec, ["resources", "limits"]));
  const claims = valueAt(spec, ["resources", "claims"]);
  return (Array.isArray(claims) && claims.length > 0) || limits.some((name) => name.includes("/"));
}

/** Each container that holds a device needs the probe; among containers without, one that has it is enough. */
function needed(
  context: RuleContext,
  serving: readonly Container[],
  lacking: readonly Container[],
): readonly Container[] {
  if (context.set.entry.interrupt === "never" || isFollower(context.workload, context.set)) return [];
  if (serving.some(holdsDevice)) return lacking;
  return lacking.length === serving.length ? lacking.slice(0, 1) : [];
}

/** KubeRay adds probes of its own to containers that have none. */
const probesComeFromOperator = ({ workload }: RuleContext): boolean => groupKind(workload).startsWith("ray.io/");

/** KServe takes containers, or what they leave out, from a runtime or a base configuration, which are other documents. */
function withoutContainers(context: RuleContext, probe: string): string | undefined {
  const { workload, set } = context;
  if (containersOf(set).length === 0) return `the containers of ${setText(workload, set)} are not in this document`;
  if (servingContainers(context).every(({ spec }) => isObject(valueAt(spec, [probe])))) return undefined;
  const kind = groupKind(workload);
  if (kind === "serving.kserve.io/LLMInferenceService") {
    return `KServe completes the containers of ${setText(workload, set)} from a base configuration, which is another document`;
  }
  const isShortForm = arrayAt(workload.object, at(set, "containers")).length === 0;
  if (kind !== "serving.kserve.io/InferenceService" || !isShortForm) return undefined;
  return `KServe completes the container of ${setText(workload, set)} from a ServingRuntime, which is another document`;
}

function surges(object: JsonObject, kind: string): boolean {
  const strategy = objectAt(object, ["spec", "strategy"]);
  if (stringAt(strategy, ["type"]) === "Recreate") return false;
  const surge = valueAt(strategy, [kind === "apps/Deployment" ? "rollingUpdate" : "canary", "maxSurge"]);
  return surge !== 0 && surge !== "0" && surge !== "0%";
}
