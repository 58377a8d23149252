import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import autocannon from "autocannon";
import type { AdmissionReview } from "../src/admission/index.ts";
import { issueKeyPair, writeKeyPair } from "../src/certs/index.ts";
import type { JsonObject } from "../src/model/index.ts";
import { generateCluster } from "../src/topology/index.ts";
import { patched, patchOf } from "../test/support/apiserver.ts";
import { row, title } from "./table.ts";

const CONNECTIONS = 10;
const SECONDS = 4;
const ROUNDS = 3;
/** To each, before anything is counted: V8 has compiled what a review takes only after some thousands of them. */
const WARM_REQUESTS = 5_000;
/** Reviews differ in names, counts, amounts and settings, so that none is answered from what another left. */
const REVIEWS = 64;

/** Bare fastify over TLS against both webhooks with real solves on 1,000 nodes: same bytes, same machine, turn by turn. */
export async function benchWebhook(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-bench-"));
  const children: ChildProcess[] = [];
  try {
    await writeKeyPair(folder, await issueKeyPair({ hosts: ["localhost", "127.0.0.1"], leafDays: 1, caDays: 1 }));
    const cluster = join(folder, "cluster.json");
    const items = generateCluster({
      shape: "p5.48xlarge",
      zones: 2,
      blocks: 5,
      racks: 10,
      nodesPerRack: 10,
      fill: 0.7,
      seed: 7,
      capacityType: "reserved",
    });
    await writeFile(cluster, JSON.stringify({ apiVersion: "v1", kind: "List", items }));

    const echo = spawn(process.execPath, ["bench/echo.mjs", folder], { stdio: ["ignore", "pipe", "inherit"] });
    const webhook = spawn(
      process.execPath,
      [
        "dist/plimsoll.js",
        "serve",
        "--host=127.0.0.1",
        "--port=0",
        "--probe-port=0",
        `--tls-cert=${folder}/tls.crt`,
        `--tls-key=${folder}/tls.key`,
        "--drain=0",
        `--cluster=${cluster}`,
      ],
      { stdio: ["ignore", "ignore", "pipe"] },
    );
    children.push(echo, webhook);
    const echoUrl = `https://127.0.0.1:${await firstLine(echo, "stdout", (line) => (JSON.parse(line) as { port: number }).port)}/echo`;
    const base = await firstLine(webhook, "stderr", (line) => (JSON.parse(line) as { msg: string; url?: string }).url);
    const idleMiB = rssMiB(webhook);

    const created = Array.from({ length: REVIEWS }, (_, number) => review(number));
    const bodies = created.map((one) => JSON.stringify(one));
    const stamped: string[] = [];
    for (const [index, one] of created.entries()) {
      const { object } = one.request;
      const patch = patchOf(await post(`${base}/mutate?timeout=10s`, bodies[index] ?? ""));
      // A dry run takes no hold, so that every review finds the same room.
      stamped.push(
        JSON.stringify({ ...one, request: { ...one.request, object: patched(object, patch), dryRun: true } }),
      );
    }
    const targets = [
      { name: "echo", child: echo, url: echoUrl, sent: bodies },
      { name: "mutate", child: webhook, url: `${base}/mutate?timeout=10s`, sent: bodies },
      { name: "validate", child: webhook, url: `${base}/validate?timeout=10s`, sent: stamped },
    ] as const;
    const rates: Record<(typeof targets)[number]["name"], Load[]> = { echo: [], mutate: [], validate: [] };
    for (const { child, url, sent } of targets) await load(child, url, sent, { amount: WARM_REQUESTS });
    for (let round = 0; round < ROUNDS; round += 1)
      for (const { name, child, url, sent } of targets)
        rates[name].push(await load(child, url, sent, { duration: SECONDS }));
    const bytes = Math.round(median(bodies.map(({ length }) => length)));
    title(
      `webhook: ${REVIEWS} reviews of about ${bytes} bytes, 1,000 nodes, ${CONNECTIONS} connections, load generator on the same cores`,
    );
    const echoRate = median(rates.echo.map(({ rate }) => rate));
    const processor = (loads: readonly Load[]) => `${median(loads.map(({ cpuMs }) => cpuMs)).toFixed(2)} ms processor`;
    row("bare fastify TLS echo", `${echoRate.toFixed(0)} requests/s`, processor(rates.echo));
    for (const webhook of ["mutate", "validate"] as const) {
      const rate = median(rates[webhook].map((one) => one.rate));
      row(
        `plimsoll /${webhook}`,
        `${rate.toFixed(0)} requests/s`,
        processor(rates[webhook]),
        `p99 ${median(rates[webhook].map(({ p99 }) => p99))} ms`,
      );
      row(`ratio of ${webhook} (goal 0.6)`, (rate / echoRate).toFixed(2));
    }
    row("memory, idle with 1,000 nodes", `${idleMiB} MiB`);
    row("memory, after load", `${rssMiB(webhook)} MiB`);
  } finally {
    for (const child of children) child.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }
}

interface Load {
  readonly rate: number;
  readonly p99: number;
  /** Processor time of the server for one request, which says more than the rate where others use the machine. */
  readonly cpuMs: number;
}

async function load(
  child: ChildProcess,
  url: string,
  bodies: readonly string[],
  extent: { readonly amount: number } | { readonly duration: number },
): Promise<Load> {
  const before = cpuMs(child);
  const { requests, latency, non2xx, errors } = await autocannon({
    url,
    connections: CONNECTIONS,
    ...extent,
    requests: bodies.map((body) => ({ method: "POST", headers: { "content-type": "application/json" }, body })),
  });
  if (non2xx + errors > 0) throw new Error(`${url} failed ${non2xx + errors} times`);
  return { rate: requests.average, p99: latency.p99, cpuMs: (cpuMs(child) - before) / Math.max(1, requests.total) };
}

/** One request, whose certificate nobody checks. */
function post(url: string, body: string): Promise<AdmissionReview> {
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers: { "content-type": "application/json" }, rejectUnauthorized: false };
    const sent = request(url, options, (answer) => {
      text(answer).then((read) => resolve(JSON.parse(read) as AdmissionReview), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** The first line of a child's output that `read` makes something of. */
function firstLine<T>(
  child: ChildProcess,
  stream: "stdout" | "stderr",
  read: (line: string) => T | undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const source = child[stream];
    if (source === null) return reject(new Error("the child has no such stream"));
    const lines = createInterface({ input: source });
    lines.on("line", (line) => {
      const value = read(line);
      if (value !== undefined) resolve(value);
    });
    child.once("exit", (code) => reject(new Error(`a server ended with ${code} before it was ready`)));
  });
}

function rssMiB(child: ChildProcess): number {
  const match = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}

/** User and system time so far; Linux counts in hundredths of a second. */
function cpuMs(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8").split(") ").at(-1)?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function review(number: number): { readonly request: { readonly object: JsonObject } & JsonObject } & JsonObject {
  const container = (index: number) => ({
    name: index === 0 ? "trainer" : `sidecar-${index}`,
    image: "training/trainer:1.0",
    env: Array.from({ length: 20 }, (_, setting) => ({
      name: `SETTING_${setting}`,
      value: `value-${setting}-${number}`,
    })),
    resources:
      index === 0
        ? {
            requests: { cpu: String(64 + (number % 32)), memory: "900Gi", "nvidia.com/gpu": "8" },
            limits: { "nvidia.com/gpu": "8" },
          }
        : { requests: { cpu: "500m", memory: "1Gi" } },
  });
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`,
      kind: { group: "batch", version: "v1", kind: "Job" },
      resource: { group: "batch", version: "v1", resource: "jobs" },
      namespace: "bench",
      name: `train-${number}`,
      operation: "CREATE",
      userInfo: { username: "kubernetes-admin" },
      dryRun: false,
      oldObject: null,
      object: {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
          name: `train-${number}`,
          namespace: "bench",
          annotations: { "plimsoll.dev/workload-class": "training-gang" },
        },
        spec: {
          parallelism: 2 + (number % 4),
          completions: 2 + (number % 4),
          completionMode: "Indexed",
          template: {
            metadata: { labels: { app: "train" } },
            spec: { restartPolicy: "Never", serviceAccountName: "trainer", containers: [0, 1, 2].map(container) },
          },
        },
      },
    },
  };
}
