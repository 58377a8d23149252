import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { join } from "node:path";

/** As in package.json (a test compares them): the bundle carries no package.json. */
export const VERSION = "0.1.0";

/** Everything that flags and the environment decide about `plimsoll serve`. This file is the only reader of the environment. */
export interface ServeConfig {
  readonly host: string;
  readonly port: number;
  readonly probePort: number;
  readonly policies: string;
  readonly platform: string | undefined;
  readonly cluster: readonly string[];
  /** Follow a live cluster through its API server; absent: files, or nothing. */
  readonly live: LiveConfig | undefined;
  readonly certificate:
    | { readonly kind: "files"; readonly cert: string; readonly key: string; readonly ca: string | undefined }
    | { readonly kind: "local"; readonly folder: string };
  readonly maxSteps: number;
  readonly drainMs: number;
  readonly logLevel: string;
}

export interface LiveConfig {
  /** Default: as kubectl finds it, then the service account of the pod. */
  readonly kubeconfig: string | undefined;
  readonly context: string | undefined;
  /** Reconcile companions, webhook configurations and events, where this replica holds the lease. */
  readonly controller: boolean;
  /** Where the lease is, and the Service that the webhooks are reached by. */
  readonly namespace: string;
  /** Of this replica, in the lease. */
  readonly identity: string;
  /** How long a claim or pod template stays that nothing names any more. */
  readonly companionGraceMs: number;
  /** Verdicts are unknown once the watches have been silent for longer. */
  readonly staleMs: number;
}

/** Flags as the command line gives them: text, or absent. */
export type ServeFlags = Readonly<
  Partial<
    Record<
      | "host"
      | "port"
      | "probePort"
      | "policies"
      | "platform"
      | "tlsCert"
      | "tlsKey"
      | "tlsCa"
      | "certs"
      | "maxSteps"
      | "drain"
      | "logLevel"
      | "kubeconfig"
      | "context"
      | "namespace"
      | "identity"
      | "staleAfter"
      | "companionGrace",
      string
    >
  >
> & {
  readonly cluster?: readonly string[];
  readonly live?: boolean;
  readonly controller?: boolean;
};

export class ConfigFault extends Error {
  override readonly name = "ConfigFault";
}

type Environment = Readonly<Record<string, string | undefined>>;

export const DEFAULT_PORT = 8443;
export const DEFAULT_PROBE_PORT = 8080;
export const DEFAULT_NAMESPACE = "plimsoll-system";
export const DEFAULT_MAX_STEPS = 200_000;
/** A watch may be silent for 75 s while all is well: the API server sends a sign of life each minute only where anything is written. */
export const MIN_STALE_SECONDS = 90;
const LOG_LEVELS = ["trace", "debug", "info", "warn", "error", "silent"];

/** A flag wins over its variable (`--probe-port`, `PLIMSOLL_PROBE_PORT`). Throws ConfigFault with what was wrong. */
export function serveConfig(flags: ServeFlags, environment: Environment = process.env): ServeConfig {
  const variable = (name: string) => environment[`PLIMSOLL_${name}`] || undefined;
  const cert = flags.tlsCert ?? variable("TLS_CERT");
  const key = flags.tlsKey ?? variable("TLS_KEY");
  if ((cert === undefined) !== (key === undefined)) {
    throw new ConfigFault(
      `--tls-${cert === undefined ? "cert" : "key"} is missing: the certificate and its key are given together, or neither`,
    );
  }
  const folder = flags.certs ?? variable("CERTS") ?? "certs";
  const cluster = flags.cluster ?? variable("CLUSTER")?.split(",") ?? [];
  const live = liveConfig(flags, variable);
  if (live !== undefined && cluster.length > 0)
    throw new ConfigFault("--cluster names files and --live a cluster to follow: give one of them");
  const logLevel = flags.logLevel ?? variable("LOG_LEVEL") ?? "info";
  if (!LOG_LEVELS.includes(logLevel))
    throw new ConfigFault(`--log-level ${logLevel}: expected one of ${LOG_LEVELS.join(", ")}`);
  return {
    host: flags.host ?? variable("HOST") ?? "0.0.0.0",
    port: integer("--port", flags.port ?? variable("PORT"), DEFAULT_PORT, 0, 65_535),
    probePort: integer("--probe-port", flags.probePort ?? variable("PROBE_PORT"), DEFAULT_PROBE_PORT, 0, 65_535),
    policies: flags.policies ?? variable("POLICIES") ?? "policies",
    platform: flags.platform ?? variable("PLATFORM"),
    cluster,
    live,
    certificate:
      cert !== undefined && key !== undefined
        ? { kind: "files", cert, key, ca: flags.tlsCa ?? variable("TLS_CA") }
        : { kind: "local", folder: join(folder) },
    maxSteps: integer("--max-steps", flags.maxSteps ?? variable("MAX_STEPS"), DEFAULT_MAX_STEPS, 1, 100_000_000),
    drainMs: 1000 * integer("--drain", flags.drain ?? variable("DRAIN"), 8, 0, 300),
    logLevel,
  };
}

function liveConfig(flags: ServeFlags, variable: (name: string) => string | undefined): LiveConfig | undefined {
  const kubeconfig = flags.kubeconfig ?? variable("KUBECONFIG");
  const asked = flags.live === true || variable("LIVE") === "true" || kubeconfig !== undefined;
  if (!asked) {
    const stray = (["context", "namespace", "identity", "staleAfter", "companionGrace"] as const).find(
      (name) => flags[name],
    );
    if (stray !== undefined)
      throw new ConfigFault(
        `--${stray.replace(/[A-Z]/, (letter) => `-${letter.toLowerCase()}`)} is of use only with --live or --kubeconfig`,
      );
    return undefined;
  }
  return {
    kubeconfig,
    context: flags.context ?? variable("CONTEXT"),
    controller: flags.controller !== false && variable("CONTROLLER") !== "false",
    namespace: flags.namespace ?? variable("NAMESPACE") ?? DEFAULT_NAMESPACE,
    identity: flags.identity ?? variable("IDENTITY") ?? `${hostname()}-${randomUUID().slice(0, 8)}`,
    companionGraceMs:
      1000 * integer("--companion-grace", flags.companionGrace ?? variable("COMPANION_GRACE"), 600, 0, 86_400),
    staleMs: 1000 * staleSeconds(flags.staleAfter ?? variable("STALE_AFTER")),
  };
}

/** Colour only on a terminal, and not where NO_COLOR is set. */
export function wantsColour(
  stream: { readonly isTTY?: boolean | undefined },
  environment: Environment = process.env,
): boolean {
  if (environment["NO_COLOR"] !== undefined && environment["NO_COLOR"] !== "") return false;
  return stream.isTTY === true;
}

function staleSeconds(text: string | undefined): number {
  const seconds = integer("--stale-after", text, 120, 1, 3600);
  if (seconds < MIN_STALE_SECONDS)
    throw new ConfigFault(
      `--stale-after ${seconds}: expected at least ${MIN_STALE_SECONDS} seconds, since the watches of a quiet cluster may rightly be silent for more than a minute, and verdicts would be unknown again and again`,
    );
  return seconds;
}

function integer(name: string, text: string | undefined, otherwise: number, min: number, max: number): number {
  if (text === undefined) return otherwise;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= min && value <= max))
    throw new ConfigFault(`${name} ${text}: expected a whole number from ${min} to ${max}`);
  return value;
}
