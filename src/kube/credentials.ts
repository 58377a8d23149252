import type { OutgoingHttpHeaders } from "node:http";
import type { RequestOptions } from "node:https";
import { KubeFault, reasonOf } from "./fault.ts";
import type { KubeConfig } from "./kubeconfig.ts";

export interface ConnectOptions {
  /** Default: the files of KUBECONFIG, then ~/.kube/config, then the service account of the pod. */
  readonly kubeconfig?: string;
  /** Default: the current one. */
  readonly context?: string;
  /** How long one request may take, from connecting to the last byte. */
  readonly timeoutMs?: number;
}

/** Where the API server is, and who asks. */
export interface Credentials {
  /** Its address without a trailing slash. */
  readonly server: string;
  readonly context: string;
  /**
   * Options of node:https with CA, client certificate and Authorization, made anew since tokens expire: a token file is read again
   * each minute, a credential plugin is asked when its token ends. `fresh` reads everything again now. Throws KubeFault.
   */
  readonly options: (fresh: boolean) => Promise<RequestOptions>;
}

/** Reads a kubeconfig as kubectl does, credential plugins included. Throws KubeFault. */
export async function readCredentials(from: ConnectOptions): Promise<Credentials> {
  // Loaded on use: the library takes three quarters of a second to import.
  const { KubeConfig } = await import("./kubeconfig.ts");
  const load = () => chosen(new KubeConfig(), from);
  let config = load();
  const context = config.getCurrentContext();
  const cluster = config.getCurrentCluster();
  if (cluster === null)
    throw new KubeFault(`${from.kubeconfig ?? "kubeconfig"}: the cluster of context ${context} is not part of it`);

  const options = async (fresh: boolean): Promise<RequestOptions> => {
    const made: RequestOptions = {};
    try {
      if (fresh) config = load();
      await config.applyToHTTPSOptions(made);
    } catch (fault) {
      throw new KubeFault(`the credentials of context ${context} cannot be used: ${reasonOf(fault)}`);
    }
    // Its agent opens a connection for every request, and is of use only on the way through a proxy.
    if (!cluster.proxyUrl) delete made.agent;
    return { ...made, headers: trimmed(made.headers) };
  };
  return { server: cluster.server.replace(/\/+$/, ""), context, options };
}

/** A token file that a person wrote ends with a newline, which no header takes. */
function trimmed(headers: RequestOptions["headers"]): OutgoingHttpHeaders {
  const entries = Object.entries(headers ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, typeof value === "string" ? value.trim() : value]));
}

/** The configuration with its context chosen. */
function chosen(config: KubeConfig, from: ConnectOptions): KubeConfig {
  const source = from.kubeconfig ?? "kubeconfig";
  try {
    if (from.kubeconfig === undefined) config.loadFromDefault();
    else config.loadFromFile(from.kubeconfig);
  } catch (fault) {
    throw new KubeFault(`${source}: ${reasonOf(fault)}`);
  }
  // What the library makes up where it finds nothing.
  if (from.kubeconfig === undefined && config.getCurrentContext() === "loaded-context")
    throw new KubeFault("no kubeconfig was found: give --kubeconfig FILE, set KUBECONFIG, or write ~/.kube/config");

  const context = from.context ?? config.getCurrentContext();
  if (!context) throw new KubeFault(`${source}: has no current context; give --context NAME`);
  config.setCurrentContext(context);
  if (config.getContextObject(context) === null) {
    const names = config.getContexts().map(({ name }) => name);
    throw new KubeFault(`${source}: has no context ${context}; it has ${names.join(", ") || "none"}`);
  }
  return config;
}
