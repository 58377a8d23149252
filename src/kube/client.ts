import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../model/index.ts";
import { type ConnectOptions, readCredentials } from "./credentials.ts";
import { KubeFault } from "./fault.ts";
import { createTransport, type Transport } from "./transport.ts";

const TIMEOUT_MS = 60_000;
const PAGE_SIZE = 500;
const JSON_BODY = "application/json";
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

export interface ListOptions {
  /** Filters on the server, such as `status.phase!=Failed`. */
  readonly fieldSelector?: string;
  /** Asks for metadata only, so that specs do not travel. */
  readonly metadataOnly?: boolean;
}

/** The API server port. Every method throws KubeFault and nothing else. */
export interface Kube {
  /** The server's address, for messages. */
  readonly server: string;
  /** Any document of the API, such as discovery's `/apis`. */
  get(path: string): Promise<JsonObject>;
  /**
   * Every object below a collection's path, page by page: `read` sees each as it comes, and only what it returns is held. Items carry
   * neither apiVersion nor kind, as the API server sends them. A list that outlives its snapshot (410) starts anew, once.
   */
  list<T>(path: string, read: (item: JsonObject) => T, options?: ListOptions): Promise<readonly T[]>;
  close(): void;
}

/** A port to the cluster of a kubeconfig; nothing is sent yet. Throws KubeFault. */
export async function connect(options: ConnectOptions = {}): Promise<Kube> {
  const credentials = await readCredentials(options);
  const transport = createTransport(credentials, options.timeoutMs ?? TIMEOUT_MS);
  return {
    server: credentials.server,
    get: (path) => transport.get(path, { Accept: JSON_BODY }),
    async list(path, read, asked = {}) {
      const first = await readPages(transport, path, read, asked);
      const items = first ?? (await readPages(transport, path, read, asked));
      if (items === undefined) throw new KubeFault(`the list of ${path} expired twice while it was read`, 410);
      return items;
    },
    close: () => transport.close(),
  };
}

/** Undefined: the list expired between two pages. */
async function readPages<T>(
  transport: Transport,
  path: string,
  read: (item: JsonObject) => T,
  asked: ListOptions,
): Promise<readonly T[] | undefined> {
  const headers = { Accept: asked.metadataOnly === true ? METADATA_LIST : JSON_BODY };
  const items: T[] = [];
  for (let token = ""; ; ) {
    const query = new URLSearchParams({
      limit: String(PAGE_SIZE),
      ...(asked.fieldSelector === undefined ? {} : { fieldSelector: asked.fieldSelector }),
      ...(token === "" ? {} : { continue: token }),
    });
    let page: JsonObject;
    try {
      page = await transport.get(`${path}?${query}`, headers);
    } catch (fault) {
      if (token !== "" && fault instanceof KubeFault && fault.status === 410) return undefined;
      throw fault;
    }
    if (stringAt(page, ["kind"])?.endsWith("List") !== true || !listed(page))
      throw new KubeFault(`${path} was answered with something that is no list`);
    for (const item of arrayAt(page, ["items"])) if (isObject(item)) items.push(read(item));
    const next = stringAt(page, ["metadata", "continue"]) ?? "";
    if (next === "") return items;
    if (next === token) throw new KubeFault(`the list of ${path} does not end: a page names itself as the next`);
    token = next;
  }
}

/** Go writes an empty list as null. */
function listed(page: JsonObject): boolean {
  const items = valueAt(page, ["items"]);
  return items === null || Array.isArray(items);
}
