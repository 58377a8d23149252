import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type JsonObject, stringAt } from "../../../src/model/index.ts";
import { type Api, createApi, readJsonLines } from "./api.ts";
import { ensureBinaries } from "./build.ts";
import { type Authority, createAuthority } from "./certificates.ts";
import * as commands from "./commands.ts";
import { type Files, writeFiles } from "./files.ts";
import { kubeconfigText } from "./kubeconfig.ts";
import { runKubectl } from "./kubectl.ts";
import { freePorts } from "./ports.ts";
import { createProcesses, type Processes } from "./processes.ts";
import { answersOk } from "./ready.ts";
import type { ControlPlane, ControlPlaneOptions, Identity } from "./types.ts";

const ATTEMPTS = 3;
const TOKEN_SECONDS = 86_400;

/**
 * A Kubernetes control plane on free loopback ports: etcd, kube-apiserver with RBAC, kube-controller-manager, kube-scheduler, and kwok as every node's
 * kubelet. It is ready when it returns, and nothing is left of it after `stop`, or after the end of this process, whatever ended it.
 * Throws where the programs cannot be built, or with the tail of the log of what did not start.
 */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const programs = await ensureBinaries(["etcd", "kubernetes", ...(options.kwok === false ? [] : ["kwok"])]);
  for (let attempt = 1; ; attempt += 1) {
    const processes = await createProcesses();
    try {
      return await startIn(processes, programs, options);
    } catch (fault) {
      await processes.end();
      // Somebody else took a port between our look and the start.
      if (attempt < ATTEMPTS && String(fault).includes("address already in use")) continue;
      throw fault;
    }
  }
}

async function startIn(
  processes: Processes,
  programs: ReadonlyMap<string, string>,
  options: ControlPlaneOptions,
): Promise<ControlPlane> {
  const { dir } = processes;
  const [etcd = 0, peer = 0, apiserver = 0, controllerManager = 0, scheduler = 0, kwok = 0] = await freePorts(6);
  const ports = { etcd, peer, apiserver, controllerManager, scheduler, kwok };
  const server = `https://127.0.0.1:${apiserver}`;
  const token = randomBytes(24).toString("hex");
  const authority = await createAuthority();
  const files = await writeFiles(dir, server, authority, token);
  const setting: commands.Setting = { dir, programs, ports, files, options };
  const { ca } = authority;

  await processes.start("etcd", commands.etcd(setting), () => answersOk(`http://127.0.0.1:${etcd}/health`));
  await processes.start("kube-apiserver", commands.apiserver(setting), () => answersOk(`${server}/readyz`, ca, token));
  const api = createApi(server, ca, token);
  const rest: Promise<unknown>[] = [];
  if (options.controllerManager !== false)
    rest.push(
      processes.start("kube-controller-manager", commands.controllerManager(setting), async () => {
        const healthy = await answersOk(`https://127.0.0.1:${controllerManager}/healthz`);
        // Pods are refused until their namespace has its service account.
        return healthy && (await api.ask("GET", "/api/v1/namespaces/default/serviceaccounts/default")).status === 200;
      }),
    );
  if (options.scheduler !== false)
    rest.push(
      processes.start("kube-scheduler", await commands.scheduler(setting), () =>
        answersOk(`https://127.0.0.1:${scheduler}/readyz`),
      ),
    );
  if (options.kwok !== false)
    rest.push(
      processes.start("kwok", await commands.kwok(setting), () => answersOk(`http://127.0.0.1:${kwok}/healthz`)),
    );
  try {
    await Promise.all(rest);
  } catch (fault) {
    api.close();
    await Promise.allSettled(rest);
    throw fault;
  }
  return controlPlane({ processes, programs, server, authority, files, api });
}

function controlPlane(parts: {
  readonly processes: Processes;
  readonly programs: ReadonlyMap<string, string>;
  readonly server: string;
  readonly authority: Authority;
  readonly files: Files;
  readonly api: Api;
}): ControlPlane {
  const { processes, programs, server, authority, files, api } = parts;
  const { dir } = processes;
  const { ca } = authority;
  const kubectlPath = programs.get("kubectl") ?? "";
  let serial = 0;

  const credentialsFor = async (identity: Identity) => {
    if ("user" in identity) return authority.client(identity.user, identity.groups ?? []);
    const { namespace, name } = identity.serviceAccount;
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const request: JsonObject = {
      apiVersion: "authentication.k8s.io/v1",
      kind: "TokenRequest",
      spec: { expirationSeconds: TOKEN_SECONDS },
    };
    return { token: stringAt(await api.send("POST", path, request), ["status", "token"]) ?? "" };
  };

  return {
    dir,
    server,
    ca,
    kubeconfig: files.admin,
    kubectlPath,
    api,
    kubectl: (args, options = {}) =>
      runKubectl(kubectlPath, args, { ...options, home: dir, kubeconfig: options.kubeconfig ?? files.admin }),
    async kubeconfigFor(identity) {
      const user =
        "user" in identity ? identity.user : `${identity.serviceAccount.namespace}-${identity.serviceAccount.name}`;
      const text = kubeconfigText({ server, ca, user, credentials: await credentialsFor(identity) });
      serial += 1;
      const file = join(dir, "kubeconfigs", `user-${serial}`);
      await writeFile(file, text, { mode: 0o600 });
      return file;
    },
    process(name) {
      const found = processes.get(name);
      if (found === undefined) throw new Error(`this control plane was started without ${name}`);
      return found;
    },
    run: (name, command, ready = async () => true) => processes.start(name, command, ready),
    auditLog: () => readJsonLines(files.auditLog),
    async stop() {
      api.close();
      await processes.end();
    },
  };
}
