import { arrayAt, isObject, type JsonObject, stringAt, valueAt } from "../model/index.ts";
import { type Clock, SYSTEM_CLOCK } from "./clock.ts";
import { type ConnectOptions, readCredentials } from "./credentials.ts";
import { isStatus, KubeFault, reasonOf } from "./fault.ts";
import { createTransport, type Transport } from "./transport.ts";
import type { Kube, Listed, ListOptions, WatchEvent, WatchOptions, WriteOptions } from "./types.ts";

const TIMEOUT_MS = 60_000;
const PAGE_SIZE = 500;
const JSON_BODY = "application/json";
const METADATA_LIST = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";
const METADATA_EVENTS = "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json";
const EVENT_TYPES: readonly WatchEvent["type"][] = ["ADDED", "MODIFIED", "DELETED", "BOOKMARK"];

/** A port to the cluster of a kubeconfig, or of the service account of this pod; nothing is sent yet. Throws KubeFault. */
export async function connect(options: ConnectOptions = {}, clock: Clock = SYSTEM_CLOCK): Promise<Kube> {
  const credentials = await readCredentials(options);
  const transport = createTransport(credentials, options.timeoutMs ?? TIMEOUT_MS, clock);
  const listFrom: Kube["listFrom"] = async (path, read, asked = {}) => {
    const first = await readPages(transport, path, read, asked);
    const listed = first ?? (await readPages(transport, path, read, asked));
    if (listed === undefined) throw new KubeFault(`the list of ${path} expired twice while it was read`, 410);
    return listed;
  };
  const write = (
    method: "POST" | "PUT" | "PATCH",
    path: string,
    json: JsonObject,
    { dryRun }: WriteOptions = {},
    type = JSON_BODY,
    query: Readonly<Record<string, string>> = {},
  ) =>
    transport.send({
      method,
      path: withQuery(path, { ...query, ...(dryRun === true ? { dryRun: "All" } : {}) }),
      accept: JSON_BODY,
      body: { type, json },
    });

  return {
    server: credentials.server,
    get: (path, { accept = JSON_BODY } = {}) => transport.send({ method: "GET", path, accept }),
    list: async (path, read, asked) => (await listFrom(path, read, asked)).items,
    listFrom,
    watch: (path, asked) => eventsOf(transport, path, asked),
    async read(path) {
      try {
        return await transport.send({ method: "GET", path, accept: JSON_BODY });
      } catch (fault) {
        if (isStatus(fault, 404)) return undefined;
        throw fault;
      }
    },
    create: (path, object, asked) => write("POST", path, object, asked),
    replace: (path, object, asked) => write("PUT", path, object, asked),
    apply: (path, object, { fieldManager, force, ...asked }) =>
      write("PATCH", path, object, asked, "application/apply-patch+yaml", {
        fieldManager,
        ...(force === true ? { force: "true" } : {}),
      }),
    mergePatch: (path, patch, asked) => write("PATCH", path, patch, asked, "application/merge-patch+json"),
    async remove(path, { uid, resourceVersion, propagation, dryRun } = {}) {
      const preconditions = {
        ...(uid === undefined ? {} : { uid }),
        ...(resourceVersion === undefined ? {} : { resourceVersion }),
      };
      const json: JsonObject = {
        apiVersion: "v1",
        kind: "DeleteOptions",
        ...(Object.keys(preconditions).length === 0 ? {} : { preconditions }),
        ...(propagation === undefined ? {} : { propagationPolicy: propagation }),
        ...(dryRun === true ? { dryRun: ["All"] } : {}),
      };
      try {
        await transport.send({ method: "DELETE", path, accept: JSON_BODY, body: { type: JSON_BODY, json } });
        return true;
      } catch (fault) {
        if (isStatus(fault, 404)) return false;
        throw fault;
      }
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
): Promise<Listed<T> | undefined> {
  const accept = asked.metadataOnly === true ? METADATA_LIST : JSON_BODY;
  const items: T[] = [];
  let resourceVersion = "";
  for (let token = ""; ; ) {
    const query = { limit: String(PAGE_SIZE), ...selectors(asked), ...(token === "" ? {} : { continue: token }) };
    let page: JsonObject;
    try {
      page = await transport.send({ method: "GET", path: withQuery(path, query), accept });
    } catch (fault) {
      if (token !== "" && isStatus(fault, 410)) return undefined;
      throw fault;
    }
    if (stringAt(page, ["kind"])?.endsWith("List") !== true || !listed(page))
      throw new KubeFault(`${path} was answered with something that is no list`);
    for (const item of arrayAt(page, ["items"])) if (isObject(item)) items.push(read(item));
    // Every page is of the first one's moment.
    if (token === "") resourceVersion = stringAt(page, ["metadata", "resourceVersion"]) ?? "";
    const next = stringAt(page, ["metadata", "continue"]) ?? "";
    if (next === "") return { items, resourceVersion };
    if (next === token) throw new KubeFault(`the list of ${path} does not end: a page names itself as the next`);
    token = next;
  }
}

/** Go writes an empty list as null. */
function listed(page: JsonObject): boolean {
  const items = valueAt(page, ["items"]);
  return items === null || Array.isArray(items);
}

async function* eventsOf(
  transport: Transport,
  path: string,
  options: WatchOptions,
): AsyncGenerator<WatchEvent, void, undefined> {
  const { resourceVersion, timeoutSeconds, idleMs, signal, opened = () => undefined } = options;
  const query = {
    watch: "true",
    allowWatchBookmarks: "true",
    resourceVersion,
    timeoutSeconds: String(Math.max(1, Math.round(timeoutSeconds))),
    ...selectors(options),
  };
  const accept = options.metadataOnly === true ? METADATA_EVENTS : JSON_BODY;
  for await (const line of transport.lines({ path: withQuery(path, query), accept, idleMs, signal, opened }))
    yield eventOf(line, path);
}

/** One line of a watch. An ERROR carries a Status, which is thrown as the fault that it is. */
function eventOf(line: string, path: string): WatchEvent {
  let event: unknown;
  try {
    event = JSON.parse(line);
  } catch (fault) {
    throw new KubeFault(`the watch of ${path} sent what is no JSON: ${reasonOf(fault)}`);
  }
  const object = isObject(event) ? event["object"] : undefined;
  if (!isObject(event) || !isObject(object)) throw new KubeFault(`the watch of ${path} sent what is no event`);
  const type = EVENT_TYPES.find((one) => one === event["type"]);
  if (type !== undefined) return { type, object };
  const [code, reason] = [valueAt(object, ["code"]), stringAt(object, ["reason"])];
  throw new KubeFault(
    `the watch of ${path} was ended by the server: ${reasonOf(stringAt(object, ["message"]) ?? `event ${String(event["type"])}`)}`,
    { ...(typeof code === "number" ? { status: code } : {}), ...(reason === undefined ? {} : { reason }) },
  );
}

function selectors({ fieldSelector, labelSelector }: ListOptions): Readonly<Record<string, string>> {
  return {
    ...(fieldSelector === undefined ? {} : { fieldSelector }),
    ...(labelSelector === undefined ? {} : { labelSelector }),
  };
}

function withQuery(path: string, query: Readonly<Record<string, string>>): string {
  const text = new URLSearchParams(query).toString();
  return text === "" ? path : `${path}?${text}`;
}
