import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import autocannon from "autocannon";
import { issueKeyPair, writeKeyPair } from "../src/certs/index.ts";
import { generateCluster } from "../src/topology/index.ts";
import { row, title } from "./table.ts";

const CONNECTIONS = 10;
const SECONDS = 4;
const ROUNDS = 3;

/** Bare fastify over TLS against /mutate with a real solve on 1,000 nodes: same bytes, same machine, turn by turn. */
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

    const body = JSON.stringify(review());
    const rates: { echo: number[]; mutate: number[]; p99: number[] } = { echo: [], mutate: [], p99: [] };
    for (let round = 0; round < ROUNDS; round += 1) {
      rates.echo.push((await load(echoUrl, body)).requests.average);
      const ours = await load(`${base}/mutate?timeout=10s`, body);
      rates.mutate.push(ours.requests.average);
      rates.p99.push(ours.latency.p99);
    }
    title(
      `webhook: ${body.length} byte review, 1,000 nodes, ${CONNECTIONS} connections, load generator on the same cores`,
    );
    row("bare fastify TLS echo", `${median(rates.echo).toFixed(0)} requests/s`);
    row("plimsoll /mutate", `${median(rates.mutate).toFixed(0)} requests/s`, `p99 ${median(rates.p99)} ms`);
    row("ratio (goal 0.6)", (median(rates.mutate) / median(rates.echo)).toFixed(2));
    row("memory, idle with 1,000 nodes", `${idleMiB} MiB`);
    row("memory, after load", `${rssMiB(webhook)} MiB`);
  } finally {
    for (const child of children) child.kill("SIGTERM");
    await rm(folder, { recursive: true, force: true });
  }
}

function load(url: string, body: string): Promise<autocannon.Result> {
  return autocannon({
    url,
    method: "POST",
    headers: { "content-type": "application/json" },
    body,
    connections: CONNECTIONS,
    duration: SECONDS,
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

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

function review(): unknown {
  const container = (index: number) => ({
    name: index === 0 ? "trainer" : `sidecar-${index}`,
    image: "training/trainer:1.0",
    env: Array.from({ length: 20 }, (_, number) => ({ name: `SETTING_${number}`, value: `value-${number}` })),
    resources:
      index === 0
        ? { requests: { cpu: "96", memory: "900Gi", "nvidia.com/gpu": "8" }, limits: { "nvidia.com/gpu": "8" } }
        : { requests: { cpu: "500m", memory: "1Gi" } },
  });
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "00000000-0000-4000-8000-000000000001",
      kind: { group: "batch", version: "v1", kind: "Job" },
      resource: { group: "batch", version: "v1", resource: "jobs" },
      namespace: "bench",
      name: "train",
      operation: "CREATE",
      userInfo: { username: "kubernetes-admin" },
      dryRun: false,
      oldObject: null,
      object: {
        apiVersion: "batch/v1",
        kind: "Job",
        metadata: {
          name: "train",
          namespace: "bench",
          annotations: { "plimsoll.dev/workload-class": "training-gang" },
        },
        spec: {
          parallelism: 4,
          completions: 4,
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
