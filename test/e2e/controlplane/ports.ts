import { createServer, type Server } from "node:net";

/** Below the range from which the system hands out ports of outgoing connections, so that none of those takes one in between. */
const FIRST = 20_000;
const LAST = 32_000;

/** Ports of the loopback interface that nothing listens on at this moment. Another process may be faster: callers try again. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const servers = new Map<number, Server>();
  try {
    while (servers.size < count) {
      const port = FIRST + Math.floor(Math.random() * (LAST - FIRST));
      const server = servers.has(port) ? undefined : await listening(port);
      if (server !== undefined) servers.set(port, server);
    }
    return [...servers.keys()];
  } finally {
    await Promise.all([...servers.values()].map((server) => new Promise((resolve) => server.close(resolve))));
  }
}

function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}
