import { describe, expect, test } from "vitest";
import { type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { cronJob, deployment, job, ownedBy, rayClusterSpec, rayJob, scaledJob } from "../support/manifests.ts";
import { serviceAccount, withValue } from "../support/review.ts";
import { catalogueOf, serverOf } from "../support/world.ts";
import { accepted, BATCH, CLUSTER, GANG, isStamped, podsText, rungsOf, TEMPLATE, unpatched } from "./stand.ts";

const catalogue = catalogueOf({ classes: [BATCH, GANG] });
const H100 = "h100/on-demand/existing";
const annotationsOf = (object: JsonObject) => objectAt(object, ["metadata", "annotations"]);

describe("case 12: children of roots inherit", () => {
  test("case 12: the RayCluster that a RayJob makes, with all its annotations, is left alone and not counted again", () => {
    const server = serverOf(catalogue, CLUSTER);
    const groups = [{ name: "workers", count: 2, gpus: 8 }];
    const root = accepted(server.apply(rayJob(groups, { class: "gang" })));
    expect(rungsOf(root)["workers"]).toBe(H100);
    expect(server.listHolds().length).toBe(1);
    const child = ownedBy(
      {
        apiVersion: "ray.io/v1",
        kind: "RayCluster",
        metadata: {
          name: "w-abcde",
          namespace: "default",
          annotations: annotationsOf(root),
          labels: { "ray.io/originated-from-crd": "RayJob" },
        },
        spec: valueAt(root, ["spec", "rayClusterSpec"]) ?? rayClusterSpec(groups),
      },
      root,
    );
    const made = server.create(child, { user: serviceAccount("kuberay", "kuberay-operator") });
    expect(valueAt(accepted(made), ["spec"])).toEqual(child["spec"]);
    unpatched(made);
    expect(made.warnings).toEqual([]);
    expect(made.validation?.summary.skipped).toMatch(/RayJob/);
    expect(server.listHolds().length).toBe(1);
  });

  test("case 12: the ReplicaSet of a Deployment is left alone, with all but six annotations copied", () => {
    const server = serverOf(catalogue, CLUSTER);
    const root = accepted(server.apply(deployment({ class: "batch" })));
    const { "kubectl.kubernetes.io/last-applied-configuration": _own, ...copied } = annotationsOf(root);
    const child = ownedBy(
      {
        apiVersion: "apps/v1",
        kind: "ReplicaSet",
        metadata: { name: "w-5d59d67564", namespace: "default", annotations: copied },
        spec: { replicas: 2, selector: { matchLabels: { app: "test" } }, template: valueAt(root, TEMPLATE) ?? {} },
      },
      root,
    );
    const made = server.create(child, { user: serviceAccount("kube-system", "deployment-controller") });
    expect(podsText(accepted(made))).toBe(podsText(child));
    unpatched(made);
    expect(server.listHolds().length).toBe(1);
  });
});

describe("case 13: what a template-only kind makes is a root of its own", () => {
  test("case 13: CronJob -> Job", () => {
    const server = serverOf(catalogue, CLUSTER);
    const maker = accepted(server.apply(cronJob({ class: "batch" })));
    expect(server.listHolds()).toEqual([]);
    const template = objectAt(maker, ["spec", "jobTemplate"]);
    // K cronjob/utils.go: annotations and labels of the template, a name from the schedule, the CronJob as controller.
    const child = ownedBy(
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { ...objectAt(template, ["metadata"]), name: "w-29384120", namespace: "default" },
        spec: objectAt(template, ["spec"]),
      },
      maker,
    );
    expect(podsText(child)).toBe(podsText(cronJob({ class: "batch" }), ["spec", "jobTemplate", "spec", "template"]));
    const made = accepted(server.create(child, { user: serviceAccount("kube-system", "cronjob-controller") }));
    expect(rungsOf(made)["pod"]).toBe(H100);
    expect(podsText(made)).toContain("h100");
    expect(server.listHolds().length).toBe(1);
  });

  test("case 13: a CronJob's class is changed and taken away, and its next Jobs follow", () => {
    const server = serverOf(catalogue, CLUSTER);
    const classOf = (object: JsonObject) =>
      stringAt(object, ["spec", "jobTemplate", "metadata", "annotations", "plimsoll.dev/workload-class"]);
    expect(classOf(accepted(server.apply(cronJob({ class: "batch" }))))).toBe("batch");
    expect(classOf(accepted(server.apply(cronJob({ class: "batch", image: "vllm/vllm-openai:v0.12.0" }))))).toBe(
      "batch",
    );
    expect(classOf(accepted(server.replace(cronJob({ class: "gang" }))))).toBe("gang");
    const plain = accepted(server.replace(cronJob()));
    expect(classOf(plain)).toBeUndefined();
    expect(plain["spec"]).toEqual(cronJob()["spec"]);
  });

  test("case 13: RayCronJob -> RayJob", () => {
    const server = serverOf(catalogue, CLUSTER);
    const groups = [{ name: "workers", count: 1, gpus: 8 }];
    const maker = accepted(
      server.apply({
        apiVersion: "ray.io/v1",
        kind: "RayCronJob",
        metadata: { name: "w", namespace: "default", annotations: { "plimsoll.dev/workload-class": "gang" } },
        spec: { schedule: "0 3 * * *", jobTemplate: objectAt(rayJob(groups), ["spec"]) },
      }),
    );
    const child = ownedBy(
      {
        apiVersion: "ray.io/v1",
        kind: "RayJob",
        metadata: { name: "w-1", namespace: "default" },
        spec: objectAt(maker, ["spec", "jobTemplate"]),
      },
      maker,
    );
    const made = accepted(server.create(child, { user: serviceAccount("kuberay", "kuberay-operator") }));
    expect(rungsOf(made)["workers"]).toBe(H100);
  });

  test("case 13: ScaledJob -> Job, with the ScaledJob's own metadata", () => {
    const server = serverOf(catalogue, CLUSTER);
    const maker = accepted(server.apply(scaledJob({ class: "batch" })));
    const child = ownedBy(
      {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: { generateName: "w-", namespace: "default", annotations: annotationsOf(maker) },
        spec: objectAt(maker, ["spec", "jobTargetRef"]),
      },
      maker,
    );
    const made = accepted(server.create(child, { user: serviceAccount("keda", "keda-operator") }));
    expect(rungsOf(made)["pod"]).toBe(H100);
  });
});

describe("other hands in the same create", () => {
  const sidecar = (object: JsonObject): JsonObject => {
    const containers = valueAt(object, [...TEMPLATE, "spec", "containers"]);
    const list = Array.isArray(containers) ? containers : [];
    if (list.some((one) => stringAt(one, ["name"]) === "proxy")) return object;
    return withValue(
      object,
      [...TEMPLATE, "spec", "containers"],
      [...list, { name: "proxy", image: "istio/proxyv2:1.27.0", resources: { requests: { cpu: "100m" } } }],
    );
  };

  test("case 18: a sidecar is injected and we are invoked again: as if it had been there from the start", () => {
    const server = serverOf(catalogue, CLUSTER);
    server.others = [sidecar];
    const written = server.apply(job({ class: "batch" }));
    const late = accepted(written);
    expect(written.mutations.length).toBe(2);
    expect(written.mutations.flatMap((one) => one.review.response?.warnings ?? [])).toEqual([]);
    const early = accepted(serverOf(catalogue, CLUSTER).apply(sidecar(job({ class: "batch" }))));
    expect(podsText(withValue(late, [...TEMPLATE, "metadata", "labels"], {}))).toBe(
      podsText(withValue(early, [...TEMPLATE, "metadata", "labels"], {})),
    );
    expect(rungsOf(late)).toEqual(rungsOf(early));
    expect(annotationsOf(late)["plimsoll.dev/decision"]).toBe(annotationsOf(early)["plimsoll.dev/decision"]);
  });

  test("case 18: a sidecar that no longer fits moves the workload to another rung", () => {
    const big = (object: JsonObject) =>
      withValue(sidecar(object), [...TEMPLATE, "spec", "containers", 1, "resources"], { requests: { cpu: "189" } });
    const server = serverOf(catalogue, CLUSTER);
    server.others = [big];
    const written = server.apply(job({ class: "batch" }));
    expect(written.allowed).toBe(false);
    expect(written.warnings.length).toBe(new Set(written.warnings).size);
  });

  test("case 19: a generateName Job three times: three names, three ids, three holds", () => {
    const server = serverOf(catalogue, CLUSTER);
    const { name: _name, ...options } = { name: "", class: "gang", generateName: "run-", count: 1 };
    const made = [1, 2, 3].map(() => accepted(server.create(job(options))));
    expect(new Set(made.map((object) => stringAt(object, ["metadata", "name"]))).size).toBe(3);
    const ids = made.map(
      (object) =>
        /"id":"([0-9a-f]+)"/.exec(stringAt(object, ["metadata", "annotations", "plimsoll.dev/decision"]) ?? "")?.[1],
    );
    expect(new Set(ids).size).toBe(3);
    expect(ids).not.toContain(undefined);
    expect(server.listHolds().length).toBe(3);
    expect(new Set(server.listHolds().map(({ workload }) => workload.uid)).size).toBe(3);
  });

  test("case 28: an export applied in another cluster is undone and decided afresh", () => {
    const here = serverOf(catalogue, CLUSTER);
    const live = accepted(here.apply(deployment({ class: "batch" })));
    const exported = withValue(
      live,
      ["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"],
      undefined,
    );
    const there = serverOf(
      catalogue,
      CLUSTER.filter((object) => !String(stringAt(object, ["metadata", "name"])).startsWith("h-")),
    );
    const written = accepted(there.apply(exported));
    expect(rungsOf(written)["pod"]).toBe("h200/on-demand/existing");
    expect(podsText(written)).not.toContain("h100");
    const fresh = accepted(
      serverOf(
        catalogue,
        CLUSTER.filter((object) => !String(stringAt(object, ["metadata", "name"])).startsWith("h-")),
      ).apply(deployment({ class: "batch" })),
    );
    expect(valueAt(written, TEMPLATE)).toEqual(valueAt(fresh, TEMPLATE));
    expect(isStamped(written)).toBe(true);
  });
});
