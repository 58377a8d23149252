import type { ClusterFacts, Intent, Json, JsonObject } from "../../src/model/index.ts";
import { type Catalogue, type IntentContext, resolveIntents } from "../../src/policy/index.ts";
import { emptyFacts, inventoryFrom } from "../../src/topology/index.ts";
import { type PodSet, readWorkload, type Workload } from "../../src/workloads/index.ts";

type Annotations = Readonly<Record<string, string>>;

export const CLASS = "plimsoll.dev/workload-class";
export const INTENT = "plimsoll.dev/intent";

/** A container that asks for these amounts. */
const container = (limits: JsonObject = {}): JsonObject => ({
  name: "main",
  image: "pause:3.10",
  resources: { limits },
});

export interface Parts {
  readonly annotations?: Annotations;
  readonly labels?: Annotations;
  readonly template?: Annotations;
  readonly limits?: JsonObject;
  readonly spec?: JsonObject;
  readonly count?: number;
}

const podTemplate = ({ template = {}, limits = {}, spec = {} }: Parts): JsonObject => ({
  metadata: { labels: { app: "x" }, annotations: template },
  spec: { containers: [container(limits)], ...spec },
});

export const deployment = (parts: Parts = {}): JsonObject => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "web", namespace: "team-a", annotations: parts.annotations ?? {} },
  spec: { replicas: parts.count ?? 3, selector: { matchLabels: { app: "x" } }, template: podTemplate(parts) },
});

export const job = (parts: Parts = {}): JsonObject => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: {
    name: "train",
    namespace: "team-a",
    annotations: parts.annotations ?? {},
    ...(parts.labels === undefined ? {} : { labels: parts.labels }),
  },
  spec: { parallelism: parts.count ?? 4, completions: parts.count ?? 4, template: podTemplate(parts) },
});

/** One head without devices and one worker group for each entry. */
export const rayCluster = (groups: Readonly<Record<string, Parts>>, parts: Parts = {}): JsonObject => ({
  apiVersion: "ray.io/v1",
  kind: "RayCluster",
  metadata: { name: "ray", namespace: "team-a", annotations: parts.annotations ?? {} },
  spec: {
    headGroupSpec: { rayStartParams: {}, template: podTemplate(parts) },
    workerGroupSpecs: Object.entries(groups).map(
      ([groupName, group]): Json => ({
        groupName,
        replicas: group.count ?? 2,
        minReplicas: 1,
        maxReplicas: 4,
        rayStartParams: {},
        template: podTemplate(group),
      }),
    ),
  },
});

export function read(object: JsonObject, catalogue: Catalogue): Workload {
  const workload = readWorkload(object, catalogue.kinds);
  if (workload === undefined) throw new Error(`${String(object["kind"])} is not in the kind table`);
  return workload;
}

export function facts(objects: readonly JsonObject[] = []): ClusterFacts {
  return objects.length === 0 ? emptyFacts() : (inventoryFrom(objects).value?.facts ?? emptyFacts());
}

/** The first pod set with its intent. */
export function first(
  object: JsonObject,
  catalogue: Catalogue,
  context: Partial<IntentContext> = {},
): { workload: Workload; set: PodSet; intent: Intent } {
  const workload = read(object, catalogue);
  const { intents, diagnostics } = resolveIntents(workload, catalogue, { creating: true, ...context });
  const [set] = workload.podSets;
  const intent = set === undefined ? undefined : intents.get(set.name);
  if (set === undefined || intent === undefined)
    throw new Error(`no intent: ${diagnostics.map(({ message }) => message).join("; ")}`);
  return { workload, set, intent };
}
