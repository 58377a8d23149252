import type { KindEntry, TemplateEntry } from "../types.ts";
import { kind, template, WHILE_STOPPED } from "./define.ts";

const REPLICAS = `(flag(item, "suspend", false) ? 0 : whole(item, "minReplicas", 0) > whole(item, "maxReplicas", 2147483647)
  ? whole(item, "maxReplicas", 2147483647)
  : min(max(whole(item, "replicas", 0), whole(item, "minReplicas", 0)), whole(item, "maxReplicas", 2147483647)))`;
const HOSTS = `max(whole(item, "numOfHosts", 1), 1)`;

/** Head and worker groups of a RayClusterSpec at a path. Bounds as KubeRay's GetWorkerGroupDesiredReplicas applies them. */
function cluster(spec: string): readonly TemplateEntry[] {
  return [
    template({ role: "head", path: `${spec}.headGroupSpec.template`, name: `"head"`, interrupt: "never" }),
    template({
      role: "worker",
      path: `${spec}.workerGroupSpecs[*].template`,
      name: `text(item, "groupName", "")`,
      count: `${REPLICAS} * ${HOSTS}`,
      minimum: `given(item, "minReplicas") ? whole(item, "minReplicas", 0) * ${HOSTS} : -1`,
      // The default maximum is without bound, so it says nothing.
      peak: `flag(object, "${spec}.enableInTreeAutoscaling", false) && given(item, "maxReplicas") && !flag(item, "suspend", false)
        ? whole(item, "maxReplicas", 0) * ${HOSTS} : ${REPLICAS} * ${HOSTS}`,
      groupSize: HOSTS,
    }),
  ];
}

function submitter(spec: string): TemplateEntry {
  return template({
    role: "submitter",
    path: `${spec}.submitterPodTemplate`,
    name: `"submitter"`,
    when: `text(object, "${spec}.submissionMode", "K8sJobMode") == "K8sJobMode"`,
    optional: true,
    absentMeansNone: false,
    defaultSpec: {
      containers: [
        {
          name: "ray-job-submitter",
          resources: { requests: { cpu: "500m", memory: "200Mi" }, limits: { cpu: "1", memory: "1Gi" } },
        },
      ],
    },
  });
}

const common = { versions: ["ray.io/v1alpha1"], gangLabel: "ray.io/cluster" };

export const ray: readonly KindEntry[] = [
  kind({
    ...common,
    apiVersion: "ray.io/v1",
    kind: "RayCluster",
    plural: "rayclusters",
    life: "elastic",
    makes: ["/Pod"],
    suspend: "spec.suspend",
    templates: cluster("spec"),
  }),
  kind({
    ...common,
    apiVersion: "ray.io/v1",
    kind: "RayJob",
    plural: "rayjobs",
    life: "runOnce",
    makes: ["ray.io/RayCluster", "batch/Job"],
    suspend: "spec.suspend",
    // Its cluster is made once, from what the spec says then.
    mutability: WHILE_STOPPED,
    templates: [...cluster("spec.rayClusterSpec"), submitter("spec")],
  }),
  kind({
    ...common,
    apiVersion: "ray.io/v1",
    kind: "RayService",
    plural: "rayservices",
    life: "elastic",
    makes: ["ray.io/RayCluster"],
    templates: cluster("spec.rayClusterConfig"),
    // An upgrade brings up a second cluster beside the first.
    peak: `text(object, "spec.upgradeStrategy.type", "NewCluster") == "None" ? 1 : 2`,
  }),
  kind({
    apiVersion: "ray.io/v1",
    kind: "RayCronJob",
    plural: "raycronjobs",
    life: "templateOnly",
    makes: ["ray.io/RayJob"],
    gangLabel: "ray.io/cluster",
    suspend: "spec.suspend",
    templates: [...cluster("spec.jobTemplate.rayClusterSpec"), submitter("spec.jobTemplate")],
  }),
];
