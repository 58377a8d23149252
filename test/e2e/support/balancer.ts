import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** What a Service does for the API server, on one loopback port: passes connections on, bytes as they are. */
export interface Balancer {
  readonly port: number;
  /** New connections go to these ports in turn; to none: they are refused. Open ones stay. */
  route(ports: readonly number[]): void;
  /** Ends the connections that are open, as a node that dies does. */
  cut(): void;
  /** Nothing passes on the connections that are open any more, and they stay open, as where a firewall forgets them. New ones work. */
  hang(): void;
  close(): Promise<void>;
}

export async function startBalancer(): Promise<Balancer> {
  let targets: readonly number[] = [];
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const target = targets[turn++ % Math.max(1, targets.length)];
    if (target === undefined) {
      client.resetAndDestroy();
      return;
    }
    const upstream = connect(target, "127.0.0.1");
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(one);
      one.setNoDelay(true);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        open.delete(one);
        // What it said last still has to arrive.
        other.end();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    route(ports) {
      targets = ports;
    },
    cut() {
      for (const socket of open) socket.destroy();
    },
    hang() {
      for (const socket of open) socket.unpipe().pause();
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
