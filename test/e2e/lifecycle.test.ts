import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import {
  cronJob,
  daemonSet,
  deployment,
  job,
  ownedBy,
  pod,
  rayCluster,
  rayJob,
  statefulSet,
} from "../support/manifests.ts";
import { withValue } from "../support/review.ts";
import { classFile, gpuNode, plainNode } from "../support/world.ts";
import { anyKind } from "./support/crds.ts";
import {
  annotationsOf,
  baseOf,
  decisionOf,
  expectCalm,
  expectCopied,
  generationOf,
  inSpace,
  isStamped,
  lookOf,
  makeSpace,
  replicaSetsOf,
  rolledOut,
  rungsOf,
  type Space,
  startWorld,
  TEMPLATE,
  type World,
} from "./support/lifecycle.ts";
import { nameOf } from "./support/places.ts";
import { SIDECAR, startSidecars } from "./support/sidecars.ts";
import { eventually } from "./support/wait.ts";

const H100 = "h100/on-demand/existing";
const H200 = "h200/on-demand/existing";
const SPEC = [...TEMPLATE, "spec"];
const CLASSES = [
  classFile("batch", { overrides: { "accelerator.classes": "subset" } }),
  classFile("gang", { demand: { shape: "gang" }, overrides: { "accelerator.classes": "subset" } }),
  classFile("served", {
    interruption: { spot: "never", consolidation: true, budget: { maxUnavailable: 1 } },
  }),
];
const NODES = [
  ...Array.from({ length: 8 }, (_, index) => gpuNode(`h-${index}`)),
  ...Array.from({ length: 4 }, (_, index) => gpuNode(`a-${index}`, { accelerator: "h200" })),
  plainNode("c-1"),
];
const CRDS = [
  anyKind("ray.io", "v1", "RayCluster"),
  anyKind("ray.io", "v1", "RayJob"),
  anyKind("example.com", "v1", "Swarm"),
];
const TEAM = { key: "team", operator: "Equal", value: "a", effect: "NoSchedule" };
const TOLERATIONS = ".spec.template.spec.tolerations";
const V12 = "vllm/vllm-openai:v0.12.0";

let world: World;
let ticking: Space;
beforeAll(async () => {
  world = await startWorld({ nodes: NODES, catalogue: { classes: CLASSES }, crds: CRDS });
  // The CronJob of case 13 makes its first Job at the next full minute, while other cases play.
  ticking = await makeSpace(world, "ticking");
  const manifest = cronJob({ class: "batch", namespace: ticking.name });
  await ticking.apply({ ...manifest, spec: { ...objectAt(manifest, ["spec"]), schedule: "* * * * *" } });
});
afterAll(() => world?.stop());

const tolerationsOf = (object: JsonObject) => arrayAt(object, [...SPEC, "tolerations"]);
const imageOf = (object: JsonObject) => stringAt(object, [...SPEC, "containers", 0, "image"]);

describe("what is applied again stays", () => {
  test("case 1: a Deployment, in every way; its ReplicaSet is its copy and stays the only one", () =>
    inSpace(world, "again-deployment", async (space) => {
      const manifest = deployment({ class: "batch", namespace: space.name });
      const first = await space.apply(manifest);
      expect(rungsOf(first)).toEqual({ pod: H100 });
      expect(valueAt(baseOf(first), [...SPEC, "nodeSelector"])).toBeUndefined();
      await rolledOut(space);
      await expectCalm(space, manifest);
      const live = await rolledOut(space);
      const sets = await replicaSetsOf(space, live);
      expect(sets).toHaveLength(1);
      expectCopied(sets[0], live);
      expect(world.reviews(space.name).filter(({ kind }) => kind !== "Deployment")).toEqual([]);
    }));

  test("case 1: a StatefulSet, with a toleration of the user's own", () =>
    inSpace(world, "again-statefulset", async (space) => {
      const manifest = statefulSet({ class: "batch", namespace: space.name, spec: { tolerations: [TEAM] } });
      const first = await space.apply(manifest);
      expect(rungsOf(first)).toEqual({ pod: H100 });
      expect(tolerationsOf(first)).toHaveLength(2);
      await expectCalm(space, manifest, { atomic: TOLERATIONS });
      expect(await space.list("ControllerRevision")).toHaveLength(1);
    }));

  test("case 1: a RayCluster, whose worker groups are one atomic list to every kind of apply", () =>
    inSpace(world, "again-raycluster", async (space) => {
      const groups = [
        { name: "left", count: 1, class: "batch" },
        { name: "right", count: 1, class: "gang", gpus: 8 },
      ];
      const manifest = rayCluster(groups, { namespace: space.name });
      const first = await space.apply(manifest);
      expect(rungsOf(first)).toMatchObject({ left: H100, right: H100 });
      await expectCalm(space, manifest, { atomic: ".spec.workerGroupSpecs" });
    }));

  test("case 1: server-side apply from the start, with an atomic list: no conflict, whoever else looked after it meanwhile", () =>
    inSpace(world, "server-side", async (space) => {
      const manifest = deployment({ class: "batch", namespace: space.name, spec: { tolerations: [TEAM] } });
      const gitops = ["apply", "--server-side", "--field-manager=gitops", "-f", "-"];
      await space.does(gitops, manifest);
      const first = await rolledOut(space);
      expect(tolerationsOf(first)).toHaveLength(2);
      await space.does(gitops, manifest);
      await space.does(["scale", "deployment", "w", "--replicas=2"]);
      await space.does(["label", "deployment", "w", "looked=after"]);
      await space.does(gitops, manifest);
      expect(lookOf(await space.get("Deployment"))).toEqual(lookOf(first));
      const changed = deployment({ class: "batch", namespace: space.name, spec: { tolerations: [] } });
      await space.does(gitops, changed);
      expect(tolerationsOf(await rolledOut(space))).toEqual(tolerationsOf(first).slice(1));
      expect(await replicaSetsOf(space, await space.get("Deployment"))).toHaveLength(2);
    }));

  test("case 2: an edited image keeps the rung and makes exactly one new ReplicaSet, which is the root's copy", () =>
    inSpace(world, "image", async (space) => {
      const first = await space.apply(deployment({ class: "batch", namespace: space.name }));
      await rolledOut(space);
      const manifest = deployment({ class: "batch", namespace: space.name, image: V12 });
      const second = await space.apply(manifest);
      expect(rungsOf(second)).toEqual(rungsOf(first));
      expect(second["spec"]).toEqual(withValue(objectAt(first, []), [...SPEC, "containers", 0, "image"], V12)["spec"]);
      const live = await rolledOut(space);
      expect(generationOf(live)).toBe(2);
      const sets = await replicaSetsOf(space, live);
      expect(sets.map(imageOf)).toEqual(["vllm/vllm-openai:v0.11.0", V12]);
      expectCopied(sets[1], live);
      await expectCalm(space, manifest);
      expect(await replicaSetsOf(space, live)).toHaveLength(2);
    }));

  test("annotations and labels of the object are edited without us; kubectl rollout restart rolls once and keeps the rung", () =>
    inSpace(world, "annotated", async (space) => {
      const first = await space.apply(deployment({ class: "batch", namespace: space.name }));
      await rolledOut(space);
      await space.does(["annotate", "deployment", "w", "note=hello"]);
      await space.does(["label", "deployment", "w", "note=hello"]);
      expect(world.reviews(space.name).filter(({ operation }) => operation === "UPDATE")).toEqual([]);
      // The API server counts a Deployment's annotations into its generation.
      expect({ ...lookOf(await space.get("Deployment")), generation: 1 }).toEqual(lookOf(first));
      await space.does(["rollout", "restart", "deployment", "w"]);
      const live = await rolledOut(space);
      expect(rungsOf(live)).toEqual(rungsOf(first));
      expect(await replicaSetsOf(space, live)).toHaveLength(2);
      // Restarting is the user's edit of the template: a manifest without it leaves it, as it would without us.
      expect(await space.does(["apply", "-f", "-"], deployment({ class: "batch", namespace: space.name }))).toContain(
        "unchanged",
      );
    }));
});

describe("case 3: counts", () => {
  test("case 3: up and down by edit and by kubectl scale; what only the scale subresource shows is reported on the root", () =>
    inSpace(world, "counts", async (space) => {
      const of = (count: number) => deployment({ class: "gang", namespace: space.name, gpus: 8, count });
      const first = await space.apply(of(2));
      expect(rungsOf(first)).toEqual({ pod: H100 });
      const up = await space.apply(of(4));
      expect(rungsOf(up)).toEqual(rungsOf(first));
      expect(await space.fails(["apply", "-f", "-"], of(9))).toMatch(/CapacityNever/);
      await space.does(["scale", "deployment", "w", "--replicas=5"]);
      const scaled = await rolledOut(space);
      expect(rungsOf(scaled)).toEqual(rungsOf(first));
      expect(scaled["spec"]).toEqual({ ...objectAt(first, ["spec"]), replicas: 5 });
      expect(await replicaSetsOf(space, scaled)).toHaveLength(1);
      await space.does(["scale", "deployment", "w", "--replicas=9"]);
      const told = await eventually(
        async () =>
          (await space.list("Event")).find(
            (event) =>
              stringAt(event, ["involvedObject", "kind"]) === "Deployment" &&
              /^Capacity(Never|Busy): /.test(stringAt(event, ["message"]) ?? ""),
          ),
        { timeoutMs: 40_000, what: "nobody was told that 9 pods cannot all run" },
      );
      expect(stringAt(told, ["message"])).toMatch(/9/);
      expect(rungsOf(await space.apply(of(1)))).toEqual(rungsOf(first));
      expect(await replicaSetsOf(space, await rolledOut(space))).toHaveLength(1);
    }));

  test("case 3: the Ray autoscaler's patch is judged like any edit, and down is never refused", () =>
    inSpace(world, "autoscaler", async (space) => {
      const manifest = rayCluster([{ name: "workers", count: 2, gpus: 8 }], { class: "gang", namespace: space.name });
      const first = await space.apply(manifest);
      const user = [`--as=system:serviceaccount:${space.name}:ray-autoscaler`, "--as-group=system:masters"];
      const to = (count: number) =>
        ["patch", "raycluster", "w", "--type=json", ...user].concat(
          "-p",
          JSON.stringify([
            { op: "replace", path: "/spec/workerGroupSpecs/0/replicas", value: count },
            { op: "replace", path: "/spec/workerGroupSpecs/0/maxReplicas", value: Math.max(8, count) },
          ]),
        );
      await space.does(to(3));
      const grown = await space.get("RayCluster");
      expect(rungsOf(grown)).toEqual(rungsOf(first));
      expect(grown["spec"]).toEqual(withValue(first, ["spec", "workerGroupSpecs", 0, "replicas"], 3)["spec"]);
      expect(await space.fails(to(9))).toMatch(/CapacityNever/);
      await space.does(to(1));
    }));
});

describe("case 4: rollout undo", () => {
  const intent = "accelerator: {classes: [h200]}";

  test("case 4: a Deployment goes back to its first ReplicaSet, template, class and all", () =>
    inSpace(world, "undo-deployment", async (space) => {
      const manifest = deployment({ class: "batch", namespace: space.name });
      const first = await space.apply(manifest);
      await rolledOut(space);
      const second = await space.apply(deployment({ class: "batch", namespace: space.name, intent, image: V12 }));
      expect(rungsOf(second)).toEqual({ pod: H200 });
      await rolledOut(space);
      await space.does(["rollout", "undo", "deployment", "w"]);
      const back = await rolledOut(space);
      expect(valueAt(back, TEMPLATE)).toEqual(valueAt(first, TEMPLATE));
      expect(rungsOf(back)).toEqual({ pod: H100 });
      expect(valueAt(baseOf(back), [...SPEC, "nodeSelector"])).toBeUndefined();
      const sets = await replicaSetsOf(space, back);
      expect(sets).toHaveLength(2);
      expectCopied(sets[1], back);
      expect(annotationsOf(back)["plimsoll.dev/intent"]).toBeUndefined();
      await space.does(["apply", "-f", "-"], manifest);
      expect(await replicaSetsOf(space, await rolledOut(space))).toHaveLength(2);
    }));

  const kinds = [
    ["StatefulSet", statefulSet],
    ["DaemonSet", daemonSet],
  ] as const;
  test.each(kinds)(
    "case 4: a %s gets back the template alone, and no edit of its old rung is taken for the user's",
    (kind, make) =>
      inSpace(world, `undo-${kind.toLowerCase()}`, async (space) => {
        const manifest = make({ class: "batch", namespace: space.name });
        const first = await space.apply(manifest);
        const seen = () =>
          eventually(async () => {
            const live = await space.get(kind);
            return valueAt(live, ["status", "observedGeneration"]) === generationOf(live) && live;
          });
        await seen();
        const second = await space.apply(make({ class: "batch", namespace: space.name, intent, image: V12 }));
        expect(rungsOf(second)).toEqual({ pod: H200 });
        await seen();
        await eventually(async () => (await space.list("ControllerRevision")).length === 2);
        await space.does(["rollout", "undo", kind.toLowerCase(), "w"]);
        const back = await seen();
        expect(rungsOf(back)).toEqual(rungsOf(second));
        expect(imageOf(back)).toBe(imageOf(first));
        expect(valueAt(back, SPEC)).toEqual(
          valueAt(withValue(second, [...SPEC, "containers", 0, "image"], imageOf(first) ?? ""), SPEC),
        );
        expect(valueAt(baseOf(back), [...SPEC, "nodeSelector"])).toBeUndefined();
        expect(valueAt(baseOf(back), [...SPEC, "affinity"])).toBeUndefined();
        expect(tolerationsOf(baseOf(back))).toEqual([]);
      }),
  );
});

describe("what the user writes is the user's", () => {
  test("case 5: a toleration equal to ours, applied by the user, outlives the class", () =>
    inSpace(world, "toleration", async (space) => {
      const first = await space.apply(deployment({ class: "batch", namespace: space.name }));
      const ours = tolerationsOf(first);
      expect(ours).toHaveLength(1);
      const own = { namespace: space.name, spec: { tolerations: ours } };
      const second = await space.apply(deployment({ class: "batch", ...own }));
      expect(second["spec"]).toEqual(first["spec"]);
      expect((await space.kubectl(["diff", "-f", "-"], deployment({ class: "batch", ...own }))).code).toBe(0);
      const third = await space.apply(deployment(own));
      expect(isStamped(third)).toBe(false);
      expect(tolerationsOf(third)).toEqual(ours);
      expect(valueAt(third, [...SPEC, "nodeSelector"])).toBeUndefined();
      expect(valueAt(third, [...SPEC, "affinity"])).toBeUndefined();
    }));

  test("a toleration of the user's own changes and goes, in an atomic list in which ours stays", () =>
    inSpace(world, "own-toleration", async (space) => {
      const of = (tolerations: readonly JsonObject[]) =>
        deployment({
          class: "batch",
          namespace: space.name,
          ...(tolerations.length === 0 ? {} : { spec: { tolerations } }),
        });
      const first = await space.apply(of([TEAM]));
      const [theirs, ours] = tolerationsOf(first);
      expect(theirs).toEqual(TEAM);
      await rolledOut(space);
      await expectCalm(space, of([TEAM]), { atomic: TOLERATIONS });
      const changed = await space.apply(of([{ ...TEAM, value: "b" }]));
      expect(tolerationsOf(changed)).toEqual([{ ...TEAM, value: "b" }, ours]);
      await expectCalm(space, of([{ ...TEAM, value: "b" }]), { atomic: TOLERATIONS });
      const gone = await space.apply(of([]));
      expect(tolerationsOf(gone)).toEqual([ours]);
      await expectCalm(space, of([]));
      expect(await replicaSetsOf(space, await rolledOut(space))).toHaveLength(3);
    }));

  test("case 6: our selector's value by the user is theirs; another value is a finding with both", () =>
    inSpace(world, "selector", async (space) => {
      const first = await space.apply(deployment({ class: "batch", namespace: space.name }));
      const [[key, value] = ["", ""]] = Object.entries(objectAt(first, [...SPEC, "nodeSelector"]));
      expect(value).toBe("h100");
      const of = (selected: string) =>
        deployment({ class: "batch", namespace: space.name, spec: { nodeSelector: { [key]: selected } } });
      const same = await space.apply(of("h100"));
      expect(same["spec"]).toEqual(first["spec"]);
      expect(objectAt(baseOf(same), [...SPEC, "nodeSelector"])).toEqual({ [key]: "h100" });
      expect(await space.fails(["apply", "-f", "-"], of("t4"))).toMatch(/t4[\s\S]*h100|h100[\s\S]*t4/);
      expect((await space.get("Deployment"))["spec"]).toEqual(first["spec"]);
      const plain = await space.apply(deployment({ namespace: space.name, spec: { nodeSelector: { [key]: "h100" } } }));
      expect(objectAt(plain, [...SPEC, "nodeSelector"])).toEqual({ [key]: "h100" });
      expect(isStamped(plain)).toBe(false);
    }));

  test("case 7: a term and a toleration that the user inserts before ours keep their place, and ours are still found", () =>
    inSpace(world, "inserted", async (space) => {
      const path = [
        ...SPEC,
        "affinity",
        "nodeAffinity",
        "requiredDuringSchedulingIgnoredDuringExecution",
        "nodeSelectorTerms",
      ];
      const theirs = { matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] };
      const first = await space.apply(deployment({ class: "batch", namespace: space.name }));
      expect(arrayAt(first, path)).toHaveLength(1);
      const insert = (where: readonly (string | number)[], value: JsonObject) =>
        space.does([
          "patch",
          "deployment",
          "w",
          "--type=json",
          "-p",
          JSON.stringify([{ op: "add", path: `/${where.join("/")}/0`, value }]),
        ]);
      await insert(path, theirs);
      const second = await space.get("Deployment");
      expect(arrayAt(baseOf(second), path)).toEqual([theirs]);
      expect(valueAt(second, [...path, 0, "matchExpressions", 0])).toEqual(theirs.matchExpressions[0]);
      await insert([...SPEC, "tolerations"], TEAM);
      const third = await space.get("Deployment");
      expect(tolerationsOf(third)).toEqual([TEAM, ...tolerationsOf(first)]);
      expect(tolerationsOf(baseOf(third))).toEqual([TEAM]);
      expect(rungsOf(third)).toEqual(rungsOf(first));
    }));
});

describe("a Job, whose template is immutable", () => {
  test("case 8: a running Job's plain manifest again, an annotation, a finalizer", () =>
    inSpace(world, "running-job", async (space) => {
      const manifest = job({ class: "batch", namespace: space.name });
      await space.apply(manifest);
      const first = await started(space);
      expect(rungsOf(first)).toEqual({ pod: H100 });
      await expectCalm(space, manifest, { replace: false });
      // Of a Job alone a plain manifest cannot be put in place: it has no selector, and the API server fills one in at creation only.
      const put = await space.fails(["replace", "-f", "-"], manifest);
      expect(put).toMatch(/spec\.selector: Required value/);
      expect(put).not.toMatch(/admission webhook/);
      await space.apply(job({ class: "batch", name: "ends", namespace: space.name }));
      await space.does(["annotate", "job", "ends", "note=hello"]);
      await space.patch("Job", "ends", { metadata: { finalizers: ["example.com/wait"] } });
      await space.does(["delete", "job", "ends", "--wait=false"]);
      await eventually(
        async () => valueAt(await space.get("Job", "ends"), ["metadata", "deletionTimestamp"]) !== undefined,
      );
      await space.patch("Job", "ends", { metadata: { finalizers: null } });
      await eventually(async () => (await space.find("Job", "ends")) === undefined, { what: "the Job is stuck" });
      const asked = world
        .reviews(space.name)
        .filter(({ name, operation }) => name === "ends" && operation === "UPDATE");
      expect(asked).toEqual([]);
    }));

  test("case 9: a running Job's class cannot change, and is told so in our words; taking it away drops the stamps and nothing else", () =>
    inSpace(world, "job-class", async (space) => {
      await space.apply(job({ class: "batch", namespace: space.name }));
      const first = await started(space);
      const refused = await space.fails(["apply", "-f", "-"], job({ class: "gang", namespace: space.name }));
      expect(refused).toMatch(/ClassImmutable[\s\S]*Delete and create the Job again/);
      expect(await space.fails(["annotate", "job", "w", "--overwrite", "plimsoll.dev/workload-class=gang"])).toMatch(
        /ClassImmutable/,
      );
      await space.does(["annotate", "job", "w", "plimsoll.dev/workload-class-"]);
      const removed = await space.get("Job");
      expect(isStamped(removed)).toBe(false);
      expect(removed["spec"]).toEqual(first["spec"]);
      expect(generationOf(removed)).toBe(generationOf(first));
    }));
});

const started = (space: Space, name = "w") =>
  eventually(async () => {
    const live = await space.get("Job", name);
    return valueAt(live, ["status", "startTime"]) !== undefined && valueAt(live, ["status", "ready"]) === 1 && live;
  });

describe("what makes objects, and what they are", () => {
  test("case 12: a RayJob's RayCluster, made with all its annotations, is untouched, unreviewed and not counted again", () =>
    inSpace(world, "ray-child", async (space) => {
      const groups = [{ name: "workers", count: 2, gpus: 8 }];
      const root = await space.create(rayJob(groups, { class: "gang", namespace: space.name }));
      expect(rungsOf(root)["workers"]).toBe(H100);
      const child = ownedBy(
        {
          apiVersion: "ray.io/v1",
          kind: "RayCluster",
          metadata: { name: "w-abcde", namespace: space.name, annotations: annotationsOf(root) },
          spec: valueAt(root, ["spec", "rayClusterSpec"]) ?? {},
        },
        root,
      );
      const made = await space.create(child);
      expect(made["spec"]).toEqual(child["spec"]);
      expect(annotationsOf(made)).toEqual(annotationsOf(root));
      expect(world.reviews(space.name).filter(({ kind }) => kind === "RayCluster")).toEqual([]);
      // All eight nodes but these two are free for another gang.
      expect(
        rungsOf(await space.apply(job({ class: "gang", name: "other", gpus: 8, count: 6, namespace: space.name }))),
      ).toEqual({ pod: H100 });
    }));

  test("case 13: a CronJob is judged and not expanded; each Job that it makes is classed, expanded and bound", async () => {
    const maker = await ticking.get("CronJob");
    expect(valueAt(maker, ["spec", "jobTemplate", "spec", "template", "spec", "nodeSelector"])).toBeUndefined();
    expect(annotationsOf(objectAt(maker, ["spec", "jobTemplate"]))["plimsoll.dev/workload-class"]).toBe("batch");
    await ticking.does(["create", "job", "by-hand", "--from=cronjob/w"]);
    const jobs = await eventually(
      async () => {
        const found = await ticking.list("Job");
        return found.some((one) => /^w-\d+$/.test(nameOf(one))) && found;
      },
      { timeoutMs: 75_000, what: "the CronJob made no Job" },
    );
    for (const made of jobs) {
      expect(rungsOf(made), nameOf(made)).toEqual({ pod: H100 });
      expect(objectAt(made, [...SPEC, "nodeSelector"])).toMatchObject({
        "karpenter.k8s.aws/instance-gpu-name": "h100",
      });
    }
    await eventually(async () =>
      (await ticking.list("Pod")).some((one) => stringAt(one, ["spec", "nodeName"])?.startsWith("h-")),
    );
    const plain = cronJob({ class: "batch", namespace: ticking.name });
    await expectCalm(ticking, { ...plain, spec: { ...objectAt(plain, ["spec"]), schedule: "* * * * *" } });
    await ticking.remove();
  });

  test("case 19: one generateName Job three times: three names, three ids, three gangs with room of their own", () =>
    inSpace(world, "generated", async (space) => {
      const { name: _, ...metadata } = objectAt(job({ class: "gang", namespace: space.name }), ["metadata"]);
      const manifest = {
        ...job({ class: "gang", gpus: 8, count: 2 }),
        metadata: { ...metadata, generateName: "run-" },
      };
      for (let time = 0; time < 3; time += 1) await space.does(["create", "-f", "-"], manifest);
      const jobs = await space.list("Job");
      expect(new Set(jobs.map(nameOf)).size).toBe(3);
      const ids = jobs.map((one) => decisionOf(one)["pod"]?.id);
      expect(ids).not.toContain(undefined);
      expect(new Set(ids).size).toBe(3);
      expect(jobs.map((one) => rungsOf(one))).toEqual([{ pod: H100 }, { pod: H100 }, { pod: H100 }]);
      const pods = await eventually(async () => {
        const found = (await space.list("Pod")).filter((one) => stringAt(one, ["spec", "nodeName"]) !== undefined);
        return found.length === 6 && found;
      });
      expect(new Set(pods.map((one) => stringAt(one, ["spec", "nodeName"]))).size).toBe(6);
    }));

  test("case 20: 200 pods of an unknown controller share one rung, though only the first eight fit there; a gang is unknown, with the remedy", () =>
    inSpace(world, "swarm", async (space) => {
      const owner = await space.create({
        apiVersion: "example.com/v1",
        kind: "Swarm",
        metadata: { name: "bees", namespace: space.name },
        spec: {},
      });
      const bee = (index: number, name: string) =>
        ownedBy(pod({ name: `bee-${index}`, class: name, gpus: 8, namespace: space.name }), owner);
      const rungs = new Set<string>();
      const numbers = Array.from({ length: 199 }, (_, index) => index).values();
      rungs.add(rungsOf(await space.create(bee(500, "batch")))["pod"] ?? "");
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (const index of numbers) rungs.add(rungsOf(await space.create(bee(index, "batch")))["pod"] ?? "");
        }),
      );
      expect([...rungs]).toEqual([H100]);
      const gang = await space.kubectl(["create", "-f", "-"], bee(501, "gang"));
      expect(gang.code).toBe(0);
      expect(rungsOf(await space.get("Pod", "bee-501"))).toEqual({ pod: "none" });
      expect(gang.stderr).toMatch(/Swarm/);
    }));

  test("the webhook's own making: a disruption budget that is owned by the workload, and goes with it", () =>
    inSpace(world, "companion", async (space) => {
      const root = await space.apply(deployment({ class: "served", namespace: space.name }));
      const [budget] = await eventually(async () => {
        const found = await space.list("PodDisruptionBudget");
        return found.length > 0 && found;
      });
      expect(arrayAt(budget, ["metadata", "ownerReferences"]).map((one) => stringAt(one, ["uid"]))).toEqual([
        stringAt(root, ["metadata", "uid"]),
      ]);
      await space.patch("Deployment", "w", { metadata: { finalizers: ["example.com/wait"] } });
      await space.does(["delete", "deployment", "w", "--wait=false"]);
      await space.patch("Deployment", "w", { metadata: { finalizers: null } });
      await eventually(async () => (await space.find("Deployment")) === undefined);
      await eventually(async () => (await space.list("PodDisruptionBudget")).length === 0, {
        timeoutMs: 60_000,
        what: "the budget outlives its workload",
      });
      await space.apply(deployment({ class: "served", namespace: space.name }));
      await eventually(async () => (await space.list("PodDisruptionBudget")).length === 1);
      // The namespace is deleted with everything in it, by inSpace: nothing of ours blocks it.
    }));
});

describe("other hands", () => {
  test("case 16: of two sets of two classes the unchanged one stays as it is; a renamed one keeps no old edit", () =>
    inSpace(world, "two-sets", async (space) => {
      const two = (name: string, image: string) =>
        rayCluster(
          [
            { name, count: 1, class: "batch" },
            { name: "right", count: 1, class: "gang", gpus: 8, image },
          ],
          { namespace: space.name },
        );
      const group = (object: JsonObject, index: number) => valueAt(object, ["spec", "workerGroupSpecs", index]);
      const first = await space.apply(two("left", "rayproject/ray:2.50.0"));
      const second = await space.apply(two("left", "rayproject/ray:2.51.0"));
      expect(group(second, 0)).toEqual(group(first, 0));
      expect(rungsOf(second)).toEqual(rungsOf(first));
      const renamed = await space.apply(two("other", "rayproject/ray:2.51.0"));
      expect(Object.keys(rungsOf(renamed)).sort()).toEqual(["other", "right"]);
      expect(group(renamed, 1)).toEqual(group(second, 1));
      expect(valueAt(baseOf(renamed), ["spec"])).toEqual(two("other", "rayproject/ray:2.51.0")["spec"]);
    }));

  test("case 18: another webhook adds a container and we are called again: as if it had been there from the start", () =>
    inSpace(
      world,
      "sidecar",
      async (space) => {
        const others = await startSidecars(world.cp, space.name, { sidecar: "true" });
        try {
          const printed = await space.does(["apply", "-f", "-"], job({ class: "batch", namespace: space.name }));
          const live = await space.get("Job");
          expect(arrayAt(live, [...SPEC, "containers"]).map((one) => stringAt(one, ["name"]))).toEqual([
            "main",
            "proxy",
          ]);
          const creates = world.reviews(space.name).filter(({ operation }) => operation === "CREATE");
          expect(creates.map(({ webhook }) => webhook)).toEqual(["mutate", "mutate", "validate"]);
          expect(rungsOf(live)).toEqual({ pod: H100 });
          const lines = printed.split("\n").filter((line) => line.startsWith("Warning:"));
          expect(new Set(lines).size).toBe(lines.length);
          const early = await makeSpace(world, "sidecar-early");
          const whole = job({ class: "batch", namespace: early.name });
          const containers = [...arrayAt(whole, [...SPEC, "containers"]), SIDECAR];
          const written = await early.apply(withValue(whole, [...SPEC, "containers"], containers));
          const podsOf = (object: JsonObject) => objectAt(object, SPEC);
          expect(podsOf(live)).toEqual(podsOf(written));
          // The records are those of a first decision: nothing of the first call is left in them.
          expect(annotationsOf(live)["plimsoll.dev/decision"]).toBe(annotationsOf(written)["plimsoll.dev/decision"]);
          await early.remove();
          await expectCalm(space, job({ class: "batch", namespace: space.name }), { replace: false });
        } finally {
          await others.stop();
        }
      },
      { sidecar: "true" },
    ));

  test("case 21: a dry run holds nothing; a quota that refuses after us, and a name that exists, leave no hold beyond ten seconds", () =>
    inSpace(world, "refused-later", async (space) => {
      await eventually(async () => (await holds()) === 0, { timeoutMs: 40_000, what: "holds of other cases are left" });
      const of = (name: string) => job({ class: "gang", gpus: 8, count: 8, name, namespace: space.name });
      await space.does(["apply", "-f", "-", "--dry-run=server"], of("dry"));
      const diff = await space.kubectl(["diff", "-f", "-"], of("dry"));
      expect(diff.code).toBe(1);
      expect(diff.stdout).toContain("plimsoll.dev/decision");
      await space.does(["create", "quota", "none", "--hard=count/jobs.batch=0"]);
      await eventually(async () =>
        /exceeded quota/.test(await space.fails(["create", "-f", "-", "--dry-run=server"], of("poor"))),
      );
      expect(
        rungsOf(
          JSON.parse(
            (
              await space.kubectl(
                ["apply", "-f", "-", "--dry-run=server", "-o", "json"],
                deployment({ class: "gang", gpus: 8, count: 8, namespace: space.name }),
              )
            ).stdout,
          ),
        ),
      ).toEqual({ pod: H100 });
      expect(await space.fails(["create", "-f", "-"], of("poor"))).toMatch(/exceeded quota/);
      expect(await holds()).toBe(1);
      await eventually(async () => (await holds()) === 0, {
        timeoutMs: 12_000,
        what: "the hold of a refused Job is left",
      });
      await space.does(["delete", "quota", "none"]);
      await eventually(async () => (await space.kubectl(["create", "-f", "-"], of("w"))).code === 0);
      const first = await space.get("Job");
      expect(await space.fails(["create", "-f", "-"], of("w"))).toMatch(/already exists/);
      await eventually(
        async () =>
          (await space.list("Pod")).filter((one) => stringAt(one, ["spec", "nodeName"]) !== undefined).length === 8,
      );
      expect(lookOf(await space.get("Job"))).toEqual(lookOf(first));
      await eventually(async () => (await holds()) === 0, { timeoutMs: 12_000, what: "a bound gang still holds" });
    }));

  test("case 22: deleted and created again at once: the predecessor's pods, which are slow to go, push it nowhere", () =>
    inSpace(world, "reborn", async (space) => {
      const manifest = job({ class: "gang", gpus: 8, count: 8, namespace: space.name });
      expect(rungsOf(await space.apply(manifest))).toEqual({ pod: H100 });
      const onNodes = async () =>
        (await space.list("Pod")).filter((one) => stringAt(one, ["spec", "nodeName"]) !== undefined);
      await eventually(async () => (await onNodes()).length === 8);
      const before = new Set((await onNodes()).map((one) => stringAt(one, ["metadata", "uid"])));
      world.cp.process("kwok").pause();
      try {
        await space.does(["delete", "job", "w", "--wait=false"]);
        const again = await space.apply(manifest);
        expect(rungsOf(again)).toEqual({ pod: H100 });
        expect((await onNodes()).filter((one) => before.has(stringAt(one, ["metadata", "uid"])))).toHaveLength(8);
        const stranger = job({ class: "batch", gpus: 8, name: "stranger", namespace: space.name });
        expect(rungsOf(await space.apply(stranger))).toEqual({ pod: H200 });
      } finally {
        world.cp.process("kwok").resume();
      }
      await eventually(
        async () =>
          (await onNodes()).filter((one) => nameOf(one).startsWith("w-")).length === 8 &&
          !(await onNodes()).some((one) => before.has(stringAt(one, ["metadata", "uid"]))),
        { timeoutMs: 60_000, what: "the second gang did not come up" },
      );
    }));

  test("case 23: 30 worker groups and a large manifest: the stamps fit, or the message says what to do", () =>
    inSpace(world, "large", async (space) => {
      const groups = Array.from({ length: 30 }, (_, index) => ({ name: `group-${index}`, count: 1 }));
      const small = await space.apply(rayCluster(groups, { class: "batch", namespace: space.name }));
      expect(Object.keys(rungsOf(small)).length).toBeGreaterThanOrEqual(30);
      await space.does(["delete", "raycluster", "w"]);
      const noted = (name: string, bytes: number) =>
        rayCluster(groups, {
          namespace: space.name,
          name,
          metadata: { annotations: { "plimsoll.dev/workload-class": "batch", note: "x".repeat(bytes) } },
        });
      const big = await space.create(noted("big", 230_000));
      expect(Object.keys(rungsOf(big)).length).toBeGreaterThanOrEqual(30);
      await space.does(["delete", "raycluster", "big"]);
      expect(await space.fails(["create", "-f", "-"], noted("bigger", 261_000))).toMatch(
        /StampsTooLarge[\s\S]*server-side/,
      );
    }));

  test("case 28: an export, applied where it came from, changes nothing; restored, it is whole; in another cluster it is decided afresh", () =>
    inSpace(world, "export", async (space) => {
      const manifest = deployment({ class: "batch", namespace: space.name, spec: { tolerations: [TEAM] } });
      const first = await space.apply(manifest);
      await rolledOut(space);
      const exported = (await space.kubectl(["get", "deployment", "w", "-o", "yaml"])).stdout;
      await space.does(["apply", "-f", "-"], exported);
      expect({ ...lookOf(await space.get("Deployment")), generation: 1 }).toEqual(lookOf(first));
      expect(await replicaSetsOf(space, await rolledOut(space))).toHaveLength(1);
      await space.does(["delete", "deployment", "w"]);
      await space.does(["apply", "-f", "-"], exported);
      const restored = await space.get("Deployment");
      expect(restored["spec"]).toEqual(first["spec"]);
      expect(rungsOf(restored)).toEqual(rungsOf(first));
      expect(valueAt(baseOf(restored), [...SPEC, "tolerations"])).toEqual([TEAM]);
      // The export named the Deployment controller's own annotation, which the plain manifest gives up once.
      await space.apply(manifest);
      await expectCalm(space, manifest, { atomic: TOLERATIONS });
      await space.does(["delete", "deployment", "w"]);
      const nodes = NODES.map(nameOf).filter((name) => name.startsWith("h-"));
      await space.does(["cordon", ...nodes]);
      try {
        const elsewhere = await eventually(async () => {
          const dry = await space.kubectl(["apply", "-f", "-", "--dry-run=server", "-o", "json"], exported);
          return rungsOf(JSON.parse(dry.stdout))["pod"] === H200 && (await space.does(["apply", "-f", "-"], exported));
        });
        expect(elsewhere).toContain("created");
        const afresh = await space.get("Deployment");
        expect(rungsOf(afresh)).toEqual({ pod: H200 });
        expect(JSON.stringify(afresh["spec"])).not.toContain("h100");
        expect(tolerationsOf(baseOf(afresh))).toEqual([TEAM]);
      } finally {
        await space.does(["uncordon", ...nodes]);
      }
    }));

  test("case 30: unclassed objects in a namespace that is not enrolled never reach us", () =>
    inSpace(world, "unclassed", async (space) => {
      const options = { namespace: space.name };
      for (const manifest of [
        deployment(options),
        job(options),
        pod(options),
        cronJob(options),
        statefulSet(options),
        daemonSet(options),
        rayCluster([{ name: "a", count: 1 }], options),
      ])
        await space.does(["apply", "-f", "-"], manifest);
      await space.does(["apply", "-f", "-"], deployment({ ...options, image: V12 }));
      await space.does(["scale", "deployment", "w", "--replicas=3"]);
      // Their pods lack what a class would have given them, and wait.
      await eventually(async () => (await space.list("ReplicaSet")).length === 2);
      expect(isStamped(await space.get("Deployment"))).toBe(false);
      expect(world.reviews(space.name)).toEqual([]);
    }));
});

const holds = async (): Promise<number> =>
  Number(/^plimsoll_holds (\d+)/m.exec((await world.plimsoll.replicas[0]?.metrics()) ?? "")?.[1]);
