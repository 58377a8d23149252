import { type ClientRequest, Agent as PlainAgent } from "node:http";
import { Agent, type RequestOptions } from "node:https";
import { isObject, type JsonObject, stringAt } from "../model/index.ts";
import { type Clock, jittered } from "./clock.ts";
import type { Credentials } from "./credentials.ts";
import { type Answer, type Exchange, open, readBody } from "./exchange.ts";
import { KubeFault, reasonOf } from "./fault.ts";
import { linesOf } from "./lines.ts";

/** As many requests as run side by side; watches have connections of their own, so they cannot starve a request. */
const MAX_SOCKETS = 8;
const MAX_ATTEMPTS = 4;
const MAX_RETRY_AFTER_MS = 10_000;

export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** With its query, below the server's address. */
  readonly path: string;
  readonly accept: string;
  readonly body?: { readonly type: string; readonly json: JsonObject };
}

export interface Streaming {
  readonly path: string;
  readonly accept: string;
  /** Without a byte for this long it is broken off. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** The server has taken the request. */
  readonly opened: () => void;
}

export interface Transport {
  /**
   * The JSON object that the server answers with. A refusal is thrown as KubeFault. Reads that the server turns away for the moment (429, 503)
   * with Retry-After are sent again, a few times; writes never are.
   */
  send(call: Call): Promise<JsonObject>;
  /** The lines of an answer that goes on, until the server ends it or the signal aborts. Throws KubeFault. */
  lines(call: Streaming): AsyncGenerator<string, void, undefined>;
  close(): void;
}

export function createTransport(credentials: Credentials, timeoutMs: number, clock: Clock): Transport {
  const { server, context } = credentials;
  const agents = {
    "https:": { send: new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS }), stream: new Agent() },
    "http:": { send: new PlainAgent({ keepAlive: true, maxSockets: MAX_SOCKETS }), stream: new PlainAgent() },
  };
  const pending = new Set<ClientRequest>();
  let closed = false;
  let refused = false;
  const unreachable = (fault: unknown) => new KubeFault(`${server} cannot be reached: ${reasonOf(fault)}`);

  async function start(call: Call, use: "send" | "stream", fresh: boolean): Promise<Exchange> {
    const url = address(server, call.path);
    const own = await credentials.options(fresh || refused);
    refused = false;
    if (closed) throw new KubeFault(`the connection to ${server} was closed`);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body.json);
    const options: RequestOptions = {
      ...own,
      ...(own.agent === undefined ? { agent: agents[url.protocol === "http:" ? "http:" : "https:"][use] } : {}),
      method: call.method,
      headers: {
        ...own.headers,
        Accept: call.accept,
        // The API server packs no watch, and what stands before it must not hold events back to pack them.
        "Accept-Encoding": use === "send" ? "gzip" : "identity",
        "User-Agent": "plimsoll",
        ...(body === undefined
          ? {}
          : { "Content-Type": call.body?.type, "Content-Length": String(Buffer.byteLength(body)) }),
      },
    };
    let exchange: Exchange;
    try {
      exchange = open(url, options, body);
    } catch (fault) {
      // Such as a token with a character that no header takes.
      throw unreachable(fault);
    }
    pending.add(exchange.request);
    exchange.request.on("close", () => pending.delete(exchange.request));
    return exchange;
  }

  async function attempt(call: Call, what: string, fresh: boolean): Promise<Answer> {
    const { request, head } = await start(call, "send", fresh);
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      request.destroy(new Error("late"));
    }, timeoutMs);
    try {
      return await readBody(await head, what);
    } catch (fault) {
      if (fault instanceof KubeFault) throw fault;
      if (late)
        throw new KubeFault(`${server} did not answer within ${timeoutMs / 1000} s to ${call.method} ${call.path}`);
      // The server closed a kept connection at the moment we used it.
      if (call.method === "GET" && request.reusedSocket && codeOf(fault) === "ECONNRESET" && !closed)
        return await attempt(call, what, fresh);
      throw unreachable(fault);
    } finally {
      clearTimeout(timer);
    }
  }

  return {
    async send(call) {
      const what = `${server} answered ${call.method} ${call.path.replace(/\?.*/s, "")}`;
      let fresh = false;
      for (let attempts = 1; ; attempts += 1) {
        const answer = await attempt(call, what, fresh);
        const body = parsed(answer.text);
        if (answer.status >= 200 && answer.status < 300 && body !== undefined) return body;
        const fault = refusal(answer, body, what, context);
        // Whoever is refused by name has changed nothing, so this holds for writes too: the token may be a new one by now.
        if (answer.status === 401 && !fresh) {
          fresh = true;
          continue;
        }
        const busy = (answer.status === 429 || answer.status === 503) && fault.retryAfterMs !== undefined;
        if (call.method !== "GET" || !busy || attempts >= MAX_ATTEMPTS || closed) throw fault;
        await clock.sleep(jittered(Math.min(fault.retryAfterMs, MAX_RETRY_AFTER_MS), clock));
      }
    },

    async *lines({ path, accept, idleMs, signal, opened }) {
      if (signal.aborted) return;
      const what = `the watch of ${server}${path.replace(/\?.*/s, "")}`;
      const call: Call = { method: "GET", path, accept };
      const { request, head } = await start(call, "stream", false);
      const stop = () => request.destroy();
      signal.addEventListener("abort", stop);
      if (signal.aborted) stop();
      let silent = false;
      const timer = setTimeout(() => {
        silent = true;
        request.destroy(new Error("silent"));
      }, idleMs);
      try {
        const response = await head;
        if (response.statusCode !== 200) {
          const asked = `${server} answered the watch of ${path.replace(/\?.*/s, "")}`;
          const answer = await readBody(response, asked);
          refused = answer.status === 401;
          throw refusal(answer, parsed(answer.text), asked, context);
        }
        opened();
        const chunks = async function* (): AsyncGenerator<Buffer, void, undefined> {
          for await (const chunk of response) {
            timer.refresh();
            yield chunk as Buffer;
          }
        };
        yield* linesOf(chunks(), what);
      } catch (fault) {
        if (signal.aborted) return;
        if (silent) throw new KubeFault(`${what} was silent for ${idleMs / 1000} s, so it counts as dead`);
        throw fault instanceof KubeFault ? fault : new KubeFault(`${what} broke off: ${reasonOf(fault)}`);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener("abort", stop);
        request.destroy();
      }
    },

    close() {
      closed = true;
      for (const request of pending) request.destroy(new Error("closed"));
      for (const { send, stream } of Object.values(agents)) {
        send.destroy();
        stream.destroy();
      }
    },
  };
}

function address(server: string, path: string): URL {
  try {
    return new URL(`${server}${path}`);
  } catch {
    throw new KubeFault(`the kubeconfig's server ${server} is not an address such as https://host:6443`);
  }
}

function codeOf(fault: unknown): string | undefined {
  return fault instanceof Error && "code" in fault && typeof fault.code === "string" ? fault.code : undefined;
}

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The API server says why in a Status; what stands before it (a proxy, a login page) says what it likes. */
function refusal(answer: Answer, body: JsonObject | undefined, what: string, context: string): KubeFault {
  const { status } = answer;
  const seconds = /^\d{1,6}$/.test(answer.retryAfter ?? "") ? Number(answer.retryAfter) : undefined;
  const reason = stringAt(body, ["reason"]);
  const details = {
    status,
    ...(reason === undefined ? {} : { reason }),
    ...(seconds === undefined ? {} : { retryAfterMs: seconds * 1000 }),
  };
  if (status === 401)
    return new KubeFault(`${what} with 401: it does not take the credentials of context ${context}`, details);
  const said = stringAt(body, ["message"]);
  if (said !== undefined) return new KubeFault(`${what} with ${status}: ${reasonOf(said)}`, details);
  return new KubeFault(`${what} with ${status} and no Status of the Kubernetes API; is this the API server?`, details);
}
