import { cp as copy } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { stringify } from "yaml";
import { arrayAt, isObject, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { findShape, generateCluster } from "../../src/topology/index.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { makeGpuCluster } from "./support/cluster.ts";
import { decisionOf, jobOf, makeTeam, stored } from "./support/examples.ts";
import { missing, mutatedBy } from "./support/mutated.ts";
import { collectionFor, nameOf, pathOf } from "./support/places.ts";
import { type Plimsoll, type Replica, startPlimsoll } from "./support/plimsoll.ts";
import { eventually, itemsOf, quiescent } from "./support/wait.ts";

const PCIE = "resource.kubernetes.io/pcieRoot";
const NIC_DRIVER = "nic.example.com";
/** The first node's roots that have a network card: two of eight. */
const NIC_ROOTS = ["pci0000:66", "pci0000:bb"];

const nodes = (shape: string, prefix: string, nodesPerRack: number) =>
  generateCluster({ shape, prefix, nodesPerRack, racks: 1, mechanism: "dra", capacityType: "reserved" });
const SLOW = { timeoutMs: 120_000 };
const WITH_CARDS = "cards-a1-r1-01";

const NIC_CLASS: JsonObject = {
  apiVersion: "resource.k8s.io/v1",
  kind: "DeviceClass",
  metadata: { name: NIC_DRIVER },
  spec: { selectors: [{ cel: { expression: `device.driver == "${NIC_DRIVER}"` } }] },
};
const CARDS: JsonObject = {
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceSlice",
  metadata: { name: `${WITH_CARDS}-cards` },
  spec: {
    driver: NIC_DRIVER,
    nodeName: WITH_CARDS,
    pool: { name: `${WITH_CARDS}-cards`, generation: 1, resourceSliceCount: 1 },
    devices: NIC_ROOTS.map((root, index) => ({ name: `nic-${index}`, attributes: { [PCIE]: { string: root } } })),
  },
};
const GPU_WITH_CARD: JsonObject = {
  apiVersion: "resource.k8s.io/v1",
  kind: "ResourceClaimTemplate",
  metadata: { name: "gpu-with-card", namespace: "team-b" },
  spec: {
    spec: {
      devices: {
        requests: [
          { name: "gpu", exactly: { deviceClassName: "gpu.nvidia.com" } },
          { name: "nic", exactly: { deviceClassName: NIC_DRIVER } },
        ],
        constraints: [{ requests: ["gpu", "nic"], matchAttribute: PCIE }],
      },
    },
  },
};
const pairs = (name: string, pods: number) =>
  jobOf(name, {
    className: "training-single",
    intent: "accelerator: {classes: [h100]}",
    pods,
    requests: { cpu: "4", memory: "16Gi" },
    spec: { resourceClaims: [{ name: "pair", resourceClaimTemplateName: "gpu-with-card" }] },
    claims: ["pair"],
  });
const whole = (name: string, classes: string) =>
  jobOf(name, {
    className: "training-single",
    intent: `accelerator: {classes: ${classes}, perPod: {default: 8}}`,
    pods: 1,
    requests: { cpu: "16", memory: "64Gi" },
  });

/** One claim of so many, from a template that is named by accelerator and number. */
const burst = (round: number): readonly JsonObject[] =>
  ["h100", "h200"].flatMap((accelerator) =>
    [1, 2, 3].flatMap((count) => {
      const name = `burst-${round}-${accelerator}-${count}`;
      const job = jobOf(name, {
        className: "training-single",
        intent: `accelerator: {classes: [${accelerator}], perPod: {default: ${count}}}`,
        pods: 1,
        requests: { cpu: "4", memory: "16Gi" },
      });
      const metadata = { ...objectAt(job, ["metadata"]), name: `${name}-bare` };
      return [job, { apiVersion: "v1", kind: "Pod", metadata, spec: objectAt(job, ["spec", "template", "spec"]) }];
    }),
  );
const BURSTS = 3;
const TEMPLATES = "/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaimtemplates";

interface Device {
  readonly request: string;
  readonly node: string;
  readonly root: string | undefined;
}

describe("devices by DRA", () => {
  let cp: ControlPlane;
  let plimsoll: Plimsoll;
  let replica: Replica;
  beforeAll(async () => {
    cp = await startControlPlane();
    await makeGpuCluster(cp, [
      ...nodes("p5.48xlarge", "cards", 1),
      ...nodes("p5.48xlarge", "plain", 1),
      ...nodes("p5en.48xlarge", "large", 2),
      NIC_CLASS,
      CARDS,
    ]);
    await makeTeam(cp);
    const policies = join(cp.dir, "policies");
    await copy("policies", policies, { recursive: true });
    await copy("test/e2e/fixtures/aligned-class.yaml", join(policies, "classes/aligned-pair.yaml"));
    await copy("test/e2e/fixtures/platform.yaml", join(policies, "platform.yaml"));
    plimsoll = await startPlimsoll(cp, { policies, args: ["--companion-grace=1"] });
    replica = plimsoll.replicas[0] as Replica;
  });
  afterAll(async () => {
    await plimsoll?.stop();
    await cp?.stop();
  });

  /** The devices of each of a Job's pods, once every pod has a node; throws what the cluster came to otherwise. */
  async function allocated(job: string, pods: number): Promise<readonly (readonly Device[])[]> {
    return eventually(async () => {
      const bound = (await quiescent(cp)).filter(
        (pod) => nameOf(pod).startsWith(`${job}-`) && stringAt(pod, ["spec", "nodeName"]) !== undefined,
      );
      if (bound.length !== pods) throw new Error(`${bound.length} of ${pods} pods of ${job} are bound`);
      const claims = await itemsOf(cp, "/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaims");
      const slices = await itemsOf(cp, "/apis/resource.k8s.io/v1/resourceslices");
      return bound.map((pod) =>
        arrayAt(pod, ["status", "resourceClaimStatuses"]).flatMap((status) => {
          const claim = claims.find((one) => nameOf(one) === stringAt(status, ["resourceClaimName"]));
          return arrayAt(claim, ["status", "allocation", "devices", "results"]).map((result): Device => {
            const slice = slices.find((one) => stringAt(one, ["spec", "pool", "name"]) === stringAt(result, ["pool"]));
            const device = arrayAt(slice, ["spec", "devices"]).find(
              (one) => isObject(one) && one["name"] === stringAt(result, ["device"]),
            );
            return {
              request: stringAt(result, ["request"]) ?? "",
              node: stringAt(slice, ["spec", "nodeName"]) ?? "",
              root: stringAt(device, ["attributes", PCIE, "string"]),
            };
          });
        }),
      );
    }, SLOW);
  }

  /** Applies it, with what was stored compared with what we made; returns what was decided and said. */
  async function applied(object: JsonObject) {
    const made = await mutatedBy(replica, object);
    const { code, stderr } = await cp.kubectl(["apply", "-f", "-"], { stdin: stringify(object) });
    if (code !== 0) return { stderr, decided: undefined, root: {} };
    const root = await stored(cp, object);
    expect(missing(made, root)).toEqual([]);
    return { stderr, decided: decisionOf(root)["pod"], root };
  }

  test("no pod waits for its claim template: bare Pods and Jobs in bursts, each of templates that are not there yet", async () => {
    for (let round = 0; round < BURSTS; round += 1) {
      const objects = burst(round);
      const dry = await cp.kubectl(["apply", "--dry-run=server", "-f", "-"], {
        stdin: objects.map((one) => stringify(one)).join("---\n"),
      });
      expect({ code: dry.code, rest: dry.stderr.replace(/^Warning: .*\n/gm, "") }).toEqual({ code: 0, rest: "" });
      expect(await itemsOf(cp, TEMPLATES)).toEqual([]);
      await Promise.all(objects.map((one) => cp.api.send("POST", collectionFor(one), one)));
      const pods = await quiescent(cp);
      const bound = pods.filter((pod) => stringAt(pod, ["spec", "nodeName"]) !== undefined);
      expect(bound.filter((pod) => nameOf(pod).startsWith(`burst-${round}-`))).toHaveLength(objects.length);
      const events = await itemsOf(cp, "/api/v1/namespaces/team-b/events");
      const early = /^plimsoll_early_templates_total\{outcome="(\w+)"\} (\d+)$/gm;
      expect({
        waited: events
          .filter((one) => one["reason"] === "FailedResourceClaimCreation")
          .map((one) => stringAt(one, ["message"])),
        made: [...(await replica.metrics()).matchAll(early)].map(([, outcome, count]) => `${outcome} ${count}`),
      }).toEqual({ waited: [], made: [`made ${(round + 1) * 6}`] });
      for (const one of objects) await cp.api.send("DELETE", `${pathOf(one)}?propagationPolicy=Background`);
      await eventually(async () => {
        const left = [
          ...(await itemsOf(cp, TEMPLATES)),
          ...(await itemsOf(cp, "/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaims")),
        ];
        return left.length === 0;
      }, SLOW);
    }
  });

  test("a GPU with the network card of its PCIe root: as many as there are pairs, and no more", async () => {
    await cp.api.send("POST", TEMPLATES, GPU_WITH_CARD);
    await eventually(
      async () => decisionOf(await mutatedBy(replica, pairs("pairs", 2)))["pod"]?.["verdict"] === "fits",
    );
    const { stderr, decided } = await applied(pairs("pairs", 2));
    expect({ stderr, decided }).toMatchObject({
      stderr: "",
      decided: { verdict: "fits", rung: "h100/reserved/existing" },
    });
    const devices = await allocated("pairs", 2);
    for (const pair of devices) {
      expect(pair.map(({ request }) => request).sort()).toEqual(["gpu", "nic"]);
      expect(new Set(pair.map(({ root }) => root)).size).toBe(1);
      expect(new Set(pair.map(({ node }) => node))).toEqual(new Set([WITH_CARDS]));
    }
    expect(new Set(devices.flat().map(({ root }) => root))).toEqual(new Set(NIC_ROOTS));

    const third = await applied(pairs("third", 1));
    expect(third.decided).toMatchObject({ verdict: "busy" });
    expect(third.stderr).toMatch(/^Warning: CapacityBusy: /);
    const [waiting] = await eventually(async () => {
      const found = (await quiescent(cp)).filter((pod) => nameOf(pod).startsWith("third-"));
      return found.length === 1 && found;
    });
    expect(stringAt(waiting, ["spec", "nodeName"])).toBeUndefined();
    await cp.kubectl(["delete", "job", "-n", "team-b", "third"]);
  });

  test("an accelerator that is used up: the next of the class, in the claim as well", async () => {
    const first = await applied(whole("first", "[h100, h200]"));
    expect(first.decided).toMatchObject({ verdict: "fits", rung: "h100/reserved/existing" });
    expect((await allocated("first", 1)).flat().map(({ node }) => node)).toEqual(Array(8).fill("plain-a1-r1-01"));
    const second = await applied(whole("second", "[h100, h200]"));
    expect(second.decided).toMatchObject({ verdict: "fits", rung: "h200/reserved/existing" });
    const [devices = []] = await allocated("second", 1);
    expect(devices).toHaveLength(8);
    for (const { node } of devices) expect(node).toMatch(/^large-/);
  });

  test("two GPUs of one root, where the class asks for that", async () => {
    const pods = 2;
    const job = jobOf("aligned", {
      className: "aligned-pair",
      intent: "accelerator: {classes: [h200]}",
      pods,
      requests: { cpu: "4", memory: "16Gi" },
    });
    const { decided, root } = await applied(job);
    expect(decided).toMatchObject({ verdict: "fits", rung: "h200/reserved/existing" });
    const [claim] = arrayAt(root, ["spec", "template", "spec", "resourceClaims"]);
    const name = stringAt(claim, ["resourceClaimTemplateName"]) ?? "";
    const devices = await allocated("aligned", pods);
    const template = await cp.api.send("GET", `${TEMPLATES}/${name}`);
    expect(valueAt(template, ["spec", "spec", "devices", "constraints"])).toEqual([
      { requests: ["accelerator"], matchAttribute: PCIE },
    ]);
    for (const pair of devices) {
      expect(pair).toHaveLength(2);
      expect(new Set(pair.map(({ root: at }) => at)).size).toBe(1);
    }
    const roots = findShape("p5en.48xlarge")?.pcieRoots ?? [];
    for (const { root: at } of devices.flat()) expect(roots).toContain(at);
  });
});
