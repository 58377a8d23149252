import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isArray, isObject, type Json, type JsonObject, jsonEqual, type Rung, valueAt } from "../../src/model/index.ts";
import { draft } from "../../src/translate/draft.ts";
import { patchBetween, undo } from "../../src/translate/index.ts";
import { fieldPath, type PodField, readWorkload } from "../../src/workloads/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { everyKind } from "../support/everykind.ts";
import { expandAs, rung } from "../support/expansion.ts";
import { runs } from "../support/runs.ts";

const device = { accelerator: { classes: ["h100", "a100-80gb"], perPod: { min: 1, max: 8, default: 8 } } };
const spread = { unit: "pod", level: "host", mode: "required", spread: { level: "zone", maxSkew: 1 } };
const busy = {
  gang: {
    interruption: { spot: "never", consolidation: false, drainTimeout: "10m" },
    tenancy: { priorityClassName: "training" },
  },
  online: { ...device, topology: spread, capacity: { types: ["reserved", "on-demand"], maxProvisioning: "5m" } },
  elastic: { ...device, capacity: { types: ["spot", "on-demand", "reserved"], maxProvisioning: "5m" } },
};
const platforms = {
  plain: catalogue({ classes: busy }),
  queued: catalogue({ classes: busy, platform: { kueue: { version: "0.17" } } }),
  claims: catalogue({
    classes: busy,
    platform: {
      kubernetes: { version: "1.37" },
      companions: { resourceClaimTemplates: true, podDisruptionBudgets: true },
    },
  }),
  nics: catalogue({
    classes: {
      ...busy,
      gang: { ...busy.gang, accelerator: { align: { nics: { level: "pcie", count: 4 } } } },
      elastic: { ...busy.elastic, accelerator: { ...device.accelerator, align: { nics: { level: "pcie" } } } },
    },
    platform: {
      kubernetes: { version: "1.37" },
      companions: { resourceClaimTemplates: true },
      network: {
        driver: "dra.net",
        deviceClassName: "efa.networking.k8s.aws",
        alignment: { pcie: "resource.kubernetes.io/pcieRoot" },
      },
    },
  }),
  groups: catalogue({
    classes: busy,
    platform: {
      kubernetes: { version: "1.37", featureGates: { GenericWorkload: true, TopologyAwareWorkloadScheduling: true } },
      companions: { podGroups: true },
    },
  }),
  autoscaler: catalogue({
    classes: busy,
    platform: {
      autoscaler: { kind: "cluster-autoscaler", version: "1.36", provisioningRequests: true },
      companions: { provisioningRequests: true, podTemplates: true },
    },
  }),
};

/** What users write beside: foreign values, values equal to ours, values against ours, and parents of every state. */
const ITEMS: Readonly<Partial<Record<PodField, readonly Json[]>>> = {
  tolerations: [
    null,
    [],
    [{ key: "own", operator: "Exists" }],
    [{ operator: "Exists" }],
    [{ key: "nvidia.com/gpu", operator: "Exists", effect: "NoSchedule" }],
  ],
  nodeSelector: [
    null,
    {},
    { disk: "ssd" },
    { "karpenter.sh/capacity-type": "on-demand" },
    { "karpenter.k8s.aws/instance-gpu-name": "l4" },
  ],
  affinity: [
    null,
    {},
    { nodeAffinity: null },
    { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [] } },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "a", operator: "Exists" }] },
            { matchExpressions: [{ key: "a", operator: "Exists" }] },
          ],
        },
      },
    },
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [
            { matchExpressions: [{ key: "karpenter.sh/capacity-type", operator: "In", values: ["spot"] }] },
          ],
        },
      },
    },
  ],
  topologySpreadConstraints: [
    null,
    [],
    [{ maxSkew: 3, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "ScheduleAnyway" }],
  ],
  priorityClassName: [null, "mine", "training"],
  terminationGracePeriodSeconds: [null, 30, 45, 600],
  labels: [null, {}, { "plimsoll.dev/class": "other", app: "x" }],
  annotations: [null, {}, { "karpenter.sh/do-not-disrupt": "false" }],
};
const decorations = fc.record(
  Object.fromEntries(
    Object.entries(ITEMS).map(([field, values]) => [
      field,
      fc.option(fc.constantFrom(...values), { nil: undefined, freq: 1 }),
    ]),
  ),
  { noNullPrototype: true },
);

function decorated(
  manifest: JsonObject,
  wishes: Readonly<Record<string, Json | undefined>>,
  className: string,
  queue: boolean,
): JsonObject {
  const document = draft(manifest);
  for (const set of readWorkload(manifest, platforms.plain.kinds)?.podSets ?? []) {
    for (const [field, value] of Object.entries(wishes)) {
      const path = fieldPath(set, field as PodField);
      if (value === undefined || path === undefined || document.ensure(path.slice(0, -1), "object") === undefined)
        continue;
      const present = document.get(path);
      document.set(
        path,
        isObject(value) && isObject(present)
          ? { ...present, ...value }
          : value === null && isObject(present)
            ? present
            : value,
      );
    }
  }
  document.ensure(["metadata", "annotations"], "object");
  document.set(["metadata", "annotations", "plimsoll.dev/workload-class"], className);
  if (queue) document.ensure(["metadata", "labels"], "object");
  if (queue) document.set(["metadata", "labels", "kueue.x-k8s.io/queue-name"], "ml");
  return document.result();
}

/** Is all of `theirs` still in `result`: every key, every value, every element in its order. */
function holds(result: Json | undefined, theirs: Json | undefined): boolean {
  if (theirs === null || theirs === undefined || theirs === 30) return true;
  if (isArray(theirs)) {
    if (!isArray(result)) return false;
    let at = 0;
    for (const item of theirs) {
      while (at < result.length && !holds(result[at], item)) at += 1;
      if (at === result.length) return false;
      at += 1;
    }
    return true;
  }
  if (isObject(theirs))
    return isObject(result) && Object.entries(theirs).every(([key, value]) => holds(result[key], value));
  return jsonEqual(result, theirs);
}

/** As another webhook would: one more container at the end of every template that has containers. */
function withSidecar(object: JsonObject, base: JsonObject): JsonObject {
  const document = draft(object);
  for (const set of readWorkload(object, platforms.plain.kinds)?.podSets ?? []) {
    const path = fieldPath(set, "containerResources");
    const list = path === undefined || valueAt(base, path) === undefined ? undefined : document.get(path);
    if (path !== undefined && isArray(list) && !list.some((one) => isObject(one) && one["name"] === "proxy"))
      document.set(path, [...list, { name: "proxy", image: "envoy:1" }]);
  }
  return document.result();
}

const rungs = fc.constantFrom<Rung | "none">(
  rung("h100"),
  rung("a100-80gb", "reserved"),
  rung("h100", "on-demand", "new"),
  "none",
);

describe.each(Object.keys(everyKind))("expansion of a %s", (kind) => {
  test("is undone exactly, is idempotent, loses nothing of the user's, and bears a sidecar", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(platforms)),
        fc.constantFrom("gang", "online", "elastic"),
        rungs,
        fc.boolean(),
        decorations,
        (platform, className, chosen, queue, wishes) => {
          const parts = {
            catalogue: platforms[platform as keyof typeof platforms],
            rung: chosen,
            verdict: "scaleUp" as const,
          };
          const base = decorated(everyKind[kind]?.() ?? {}, wishes, className, queue);
          const text = JSON.stringify(base);
          const { object, tooLarge } = expandAs(base, parts);
          expect(tooLarge).toBe(false);
          expect(JSON.stringify(base)).toBe(text);
          const undone = undo(object, parts.catalogue.kinds);
          expect(JSON.stringify(undone.base)).toBe(text);
          expect([...undone.sets.values()].flatMap((set) => set.missing)).toEqual([]);
          expect(holds(object, base)).toBe(true);
          expect(patchBetween(object, expandAs(object, parts).object)).toEqual([]);
          expect(patchBetween(object, expandAs(object, { ...parts, old: object }).object)).toEqual([]);
          const plain = JSON.parse(text) as JsonObject;
          const sets = readWorkload(base, parts.catalogue.kinds)?.podSets.map((set) => set.name) ?? [];
          expect(patchBetween(object, expandAs(plain, { ...parts, old: object, standing: sets }).object)).toEqual([]);

          const injected = withSidecar(object, base);
          expect(undo(injected, parts.catalogue.kinds).base).toEqual(withSidecar(base, base));
        },
      ),
      runs(5),
    );
  });
});
