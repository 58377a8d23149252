import { type ClientRequest, type IncomingMessage, request as plainRequest } from "node:http";
import { type RequestOptions, request as tlsRequest } from "node:https";
import type { Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { KubeFault } from "./fault.ts";

/** One page of the largest objects that etcd takes stays far below. */
const MAX_BODY_BYTES = 256 * 1024 * 1024;

export interface Answer {
  readonly status: number;
  readonly text: string;
  readonly retryAfter: string | undefined;
}

/** A request under way: its head arrives, then somebody reads the body. */
export interface Exchange {
  readonly request: ClientRequest;
  readonly head: Promise<IncomingMessage>;
}

/** Sends it; `head` is rejected with whatever node says. */
export function open(url: URL, options: RequestOptions, body: string | undefined): Exchange {
  const send = url.protocol === "http:" ? plainRequest : tlsRequest;
  const request = send(url, options);
  const head = new Promise<IncomingMessage>((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
  });
  request.end(body);
  return { request, head };
}

/** The whole body, unpacked and bounded. */
export function readBody(response: IncomingMessage, what: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
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
      reject(new KubeFault(`${what} with more than ${MAX_BODY_BYTES} bytes`));
      response.destroy();
    });
    body.on("error", reject);
    body.on("end", () =>
      resolve({
        status: response.statusCode ?? 0,
        text: Buffer.concat(chunks).toString("utf8"),
        retryAfter: response.headers["retry-after"],
      }),
    );
  });
}
