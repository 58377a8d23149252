import { request as plainRequest } from "node:http";
import { request as tlsRequest } from "node:https";

const TIMEOUT_MS = 2_000;

/** Is a probe of a loopback server answered with 200. `ca` absent: the certificate is the server's own, and not looked at. */
export function answersOk(url: string, ca?: string, token?: string): Promise<boolean> {
  return new Promise((resolve) => {
    const plain = url.startsWith("http:");
    const options = {
      timeout: TIMEOUT_MS,
      agent: false as const,
      headers: token === undefined ? {} : { Authorization: `Bearer ${token}` },
    };
    const trust = ca === undefined ? { rejectUnauthorized: false } : { ca };
    const call = plain ? plainRequest(url, options) : tlsRequest(url, { ...options, ...trust });
    call.on("response", (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    call.on("timeout", () => call.destroy());
    call.on("error", () => resolve(false));
    call.end();
  });
}
