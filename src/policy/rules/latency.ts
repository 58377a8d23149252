import { arrayAt, durationText, integerAt, objectAt, type Path, stringAt, toText } from "../../model/index.ts";
import { at, groupKind, isHelper, oneOf, own, plural, setText } from "./read.ts";
import { kserveAutoscaler, kserveIgnoresZero, kserveMode, scaleOf } from "./scale.ts";
import type { Rule, RuleContext } from "./types.ts";

export const latencyRules: readonly Rule[] = [
  {
    id: "AS01",
    declaration: "latency",
    severity: "error",
    scope: "podSet",
    title: "scales to zero although a cold start is longer than the latency objective",
    remedy: "Keep at least one replica, or use a class without a latency objective.",
    link: "https://github.com/superlinked/sie/issues/293",
    *check({ workload, set, intent }) {
      const { latency, startup } = intent.contract;
      const scale = scaleOf(workload, set);
      if (latency === "none" || scale === undefined || !scale.autoscaled || scale.floor > 0) return;
      if (kserveIgnoresZero(workload) || startup.costMs <= latency.targetMs) return;
      yield {
        message: `${toText(scale.path)} lets ${setText(workload, set)} scale to zero, but a cold start takes ${durationText(startup.costMs)} and class ${intent.className} promises ${latency.metric} within ${durationText(latency.targetMs)}.`,
        hint: `Set ${toText(scale.path)} to ${Math.max(1, intent.contract.demand.replicas.min)}.`,
        path: scale.path,
      };
    },
  },
  {
    id: "AS04",
    declaration: "latency",
    severity: "error",
    scope: "podSet",
    title: "scales on a signal that the class forbids",
    remedy: "Scale on a signal that the class allows, such as queue depth or concurrency.",
    link: "https://github.com/NVIDIA/dcgm-exporter/issues/301",
    *check(context) {
      const { allowed, forbidden } = context.intent.contract.demand.signals;
      for (const signal of signalsOf(context)) {
        const isForbidden = forbidden.some((name) => plain(name) === plain(signal.name));
        const isAllowed =
          allowed === undefined || signal.foreign || allowed.some((name) => plain(name) === plain(signal.name));
        if (!isForbidden && isAllowed) continue;
        const says = isForbidden ? "forbids" : "does not list";
        const instead = allowed === undefined || allowed.length === 0 ? "" : `; it allows ${oneOf(allowed)}`;
        yield {
          message: `${setText(context.workload, context.set)} scales on ${signal.name}${signal.byDefault ? " (the default here)" : ""}, which class ${context.intent.className} ${says}${instead}.`,
          path: signal.path,
        };
      }
    },
  },
  {
    id: "AS16",
    declaration: "latency",
    severity: "warning",
    scope: "podSet",
    title: "asks KServe for zero replicas in a mode that silently makes it one",
    remedy: "Write the floor that you mean: minReplicas 1 or more in Standard mode.",
    link: "https://github.com/kserve/kserve/issues/3514",
    *check({ workload, set, intent }) {
      const scale = scaleOf(workload, set);
      if (scale === undefined || !scale.autoscaled || scale.floor > 0 || !kserveIgnoresZero(workload)) return;
      if (groupKind(workload) !== "serving.kserve.io/InferenceService") return;
      yield {
        message: `${toText(scale.path)} is 0, but KServe in Standard mode with an HPA keeps one replica without saying so; class ${intent.className} wants ${plural(intent.contract.demand.replicas.min, "replica")} at least.`,
        hint: `Set ${toText(scale.path)} to ${Math.max(1, intent.contract.demand.replicas.min)}.`,
        path: scale.path,
      };
    },
  },
  {
    id: "LT01",
    declaration: "latency",
    severity: "error",
    scope: "podSet",
    title: "keeps fewer replicas than the latency objective needs",
    remedy: "Raise the replicas (or the autoscaler's minimum) to the class's replicas.min.",
    link: "https://github.com/kubernetes-sigs/karpenter/issues/2985",
    *check({ workload, set, intent, catalogue }) {
      const { latency, demand } = intent.contract;
      const scale = scaleOf(workload, set);
      if (latency === "none" || scale === undefined || isHelper({ intent, catalogue })) return;
      // Zero is either a stopped workload or the business of AS01, AS16 and DM04.
      if (scale.floor === 0 || scale.floor >= demand.replicas.min) return;
      yield {
        message: `${setText(workload, set)} keeps ${plural(scale.floor, "replica")}, but class ${intent.className} needs ${demand.replicas.min} at least, so that a drain or a lost node leaves somebody to answer.`,
        hint: `Set ${toText(scale.path)} to ${demand.replicas.min}.`,
        path: scale.path,
      };
    },
  },
  {
    id: "SP01",
    declaration: "latency",
    severity: "warning",
    scope: "podSet",
    title: "spreads its replicas less strictly than the class",
    remedy: "Leave the constraint out (the class supplies it), or make it as strict as the class says.",
    link: "https://github.com/aws/karpenter-provider-aws/issues/3652",
    *check({ workload, set, intent, catalogue }) {
      const spread = intent.contract.topology?.spread;
      const key = catalogue.layout.levels.find((level) => level.name === spread?.level)?.key;
      if (spread === undefined || key === undefined || intent.contract.latency === "none") return;
      for (const [index, entry] of arrayAt(set.pod.spec, ["topologySpreadConstraints"]).entries()) {
        if (stringAt(entry, ["topologyKey"]) !== key) continue;
        const skew = integerAt(entry, ["maxSkew"]) ?? 1;
        const soft = stringAt(entry, ["whenUnsatisfiable"]) === "ScheduleAnyway";
        if (skew <= spread.maxSkew && !(soft && spread.mode === "required")) continue;
        yield {
          message: `The spread over ${key} of ${setText(workload, set)} is ${soft ? "preferred" : "required"} with a skew of ${skew}, but class ${intent.className} wants it ${spread.mode} with a skew of ${spread.maxSkew} at most.`,
          path: at(set, "topologySpreadConstraints", index),
        };
      }
    },
  },
];

interface Signal {
  readonly name: string;
  readonly path: Path;
  /** The kind takes it where nothing is written. */
  readonly byDefault: boolean;
  /** A trigger type of another system: its name says where it is read, not what it measures, so `allowed` cannot judge it. */
  readonly foreign: boolean;
}

/** What the document itself scales the pod set on. HPA and ScaledObject are other documents. */
function* signalsOf({ workload, set }: RuleContext): Iterable<Signal> {
  const { object } = workload;
  const signal = (name: string, path: Path, byDefault = false, foreign = false) => ({ name, path, byDefault, foreign });
  if (groupKind(workload) === "keda.sh/ScaledJob") {
    for (const [index, trigger] of arrayAt(object, ["spec", "triggers"]).entries()) {
      const type = stringAt(trigger, ["type"]);
      if (type !== undefined) yield signal(type, ["spec", "triggers", index, "type"], false, true);
    }
    return;
  }
  if (groupKind(workload) !== "serving.kserve.io/InferenceService" || set.path.length !== 2) return;
  const metric = stringAt(object, [...set.path, "scaleMetric"]);
  const annotated = own(workload.annotations, "autoscaling.knative.dev/metric");
  const metrics = arrayAt(object, [...set.path, "autoScaling", "metrics"]);
  if (metric !== undefined) yield signal(metric, [...set.path, "scaleMetric"]);
  if (annotated !== undefined) yield signal(annotated, ["metadata", "annotations", "autoscaling.knative.dev/metric"]);
  for (const [index, entry] of metrics.entries()) {
    const name = stringAt(objectAt(entry, ["resource"]), ["name"]);
    if (name !== undefined) yield signal(name, [...set.path, "autoScaling", "metrics", index, "resource", "name"]);
  }
  if (
    metric !== undefined ||
    metrics.length > 0 ||
    kserveMode(workload) !== "standard" ||
    kserveAutoscaler(workload) !== "hpa"
  )
    return;
  const scale = scaleOf(workload, set);
  if (scale?.ceiling !== undefined && scale.ceiling > Math.max(1, scale.floor))
    yield signal("cpu", [...set.path, "scaleMetric"], true);
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
