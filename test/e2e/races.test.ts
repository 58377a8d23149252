import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../../src/model/index.ts";
import { deployment } from "../support/manifests.ts";
import { classFile, gpuNode, plainNode } from "../support/world.ts";
import { type Balancer, startBalancer } from "./support/balancer.ts";
import { makeSpace, type Space, startWorld, type World } from "./support/lifecycle.ts";
import type { Replica } from "./support/plimsoll.ts";
import { eventually, itemsOf } from "./support/wait.ts";

/** One node of eight devices, so whoever comes second has none. */
const NODES = [gpuNode("h-0"), plainNode("c-1")];
const CLASSES = [
  // `makeSpace` asks about a pod of it.
  classFile("gang"),
  classFile("patient", { admission: { mode: "enforce", whenBusy: "warn" } }),
  classFile("strict", { admission: { mode: "enforce", whenBusy: "deny" } }),
];
const ROUNDS = 5;
const SLOW = { timeoutMs: 90_000 };

let world: World;
/** Between the second replica and the API server. */
let wire: Balancer;
let first: Replica;
let second: Replica;
beforeAll(async () => {
  world = await startWorld({ nodes: NODES, catalogue: { classes: CLASSES } });
  const { cp, plimsoll } = world;
  wire = await startBalancer();
  wire.route([Number(new URL(cp.server).port)]);
  const config = join(cp.dir, "kubeconfig-by-wire");
  const text = readFileSync(plimsoll.kubeconfig, "utf8");
  writeFileSync(config, text.replace(cp.server, `https://127.0.0.1:${wire.port}`), { mode: 0o600 });
  [first] = plimsoll.replicas as readonly [Replica];
  second = await plimsoll.start(undefined, [`--kubeconfig=${config}`]);
  await plimsoll.ready(second);
});
afterAll(async () => {
  try {
    await world?.stop();
  } finally {
    await wire?.close();
  }
});

const routeTo = (replica: Replica): Promise<void> => world.plimsoll.switchTo([replica]);

const inSpace = async (name: string, play: (space: Space) => Promise<void>) => {
  const space = await makeSpace(world, name);
  try {
    await play(space);
  } finally {
    await space.remove();
    await settled();
  }
};

/** No pod uses a device, and every replica knows. */
async function settled(): Promise<void> {
  await eventually(async () => {
    const pods = await itemsOf(world.cp, "/api/v1/pods");
    return pods.every((pod) => stringAt(pod, ["metadata", "namespace"]) === "plimsoll-system");
  }, SLOW);
  for (const replica of [first, second]) await eventually(async () => (await holdsOf(replica)) === 0, SLOW);
}

async function holdsOf(replica: Replica): Promise<number> {
  return Number(/^plimsoll_holds (\d+)$/m.exec(await replica.metrics())?.[1]);
}

/** What the validating webhook said of each workload of the namespace, the latest. */
const verdictsIn = (space: Space): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    world
      .reviews(space.name)
      .filter((line) => line["webhook"] === "validate" && line["kind"] === "Deployment")
      .map((line) => [stringAt(line, ["name"]) ?? "", stringAt(line, ["verdict"])]),
  );

const rootOf = (pod: JsonObject) => stringAt(pod, ["metadata", "labels", "root"]) ?? "";

/** The names of the roots whose pods are bound, once every pod is bound or the scheduler has found no place for it. */
async function boundIn(space: Space, pods: number): Promise<readonly string[]> {
  return eventually(async () => {
    const all = await space.list("Pod");
    const bound = all.filter((pod) => stringAt(pod, ["spec", "nodeName"]) !== undefined);
    const waiting = all.filter((pod) =>
      arrayAt(pod, ["status", "conditions"]).some((one) => isObject(one) && one["reason"] === "Unschedulable"),
    );
    if (all.length !== pods || bound.length + waiting.length !== pods)
      throw new Error(`${bound.length} bound and ${waiting.length} unschedulable of ${all.length} pods`);
    return bound.map(rootOf);
  }, SLOW);
}

/** Our event on a root. */
async function eventOn(space: Space, kind: string, name: string): Promise<JsonObject> {
  const path = `/apis/events.k8s.io/v1/namespaces/${space.name}/events`;
  return eventually(async () => {
    const all = (await itemsOf(world.cp, path)).filter(
      (event) => stringAt(event, ["reportingController"]) === "plimsoll.dev/controller",
    );
    const found = all.find(
      (event) => stringAt(event, ["regarding", "kind"]) === kind && stringAt(event, ["regarding", "name"]) === name,
    );
    if (found === undefined) throw new Error(`no event on ${kind} ${name}; there are ${JSON.stringify(all)}`);
    return found;
  }, SLOW);
}

const whole = (space: Space, name: string, className: string) =>
  deployment({ name, class: className, namespace: space.name, gpus: 8, count: 1, labels: { root: name } });

describe("two race for the last eight GPUs", () => {
  test("one is told fits and the other busy, in words too; one runs, and the root whose pods wait is told", () =>
    inSpace("patient", async (space) => {
      await routeTo(first);
      const printed = await Promise.all(
        ["a", "b"].map((name) => space.does(["create", "-f", "-"], whole(space, name, "patient"))),
      );
      const verdicts = await eventually(() => {
        const found = verdictsIn(space);
        return Object.keys(found).length === 2 && found;
      });
      expect(Object.values(verdicts).sort()).toEqual(["busy", "fits"]);
      const warned = printed.filter((text) => text.includes("Warning: CapacityBusy:"));
      expect(warned).toHaveLength(1);
      expect(warned[0]).toContain(`deployment.apps/${verdicts["a"] === "busy" ? "a" : "b"} created`);
      const bound = await boundIn(space, 2);
      expect(bound).toHaveLength(1);
      const event = await eventOn(space, "Deployment", bound[0] === "a" ? "b" : "a");
      expect(event["reason"]).toBe("CapacityUnavailable");
      expect(event["note"]).toContain("1 of 1 pods waits");
    }));

  test("where the class refuses what is busy, exactly one of each pair is made, and it is the one that runs", () =>
    inSpace("strict", async (space) => {
      await routeTo(first);
      const path = `/apis/apps/v1/namespaces/${space.name}/deployments`;
      for (let round = 0; round < ROUNDS; round += 1) {
        const names = [`a-${round}`, `b-${round}`];
        const answers = await Promise.all(
          names.map((name) => world.cp.api.ask("POST", path, whole(space, name, "strict"))),
        );
        expect(answers.map(({ status }) => status).sort(), JSON.stringify(answers)).toEqual([201, 403]);
        const winner = names[answers.findIndex(({ status }) => status === 201)] ?? "";
        expect(answers.find(({ status }) => status === 403)?.text).toContain("CapacityBusy");
        expect(await boundIn(space, 1)).toEqual([winner]);
        await world.cp.api.send("DELETE", `${path}/${winner}?propagationPolicy=Foreground`);
        await settled();
      }
    }));

  test("at two replicas within the watch delay both are promised; the second look takes one promise back", () =>
    inSpace("apart", async (space) => {
      wire.hang();
      await routeTo(first);
      await space.does(["create", "-f", "-"], whole(space, "a", "strict"));
      expect(await boundIn(space, 1)).toEqual(["a"]);
      await routeTo(second);
      const printed = await space.does(["create", "-f", "-"], whole(space, "b", "strict"));
      expect(printed).not.toContain("Capacity");
      await eventually(() => {
        expect(verdictsIn(space)).toEqual({ a: "fits", b: "fits" });
        return true;
      });
      expect(await boundIn(space, 2)).toEqual(["a"]);
      const event = await eventOn(space, "Deployment", "b");
      expect(event).toMatchObject({ reason: "CapacityUnavailable", type: "Warning" });
      expect(event["note"]).toContain("CapacityBusy: 1 of 1 pods waits");

      // The watch comes back, and the replica sees what the other has promised.
      wire.cut();
      await eventually(async () => {
        const { stderr, code } = await space.kubectl(
          ["create", "--dry-run=server", "-f", "-"],
          whole(space, "c", "strict"),
        );
        return code !== 0 && stderr.includes("CapacityBusy");
      }, SLOW);
    }));

  test("at two replicas that both follow the cluster, what one has promised the other knows", () =>
    inSpace("together", async (space) => {
      await routeTo(first);
      await space.does(["create", "-f", "-"], whole(space, "a", "strict"));
      await routeTo(second);
      await eventually(async () => {
        const { stderr, code } = await space.kubectl(
          ["create", "--dry-run=server", "-f", "-"],
          whole(space, "b", "strict"),
        );
        return code !== 0 && stderr.includes("CapacityBusy");
      }, SLOW);
      expect(await boundIn(space, 1)).toEqual(["a"]);
    }));
});

describe("what no review of ours shows", () => {
  test("kubectl scale beyond capacity is judged by the watch, and told on the root", () =>
    inSpace("scaled", async (space) => {
      await routeTo(first);
      await space.apply(deployment({ class: "strict", namespace: space.name, gpus: 8, count: 1 }));
      await boundIn(space, 1);
      const before = world.reviews(space.name).length;
      await space.does(["scale", "deployment/w", "--replicas=3"]);
      await boundIn(space, 3);
      const event = await eventOn(space, "Deployment", "w");
      expect(event["reason"]).toBe("PartiallyFulfilled");
      expect(event["note"]).toContain("CapacityNever: 2 of 3 pods wait");
      expect(stringAt(event, ["regarding", "uid"])).toBe(stringAt(await space.get("Deployment"), ["metadata", "uid"]));
      expect(world.reviews(space.name)).toHaveLength(before);
      expect(valueAt(await space.get("Deployment"), ["spec", "replicas"])).toBe(3);
    }));

  test("a hold that a quota refuses after us keeps others out for some seconds, and ends by itself", () =>
    inSpace("quota", async (space) => {
      await routeTo(first);
      const quota = {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "none", namespace: space.name },
        spec: { hard: { "count/deployments.apps": "0" } },
      };
      const path = `/api/v1/namespaces/${space.name}/resourcequotas`;
      await world.cp.api.send("POST", path, quota);
      await eventually(async () => {
        const live = await world.cp.api.send("GET", `${path}/none`);
        return stringAt(live, ["status", "hard", "count/deployments.apps"]) === "0";
      }, SLOW);
      expect(await space.fails(["create", "-f", "-"], whole(space, "a", "strict"))).toContain("exceeded quota: none");
      await eventually(() => verdictsIn(space)["a"] === "fits");
      expect(await space.fails(["create", "-f", "-"], whole(space, "b", "strict"))).toContain("CapacityBusy");
      expect(await holdsOf(first)).toBe(1);
      await eventually(async () => (await holdsOf(first)) === 0, SLOW);
      expect(await space.fails(["create", "-f", "-"], whole(space, "c", "strict"))).toContain("exceeded quota: none");
      await eventually(() => verdictsIn(space)["c"] === "fits");
    }));
});
