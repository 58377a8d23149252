import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { createCompanions } from "../../src/controller/companions.ts";
import { createEvents } from "../../src/controller/events.ts";
import { type Controller, type ControllerOptions, startController } from "../../src/controller/index.ts";
import { COMPANION_KINDS } from "../../src/controller/kinds.ts";
import { createStore, followCompanions } from "../../src/controller/store.ts";
import { connect, type Kube, SYSTEM_CLOCK } from "../../src/kube/index.ts";
import { arrayAt, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { catalogue } from "../support/catalogue.ts";
import { expandAs } from "../support/expansion.ts";
import { deployment, job } from "../support/workloads.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { leave } from "./support/permissions.ts";
import { eventually } from "./support/wait.ts";

const NAMESPACE = "plimsoll-system";
const VALIDATING = "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations/plimsoll";
const MUTATING = "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/plimsoll";
const TEMPLATES = "/apis/resource.k8s.io/v1/namespaces/default/resourceclaimtemplates";
const BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
const CLOSED = "enrolled.validate.plimsoll.dev";

const own = catalogue({
  platform: {
    kubernetes: { version: "1.37" },
    companions: { resourceClaimTemplates: true, podDisruptionBudgets: true },
  },
});
const known = () => ({ catalogue: own, topology: undefined });
const clock = {
  nowMs: () => performance.now(),
  wallMs: () => Date.now(),
  after(ms: number, run: () => void) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
const claimed = (name: string): JsonObject =>
  expandAs(job(name).replicas(1).className("gang").build(), { catalogue: own }).object;
const served = (): JsonObject =>
  expandAs(deployment("llm").replicas(1).gpus(1).className("online").build(), { catalogue: own }).object;
const templateOf = (root: JsonObject): string =>
  stringAt(root, ["spec", "template", "spec", "resourceClaims", 0, "resourceClaimTemplateName"]) ?? "";

describe("the controller at a real API server, under its own service account", () => {
  let cp: ControlPlane;
  let kube: Kube;
  const roots = new Map<string, JsonObject>();
  const lines: string[] = [];
  const controllers: Controller[] = [];
  const state = { ready: false };

  const start = (more: Partial<ControllerOptions>): Controller => {
    const controller = startController({
      kube,
      roots: { all: () => roots.values(), get: ({ kind, name }) => roots.get(`${kind} ${name}`) },
      known,
      log: (_level, line) => lines.push(line),
      clock,
      random: Math.random,
      identity: "one",
      namespace: NAMESPACE,
      name: "plimsoll",
      caBundle: () => cp.ca,
      ready: () => state.ready,
      ...more,
    });
    controllers.push(controller);
    return controller;
  };
  const create = async (path: string, object: JsonObject): Promise<JsonObject> => {
    const made = await cp.api.send("POST", path, object);
    roots.set(`${stringAt(made, ["kind"])} ${stringAt(made, ["metadata", "name"])}`, made);
    return made;
  };
  const exists = async (path: string): Promise<boolean> => (await cp.api.ask("GET", path)).status === 200;
  const soon = (check: () => Promise<boolean>): Promise<boolean> =>
    eventually(async () => ((await check()) ? true : undefined), { timeoutMs: 60_000 });

  beforeAll(async () => {
    cp = await startControlPlane({ audit: true, scheduler: false, kwok: false });
    const { code, stderr } = await cp.kubectl(["apply", "-k", "manifests/base"]);
    expect(stderr).not.toMatch(/error/i);
    expect(code).toBe(0);
    kube = await connect({
      kubeconfig: await cp.kubeconfigFor({ serviceAccount: { namespace: NAMESPACE, name: "plimsoll" } }),
    });
  });
  afterAll(async () => {
    for (const one of controllers) await one.stop();
    kube?.close();
    await cp?.stop();
  });

  test("makes claim templates and budgets, mends them, and is refused nothing", async () => {
    const a = await create("/apis/batch/v1/namespaces/default/jobs", claimed("a"));
    await create("/apis/apps/v1/namespaces/default/deployments", served());
    const one = start({});
    const path = `${TEMPLATES}/${templateOf(a)}`;
    await soon(() => exists(path));
    expect(one.isLeader()).toBe(true);
    const template = await cp.api.send("GET", path);
    expect(arrayAt(template, ["metadata", "managedFields"]).map((each) => valueAt(each, ["manager"]))).toEqual([
      "plimsoll",
    ]);
    const budgets = async () => arrayAt(await cp.api.send("GET", BUDGETS), ["items"]);
    await soon(async () => (await budgets()).length === 1);
    const name = stringAt((await budgets())[0], ["metadata", "name"]) ?? "";
    await cp.api.send("PATCH", `${BUDGETS}/${name}`, { spec: { maxUnavailable: 9 } }, "application/merge-patch+json");
    await soon(async () => valueAt(await cp.api.send("GET", `${BUDGETS}/${name}`), ["spec", "maxUnavailable"]) === 1);
    await cp.api.send("DELETE", path);
    await soon(() => exists(path));
    expect(lines.filter((line) => /Missing permission|forbidden/i.test(line))).toEqual([]);
  });

  test("of two candidates one leads, and the other follows when the lease is given back", async () => {
    const two = start({ identity: "two" });
    await eventually(async () => two.isLeader() || undefined, { timeoutMs: 3_000 }).catch(() => undefined);
    expect(controllers.filter((each) => each.isLeader()).length).toBe(1);
    await controllers[0]?.stop();
    await soon(async () => two.isLeader());
  });

  test("sets caBundle alone on what kubectl applied, and adds what fails closed, once it is ready", async () => {
    const before = await cp.api.send("GET", MUTATING);
    expect(
      arrayAt(before, ["webhooks"]).some((each) => valueAt(each, ["clientConfig", "caBundle"]) !== undefined),
    ).toBe(false);
    state.ready = true;
    controllers[1]?.registrationChanged();
    await soon(async () => controllers[1]?.registered() === true);
    const after = await cp.api.send("GET", MUTATING);
    const ca = arrayAt(after, ["metadata", "managedFields"]).find(
      (each) => valueAt(each, ["manager"]) === "plimsoll-ca",
    );
    const fields = Object.entries(objectAt(ca, ["fieldsV1", "f:webhooks"])).map(([, entry]) => entry ?? null);
    expect(fields.length).toBe(2);
    for (const entry of fields)
      expect(entry).toEqual({ ".": {}, "f:clientConfig": { "f:caBundle": {} }, "f:name": {} });
    expect(arrayAt(after, ["webhooks"]).map((each) => valueAt(each, ["rules"]))).toEqual(
      arrayAt(before, ["webhooks"]).map((each) => valueAt(each, ["rules"])),
    );
    const names = async () =>
      arrayAt(await cp.api.send("GET", VALIDATING), ["webhooks"]).map((each) => valueAt(each, ["name"]));
    expect(await names()).toContain(CLOSED);
    for (const more of [[], ["--server-side", "--force-conflicts"]]) {
      const { code, stderr } = await cp.kubectl(["apply", "-k", "manifests/base", ...more]);
      expect(`${code} ${stderr.replaceAll(/^Warning.*$/gm, "").trim()}`).toBe("0 ");
      expect(await names()).toContain(CLOSED);
      expect(valueAt(await cp.api.send("GET", MUTATING), ["webhooks", 0, "clientConfig", "caBundle"])).toBe(
        Buffer.from(cp.ca).toString("base64"),
      );
    }
  });

  test("tells events that kubectl shows", async () => {
    const root = roots.get("Job a");
    controllers[1]?.event({
      regarding: {
        apiVersion: "batch/v1",
        kind: "Job",
        namespace: "default",
        name: "a",
        uid: stringAt(root, ["metadata", "uid"]) ?? "",
      },
      type: "Warning",
      reason: "CapacityUnavailable",
      action: "Judge",
      note: "No node has 8 free GPUs.",
    });
    await soon(async () =>
      (await cp.kubectl(["events", "--for", "job/a"])).stdout.includes("No node has 8 free GPUs."),
    );
  });

  test("counts an event that is told again, in the event that is there", async () => {
    const events = createEvents({
      kube,
      clock,
      log: (_level, line) => lines.push(line),
      instance: "one",
      seriesMs: 500,
    });
    const uid = stringAt(roots.get("Job a"), ["metadata", "uid"]) ?? "";
    const regarding = { apiVersion: "batch/v1", kind: "Job", namespace: "default", name: "a", uid };
    const note = {
      regarding,
      type: "Warning",
      reason: "QuotaExceeded",
      action: "Judge",
      note: "Told thrice.",
    } as const;
    for (let times = 0; times < 3; times += 1) events.event(note);
    await soon(async () => {
      const all = arrayAt(await cp.api.send("GET", "/apis/events.k8s.io/v1/namespaces/default/events"), ["items"]);
      const told = all.filter((one) => valueAt(one, ["note"]) === note.note);
      return told.length === 1 && valueAt(told[0], ["series", "count"]) === 3;
    });
    await events.stop();
  });

  test("removes a claim template only when the last ReplicaSet that names it is gone", async () => {
    const path = `${TEMPLATES}/${templateOf(claimed("a"))}`;
    const template = {
      metadata: { labels: { app: "old" } },
      spec: {
        containers: [{ name: "main", image: "pause:3.10" }],
        resourceClaims: [{ name: "accelerator", resourceClaimTemplateName: templateOf(claimed("a")) }],
      },
    };
    const sets = "/apis/apps/v1/namespaces/default/replicasets";
    await cp.api.send("POST", sets, {
      metadata: { name: "old" },
      spec: { replicas: 0, selector: { matchLabels: { app: "old" } }, template },
    });
    await controllers[1]?.stop();
    const store = createStore((kind, namespace, name) => companions.companionChanged(kind, namespace, name));
    const companions = createCompanions({
      kube,
      roots: { all: () => [], get: () => undefined },
      companied: store,
      known,
      tell: { event: () => {}, log: (_level, line) => lines.push(line) },
      clock,
      random: Math.random,
      graceMs: 1_000,
      resyncMs: 2_000,
    });
    const following = followCompanions(kube, COMPANION_KINDS, (changes) => store.take(changes), SYSTEM_CLOCK);
    await soon(async () => following.synced());
    const control = new AbortController();
    const done = companions.lead(control.signal);
    await cp.api.send("DELETE", "/apis/batch/v1/namespaces/default/jobs/a?propagationPolicy=Background");
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    expect(await exists(path)).toBe(true);
    await cp.api.send("DELETE", `${sets}/old`);
    await soon(async () => !(await exists(path)));
    control.abort();
    await done;
    following.stop();
    expect(lines.filter((line) => /Missing permission|forbidden/i.test(line))).toEqual([]);
  });

  test("leaves nothing behind when the manifests are deleted while it runs, and makes nothing anew", async () => {
    // From here on it is refused, and rightly.
    leave(cp, inject("run"), import.meta.filename);
    const three = start({ identity: "three" });
    await soon(async () => three.isLeader());
    const { code, stderr } = await cp.kubectl(["delete", "-k", "manifests/base", "--timeout=90s"]);
    expect(`${code} ${stderr}`).toBe("0 ");
    three.registrationChanged();
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    for (const path of [
      MUTATING,
      VALIDATING,
      `/api/v1/namespaces/${NAMESPACE}`,
      "/apis/rbac.authorization.k8s.io/v1/clusterroles/plimsoll",
      "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings/plimsoll",
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicies/plimsoll-decided",
    ])
      expect(`${path} ${await exists(path)}`).toBe(`${path} false`);
  });
});
