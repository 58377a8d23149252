import { describe, expect, test } from "vitest";
import { validate } from "../../src/admission/index.ts";
import { arrayAt, type JsonObject, objectAt, valueAt } from "../../src/model/index.ts";
import { daemonSet, deployment, job, rayCluster, statefulSet } from "../support/manifests.ts";
import { scaleReview, serviceAccount, withValue } from "../support/review.ts";
import { catalogueOf, gpuNode, namespace, plainNode, serverOf } from "../support/world.ts";
import {
  accepted,
  BATCH,
  baseOf,
  CLUSTER,
  GANG,
  podsText,
  refusedBecause,
  rungsOf,
  specText,
  TEMPLATE,
  unpatched,
} from "./stand.ts";

const catalogue = catalogueOf({ classes: [BATCH, GANG] });
const H100 = "h100/on-demand/existing";
const H200 = "h200/on-demand/existing";

describe("what is applied again stays", () => {
  const plain: readonly [string, JsonObject][] = [
    ["Deployment", deployment({ class: "batch" })],
    ["Job", job({ class: "batch" })],
    ["StatefulSet", statefulSet({ class: "batch" })],
    ["RayCluster", rayCluster([{ name: "workers", count: 2 }], { class: "batch" })],
    [
      "Deployment that names tolerations of its own",
      deployment({
        class: "batch",
        spec: { tolerations: [{ key: "team", operator: "Equal", value: "a", effect: "NoSchedule" }] },
      }),
    ],
  ];
  test.each(plain)("case 1: a %s, and then the plain manifest again in three ways", (_, manifest) => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(manifest));
    expect(Object.values(rungsOf(first))).toContain(H100);
    expect(podsText(baseOf(first), ["spec"])).not.toBe(specText(first));
    expect(specText(accepted(server.apply(manifest)))).toBe(specText(first));
    const put = server.replace(manifest);
    if (manifest["kind"] === "Job") refusedBecause(put, /^spec.selector: Required value$/);
    else expect(valueAt(accepted(put), ["spec"])).toEqual(valueAt(first, ["spec"]));
    const other = serverOf(catalogue, CLUSTER);
    const served = accepted(other.serverSideApply(manifest));
    expect(valueAt(accepted(other.serverSideApply(manifest)), ["spec"])).toEqual(valueAt(served, ["spec"]));
  });

  test("case 2: an edited image keeps the rung and changes nothing but the image", () => {
    const server = serverOf(catalogue, CLUSTER);
    const first = accepted(server.apply(deployment({ class: "batch" })));
    const second = accepted(server.apply(deployment({ class: "batch", image: "vllm/vllm-openai:v0.11.1" })));
    expect(rungsOf(second)).toEqual(rungsOf(first));
    expect(podsText(second)).toBe(podsText(first).replace("v0.11.0", "v0.11.1"));
  });
});

describe("case 3: counts", () => {
  const server = () => {
    const created = serverOf(catalogue, CLUSTER);
    accepted(created.apply(rayCluster([{ name: "workers", count: 2, gpus: 8 }], { class: "gang" })));
    return created;
  };
  const cluster = (count: number) => rayCluster([{ name: "workers", count, gpus: 8 }], { class: "gang" });
  const workers = (object: JsonObject, count: number) =>
    withValue(object, ["spec", "workerGroupSpecs", 0, "replicas"], count);

  test("case 3: up by edit is judged and keeps the rung", () => {
    const api = server();
    const before = rungsOf(api.get(cluster(2)));
    expect(rungsOf(accepted(api.apply(cluster(4))))).toEqual(before);
    refusedBecause(api.apply(cluster(5)), /CapacityNever/);
  });
  test("case 3: down is never refused, even where nothing fits any more", () => {
    const api = server();
    api.context = { ...api.context, topology: serverOf(catalogue, [namespace("default")]).context.topology };
    expect(rungsOf(accepted(api.apply(cluster(1))))["workers"]).toBe(H100);
  });
  test("case 3: the Ray autoscaler's patch is judged like any edit", () => {
    const api = server();
    const user = serviceAccount("default", "ray-autoscaler");
    const grown = api.change(cluster(2), (live) => workers(live, 3), { user });
    expect(rungsOf(accepted(grown))["workers"]).toBe(H100);
    unpatched(grown);
    refusedBecause(
      api.change(cluster(2), (live) => workers(live, 9), { user }),
      /CapacityNever/,
    );
    accepted(api.change(cluster(2), (live) => workers(live, 1), { user }));
  });
  test("case 3: a count that only another rung would hold names that rung", () => {
    const api = serverOf(catalogue, [
      namespace("default"),
      plainNode("c-1"),
      gpuNode("h"),
      gpuNode("a-1", { accelerator: "h200" }),
      gpuNode("a-2", { accelerator: "h200" }),
    ]);
    accepted(api.apply(cluster(1)));
    refusedBecause(api.apply(cluster(2)), new RegExp(H200));
  });
  test("case 3: the scale subresource passes", () => {
    const api = serverOf(catalogue, CLUSTER);
    const live = accepted(api.apply(deployment({ class: "batch" })));
    const outcome = validate(scaleReview(live, 5000), { ...api.context, holds: [], nowMs: 0 });
    expect(outcome.review.response).toEqual({ uid: outcome.summary.uid, allowed: true });
  });
});

describe("case 4: rollout undo", () => {
  const first = deployment({ class: "batch" });
  const second = deployment({
    class: "batch",
    intent: "accelerator: {classes: [h200]}",
    image: "vllm/vllm-openai:v0.12.0",
  });
  const kinds = [
    ["Deployment", deployment],
    ["StatefulSet", statefulSet],
    ["DaemonSet", daemonSet],
  ] as const;

  test("case 4: a Deployment gets back the template and, from its ReplicaSet, the annotations", () => {
    const server = serverOf(catalogue, CLUSTER);
    const one = accepted(server.apply(first));
    const two = accepted(server.apply(second));
    expect(rungsOf(two)["pod"]).toBe(H200);
    const undone = server.change(first, (live) =>
      withValue(
        withValue(live, TEMPLATE, valueAt(one, TEMPLATE)),
        ["metadata", "annotations"],
        objectAt(one, ["metadata", "annotations"]),
      ),
    );
    const back = accepted(undone);
    expect(valueAt(back, TEMPLATE)).toEqual(valueAt(one, TEMPLATE));
    expect(valueAt(baseOf(back), TEMPLATE)).toEqual(valueAt(first, TEMPLATE));
  });
  test.each(kinds)("case 4: a %s gets back the template alone", (_, make) => {
    const server = serverOf(catalogue, CLUSTER);
    const manifest = make({ class: "batch" });
    const one = accepted(server.apply(manifest));
    const two = accepted(
      server.apply(
        make({ class: "batch", intent: "accelerator: {classes: [h200]}", image: "vllm/vllm-openai:v0.12.0" }),
      ),
    );
    const back = accepted(server.change(manifest, (live) => withValue(live, TEMPLATE, valueAt(one, TEMPLATE))));
    // The intent still asks for the second accelerator, so no edit of the first may be left behind as if a user had written it.
    expect(rungsOf(back)).toEqual(rungsOf(two));
    expect(valueAt(baseOf(back), TEMPLATE)).toEqual(valueAt(manifest, TEMPLATE));
    expect(arrayAt(back, [...TEMPLATE, "spec", "tolerations"])).toEqual(
      arrayAt(two, [...TEMPLATE, "spec", "tolerations"]),
    );
  });
});
