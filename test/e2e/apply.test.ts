import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { stringify } from "yaml";
import { arrayAt, isObject, type JsonObject, objectAt, stringAt, valueAt } from "../../src/model/index.ts";
import { type ControlPlane, startControlPlane } from "./controlplane/index.ts";
import { makeDemoCluster } from "./support/demo.ts";
import { decisionOf, documentsOf, exampleOf, examplePath, podsOf, stored } from "./support/examples.ts";
import { missing, mutatedBy } from "./support/mutated.ts";
import { leave } from "./support/permissions.ts";
import { collectionFor, nameOf } from "./support/places.ts";
import { type Plimsoll, type Replica, startPlimsoll } from "./support/plimsoll.ts";
import { eventually, itemsOf, quiescent } from "./support/wait.ts";

const PLATFORM = "test/e2e/fixtures/platform.yaml";
const BLOCK = "topology.k8s.aws/network-node-layer-2";
const RACK = "topology.k8s.aws/network-node-layer-3";
const ZONE = "topology.kubernetes.io/zone";
const CAPACITY = "karpenter.sh/capacity-type";

/** By the instance types of the demo cluster, which is not what we select by. */
const ACCELERATORS: Readonly<Record<string, string>> = {
  "p5.48xlarge": "h100",
  "p5.4xlarge": "h100",
  "p4d.24xlarge": "a100-40gb",
  "p4de.24xlarge": "a100-80gb",
  "g6e.48xlarge": "l40s",
  "g6.12xlarge": "l4",
  "g6.2xlarge": "l4",
  "g4dn.2xlarge": "t4",
  "m7i.4xlarge": "none",
};

interface Case {
  readonly file: string;
  readonly pods: number;
  /** Some are bound and some are not; all of them are where absent. */
  readonly partly?: true;
  readonly rung: string;
  readonly verdict?: string;
  /** On which accelerator, where the class leaves that to the manifest. */
  readonly on?: string;
  /** Of the nodes that the decision allows. A workload that lives on may use every type that its class names. */
  readonly capacity: readonly string[];
  /** Label whose value all pods share, or which has at least so many values. */
  readonly one?: string;
  readonly spread?: { readonly key: string; readonly domains: number };
  readonly warnings?: string;
}

const ANY_PAID: readonly string[] = ["reserved", "on-demand"];
const CASES: readonly Case[] = [
  {
    file: "agent-api.yaml",
    pods: 2,
    rung: "none/on-demand/existing",
    capacity: ["on-demand"],
    spread: { key: ZONE, domains: 2 },
  },
  { file: "agent-session.yaml", pods: 2, rung: "any/on-demand/existing", on: "none", capacity: ["on-demand"] },
  { file: "batch-scoring.yaml", pods: 16, partly: true, rung: "l40s/on-demand/existing", capacity: ["on-demand"] },
  {
    file: "inference-vllm.yaml",
    pods: 3,
    rung: "h100/reserved/existing",
    capacity: ANY_PAID,
    spread: { key: ZONE, domains: 3 },
  },
  { file: "notebook-mig.yaml", pods: 1, rung: "h100-mig-1g10gb/reserved/existing", capacity: ANY_PAID },
  {
    file: "retrieval-statefulset.yaml",
    pods: 3,
    rung: "l4/on-demand/existing",
    capacity: ["on-demand"],
    spread: { key: ZONE, domains: 2 },
  },
  { file: "training-single.yaml", pods: 1, rung: "a100-80gb/on-demand/existing", capacity: ["on-demand"] },
  { file: "training-dra.yaml", pods: 1, rung: "h100/reserved/existing", capacity: ["reserved"] },
  { file: "training-no-device.yaml", pods: 1, rung: "h100/reserved/existing", capacity: ["reserved"] },
  {
    file: "training-gang-block.yaml",
    pods: 16,
    rung: "h100/reserved/existing",
    capacity: ["reserved"],
    one: BLOCK,
    warnings: "NotGuaranteed GangNotGuaranteed ",
  },
  {
    file: "training-gang-rack.yaml",
    pods: 16,
    partly: true,
    rung: "h100/reserved/existing",
    verdict: "busy",
    capacity: ["reserved"],
    one: RACK,
    warnings: "NotGuaranteed GangNotGuaranteed CapacityBusy ",
  },
];

/** Kinds of which there is no example. */
const POD: JsonObject = {
  apiVersion: "v1",
  kind: "Pod",
  metadata: {
    name: "probe-by-hand",
    namespace: "team-b",
    annotations: { "plimsoll.dev/workload-class": "batch-inference" },
  },
  spec: {
    restartPolicy: "Never",
    // The name of the volume of its token would be drawn.
    automountServiceAccountToken: false,
    containers: [
      {
        name: "probe",
        image: "pause:3.10",
        resources: {
          requests: { cpu: "1", memory: "4Gi", "nvidia.com/gpu": "1" },
          limits: { memory: "4Gi", "nvidia.com/gpu": "1" },
        },
      },
    ],
  },
};
const DAEMON_SET: JsonObject = {
  apiVersion: "apps/v1",
  kind: "DaemonSet",
  metadata: {
    name: "node-agent",
    namespace: "team-b",
    annotations: { "plimsoll.dev/workload-class": "api-agent" },
  },
  spec: {
    selector: { matchLabels: { app: "node-agent" } },
    template: {
      metadata: { labels: { app: "node-agent" } },
      spec: {
        serviceAccountName: "travel-agent",
        containers: [
          {
            name: "agent",
            image: "pause:3.10",
            readinessProbe: { httpGet: { path: "/", port: 8080 } },
            resources: { requests: { cpu: "100m", memory: "128Mi" }, limits: { memory: "128Mi" } },
          },
        ],
      },
    },
  },
};

const PRIORITY_OF_A_POD =
  "Warning: BackendCannotExpress: priority class batch: a bare Pod has its priority resolved before webhooks see it\n";
const claimTemplateOf = (job: JsonObject) =>
  arrayAt(job, ["spec", "template", "spec", "resourceClaims"])
    .map((one) => stringAt(one, ["resourceClaimTemplateName"]))
    .join();

describe("kubectl apply of the examples of built-in kinds", () => {
  let cp: ControlPlane;
  let plimsoll: Plimsoll;
  let replica: Replica;
  let nodes: ReadonlyMap<string, JsonObject>;
  beforeAll(async () => {
    cp = await startControlPlane({ audit: true });
    await makeDemoCluster(cp, [...CASES.map(({ file }) => exampleOf(file)), exampleOf("refused-inference.yaml")]);
    plimsoll = await startPlimsoll(cp, { platform: PLATFORM, args: ["--companion-grace=1"] });
    replica = plimsoll.replicas[0] as Replica;
    nodes = new Map((await itemsOf(cp, "/api/v1/nodes")).map((node) => [nameOf(node), node]));
  });
  afterAll(async () => {
    if (cp !== undefined) leave(cp, inject("run"), import.meta.filename);
    await plimsoll?.stop();
    await cp?.stop();
  });

  const holds = async () => Number(/^plimsoll_holds (\d+)$/m.exec(await replica.metrics())?.[1]);
  const labelOf = (pod: JsonObject, key: string) =>
    stringAt(nodes.get(stringAt(pod, ["spec", "nodeName"]) ?? "") ?? {}, ["metadata", "labels", key]);
  const acceleratorOf = (pod: JsonObject) =>
    stringAt(nodes.get(stringAt(pod, ["spec", "nodeName"]) ?? "") ?? {}, [
      "metadata",
      "labels",
      "plimsoll.dev/accelerator",
    ]) ?? ACCELERATORS[labelOf(pod, "node.kubernetes.io/instance-type") ?? ""];
  const bound = (pod: JsonObject) => stringAt(pod, ["spec", "nodeName"]) !== undefined;

  /** Settles when the root has made its pods; what its controller will do and has not yet is not at rest. */
  async function settledPods(root: JsonObject, count: number): Promise<readonly JsonObject[]> {
    return eventually(async () => {
      const [pods, sets] = [await quiescent(cp), await itemsOf(cp, "/apis/apps/v1/replicasets")];
      const found = podsOf(pods, root, sets);
      if (found.length !== count) throw new Error(`${nameOf(root)} has ${found.length} of ${count} pods`);
      return found;
    });
  }

  test("a dry run and a diff show what would be made, and hold nothing", async () => {
    const path = examplePath("training-gang-block.yaml");
    const dry = await cp.kubectl(["apply", "--dry-run=server", "-o", "yaml", "-f", path]);
    expect(dry.code).toBe(0);
    const [job = {}] = arrayAt(documentsOf(dry.stdout)[0], ["items"]).filter(isObject);
    expect(decisionOf(job)["pod"]).toMatchObject({ rung: "h100/reserved/existing", verdict: "fits" });
    expect(valueAt(job, ["spec", "template", "spec", "nodeSelector"])).toEqual({
      "karpenter.k8s.aws/instance-gpu-name": "h100",
      [CAPACITY]: "reserved",
    });
    const diff = await cp.kubectl(["diff", "-f", path]);
    // diff exits with 1 where there is a difference.
    expect({ code: diff.code, stderr: diff.stderr.replace(/^Warning: .*\n/gm, "") }).toEqual({ code: 1, stderr: "" });
    expect(diff.stdout).toContain("+        karpenter.k8s.aws/instance-gpu-name: h100");
    expect(diff.stdout).toContain("+            topologyKey: topology.k8s.aws/network-node-layer-2");
    expect(await holds()).toBe(0);
    expect((await cp.api.ask("GET", "/apis/batch/v1/namespaces/team-a/jobs/pretrain-block")).status).toBe(404);
  });

  test("a workload that breaks its class's contract is refused, with every reason on a line of its own", async () => {
    const path = examplePath("refused-inference.yaml");
    const { code, stdout, stderr } = await cp.kubectl(["apply", "-f", path]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr.replace(path, "FILE")).toBe(readFileSync("test/e2e/fixtures/refused-inference.txt", "utf8"));
    const dry = await cp.kubectl(["apply", "--dry-run=server", "-f", path]);
    expect(dry).toEqual({ code, stdout, stderr });
    expect((await cp.api.ask("GET", "/apis/apps/v1/namespaces/team-a/deployments/demo")).status).toBe(404);
    expect(await holds()).toBe(0);
  });

  test("a workload that can never run is refused with what is there and what would do", async () => {
    const object = structuredClone(exampleOf("training-single.yaml")) as {
      spec: { template: { spec: { containers: { resources: JsonObject }[] } } };
    };
    const [container] = object.spec.template.spec.containers;
    if (container !== undefined)
      container.resources = {
        requests: { cpu: "400", memory: "256Gi", "nvidia.com/gpu": "4" },
        limits: { memory: "256Gi", "nvidia.com/gpu": "4" },
      };
    const { code, stderr } = await cp.kubectl(["apply", "-f", "-"], { stdin: stringify(object) });
    expect(code).toBe(1);
    expect(stderr).toBe(readFileSync("test/e2e/fixtures/never.txt", "utf8"));
  });

  test("a CronJob is judged, and the Jobs that its controller makes are decided", async () => {
    const cron = structuredClone(exampleOf("batch-cronjob.yaml")) as JsonObject & { spec: { schedule: string } };
    cron.spec.schedule = "* * * * *";
    expect(await cp.kubectl(["apply", "-f", "-"], { stdin: stringify(cron) })).toEqual({
      code: 0,
      stdout: "cronjob.batch/refresh-embeddings created\n",
      stderr: "",
    });
    // Its Job is looked at further down, once its minute has come.
    expect(await holds()).toBe(0);
  });

  test.each(CASES)(
    "$file: what is stored is what we made, and its pods are bound where the decision allows",
    async (one) => {
      const object = exampleOf(one.file);
      await applyBeside(one.file);
      const made = await mutatedBy(replica, object);
      const { code, stdout, stderr } = await cp.kubectl(["apply", "-f", examplePath(one.file)]);
      expect({ code, stderr: stderr.replace(/^Warning: (\w+): .*\n/gm, "$1 ") }).toEqual({
        code: 0,
        stderr: one.warnings ?? "",
      });
      expect(stdout).toContain(`/${nameOf(object)} created`);
      const root = await stored(cp, object);
      expect(missing(made, root)).toEqual([]);
      expect(decisionOf(root)["pod"]).toMatchObject({ rung: one.rung, verdict: one.verdict ?? "fits" });

      const pods = await settledPods(root, one.pods);
      const running = pods.filter(bound);
      if (one.partly === true) expect(running.length > 0 && running.length < one.pods).toBe(true);
      else expect(running).toHaveLength(one.pods);
      const [accelerator = ""] = one.rung.split("/");
      expect(new Set(running.map(acceleratorOf))).toEqual(new Set([one.on ?? accelerator]));
      for (const pod of running) expect(one.capacity).toContain(labelOf(pod, CAPACITY));
      if (one.one !== undefined) expect(new Set(running.map((pod) => labelOf(pod, one.one ?? ""))).size).toBe(1);
      if (one.spread !== undefined)
        expect(new Set(running.map((pod) => labelOf(pod, one.spread?.key ?? ""))).size).toBe(one.spread.domains);
      const template = valueAt(root, ["spec", "template", "metadata", "labels", "plimsoll.dev/class"]);
      expect(new Set(pods.map((pod) => stringAt(pod, ["metadata", "labels", "plimsoll.dev/class"])))).toEqual(
        new Set([template]),
      );
    },
  );

  test("a Pod and a DaemonSet are roots as well", async () => {
    for (const object of [POD, DAEMON_SET]) {
      const made = await mutatedBy(replica, await asAsked(object));
      const { code, stderr } = await cp.kubectl(["apply", "-f", "-"], { stdin: stringify(object) });
      expect({ code, stderr }).toEqual({ code: 0, stderr: object === POD ? PRIORITY_OF_A_POD : "" });
      const root = await stored(cp, object);
      expect(missing(made, root)).toEqual([]);
      expect(decisionOf(root)["pod"]).toMatchObject({ verdict: "fits" });
    }
    const [pod] = await settledPods(await stored(cp, POD), 1);
    // The scoring has taken every L40S, and more of its pods wait: the next of the class's list.
    expect(decisionOf(await stored(cp, POD))["pod"]).toMatchObject({ rung: "a100-40gb/on-demand/existing" });
    expect([acceleratorOf(pod ?? {}), labelOf(pod ?? {}, CAPACITY)]).toEqual(["a100-40gb", "on-demand"]);
    // One on each node without devices: the four general ones.
    const daemons = await settledPods(await stored(cp, DAEMON_SET), 4);
    expect(new Set(daemons.map(acceleratorOf))).toEqual(new Set(["none"]));
  });

  test("claims are made of the templates that our controller made, and hold what was decided", async () => {
    const claims = await itemsOf(cp, "/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaims");
    for (const name of ["ablation", "probe-classifier"]) {
      const claim = claims.find((one) => nameOf(one).startsWith(`${name}-`)) ?? {};
      const results = arrayAt(claim, ["status", "allocation", "devices", "results"]);
      expect(results).toHaveLength(2);
      for (const result of results) {
        const node = nodes.get(stringAt(result, ["pool"]) ?? "") ?? {};
        expect(stringAt(node, ["metadata", "labels", "node.kubernetes.io/instance-type"])).toBe("p5.48xlarge");
      }
    }
    const template = claimTemplateOf(await stored(cp, exampleOf("training-no-device.yaml")));
    const made = await cp.api.send(
      "GET",
      `/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaimtemplates/${template}`,
    );
    expect(arrayAt(made, ["metadata", "managedFields"]).map((one) => stringAt(one, ["manager"]))).toEqual(["plimsoll"]);
  });

  test("the Job of the CronJob has a decision of its own, and runs", async () => {
    const jobs = await eventually(
      async () => {
        const found = (await itemsOf(cp, "/apis/batch/v1/namespaces/team-b/jobs")).filter((one) =>
          nameOf(one).startsWith("refresh-embeddings-"),
        );
        return found.length > 0 && found;
      },
      { timeoutMs: 90_000, what: "the CronJob made no Job" },
    );
    const [job = {}] = jobs;
    await cp.kubectl(["patch", "cronjob", "-n", "team-b", "refresh-embeddings", "-p", '{"spec":{"suspend":true}}']);
    const decided = decisionOf(job)["pod"] ?? {};
    expect(decided).toMatchObject({ class: "batch-inference", verdict: "fits" });
    const pods = await settledPods(job, 4);
    expect(pods.filter(bound)).toHaveLength(4);
    for (const pod of pods) expect(`${acceleratorOf(pod)}/${labelOf(pod, CAPACITY)}/existing`).toBe(decided["rung"]);
  });

  test("a workload that names no class any more keeps nothing of ours beside it", async () => {
    const budgets = async () =>
      (await itemsOf(cp, "/apis/policy/v1/namespaces/team-b/poddisruptionbudgets")).map(nameOf).join(" ");
    expect(await budgets()).toContain("travel-agent-");
    const annotate = ["annotate", "deployment", "-n", "team-b", "travel-agent", "plimsoll.dev/workload-class-"];
    expect(await cp.kubectl(annotate)).toMatchObject({ code: 0, stderr: "" });
    await eventually(async () => !(await budgets()).includes("travel-agent-"), {
      timeoutMs: 60_000,
      what: "its budget did not go",
    });
  });

  test("what was made for a workload goes with it", async () => {
    const budgets = async () =>
      (await itemsOf(cp, "/apis/policy/v1/namespaces/team-a/poddisruptionbudgets")).map(nameOf);
    const templates = async () =>
      (await itemsOf(cp, "/apis/resource.k8s.io/v1/namespaces/team-b/resourceclaimtemplates")).map(nameOf);
    expect((await budgets()).some((name) => name.startsWith("chat-"))).toBe(true);
    expect((await templates()).some((name) => name.startsWith("plimsoll-"))).toBe(true);
    for (const file of ["inference-vllm.yaml", "training-no-device.yaml"])
      expect(await cp.kubectl(["delete", "--wait=false", "-f", examplePath(file)])).toMatchObject({
        code: 0,
        stderr: "",
      });
    await eventually(
      async () => {
        const left = [...(await budgets()), ...(await templates())].filter((name) => /^(chat|plimsoll)-/.test(name));
        if (left.length > 0) throw new Error(`left: ${left.join(", ")}`);
        return true;
      },
      { timeoutMs: 120_000 },
    );
  });

  /** With the defaults of the API server, and what its admission plugins write into a Pod before webhooks are asked. */
  async function asAsked(object: JsonObject): Promise<JsonObject> {
    const { annotations: _, ...metadata } = objectAt(object, ["metadata"]) ?? {};
    const { spec } = await cp.api.send("POST", `${collectionFor(object)}?dryRun=All`, { ...object, metadata });
    return { ...object, spec: spec ?? {} };
  }

  /** Applies what an example brings along, so that the workload is asked about as the API server asks. */
  async function applyBeside(file: string): Promise<void> {
    const beside = documentsOf(readFileSync(examplePath(file), "utf8")).filter(
      (one) => one["kind"] === "ResourceClaimTemplate",
    );
    if (beside.length === 0) return;
    const { code, stderr } = await cp.kubectl(["apply", "-f", "-"], {
      stdin: beside.map((one) => stringify(one)).join("---\n"),
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    // Our watch follows.
    const object = exampleOf(file);
    await eventually(async () => decisionOf(await mutatedBy(replica, object))["pod"]?.["verdict"] === "fits");
  }
});
