import { request as plainRequest } from "node:http";
import { Agent, type RequestOptions, request as tlsRequest } from "node:https";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isObject, type JsonObject, stringAt } from "../model/index.ts";
import type { Credentials } from "./credentials.ts";
import { KubeFault, reasonOf } from "./fault.ts";

/** One page of the largest objects that etcd takes stays far below. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

export interface Transport {
  /** GET of a path with query below the server's address. Anything but a JSON object with status 200 is thrown as KubeFault. */
  get(path: string, headers: Readonly<Record<string, string>>): Promise<JsonObject>;
  close(): void;
}

export function createTransport(credentials: Credentials, timeoutMs: number): Transport {
  const { server, context } = credentials;
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const unreachable = (fault: unknown) => new KubeFault(`${server} cannot be reached: ${reasonOf(fault)}`);

  return {
    async get(path, headers) {
      const own = await credentials.options();
      const url = address(server, path);
      const signal = AbortSignal.timeout(timeoutMs);
      const options: RequestOptions = {
        ...own,
        ...(url.protocol === "https:" && own.agent === undefined ? { agent } : {}),
        headers: { ...own.headers, "Accept-Encoding": "gzip", "User-Agent": "plimsoll", ...headers },
        signal,
      };
      let answer: Answer;
      try {
        answer = await exchange(url, options);
      } catch (fault) {
        if (fault instanceof KubeFault) throw fault;
        if (signal.aborted) throw new KubeFault(`${server} did not answer within ${timeoutMs / 1000} s to GET ${path}`);
        throw unreachable(fault);
      }
      const body = parsed(answer.text);
      if (answer.status === 200 && body !== undefined) return body;
      throw refusal(answer, body, `${server} answered GET ${url.pathname}`, context);
    },
    close: () => agent.destroy(),
  };
}

function address(server: string, path: string): URL {
  try {
    return new URL(`${server}${path}`);
  } catch {
    throw new KubeFault(`the kubeconfig's server ${server} is not an address such as https://host:6443`);
  }
}

interface Answer {
  readonly status: number;
  readonly text: string;
}

function exchange(url: URL, options: RequestOptions): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const send = url.protocol === "http:" ? plainRequest : tlsRequest;
    const request = send(url, options, (response) => {
      let body: Readable = response;
      if (response.headers["content-encoding"] === "gzip") {
        body = response.pipe(createGunzip());
        response.on("error", reject);
      }
      const chunks: Buffer[] = [];
      let size = 0;
      body.on("data", (chunk: Buffer) => {
        size += chunk.length;
        chunks.push(chunk);
        if (size <= MAX_BODY_BYTES) return;
        reject(new KubeFault(`${url.host} answered GET ${url.pathname} with more than ${MAX_BODY_BYTES} bytes`));
        request.destroy();
      });
      body.on("error", reject);
      body.on("end", () => resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString("utf8") }));
    });
    request.on("error", reject);
    request.end();
  });
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
  if (status === 401)
    return new KubeFault(`${what} with 401: it does not take the credentials of context ${context}`, status);
  const said = stringAt(body, ["message"]);
  if (said !== undefined) return new KubeFault(`${what} with ${status}: ${reasonOf(said)}`, status);
  return new KubeFault(`${what} with ${status} and no Status of the Kubernetes API; is this the API server?`, status);
}
