import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseAllDocuments, stringify } from "yaml";
import { isObject, type JsonObject, objectAt } from "../../../src/model/index.ts";
import type { Programs } from "./build.ts";
import type { Files } from "./files.ts";
import type { Command } from "./processes.ts";
import type { ControlPlaneOptions, KwokOptions } from "./types.ts";

const STAGES = join(import.meta.dirname, "stages");
/** Clients inside the control plane are not what a test waits for. */
const QPS = 2000;

export interface Ports {
  readonly etcd: number;
  readonly peer: number;
  readonly apiserver: number;
  readonly controllerManager: number;
  readonly scheduler: number;
  readonly kwok: number;
}

export interface Setting {
  readonly dir: string;
  readonly programs: Programs;
  readonly ports: Ports;
  readonly files: Files;
  readonly options: ControlPlaneOptions;
}

function command(programs: Programs, name: string, args: readonly (string | undefined)[]): Command {
  const file = programs.get(name);
  if (file === undefined) throw new Error(`there is no program ${name}`);
  return { file, args: args.filter((arg) => arg !== undefined) };
}

export function etcd({ dir, programs, ports }: Setting): Command {
  const client = `http://127.0.0.1:${ports.etcd}`;
  const peer = `http://127.0.0.1:${ports.peer}`;
  return command(programs, "etcd", [
    `--data-dir=${join(dir, "etcd")}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    "--quota-backend-bytes=8589934592",
    "--unsafe-no-fsync",
    "--log-level=warn",
  ]);
}

export function apiserver({ dir, programs, ports, files, options }: Setting): Command {
  return command(programs, "kube-apiserver", [
    `--etcd-servers=http://127.0.0.1:${ports.etcd}`,
    "--bind-address=127.0.0.1",
    `--secure-port=${ports.apiserver}`,
    // Nothing in the cluster connects to it; a loopback address would be refused.
    "--advertise-address=192.0.2.1",
    "--endpoint-reconciler-type=none",
    `--cert-dir=${join(dir, "apiserver")}`,
    `--tls-cert-file=${files.serverCert}`,
    `--tls-private-key-file=${files.serverKey}`,
    `--client-ca-file=${files.ca}`,
    `--token-auth-file=${files.tokens}`,
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc",
    `--service-account-key-file=${files.serviceAccountPublic}`,
    `--service-account-signing-key-file=${files.serviceAccountPrivate}`,
    "--service-cluster-ip-range=10.96.0.0/16",
    "--max-requests-inflight=2000",
    "--max-mutating-requests-inflight=1000",
    ...(options.audit === true
      ? [`--audit-policy-file=${files.auditPolicy}`, `--audit-log-path=${files.auditLog}`, "--audit-log-mode=blocking"]
      : []),
    options.runtimeConfig === undefined ? undefined : `--runtime-config=${options.runtimeConfig}`,
    ...shared(options),
    ...(options.apiserverArgs ?? []),
  ]);
}

export function controllerManager({ dir, programs, ports, files, options }: Setting): Command {
  const { controllerManager: asked } = options;
  return command(programs, "kube-controller-manager", [
    ...client(files.kubeconfigOf("kube-controller-manager"), ports.controllerManager),
    `--kubeconfig=${files.kubeconfigOf("kube-controller-manager")}`,
    "--leader-elect=false",
    // Each controller is a user of its own, as in a real cluster: webhooks see who asks.
    "--use-service-account-credentials=true",
    `--service-account-private-key-file=${files.serviceAccountPrivate}`,
    `--root-ca-file=${files.ca}`,
    // The second annotates nodes for kubelets, which there are none of.
    "--controllers=*,-node-ipam-controller,-ttl-controller",
    "--node-monitor-period=1s",
    // On a busy machine kwok may renew leases late, and that is no lost node.
    "--node-monitor-grace-period=300s",
    // It makes this folder where it is missing.
    `--flex-volume-plugin-dir=${join(dir, "flexvolume")}`,
    `--kube-api-qps=${QPS}`,
    `--kube-api-burst=${QPS}`,
    ...shared(options),
    ...(typeof asked === "object" ? asked.args : []),
  ]);
}

export async function scheduler({ dir, programs, ports, files, options }: Setting): Promise<Command> {
  const { scheduler: asked } = options;
  const kubeconfig = files.kubeconfigOf("kube-scheduler");
  const own: JsonObject = {
    apiVersion: "kubescheduler.config.k8s.io/v1",
    kind: "KubeSchedulerConfiguration",
    leaderElection: { leaderElect: false },
    ...(typeof asked === "object" ? asked.config : {}),
  };
  const config = join(dir, "scheduler.yaml");
  const clientConnection = { kubeconfig, qps: QPS, burst: QPS, ...objectAt(own, ["clientConnection"]) };
  await writeFile(config, stringify({ ...own, clientConnection }));
  return command(programs, "kube-scheduler", [
    `--config=${config}`,
    ...client(kubeconfig, ports.scheduler),
    ...shared(options),
  ]);
}

export async function kwok({ dir, programs, ports, files, options }: Setting): Promise<Command> {
  const asked: KwokOptions = typeof options.kwok === "object" ? options.kwok : {};
  const stages = ["node.yaml", "pod.yaml", "volume.yaml"].map((name) => join(STAGES, name));
  if (asked.jobsCompleteAfterMs !== undefined)
    stages.push(await withDelay(join(STAGES, "job.yaml"), asked.jobsCompleteAfterMs, dir));
  const config = join(dir, "kwok.yaml");
  await writeFile(config, stringify(KWOK));
  return command(programs, "kwok", [
    `--kubeconfig=${files.kubeconfigOf("kwok")}`,
    `--server-address=127.0.0.1:${ports.kwok}`,
    ...[config, ...stages, ...(asked.stages ?? [])].map((file) => `--config=${file}`),
  ]);
}

/** Its defaults suit a few hundred nodes. */
const KWOK: JsonObject = {
  apiVersion: "config.kwok.x-k8s.io/v1alpha1",
  kind: "KwokConfiguration",
  options: {
    manageAllNodes: true,
    // Renewed four times as often: a thousand nodes at the kubelet's own pace would keep a small machine busy.
    nodeLeaseDurationSeconds: 160,
    nodeLeaseParallelism: 16,
    nodePlayStageParallelism: 16,
    podPlayStageParallelism: 16,
    enablePodsOnNodeSyncListPager: false,
    enablePodsOnNodeSyncStreamWatch: true,
    cidr: "10.128.0.0/9",
  },
};

/** A copy of a stage file whose stages take effect after a delay. */
async function withDelay(file: string, durationMilliseconds: number, dir: string): Promise<string> {
  const stages = parseAllDocuments(await readFile(file, "utf8")).map((one) => one.toJS() as unknown);
  const delayed = stages.filter(isObject).map((stage) => ({
    ...stage,
    spec: { ...objectAt(stage, ["spec"]), delay: { durationMilliseconds } },
  }));
  const copy = join(dir, "job-stage.yaml");
  await writeFile(copy, delayed.map((stage) => stringify(stage)).join("---\n"));
  return copy;
}

/** Serving and delegated authentication of scheduler and controller manager. */
function client(kubeconfig: string, port: number): readonly string[] {
  return [
    "--bind-address=127.0.0.1",
    `--secure-port=${port}`,
    `--authentication-kubeconfig=${kubeconfig}`,
    `--authorization-kubeconfig=${kubeconfig}`,
    "--authentication-skip-lookup",
  ];
}

function shared({ emulatedVersion, featureGates }: ControlPlaneOptions): readonly string[] {
  const gates = Object.entries(featureGates ?? {}).map(([gate, on]) => `${gate}=${on}`);
  return [
    ...(emulatedVersion === undefined ? [] : [`--emulated-version=${emulatedVersion}`]),
    ...(gates.length === 0 ? [] : [`--feature-gates=${gates.join(",")}`]),
  ];
}
