import { afterEach, describe, expect, inject, test } from "vitest";
import { stringify } from "yaml";
import { arrayAt, type JsonObject, stringAt, valueAt } from "../../src/model/index.ts";
import { generateCluster } from "../../src/topology/index.ts";
import { type ControlPlane, type ControlPlaneOptions, startControlPlane } from "./controlplane/index.ts";
import { makeGpuCluster } from "./support/cluster.ts";
import { anyKind } from "./support/crds.ts";
import { decisionOf, jobOf, makeTeam, podsOf, stored } from "./support/examples.ts";
import { missing, mutatedBy } from "./support/mutated.ts";
import { leave } from "./support/permissions.ts";
import { nameOf } from "./support/places.ts";
import { type Plimsoll, startPlimsoll } from "./support/plimsoll.ts";
import { eventually, itemsOf, quiescent } from "./support/wait.ts";

const RACK = "topology.k8s.aws/network-node-layer-3";
const GANG = 4;
/** Whole nodes, four of them, in one rack of four. */
const gang = (name: string) =>
  jobOf(name, {
    className: "training-gang",
    intent: "accelerator: {classes: [h100]}\ntopology: {level: rack}\n",
    pods: GANG,
    requests: { cpu: "96", memory: "1Ti", "nvidia.com/gpu": "8" },
  });
const GANGS = ["one", "two", "three"].map(gang);
/** One that waits, of a kind whose pods may change until it runs. */
const paused = (level: string): JsonObject => {
  const template = valueAt(gang("paused"), ["spec", "template"]) ?? {};
  const annotations = {
    "plimsoll.dev/workload-class": "training-gang",
    "plimsoll.dev/intent": `accelerator: {classes: [h100]}\ntopology: {level: ${level}}\n`,
  };
  return {
    apiVersion: "eval.example.com/v1",
    kind: "EvaluationRun",
    metadata: { name: "paused", namespace: "team-b", annotations },
    spec: { paused: true, coordinator: { template }, workers: [{ name: "judges", replicas: GANG, template }] },
  };
};
const GROUPS = "/apis/scheduling.k8s.io/v1beta1/namespaces/team-b/podgroups";
const SLOW = { timeoutMs: 60_000 };

let cp: ControlPlane | undefined;
let plimsoll: Plimsoll | undefined;
afterEach(async () => {
  if (cp !== undefined) leave(cp, inject("run"), import.meta.filename);
  await plimsoll?.stop();
  await cp?.stop();
});

/** Four racks of four nodes; one node of the second is busy, so that three whole racks are left. */
async function racks(options: ControlPlaneOptions, platform: string) {
  const plane = await startControlPlane({ ...options, audit: true });
  cp = plane;
  const racks = { shape: "p5.48xlarge", blocks: 2, racks: 2, nodesPerRack: 4, capacityType: "reserved" } as const;
  await makeGpuCluster(plane, generateCluster(racks));
  await makeTeam(plane);
  await plane.api.send(
    "POST",
    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
    anyKind("eval.example.com", "v1", "EvaluationRun"),
  );
  const nodes = new Map((await itemsOf(plane, "/api/v1/nodes")).map((node) => [nameOf(node), node]));
  const busy = [...nodes.keys()].find((name) => name.includes("r2-")) ?? "";
  expect(await plane.kubectl(["cordon", busy])).toMatchObject({ code: 0 });
  const front = await startPlimsoll(plane, { platform, args: ["--companion-grace=1"] });
  plimsoll = front;
  const rackOf = (pod: JsonObject) =>
    stringAt(nodes.get(stringAt(pod, ["spec", "nodeName"]) ?? "") ?? {}, ["metadata", "labels", RACK]);
  /** Settles when each has its pods. */
  const podsOfAll = () =>
    eventually(
      async () => {
        const pods = await quiescent(plane);
        const found = await Promise.all(GANGS.map(async (one) => podsOf(pods, await stored(plane, one), [])));
        return found.every((one) => one.length === GANG) && found;
      },
      { timeoutMs: 120_000 },
    );
  return { plane, replica: front.replicas[0], rackOf, podsOfAll };
}

describe("a gang whose rack is required", () => {
  test("lands in one rack by PodGroup, where that is served", async () => {
    const { plane, replica, rackOf, podsOfAll } = await racks(
      {
        emulatedVersion: "1.37",
        featureGates: { GenericWorkload: true, TopologyAwareWorkloadScheduling: true },
        runtimeConfig: "api/all=true",
      },
      "test/e2e/fixtures/platform-gangs.yaml",
    );
    if (replica === undefined) throw new Error("no replica");
    // All at once: the scheduler has the pods of three gangs before it.
    const [first = {}] = GANGS;
    const made = await mutatedBy(replica, first);
    const { code, stderr } = await plane.kubectl(["apply", "-f", "-"], {
      stdin: GANGS.map((one) => stringify(one)).join("---\n"),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // A field that the server does not know is dropped without a word.
    expect(missing(made, await stored(plane, first))).toEqual([]);
    const groups = await eventually(async () => {
      const found = await itemsOf(plane, GROUPS);
      return found.length === GANGS.length && found;
    });
    for (const group of groups)
      expect(group["spec"]).toMatchObject({
        schedulingPolicy: { gang: { minCount: GANG } },
        schedulingConstraints: { topology: [{ key: RACK }] },
        priorityClassName: "training",
      });
    const pods = await podsOfAll();
    const racksOf = pods.map((one) => [...new Set(one.map(rackOf))]);
    expect(racksOf.every(([rack, ...others]) => rack !== undefined && others.length === 0)).toBe(true);
    expect(new Set(racksOf.flat()).size).toBe(GANGS.length);
    expect(new Set(pods.flat().map((pod) => stringAt(pod, ["spec", "schedulingGroup", "podGroupName"])))).toEqual(
      new Set(groups.map(nameOf)),
    );

    // A group goes with its Job, and no edit replaces it there; of a kind that can be edited while it waits, the old one is ours to remove.
    const groupsOf = async () =>
      (await itemsOf(plane, GROUPS)).filter(
        (one) => stringAt(one, ["metadata", "ownerReferences", 0, "kind"]) === "EvaluationRun",
      );
    const seen = new Set<string>();
    for (const level of ["rack", "block"]) {
      const { code, stderr } = await plane.kubectl(["apply", "-f", "-"], { stdin: stringify(paused(level)) });
      // The racks are full of the gangs.
      expect({ code, rest: stderr.replace(/^Warning: CapacityBusy: .*\n/gm, "") }).toEqual({ code: 0, rest: "" });
      const [name = ""] = await eventually(async () => {
        const found = (await groupsOf()).map(nameOf);
        return found.length === 1 && !seen.has(found[0] ?? "") && found;
      }, SLOW);
      seen.add(name);
    }
    await plane.kubectl(["delete", "evaluationrun", "-n", "team-b", "paused", "--wait=false"]);

    for (const one of GANGS) await plane.kubectl(["delete", "job", "-n", "team-b", nameOf(one), "--wait=false"]);
    await eventually(async () => (await itemsOf(plane, GROUPS)).length === 0, {
      timeoutMs: 60_000,
      what: "the PodGroups did not go with their Jobs",
    });
  });

  test("elsewhere lands in one rack by pod affinity: the one that it was steered to, or it was warned", async () => {
    const { plane, rackOf, podsOfAll } = await racks({}, "test/e2e/fixtures/platform.yaml");
    const warned: string[] = [];
    for (const one of GANGS) {
      const { code, stderr } = await plane.kubectl(["apply", "-f", "-"], { stdin: stringify(one) });
      expect(code).toBe(0);
      warned.push(stderr);
      // The next one is judged when this one is there.
      await quiescent(plane);
    }
    const pods = await podsOfAll();
    for (const [index, one] of GANGS.entries()) {
      const root = await stored(plane, one);
      const affinity = arrayAt(root, [
        ...["spec", "template", "spec", "affinity", "podAffinity"],
        "requiredDuringSchedulingIgnoredDuringExecution",
      ]);
      expect(affinity.map((term) => valueAt(term, ["topologyKey"]))).toEqual([RACK]);
      const steered = arrayAt(decisionOf(root)["pod"], ["steer", "values"]);
      expect(steered.length).toBeGreaterThan(0);
      const bound = (pods[index] ?? []).filter((pod) => rackOf(pod) !== undefined);
      expect(new Set(bound.map(rackOf)).size).toBe(1);
      const asSteered = bound.length === GANG && bound.every((pod) => steered.includes(rackOf(pod) ?? ""));
      expect(asSteered || /^Warning: (NotGuaranteed|CapacityBusy): /m.test(warned[index] ?? "")).toBe(true);
    }
    // What was said reads as whole sentences.
    expect(warned[0]).toContain(
      "Warning: GangNotGuaranteed: nothing starts all 4 pods together: without a queue or PodGroup some may hold devices and wait\n" +
        "Warning: NotGuaranteed: kube-scheduler places the first pod without looking ahead, and 1 of the 4 racks with room for it has no…\n",
    );
  });
});
