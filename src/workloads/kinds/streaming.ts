import type { KindEntry, TemplateEntry } from "../types.ts";
import { kind, template } from "./define.ts";

/** The two pod sets of a Flink cluster whose spec stands at a path; spec.podTemplate is the base of both. */
function flink(spec: string): readonly TemplateEntry[] {
  const config = `"${spec}.flinkConfiguration"`;
  const slots = `settingWhole(object, ${config}, "taskmanager.numberOfTaskSlots", 1)`;
  const parallelism = `whole(object, "${spec}.job.parallelism", settingWhole(object, ${config}, "parallelism.default", 1))`;
  const stopped = `text(object, "${spec}.job.state", "running") == "suspended"`;
  const common = {
    base: `${spec}.podTemplate`,
    mergeByName: `setting(object, ${config}, "kubernetes.operator.pod-template.merge-arrays-by-name", "false") == "true"`,
    optional: true,
    absentMeansNone: false,
    creatable: true,
  };
  const outside = (part: string, cpu: string, memory: string) => ({
    container: "flink-main-container",
    dialect: "jvm" as const,
    plainUnit: "b" as const,
    cpu: `${spec}.${part}.resource.cpu`,
    memory: `${spec}.${part}.resource.memory`,
    resources: `${spec}.${part}.resources`,
    defaults: { cpu, memory: `setting(object, ${config}, "${memory}", "")` },
  });
  return [
    template({
      ...common,
      role: "jobManager",
      path: `${spec}.jobManager.podTemplate`,
      name: `"jobManager"`,
      count: `${stopped} ? 0 : whole(object, "${spec}.jobManager.replicas", 1)`,
      interrupt: "avoid",
      outside: outside(
        "jobManager",
        `setting(object, ${config}, "kubernetes.jobmanager.cpu.amount", "1")`,
        "jobmanager.memory.process.size",
      ),
    }),
    template({
      ...common,
      role: "taskManager",
      path: `${spec}.taskManager.podTemplate`,
      name: `"taskManager"`,
      // A session cluster has no job: natively it starts task managers on demand.
      count: `${stopped} ? 0 : given(object, "${spec}.taskManager.replicas") ? whole(object, "${spec}.taskManager.replicas", 1)
        : given(object, "${spec}.job") ? ceilDiv(${parallelism}, ${slots})
        : text(object, "${spec}.mode", "native") == "standalone" ? 1 : 0`,
      outside: outside(
        "taskManager",
        `setting(object, ${config}, "kubernetes.taskmanager.cpu.amount", string(${slots}))`,
        "taskmanager.memory.process.size",
      ),
    }),
  ];
}

/** Driver and executors of a Spark application whose spec stands at a path. Scheduling stands inline; the template carries the rest. */
function spark(spec: string): readonly TemplateEntry[] {
  const dynamic = `flag(object, "${spec}.dynamicAllocation.enabled", false)`;
  const bound = (name: string, fallback: string) => `whole(object, "${spec}.dynamicAllocation.${name}", ${fallback})`;
  const instances = `whole(object, "${spec}.executor.instances", ${dynamic} ? 0 : 1)`;
  const initial = `max(max(${bound("minExecutors", "0")}, ${bound("initialExecutors", "0")}), ${instances})`;
  const part = (role: string, container: string) => {
    const at = `${spec}.${role}`;
    const inline = (name: string) => `${at}.${name}`;
    return {
      role,
      path: `${at}.template`,
      name: `"${role}"`,
      optional: true,
      absentMeansNone: false,
      creatable: true,
      labels: inline("labels"),
      annotations: inline("annotations"),
      fields: {
        nodeSelector: inline("nodeSelector"),
        affinity: inline("affinity"),
        tolerations: inline("tolerations"),
        priorityClassName: inline("priorityClassName"),
        terminationGracePeriodSeconds: inline("terminationGracePeriodSeconds"),
        schedulingGroup: null,
      },
      inlineContainerLists: [inline("sidecars")],
      inlineInitContainers: inline("initContainers"),
      outside: {
        container,
        orFirst: true,
        dialect: "jvm" as const,
        plainUnit: "m" as const,
        cpu: inline("cores"),
        cpuRequest: inline("coreRequest"),
        memory: inline("memory"),
        memoryOverhead: inline("memoryOverhead"),
        overheadFactor: `text(object, "${spec}.memoryOverheadFactor", text(object, "${spec}.type", "Scala") in ["Python", "R"] ? "0.4" : "0.1")`,
        gpu: inline("gpu"),
        defaults: { cpu: `"1"`, memory: `"1g"` },
      },
    };
  };
  return [
    template({ ...part("driver", "spark-kubernetes-driver"), interrupt: "never" }),
    template({
      ...part("executor", "spark-kubernetes-executor"),
      count: `${dynamic} ? ${initial} : ${instances}`,
      minimum: `${dynamic} ? ${bound("minExecutors", "0")} : -1`,
      peak: `${dynamic} ? max(${initial}, ${bound("maxExecutors", "0")}) : ${instances}`,
    }),
  ];
}

export const streaming: readonly KindEntry[] = [
  kind({
    apiVersion: "flink.apache.org/v1beta1",
    kind: "FlinkDeployment",
    plural: "flinkdeployments",
    life: "elastic",
    makes: ["apps/Deployment", "apps/StatefulSet"],
    gangLabel: "app",
    templates: flink("spec"),
  }),
  kind({
    apiVersion: "flink.apache.org/v1beta1",
    kind: "FlinkBlueGreenDeployment",
    plural: "flinkbluegreendeployments",
    life: "elastic",
    makes: ["flink.apache.org/FlinkDeployment"],
    gangLabel: "app",
    templates: flink("spec.template.spec"),
    // Both colours run while one takes over.
    peak: "2",
  }),
  kind({
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "SparkApplication",
    plural: "sparkapplications",
    life: "runOnce",
    makes: ["/Pod"],
    gangLabel: "spark-app-selector",
    suspend: "spec.suspend",
    templates: spark("spec"),
  }),
  kind({
    apiVersion: "sparkoperator.k8s.io/v1beta2",
    kind: "ScheduledSparkApplication",
    plural: "scheduledsparkapplications",
    life: "templateOnly",
    makes: ["sparkoperator.k8s.io/SparkApplication"],
    gangLabel: "spark-app-selector",
    suspend: "spec.suspend",
    templates: spark("spec.template"),
  }),
];
