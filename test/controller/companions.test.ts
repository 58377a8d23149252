import { describe, expect, test } from "vitest";
import { KubeFault } from "../../src/kube/index.ts";
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { managersOf } from "../support/kube.ts";
import { GRACE_MS, leading, pathOfTemplate, policies, serving, stored, training } from "./world.ts";

const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const own = policies();

const templateOf = (root: JsonObject): string =>
  stringAt(root, ["spec", "template", "spec", "resourceClaims", 0, "resourceClaimTemplateName"]) ?? "none";
const budgets = async (world: ReturnType<typeof leading>): Promise<readonly JsonObject[]> =>
  (await world.kube.listFrom(BUDGETS, (one) => one)).items;
const writes = (world: ReturnType<typeof leading>): readonly string[] =>
  world.kube.calls.filter(({ verb }) => ["patch", "create", "update", "delete"].includes(verb)).map(({ verb }) => verb);

/** What a Deployment's controller and its pods leave beside it. */
const replicaSet = (name: string, template: string): JsonObject =>
  stored({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name },
    spec: {
      replicas: 0,
      template: { spec: { resourceClaims: [{ name: "accelerator", resourceClaimTemplateName: template }] } },
    },
  });
const pendingPod = (name: string, template: string): JsonObject =>
  stored({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name },
    spec: { resourceClaims: [{ name: "accelerator", resourceClaimTemplateName: template }] },
    status: { phase: "Pending" },
  });

describe("companions are made", () => {
  test("a claim template at the watch event of its root, shared by all that need the same, without owner", async () => {
    const world = leading(own);
    const [a, b] = [training("a", own), training("b", own)];
    expect(templateOf(a)).toBe(templateOf(b));
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(0);
      world.apply(b);
      await world.clock.advance(0);
      const template = world.kube.find(pathOfTemplate(templateOf(a)));
      expect(managersOf(template)).toEqual(["plimsoll"]);
      expect(arrayAt(template, ["metadata", "ownerReferences"])).toEqual([]);
      expect(writes(world)).toEqual(["patch"]);
      expect(arrayAt(template, ["spec", "spec", "devices", "requests"]).length).toBe(1);
    });
  });

  test("a disruption budget with its root as owner, neither controller nor blocking", async () => {
    const world = leading(own);
    const llm = serving("llm", own);
    await world.run(async () => {
      world.apply(llm);
      await world.clock.advance(0);
      const [budget] = await budgets(world);
      expect(valueAt(budget, ["metadata", "ownerReferences"])).toEqual([
        { apiVersion: "apps/v1", kind: "Deployment", name: "llm", uid: "uid-of-llm" },
      ]);
      world.apply({ ...llm, metadata: { ...objectAt(llm, ["metadata"]), uid: "uid-of-the-next" } });
      await world.clock.advance(0);
      expect((await budgets(world)).map((one) => valueAt(one, ["metadata", "ownerReferences", 0, "uid"]))).toEqual([
        "uid-of-the-next",
      ]);
    });
  });

  test("those of roots that were there before the lease", async () => {
    const world = leading(own);
    world.apply(training("a", own));
    expect(writes(world)).toEqual([]);
    await world.run(async () => {
      expect(world.kube.find(pathOfTemplate(templateOf(training("a", own))))).toBeDefined();
    });
  });

  test("not without the lease, and not for what is being deleted, is no root, or carries no decision", async () => {
    const world = leading(own);
    const a = training("a", own);
    const metadata = objectAt(a, ["metadata"]);
    const owner = { apiVersion: "jobset.x-k8s.io/v1alpha2", kind: "JobSet", name: "x", uid: "u", controller: true };
    await world.run(async () => {
      world.apply({ ...a, metadata: { ...metadata, deletionTimestamp: "2026-01-01T00:00:00Z" } });
      world.apply({ ...a, metadata: { ...metadata, name: "child", ownerReferences: [owner] } });
      world.apply({ ...a, metadata: { name: "plain", namespace: "default", uid: "u2" } });
      await world.clock.advance(5_000);
    });
    world.apply(training("b", own));
    await world.clock.advance(5_000);
    expect(writes(world)).toEqual([]);
  });

  test("not where the platform says that nobody makes them", async () => {
    const off = policies();
    const none = {
      ...off,
      platform: { ...off.platform, companions: { ...off.platform.companions, podDisruptionBudgets: false } },
    };
    const world = leading(none);
    await world.run(async () => {
      world.apply(serving("llm", own));
      await world.clock.advance(0);
      expect(await budgets(world)).toEqual([]);
    });
  });
});

describe("companions are mended", () => {
  test("one that somebody edited, and only in what we say", async () => {
    const world = leading(own);
    await world.run(async () => {
      world.apply(serving("llm", own));
      await world.clock.advance(0);
      const [budget] = await budgets(world);
      const path = `${BUDGETS}/${stringAt(budget, ["metadata", "name"])}`;
      const spec = objectAt(budget, ["spec"]);
      world.kube.put(path, {
        ...budget,
        spec: { ...spec, maxUnavailable: 7, unhealthyPodEvictionPolicy: "AlwaysAllow" },
      });
      await world.clock.advance(0);
      expect(valueAt(world.kube.find(path), ["spec"])).toEqual({
        ...spec,
        maxUnavailable: 1,
        unhealthyPodEvictionPolicy: "AlwaysAllow",
      });
    });
  });

  test("one that somebody deleted", async () => {
    const world = leading(own);
    const a = training("a", own);
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(0);
      world.kube.drop(pathOfTemplate(templateOf(a)));
      await world.clock.advance(0);
      expect(world.kube.find(pathOfTemplate(templateOf(a)))).toBeDefined();
    });
  });

  test("what is as it should be costs no request at a resync", async () => {
    const world = leading(own);
    await world.run(async () => {
      world.apply(training("a", own));
      world.apply(serving("llm", own));
      await world.clock.advance(5_000);
      const before = world.kube.calls.length;
      world.companions.allChanged();
      await world.clock.advance(5_000);
      expect(world.kube.calls.length).toBe(before);
    });
  });
});

describe("companions are removed", () => {
  test("a shared template with the last of its users, after the grace period and not before", async () => {
    const world = leading(own);
    const [a, b] = [training("a", own), training("b", own)];
    const path = pathOfTemplate(templateOf(a));
    await world.run(async () => {
      world.apply(a);
      world.apply(b);
      await world.clock.advance(0);
      world.remove(a);
      await world.clock.advance(3 * GRACE_MS);
      expect(world.kube.find(path)).toBeDefined();
      world.remove(b);
      await world.clock.advance(GRACE_MS / 2);
      expect(world.kube.find(path)).toBeDefined();
      await world.clock.advance(GRACE_MS);
      expect(world.kube.find(path)).toBeUndefined();
    });
  });

  test.each([
    ["an old ReplicaSet", replicaSet("old", templateOf(training("a", own)))],
    ["a pending pod", pendingPod("waiting", templateOf(training("a", own)))],
  ])("not while %s names it", async (_, holder) => {
    const world = leading(own);
    const a = training("a", own);
    const path = pathOfTemplate(templateOf(a));
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(0);
      world.put(holder);
      world.remove(a);
      await world.clock.advance(10 * GRACE_MS);
      expect(world.kube.find(path)).toBeDefined();
      world.drop(holder);
      await world.clock.advance(3 * GRACE_MS);
      expect(world.kube.find(path)).toBeUndefined();
    });
  });

  test("not while a kind cannot be read, and that is told once", async () => {
    const world = leading(own);
    const a = training("a", own);
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(0);
      world.kube.before = ({ path }) => {
        if (path.endsWith("/replicasets"))
          throw new KubeFault(
            'replicasets.apps is forbidden: User "x" cannot list resource "replicasets" in API group "apps" in the namespace "default"',
            403,
          );
      };
      world.remove(a);
      await world.clock.advance(5 * GRACE_MS);
      expect(world.kube.find(pathOfTemplate(templateOf(a)))).toBeDefined();
      expect(world.lines.filter((line) => line.startsWith("Missing permission"))).toEqual([
        "Missing permission: list on replicasets.apps in namespace default. It stands in manifests/base/rbac.yaml. Until then no companion is removed there.",
      ]);
    });
  });

  test("not when somebody begins to name it in the moment of its removal, and changes it", async () => {
    const world = leading(own);
    const a = training("a", own);
    const path = pathOfTemplate(templateOf(a));
    let touched = 0;
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(0);
      world.kube.before = ({ verb }) => {
        if (verb !== "delete") return;
        touched += 1;
        world.put(pendingPod("late", templateOf(a)));
        world.kube.put(path, { ...world.kube.find(path), changed: true });
      };
      world.remove(a);
      await world.clock.advance(5 * GRACE_MS);
      expect([touched, world.kube.find(path) !== undefined]).toEqual([1, true]);
    });
  });

  test("a budget at once when its class makes another, so that no eviction meets two", async () => {
    const world = leading(own);
    await world.run(async () => {
      world.apply(serving("llm", own));
      await world.clock.advance(0);
      world.policies(policies({ online: { interruption: { budget: { maxUnavailable: 2 } } } }));
      await world.clock.advance(3_000);
      expect((await budgets(world)).map((one) => valueAt(one, ["spec", "maxUnavailable"]))).toEqual([2]);
    });
  });

  test("a budget stays where its class is not known any more", async () => {
    const world = leading(own);
    await world.run(async () => {
      world.apply(serving("llm", own));
      await world.clock.advance(0);
      world.policies({ ...own, classes: new Map() });
      await world.clock.advance(5 * GRACE_MS);
      expect((await budgets(world)).length).toBe(1);
    });
  });
});

describe("what is not ours", () => {
  const NAME = templateOf(training("a", own));

  test("is neither changed nor removed where it has the name of one of ours, and that is told on the root", async () => {
    const world = leading(own);
    const theirs = { metadata: { name: NAME }, spec: { theirs: true } };
    const before = world.kube.put(pathOfTemplate(NAME), theirs);
    const a = training("a", own);
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(0);
      world.remove(a);
      await world.clock.advance(5 * GRACE_MS);
    });
    expect(world.kube.find(pathOfTemplate(NAME))).toEqual(before);
    expect(world.notes.map(({ reason, regarding }) => `${reason} ${regarding.uid}`)).toEqual([
      "CompanionTaken uid-of-a",
    ]);
  });

  test("is not removed where it carries our label and we never applied it", async () => {
    const world = leading(own);
    const labels = { "app.kubernetes.io/managed-by": "plimsoll" };
    world.kube.put(pathOfTemplate("plimsoll-0123456789"), { metadata: { name: "plimsoll-0123456789", labels } });
    await world.run(async () => {
      await world.clock.advance(5 * GRACE_MS);
      expect(world.kube.find(pathOfTemplate("plimsoll-0123456789"))).toBeDefined();
    });
  });
});

describe("what goes wrong", () => {
  test("a missing permission is told in one line, as an event, and tried again", async () => {
    const world = leading(own);
    let isForbidden = true;
    world.kube.before = ({ verb }) => {
      if (isForbidden && verb === "patch")
        throw new KubeFault(
          'resourceclaimtemplates.resource.k8s.io "x" is forbidden: User "y" cannot patch resource "resourceclaimtemplates"',
          403,
        );
    };
    const a = training("a", own);
    await world.run(async () => {
      world.apply(a);
      await world.clock.advance(5_000);
      expect(world.lines[0]).toBe(
        "Missing permission: patch on resourceclaimtemplates.resource.k8s.io in namespace default. It stands in manifests/base/rbac.yaml.",
      );
      expect(world.notes[0]?.reason).toBe("CompanionFailed");
      isForbidden = false;
      await world.clock.advance(60_000);
      expect(world.kube.find(pathOfTemplate(templateOf(a)))).toBeDefined();
    });
  });

  test("a namespace that is going away is left in peace", async () => {
    const world = leading(own);
    world.kube.before = ({ verb }) => {
      if (verb === "patch")
        throw new KubeFault(
          "x is forbidden: unable to create new content in namespace default because it is being terminated",
          403,
        );
    };
    await world.run(async () => {
      world.apply(training("a", own));
      await world.clock.advance(60_000);
      expect([world.lines, world.notes, writes(world).length]).toEqual([[], [], 1]);
    });
  });

  test("a template that is gone and that today's class would not make is told on the root", async () => {
    const world = leading(own);
    const a = training("a", own);
    await world.run(async () => {
      world.policies(policies({ gang: { accelerator: { align: { gpus: { level: "pcie" } } } } }));
      world.apply(a);
      await world.clock.advance(0);
      expect(world.notes.map(({ reason }) => reason)).toEqual(["CompanionMissing"]);
      expect(writes(world)).toEqual([]);
    });
  });

  test("nothing is written after the lease is lost", async () => {
    const world = leading(own);
    const waiting: (() => void)[] = [];
    world.kube.before = ({ verb }) =>
      verb === "get" ? new Promise<void>((resolve) => waiting.push(resolve)) : undefined;
    const control = new AbortController();
    const done = world.companions.lead(control.signal);
    world.apply(serving("llm", own));
    world.apply(training("a", own));
    await world.clock.advance(0);
    control.abort();
    world.kube.before = () => {};
    for (const go of waiting) go();
    await done;
    expect([waiting.length, writes(world).length]).toEqual([2, 0]);
    world.apply(training("c", own));
    await world.clock.advance(60_000);
    expect(world.kube.calls.length).toBe(2);
  });
});
