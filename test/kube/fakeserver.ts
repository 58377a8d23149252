import { mkdtemp, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { stringify } from "yaml";
import { issueKeyPair, type KeyPair } from "../../src/certs/index.ts";
import { type JsonObject, objectAt, stringAt } from "../../src/model/index.ts";

export const TOKEN = "token-of-the-test";

export interface Behaviour {
  /** Objects of the cluster; a collection is served for each group and version that `served` names. */
  readonly objects: readonly JsonObject[];
  /** Collections by base path: `/apis/apps/v1` -> kind by plural. */
  readonly served: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Collections (`/api/v1/pods`) and documents that the caller may not read. */
  readonly forbidden?: readonly string[];
  /** How many lists expire between their first page and their second. */
  readonly expires?: number;
  /** The most objects on a page, whatever the caller asks for. */
  readonly pageSize?: number;
  /** Takes over a request; returns false to leave it. */
  readonly instead?: (path: string, response: ServerResponse, asked: Asked) => boolean;
  /** Of the lists. */
  readonly resourceVersion?: () => string;
  /** Answers discovery in one document, as Kubernetes from 1.27 on does. */
  readonly aggregated?: boolean;
  readonly token?: () => string;
  /** Default: a free one. */
  readonly port?: number;
}

/** A request as it arrived. */
export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly accept: string;
  readonly contentType: string;
  readonly body: string;
}

export interface FakeServer {
  readonly address: string;
  readonly kubeconfig: string;
  readonly requests: Asked[];
  writeKubeconfig(change?: {
    readonly token?: string;
    readonly ca?: string;
    readonly server?: string;
    readonly user?: object;
  }): Promise<string>;
  close(): Promise<void>;
}

let issued: Promise<KeyPair> | undefined;
export const pair = (): Promise<KeyPair> => {
  issued ??= issueKeyPair({ hosts: ["127.0.0.1"], leafDays: 1, caDays: 1 });
  return issued;
};

/** What the API server does with reads, as far as a client can tell: TLS, tokens, discovery, lists in pages, refusals as Status. */
export async function fakeServer(behaviour: Behaviour): Promise<FakeServer> {
  const { cert, key, ca } = await pair();
  const requests: Asked[] = [];
  let expires = behaviour.expires ?? 0;

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? "/", "https://server");
    const accept = String(request.headers.accept ?? "");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked: Asked = {
      method: request.method ?? "",
      url,
      accept,
      contentType: String(request.headers["content-type"] ?? ""),
      body: Buffer.concat(chunks).toString("utf8"),
    };
    requests.push(asked);
    const send = (status: number, body: JsonObject) => {
      const text = JSON.stringify(body);
      const gzip = request.headers["accept-encoding"]?.includes("gzip") === true && text.length > 1000;
      response.writeHead(status, {
        "content-type": "application/json",
        ...(gzip ? { "content-encoding": "gzip" } : {}),
      });
      response.end(gzip ? gzipSync(text) : text);
    };
    const refuse = (code: number, reason: string, message: string) =>
      send(code, { kind: "Status", apiVersion: "v1", status: "Failure", message, reason, code });

    if (request.headers.authorization !== `Bearer ${behaviour.token?.() ?? TOKEN}`)
      return refuse(401, "Unauthorized", "Unauthorized");
    if (behaviour.instead?.(url.pathname, response, asked) === true) return undefined;
    if (behaviour.forbidden?.includes(url.pathname) === true)
      return refuse(
        403,
        "Forbidden",
        `${url.pathname} is forbidden: User "tester" cannot list it at the cluster scope`,
      );
    if (url.pathname === "/api" || url.pathname === "/apis") {
      const aggregated = behaviour.aggregated === true && accept.includes("as=APIGroupDiscoveryList");
      if (aggregated) return send(200, groupDiscovery(behaviour, url.pathname));
      return send(200, url.pathname === "/api" ? { kind: "APIVersions", versions: ["v1"] } : groupList(behaviour));
    }
    const kinds = behaviour.served[url.pathname];
    if (kinds !== undefined) return send(200, resourceList(url.pathname, kinds));

    const slash = url.pathname.lastIndexOf("/");
    const [base, plural] = [url.pathname.slice(0, slash), url.pathname.slice(slash + 1)];
    const kind = behaviour.served[base]?.[plural];
    if (kind === undefined) return refuse(404, "NotFound", "the server could not find the requested resource");
    const apiVersion = base.replace(/^\/apis?\//, "");
    const all = behaviour.objects.filter((one) => one["kind"] === kind && selected(one, url));
    const start = Number(url.searchParams.get("continue") ?? "0");
    if (start > 0 && expires > 0) {
      expires -= 1;
      return refuse(410, "Expired", "The provided continue parameter is too old");
    }
    const size = Math.min(Number(url.searchParams.get("limit") ?? all.length), behaviour.pageSize ?? 500);
    const more = start + size < all.length ? { continue: String(start + size) } : {};
    const partial = accept.includes("as=PartialObjectMetadataList;g=meta.k8s.io;v=v1");
    const items = all
      .slice(start, start + size)
      .map(({ kind: _kind, apiVersion: _version, ...rest }) => (partial ? { metadata: rest["metadata"] } : rest));
    return send(200, {
      kind: partial ? "PartialObjectMetadataList" : `${kind}List`,
      apiVersion: partial ? "meta.k8s.io/v1" : apiVersion,
      metadata: { resourceVersion: behaviour.resourceVersion?.() ?? "7", ...more },
      items: items.length === 0 ? null : items,
    });
  };

  const server = createServer({ cert, key }, (request, response) => void answer(request, response));
  // Those in the middle of a handshake too, which closeAllConnections does not know.
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(behaviour.port ?? 0, "127.0.0.1", resolve));
  const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const folder = await mkdtemp(join(tmpdir(), "plimsoll-kube-"));
  let files = 0;
  const writeKubeconfig: FakeServer["writeKubeconfig"] = async (change = {}) => {
    const config = {
      apiVersion: "v1",
      kind: "Config",
      "current-context": "test",
      contexts: [{ name: "test", context: { cluster: "test", user: "tester" } }],
      clusters: [
        {
          name: "test",
          cluster: {
            server: change.server ?? address,
            "certificate-authority-data": Buffer.from(change.ca ?? ca ?? "").toString("base64"),
          },
        },
      ],
      users: [{ name: "tester", user: change.user ?? { token: change.token ?? TOKEN } }],
    };
    files += 1;
    const path = join(folder, `config-${files}`);
    await writeFile(path, stringify(config));
    return path;
  };
  return {
    address,
    kubeconfig: await writeKubeconfig(),
    requests,
    writeKubeconfig,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

function selected(object: JsonObject, url: URL): boolean {
  return (url.searchParams.get("fieldSelector") ?? "").split(",").every((term) => {
    const [field = "", value] = term.split("!=");
    return value === undefined || stringAt(object, field.split(".")) !== value;
  });
}

function groupList({ served }: Behaviour): JsonObject {
  const groups = new Map<string, { groupVersion: string; version: string }[]>();
  for (const base of Object.keys(served)) {
    const [, group = "", version = ""] = /^\/apis\/([^/]+)\/([^/]+)$/.exec(base) ?? [];
    if (group === "") continue;
    const versions = groups.get(group) ?? [];
    versions.push({ groupVersion: `${group}/${version}`, version });
    groups.set(group, versions);
  }
  return {
    kind: "APIGroupList",
    apiVersion: "v1",
    groups: [...groups].map(([name, versions]) => ({ name, versions, preferredVersion: objectAt(versions[0], []) })),
  };
}

function resourceList(base: string, kinds: Readonly<Record<string, string>>): JsonObject {
  const resources = Object.entries(kinds).flatMap(([name, kind]) => [
    { name: `${name}/status`, kind, namespaced: true, verbs: ["get"] },
    { name, kind, namespaced: true, verbs: ["get", "list", "watch"] },
  ]);
  return { kind: "APIResourceList", apiVersion: "v1", groupVersion: base.replace(/^\/apis?\//, ""), resources };
}

function groupDiscovery({ served }: Behaviour, path: string): JsonObject {
  const items = new Map<string, JsonObject[]>();
  for (const [base, kinds] of Object.entries(served)) {
    if (base.startsWith("/api/") !== (path === "/api")) continue;
    const [, group = "", version = ""] = /^\/api(?:s\/([^/]+))?\/([^/]+)$/.exec(base) ?? [];
    const resources = Object.entries(kinds).map(([resource, kind]) => ({
      resource,
      responseKind: { group, version, kind },
      scope: "Namespaced",
      verbs: ["get", "list", "watch"],
      subresources: [{ subresource: "status", responseKind: { group, version, kind }, verbs: ["get"] }],
    }));
    items.set(group, [...(items.get(group) ?? []), { version, resources, freshness: "Current" }]);
  }
  return {
    kind: "APIGroupDiscoveryList",
    apiVersion: "apidiscovery.k8s.io/v2",
    items: [...items].map(([name, versions]) => ({ metadata: name === "" ? {} : { name }, versions })),
  };
}
