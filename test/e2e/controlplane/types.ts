import type { JsonObject } from "../../../src/model/index.ts";
import type { Api } from "./api.ts";
import type { Command } from "./processes.ts";

export type KubernetesVersion = "1.34" | "1.35" | "1.36" | "1.37";

export type ProcessName = "etcd" | "kube-apiserver" | "kube-controller-manager" | "kube-scheduler" | "kwok";

export interface KwokOptions {
  /** Pods of Jobs succeed this long after they began to run; absent: they run until they are deleted. */
  readonly jobsCompleteAfterMs?: number;
  /** Further stage files of kwok. */
  readonly stages?: readonly string[];
}

export interface ControlPlaneOptions {
  /** What the built version behaves as; `/version` tells it as emulationMajor and emulationMinor. */
  readonly emulatedVersion?: KubernetesVersion;
  /** For apiserver, scheduler and controller manager alike. */
  readonly featureGates?: Readonly<Record<string, boolean>>;
  /** As the apiserver's flag: `api/all=true`, `scheduling.k8s.io/v1beta1=true`. */
  readonly runtimeConfig?: string;
  /** false: none. `config`: fields of a KubeSchedulerConfiguration (v1). */
  readonly scheduler?: boolean | { readonly config: JsonObject };
  readonly controllerManager?: boolean | { readonly args: readonly string[] };
  /** false: nodes have no kubelet. */
  readonly kwok?: boolean | KwokOptions;
  readonly apiserverArgs?: readonly string[];
  /** Keep an audit log of every request (metadata only), for `auditLog`. */
  readonly audit?: boolean;
}

/** Groups that every authenticated user has are added by the API server. */
export type Identity =
  | { readonly serviceAccount: { readonly namespace: string; readonly name: string } }
  | { readonly user: string; readonly groups?: readonly string[] };

export interface KubectlOptions {
  readonly stdin?: string;
  /** Path; the administrator's where absent. */
  readonly kubeconfig?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

export interface Output {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** One process of the control plane, or one that was run beside it. */
export interface ControlledProcess {
  /** SIGSTOP: connections stay open and nothing answers. */
  pause(): void;
  resume(): void;
  /** SIGKILL; settles when it is gone. */
  kill(): Promise<void>;
  /** SIGTERM, and SIGKILL after some seconds; settles when it is gone. */
  terminate(): Promise<void>;
  /** Ends it where it runs, starts the same command again, and settles when it is ready. */
  restart(): Promise<void>;
  readonly running: boolean;
  readonly pid: number | undefined;
  /** Everything that it wrote, over all restarts. */
  logs(): string;
}

export interface ControlPlane {
  /** Data, certificates, logs; gone after `stop`. */
  readonly dir: string;
  /** `https://127.0.0.1:PORT` */
  readonly server: string;
  /** PEM. */
  readonly ca: string;
  /** Path of the administrator's (system:masters). */
  readonly kubeconfig: string;
  /** Path of the built kubectl. */
  readonly kubectlPath: string;
  /** Requests as the administrator. */
  readonly api: Api;
  /** Runs the built kubectl, and never throws for what it answers. */
  kubectl(args: readonly string[], options?: KubectlOptions): Promise<Output>;
  /** Path of a kubeconfig for a user by certificate, or for a service account that exists by a token of its own. */
  kubeconfigFor(identity: Identity): Promise<string>;
  process(name: ProcessName): ControlledProcess;
  /** Runs something that belongs to this control plane (a webhook server, an operator): it ends with it, also after a crash of the test. */
  run(name: string, command: Command, ready?: () => Promise<boolean>): Promise<ControlledProcess>;
  /** Requests so far, oldest first, where `audit` was asked for: audit.k8s.io/v1 Events. */
  auditLog(): readonly JsonObject[];
  stop(): Promise<void>;
}
