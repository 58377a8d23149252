import { describe, expect, test } from "vitest";
import type { JsonObject, ObjectKey } from "../../src/model/index.ts";
import { stringAt } from "../../src/model/index.ts";
import { createHolds, HOLD_MS } from "../../src/server/holds.ts";
import { createInflight, type Inflight } from "../../src/server/inflight.ts";
import { inventoryFrom } from "../../src/topology/index.ts";
import { deployment, job } from "../support/manifests.ts";
import { boundPod, catalogueOf, classFile, contextOf, gpuNode, namespace, serverOf } from "../support/world.ts";

const BATCH = classFile("batch");
const GANG = classFile("gang", { demand: { shape: "gang" } });
const catalogue = catalogueOf({ classes: [BATCH, GANG] });
const NODES = [namespace("default"), gpuNode("n1"), gpuNode("n2")];

interface World {
  readonly inflight: Inflight;
  /** Of second looks. */
  readonly answers: string[];
  objects: readonly JsonObject[];
  now: number;
}

function world(): World {
  const holds = createHolds();
  const self: World = {
    objects: NODES,
    answers: [],
    now: 1_000,
    inflight: createInflight({
      holds,
      answered: ({ name }, { verdict }) => self.answers.push(`${name} ${verdict}`),
      context: (nowMs) => ({ ...contextOf(catalogue, self.objects), nowMs }),
      podsOf: (root) =>
        (inventoryFrom(self.objects).value?.pods ?? []).filter(
          (pod) => pod.root.kind === root.kind && pod.root.name === root.name,
        ),
    }),
  };
  return self;
}

/** As the API server stores it after our webhooks. */
function stored(name: string, pods: number, edit: (object: JsonObject) => JsonObject = (object) => object): JsonObject {
  const written = serverOf(catalogue, NODES).create(edit(job({ class: "gang", name, count: pods, gpus: 8 })));
  expect(written.message).toBe("");
  return written.object;
}

function keyOf(object: JsonObject): ObjectKey {
  const text = (path: readonly string[]) => stringAt(object, path) ?? "";
  return {
    apiVersion: text(["apiVersion"]),
    kind: text(["kind"]),
    namespace: text(["metadata", "namespace"]) || "default",
    name: text(["metadata", "name"]),
    uid: text(["metadata", "uid"]),
  };
}

const held = ({ inflight, now }: World): readonly string[] =>
  inflight.list(now).flatMap(({ workload, placed }) => placed.map((one) => `${workload.name} ${one.node} ${one.pods}`));

const lookedAt = (one: World): void => void one.inflight.look(() => one.now, Number.POSITIVE_INFINITY);

const rootOf = (object: JsonObject): JsonObject => {
  const { apiVersion, kind, name, uid = "" } = keyOf(object);
  return { apiVersion, kind, name, uid };
};

describe("capacity in flight", () => {
  test("a root that the watch shows holds what its pods will take, on a replica that never reviewed it", () => {
    const one = world();
    const train = stored("train", 2);
    one.inflight.seen(keyOf(train), train, one.now);
    lookedAt(one);
    expect(held(one)).toEqual(["train n1 1", "train n2 1"]);
    expect(one.answers).toEqual(["train fits"]);
  });

  test("the hold shrinks pod by pod as pods are bound, and ends with the last", () => {
    const one = world();
    const train = stored("train", 2);
    one.inflight.seen(keyOf(train), train, one.now);
    lookedAt(one);
    one.objects = [...NODES, boundPod("train-0", "n2", 8, { root: rootOf(train) })];
    one.inflight.moved(keyOf(train));
    lookedAt(one);
    expect(held(one)).toEqual(["train n1 1"]);
    one.objects = [...one.objects, boundPod("train-1", "n1", 8, { root: rootOf(train) })];
    one.inflight.moved(keyOf(train));
    lookedAt(one);
    expect(held(one)).toEqual([]);
  });

  test("this replica's own promise is replaced by what the watch shows, never counted beside it", () => {
    const one = world();
    const train = stored("train", 2);
    const server = serverOf(catalogue, NODES);
    server.create(job({ class: "gang", name: "train", count: 2, gpus: 8 }));
    const [promise] = server.listHolds();
    if (promise === undefined) throw new Error("no hold was taken");
    one.inflight.take({
      ...promise,
      takenAtMs: one.now,
      workload: { ...promise.workload, uid: keyOf(train).uid ?? "" },
    });
    expect(held(one).length).toBe(2);
    one.inflight.seen(keyOf(train), train, one.now);
    expect(held(one).length).toBe(2);
    lookedAt(one);
    expect(held(one).length).toBe(2);
    one.now += HOLD_MS;
    expect(held(one).length).toBe(2);
    one.inflight.gone(keyOf(train));
    expect(held(one)).toEqual([]);
  });

  test("a promise that the watch never shows ends by itself", () => {
    const one = world();
    const server = serverOf(catalogue, NODES);
    server.create(job({ class: "gang", name: "refused-later", count: 2, gpus: 8 }));
    for (const promise of server.listHolds()) one.inflight.take({ ...promise, takenAtMs: one.now });
    expect(held(one).length).toBe(2);
    one.now += HOLD_MS;
    expect(held(one)).toEqual([]);
  });

  test("a promise for more pods than the watch shows yet is kept: the update is on its way", () => {
    const one = world();
    const small = stored("train", 1);
    const server = serverOf(catalogue, NODES);
    server.create(job({ class: "gang", name: "train", count: 2, gpus: 8 }));
    one.inflight.seen(keyOf(small), small, one.now);
    lookedAt(one);
    for (const promise of server.listHolds())
      one.inflight.take({
        ...promise,
        takenAtMs: one.now,
        workload: { ...promise.workload, uid: keyOf(small).uid ?? "" },
      });
    one.inflight.moved(keyOf(small));
    lookedAt(one);
    expect(held(one).length).toBe(2);
  });

  test("suspended, gated and finished workloads hold nothing", () => {
    const one = world();
    const suspended = stored("suspended", 1, (object) => withSpec(object, { suspend: true }));
    const gated = stored("gated", 1);
    const finished = stored("finished", 1);
    const ended = { ...finished, status: { conditions: [{ type: "Complete", status: "True" }] } };
    for (const object of [suspended, withGate(gated), ended]) one.inflight.seen(keyOf(object), object, one.now);
    lookedAt(one);
    expect(held(one)).toEqual([]);
  });

  test("a Job that has done most of its work holds only what is left", () => {
    const one = world();
    const train = stored("train", 2);
    one.inflight.seen(keyOf(train), { ...train, status: { succeeded: 1 } }, one.now);
    lookedAt(one);
    expect(held(one)).toEqual(["train n1 1"]);
  });

  test("two that were promised the same: the one whose pods still wait is told, after its pods had time", () => {
    const one = world();
    const [winner, loser] = [stored("winner", 2), stored("loser", 2)];
    for (const object of [winner, loser]) one.inflight.seen(keyOf(object), object, one.now);
    lookedAt(one);
    one.objects = [
      ...NODES,
      boundPod("winner-0", "n1", 8, { root: rootOf(winner) }),
      boundPod("winner-1", "n2", 8, { root: rootOf(winner) }),
    ];
    one.inflight.moved(keyOf(winner));
    lookedAt(one);
    expect(one.inflight.reports(one.now)).toEqual([]);
    one.now += 6_000;
    lookedAt(one);
    lookedAt(one);
    const reports = one.inflight.reports(one.now);
    expect(reports.map(({ key }) => key.name)).toEqual(["loser"]);
    expect(reports[0]?.findings.map(({ code, severity }) => `${severity} ${code}`)).toEqual(["warning CapacityBusy"]);
    expect(reports[0]?.findings[0]?.message).toMatch(/^2 of 2 pods wait: it does not fit now on h100/);
    expect(one.inflight.reports(one.now)).toEqual([]);
  });

  test("later scaling, which no review shows, is held as far as it fits and told as far as it does not", () => {
    const one = world();
    const written = serverOf(catalogue, NODES).create(deployment({ class: "batch", name: "serve", count: 1, gpus: 8 }));
    const serve = written.object;
    one.objects = [...NODES, boundPod("serve-0", "n1", 8, { root: rootOf(serve) })];
    one.inflight.seen(keyOf(serve), withSpec(serve, { replicas: 2 }), one.now);
    lookedAt(one);
    expect(held(one)).toEqual(["serve n2 1"]);
    one.inflight.seen(keyOf(serve), withSpec(serve, { replicas: 4 }), one.now);
    lookedAt(one);
    one.now += 6_000;
    lookedAt(one);
    lookedAt(one);
    const [report] = one.inflight.reports(one.now);
    expect(report?.findings.map(({ message }) => message)[0]).toMatch(/^3 of 4 pods wait: /);
  });
});

function withSpec(object: JsonObject, fields: JsonObject): JsonObject {
  return { ...object, spec: { ...(object["spec"] as JsonObject), ...fields } };
}

function withGate(object: JsonObject): JsonObject {
  const spec = object["spec"] as JsonObject;
  const template = spec["template"] as JsonObject;
  const pod = template["spec"] as JsonObject;
  return withSpec(object, {
    template: { ...template, spec: { ...pod, schedulingGates: [{ name: "example.com/g" }] } },
  });
}
