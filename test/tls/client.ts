import { Agent, type RequestOptions, request } from "node:https";
import { connect, type PeerCertificate } from "node:tls";

export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** One POST over TLS, as the API server sends it. */
export function post(url: string, body: string | Buffer, options: RequestOptions): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      {
        method: "POST",
        headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body) },
        ...options,
      },
      (reply) => {
        const chunks: Buffer[] = [];
        reply.on("data", (chunk: Buffer) => chunks.push(chunk));
        reply.on("end", () =>
          resolve({
            status: reply.statusCode ?? 0,
            headers: reply.headers,
            text: Buffer.concat(chunks).toString("utf8"),
          }),
        );
        reply.on("error", reject);
      },
    );
    call.on("error", reject);
    call.end(body);
  });
}

export const agentFor = (ca: string | undefined) => new Agent({ keepAlive: true, ca, maxSockets: 4 });

/** The certificate that a new handshake is shown. */
export function peerCertificate(url: string): Promise<PeerCertificate> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate());
      socket.end();
    });
    socket.on("error", reject);
  });
}
