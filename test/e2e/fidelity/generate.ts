import type { JsonObject } from "../../../src/model/index.ts";
import { type Random, random } from "../../../src/topology/random.ts";
import {
  type Case,
  GENERATION_LABEL,
  GPU_DRIVER,
  type Meaning,
  MODEL,
  MODELS,
  type Model,
  NAMESPACE,
  NIC_DRIVER,
  NUMA,
  resourceOf,
} from "./case.ts";
import { type ClusterShape, draftNodes, fillerOn, type NodeDraft, nodeObjects } from "./nodes.ts";
import { type ClassShape, modelSelector, policyFiles } from "./policies.ts";

type Kind = "Deployment" | "Job" | "StatefulSet" | "Pod";

/** How the pods get devices: by what the class adds, by what the manifest says, or not at all. */
type Form = "none" | "added" | "counted" | "claimed";

const TEMPLATE = "own-devices";

/** The same case for the same seed and number. */
export function generate(seed: number, number: number, version: string): Case {
  const dice = random((Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b)) >>> 0);
  const kind = dice.pick<Kind>(["Deployment", "Job", "Job", "Job", "StatefulSet", "Pod"]);
  const form = dice.pick<Form>(["none", "added", "added", "counted", "claimed", "claimed"]);
  const dra = form === "claimed" || (form === "added" && dice.chance(0.6));
  const racks = kind !== "Pod" && dice.chance(0.35);
  const tight = dra && !racks && dice.chance(0.4);
  const cluster: ClusterShape = {
    models: !racks && dice.chance(0.5) ? MODELS : [dice.pick(MODELS)],
    dra,
    nics: form === "claimed" && dice.chance(0.7),
    mixed: dra && dice.chance(0.5),
    capacityTypes: dice.chance(0.4) ? ["reserved", "on-demand"] : ["on-demand"],
    busy: tight ? 0.2 : dice.pick([0.2, 0.5, 0.8]),
    tight,
    racks,
  };
  const nodes = draftNodes(dice, cluster);
  const count = kind === "Pod" ? 1 : racks ? 2 + dice.below(3) : dice.pick([1, 2, 2, 3, 3, 4, 5, 6]);
  const shape = classShape(dice, { kind, form, dra, count, cluster });
  const claim = form === "claimed" ? claimSpec(dice, cluster) : undefined;
  const required =
    shape.demand === "gang" ? count : shape.demand === "online" ? Math.min(count, Math.max(shape.min, 1)) : 1;
  return {
    name: `seed-${seed}-case-${number}`,
    version,
    policies: policyFiles(shape, nodes, version),
    cluster: [...nodes.flatMap((node) => nodeObjects(node, dice, cluster)), ...(dra ? deviceClasses() : [])],
    filler: nodes.flatMap((node) => fillerOn(node, dice, cluster.busy)),
    given: claim === undefined ? [] : [claimTemplate(claim)],
    workload: workload(dice, kind, form, count, nodes),
    required,
    count,
    meanings: meanings(),
  };
}

interface Given {
  readonly kind: Kind;
  readonly form: Form;
  readonly dra: boolean;
  readonly count: number;
  readonly cluster: ClusterShape;
}

function classShape(dice: Random, { kind, form, dra, count, cluster }: Given): ClassShape {
  const demand =
    kind === "Job"
      ? dice.pick(["gang", "gang", "gang", "batch"] as const)
      : kind === "Pod"
        ? "batch"
        : dice.pick(["online", "online", "online", "batch"] as const);
  const models =
    form === "none"
      ? "none"
      : form === "claimed"
        ? "any"
        : form === "counted"
          ? MODELS
          : dice.chance(0.4) && cluster.models.length > 1 && form === "added"
            ? MODELS
            : [dice.pick(cluster.models as readonly [Model, ...Model[]])];
  const level =
    kind !== "Pod" && dice.chance(cluster.racks ? 0.9 : 0.2)
      ? {
          name: dice.pick(["rack", "rack", "zone", "host"] as const),
          mode: dice.chance(0.85) ? ("required" as const) : ("preferred" as const),
          pin: kind === "Job" && dice.chance(0.3),
        }
      : undefined;
  const types = cluster.capacityTypes;
  return {
    demand,
    min: dice.chance(0.7) ? count : 1 + dice.below(count),
    models,
    perPod: dice.pick([1, 1, 2]),
    align: form === "added" && dra && dice.chance(0.4) ? "required" : undefined,
    level,
    spread:
      level === undefined && kind !== "Pod" && dice.chance(0.15)
        ? { level: dice.pick(["rack", "zone", "host"] as const), maxSkew: 1 + dice.below(2) }
        : undefined,
    capacityTypes: types.length > 1 && dice.chance(0.5) ? ["on-demand", "reserved"] : types,
  };
}

/** One or two GPU requests, perhaps a network card, perhaps some of them on one NUMA node. */
function claimSpec(dice: Random, cluster: ClusterShape): JsonObject {
  const model = dice.pick(cluster.models as readonly [Model, ...Model[]]);
  const wanted = (chance: number): JsonObject =>
    dice.chance(chance) ? { selectors: [{ cel: { expression: modelSelector(model) } }] } : {};
  const count = (): JsonObject =>
    dice.chance(0.15) ? { allocationMode: "All" } : { allocationMode: "ExactCount", count: dice.pick([1, 1, 2]) };
  const greedy = cluster.mixed && cluster.tight && dice.chance(0.6);
  const gpu = { deviceClassName: GPU_DRIVER, ...wanted(greedy ? 0 : 0.6), ...(greedy ? { count: 1 } : count()) };
  const requests: JsonObject[] = [{ name: "gpu", exactly: gpu }];
  if (greedy || dice.chance(0.2))
    requests.push({ name: "more", exactly: { deviceClassName: GPU_DRIVER, ...wanted(greedy ? 1 : 0.6), count: 1 } });
  if (cluster.nics && !greedy)
    requests.push({ name: "nic", exactly: { deviceClassName: NIC_DRIVER, count: dice.pick([1, 1, 2]) } });
  const names = requests.map(({ name }) => String(name));
  const some = dice.chance(0.3) && names.length > 2 ? [names[0] ?? "", names.at(-1) ?? ""] : names;
  const constraint = { matchAttribute: NUMA, ...(dice.chance(0.5) || some !== names ? { requests: some } : {}) };
  return { requests, ...(dice.chance(0.6) && !greedy ? { constraints: [constraint] } : {}) };
}

function claimTemplate(devices: JsonObject): JsonObject {
  return {
    apiVersion: "resource.k8s.io/v1",
    kind: "ResourceClaimTemplate",
    metadata: { name: TEMPLATE, namespace: NAMESPACE },
    spec: { spec: { devices } },
  };
}

function deviceClasses(): readonly JsonObject[] {
  return [GPU_DRIVER, NIC_DRIVER].map((driver) => ({
    apiVersion: "resource.k8s.io/v1",
    kind: "DeviceClass",
    metadata: { name: driver },
    spec: { selectors: [{ cel: { expression: driverSelector(driver) } }] },
  }));
}

const driverSelector = (driver: string): string => `device.driver == "${driver}"`;

function meanings(): Readonly<Record<string, Meaning>> {
  return Object.fromEntries([
    ...[GPU_DRIVER, NIC_DRIVER].map((driver) => [driverSelector(driver), { driver }]),
    ...MODELS.map((model) => [modelSelector(model), { driver: GPU_DRIVER, attributes: { [MODEL]: model } }]),
  ]);
}

function workload(dice: Random, kind: Kind, form: Form, count: number, nodes: readonly NodeDraft[]): JsonObject {
  const models = nodes.flatMap(({ accelerator }) => accelerator ?? []);
  const model = models[dice.below(Math.max(1, models.length))] ?? "alpha";
  const spec = podSpec(dice, form, model);
  const metadata = {
    name: "w",
    labels: { app: "w" },
    namespace: NAMESPACE,
    annotations: { "plimsoll.dev/workload-class": "tested" },
  };
  const labels = { app: "w" };
  const template = { metadata: { labels }, spec };
  const selector = { matchLabels: labels };
  switch (kind) {
    case "Pod":
      return { apiVersion: "v1", kind, metadata, spec };
    case "Job": {
      const size = { parallelism: count, completions: count, completionMode: "Indexed", backoffLimit: 0 };
      return {
        apiVersion: "batch/v1",
        kind,
        metadata,
        spec: { ...size, template: { ...template, spec: { ...spec, restartPolicy: "Never" } } },
      };
    }
    case "StatefulSet":
      return {
        apiVersion: "apps/v1",
        kind,
        metadata,
        spec: { replicas: count, serviceName: "w", podManagementPolicy: "Parallel", selector, template },
      };
    case "Deployment":
      return { apiVersion: "apps/v1", kind, metadata, spec: { replicas: count, selector, template } };
  }
}

function podSpec(dice: Random, form: Form, model: Model): JsonObject {
  const requests: JsonObject = {
    cpu: dice.pick(["500m", "1", "1", "1500m", "2", "3"]),
    ...(dice.chance(0.4) ? { memory: `${1 + dice.below(5)}Gi` } : {}),
    ...(form === "counted" ? { [resourceOf(model)]: String(dice.pick([1, 1, 2])) } : {}),
  };
  const claims = form === "claimed" ? [{ name: "own", resourceClaimTemplateName: TEMPLATE }] : [];
  const tolerations: JsonObject[] = [];
  if (dice.chance(0.3)) tolerations.push({ key: "example.com/team", operator: "Equal", value: "x" });
  // What the class does not know of, the manifest tolerates itself.
  if (form === "none" || form === "claimed")
    for (const name of MODELS)
      if (form === "claimed" || dice.chance(0.6))
        tolerations.push({ key: resourceOf(name), operator: "Exists", effect: "NoSchedule" });
  const limits = form === "counted" ? { limits: { [resourceOf(model)]: requests[resourceOf(model)] ?? "1" } } : {};
  return {
    ...selection(dice),
    ...(tolerations.length === 0 ? {} : { tolerations }),
    ...(claims.length === 0 ? {} : { resourceClaims: claims }),
    terminationGracePeriodSeconds: 0,
    containers: [
      {
        name: "main",
        image: "pause:3.10",
        resources: { requests, ...limits, ...(claims.length === 0 ? {} : { claims: [{ name: "own" }] }) },
      },
    ],
  };
}

/** The user's own node selection. */
function selection(dice: Random): JsonObject {
  if (dice.chance(0.8)) return {};
  if (dice.chance(0.4)) return { nodeSelector: { [GENERATION_LABEL]: dice.pick(["1", "2"]) } };
  const expression = dice.pick<JsonObject>([
    { key: GENERATION_LABEL, operator: "In", values: ["1", "2"] },
    { key: GENERATION_LABEL, operator: "NotIn", values: ["1"] },
    { key: GENERATION_LABEL, operator: "Exists" },
    { key: GENERATION_LABEL, operator: "DoesNotExist" },
    { key: GENERATION_LABEL, operator: "Gt", values: ["1"] },
  ]);
  const terms: JsonObject[] = [{ matchExpressions: [expression] }];
  if (dice.chance(0.3))
    terms.push({ matchFields: [{ key: "metadata.name", operator: "In", values: [`n${dice.below(4)}`] }] });
  return {
    affinity: {
      nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } },
    },
  };
}
