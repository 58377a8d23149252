import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { JsonObject } from "../../src/model/index.ts";

const PAGE = 500;

/** One collection: objects are made when they are asked for, so that this process stays small whatever the cluster's size. */
export interface Collection {
  readonly path: string;
  readonly kind: string;
  readonly plural: string;
  readonly group: string;
  readonly version: string;
  readonly size: number;
  readonly at: (index: number) => JsonObject;
}

export interface SyntheticServer {
  readonly address: string;
  /** Sends events to whoever watches the collection; settles when the socket took them. */
  push(path: string, events: readonly JsonObject[]): Promise<void>;
  close(): Promise<void>;
}

/** Lists in pages and watches of an API server, over plain HTTP, as far as a client that only reads can tell. */
export async function syntheticServer(collections: readonly Collection[]): Promise<SyntheticServer> {
  const byPath = new Map(collections.map((one) => [one.path, one]));
  const watchers = new Map<string, Set<ServerResponse>>();

  const json = (response: ServerResponse, body: unknown, status = 200): void => {
    response.writeHead(status, { "Content-Type": "application/json" });
    response.end(JSON.stringify(body));
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://server");
    const collection = byPath.get(url.pathname);
    if (collection !== undefined && url.searchParams.get("watch") !== null) {
      response.writeHead(200, { "Content-Type": "application/json" });
      response.flushHeaders();
      const list = watchers.get(url.pathname) ?? new Set();
      watchers.set(url.pathname, list.add(response));
      response.on("close", () => list.delete(response));
      return;
    }
    if (collection !== undefined) {
      json(response, page(collection, Number(url.searchParams.get("continue") ?? 0)));
      return;
    }
    const found = discovery(url.pathname, collections);
    json(response, found ?? { kind: "Status", status: "Failure", code: 404, message: "not found" }, found ? 200 : 404);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async push(path, events) {
      const text = events.map((event) => `${JSON.stringify(event)}\n`).join("");
      for (const watcher of watchers.get(path) ?? []) if (!watcher.write(text)) await once(watcher, "drain");
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

function page({ kind, group, version, size, at }: Collection, from: number): JsonObject {
  const to = Math.min(size, from + PAGE);
  return {
    kind: `${kind}List`,
    apiVersion: group === "" ? version : `${group}/${version}`,
    metadata: { resourceVersion: "1000", ...(to < size ? { continue: String(to) } : {}) },
    items: Array.from({ length: to - from }, (_, index) => at(from + index)),
  };
}

function discovery(path: string, collections: readonly Collection[]): JsonObject | undefined {
  const groups = new Map<string, Set<string>>();
  for (const { group, version } of collections) groups.set(group, (groups.get(group) ?? new Set()).add(version));
  if (path === "/version") return { major: "1", minor: "37", gitVersion: "v1.37.2" };
  if (path === "/api") return { kind: "APIVersions", versions: ["v1"] };
  if (path === "/apis")
    return {
      kind: "APIGroupList",
      groups: [...groups]
        .filter(([name]) => name !== "")
        .map(([name, versions]) => {
          const listed = [...versions].map((version) => ({ groupVersion: `${name}/${version}`, version }));
          return { name, versions: listed, preferredVersion: listed[0] ?? {} };
        }),
    };
  const resources = collections.filter(
    ({ group, version }) => path === (group === "" ? `/api/${version}` : `/apis/${group}/${version}`),
  );
  if (resources.length === 0) return undefined;
  return {
    kind: "APIResourceList",
    resources: resources.map(({ plural, kind }) => ({
      name: plural,
      kind,
      namespaced: true,
      verbs: ["list", "watch"],
    })),
  };
}
