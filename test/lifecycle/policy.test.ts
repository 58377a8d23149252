import { describe, expect, test } from "vitest";
import { mutate, validate } from "../../src/admission/index.ts";
import { arrayAt, type JsonObject, objectAt, valueAt } from "../../src/model/index.ts";
import { cronJob, deployment, job, pod, rayCluster } from "../support/manifests.ts";
import { createReview, withValue } from "../support/review.ts";
import {
  boundPod,
  catalogueOf,
  classFile,
  contextOf,
  gpuNode,
  namespace,
  plainNode,
  poolFile,
  serverOf,
} from "../support/world.ts";
import {
  accepted,
  BATCH,
  baseOf,
  CLUSTER,
  GANG,
  isStamped,
  ONLY_H200,
  podsText,
  refusedBecause,
  rungsOf,
  specText,
  TEMPLATE,
  unpatched,
  verdictsOf,
} from "./stand.ts";

const catalogue = catalogueOf({ classes: [BATCH, GANG] });
const H100 = "h100/on-demand/existing";
const H200 = "h200/on-demand/existing";
const H200_FIRST = { accelerator: { classes: ["h200", "h100"], perPod: { min: 1, max: 8, default: 1 } } };
const renew = (value: string) => (live: JsonObject) =>
  withValue(live, ["metadata", "annotations", "plimsoll.dev/renew"], value);

describe("the policy changes under a workload", () => {
  test("case 14: accelerators reordered, a stricter rule, other taints: the manifest applied again moves nothing and is let in", () => {
    const server = serverOf(
      catalogueOf({
        classes: [classFile("batch")],
        pools: [poolFile("h100-on-demand", { accelerator: "h100", capacityType: "on-demand", maxNodes: 4 })],
      }),
      CLUSTER,
    );
    const manifest = deployment({
      class: "batch",
      count: 1,
      spec: { tolerations: [{ operator: "Exists", key: "team" }] },
    });
    const first = accepted(server.apply(manifest));
    const stricter = {
      demand: { shape: "batch", replicas: { min: 3 } },
      admission: { mode: "enforce", rules: { DM01: "deny" } },
    };
    const after = catalogueOf({
      classes: [classFile("batch", { ...H200_FIRST, ...stricter })],
      pools: [poolFile("h100-on-demand", { accelerator: "h100", capacityType: "reserved", maxNodes: 1 })],
    });
    server.context = contextOf(after, CLUSTER);
    const again = server.apply(manifest);
    expect(specText(accepted(again))).toBe(specText(first));
    const put = server.replace(manifest);
    expect(valueAt(accepted(put), ["spec"])).toEqual(first["spec"]);
    const image = server.apply(
      deployment({
        class: "batch",
        count: 1,
        image: "vllm/vllm-openai:v0.12.0",
        spec: { tolerations: [{ operator: "Exists", key: "team" }] },
      }),
    );
    accepted(image);
    expect(image.warnings.join("\n")).toMatch(/DM01/);
  });

  test("case 15: renew decides by the new file", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(deployment({ class: "batch" })));
    expect(rungsOf(first)["pod"]).toBe(H100);
    server.context = contextOf(catalogueOf({ classes: [classFile("batch", H200_FIRST)] }), CLUSTER);
    const renewed = accepted(server.change(deployment(), renew("1")));
    expect(rungsOf(renewed)["pod"]).toBe(H200);
    expect(valueAt(baseOf(renewed), TEMPLATE)).toEqual(valueAt(deployment(), TEMPLATE));
    unpatched(server.change(deployment(), (live) => withValue(live, ["metadata", "labels"], { touched: "yes" })));
  });

  test("a renewed decision skips the rungs that the value of renew names, and keeps its new one afterwards", () => {
    const server = serverOf(catalogue, CLUSTER);
    accepted(server.apply(deployment({ class: "batch" })));
    const renewed = accepted(server.change(deployment(), renew(`2 skip=${H100}`)));
    // Not h100 on new nodes: templates pin no node, so that would be the skipped rung by another name.
    expect(rungsOf(renewed)["pod"]).toBe(H200);
    unpatched(server.change(deployment(), (live) => withValue(live, ["metadata", "labels"], { touched: "yes" })));
  });

  const two = (fields: { first?: string; second?: string; name?: string }) =>
    rayCluster([
      { name: fields.name ?? "left", count: 1, class: "batch", image: fields.first ?? "rayproject/ray:2.50.0" },
      { name: "right", count: 1, class: "gang", gpus: 8, image: fields.second ?? "rayproject/ray:2.50.0" },
    ]);
  const group = (object: JsonObject, index: number) =>
    JSON.stringify(valueAt(object, ["spec", "workerGroupSpecs", index]));

  test("case 16: of two sets of two classes the unchanged one stays as it is", () => {
    const server = serverOf(catalogueOf({ classes: [BATCH, GANG] }), CLUSTER);
    const first = accepted(server.apply(two({})));
    expect(Object.keys(rungsOf(first)).sort()).toEqual(["left", "right"]);
    server.context = contextOf(
      catalogueOf({
        classes: [classFile("batch", H200_FIRST), classFile("gang", { ...H200_FIRST, demand: { shape: "gang" } })],
      }),
      CLUSTER,
    );
    const second = accepted(server.apply(two({ second: "rayproject/ray:2.51.0" })));
    expect(group(second, 0)).toBe(group(first, 0));
    expect(rungsOf(second)["left"]).toBe(rungsOf(first)["left"]);
    expect(rungsOf(second)["right"]).toBe(rungsOf(first)["right"]);
  });
  test("case 16: a renamed worker group is decided afresh and keeps no old edit", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(two({})));
    const renamed = accepted(
      server.change(two({}), (live) => withValue(live, ["spec", "workerGroupSpecs", 0, "groupName"], "other")),
    );
    expect(Object.keys(rungsOf(renamed)).sort()).toEqual(["other", "right"]);
    expect(group(renamed, 1)).toBe(group(first, 1));
    expect(valueAt(baseOf(renamed), ["spec"])).toEqual(valueAt(two({ name: "other" }), ["spec"]));
  });

  test("case 17: a default class on a namespace reaches new workloads and no old one", () => {
    const server = serverOf(catalogue, CLUSTER);
    const old = accepted(server.apply(deployment()));
    server.context = contextOf(catalogue, [
      namespace("default", { "plimsoll.dev/default-class": "batch" }),
      ...CLUSTER.slice(1),
    ]);
    const updated = server.apply(deployment({ image: "vllm/vllm-openai:v0.12.0" }));
    expect(isStamped(accepted(updated))).toBe(false);
    unpatched(updated);
    expect(podsText(updated.object).replace("v0.12.0", "v0.11.0")).toBe(podsText(old));
    const fresh = accepted(server.apply(deployment({ name: "fresh" })));
    expect(rungsOf(fresh)["pod"]).toBe(H100);
    expect(isStamped(accepted(server.apply(deployment({ name: "plain", gpus: 0 }))))).toBe(false);
    // The class stands when the label is gone.
    server.context = contextOf(catalogue, CLUSTER);
    const later = accepted(server.apply(deployment({ name: "fresh", image: "vllm/vllm-openai:v0.12.0" })));
    expect(rungsOf(later)).toEqual(rungsOf(fresh));
  });

  test("case 25: audit -> enforce and enforce -> audit move nothing until the pods change or somebody asks", () => {
    const audit = catalogueOf({ classes: [classFile("batch", { admission: { mode: "audit" } })] });
    const enforce = catalogueOf({ classes: [classFile("batch")] });
    const server = serverOf(audit, CLUSTER);
    const first = accepted(server.apply(deployment({ class: "batch" })));
    expect(podsText(first)).toBe(podsText(deployment()));
    expect(rungsOf(first)["pod"]).toBe(H100);
    server.context = contextOf(enforce, CLUSTER);
    expect(podsText(accepted(server.apply(deployment({ class: "batch", count: 3 }))))).toBe(podsText(first));
    const edited = accepted(server.change(deployment(), renew("1")));
    expect(podsText(edited)).toContain("h100");
    server.context = contextOf(audit, CLUSTER);
    expect(podsText(accepted(server.apply(deployment({ class: "batch", count: 2 }))))).toBe(podsText(edited));
    const image = accepted(server.apply(deployment({ class: "batch", image: "vllm/vllm-openai:v0.12.0" })));
    expect(podsText(image).replace("v0.12.0", "v0.11.0")).toBe(podsText(edited));
  });

  test("case 26: two replicas of which one has the newer catalogue refuse nothing for that reason", () => {
    const older = contextOf(catalogueOf({ classes: [classFile("batch")] }), CLUSTER);
    const newer = contextOf(
      catalogueOf({
        classes: [
          classFile("batch", {
            ...H200_FIRST,
            interruption: { spot: "never", minLifetime: "12h", consolidation: false, drainTimeout: "2m" },
          }),
        ],
      }),
      CLUSTER,
    );
    for (const [mutating, validating] of [
      [older, newer],
      [newer, older],
    ] as const) {
      const server = serverOf(catalogue, CLUSTER);
      server.context = mutating;
      server.validatingContext = validating;
      const first = accepted(server.apply(deployment({ class: "batch" })));
      accepted(server.apply(deployment({ class: "batch", image: "vllm/vllm-openai:v0.12.0" })));
      expect(isStamped(first)).toBe(true);
    }
  });

  test("case 29: the pool has shrunk and a hotfix comes: let in with a warning", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(deployment({ class: "gang", gpus: 8, count: 4 })));
    server.context = contextOf(catalogue, [namespace("default"), gpuNode("h-1")]);
    const fixed = server.apply(deployment({ class: "gang", gpus: 8, count: 4, image: "vllm/vllm-openai:v0.12.0" }));
    expect(rungsOf(accepted(fixed))).toEqual(rungsOf(first));
    expect(fixed.warnings.join("\n")).toMatch(/^Capacity(Never|Busy): /m);
  });
});

describe("what is known of the cluster", () => {
  test("case 22: deleted and created again at once: terminating pods of the predecessor push it nowhere", () => {
    const root = { apiVersion: "batch/v1", kind: "Job", name: "w", uid: "gone" };
    const full = ["h-1", "h-2", "h-3", "h-4"].map((node) =>
      boundPod(`w-${node}`, node, 8, { root, terminating: true }),
    );
    const server = serverOf(catalogue, [...CLUSTER, ...full]);
    expect(rungsOf(accepted(server.apply(job({ class: "batch", gpus: 8 }))))["pod"]).toBe(H100);
    expect(rungsOf(accepted(server.apply(job({ name: "stranger", class: "batch", gpus: 8 }))))["pod"]).toBe(H200);
  });

  test("case 24: admitted as unknown; when data arrives, the next update of spec, or renew, brings its rung", () => {
    const server = serverOf(catalogue, undefined);
    const first = server.apply(deployment({ class: "batch" }));
    expect(rungsOf(accepted(first))).toEqual({ pod: "none" });
    expect(verdictsOf(first.object)).toEqual({ pod: "unknown" });
    expect(first.warnings.join("\n")).toMatch(/DataMissing: .*no cluster was given/);
    expect(first.warnings.join("\n")).toMatch(/plimsoll.dev\/renew/);
    server.context = contextOf(catalogue, CLUSTER);
    const renewed = server.change(deployment(), renew("1"), { dryRun: true });
    expect(rungsOf(accepted(renewed))["pod"]).toBe(H100);
    expect(rungsOf(accepted(server.apply(deployment({ class: "batch", count: 3 }))))["pod"]).toBe(H100);
  });

  test("case 20: 500 pods of an unknown controller share one rung", () => {
    const owner = { apiVersion: "example.com/v1", kind: "Swarm", name: "bees", uid: "5d1c" };
    const bee = (index: number, className: string) => {
      const made = pod({ name: `bee-${index}`, class: className });
      return withValue(made, ["metadata", "ownerReferences"], [{ ...owner, controller: true }]);
    };
    const nodes = [
      ...[...Array(64).keys()].map((index) => gpuNode(`h-${index}`)),
      ...[...Array(8).keys()].map((index) => gpuNode(`a-${index}`, { accelerator: "h200" })),
    ];
    const server = serverOf(catalogue, [namespace("default"), ...nodes]);
    const rungs = new Set<string>();
    for (let index = 0; index < 500; index += 1) {
      // Later pods of it meet a cluster in which the first rung is no longer the first choice.
      if (index === 1)
        server.context = contextOf(catalogueOf({ classes: [classFile("batch", H200_FIRST), GANG] }), [
          namespace("default"),
          ...nodes,
        ]);
      const written = server.create(bee(index, "batch"));
      rungs.add(rungsOf(written.object)["pod"] ?? "");
    }
    expect([...rungs]).toEqual([H100]);
    const gang = server.create(bee(501, "gang"));
    expect(rungsOf(accepted(gang))).toEqual({ pod: "none" });
    expect(verdictsOf(gang.object)).toEqual({ pod: "unknown" });
    expect(gang.validation?.findings.map(({ hint }) => hint ?? "").join(" ")).toMatch(/policies\/kinds/);
  }, 60_000);

  test("case 21: dry run, quota, a name that exists: no hold outlives ten seconds, none is replaced", () => {
    const server = serverOf(catalogue, CLUSTER);
    accepted(server.create(job({ class: "batch" }), { dryRun: true }));
    expect(server.listHolds()).toEqual([]);
    expect(server.create(job({ name: "poor", class: "batch" }), { quotaRefuses: true }).code).toBe(403);
    expect(server.listHolds().length).toBe(1);
    server.nowMs += 10_000;
    expect(server.listHolds()).toEqual([]);
    const first = accepted(server.create(job({ class: "batch" })));
    const twice = server.create(job({ class: "batch" }));
    expect(twice.code).toBe(409);
    expect(server.listHolds().map(({ workload }) => workload.uid)).toEqual([objectAt(first, ["metadata"])["uid"]]);
    server.nowMs += 10_000;
    expect(server.listHolds()).toEqual([]);
  });

  test("case 23: 30 worker groups and a large manifest: the stamps fit, or the message is clear", () => {
    const groups = [...Array(30).keys()].map((index) => ({ name: `group-${index}`, count: 1 }));
    const nodes = [...Array(8).keys()].map((index) => gpuNode(`n-${index}`));
    const server = serverOf(catalogue, [...CLUSTER, ...nodes]);
    const small = accepted(server.apply(rayCluster(groups, { class: "batch" })));
    expect(Object.keys(rungsOf(small)).length).toBeGreaterThanOrEqual(30);
    const big = rayCluster(groups, {
      class: "batch",
      name: "big",
      metadata: { annotations: { "plimsoll.dev/workload-class": "batch", note: "x".repeat(230_000) } },
    });
    const written = server.create(big);
    if (written.allowed) expect(Object.keys(rungsOf(written.object)).length).toBeGreaterThanOrEqual(30);
    const bigger = rayCluster(groups, {
      class: "batch",
      name: "bigger",
      metadata: { annotations: { "plimsoll.dev/workload-class": "batch", note: "x".repeat(261_000) } },
    });
    refusedBecause(server.create(bigger), /StampsTooLarge.*server-side/);
  });
});

describe("many pod sets", () => {
  test("case 23: 30 worker groups of which the first rung holds only some: the search ends within its steps", () => {
    const nodes = [
      ...["h-1", "h-2", "h-3", "h-4"].map((name) => gpuNode(name)),
      ...["a-1", "a-2", "a-3", "a-4"].map((name) => gpuNode(name, { accelerator: "h200" })),
    ];
    const taken = ["h-1", "h-2", "h-3"].map((node) => boundPod(`p-${node}`, node, 8));
    const server = serverOf(catalogue, [namespace("default"), plainNode("c-1"), ...nodes, ...taken]);
    const groups = [...Array(30).keys()].map((index) => ({ name: `group-${index}`, count: 1 }));
    const written = server.apply(rayCluster(groups, { class: "batch" }));
    const answer = written.mutations[0]?.answer;
    expect(["undecided", "busy", "fits"]).toContain(answer?.verdict);
    expect(answer?.ladder.length).toBeLessThanOrEqual(4097);
    expect(answer?.steps).toBeLessThanOrEqual(2 * server.context.maxSteps);
  }, 60_000);
});

describe("who may get in", () => {
  test("case 27: the mutating webhook is down and the user strips our selectors in an enrolled namespace: refused", () => {
    const server = serverOf(catalogue, CLUSTER);
    const manifest = deployment({ class: "batch", namespace: "prod" });
    accepted(server.apply(manifest));
    server.mutatingIsDown = true;
    const stripped = (live: JsonObject) =>
      withValue(
        withValue(live, [...TEMPLATE, "spec", "nodeSelector"], undefined),
        [...TEMPLATE, "spec", "affinity"],
        undefined,
      );
    refusedBecause(server.change(manifest, stripped), /NotExpanded/);
    refusedBecause(
      server.change(manifest, (live) =>
        withValue(stripped(live), ["metadata", "annotations", "plimsoll.dev/applied"], undefined),
      ),
      /NotExpanded/,
    );
    refusedBecause(server.create(deployment({ name: "other", class: "batch", namespace: "prod" })), /NotExpanded/);
    // What asks for no device, or changes nothing that we wrote, goes on working.
    accepted(server.create(deployment({ name: "plain", gpus: 0, namespace: "prod" })));
    accepted(server.change(manifest, (live) => withValue(live, ["spec", "replicas"], 1)));
  });
  test("case 27: in an enrolled namespace a device without a class is refused, at CREATE and when it is added", () => {
    const server = serverOf(catalogue, CLUSTER);
    refusedBecause(server.apply(deployment({ namespace: "prod" })), /ClassRequired.*1 nvidia.com\/gpu/);
    accepted(server.apply(deployment({ namespace: "prod", gpus: 0 })));
    refusedBecause(server.apply(deployment({ namespace: "prod", gpus: 1 })), /ClassRequired/);
    accepted(server.apply(deployment({ namespace: "default" })));
  });

  test("case 30: an unclassed object in a namespace that is not enrolled costs nothing and changes nothing", () => {
    const context = { ...contextOf(catalogue, CLUSTER), holds: [], nowMs: 0 };
    for (const object of [deployment(), job(), pod(), cronJob(), rayCluster([{ name: "w", count: 1 }])]) {
      for (const webhook of [mutate, validate]) {
        const outcome = webhook(createReview(object), context);
        expect(outcome.review.response).toEqual({ uid: outcome.summary.uid, allowed: true });
        expect(outcome.findings).toEqual([]);
        expect(outcome.summary.steps).toBe(0);
      }
    }
    expect(arrayAt(ONLY_H200, []).length).toBe(CLUSTER.length - 4);
  });
});
