import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { arrayAt, type Json, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { deployment, job } from "../support/manifests.ts";
import { classFile, gpuNode, plainNode, poolFile, type WorldOptions } from "../support/world.ts";
import { makeGpuCluster } from "./support/cluster.ts";
import {
  baseOf,
  decisionOf,
  expectCalm,
  expectCopied,
  generationOf,
  inSpace,
  isStamped,
  lookOf,
  policiesAt,
  replicaSetsOf,
  rolledOut,
  rungsOf,
  startWorld,
  TEMPLATE,
  type World,
} from "./support/lifecycle.ts";
import { nameOf } from "./support/places.ts";
import { eventually } from "./support/wait.ts";

const H100 = "h100/on-demand/existing";
const H200 = "h200/on-demand/existing";
const V12 = "vllm/vllm-openai:v0.12.0";
const SPEC = [...TEMPLATE, "spec"];
const H100_NODES = Array.from({ length: 4 }, (_, index) => gpuNode(`h-${index}`));
const NODES = [
  ...H100_NODES,
  ...Array.from({ length: 2 }, (_, index) => gpuNode(`a-${index}`, { accelerator: "h200" })),
  plainNode("c-1"),
];
const H200_FIRST = { accelerator: { classes: ["h200", "h100"], perPod: { min: 1, max: 8, default: 1 } } };
const SPOTTY = classFile("spotty", {
  interruption: { spot: "allowed", consolidation: true },
  capacity: { types: ["spot"], maxProvisioning: "30m" },
});
const GANG = classFile("gang", { demand: { shape: "gang" } });
const of = (batch: Readonly<Record<string, Json>>, more: WorldOptions = {}): WorldOptions => ({
  ...more,
  classes: [classFile("batch", batch), GANG, SPOTTY],
});
const PLAIN = of({});

let world: World;
let edited = false;
beforeAll(async () => {
  world = await startWorld({ nodes: NODES, catalogue: PLAIN });
});
afterAll(() => world?.stop());
beforeEach(async () => {
  if (edited) await world.edit(PLAIN);
  edited = false;
});
const edit = async (options: WorldOptions) => {
  edited = true;
  await world.edit(options);
};

const nodes = (verb: "cordon" | "uncordon", chosen: readonly JsonObject[]) =>
  world.cp.kubectl([verb, ...chosen.map(nameOf)]);

describe("a class file is edited while it serves", () => {
  test("case 14: accelerators reordered, a stricter rule, other taints: nothing moves and nothing is denied; a hotfix is warned of", () =>
    inSpace(world, "reordered", async (space) => {
      const pool = poolFile("h100-on-demand", { accelerator: "h100", capacityType: "on-demand", maxNodes: 4 });
      await edit(of({}, { pools: [pool] }));
      const manifest = deployment({ class: "batch", count: 1, namespace: space.name });
      const running = job({ class: "batch", name: "j", namespace: space.name });
      await space.apply(manifest);
      const first = await rolledOut(space);
      await space.apply(running);
      expect(rungsOf(first)).toEqual({ pod: H100 });
      const stricter = {
        ...H200_FIRST,
        demand: { shape: "batch", replicas: { min: 3 } },
        admission: { mode: "enforce", rules: { DM01: "deny" } },
      };
      const text = pool.text.replace('"present"', '"other"');
      await edit(of(stricter, { pools: [{ ...pool, text }] }));
      await expectCalm(space, manifest);
      await expectCalm(space, running, { replace: false });
      expect((await space.get("Deployment"))["spec"]).toEqual(first["spec"]);
      expect(await replicaSetsOf(space, await rolledOut(space))).toHaveLength(1);
      const hotfix = deployment({ class: "batch", count: 1, image: V12, namespace: space.name });
      expect(await space.does(["apply", "-f", "-"], hotfix)).toMatch(/DM01/);
      expect(rungsOf(await rolledOut(space))).toEqual({ pod: H100 });
    }));

  test("case 15: renew decides by the new file, and rolls once", () =>
    inSpace(world, "renewed", async (space) => {
      const manifest = deployment({ class: "batch", namespace: space.name });
      await space.apply(manifest);
      await rolledOut(space);
      await edit(of(H200_FIRST));
      await space.does(["annotate", "deployment", "w", "plimsoll.dev/renew=1"]);
      const renewed = await rolledOut(space);
      expect(rungsOf(renewed)).toEqual({ pod: H200 });
      expect(JSON.stringify(renewed["spec"])).not.toContain("h100");
      expect(valueAt(baseOf(renewed), [...SPEC, "nodeSelector"])).toBeUndefined();
      const sets = await replicaSetsOf(space, renewed);
      expect(sets).toHaveLength(2);
      expectCopied(sets[1], renewed);
      await expectCalm(space, manifest);
      await space.does(["annotate", "deployment", "w", "--overwrite", `plimsoll.dev/renew=2 skip=${H200}`]);
      expect(rungsOf(await rolledOut(space))).not.toEqual({ pod: H200 });
    }));

  test("case 8: a running Job whose class file is gone: its finalizer and its deletion pass", () =>
    inSpace(world, "class-gone", async (space) => {
      const first = await space.apply(job({ class: "batch", namespace: space.name }));
      edited = true;
      await world.edit({ classes: [GANG] });
      await space.patch("Job", "w", { metadata: { finalizers: ["example.com/wait"] } });
      expect((await space.get("Job"))["spec"]).toEqual(first["spec"]);
      await space.does(["delete", "job", "w", "--wait=false"]);
      await space.patch("Job", "w", { metadata: { finalizers: null } });
      await eventually(async () => (await space.find("Job")) === undefined, { what: "the Job is stuck" });
    }));

  test("case 25: audit -> enforce and enforce -> audit move nothing until the pods change or somebody asks", () =>
    inSpace(world, "audit", async (space) => {
      const audit = of({ admission: { mode: "audit" } });
      await edit(audit);
      const at = (count: number, image?: string) =>
        deployment({ class: "batch", count, namespace: space.name, ...(image === undefined ? {} : { image }) });
      const printed = await space.does(["apply", "-f", "-"], at(2));
      const first = await space.get("Deployment");
      expect(decisionOf(first)["pod"]).toMatchObject({ audit: true });
      expect(rungsOf(first), `${printed}${JSON.stringify(decisionOf(first))}`).toEqual({ pod: H100 });
      expect(valueAt(first, [...SPEC, "nodeSelector"])).toBeUndefined();
      await rolledOut(space);
      await edit(PLAIN);
      await expectCalm(space, at(2));
      const counted = await space.apply(at(3));
      expect(valueAt(counted, TEMPLATE)).toEqual(valueAt(first, TEMPLATE));
      await space.does(["annotate", "deployment", "w", "plimsoll.dev/renew=1"]);
      const enforced = await rolledOut(space);
      expect(objectAt(enforced, [...SPEC, "nodeSelector"])).toMatchObject({
        "karpenter.k8s.aws/instance-gpu-name": "h100",
      });
      expect(await replicaSetsOf(space, enforced)).toHaveLength(2);
      await edit(audit);
      await expectCalm(space, at(3));
      expect(valueAt(await space.apply(at(2)), TEMPLATE)).toEqual(valueAt(enforced, TEMPLATE));
      const hotfix = await space.apply(at(2, V12));
      expect(valueAt(hotfix, [...SPEC, "nodeSelector"])).toEqual(valueAt(enforced, [...SPEC, "nodeSelector"]));
      expect(await replicaSetsOf(space, await rolledOut(space))).toHaveLength(3);
    }));

  test("case 26: two replicas, one with the newer catalogue: nothing is denied for that, whichever of them is asked what", () =>
    inSpace(world, "two-catalogues", async (space) => {
      const newer = policiesAt(join(world.cp.dir, "newer"));
      newer.write(
        of({
          ...H200_FIRST,
          interruption: { spot: "never", minLifetime: "12h", consolidation: false, drainTimeout: "2m" },
        }),
      );
      const { plimsoll } = world;
      const [older] = plimsoll.replicas;
      const other = await plimsoll.start(newer.folder);
      await plimsoll.ready(other);
      const asked = (which: { logs(): readonly JsonObject[] } | undefined, webhook: string) =>
        (which?.logs() ?? []).filter((line) => line["namespace"] === space.name && line["webhook"] === webhook).length;
      const pointed = await pointing(world);
      try {
        for (const [index, [mutating, validating]] of [
          [older, other],
          [other, older],
        ].entries()) {
          await pointed.to(mutating?.port ?? 0, validating?.port ?? 0);
          const name = `w${index}`;
          const manifest = deployment({ class: "batch", name, namespace: space.name });
          // The API server takes a change of its webhooks in after a moment.
          await eventually(async () => {
            const [before, then] = [asked(mutating, "mutate"), asked(validating, "validate")];
            await space.does(["apply", "-f", "-", "--dry-run=server"], manifest);
            return asked(mutating, "mutate") === before + 1 && asked(validating, "validate") === then + 1;
          });
          const first = await space.apply(manifest);
          expect(rungsOf(first)).toEqual({ pod: index === 0 ? H100 : H200 });
          await expectCalm(space, manifest);
          const image = await space.apply(deployment({ class: "batch", name, namespace: space.name, image: V12 }));
          expect(rungsOf(image)).toEqual(rungsOf(first));
          expect(await replicaSetsOf(space, await rolledOut(space, name))).toHaveLength(2);
        }
      } finally {
        await pointed.back();
        await other.process.terminate();
      }
    }));
});

/** Sends the mutating and the validating webhooks to ports of their own. */
async function pointing({ cp, plimsoll }: World) {
  const path = (kind: string) => `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/plimsoll`;
  const to = async (mutating: number, validating: number) => {
    for (const [kind, port] of [
      ["mutating", mutating],
      ["validating", validating],
    ] as const) {
      const webhooks = arrayAt(await cp.api.send("GET", path(kind)), ["webhooks"]);
      const patch = webhooks.map((webhook, index) => {
        const url = new URL(stringAt(webhook, ["clientConfig", "url"]) ?? "");
        url.port = String(port);
        return { op: "replace", path: `/webhooks/${index}/clientConfig/url`, value: url.href };
      });
      const { code, stderr } = await cp.kubectl([
        "patch",
        `${kind}webhookconfiguration`,
        "plimsoll",
        "--type=json",
        "-p",
        JSON.stringify(patch),
      ]);
      if (code !== 0) throw new Error(stderr);
    }
  };
  return { to, back: () => to(plimsoll.balancer.port, plimsoll.balancer.port) };
}

describe("the cluster changes", () => {
  test("case 10: a suspended Job that starts without a queue is decided again, while it can still change", () =>
    inSpace(world, "suspended", async (space) => {
      const waiting = await space.apply(job({ class: "batch", suspend: true, namespace: space.name }));
      expect(rungsOf(waiting)).toEqual({ pod: H100 });
      await nodes("cordon", H100_NODES);
      try {
        await eventually(async () => {
          const dry = await space.kubectl(
            ["apply", "-f", "-", "--dry-run=server", "-o", "json"],
            job({ class: "batch", name: "other", namespace: space.name }),
          );
          return rungsOf(JSON.parse(dry.stdout))["pod"] === H200;
        });
        await space.patch("Job", "w", { spec: { suspend: false } });
        const running = await space.get("Job");
        expect(rungsOf(running)).toEqual({ pod: H200 });
        expect(JSON.stringify(running["spec"])).not.toContain("h100");
        const bound = await eventually(async () =>
          (await space.list("Pod"))
            .map((pod) => stringAt(pod, ["spec", "nodeName"]))
            .find((node) => node !== undefined),
        );
        expect(bound).toMatch(/^a-/);
      } finally {
        await nodes("uncordon", H100_NODES);
      }
    }));

  test("case 24: admitted as unknown; when nodes arrive, renew, or the next update of spec, brings the rung", () =>
    inSpace(world, "unknown", async (space) => {
      await edit(of({}, { platform: { supply: { nodes: "partial", pools: "partial" } } }));
      const at = (name: string, image?: string) =>
        deployment({ class: "spotty", name, namespace: space.name, ...(image === undefined ? {} : { image }) });
      const printed = await space.does(["apply", "-f", "-"], at("renewed"));
      expect(printed).toMatch(/plimsoll\.dev\/renew/);
      await space.apply(at("updated"));
      for (const name of ["renewed", "updated"]) {
        const first = await space.get("Deployment", name);
        expect(rungsOf(first)).toEqual({ pod: "none" });
        expect(decisionOf(first)["pod"]?.verdict).toBe("unknown");
      }
      const spot = gpuNode("spot-1", { capacityType: "spot" });
      await makeGpuCluster(world.cp, [spot]);
      await space.does(["annotate", "deployment", "renewed", "plimsoll.dev/renew=1"]);
      expect(rungsOf(await rolledOut(space, "renewed"))).toEqual({ pod: "h100/spot/existing" });
      const updated = await space.apply(at("updated", V12));
      expect(rungsOf(updated)).toEqual({ pod: "h100/spot/existing" });
      const ready = await rolledOut(space, "updated");
      expect(await replicaSetsOf(space, ready)).toHaveLength(2);
      // No kubelet is left to end the pods of a node that is gone.
      await space.does(["delete", "deployment", "renewed", "updated"]);
      await eventually(async () => (await space.list("Pod")).length === 0);
      await world.cp.api.send("DELETE", "/api/v1/nodes/spot-1");
    }));

  test("case 29: the nodes have shrunk and a hotfix comes: let in with a warning, its rung kept", () =>
    inSpace(world, "shrunk", async (space) => {
      const at = (image: string) => deployment({ class: "gang", gpus: 8, count: 4, image, namespace: space.name });
      const first = await space.apply(at("vllm/vllm-openai:v0.11.0"));
      expect(rungsOf(first)).toEqual({ pod: H100 });
      await rolledOut(space);
      const gone = H100_NODES.slice(1);
      for (const node of gone) await world.cp.api.send("DELETE", `/api/v1/nodes/${nameOf(node)}`);
      try {
        await eventually(async () =>
          /Capacity/.test(await space.does(["apply", "-f", "-", "--dry-run=server"], at(V12))),
        );
        expect(await space.does(["apply", "-f", "-"], at(V12))).toMatch(/Warning: Capacity(Never|Busy): /);
        expect(rungsOf(await space.get("Deployment"))).toEqual(rungsOf(first));
      } finally {
        // No kubelet is left to end the pods of a node that is gone.
        await space.does(["delete", "deployment", "w"]);
        await space.does(["delete", "pods", "--all", "--force", "--grace-period=0"]);
        await makeGpuCluster(world.cp, gone);
      }
    }));
});

describe("what a namespace asks", () => {
  test("case 17: a default class reaches new workloads and no old one, and stands when the label is gone", () =>
    inSpace(world, "default-class", async (space) => {
      const old = await space.apply(deployment({ name: "old", namespace: space.name }));
      const label = (value: string) =>
        world.cp.kubectl(["label", "namespace", space.name, `plimsoll.dev/default-class${value}`]);
      await label("=batch");
      const fresh = deployment({ name: "fresh", namespace: space.name });
      const dry = async () =>
        JSON.parse((await space.kubectl(["apply", "-f", "-", "--dry-run=server", "-o", "json"], fresh)).stdout);
      await eventually(async () => isStamped(await dry()));
      expect(rungsOf(await space.apply(fresh))).toEqual({ pod: H100 });
      await expectCalm(space, fresh);
      const updated = await space.apply(deployment({ name: "old", namespace: space.name, image: V12 }));
      expect(isStamped(updated)).toBe(false);
      expect(valueAt(updated, [...SPEC, "nodeSelector"])).toBeUndefined();
      expect(generationOf(old)).toBe(1);
      expect(isStamped(await space.apply(deployment({ name: "plain", gpus: 0, namespace: space.name })))).toBe(false);
      await label("-");
      await eventually(async () => {
        const unlabelled = deployment({ name: "later", namespace: space.name });
        const { stdout } = await space.kubectl(["apply", "-f", "-", "--dry-run=server", "-o", "json"], unlabelled);
        return !isStamped(JSON.parse(stdout));
      });
      const later = await space.apply(deployment({ name: "fresh", namespace: space.name, image: V12 }));
      expect(rungsOf(later)).toEqual({ pod: H100 });
    }));

  test("case 27: the mutating webhook is away and selectors are stripped in an enrolled namespace: refused; what is not ours goes on", () =>
    inSpace(
      world,
      "stripped",
      async (space) => {
        const manifest = deployment({ class: "batch", namespace: space.name });
        expect(
          await space.fails(["apply", "-f", "-"], deployment({ name: "unclassed", namespace: space.name })),
        ).toMatch(/ClassRequired/);
        const first = await space.apply(manifest);
        await rolledOut(space);
        const path = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations";
        const configuration = await world.cp.api.send("GET", `${path}/plimsoll`);
        await world.cp.api.send("DELETE", `${path}/plimsoll`);
        try {
          const strip = JSON.stringify([
            { op: "remove", path: "/spec/template/spec/nodeSelector" },
            { op: "remove", path: "/spec/template/spec/affinity" },
          ]);
          await eventually(async () => {
            const dry = await space.kubectl([
              "patch",
              "deployment",
              "w",
              "--type=json",
              "-p",
              strip,
              "--dry-run=server",
            ]);
            return dry.code !== 0;
          });
          expect(await space.fails(["patch", "deployment", "w", "--type=json", "-p", strip])).toMatch(/NotExpanded/);
          expect(
            await space.fails(["apply", "-f", "-"], deployment({ class: "batch", name: "new", namespace: space.name })),
          ).toMatch(/plimsoll/i);
          expect(lookOf(await space.get("Deployment"))).toEqual(lookOf(first));
          await space.does(["apply", "-f", "-"], deployment({ name: "plain", gpus: 0, namespace: space.name }));
          await space.does(["scale", "deployment", "w", "--replicas=1"]);
          const pods = () => space.list("Pod");
          await rolledOut(space);
          await space.does(["delete", "pod", nameOf((await pods())[0] ?? {})]);
          await rolledOut(space);
          await space.does(["apply", "-f", "-"], deployment({ class: "batch", count: 1, namespace: space.name }));
        } finally {
          const {
            resourceVersion: _,
            uid: __,
            creationTimestamp: ___,
            ...metadata
          } = objectAt(configuration, ["metadata"]);
          await world.cp.api.send("POST", path, { ...configuration, metadata });
          await eventually(async () => {
            const probe = deployment({ class: "batch", name: "probe", namespace: space.name });
            return (await space.kubectl(["apply", "-f", "-", "--dry-run=server"], probe)).code === 0;
          });
        }
      },
      { "plimsoll.dev/enrolled": "true" },
    ));
});
