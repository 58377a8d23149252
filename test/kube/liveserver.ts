import type { ServerResponse } from "node:http";
import { type JsonObject, stringAt } from "../../src/model/index.ts";
import { type FakeServer, fakeServer } from "./fakeserver.ts";

type Served = Record<string, Record<string, string>>;

interface Entry {
  readonly path: string;
  readonly version: number;
  readonly event: JsonObject;
}

/** A server whose objects change, with watches that tell it, and with everything that goes wrong with watches. */
export interface LiveServer {
  readonly fake: FakeServer;
  readonly served: Served;
  readonly forbidden: string[];
  /** Creates it or changes it. `path` is its collection's. */
  put(path: string, object: JsonObject): void;
  remove(path: string, name: string): void;
  bookmark(): void;
  /** What is older than now cannot be watched from any more. */
  compact(): void;
  /** Ends every watch, in good order or in the middle of the connection. */
  cut(how: "end" | "destroy"): void;
  /** Watches are taken and then nothing is said, not even what happened before. */
  mute(muted: boolean): void;
  /** Further watches end as soon as they are taken. */
  endsAtOnce(ends: boolean): void;
  /** How many watches of a collection are open. */
  watching(path: string): number;
  requestsOf(path: string, watch: boolean): readonly URL[];
  /** The same cluster at the same address, with no connection left. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

export async function liveServer(served: Served, options: { readonly aggregated?: boolean } = {}): Promise<LiveServer> {
  const objects: JsonObject[] = [];
  const forbidden: string[] = [];
  const log: Entry[] = [];
  const watches = new Map<ServerResponse, string>();
  let version = 100;
  let oldest = 0;
  let muted = false;
  let ends = false;

  const line = (event: JsonObject) => `${JSON.stringify(event)}\n`;
  const expired: JsonObject = { kind: "Status", code: 410, reason: "Expired", message: "too old resource version" };
  const tell = (path: string, event: JsonObject) => {
    log.push({ path, version, event });
    if (!muted) for (const [response, of] of watches) if (of === path) response.write(line(event));
  };
  const behaviour = {
    objects,
    served,
    forbidden,
    aggregated: options.aggregated ?? true,
    resourceVersion: () => String(version),
    instead(path: string, response: ServerResponse, { url }: { readonly url: URL }): boolean {
      if (url.searchParams.get("watch") !== "true") return false;
      const [base, plural] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
      if (served[base]?.[plural] === undefined || forbidden.includes(path)) return false;
      const from = Number(url.searchParams.get("resourceVersion"));
      response.writeHead(200, { "content-type": "application/json" });
      response.flushHeaders();
      if (from < oldest) {
        response.end(line({ type: "ERROR", object: expired }));
        return true;
      }
      if (!muted) for (const one of log) if (one.path === path && one.version > from) response.write(line(one.event));
      if (ends) response.end();
      else {
        watches.set(response, path);
        response.on("close", () => watches.delete(response));
      }
      return true;
    },
  };
  let fake = await fakeServer(behaviour);
  const { kubeconfig, requests } = fake;
  const find = (kind: unknown, name: string) =>
    objects.findIndex((one) => one["kind"] === kind && stringAt(one, ["metadata", "name"]) === name);

  return {
    get fake() {
      return { ...fake, kubeconfig };
    },
    served,
    forbidden,
    put(path, object) {
      version += 1;
      const metadata = { ...(object["metadata"] as JsonObject), resourceVersion: String(version) };
      const stored = { ...object, metadata };
      const at = find(object["kind"], stringAt(object, ["metadata", "name"]) ?? "");
      if (at < 0) objects.push(stored);
      else objects[at] = stored;
      tell(path, { type: at < 0 ? "ADDED" : "MODIFIED", object: stored });
    },
    remove(path, name) {
      version += 1;
      const [base, plural] = [path.slice(0, path.lastIndexOf("/")), path.slice(path.lastIndexOf("/") + 1)];
      const at = find(served[base]?.[plural], name);
      const [gone] = objects.splice(at, 1);
      const metadata = { ...(gone?.["metadata"] as JsonObject), resourceVersion: String(version) };
      tell(path, { type: "DELETED", object: { ...gone, metadata } });
    },
    bookmark() {
      version += 1;
      for (const [response] of watches)
        response.write(line({ type: "BOOKMARK", object: { metadata: { resourceVersion: String(version) } } }));
    },
    compact() {
      oldest = version;
      log.length = 0;
    },
    cut(how) {
      for (const [response] of watches) how === "end" ? response.end() : response.destroy();
      watches.clear();
    },
    mute(value) {
      muted = value;
    },
    endsAtOnce(value) {
      ends = value;
    },
    watching: (path) => [...watches.values()].filter((one) => one === path).length,
    requestsOf: (path, watch) =>
      requests.map(({ url }) => url).filter((url) => url.pathname === path && url.searchParams.has("watch") === watch),
    async restart() {
      const port = Number(new URL(fake.address).port);
      await fake.close();
      fake = await fakeServer({ ...behaviour, port });
      requests.push = (...more) => fake.requests.push(...more);
    },
    close: () => fake.close(),
  };
}

/** Waits until it holds; `what` says what was awaited. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 1000; tries += 1) {
    if (holds()) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`waited in vain until ${what}`);
}
