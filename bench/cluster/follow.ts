import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import type { JsonObject } from "../../src/model/index.ts";
import { stringAt } from "../../src/model/index.ts";
import { row, title } from "../table.ts";
import { collectionsOf, nodesOf, podAt } from "./objects.ts";
import { syntheticServer } from "./synthetic.ts";

const EVENTS = 20_000;
const BATCH = 200;
const PODS = "/api/v1/pods";
/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10;

/** The built command follows a synthetic cluster through its own lists and watches: memory, time to sync, time per event. */
export async function benchFollow(nodeCount: number, podCount: number): Promise<void> {
  const nodes = nodesOf(nodeCount);
  const names = nodes.map((node) => stringAt(node, ["metadata", "name"]) ?? "");
  const server = await syntheticServer(collectionsOf(nodes, podCount));
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-bench-"));
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, JSON.stringify(kubeconfigOf(server.address)));
  const bundle = join(folder, "dist");
  execFileSync(process.execPath, ["scripts/build.mjs", bundle]);
  const started = performance.now();
  const child = spawn(
    process.execPath,
    [
      join(bundle, "plimsoll.js"),
      "serve",
      `--kubeconfig=${kubeconfig}`,
      "--no-controller",
      "--host=127.0.0.1",
      "--port=0",
      "--probe-port=0",
      `--certs=${join(folder, "certs")}`,
      "--drain=0",
    ],
    { stdio: ["ignore", "ignore", "pipe"] },
  );
  try {
    const probes = await probeUrl(child);
    await until(async () => (await fetch(`${probes}/readyz`)).status === 200);
    const synced = performance.now() - started;
    await sleep(2_000);
    title(`follow ${nodeCount} nodes and ${podCount} pods through lists and watches`);
    row("start to ready, policies included", `${(synced / 1000).toFixed(1)} s`);
    row("memory after the sync", `${statusMiB(child, "VmRSS")} MiB`, `peak ${statusMiB(child, "VmHWM")} MiB`);

    const before = { cpu: cpuMs(child), seen: await seen(probes), at: performance.now() };
    for (let sent = 0; sent < EVENTS; sent += BATCH)
      await server.push(
        PODS,
        Array.from({ length: BATCH }, (_, index) => moved(sent + index, podCount, names)),
      );
    await until(async () => (await seen(probes)) - before.seen >= EVENTS);
    const took = performance.now() - before.at;
    row(
      "a pod that moves to another node",
      `${(((cpuMs(child) - before.cpu) * 1000) / EVENTS).toFixed(0)} us of processor`,
      `${(EVENTS / (took / 1000)).toFixed(0)} events/s`,
    );
    row("memory after the events", `${statusMiB(child, "VmRSS")} MiB`);
  } finally {
    child.kill("SIGTERM");
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Each pod in turn goes one node on. */
function moved(event: number, pods: number, names: readonly string[]): JsonObject {
  const index = (event * 7) % pods;
  const pod = podAt(index, names, 1001 + event);
  const spec = pod["spec"] as JsonObject;
  const nodeName = names[(index + 1 + Math.floor(event / pods)) % names.length] ?? "";
  return { type: "MODIFIED", object: { apiVersion: "v1", kind: "Pod", ...pod, spec: { ...spec, nodeName } } };
}

function kubeconfigOf(server: string): JsonObject {
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "bench",
    contexts: [{ name: "bench", context: { cluster: "bench", user: "bench" } }],
    clusters: [{ name: "bench", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "bench", user: { token: "bench" } }],
  };
}

async function seen(probes: string): Promise<number> {
  const text = await (await fetch(`${probes}/metrics`)).text();
  return Number(/plimsoll_watch_events\{kind="Pod"\} (\d+)/.exec(text)?.[1] ?? 0);
}

async function until(check: () => Promise<boolean>): Promise<void> {
  while (!(await check().catch(() => false))) await sleep(50);
}

function probeUrl(child: ChildProcess): Promise<string> {
  return new Promise((settle, reject) => {
    if (child.stderr === null) return reject(new Error("the server has no log"));
    const lines = createInterface({ input: child.stderr });
    lines.on("line", (line) => {
      const url = line.startsWith("{") ? (JSON.parse(line) as { probeUrl?: string }).probeUrl : undefined;
      if (url !== undefined) settle(url);
    });
    child.once("exit", (code) => reject(new Error(`the server ended with ${code} before it was ready`)));
  });
}

function statusMiB(child: ChildProcess, field: string): number {
  const match = new RegExp(`${field}:\\s+(\\d+) kB`).exec(readFileSync(`/proc/${child.pid}/status`, "utf8"));
  return Math.round(Number(match?.[1] ?? 0) / 1024);
}

/** User and system time. */
function cpuMs(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, "utf8")
    .replace(/^.*\) /, "")
    .split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
