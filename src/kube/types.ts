import type { JsonObject } from "../model/index.ts";

export interface ListOptions {
  /** Filters on the server, such as `status.phase!=Failed`. */
  readonly fieldSelector?: string;
  readonly labelSelector?: string;
  /** Asks for metadata only, so that specs do not travel. */
  readonly metadataOnly?: boolean;
}

export interface WatchOptions extends ListOptions {
  /** Where to begin; events after it are delivered. */
  readonly resourceVersion: string;
  /** The server ends the watch after this long; a jittered value spreads the reconnects of many watchers. */
  readonly timeoutSeconds: number;
  /** A connection on which nothing arrives for this long, not even a bookmark, counts as dead. */
  readonly idleMs: number;
  readonly signal: AbortSignal;
  /** Called once the server has accepted the watch: a sign of life where nothing happens. */
  readonly opened?: () => void;
}

export interface WatchEvent {
  readonly type: "ADDED" | "MODIFIED" | "DELETED" | "BOOKMARK";
  readonly object: JsonObject;
}

/** A list with the point from which a watch goes on. */
export interface Listed<T> {
  readonly items: readonly T[];
  readonly resourceVersion: string;
}

export interface WriteOptions {
  readonly dryRun?: boolean;
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string;
  /** Take fields over from other managers; without it a conflict is a fault of status 409. */
  readonly force?: boolean;
}

export interface DeleteOptions extends WriteOptions {
  /** Only this very object; another of the same name is a fault of status 409. */
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly propagation?: "Background" | "Foreground" | "Orphan";
}

/** The API server port. Every method throws KubeFault (with the HTTP status where there was one) and nothing else. */
export interface Kube {
  /** The server's address, for messages. */
  readonly server: string;
  /** Any document of the API, such as discovery's `/apis`. */
  get(path: string, options?: { readonly accept?: string }): Promise<JsonObject>;
  /**
   * Every object below a collection's path, page by page: `read` sees each as it comes, and only what it returns is held. Items carry
   * neither apiVersion nor kind, as the API server sends them. A list that outlives its snapshot (410) starts anew, once.
   */
  list<T>(path: string, read: (item: JsonObject) => T, options?: ListOptions): Promise<readonly T[]>;
  /** The same with the resourceVersion of the whole. */
  listFrom<T>(path: string, read: (item: JsonObject) => T, options?: ListOptions): Promise<Listed<T>>;
  /**
   * Events of a collection, in order, until the server ends the watch (the iteration then ends), the signal aborts (it ends too), or something
   * breaks (KubeFault; status 410 for an expired resourceVersion, also where the server says so inside the stream).
   */
  watch(path: string, options: WatchOptions): AsyncIterable<WatchEvent>;
  /** undefined: there is no such object. */
  read(path: string): Promise<JsonObject | undefined>;
  create(path: string, object: JsonObject, options?: WriteOptions): Promise<JsonObject>;
  /** PUT: the object's resourceVersion makes it optimistic (409 when another was faster). */
  replace(path: string, object: JsonObject, options?: WriteOptions): Promise<JsonObject>;
  /** Server-side apply. */
  apply(path: string, object: JsonObject, options: ApplyOptions): Promise<JsonObject>;
  /** JSON merge patch. */
  mergePatch(path: string, patch: JsonObject, options?: WriteOptions): Promise<JsonObject>;
  /** false: it was gone already. */
  remove(path: string, options?: DeleteOptions): Promise<boolean>;
  close(): void;
}
