import { spawn } from "node:child_process";
import { cp, mkdtemp, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { applyPatch } from "rfc6902";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { certificatePaths, issueKeyPair, writeKeyPair } from "../../src/certs/index.ts";
import { serveConfig } from "../../src/config.ts";
import { createLogger, type Serving, StartFault, serve } from "../../src/server/index.ts";
import { agentFor, peerCertificate, post } from "./client.ts";

const started: Serving[] = [];
const folder = (name: string) => mkdtemp(join(tmpdir(), `plimsoll-${name}-`));

async function start(flags: Parameters<typeof serveConfig>[0] = {}): Promise<Serving> {
  const serving = await serve(
    serveConfig(
      {
        host: "127.0.0.1",
        port: "0",
        probePort: "0",
        drain: "0",
        certs: await folder("certs"),
        policies: "policies",
        cluster: ["test/fixtures/demo-cluster.yaml"],
        ...flags,
      },
      {},
    ),
    createLogger("silent"),
  );
  started.push(serving);
  return serving;
}
afterEach(async () => {
  await Promise.all(started.splice(0).map((serving) => serving.stop()));
});

const job = (annotations: Record<string, string> = { "plimsoll.dev/workload-class": "training-gang" }) => ({
  apiVersion: "batch/v1",
  kind: "Job",
  metadata: { name: "train", namespace: "team-a", annotations },
  spec: {
    parallelism: 4,
    completions: 4,
    completionMode: "Indexed",
    backoffLimit: 0,
    podFailurePolicy: { rules: [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget" }] }] },
    template: {
      metadata: { labels: { app: "train" } },
      spec: {
        restartPolicy: "Never",
        serviceAccountName: "trainer",
        containers: [
          {
            name: "main",
            image: "training/trainer:1.0",
            resources: {
              requests: { cpu: "90", memory: "800Gi", "nvidia.com/gpu": "8" },
              limits: { "nvidia.com/gpu": "8" },
            },
          },
        ],
      },
    },
  },
});
const review = (object: unknown, more: Record<string, unknown> = {}) =>
  JSON.stringify({
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "6f1c",
      kind: { group: "batch", version: "v1", kind: "Job" },
      resource: { group: "batch", version: "v1", resource: "jobs" },
      name: "train",
      namespace: "team-a",
      operation: "CREATE",
      object,
      oldObject: null,
      dryRun: false,
      ...more,
    },
  });
const responseOf = (text: string) =>
  (
    JSON.parse(text) as {
      response: {
        uid: string;
        allowed: boolean;
        patch?: string;
        patchType?: string;
        status?: { code: number; message: string };
      };
    }
  ).response;
const readyz = async (serving: Serving) => {
  const reply = await fetch(`${serving.probeUrl}/readyz`);
  return {
    status: reply.status,
    body: (await reply.json()) as {
      status: string;
      revision: string;
      revisions: unknown[];
      faults: { source: string; lines: string[] }[];
      cluster: { nodes: number };
    },
  };
};
const metric = async (serving: Serving, name: string) =>
  (await (await fetch(`${serving.probeUrl}/metrics`)).text()).split("\n").filter((line) => line.startsWith(name));

describe("the webhooks over TLS", () => {
  let serving: Serving;
  let agent: ReturnType<typeof agentFor>;
  beforeAll(async () => {
    serving = await start();
    started.splice(0);
    agent = agentFor(serving.ca);
  });
  afterAll(async () => {
    agent.destroy();
    await serving.stop();
  });

  test("mutate answers a classed workload with a patch that applies, validate accepts the result", async () => {
    const object = job();
    const mutated = await post(`${serving.url}/mutate?timeout=5s`, review(object), { agent });
    expect(mutated.status).toBe(200);
    const response = responseOf(mutated.text);
    expect(response).toMatchObject({ uid: "6f1c", allowed: true, patchType: "JSONPatch" });
    const result = structuredClone(object) as Record<string, unknown>;
    const patch = JSON.parse(Buffer.from(response.patch ?? "", "base64").toString());
    expect(applyPatch(result, patch).every((fault) => fault === null)).toBe(true);
    expect(JSON.stringify(result)).toContain("plimsoll.dev/decision");
    const final = { ...result, metadata: { ...(result["metadata"] as object), uid: "u-1" } };
    const validated = responseOf((await post(`${serving.url}/validate?timeout=5s`, review(final), { agent })).text);
    expect(validated).toMatchObject({ uid: "6f1c", allowed: true });
    expect(validated.patch).toBeUndefined();
    expect(await metric(serving, "plimsoll_decisions_total")).not.toEqual([]);
    expect(await metric(serving, "plimsoll_holds")).not.toEqual([]);
  });

  test("a review of a deleted object is let through", async () => {
    const reply = await post(`${serving.url}/validate`, review(null, { operation: "DELETE", oldObject: job() }), {
      agent,
    });
    expect(responseOf(reply.text)).toEqual({ uid: "6f1c", allowed: true });
  });

  test.each([
    ["not JSON", "{", 400],
    ["nothing", "", 400],
    ["larger than the API server sends", Buffer.alloc(7 * 1024 * 1024 + 1, " "), 413],
  ])("a body that is %s gets an AdmissionReview with the reason", async (_name, body, status) => {
    const reply = await post(`${serving.url}/mutate`, body, { agent });
    expect(reply.status).toBe(status);
    expect(responseOf(reply.text)).toMatchObject({ uid: "", allowed: false, status: { code: status } });
  });

  test("a review of 6 MiB is read", async () => {
    const object = job({ "plimsoll.dev/workload-class": "training-gang", filler: "x".repeat(6 * 1024 * 1024) });
    const reply = await post(`${serving.url}/mutate?timeout=10s`, review(object), { agent });
    expect(reply.status).toBe(200);
    expect(responseOf(reply.text).uid).toBe("6f1c");
  });

  test("keys that would poison an object are data like any other", async () => {
    const text = review(job()).replace('"app":"train"', '"app":"train","__proto__":"x","constructor":"y"');
    const reply = await post(`${serving.url}/mutate`, text, { agent });
    expect(reply.status).toBe(200);
    expect(responseOf(reply.text).allowed).toBe(true);
  });

  test("another path or method is not found, and says what is there", async () => {
    const reply = await post(`${serving.url}/other`, "{}", { agent });
    expect(reply.status).toBe(404);
    expect(reply.text).toContain("POST /mutate and /validate");
  });

  test("a server that is late gives a smaller budget and never a wrong answer", async () => {
    const reply = await post(`${serving.url}/mutate?timeout=1s`, review(job()), { agent });
    expect(responseOf(reply.text).uid).toBe("6f1c");
  });

  test("the probes tell what serves", async () => {
    expect((await fetch(`${serving.probeUrl}/livez`)).status).toBe(200);
    const { status, body } = await readyz(serving);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: "ready", faults: [] });
    expect(body.revision).toBe(serving.state.served()?.catalogue.revision);
    expect(body.cluster.nodes).toBeGreaterThan(10);
  });
});

describe("live reload", () => {
  test("a broken policy edit keeps the last good catalogue, visibly; a good one takes its place", async () => {
    const policies = await folder("policies");
    await cp("policies", policies, { recursive: true });
    const serving = await start({ policies });
    const before = (await readyz(serving)).body.revision;
    const file = join(policies, "classes/training-gang.yaml");
    const text = await readFile(file, "utf8");

    await writeFile(file, text.replace("shape: gang", "shape: gnag"));
    await vi.waitFor(async () => expect((await readyz(serving)).body.faults).toHaveLength(1), 10_000);
    const broken = await readyz(serving);
    expect(broken.status).toBe(200);
    expect(broken.body.revision).toBe(before);
    expect(broken.body.faults[0]).toMatchObject({ source: "policies" });
    expect(broken.body.faults[0]?.lines[0]).toMatch(/training-gang\.yaml:\d+:\d+.*gnag/);
    expect(await metric(serving, 'plimsoll_reloads_total{source="policies",outcome="failed"}')).toEqual([
      expect.stringMatching(/ 1$/),
    ]);

    await writeFile(file, text.replace("Distributed training over several whole nodes.", "Changed."));
    await vi.waitFor(async () => expect((await readyz(serving)).body.faults).toEqual([]), 10_000);
    const after = await readyz(serving);
    expect(after.body.revision).not.toBe(before);
    expect(after.body.revisions).toHaveLength(2);
    expect(serving.state.served()?.catalogue.classes.get("training-gang")?.description).toBe("Changed.");
  }, 30_000);

  test("a cluster file that changes changes the topology", async () => {
    const cluster = join(await folder("cluster"), "nodes.json");
    const node = (name: string) => ({
      apiVersion: "v1",
      kind: "Node",
      metadata: { name },
      status: { allocatable: { cpu: "8" }, capacity: { cpu: "8" }, conditions: [{ type: "Ready", status: "True" }] },
    });
    const write = (...names: string[]) =>
      writeFile(cluster, JSON.stringify({ apiVersion: "v1", kind: "List", items: names.map(node) }));
    await write("a");
    const serving = await start({ cluster: [cluster] });
    expect((await readyz(serving)).body.cluster.nodes).toBe(1);
    await write("a", "b");
    await vi.waitFor(async () => expect((await readyz(serving)).body.cluster.nodes).toBe(2), 10_000);
  }, 30_000);

  test("a new certificate is shown to the next handshake", async () => {
    const dir = await folder("tls");
    await writeKeyPair(dir, await issueKeyPair({ hosts: ["127.0.0.1"], leafDays: 1, caDays: 1 }));
    const { cert, key } = certificatePaths(dir);
    const serving = await start({ tlsCert: cert, tlsKey: key });
    const first = await peerCertificate(serving.url);
    await writeKeyPair(dir, await issueKeyPair({ hosts: ["127.0.0.1"], leafDays: 2, caDays: 2 }));
    await vi.waitFor(
      async () => expect((await peerCertificate(serving.url)).fingerprint256).not.toBe(first.fingerprint256),
      10_000,
    );
  }, 30_000);
});

describe("start and stop", () => {
  test("a catalogue that does not load is refused at the start, with file and line", async () => {
    const policies = await folder("policies");
    await cp("policies", policies, { recursive: true });
    await writeFile(
      join(policies, "classes/extra.yaml"),
      "apiVersion: plimsoll.dev/v1alpha1\nkind: WorkloadClass\nmetadata: {name: extra}\nspec: {}\n",
    );
    const fault = await start({ policies }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(fault).toBeInstanceOf(StartFault);
    expect((fault as StartFault).lines.join("\n")).toMatch(/classes\/extra\.yaml:\d+:\d+/);
  });

  test("a port in use is refused with the reason", async () => {
    const serving = await start();
    await expect(start({ port: new URL(serving.url).port })).rejects.toThrow("EADDRINUSE");
  });

  test("SIGTERM: readiness fails, requests go on being answered, and none is lost", async () => {
    const certs = await folder("certs");
    const child = spawn(
      process.execPath,
      [
        "--import",
        "tsx",
        "src/main.ts",
        "serve",
        "--host=127.0.0.1",
        "--port=0",
        "--probe-port=0",
        `--certs=${certs}`,
        "--drain=2",
        "--cluster=test/fixtures/demo-cluster.yaml",
      ],
      {
        stdio: ["ignore", "ignore", "pipe"],
      },
    );
    const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
    const lines = createInterface({ input: child.stderr });
    const { url, probeUrl } = await new Promise<{ url: string; probeUrl: string }>((resolve) => {
      lines.on("line", (line) => {
        const entry = JSON.parse(line) as { msg: string; url: string; probeUrl: string };
        if (entry.msg === "serving") resolve(entry);
      });
    });
    const agent = agentFor(await readFile(certificatePaths(certs).ca, "utf8"));
    let answered = 0;
    let closing = 0;
    let stop = false;
    const client = async () => {
      while (!stop) {
        const reply = await post(`${url}/mutate?timeout=5s`, review(job()), { agent });
        expect(responseOf(reply.text).uid).toBe("6f1c");
        answered += 1;
        if (reply.headers["connection"] === "close") closing += 1;
      }
    };
    const clients = [client(), client(), client()];
    await vi.waitFor(() => expect(answered).toBeGreaterThan(5), 20_000);
    child.kill("SIGTERM");
    await vi.waitFor(async () => expect((await fetch(`${probeUrl}/readyz`)).status).toBe(503), 1_500);
    await vi.waitFor(() => expect(closing).toBeGreaterThan(5), 1_500);
    // The endpoint is gone by now in a cluster: clients go elsewhere before the drain ends.
    stop = true;
    await Promise.all(clients);
    expect(await ended).toBe(0);
    agent.destroy();
  }, 60_000);
});
