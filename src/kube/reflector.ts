import { type JsonObject, stringAt } from "../model/index.ts";
import type { Change } from "../topology/index.ts";
import { type Clock, jittered } from "./clock.ts";
import { isStatus, KubeFault, reasonOf } from "./fault.ts";
import type { Kube, ListOptions, WatchEvent } from "./types.ts";

/** Milliseconds; each is jittered where many kinds would otherwise keep step. */
export interface Timings {
  /** Pause after the first fault; it doubles with each further one up to `maxBackoffMs`. */
  readonly backoffMs: number;
  readonly maxBackoffMs: number;
  /** A watch that lived this long was a good one: the next fault is a first one again. */
  readonly settledMs: number;
  /** The API server sends a bookmark each minute where anything at all is written, so more than that. */
  readonly idleMs: number;
  /** How long the server keeps one watch open. */
  readonly watchMs: number;
  /** Until a kind that may not be read, or is not served, is tried again. */
  readonly deniedMs: number;
}

export const TIMINGS: Timings = {
  backoffMs: 800,
  maxBackoffMs: 30_000,
  settledMs: 5_000,
  idleMs: 75_000,
  watchMs: 420_000,
  deniedMs: 60_000,
};

/** After so many refusals in a row the place to go on from is given up and the kind is listed. */
const MAX_RESUMES = 3;

export interface KindStatus {
  readonly apiVersion: string;
  readonly kind: string;
  /** Listed at least once, and served since. */
  readonly synced: boolean;
  /** The last list, event or bookmark, or the last watch that the server accepted; undefined before the first. */
  readonly lastSignMs: number | undefined;
  /** Lists that were completed, the first one included. */
  readonly lists: number;
  readonly events: number;
  readonly faults: number;
  /** What is wrong now; undefined: nothing. */
  readonly fault: string | undefined;
  readonly forbidden: boolean;
  readonly unserved: boolean;
}

export interface ReflectorOptions {
  readonly kube: Kube;
  readonly apiVersion: string;
  readonly kind: string;
  /** The collection: `/api/v1/pods`. */
  readonly path: string;
  readonly asked?: ListOptions;
  /** What is kept of an object, apiVersion and kind included; undefined: nothing, it counts as deleted. */
  readonly keep: (object: JsonObject) => JsonObject | undefined;
  /** Takes each batch in order. What it throws makes the kind be listed again. */
  readonly emit: (changes: readonly Change[]) => void;
  readonly clock: Clock;
  readonly timings?: Timings;
  /** Lets few lists run at a time. */
  readonly gate?: <T>(work: () => Promise<T>) => Promise<T>;
}

export interface Reflector {
  status(): KindStatus;
  /** Asks at once whether a kind that was not served is so by now. */
  again(): void;
  /** No change is told afterwards. */
  stop(): void;
}

/**
 * Keeps whoever takes the changes current with one kind: list, watch from there, go on after each end of a watch from the last event or bookmark,
 * and list again only when the server no longer knows that place (410). What is known stays until a new list is complete. Never throws.
 */
export function startReflector(options: ReflectorOptions): Reflector {
  const { kube, apiVersion, kind, path, asked = {}, keep, clock, timings = TIMINGS } = options;
  const gate = options.gate ?? ((work) => work());
  const state = { synced: false, lists: 0, events: 0, faults: 0, forbidden: false, unserved: false };
  let lastSignMs: number | undefined;
  let fault: string | undefined;
  let stopped = false;
  let wait = new AbortController();
  /** Where to go on; undefined: by a list. */
  let version: string | undefined;
  let failures = 0;
  let pending: Change[] = [];
  let spoilt = false;

  function deliver(): void {
    const batch = pending;
    pending = [];
    if (batch.length > 0 && !stopped) options.emit(batch);
  }
  /** Together what arrived together; a sink that fails gets everything anew. */
  function flush(): void {
    try {
      deliver();
    } catch (thrown) {
      note(`a batch of changes was not taken: ${reasonOf(thrown)}`);
      spoilt = true;
      wait.abort();
    }
  }
  function push(change: Change): void {
    pending.push(change);
    if (pending.length === 1) setImmediate(flush);
  }
  function note(text: string): void {
    fault = text;
    state.faults += 1;
  }
  const alive = () => {
    lastSignMs = clock.now();
    fault = undefined;
    state.forbidden = false;
    state.unserved = false;
  };
  const deleted = (object: JsonObject): Change => ({
    type: "deleted",
    apiVersion,
    kind,
    namespace: stringAt(object, ["metadata", "namespace"]) ?? "",
    name: stringAt(object, ["metadata", "name"]) ?? "",
  });

  async function list(): Promise<void> {
    const listed = await gate(() => kube.listFrom(path, keep, asked));
    if (stopped) return;
    const objects = listed.items.filter((item) => item !== undefined);
    pending.push({ type: "relisted", apiVersion, kind, objects });
    deliver();
    version = listed.resourceVersion;
    state.lists += 1;
    state.synced = true;
    alive();
  }

  function take({ type, object }: WatchEvent): void {
    alive();
    version = stringAt(object, ["metadata", "resourceVersion"]) ?? version;
    if (type === "BOOKMARK") return;
    state.events += 1;
    const kept = type === "DELETED" ? undefined : keep(object);
    push(kept === undefined ? deleted(object) : { type: "set", object: kept });
  }

  /** One watch to its end. A short one counts as a failure, so that a server which closes at once is not asked in a loop. */
  async function watch(resourceVersion: string): Promise<void> {
    const begun = clock.now();
    const before = state.events;
    const { signal } = wait;
    try {
      const timeoutSeconds = jittered(timings.watchMs, clock) / 1000;
      const from = { ...asked, resourceVersion, timeoutSeconds, idleMs: timings.idleMs, signal, opened: alive };
      for await (const event of kube.watch(path, from)) {
        take(event);
        if (signal.aborted) break;
      }
    } finally {
      if (clock.now() - begun >= timings.settledMs) failures = 0;
      else failures = state.events > before ? 1 : failures + 1;
    }
  }

  /** How long to wait after a fault. */
  function pauseFor(thrown: unknown): number {
    note(reasonOf(thrown));
    if (isStatus(thrown, 403, 404)) failures = 0;
    if (isStatus(thrown, 403)) {
      state.forbidden = true;
      return jittered(timings.deniedMs, clock);
    }
    if (isStatus(thrown, 404)) {
      version = undefined;
      if (!state.unserved) push({ type: "unserved", apiVersion, kind });
      state.unserved = true;
      state.synced = false;
      return jittered(timings.deniedMs, clock);
    }
    const status = thrown instanceof KubeFault ? thrown.status : undefined;
    if (status === 410 || (status !== undefined && status !== 429 && failures >= MAX_RESUMES)) version = undefined;
    return Math.max(backoff(), thrown instanceof KubeFault ? (thrown.retryAfterMs ?? 0) : 0);
  }
  function backoff(): number {
    if (failures === 0) return 0;
    return jittered(Math.min(timings.maxBackoffMs, timings.backoffMs * 2 ** Math.min(failures - 1, 16)), clock);
  }

  async function run(): Promise<void> {
    while (!stopped) {
      let pause = 0;
      const listing = version === undefined;
      try {
        if (version === undefined) await list();
        else {
          await watch(version);
          pause = backoff();
        }
      } catch (thrown) {
        if (listing) failures += 1;
        pause = pauseFor(thrown);
      }
      flush();
      if (spoilt) version = undefined;
      spoilt = false;
      if (wait.signal.aborted) wait = new AbortController();
      if (!stopped && pause > 0) await clock.sleep(pause, wait.signal);
    }
  }
  void run();
  return {
    status: () => ({ apiVersion, kind, ...state, lastSignMs, fault }),
    again() {
      if (state.unserved) wait.abort();
    },
    stop() {
      stopped = true;
      wait.abort();
    },
  };
}
