import { readFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { isObject, type JsonObject, stringAt } from "../../../src/model/index.ts";

export interface Answer {
  readonly status: number;
  /** Empty where the body is no JSON object. */
  readonly body: JsonObject;
  readonly text: string;
}

/** The API of one server over a pool of connections: for tests that make many objects, or look at raw answers. */
export interface Api {
  /** Whatever is answered is returned; throws only where nothing is. */
  ask(method: string, path: string, body?: JsonObject, contentType?: string): Promise<Answer>;
  /** Throws unless the status is 2xx. */
  send(method: string, path: string, body?: JsonObject, contentType?: string): Promise<JsonObject>;
  close(): void;
}

const MAX_SOCKETS = 32;
const TIMEOUT_MS = 60_000;

export function createApi(server: string, ca: string, token: string): Api {
  const agent = new Agent({ keepAlive: true, maxSockets: MAX_SOCKETS, ca });
  const api: Api = {
    ask: (method, path, body, contentType = "application/json") =>
      new Promise((resolve, reject) => {
        const text = body === undefined ? undefined : JSON.stringify(body);
        const call = request(
          `${server}${path}`,
          {
            method,
            agent,
            timeout: TIMEOUT_MS,
            headers: {
              Authorization: `Bearer ${token}`,
              Accept: "application/json",
              ...(text === undefined ? {} : { "Content-Type": contentType, "Content-Length": Buffer.byteLength(text) }),
            },
          },
          (response) => {
            const chunks: Buffer[] = [];
            response.on("data", (chunk: Buffer) => chunks.push(chunk));
            response.on("error", reject);
            response.on("end", () =>
              resolve(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"))),
            );
          },
        );
        call.on("timeout", () => call.destroy(new Error(`${method} ${path}: no answer within ${TIMEOUT_MS / 1000} s`)));
        call.on("error", reject);
        call.end(text);
      }),
    async send(method, path, body, contentType) {
      const answer = await api.ask(method, path, body, contentType);
      if (answer.status >= 200 && answer.status < 300) return answer.body;
      throw new Error(`${method} ${path}: ${answer.status} ${stringAt(answer.body, ["message"]) ?? answer.text}`);
    },
    close: () => agent.destroy(),
  };
  return api;
}

function answerOf(status: number, text: string): Answer {
  try {
    const body: unknown = JSON.parse(text);
    return { status, body: isObject(body) ? body : {}, text };
  } catch {
    return { status, body: {}, text };
  }
}

/** Lines of JSON; a last line that is still being written is left out. */
export function readJsonLines(file: string): readonly JsonObject[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as JsonObject);
}
