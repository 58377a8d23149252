import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { get } from "node:http";
import { join, relative, resolve } from "node:path";
import { promisify } from "node:util";
import { load, loadAll } from "js-yaml";
import { issueKeyPair, writeKeyPair } from "../../../src/certs/index.ts";
import { arrayAt, isObject, type JsonObject, stringAt } from "../../../src/model/index.ts";
import type { ControlledProcess, ControlPlane } from "../controlplane/index.ts";
import { freePorts } from "../controlplane/ports.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { eventually } from "./wait.ts";

const NAMESPACE = "plimsoll-system";
const BASE = resolve("manifests/base");

export interface PlimsollOptions {
  readonly replicas?: number;
  /** Default: the shipped catalogue. */
  readonly policies?: string;
  readonly platform?: string;
  /** Further flags of `serve`. */
  readonly args?: readonly string[];
  /** Serve without the controller: no companions, no registration, no events. */
  readonly controller?: boolean;
  /** Settles only when the API server has been told to call us; default true with the controller. */
  readonly registered?: boolean;
}

export interface Replica {
  readonly name: string;
  readonly port: number;
  readonly probePort: number;
  readonly process: ControlledProcess;
  /** Log lines, parsed. */
  logs(): readonly JsonObject[];
  readyz(): Promise<{ readonly status: number; readonly body: JsonObject }>;
  metrics(): Promise<string>;
}

/** Plimsoll in front of a control plane: the built command, under its own service account, reached through a balancer. */
export interface Plimsoll {
  readonly balancer: Balancer;
  readonly replicas: readonly Replica[];
  /** Which replicas the API server reaches from now on; default: all that there are. */
  route(replicas?: readonly Replica[]): void;
  /** The same for connections that are open; settles when the API server has noticed that they are gone. */
  switchTo(replicas: readonly Replica[]): Promise<void>;
  /** Starts one more, of another catalogue or with further flags where they are given; it is not routed to. */
  start(policies?: string, args?: readonly string[]): Promise<Replica>;
  /** Where its certificate is: tls.crt, tls.key, ca.crt. Replicas follow it. */
  readonly folder: string;
  /** What replicas reach the API server by. */
  readonly kubeconfig: string;
  /** Settles when the replica is ready and has read the cluster. */
  ready(replica: Replica): Promise<void>;
  stop(): Promise<void>;
}

/**
 * `kubectl apply -k` of manifests/base, its webhooks turned to a loopback URL and nothing else changed, then the replicas. They run as
 * the service account that the manifests make, so a permission that is missing shows.
 */
export async function startPlimsoll(cp: ControlPlane, options: PlimsollOptions = {}): Promise<Plimsoll> {
  const balancer = await startBalancer();
  const folder = join(cp.dir, `plimsoll-${balancer.port}`);
  await mkdir(folder, { recursive: true });
  await writeKeyPair(folder, await issueKeyPair({ hosts: ["127.0.0.1", "localhost"], leafDays: 1, caDays: 1 }));
  const { code, stderr } = await applyBase(cp, folder, `https://127.0.0.1:${balancer.port}`);
  if (code !== 0) throw new Error(`kubectl apply -k: ${stderr}`);
  const kubeconfig = await eventually(() =>
    cp.kubeconfigFor({ serviceAccount: { namespace: NAMESPACE, name: "plimsoll" } }),
  );

  // A bundle of this control plane's own: the sources of the moment, whoever builds dist/ meanwhile.
  const bundle = join(folder, "dist");
  await promisify(execFile)(process.execPath, [resolve("scripts/build.mjs"), bundle]);

  const replicas: Replica[] = [];
  const start = async (
    policies = options.policies ?? "policies",
    further: readonly string[] = [],
  ): Promise<Replica> => {
    const [port = 0, probePort = 0] = await freePorts(2);
    const name = `plimsoll-${balancer.port}-${replicas.length}`;
    const args = [
      join(bundle, "plimsoll.js"),
      "serve",
      `--kubeconfig=${kubeconfig}`,
      `--policies=${resolve(policies)}`,
      ...(options.platform === undefined ? [] : [`--platform=${resolve(options.platform)}`]),
      "--host=127.0.0.1",
      `--port=${port}`,
      `--probe-port=${probePort}`,
      `--identity=${name}`,
      `--tls-cert=${folder}/tls.crt`,
      `--tls-key=${folder}/tls.key`,
      `--tls-ca=${folder}/ca.crt`,
      "--drain=1",
      ...(options.controller === false ? ["--no-controller"] : []),
      ...(options.args ?? []),
      ...further,
    ];
    const running = await cp.run(name, { file: process.execPath, args }, async () => {
      const { status } = await ask(probePort, "/livez");
      return status === 200;
    });
    const replica = replicaOf(name, port, probePort, running);
    replicas.push(replica);
    return replica;
  };
  const self: Plimsoll = {
    balancer,
    replicas,
    folder,
    kubeconfig,
    route: (chosen = replicas) => balancer.route(chosen.map(({ port }) => port)),
    async switchTo(chosen) {
      self.route(chosen);
      balancer.cut();
      await new Promise((settle) => setTimeout(settle, 500));
    },
    start,
    ready: (replica) =>
      eventually(
        async () => {
          const { status, body } = await replica.readyz();
          if (status !== 200) throw new Error(`${replica.name} is not ready: ${JSON.stringify(body)}`);
          return true;
        },
        { timeoutMs: 60_000 },
      ).then(() => undefined),
    async stop() {
      for (const { process } of replicas) if (process.running) await process.terminate();
      await balancer.close();
    },
  };
  for (let count = options.replicas ?? 1; count > 0; count -= 1) await self.ready(await start());
  self.route();
  if (options.registered ?? options.controller !== false) await registered(cp);
  return self;
}

/** Settles when the API server has what it needs to call us. */
export async function registered(cp: ControlPlane): Promise<void> {
  for (const kind of ["mutating", "validating"])
    await eventually(
      async () => {
        const path = `/apis/admissionregistration.k8s.io/v1/${kind}webhookconfigurations/plimsoll`;
        const webhooks = arrayAt(await cp.api.send("GET", path), ["webhooks"]);
        const open = webhooks.filter((one) => stringAt(one, ["clientConfig", "caBundle"]) === undefined);
        if (open.length > 0) throw new Error(`${open.length} webhooks of ${path} have no caBundle`);
        return webhooks.length > 0;
      },
      { timeoutMs: 60_000 },
    );
  // The API server follows its own configurations through a watch.
  await new Promise((settle) => setTimeout(settle, 1_000));
}

async function applyBase(cp: ControlPlane, folder: string, url: string) {
  const overlay = join(folder, "overlay");
  await mkdir(overlay, { recursive: true });
  const configurations = loadAll(readFileSync(join(BASE, "webhooks.yaml"), "utf8")).filter(
    (one): one is JsonObject => isObject(one) && /WebhookConfiguration$/.test(stringAt(one, ["kind"]) ?? ""),
  );
  const kustomization = {
    apiVersion: "kustomize.config.k8s.io/v1beta1",
    kind: "Kustomization",
    resources: [relative(overlay, BASE)],
    patches: configurations.map((one) => ({
      target: { kind: stringAt(one, ["kind"]), name: stringAt(one, ["metadata", "name"]) },
      patch: JSON.stringify(
        arrayAt(one, ["webhooks"]).map((webhook, index) => ({
          op: "replace",
          path: `/webhooks/${index}/clientConfig`,
          value: { url: `${url}${stringAt(webhook, ["clientConfig", "service", "path"]) ?? ""}` },
        })),
      ),
    })),
  };
  await writeFile(join(overlay, "kustomization.yaml"), JSON.stringify(kustomization));
  return cp.kubectl(["apply", "-k", overlay]);
}

function replicaOf(name: string, port: number, probePort: number, process: ControlledProcess): Replica {
  return {
    name,
    port,
    probePort,
    process,
    logs: () =>
      process
        .logs()
        .split("\n")
        .flatMap((line): JsonObject[] => {
          if (!line.startsWith("{")) return [];
          const value = load(line);
          return isObject(value) ? [value] : [];
        }),
    async readyz() {
      const { status, text } = await ask(probePort, "/readyz");
      return { status, body: JSON.parse(text) as JsonObject };
    },
    metrics: async () => (await ask(probePort, "/metrics")).text,
  };
}

function ask(port: number, path: string): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((settle, reject) => {
    get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => settle({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }));
    }).on("error", reject);
  });
}
